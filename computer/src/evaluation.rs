//! What a computer knows of one variant: its static evaluation, and what random games have shown of that.
//!
//! Worked out once for each loaded variant. Values are from -1 (lost) to 1 (won) for one side and its partners;
//! where there are more than two parties, all others are taken as one.

use crate::piece_sums::PieceSums;
use crate::player::PlayerError;
use crate::static_evaluation::StaticEvaluation;
use crate::training::{self, Training};
use astragal_core::rule::RuleError;
use astragal_core::{Kind, Position, Ruleset, Side, State};
use std::sync::Arc;

/// Fewer games that ended tell nothing.
const FEW: usize = 12;
/// Evaluations that were right so often (or more) are worth having.
const RIGHT: f64 = 0.56;

/// What states of one variant are worth. See the [crate](crate).
pub struct Evaluation {
    terms: StaticEvaluation,
    training: Training,
    /// The position that games begin with, unless somebody says otherwise.
    start: Position,
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
        Ok(Evaluation { terms, training, start: start.clone() })
    }

    /// Whether all random games were played: if somebody has stopped that, less is known, and not the same each time.
    pub fn is_complete(&self) -> bool {
        self.training.complete
    }

    /// The position that games begin with, unless somebody says otherwise.
    pub(crate) fn start(&self) -> &Position {
        &self.start
    }

    /// Whether states can be judged without telling anyone what that side may not know.
    ///
    /// # Errors
    /// If a side had to decide in the random games without knowing all.
    pub fn can_be_judged(&self) -> Result<(), PlayerError> {
        self.training.hidden.map_or(Ok(()), |why| Err(PlayerError::Secret(why)))
    }

    /// The variant and its rules.
    pub(crate) fn ruleset(&self) -> &Arc<Ruleset> {
        self.terms.ruleset()
    }

    /// What random games have shown.
    pub(crate) fn training(&self) -> &Training {
        &self.training
    }

    /// What a kind is worth, in moves; royals by what their loss would mean.
    pub(crate) fn piece_value(&self, kind: Kind) -> f64 {
        self.terms.piece_value(kind)
    }

    /// Whether evaluations tell who wins; if not, games have to be played to their end. Where royal pieces
    /// are hunted they do, though random games may end before that shows; elsewhere random games decide.
    pub(crate) fn predicts_winners(&self) -> bool {
        let Training { decided, right, wrong, .. } = self.training;
        let shown = decided >= FEW && right + wrong >= FEW && right as f64 >= RIGHT * (right + wrong) as f64;
        shown || self.ruleset().variant.royals().0 != 0
    }

    /// How good a state is for `side` and partners; the result, if the game is over.
    pub(crate) fn evaluate(&self, state: &State, side: Side) -> f64 {
        self.terms.evaluate(state, side)
    }

    /// The same, quicker for one state after another: see [`StaticEvaluation::evaluate_by`].
    pub(crate) fn evaluate_by(&self, sums: &mut PieceSums, state: &State, side: Side) -> f64 {
        self.terms.evaluate_by(sums, state, side)
    }
}
