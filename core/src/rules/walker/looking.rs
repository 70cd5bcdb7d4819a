//! Rules that only look: tests of moves and squares, and adjudication.
//!
//! Such a rule is walked from start to end in one go, over a view that does not change. Owns that walk. Knows nothing of
//! games; the rule may not roll, choose or change anything.

use super::Walker;
use crate::board::piece::KindMask;
use crate::position::Position;
use crate::rules::effect::{self, GameFlow, Over};
use crate::rules::error::{Cause, RuleError, Task};
use crate::rules::hook::{Hook, RuleId};
use crate::rules::query::{self, Answer, Query};
use crate::rules::rule::Step;
use crate::rules::tree::{NodeId, Tree};
use crate::rules::value::{MAX_SLOTS, SideRef, Value, View};
use crate::rules::{MAX_DEPTH, Mode, Moment};
use std::cell::RefCell;

impl Walker {
    /// Whether a test answers yes for `value`.
    ///
    /// # Errors
    /// If the rule fails, rolls, chooses or changes the game.
    pub fn holds(&self, rule: RuleId, view: &View<'_>, value: Value) -> Result<bool, RuleError> {
        self.holds_for(rule, view, || value)
    }

    /// [`Walker::holds`], but the value is only built if it is read: common questions never read it.
    pub(crate) fn holds_for(
        &self,
        rule: RuleId,
        view: &View<'_>,
        value: impl FnOnce() -> Value,
    ) -> Result<bool, RuleError> {
        let skipped = self.shortcut(rule, view);
        self.meter.charge(Task::Testing, 1)?;
        match skipped {
            Shortcut::Ended(answer) => Ok(answer != 0),
            Shortcut::At(node) => self.holds_from(rule, node, view, value()),
        }
    }

    #[inline(never)]
    fn holds_from(&self, rule: RuleId, start: NodeId, view: &View<'_>, value: Value) -> Result<bool, RuleError> {
        let room = |held: usize| {
            let held = held.saturating_sub(1).min(view.env.len());
            let mut env = self.spare_env();
            env.extend_from_slice(&view.env[..held]);
            env.push(value);
            env
        };
        self.evaluate(rule, start, view, room, &mut None).map(|answer| answer != 0)
    }

    /// The verdict of the `outcome` rule; `None` if the game goes on.
    ///
    /// # Errors
    /// If the rule fails, rolls, chooses or changes the board.
    pub(crate) fn outcome(&self, view: &View<'_>) -> Result<Option<Over>, RuleError> {
        let mut over = None;
        self.adjudicate(view, &mut over)?;
        Ok(over)
    }

    /// Puts the verdict of the `outcome` rule into `over`, if it reaches one.
    #[inline]
    pub(crate) fn adjudicate(&self, view: &View<'_>, over: &mut Option<Over>) -> Result<(), RuleError> {
        if !self.has(Hook::Outcome) {
            return Ok(());
        }
        match self.shortcut(Hook::Outcome.id(), view) {
            Shortcut::Ended(_) => Ok(()),
            Shortcut::At(node) => self.adjudicate_from(node, view, over),
        }
    }

    #[inline(never)]
    fn adjudicate_from(&self, start: NodeId, view: &View<'_>, over: &mut Option<Over>) -> Result<(), RuleError> {
        let mut verdict = None;
        self.evaluate(Hook::Outcome.id(), start, view, |_| self.spare_env(), &mut verdict)?;
        if let Some(course) = verdict {
            *over = course.over;
        }
        Ok(())
    }

    /// A copy of a position, to try something out. [Return it](Walker::return_position) after use: copying into an existing
    /// buffer is faster.
    pub(crate) fn borrow_position(&self, position: &Position) -> Box<Position> {
        match self.spare_position.take() {
            Some(mut room) => {
                Position::clone_from(&mut room, position);
                room
            }
            None => Box::new(position.clone()),
        }
    }

    pub(crate) fn return_position(&self, position: Box<Position>) {
        self.spare_position.set(Some(position));
    }

    /// Runs a rule that only looks, as long as its tree has common questions and no watcher is set.
    fn shortcut(&self, rule: RuleId, view: &View<'_>) -> Shortcut {
        let mut node = NodeId::ROOT;
        if self.settings.watch.is_none() && self.settings.mode == Mode::Trees {
            let view = View { env: &[], depth: view.depth + 1, ..*view };
            let mut follow = |tree: &RefCell<Tree>| {
                let tree = tree.borrow();
                let walks = !tree.is_empty() && !tree.is_full(self.settings.cap);
                if walks { tree.follow(&mut node, &view) } else { None }
            };
            let index = rule.0 as usize;
            let answer = match self.hooks.get(index) {
                Some(tree) => follow(tree),
                None => self.tests.borrow().get(index - Hook::ALL.len()).and_then(|tree| follow(tree)),
            };
            if let Some(answer) = answer {
                return Shortcut::Ended(answer);
            }
        }
        Shortcut::At(node)
    }

    /// Whether the `outcome` rule ends the game here.
    ///
    /// # Errors
    /// As [`Walker::outcome`].
    pub(crate) fn ends(&self, view: &View<'_>) -> Result<bool, RuleError> {
        self.outcome(view).map(|over| over.is_some())
    }

    /// The kinds whose counts alone show the `outcome` rule that the game goes on here, both within a turn and after it;
    /// `None` if it is over or the rule asks about more.
    ///
    /// # Errors
    /// As [`Walker::outcome`].
    pub(crate) fn counted(&self, view: &View<'_>) -> Result<Option<KindMask>, RuleError> {
        if !self.has(Hook::Outcome) {
            return Ok(Some(KindMask::NONE));
        }
        let rule = Hook::Outcome.id();
        let tree = self.tree_of(rule);
        let (mut node, mut kinds) = (self.root(rule, &tree)?, KindMask::NONE);
        let view = View { env: &[], depth: view.depth + 1, ..*view };
        loop {
            let answer = match tree.borrow().step(node) {
                Step::Ask(question) => {
                    let inner = match question {
                        Query::AtLeast(inner, _) | Query::Equals(inner, _) => inner,
                        other => other,
                    };
                    match inner {
                        Query::Pieces(None | Some(SideRef::Is(_) | SideRef::Mover | SideRef::Opponent), asked) => {
                            kinds.0 |= asked.0;
                        }
                        _ => return Ok(None),
                    }
                    query::answer(question, &view)?
                }
                Step::Return(_) => return Ok(Some(kinds)),
                _ => return Ok(None),
            };
            node = self.next(rule, &tree, node, answer)?;
        }
    }

    /// Runs a rule that only looks, from a node before which no values are found. `room` provides a buffer for its values
    /// that already holds its arguments. Returns its result; a verdict, if it reaches one, goes to `verdict`.
    fn evaluate(
        &self,
        rule: RuleId,
        start: NodeId,
        view: &View<'_>,
        room: impl FnOnce(usize) -> Vec<Value>,
        verdict: &mut Option<GameFlow>,
    ) -> Result<Answer, RuleError> {
        if view.depth >= MAX_DEPTH {
            return Err(self.blame(rule, RuleError::new("rules call each other endlessly")));
        }
        let tree = self.tree_of(rule);
        self.tell(rule, Moment::Enters);
        let mut node = start;
        let result = match self.held_for_viewer(rule) {
            None => self.root(rule, &tree).and_then(|_| {
                let mut env = room(tree.borrow().held());
                let result = self.evaluate_by(rule, &tree, &mut node, view, &mut env, verdict);
                self.return_env(env);
                result
            }),
            Some(held) => self.evaluate_shown(rule, &tree, &mut node, view, room(held), verdict),
        };
        self.tell(rule, Moment::Leaves);
        result.map_err(|error| self.blame_in(rule, &tree, node, error))
    }

    /// As [`blame_at`](Walker::blame_at), for a rule that has reached a node.
    #[cold]
    pub(super) fn blame_in(&self, rule: RuleId, tree: &RefCell<Tree>, node: NodeId, error: RuleError) -> RuleError {
        let tree = tree.try_borrow().ok().filter(|tree| !tree.is_empty());
        let answers = tree.map(|tree| tree.path(node));
        self.blame_at(rule, answers, error)
    }

    /// As [`evaluate_by`](Walker::evaluate_by), for rules with a viewer. Cold, to stay out of the loops of rules.
    #[cold]
    fn evaluate_shown(
        &self,
        rule: RuleId,
        tree: &RefCell<Tree>,
        node: &mut NodeId,
        view: &View<'_>,
        mut env: Vec<Value>,
        verdict: &mut Option<GameFlow>,
    ) -> Result<Answer, RuleError> {
        self.show_held(view, &env);
        self.root(rule, tree)?;
        self.evaluate_by(rule, tree, node, view, &mut env, verdict)
    }

    #[inline]
    pub(super) fn evaluate_by(
        &self,
        rule: RuleId,
        tree: &RefCell<Tree>,
        node: &mut NodeId,
        view: &View<'_>,
        env: &mut Vec<Value>,
        verdict: &mut Option<GameFlow>,
    ) -> Result<Answer, RuleError> {
        loop {
            let answer = match self.walk(rule, &tree.borrow(), node, view, env, verdict)? {
                Walk::Done(answer) => return Ok(answer),
                Walk::Unknown(answer) => answer,
            };
            if self.settings.viewer.is_some() {
                self.show_held(view, env);
            }
            *node = self.next(rule, tree, *node, answer)?;
        }
    }

    /// Walks a tree from `node` until the rule ends or the tree must grow.
    fn walk(
        &self,
        rule: RuleId,
        tree: &Tree,
        node: &mut NodeId,
        view: &View<'_>,
        env: &mut Vec<Value>,
        verdict: &mut Option<GameFlow>,
    ) -> Result<Walk, RuleError> {
        loop {
            let inner = View { env, depth: view.depth + 1, ..*view };
            // Questions change nothing, so consecutive ones share a view.
            let (found, answer) = loop {
                if let Some(answer) = tree.follow(node, &inner) {
                    return Ok(Walk::Done(answer));
                }
                let step = tree.step(*node);
                if !matches!(step, Step::Return(_)) {
                    self.meter.charge(Task::Running, 1)?;
                }
                let answer = match step {
                    Step::Ask(query) => query::answer(query, &inner)?,
                    Step::Find(find) => break (Some(query::find(find, &inner)?), 0),
                    Step::Act(effect) if effect.is_verdict() => {
                        let course = verdict.get_or_insert_default();
                        effect::apply(effect, &inner, &mut view.position.clone(), course)
                            .map_err(|error| self.blame(rule, error))?;
                        0
                    }
                    Step::Act(_) => {
                        return Err(self.blame(rule, RuleError::new("this rule can only read the game, not change it")));
                    }
                    Step::Roll(_) | Step::Decide(_) => {
                        return Err(self.blame(rule, RuleError::new("this rule cannot roll or ask for choices")));
                    }
                    Step::Return(answer) => return Ok(Walk::Done(*answer)),
                };
                match tree.next(*node, answer) {
                    NodeId::NONE => break (None, answer),
                    next => *node = next,
                }
            };
            if let Some(value) = found {
                self.hold(rule, env, value)?;
            }
            match tree.next(*node, answer) {
                NodeId::NONE => return Ok(Walk::Unknown(answer)),
                next => *node = next,
            }
        }
    }

    /// Puts a value into the next slot.
    #[inline(always)]
    pub(crate) fn hold(&self, rule: RuleId, env: &mut Vec<Value>, value: Value) -> Result<(), RuleError> {
        if env.len() >= MAX_SLOTS {
            return Err(self.overfull(rule));
        }
        env.push(value);
        Ok(())
    }

    #[cold]
    fn overfull(&self, rule: RuleId) -> RuleError {
        let mut error = RuleError::new(format!("a rule can hold at most {MAX_SLOTS} values per run"));
        error.cause = Cause::Held;
        self.blame(rule, error)
    }
}

/// The result of following common questions.
enum Shortcut {
    /// The rule ended with this result.
    Ended(Answer),
    /// They led to this node.
    At(NodeId),
}

/// The result of a walk.
enum Walk {
    /// The rule ended with this result.
    Done(Answer),
    /// The tree has not grown where this answer leads.
    Unknown(Answer),
}
