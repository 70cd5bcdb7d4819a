//! Values of positions that tables of solved states contain.

use astragal_computer::{KnownValues, value_of_turn};
use astragal_core::rule::RuleError;
use astragal_core::{Position, Ruleset, Square, State};
use astragal_lab::solve::Interval;
use std::sync::Arc;

/// Turns with more states are not looked up.
const MOST_STATES: usize = 1_000_000;

/// The value of a state for the side that decides or rolls next, in points; `None` if the tables do not have all states that
/// its turn can lead to.
///
/// # Errors
/// If a rule fails.
pub fn value(state: &State, known: &dyn KnownValues) -> Result<Option<Interval>, RuleError> {
    let found = match at_start(state, known)? {
        None => value_of_turn(state, known, MOST_STATES)?,
        found => found,
    };
    Ok(found.map(|(low, high)| Interval { low, high }.of(state.chooser())))
}

/// The value of a state in whose turn nothing has happened yet.
fn at_start(state: &State, known: &dyn KnownValues) -> Result<Option<(f64, f64)>, RuleError> {
    let Some(bounds) = known.bounds(state.turn_start()).filter(|_| state.over().is_none()) else { return Ok(None) };
    let begun = State::new(Arc::clone(state.ruleset()), state.turn_start().clone())?;
    let is_new = begun.status() == state.status() && begun.fingerprint() == state.fingerprint();
    Ok(is_new.then_some(bounds))
}

/// The values, for the side to move, of the positions in which the piece from a square is on that square or on an empty
/// one. Squares whose positions are not in the tables are left out.
pub fn by_square(
    set: &Ruleset,
    position: &Position,
    square: Square,
    known: &dyn KnownValues,
) -> Vec<(Square, Interval)> {
    let variant = &set.variant;
    let mut without = position.clone();
    let piece = without.take(variant, square);
    let empty = variant.board().squares().into_iter().filter(|square| without.at(*square).is_none());
    let value = |square: Square| {
        let mut with = without.clone();
        with.put(variant, square, piece);
        let (low, high) = known.bounds(&with)?;
        Some((square, Interval { low, high }.of(position.side())))
    };
    empty.filter_map(value).collect()
}
