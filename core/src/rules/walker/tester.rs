//! Tests of several moves or squares in one position.
//!
//! A test often begins with questions that have nothing to do with the move: whether the hand is empty, which squares are
//! the last of a track. A [`Tester`] asks these once, and each move only the rest; if nothing is left to ask, no move has to
//! be examined at all. Owns the values that the test has found in advance.

use super::{LocalTree, Walker};
use crate::rules::meter::Task;
use crate::rules::query;
use crate::rules::rule::{Hook, RuleError, RuleId, Step};
use crate::rules::tree::{NodeId, Tree};
use crate::rules::value::{MAX_SLOTS, Slot, Value, View};
use crate::rules::{MAX_DEPTH, Mode};

/// A test of several values in one view.
pub(crate) struct Tester<'a> {
    rules: &'a Walker,
    rule: RuleId,
    begun: Begun,
}

/// How far a test has been answered without its value.
enum Begun {
    /// Not at all.
    Not,
    /// Up to this node. `env` holds what has been found, and room for the value in `slot`.
    At { tree: LocalTree, node: NodeId, env: Vec<Value>, slot: usize },
    /// Completely.
    Ended(bool),
}

impl Walker {
    /// The test of a rule, for several values that it sees in this view.
    pub(crate) fn tester(&self, rule: RuleId, view: &View<'_>) -> Tester<'_> {
        Tester { rules: self, rule, begun: self.begun(rule, view).unwrap_or(Begun::Not) }
    }

    /// `None` if the tree has not grown, or if all questions about each value must be seen.
    fn begun(&self, rule: RuleId, view: &View<'_>) -> Option<Begun> {
        let settings = &self.settings;
        let seen = settings.watch.is_some() || settings.viewer.is_some() || settings.mode != Mode::Trees;
        let index = (rule.0 as usize).checked_sub(Hook::ALL.len()).filter(|_| !seen && view.depth < MAX_DEPTH)?;
        let shared = self.tests.borrow().get(index).cloned()?;
        let tree = shared.borrow();
        if tree.is_empty() || tree.is_full(settings.cap) {
            return None;
        }
        let slot = tree.held().saturating_sub(1).min(view.env.len());
        let mut env = self.spare_env();
        env.extend_from_slice(&view.env[..slot]);
        env.push(Value::None);
        let node = self.ask_in_advance(&tree, view, &mut env, slot as Slot);
        if let Step::Return(answer) = tree.step(node) {
            self.return_env(env);
            return Some(Begun::Ended(*answer != 0));
        }
        drop(tree);
        Some(Begun::At { tree: shared, node, env, slot })
    }

    /// Walks a tree from its root to the first step that may read `slot`, may fail or has an unknown answer.
    fn ask_in_advance(&self, tree: &Tree, view: &View<'_>, env: &mut Vec<Value>, slot: Slot) -> NodeId {
        let mut node = NodeId::ROOT;
        loop {
            let inner = View { env, depth: view.depth + 1, ..*view };
            let (answer, found) = match tree.step(node) {
                Step::Ask(query) if query.is_apart_from(slot) => match query::answer(query, &inner) {
                    Ok(answer) => (answer, None),
                    Err(_) => return node,
                },
                Step::Find(find) if find.is_apart_from(slot) && env.len() < MAX_SLOTS => {
                    match query::find(find, &inner) {
                        Ok(value) => (0, Some(value)),
                        Err(_) => return node,
                    }
                }
                _ => return node,
            };
            match tree.next(node, answer) {
                NodeId::NONE => return node,
                next => node = next,
            }
            env.extend(found);
            self.meter.add(1);
        }
    }

    /// An empty list for the values of a rule; [return it](Walker::return_env) after use.
    pub(super) fn spare_env(&self) -> Vec<Value> {
        self.spare.borrow_mut().pop().unwrap_or_default()
    }

    pub(super) fn return_env(&self, mut env: Vec<Value>) {
        env.clear();
        self.spare.borrow_mut().push(env);
    }
}

impl Tester<'_> {
    /// Whether every value certainly fails the test.
    pub(crate) fn rejects_all(&self) -> bool {
        matches!(self.begun, Begun::Ended(false))
    }

    /// Whether the test answers yes for a value, in the view that the tester was made for.
    ///
    /// # Errors
    /// As [`Walker::holds`].
    pub(crate) fn holds(&mut self, view: &View<'_>, value: impl FnOnce() -> Value) -> Result<bool, RuleError> {
        let (rules, rule) = (self.rules, self.rule);
        match &mut self.begun {
            Begun::Ended(answer) => {
                rules.meter.charge(Task::Testing, 1)?;
                Ok(*answer)
            }
            Begun::At { tree, node, env, slot } if !tree.borrow().is_full(rules.settings.cap) => {
                rules.meter.charge(Task::Testing, 1)?;
                let (mut at, found) = (*node, env.len());
                env[*slot] = value();
                let answer = rules.evaluate_by(rule, tree, &mut at, view, env, &mut None);
                env.truncate(found);
                answer.map(|answer| answer != 0).map_err(|error| rules.blame_in(rule, tree, at, error))
            }
            Begun::At { .. } | Begun::Not => rules.holds_for(rule, view, value),
        }
    }
}

impl Drop for Tester<'_> {
    fn drop(&mut self) {
        if let Begun::At { env, .. } = &mut self.begun {
            self.rules.return_env(std::mem::take(env));
        }
    }
}
