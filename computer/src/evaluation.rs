//! The computer's knowledge of one variant: its static evaluation, and its results in random games.
//!
//! Computed once for each loaded variant. Values are from -1 (lost) to 1 (won) for one side and its partners; with more
//! than two parties, all others count as one.

use crate::exact::KnownValues;
use crate::learned::{LearnedValues, Room};
use crate::piece_sums::PieceSums;
use crate::player::PlayerError;
use crate::race::Race;
use crate::race_value::PacedRace;
use crate::static_evaluation::StaticEvaluation;
use crate::training::{self, Training};
use astragal_core::rule::RuleError;
use astragal_core::{Kind, Position, Ruleset, Side, State};
use std::sync::Arc;

/// With fewer finished games, the result is not significant.
const FEW: usize = 12;
/// Evaluations that are right at least this often are useful.
const RIGHT: f64 = 0.56;

/// The evaluation of states of one variant. See the [crate](crate).
#[derive(Clone)]
pub struct Evaluation {
    terms: StaticEvaluation,
    training: Training,
    /// The position that games begin with, by default.
    start: Position,
    /// Exact values of some states.
    known: Option<Arc<dyn KnownValues + Send + Sync>>,
    /// Learned values, instead of the terms.
    learned: Option<Arc<LearnedValues>>,
}

impl Evaluation {
    /// Derives the value of pieces from the variant's declarations and trains the rest with random games.
    ///
    /// # Errors
    /// If a rule fails in one of the random games.
    pub fn learn(ruleset: Arc<Ruleset>, start: &Position) -> Result<Evaluation, RuleError> {
        let mut terms = StaticEvaluation::new(ruleset, start);
        let training = training::train(&terms, start)?;
        terms.royal_attack = training.royal_attack;
        if training.is_race() {
            terms.race = Race::new(&terms.ruleset().variant).map(|race| PacedRace::new(race, &training.pace));
        }
        Ok(Evaluation { terms, training, start: start.clone(), known: None, learned: None })
    }

    /// The same, with exact values of some states of a game of two sides: where they suffice, nothing is estimated.
    pub fn knowing(mut self, known: Arc<dyn KnownValues + Send + Sync>) -> Evaluation {
        self.known = Some(known);
        self
    }

    /// The same, with learned values of positions instead of its own estimates. They must be of the same variant.
    pub fn with_learned(mut self, learned: Arc<LearnedValues>) -> Evaluation {
        self.learned = Some(learned);
        self
    }

    /// Whether it has learned values.
    pub(crate) fn is_learned(&self) -> bool {
        self.learned.is_some()
    }

    /// The learned value of a state for `side`; the result, if the game is over.
    fn learned_value(&self, learned: &LearnedValues, room: &mut Room, state: &State, side: Side) -> f64 {
        let values = learned.values_in_game(state, room);
        // Values are in half points where the rules award points.
        f64::from(values[side.index()]) * if self.training.points { 1.0 } else { 0.5 }
    }

    /// The exact values that it has.
    pub fn known(&self) -> Option<&(dyn KnownValues + Send + Sync)> {
        self.known.as_deref()
    }

    /// Whether all random games were played. If they were stopped, the evaluation is less accurate and not reproducible.
    pub fn is_complete(&self) -> bool {
        self.training.complete
    }

    /// The position that games begin with, by default.
    pub(crate) fn start(&self) -> &Position {
        &self.start
    }

    /// Whether states can be evaluated without revealing anything hidden from the viewer.
    ///
    /// # Errors
    /// If a side in the random games had to decide without knowing everything.
    pub fn can_be_evaluated(&self) -> Result<(), PlayerError> {
        self.training.hidden.map_or(Ok(()), |why| Err(PlayerError::Secret(why)))
    }

    /// The variant and its rules.
    pub(crate) fn ruleset(&self) -> &Arc<Ruleset> {
        self.terms.ruleset()
    }

    /// The results of the random games.
    pub(crate) fn training(&self) -> &Training {
        &self.training
    }

    /// The value of a kind, in moves; of royals by the effect of their loss.
    pub(crate) fn piece_value(&self, kind: Kind) -> f64 {
        self.terms.piece_value(kind)
    }

    /// Whether evaluations predict winners; if not, games must be played to their end. In games where royal pieces are
    /// hunted the answer is yes, since random games may end before that shows; elsewhere random games decide.
    pub(crate) fn predicts_winners(&self) -> bool {
        if self.is_learned() {
            return true;
        }
        let Training { decided, right, wrong, pace, .. } = self.training;
        let (right, wrong) = if self.training.is_race() { (pace.right, pace.wrong) } else { (right, wrong) };
        let shown = decided >= FEW && right + wrong >= FEW && right as f64 >= RIGHT * (right + wrong) as f64;
        shown || self.ruleset().variant.royals().0 != 0
    }

    /// The value of a state for `side` and partners; the result, if the game is over.
    pub(crate) fn evaluate(&self, state: &State, side: Side) -> f64 {
        match &self.learned {
            Some(learned) => self.learned_value(learned, &mut Room::default(), state, side),
            None => self.terms.evaluate(state, side),
        }
    }

    /// The same, faster for a sequence of states: see [`StaticEvaluation::evaluate_by`].
    pub(crate) fn evaluate_by(&self, sums: &mut PieceSums, state: &State, side: Side) -> f64 {
        match &self.learned {
            Some(learned) => self.learned_value(learned, &mut sums.room, state, side),
            None => self.terms.evaluate_by(sums, state, side),
        }
    }
}
