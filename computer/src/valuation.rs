//! Values of states by a search of fixed depth, independent of earlier searches.

use crate::evaluation::Evaluation;
use crate::exact::{exact, value_of_turn};
use crate::line::Iteration;
use crate::player::PlayerError;
use crate::search::{Search, SearchError};
use astragal_core::rule::RuleError;
use astragal_core::{Side, State};
use std::sync::Arc;

/// Turns with more states are searched, not looked up.
const MOST_EXACT: usize = 100_000;

/// The depth of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// To the end of the present turn, with all events and outcomes.
    Turn,
    /// To the end of the next turn, with the likeliest outcomes and the best events by static evaluation.
    Reply,
    /// To the end of the turn after that, with still fewer.
    Answer,
}

impl Horizon {
    fn iteration(self) -> Iteration {
        match self {
            Horizon::Turn => Iteration::full(1),
            Horizon::Reply => Iteration { turns: 2, outcomes: 8, beam: 6, root: 16 },
            Horizon::Answer => Iteration { turns: 3, outcomes: 6, beam: 4, root: 12 },
        }
    }
}

/// Values of states for one side: 1 for a won game, -1 for a lost one; points, if the rules award points.
pub struct Valuation {
    evaluation: Arc<Evaluation>,
    side: Side,
    search: Search,
    horizon: Horizon,
}

impl Valuation {
    /// Values for a side and its partners.
    pub fn new(evaluation: Arc<Evaluation>, side: Side, horizon: Horizon) -> Valuation {
        let search = Search::new(Arc::clone(&evaluation), side);
        Valuation { evaluation, side, search, horizon }
    }

    /// Whether the rules award points, so that values have no bounds.
    pub fn is_in_points(&self) -> bool {
        self.evaluation.training().points
    }

    /// The value of a state: the result, if the game is over.
    ///
    /// # Errors
    /// If a rule fails or is stopped.
    pub fn value(&mut self, state: &State) -> Result<f64, PlayerError> {
        match self.search.value(state, self.horizon.iteration()) {
            Ok(value) => Ok(value),
            Err(SearchError::Rule(error)) => Err(error.into()),
            Err(SearchError::OutOfBudget) => Err(RuleError::stopped().into()),
        }
    }

    /// The exact value of a state, if those of all states after its turn are known.
    ///
    /// # Errors
    /// If a rule fails or is stopped.
    pub fn known(&self, state: &State) -> Result<Option<f64>, PlayerError> {
        let Some(known) = self.evaluation.known() else { return Ok(None) };
        let unit = if self.is_in_points() { 2.0 } else { 1.0 };
        let own = if self.side == Side::FIRST { unit } else { -unit };
        Ok(value_of_turn(state, known, MOST_EXACT)?.and_then(exact).map(|value| own * value))
    }

    /// The value of a finished game; `None` while it goes on.
    pub fn result(&self, state: &State) -> Option<f64> {
        state.over().map(|_| self.evaluation.evaluate(state, self.side))
    }
}
