//! Exact values of states: searches all continuations to the end of the game, a few turns deep.
//!
//! Owns which values are exact rather than estimated. Knows no evaluation: if the end is out of reach, there is no value.
//! Every side is assumed to decide as well as possible, and the search of a decision may stop at a won game.

use astragal_computer::{apply, legal_events};
use astragal_core::rule::RuleError;
use astragal_core::{Side, State, Status};

/// Rolls with more outcomes are not evaluated, since each outcome is examined.
pub const MOST_OUTCOMES: u64 = 1_296;

/// The maximum number of states examined for one value.
const MOST_STATES: u32 = 600;

/// The maximum number of events examined in a row.
const MOST_EVENTS: u32 = 40;

/// Values from here on count as a won game.
const WON: f64 = 1.0 - 1e-9;

/// A search for the end of the game.
pub(crate) struct Proof<'a> {
    /// The value of a finished game for the first player.
    result: &'a dyn Fn(&State) -> f64,
    /// Whether no value exceeds that of a won game.
    is_bounded: bool,
    /// The last turn that is searched.
    last_turn: u32,
    /// The states that may still be examined.
    left: u32,
}

impl<'a> Proof<'a> {
    /// The value of a state for the first player and partners, if it can be determined within `turns` turns.
    ///
    /// # Errors
    /// If a rule fails.
    pub(crate) fn of(
        state: &State,
        turns: u32,
        is_bounded: bool,
        result: &'a dyn Fn(&State) -> f64,
    ) -> Result<Option<f64>, RuleError> {
        for ahead in 0..turns {
            let last_turn = state.turn().saturating_add(ahead);
            let mut proof = Proof { result, is_bounded, last_turn, left: MOST_STATES };
            let found = proof.value(state, 0)?;
            if found.is_some() || proof.left == 0 {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn value(&mut self, state: &State, events: u32) -> Result<Option<f64>, RuleError> {
        if state.over().is_some() {
            return Ok(Some((self.result)(state)));
        }
        if state.turn() > self.last_turn || events >= MOST_EVENTS || self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        match state.status() {
            Status::Chance => self.mean(state, events),
            _ => self.best(state, events),
        }
    }

    /// The value of a roll: exact only if all outcomes are.
    fn mean(&mut self, state: &State, events: u32) -> Result<Option<f64>, RuleError> {
        let Some(dice) = state.dice().filter(|dice| dice.outcomes() <= MOST_OUTCOMES) else { return Ok(None) };
        let (mut sum, mut all) = (0.0, 0.0);
        for index in (0..dice.outcomes()).filter(|&index| state.can_roll(index)) {
            let mut next = state.clone();
            next.roll(index)?;
            let Some(value) = self.value(&next, events + 1)? else { return Ok(None) };
            let weight = dice.weight(index) as f64;
            (sum, all) = (sum + weight * value, all + weight);
        }
        Ok((all > 0.0).then(|| sum / all))
    }

    /// The value of a decision: exact if all answers are, or if one cannot be surpassed.
    fn best(&mut self, state: &State, events: u32) -> Result<Option<f64>, RuleError> {
        let variant = &state.ruleset().variant;
        let is_friend = variant.allied(state.chooser(), Side::FIRST);
        // With three parties, players do not play for another party's loss: the winner is only known if the choice does not
        // matter.
        let is_third = !is_friend && variant.sides() > 2 && variant.spec().teams.is_none();
        let eyes = if is_friend { 1.0 } else { -1.0 };
        let (mut best, mut is_known): (Option<f64>, bool) = (None, true);
        for event in legal_events(state) {
            let mut next = state.clone();
            apply(&mut next, &event)?;
            match self.value(&next, events + 1)? {
                None if is_third => return Ok(None),
                None => is_known = false,
                Some(value) if is_third && best.is_some_and(|best| best != value) => return Ok(None),
                Some(value) if self.is_bounded && !is_third && eyes * value >= WON => return Ok(Some(value)),
                Some(value) if best.is_none_or(|best| eyes * value > eyes * best) => best = Some(value),
                Some(_) => {}
            }
        }
        Ok(best.filter(|_| is_known))
    }
}
