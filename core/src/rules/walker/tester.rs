//! Tests of several moves or squares in one position.
//!
//! A test often begins with questions that have nothing to do with the move: whether the hand is empty, which squares are
//! the last of a track. A [`Tester`] asks these once, and each move only the rest; if nothing is left to ask, no move has to
//! be examined at all. The next question is often whether the move goes to one of some squares. It is answered without the
//! tree, and what follows either answer is again asked in advance. Owns the values that the test has found in advance.

use super::{LocalTree, Walker};
use crate::board::square::{Square, SquareSet};
use crate::position::moves::Move;
use crate::rules::error::{RuleError, Task};
use crate::rules::hook::{Hook, RuleId};
use crate::rules::query::{self, Query};
use crate::rules::rule::Step;
use crate::rules::tree::{NodeId, Tree};
use crate::rules::value::{MAX_SLOTS, Slot, SquareRef, Value, View};
use crate::rules::{MAX_DEPTH, Mode};

/// A test of several values in one view.
pub(crate) struct Tester<'a> {
    rules: &'a Walker,
    rule: RuleId,
    /// `None` if each value must be tested from the root of the tree.
    begun: Option<Begun>,
}

/// A test that has been answered in advance as far as it does not depend on its value.
struct Begun {
    tree: LocalTree,
    /// The slot of the value.
    slot: Slot,
    first: Reached,
    /// The question that follows, if it only asks whether the value is in a set of squares.
    gate: Option<Gate>,
    /// Where its answers lead, once a value has been there.
    beyond: [Option<Reached>; 2],
}

/// How far a test has been answered in advance.
enum Reached {
    /// Completely.
    Ended(bool),
    /// Up to this node. `env` holds what has been found, and room for the value.
    At { node: NodeId, env: Vec<Value> },
}

/// Whether a square of the value is in a set.
struct Gate {
    set: SquareSet,
    /// Which square, relative to the value.
    square: SquareRef,
}

/// The value that is tested.
#[derive(Clone, Copy)]
pub(crate) enum Subject {
    /// A move.
    Move(Move),
    /// A square.
    Square(Square),
}

impl Gate {
    fn of(step: &Step, slot: Slot, view: &View<'_>) -> Option<Gate> {
        let Step::Ask(Query::Contains(set, square)) = step else { return None };
        let own = [SquareRef::To(slot), SquareRef::From(slot), SquareRef::Slot(slot)].contains(square);
        (own && set.is_apart_from(slot)).then(|| Gate { set: view.set(set), square: *square })
    }

    /// `None` if that is not what it asks.
    #[inline]
    fn admits(&self, subject: Subject) -> Option<bool> {
        let square = match (self.square, subject) {
            (SquareRef::To(_), Subject::Move(mv)) => mv.to,
            (SquareRef::From(_), Subject::Move(mv)) => mv.from,
            (SquareRef::Slot(_), Subject::Square(square)) => square,
            _ => return None,
        };
        Some(self.set.contains(square))
    }
}

impl Walker {
    /// The test of a rule, for several values that it sees in this view.
    pub(crate) fn tester(&self, rule: RuleId, view: &View<'_>) -> Tester<'_> {
        Tester { rules: self, rule, begun: self.begun(rule, view) }
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
        let held = tree.held().saturating_sub(1).min(view.env.len());
        let slot = held as Slot;
        let mut env = self.spare_env();
        env.extend_from_slice(&view.env[..held]);
        env.push(Value::None);
        let first = self.reached(&tree, NodeId::ROOT, view, env, slot);
        let gate = match &first {
            Reached::Ended(_) => None,
            Reached::At { node, env } => Gate::of(tree.step(*node), slot, &View { env, ..*view }),
        };
        drop(tree);
        Some(Begun { tree: shared, slot, first, gate, beyond: [None, None] })
    }

    /// Walks a tree from `node` to the first step that may read `slot`, may fail or has an unknown answer.
    fn reached(&self, tree: &Tree, mut node: NodeId, view: &View<'_>, mut env: Vec<Value>, slot: Slot) -> Reached {
        loop {
            let inner = View { env: &env, depth: view.depth + 1, ..*view };
            let step = match tree.step(node) {
                Step::Return(answer) => {
                    self.return_env(env);
                    return Reached::Ended(*answer != 0);
                }
                Step::Ask(query) if query.is_apart_from(slot) => query::answer(query, &inner).map(|yes| (yes, None)),
                Step::Find(find) if find.is_apart_from(slot) && env.len() < MAX_SLOTS => {
                    query::find(find, &inner).map(|value| (0, Some(value)))
                }
                _ => return Reached::At { node, env },
            };
            let Ok((answer, found)) = step else { return Reached::At { node, env } };
            match tree.next(node, answer) {
                NodeId::NONE => return Reached::At { node, env },
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
        matches!(self.begun, Some(Begun { first: Reached::Ended(false), .. }))
    }

    /// Whether the test answers yes for a value, in the view that the tester was made for. The value is only built if a
    /// question needs it.
    ///
    /// # Errors
    /// As [`Walker::holds`].
    #[inline]
    pub(crate) fn holds(
        &mut self,
        view: &View<'_>,
        subject: Subject,
        value: impl FnOnce() -> Value,
    ) -> Result<bool, RuleError> {
        let rules = self.rules;
        let Some(begun) = &mut self.begun else { return rules.holds_for(self.rule, view, value) };
        let reached = match begun.gate.as_ref().and_then(|gate| gate.admits(subject)) {
            None => &mut begun.first,
            Some(yes) => {
                if begun.beyond[usize::from(yes)].is_none() {
                    begun.go_beyond(rules, view, yes);
                }
                begun.beyond[usize::from(yes)].as_mut().unwrap_or(&mut begun.first)
            }
        };
        match reached {
            Reached::Ended(answer) => {
                rules.meter.charge(Task::Testing, 1)?;
                Ok(*answer)
            }
            Reached::At { node, env } => {
                let run = Run { rules, rule: self.rule, tree: &begun.tree, slot: begun.slot };
                run.test(view, *node, env, value())
            }
        }
    }
}

impl Begun {
    /// Asks in advance what follows an answer of the gate.
    fn go_beyond(&mut self, rules: &Walker, view: &View<'_>, yes: bool) {
        let Reached::At { node, env } = &self.first else { return };
        let tree = self.tree.borrow();
        let next = tree.next(*node, yes.into());
        let known = || {
            let mut known = rules.spare_env();
            known.extend_from_slice(env);
            known
        };
        self.beyond[usize::from(yes)] = Some(match next {
            // The tree must grow from the gate.
            NodeId::NONE => Reached::At { node: *node, env: known() },
            next => match tree.step(next) {
                // Most moves are decided by now.
                Step::Return(answer) => Reached::Ended(*answer != 0),
                _ => rules.reached(&tree, next, view, known(), self.slot),
            },
        });
    }
}

/// The run of a test for one value.
struct Run<'a> {
    rules: &'a Walker,
    rule: RuleId,
    tree: &'a LocalTree,
    slot: Slot,
}

impl Run<'_> {
    /// Runs the test from a node, with the values found before.
    #[inline(never)]
    fn test(&self, view: &View<'_>, mut node: NodeId, env: &mut Vec<Value>, value: Value) -> Result<bool, RuleError> {
        let Run { rules, rule, tree, slot } = *self;
        if tree.borrow().is_full(rules.settings.cap) {
            return rules.holds_for(rule, view, || value);
        }
        rules.meter.charge(Task::Testing, 1)?;
        let found = env.len();
        env[usize::from(slot)] = value;
        let answer = rules.evaluate_by(rule, tree, &mut node, view, env, &mut None);
        env.truncate(found);
        answer.map(|answer| answer != 0).map_err(|error| rules.blame_in(rule, tree, node, error))
    }
}

impl Drop for Tester<'_> {
    fn drop(&mut self) {
        let Some(Begun { first, beyond, .. }) = &mut self.begun else { return };
        for reached in [first].into_iter().chain(beyond.iter_mut().flatten()) {
            if let Reached::At { env, .. } = reached {
                self.rules.return_env(std::mem::take(env));
            }
        }
    }
}
