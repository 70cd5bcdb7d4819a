//! The values of states for the first player, and how events change them: luck and skill.
//!
//! Based on the identity of backgammon (D. Zare): result minus start is luck plus skill. The luck of a roll is the value
//! after it minus the exact mean over all rolls *by the same procedure*, so that luck averages zero for any evaluator.

pub use crate::proof::MOST_OUTCOMES;
use crate::proof::Proof;
use astragal_computer::{Evaluation, Horizon, PlayerError, Valuation};
use astragal_core::{Side, State, Status};
use std::collections::HashMap;
use std::sync::Arc;

/// Evaluates states from the first player's point of view. Values are 1 for a won game, -1 for a lost one; points, if the
/// rules award points.
pub struct Evaluator {
    valuation: Valuation,
    /// The number of turns within which exact values are searched for.
    proven_turns: u32,
}

/// The value of a state for the first player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    /// The value.
    pub value: f64,
    /// Whether it is exact: the game is over, or every continuation ends it. Otherwise it is an estimate.
    pub is_exact: bool,
}

/// A point in a game, with its evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvaluatedPoint {
    /// Its value for the first player.
    pub value: f64,
    /// Whether the value is exact.
    pub is_exact: bool,
    /// The kind of event that led to the next one.
    pub kind: Kind,
}

/// The kind of input that a game waits for, as far as it matters to luck and skill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Dice.
    Roll,
    /// A side that has something to decide.
    Decision(Side),
}

impl Evaluator {
    /// An evaluator with this horizon.
    pub fn new(evaluation: &Arc<Evaluation>, horizon: Horizon) -> Evaluator {
        Evaluator { valuation: Valuation::new(Arc::clone(evaluation), Side::FIRST, horizon), proven_turns: 0 }
    }

    /// The same evaluator, which first checks whether the game certainly ends within `turns` turns: such values are exact.
    pub fn proving(self, turns: u32) -> Evaluator {
        Evaluator { proven_turns: turns, ..self }
    }

    /// The value of a state. For a state that waits for dice, it is computed as seen before the roll, without evaluating
    /// each outcome as if already rolled.
    ///
    /// # Errors
    /// If a rule fails or it is stopped.
    pub fn value(&mut self, state: &State) -> Result<Value, PlayerError> {
        let result = |state: &State| self.valuation.result(state).unwrap_or(0.0);
        if let Some(value) = Proof::of(state, self.proven_turns, !self.is_in_points(), &result)? {
            return Ok(Value { value, is_exact: true });
        }
        if let Some(value) = self.valuation.known(state)? {
            return Ok(Value { value, is_exact: true });
        }
        Ok(Value { value: self.valuation.value(state)?, is_exact: state.over().is_some() })
    }

    /// The mean over all outcomes of the pending roll, exact if all outcomes are; `None` if there are too many.
    ///
    /// # Errors
    /// As [`Evaluator::value`].
    ///
    /// # Panics
    /// If it waits for no dice.
    pub fn mean(&mut self, state: &State) -> Result<Option<Value>, PlayerError> {
        let dice = Arc::clone(state.dice().expect("the game waits for a roll"));
        if dice.outcomes() > MOST_OUTCOMES {
            return Ok(None);
        }
        // Outcomes that lead to the same state are evaluated once.
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

    /// The value of a finished game; `None` while it goes on.
    pub fn result(&self, state: &State) -> Option<f64> {
        self.valuation.result(state)
    }

    /// Whether values are points.
    pub fn is_in_points(&self) -> bool {
        self.valuation.is_in_points()
    }

    /// The point at a state with a roll or decision. `None` if the game is over, there is only one option, or the dice have
    /// too many outcomes.
    ///
    /// # Errors
    /// As [`Evaluator::value`].
    pub fn point(&mut self, state: &State) -> Result<Option<EvaluatedPoint>, PlayerError> {
        let answers = state.moves().len() + state.choices().len() + usize::from(state.can_pass());
        let found = match state.status() {
            Status::Chance => self.mean(state)?.map(|value| (value, Kind::Roll)),
            Status::Move | Status::Choice if answers > 1 => Some((self.value(state)?, Kind::Decision(state.chooser()))),
            _ => None,
        };
        Ok(found.map(|(Value { value, is_exact }, kind)| EvaluatedPoint { value, is_exact, kind }))
    }
}

/// The evaluated course of a game, event by event.
#[derive(Default)]
pub struct EvaluatedGame {
    /// The points with a roll or decision.
    pub points: Vec<EvaluatedPoint>,
    /// The total luck: the values of rolls minus their averages.
    pub luck: f64,
    /// The value of the game's end for the first player; `None` if it was aborted.
    pub result: Option<f64>,
    /// Whether everything could be evaluated.
    pub is_whole: bool,
}

impl EvaluatedGame {
    /// A course without events.
    pub fn new() -> EvaluatedGame {
        EvaluatedGame { is_whole: true, ..EvaluatedGame::default() }
    }

    /// Notes the point before an event.
    ///
    /// # Errors
    /// As [`Evaluator::value`].
    pub fn before(&mut self, evaluator: &mut Evaluator, state: &State) -> Result<(), PlayerError> {
        let point = evaluator.point(state)?;
        self.is_whole &= point.is_some() || state.status() != Status::Chance;
        self.points.extend(point);
        Ok(())
    }

    /// Notes the luck of the roll that has just been made, and returns it.
    ///
    /// # Errors
    /// As [`Evaluator::value`].
    pub fn rolled(&mut self, evaluator: &mut Evaluator, state: &State) -> Result<Option<f64>, PlayerError> {
        let Some(EvaluatedPoint { value, kind: Kind::Roll, .. }) = self.points.last().copied() else { return Ok(None) };
        let luck = evaluator.value(state)?.value - value;
        self.luck += luck;
        Ok(Some(luck))
    }

    /// Splits the way from the start to `result`: the changes between each roll and the next roll or decision, and the same
    /// for decisions. Together they are the result minus the value at the start.
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
