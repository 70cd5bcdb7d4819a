//! The limits of solving: what cannot be solved, and how much may be used.

use astragal_core::rule::RuleError;
use thiserror::Error;

/// Why a game or an ending is not solved.
#[derive(Clone, Debug, Error)]
pub enum SolveError {
    /// It has not two sides.
    #[error("only games with two sides can be solved, but this one has {0}")]
    Sides(usize),
    /// A player has to decide without knowing everything.
    #[error("this game hides information from its players, so a position has no single value")]
    Secret,
    /// A turn can go on without end.
    #[error("a turn can return to an earlier state of the same turn, so values cannot be computed turn by turn")]
    Endless,
    /// There are too many states.
    #[error("there are more than {} states", Limits::MOST_STATES)]
    TooMany,
    /// A fraction is too long.
    #[error(
        "the exact fraction has more than 128 bits: use fewer turns, or leave out the number of turns to get bounds"
    )]
    Fraction,
    /// The results of unexamined states are unknown.
    #[error("the limits are too low for a game that awards points: the points in states beyond them are unknown")]
    Awards,
    /// The pieces are not understood.
    #[error("{0}")]
    Material(String),
    /// There are too many placements of some pieces.
    #[error("these pieces have up to {placements} placements, and the limit is {limit} states")]
    Placements {
        /// At most so many, with either side to move.
        placements: u128,
        /// The limit.
        limit: usize,
    },
    /// A rule failed.
    #[error(transparent)]
    Rule(#[from] RuleError),
}

/// The limits of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// No more turns are listed after this many states.
    pub states: usize,
    /// No more turns are listed after this many bytes.
    pub memory: usize,
    /// The threads that work together.
    pub threads: usize,
}

impl Limits {
    /// The maximum number of states that a solver can number.
    pub const MOST_STATES: usize = 1 << 31;
}
