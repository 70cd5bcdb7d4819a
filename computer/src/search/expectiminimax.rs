//! Expectiminimax over chance and decision nodes, with an alpha-beta window at both.
//!
//! Star1 and Star2 cut chance nodes (B. W. Ballard, "The *-minimax search procedure for trees containing chance nodes",
//! 1983). A decision of several moves counts as one node: only the different states at its end are compared.

use super::successors::{Successor, continues_turn};
use super::{Depth, Search, SearchError, transposition};
use crate::alpha_beta::Window;
use crate::events::captures_first;
use crate::outcome_groups::OutcomeGroup;
use astragal_core::dice::mix;
use astragal_core::rule::RuleError;
use astragal_core::{Event, State, Status};
use rustc_hash::FxHashSet;

/// The factor of a result's value for each further turn, so that early wins and late losses are preferred.
pub(super) const DISCOUNT: f64 = 0.999;

/// The greatest number of events searched in one turn.
const MAX_EVENTS_IN_TURN: u32 = 24;
/// The greatest number of rolls searched in one turn.
const MAX_ROLLS_IN_TURN: u32 = 3;
/// In the last turn, at most this many different states are distinguished.
const MAX_STATES: usize = 3000;

impl Search {
    /// The value of a state that an event has led to.
    pub(super) fn value_after(&mut self, next: &State, from: Depth, alpha: f64, beta: f64) -> Result<f64, SearchError> {
        if next.over().is_some() {
            return Ok(self.evaluate(next));
        }
        if next.turn() == from.turn {
            return self.node(next, Depth { events: from.events + 1, ..from }, alpha, beta);
        }
        if from.turns_left <= 1 {
            return Ok(DISCOUNT * self.evaluate(next));
        }
        let depth = Depth { turn: next.turn(), turns_left: from.turns_left - 1, events: 0, rolls: 0 };
        let (alpha, beta) = ((alpha / DISCOUNT).max(-self.value_bound), (beta / DISCOUNT).min(self.value_bound));
        Ok(DISCOUNT * self.turn_start(next, depth, alpha, beta)?)
    }

    /// The value of a state in which a turn begins.
    fn turn_start(&mut self, state: &State, depth: Depth, alpha: f64, beta: f64) -> Result<f64, SearchError> {
        if !self.uses_table {
            return self.node(state, depth, alpha, beta);
        }
        let key = transposition::key(state, self.iteration, depth.turns_left) ^ self.world.map_or(0, mix);
        if let Some(value) = self.table.probe(key, alpha, beta) {
            return Ok(value);
        }
        let value = self.node(state, depth, alpha, beta)?;
        self.table.store(key, value, alpha, beta);
        Ok(value)
    }

    /// The value of a state that is over, or a chance or decision node.
    pub(super) fn node(&mut self, state: &State, depth: Depth, alpha: f64, beta: f64) -> Result<f64, SearchError> {
        if depth.events > MAX_EVENTS_IN_TURN || depth.rolls >= MAX_ROLLS_IN_TURN && state.status() == Status::Chance {
            return Ok(self.evaluate(state));
        }
        match state.status() {
            Status::Over => Ok(self.evaluate(state)),
            Status::Chance => self.chance_node(state, depth, alpha, beta),
            Status::Move | Status::Choice => self.decision_node(state, depth, alpha, beta),
        }
    }

    /// The value of a chance node: the mean of its outcomes. Star1 narrows the window of each outcome by the possible
    /// contributions of the others; Star2 first bounds these contributions.
    fn chance_node(&mut self, state: &State, depth: Depth, alpha: f64, beta: f64) -> Result<f64, SearchError> {
        let depth = Depth { rolls: depth.rolls + 1, events: depth.events + 1, ..depth };
        let groups = self.group_outcomes(state, depth)?;
        let mut bounds = vec![(-self.value_bound, self.value_bound); groups.len()];
        let mut ready: Vec<Option<Vec<Successor>>> = groups.iter().map(|_| None).collect();
        let narrow = alpha > -self.value_bound || beta < self.value_bound;
        if self.prunes && narrow && depth.turns_left > 1 {
            for (i, group) in groups.iter().enumerate() {
                ready[i] = self.probe_outcome(group, depth, &mut bounds[i])?;
                let (least, most) = value_bounds(&groups, &bounds);
                if least >= beta {
                    return Ok(least);
                }
                if most <= alpha {
                    return Ok(most);
                }
            }
        }
        let mut open = value_bounds(&groups, &bounds);
        let mut sum = 0.0;
        for (i, group) in groups.iter().enumerate() {
            let p = group.probability;
            open = (open.0 - p * bounds[i].0, open.1 - p * bounds[i].1);
            let (mut outcome_alpha, mut outcome_beta) = (-self.value_bound, self.value_bound);
            if self.prunes {
                outcome_alpha = outcome_alpha.max((alpha - sum - open.1) / p);
                outcome_beta = outcome_beta.min((beta - sum - open.0) / p);
            }
            sum += p * self.outcome_value(group, ready[i].take(), depth, outcome_alpha, outcome_beta)?;
            if self.prunes && sum + open.1 <= alpha {
                return Ok(sum + open.1);
            }
            if self.prunes && sum + open.0 >= beta {
                return Ok(sum + open.0);
            }
        }
        Ok(sum)
    }

    /// The different outcomes at a chance node.
    fn group_outcomes(&mut self, state: &State, depth: Depth) -> Result<Vec<OutcomeGroup>, SearchError> {
        let draw = mix(u64::from(depth.turns_left) << 8 | u64::from(depth.rolls));
        let (budget, work_before, rules) = (&mut self.budget, self.work_before, state.walker());
        let groups = self.outcome_groups.groups(state, self.iteration.outcomes, draw, &mut || {
            budget.count_node();
            // If each outcome takes much work, only some of them are searched.
            if budget.charge_work(rules.meter().total() - work_before) { Err(RuleError::stopped()) } else { Ok(()) }
        })?;
        if self.budget.is_spent() { Err(SearchError::OutOfBudget) } else { Ok(groups) }
    }

    /// Searches the best successor of an outcome by static evaluation, which bounds its value from one side. Returns the
    /// successors, in order.
    fn probe_outcome(
        &mut self,
        group: &OutcomeGroup,
        depth: Depth,
        bounds: &mut (f64, f64),
    ) -> Result<Option<Vec<Successor>>, SearchError> {
        let state = &group.state;
        if state.over().is_some() || state.turn() != depth.turn || state.status() == Status::Chance {
            return Ok(None);
        }
        let mut successors = self.beam(state)?;
        if let Some(first) = successors.first_mut() {
            self.expand(&mut first.state, depth)?;
            let value = self.value_after(&first.state, depth, -self.value_bound, self.value_bound)?;
            if self.is_friend(state.chooser()) {
                bounds.0 = value;
            } else {
                bounds.1 = value;
            }
        }
        Ok(Some(successors))
    }

    /// The value of an outcome, with its successors if a probe has found them.
    fn outcome_value(
        &mut self,
        group: &OutcomeGroup,
        ready: Option<Vec<Successor>>,
        depth: Depth,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, SearchError> {
        match ready {
            Some(successors) => self.best_successor(&group.state, successors, depth, alpha, beta),
            None => self.value_after(&group.state, depth, alpha, beta),
        }
    }

    /// The value of a decision node.
    fn decision_node(&mut self, state: &State, depth: Depth, alpha: f64, beta: f64) -> Result<f64, SearchError> {
        if let Some(world) = self.world
            && state.decides_in_secret()
            && state.chooser() != self.side
        {
            return self.drawn_choice(state, world, depth, alpha, beta);
        }
        if depth.turns_left <= 1 {
            return self.last_turn(state, depth, alpha, beta, &mut FxHashSet::default());
        }
        let successors = self.beam(state)?;
        self.best_successor(state, successors, depth, alpha, beta)
    }

    /// The value of a choice that another side makes in secret, perhaps at the same time: one choice is drawn, the same for
    /// all events that could answer it.
    fn drawn_choice(
        &mut self,
        state: &State,
        world: u64,
        depth: Depth,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, SearchError> {
        let drawn = mix(world ^ mix(u64::from(depth.turn) << 8 | u64::from(state.chooser().0)));
        let index = (drawn % state.choices().len().max(1) as u64) as usize;
        let mut next = self.after(state, &Event::Choice(index))?;
        self.count_node()?;
        self.expand(&mut next, depth)?;
        let value = self.value_after(&next, depth, alpha, beta);
        self.discard(next);
        value
    }

    /// The value of the best of these.
    fn best_successor(
        &mut self,
        state: &State,
        successors: Vec<Successor>,
        depth: Depth,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, SearchError> {
        let mut window = self.window(self.is_friend(state.chooser()), alpha, beta);
        for mut successor in successors {
            self.expand(&mut successor.state, depth)?;
            let value = self.value_after(&successor.state, depth, window.alpha, window.beta)?;
            self.discard(successor.state);
            if window.take(value) {
                break;
            }
        }
        Ok(window.best)
    }

    /// The value of a decision in the last searched turn, without keeping a list of successors.
    fn last_turn(
        &mut self,
        state: &State,
        depth: Depth,
        alpha: f64,
        beta: f64,
        seen: &mut FxHashSet<u64>,
    ) -> Result<f64, SearchError> {
        let mut window = self.window(self.is_friend(state.chooser()), alpha, beta);
        let several = state.plan().is_some();
        for event in captures_first(state) {
            let mut next = self.after(state, &event)?;
            self.count_node()?;
            self.expand(&mut next, depth)?;
            let value = match several && continues_turn(state, &next) {
                false => Some(self.value_after(&next, depth, window.alpha, window.beta)?),
                true if seen.len() >= MAX_STATES || !seen.insert(next.fingerprint()) => None,
                true => Some(self.last_turn(&next, depth, window.alpha, window.beta, seen)?),
            };
            self.discard(next);
            if value.is_some_and(|value| window.take(value)) {
                break;
            }
        }
        Ok(window.best)
    }

    /// The window of a decision node, before any value is known.
    pub(super) fn window(&self, maximizes: bool, alpha: f64, beta: f64) -> Window {
        let worst = if maximizes { -self.value_bound } else { self.value_bound };
        Window { alpha, beta, best: worst, maximizes, prunes: self.prunes }
    }
}

/// The least and the greatest possible value of a chance node.
fn value_bounds(groups: &[OutcomeGroup], bounds: &[(f64, f64)]) -> (f64, f64) {
    groups.iter().zip(bounds).fold((0.0, 0.0), |(least, most), (group, bound)| {
        (least + group.probability * bound.0, most + group.probability * bound.1)
    })
}
