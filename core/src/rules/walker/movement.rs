//! The rule `movement`: it only looks, and yields a permit.
//!
//! Its source ends a run with a decision about the moves that the permit admits; no player is asked. Owns the walk to that
//! decision, and reports an error if the rule asks for moves or attacks that depend on its own result.

use super::Walker;
use crate::rules::error::{RuleError, Task};
use crate::rules::hook::Hook;
use crate::rules::permit::Permit;
use crate::rules::query;
use crate::rules::rule::{Decision, Step};
use crate::rules::tree::NodeId;
use crate::rules::value::{Value, View};
use crate::rules::{MAX_DEPTH, Moment};
use std::cell::RefCell;

impl Walker {
    /// The permit of the moves of the side to move, and the values that the permit refers to.
    ///
    /// # Errors
    /// If the rule fails, asks for something that depends on its own result, rolls, chooses or changes the game.
    pub(crate) fn movement(&self, view: &View<'_>) -> Result<(Permit, Vec<Value>), RuleError> {
        let rule = Hook::Movement.id();
        let tree = self.tree_of(rule);
        self.tell(rule, Moment::Enters);
        let (mut node, mut env) = (NodeId::ROOT, Vec::new());
        let result = self.while_attacking(|| self.permit_of(&tree, &mut node, view, &mut env));
        self.tell(rule, Moment::Leaves);
        result.map(|permit| (permit, env)).map_err(|error| {
            let tree = tree.try_borrow().ok().filter(|tree| !tree.is_empty());
            let answers = tree.map(|tree| tree.path(node));
            self.blame_at(rule, answers, error)
        })
    }

    /// Runs a part of the computation of attacks, during which attacks must not be requested.
    ///
    /// # Errors
    /// If it runs within such a part, or fails.
    pub(crate) fn while_attacking<T>(&self, work: impl FnOnce() -> Result<T, RuleError>) -> Result<T, RuleError> {
        if self.attacking.replace(true) {
            return Err(self.blame(Hook::Movement.id(), RuleError::new(CIRCULAR)));
        }
        let result = work();
        self.attacking.set(false);
        result
    }

    fn permit_of(
        &self,
        tree: &RefCell<super::Tree>,
        node: &mut NodeId,
        view: &View<'_>,
        env: &mut Vec<Value>,
    ) -> Result<Permit, RuleError> {
        let rule = Hook::Movement.id();
        if view.depth >= MAX_DEPTH {
            return Err(self.blame(rule, RuleError::new("rules call each other endlessly")));
        }
        self.show_held(view, env);
        self.root(rule, tree)?;
        loop {
            self.meter.charge(Task::Running, 1)?;
            let (found, answer) = {
                let tree = tree.borrow();
                let inner = View { env, depth: view.depth + 1, ..*view };
                match tree.step(*node) {
                    Step::Ask(query) => (None, query::answer(query, &inner)?),
                    Step::Find(find) => (Some(query::find(find, &inner)?), 0),
                    Step::Decide(Decision::Play { permit, .. }) => return Ok(Permit::clone(permit)),
                    Step::Decide(_) | Step::Roll(_) | Step::Act(_) => {
                        let message =
                            "this rule can only read the game: it cannot roll, ask for choices or change the game";
                        return Err(self.blame(rule, RuleError::new(message)));
                    }
                    Step::Return(_) => {
                        return Err(self.blame(rule, RuleError::new("this rule ended without returning a permit")));
                    }
                }
            };
            if let Some(value) = found {
                self.hold(rule, env, value)?;
            }
            self.show_held(view, env);
            *node = self.next(rule, tree, *node, answer)?;
        }
    }
}

const CIRCULAR: &str =
    "check and legal moves depend on `movement`, so `movement` cannot use them: use the squares of pieces instead";
