//! Solving: the exact value of every state of a small game or an ending, with two sides and no hidden information.
//!
//! A [`Solver`] finds all states that can be reached ([`space`]), and narrows a lower and an upper bound of each value
//! ([`bounds`]) until they meet. Turns are listed by the engine ([`turn`]) and kept as bytes ([`code`]).
//!
//! Values are differences of points (win 1, loss -1) in half points for the first side.

mod bounds;
mod code;
mod components;
pub mod horizon;
mod material;
mod parallel;
pub mod saved;
mod space;
pub mod table;
mod turn;
pub mod verify;

pub use material::Material;

use self::bounds::Values;
use self::space::Space;
use self::table::Table;
use astragal_core::rule::RuleError;
use astragal_core::{Position, Ruleset, Side};
use astragal_dsl::{Loaded, awards_points};
use std::sync::Arc;
use thiserror::Error;

/// How much closer than requested the bounds of a component are brought together.
const FINER: f64 = 16.0;

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

/// A step of a solver's work.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Step {
    /// States have been found, and the turns of some of them listed.
    Explored {
        /// The states.
        states: usize,
        /// Those with their turns.
        listed: usize,
    },
    /// The bounds have been improved.
    Improved {
        /// The states whose component has been reached.
        states: usize,
        /// All states.
        of: usize,
        /// The widest interval of a value in the component, in points.
        widest: f64,
    },
    /// States of a table have been checked.
    Verified {
        /// The states that have been checked.
        states: usize,
        /// The states of the table.
        of: usize,
    },
}

/// Observes a solver, and may stop it.
pub struct Watch<'a> {
    /// Called often to check whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Called after each step.
    pub progress: &'a dyn Fn(Step),
}

/// How far a solver has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// All bounds are as close as requested.
    Solved,
    /// Not all states have been examined, because a limit was reached.
    Full,
    /// No bound moves any more.
    Still,
    /// It was stopped.
    Stopped,
}

/// The value of a state for the first side, in points: the true value is neither less than `low` nor more than `high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// Its middle; that of a mirrored draw is not a negative zero.
    pub fn middle(self) -> f64 {
        (self.low + self.high) / 2.0 + 0.0
    }

    /// The same for a side.
    pub fn of(self, side: Side) -> Interval {
        if side == Side::FIRST { self } else { Interval { low: -self.high, high: -self.low } }
    }
}

/// Refuses games that have no single value for both sides.
fn check(set: &Ruleset) -> Result<(), SolveError> {
    match set.variant.sides() {
        2 if set.variant.has_secrets() => Err(SolveError::Secret),
        2 => Ok(()),
        sides => Err(SolveError::Sides(sides)),
    }
}

/// A position without its past.
fn fresh(position: &Position) -> Position {
    let mut position = position.clone();
    position.set_clock(0);
    position.set_number(1);
    position
}

/// A game or an ending that is being solved. See the [module](self).
pub struct Solver {
    set: Arc<Ruleset>,
    space: Space,
    values: Option<Values>,
    /// A table to continue from.
    begun: Option<Arc<Table>>,
    /// Whether the rules award points.
    awards: bool,
}

impl Solver {
    /// A solver that knows no state yet.
    ///
    /// # Errors
    /// If the game does not have two sides, or hides information from them.
    pub fn new(loaded: &Loaded) -> Result<Solver, SolveError> {
        let set = &loaded.set;
        check(set)?;
        Ok(Solver {
            set: Arc::clone(set),
            space: Space::new(Arc::clone(set)),
            values: None,
            begun: None,
            awards: awards_points(loaded),
        })
    }

    /// The variant and its rules.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.set
    }

    /// Adds a state to start from: a position at the start of a turn. Its past does not count.
    ///
    /// # Errors
    /// If there are too many states.
    pub fn add(&mut self, position: &Position) -> Result<(), SolveError> {
        self.space.add(position).map(|_| ())
    }

    /// Adds all placements of some pieces, with either side to move.
    ///
    /// # Errors
    /// If there are more than the limits allow.
    pub fn add_all(&mut self, material: &Material, limits: &Limits) -> Result<(), SolveError> {
        let variant = &self.set.variant;
        let placements = material.placements(variant);
        if placements > limits.states as u128 {
            return Err(SolveError::Placements { placements, limit: limits.states });
        }
        material.each(variant, &mut |position| self.space.add(position).map(drop))
    }

    /// Begins with the bounds of a table, where it has some.
    pub fn start_from(&mut self, table: Arc<Table>) {
        self.begun = Some(table);
    }

    /// The widest interval of a state whose turn has been examined, in points.
    pub fn widest(&self) -> f64 {
        self.values.as_ref().map_or(f64::INFINITY, |values| values.widest(&self.space) / 2.0)
    }

    /// Whether any bounds have been computed.
    pub fn has_bounds(&self) -> bool {
        self.values.is_some()
    }

    /// Whether the rules award points: a game can then be worth more than one.
    pub fn awards_points(&self) -> bool {
        self.awards
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.space.len()
    }

    /// The number of states whose turns have been examined.
    pub fn examined(&self) -> usize {
        self.space.listed()
    }

    /// The memory in use, in bytes, and the part of it that describes turns.
    pub fn bytes(&self) -> (usize, usize) {
        (self.space.bytes(), self.space.turn_bytes())
    }

    /// Finds the states that can be reached, and improves the bounds until each interval has at most `epsilon` points.
    /// After a stop, it can continue later from the same place.
    ///
    /// # Errors
    /// If a turn cannot be listed.
    pub fn run(&mut self, epsilon: f64, limits: &Limits, watch: &Watch<'_>) -> Result<Progress, SolveError> {
        let before = self.space.listed();
        let whole = self.space.explore(limits, watch)?;
        if !whole && (watch.stop)() {
            return Ok(Progress::Stopped);
        }
        if !whole && self.awards {
            return Err(SolveError::Awards);
        }
        if self.space.listed() > before {
            self.values = None;
        }
        let space = &self.space;
        let range = (f64::from(space.range.0), f64::from(space.range.1));
        let begun = self.begun.take();
        let values = self.values.get_or_insert_with(|| {
            let mut bounds = vec![range; space.len()];
            for (key, bounds) in space.keys.iter().zip(&mut bounds) {
                if let Some(known) = begun.as_ref().and_then(|table| table.find(*key)) {
                    *bounds = (bounds.0.max(2.0 * known.low), bounds.1.min(2.0 * known.high));
                }
            }
            Values::from(bounds, space)
        });
        // The values after a component must be more exact than its own.
        let mut aim = 2.0 * epsilon / FINER;
        let mut widest = f64::INFINITY;
        loop {
            if !values.improve(&self.space, aim, limits.threads, watch) {
                return Ok(Progress::Stopped);
            }
            let before = std::mem::replace(&mut widest, values.widest(&self.space));
            if widest <= 2.0 * epsilon {
                return Ok(if whole { Progress::Solved } else { Progress::Full });
            }
            if widest >= before {
                return Ok(if whole { Progress::Still } else { Progress::Full });
            }
            aim /= FINER;
        }
    }

    /// The worst and the best result of a game for the first side, in half points.
    pub fn range(&self) -> (i32, i32) {
        self.space.range
    }

    /// The values of the states whose turns have been examined, each with the hash of its position.
    pub fn values(&self) -> impl Iterator<Item = (u64, Interval)> {
        let bounds = self.values.iter().flat_map(|values| &values.bounds);
        let half = |&(low, high): &(f64, f64)| Interval { low: low / 2.0, high: high / 2.0 };
        self.space.keys[..self.space.listed()].iter().copied().zip(bounds.map(half))
    }

    /// The value of the state that begins with `position`, for the first side; `None` if it was not reached.
    pub fn value(&self, position: &Position) -> Option<Interval> {
        let state = self.space.find(position.hash())?;
        let (low, high) = *self.values.as_ref()?.bounds.get(state as usize)?;
        Some(Interval { low: low / 2.0, high: high / 2.0 })
    }
}
