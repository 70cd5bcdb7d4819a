//! Looks ahead at the turns that each outcome of the pending roll would lead to, without rolling.

use super::{State, Status};
use crate::rules::error::RuleError;
use crate::rules::hook::Hook;
use crate::rules::plan::{Pauses, Plan};
use crate::rules::rule::Step;
use crate::rules::walker::TreeRef;
use std::sync::Arc;

/// Dice with more outcomes than this are not examined.
const MOST_OUTCOMES: u64 = 4096;

impl State {
    /// The plan for each outcome of the pending dice. Requires that every outcome leads straight to a turn of several moves
    /// with nothing after it, captures always succeed and pieces move as their kinds do; otherwise `None`.
    ///
    /// # Errors
    /// If the rule fails.
    pub(crate) fn plans(&self) -> Result<Option<Vec<Arc<Plan>>>, RuleError> {
        let [frame] = self.frames.as_slice() else { return Ok(None) };
        let rules = &*self.walker();
        if self.status != Status::Chance || rules.has(Hook::Capture) || rules.has(Hook::Movement) {
            return Ok(None);
        }
        let mut tree = frame.tree.clone();
        let at = |tree: &TreeRef, node| rules.looked_at(frame.rule, tree, node);
        let outcomes = match at(&tree, frame.node).step(frame.node) {
            Step::Roll(chance) => chance.plain_roll().map_or(u64::MAX, |(dice, _)| dice.outcomes()),
            _ => return Ok(None),
        };
        if outcomes > MOST_OUTCOMES {
            return Ok(None);
        }
        let mut plans = Vec::with_capacity(outcomes as usize);
        for outcome in 0..outcomes {
            let decision = rules.follow(frame.rule, &mut tree, frame.node, self.told(outcome) as i64)?;
            let plan = match at(&tree, decision).step(decision) {
                Step::Decide(decision) => decision.plan().cloned(),
                _ => None,
            };
            let Some(plan) = plan.filter(|plan| plan.pauses == Pauses::Never && plan.or.is_none()) else {
                return Ok(None);
            };
            for made in 0..=plan.faces.len() as i64 {
                let after = rules.follow(frame.rule, &mut tree, decision, made)?;
                if !matches!(at(&tree, after).step(after), Step::Return(_)) {
                    return Ok(None);
                }
            }
            plans.push(plan);
        }
        Ok(Some(plans))
    }
}
