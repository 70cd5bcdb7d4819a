//! What states are worth to the first player, and what events have changed: luck and skill.
//!
//! The identity of backgammon (D. Zare): result less start is luck plus skill. The luck of a roll is the value after it less
//! the exact mean over all rolls *by the same procedure*, so that luck sums to nothing on average whatever the judge.

use crate::proof::Proof;
use astragal_computer::{Evaluation, Horizon, PlayerError, Valuation};
use astragal_core::{Side, State, Status};
use std::collections::HashMap;
use std::sync::Arc;

/// Rolls with more outcomes are not judged: each outcome is looked at.
pub const MOST_OUTCOMES: u64 = 1_296;

/// Who judges states, with the first player's eyes. Values are 1 for a won game, -1 for a lost
/// one; points, where the rules award some.
pub struct Judge {
    valuation: Valuation,
    /// Within so many turns the end of the game is looked for.
    proven_turns: u32,
}

/// What a state is worth to the first player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    /// The number.
    pub value: f64,
    /// Whether it is known: the game is over, or all that may happen ends it. Else it is an estimate.
    pub is_exact: bool,
}

/// Where a game stands, as it is judged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// What it is worth to the first player.
    pub value: f64,
    /// Whether that is known, and no estimate.
    pub is_exact: bool,
    /// What has led to the next one.
    pub kind: Kind,
}

/// What a game waits for, as far as it matters to luck and skill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Dice.
    Roll,
    /// Somebody who has something to decide.
    Decision(Side),
}

impl Judge {
    /// A judge who looks so far ahead.
    pub fn new(evaluation: &Arc<Evaluation>, horizon: Horizon) -> Judge {
        Judge { valuation: Valuation::new(Arc::clone(evaluation), Side::FIRST, horizon), proven_turns: 0 }
    }

    /// The same judge, who first looks whether the game surely ends within so many turns: such values are exact.
    pub fn proving(self, turns: u32) -> Judge {
        Judge { proven_turns: turns, ..self }
    }

    /// The value of a state. Of one that waits for dice it is what is seen from there, without looking at each outcome as if
    /// it had been rolled.
    ///
    /// # Errors
    /// If a rule fails or it is stopped.
    pub fn value(&mut self, state: &State) -> Result<Value, PlayerError> {
        let result = |state: &State| self.valuation.result(state).unwrap_or(0.0);
        if let Some(value) = Proof::of(state, self.proven_turns, !self.is_in_points(), &result)? {
            return Ok(Value { value, is_exact: true });
        }
        Ok(Value { value: self.valuation.value(state)?, is_exact: state.over().is_some() })
    }

    /// The mean over all outcomes of the roll that a state waits for, exact if all outcomes are; `None` if there are too many.
    ///
    /// # Errors
    /// As [`Judge::value`].
    ///
    /// # Panics
    /// If it waits for no dice.
    pub fn mean(&mut self, state: &State) -> Result<Option<Value>, PlayerError> {
        let dice = Arc::clone(state.dice().expect("dice at a chance point"));
        if dice.outcomes() > MOST_OUTCOMES {
            return Ok(None);
        }
        // Outcomes that lead to the same state are judged once.
        let mut values: HashMap<u64, Value> = HashMap::new();
        let (mut sum, mut all, mut is_exact) = (0.0, 0.0, true);
        for index in (0..dice.outcomes()).filter(|&index| state.can_roll(index)) {
            let mut next = state.clone();
            next.roll(index)?;
            let value = match values.get(&next.fingerprint()).filter(|_| next.over().is_none()) {
                Some(value) => *value,
                None => {
                    let value = self.value(&next)?;
                    values.insert(next.fingerprint(), value);
                    value
                }
            };
            let weight = dice.weight(index) as f64;
            sum += weight * value.value;
            all += weight;
            is_exact &= value.is_exact;
        }
        Ok(Some(Value { value: sum / all, is_exact }))
    }

    /// What the end of a game is worth; `None` while it goes on.
    pub fn result(&self, state: &State) -> Option<f64> {
        self.valuation.result(state)
    }

    /// Whether values are points.
    pub fn is_in_points(&self) -> bool {
        self.valuation.is_in_points()
    }

    /// Where a game stands, if there is something to roll or to decide; `None` where it is over, there is but one thing to
    /// do, or the dice have too many outcomes.
    ///
    /// # Errors
    /// As [`Judge::value`].
    pub fn point(&mut self, state: &State) -> Result<Option<Point>, PlayerError> {
        let answers = state.moves().len() + state.choices().len() + usize::from(state.can_pass());
        let found = match state.status() {
            Status::Chance => self.mean(state)?.map(|value| (value, Kind::Roll)),
            Status::Move | Status::Choice if answers > 1 => Some((self.value(state)?, Kind::Decision(state.chooser()))),
            _ => None,
        };
        Ok(found.map(|(Value { value, is_exact }, kind)| Point { value, is_exact, kind }))
    }
}

/// A game as it is judged, event by event.
#[derive(Default)]
pub struct Course {
    /// Where something was rolled or decided.
    pub points: Vec<Point>,
    /// What rolls have been worth, less what they are worth on average.
    pub luck: f64,
    /// What the end of the game was worth to the first player; `None` if it was broken off.
    pub result: Option<f64>,
    /// Whether everything could be judged.
    pub is_whole: bool,
}

impl Course {
    /// Nothing has happened yet.
    pub fn new() -> Course {
        Course { is_whole: true, ..Course::default() }
    }

    /// Notes where a game stands before an event.
    ///
    /// # Errors
    /// As [`Judge::value`].
    pub fn before(&mut self, judge: &mut Judge, state: &State) -> Result<(), PlayerError> {
        let point = judge.point(state)?;
        self.is_whole &= point.is_some() || state.status() != Status::Chance;
        self.points.extend(point);
        Ok(())
    }

    /// Notes what the roll that has just been made was worth: the luck of it.
    ///
    /// # Errors
    /// As [`Judge::value`].
    pub fn rolled(&mut self, judge: &mut Judge, state: &State) -> Result<Option<f64>, PlayerError> {
        let Some(Point { value, kind: Kind::Roll, .. }) = self.points.last().copied() else { return Ok(None) };
        let luck = judge.value(state)?.value - value;
        self.luck += luck;
        Ok(Some(luck))
    }

    /// How the way from the start to `result` divides: what has changed between a roll and what was to be rolled or decided
    /// next, and the same for decisions. Both together are the result less the value at the start.
    pub fn shares(&self, result: f64) -> (f64, f64) {
        let ends = self.points.iter().skip(1).map(|point| point.value).chain([result]);
        let mut shares = (0.0, 0.0);
        for (point, end) in self.points.iter().zip(ends) {
            match point.kind {
                Kind::Roll => shares.0 += end - point.value,
                Kind::Decision(_) => shares.1 += end - point.value,
            }
        }
        shares
    }
}
