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
mod interval;
mod limits;
mod material;
mod parallel;
mod progress;
pub mod saved;
mod space;
pub mod table;
mod turn;
pub mod verify;

pub use interval::Interval;
pub use limits::{Limits, SolveError};
pub use material::Material;
pub use progress::{Progress, Step, Watch};

use self::bounds::Values;
use self::space::Space;
use self::table::Table;
use astragal_core::{Position, Ruleset};
use astragal_dsl::{Loaded, awards_points};
use std::sync::Arc;

/// How much closer than requested the bounds of a component are brought together.
const FINER: f64 = 16.0;

/// Refuses games that have no single value for both sides.
fn check(set: &Ruleset) -> Result<(), SolveError> {
    match set.variant.sides() {
        2 if set.variant.has_secrets() => Err(SolveError::Secret),
        2 => Ok(()),
        sides => Err(SolveError::Sides(sides)),
    }
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
