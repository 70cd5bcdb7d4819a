//! Exact values of states whose turns lead to known values only, from a table for example.
//!
//! Owns the walk to the end of the turn, event by event. Nothing is estimated: if a value is missing, there is none.

use crate::events::{after, legal_events};
use astragal_core::rule::RuleError;
use astragal_core::{Event, Over, Position, Reply, Side, State, Status};
use rustc_hash::FxHashMap;

/// Bounds at most this far apart count as exact.
const CLOSE: f64 = 1e-4;

/// Values of states that are known, each as a lower and an upper bound for the first side. A won game is 1 and a lost one
/// -1; if the rules award points, values are points.
pub trait KnownValues {
    /// The value of the state that begins with this position; `None` if it is not known.
    fn bounds(&self, position: &Position) -> Option<(f64, f64)>;
}

/// The value of a finished game of two sides for the first one, in half points: 2 for a win and -2 for a loss, or the
/// difference of points if the rules award some.
pub fn half_points(over: &Over) -> i32 {
    if let Some(points) = over.points {
        return points[0] - points[1];
    }
    match over.winner {
        None => 0,
        Some(Side::FIRST) => 2,
        Some(_) => -2,
    }
}

/// The bounds of a state's value for the first side, if both sides of its turn decide as well as possible and what comes
/// after the turn is `known`; `None` if it is not, or the turn has more than `most` states.
///
/// # Errors
/// If a rule fails.
pub fn value_of_turn(state: &State, known: &dyn KnownValues, most: usize) -> Result<Option<(f64, f64)>, RuleError> {
    Turn { known, start: state.turn(), places: FxHashMap::default(), left: most }.value(state)
}

struct Turn<'a> {
    known: &'a dyn KnownValues,
    start: u32,
    /// The values of places in the turn; `None` while one is being computed.
    places: FxHashMap<u64, Option<(f64, f64)>>,
    left: usize,
}

impl Turn<'_> {
    fn value(&mut self, state: &State) -> Result<Option<(f64, f64)>, RuleError> {
        if let Some(over) = state.over() {
            let value = f64::from(half_points(over)) / 2.0;
            return Ok(Some((value, value)));
        }
        if state.turn() != self.start {
            return Ok(self.known.bounds(state.turn_start()));
        }
        let place = state.place_in_turn();
        // A turn that can return to the same place has no value of its own.
        if let Some(&value) = self.places.get(&place) {
            return Ok(value);
        }
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        self.places.insert(place, None);
        let value = match state.status() {
            Status::Chance => self.mean(state)?,
            _ => self.best(state)?,
        };
        self.places.insert(place, value);
        Ok(value)
    }

    fn mean(&mut self, state: &State) -> Result<Option<(f64, f64)>, RuleError> {
        let (mut low, mut high, mut total) = (0.0, 0.0, 0.0);
        for (index, weight) in state.outcomes_apart() {
            let Some(value) = self.value(&state.after(Reply::Roll(index))?)? else { return Ok(None) };
            let weight = weight as f64;
            (low, high, total) = (low + weight * value.0, high + weight * value.1, total + weight);
        }
        Ok(Some((low / total, high / total)))
    }

    fn best(&mut self, state: &State) -> Result<Option<(f64, f64)>, RuleError> {
        let mut best: Option<(f64, f64)> = None;
        for reply in (0..state.replies()).filter_map(|index| state.nth_reply(index)) {
            let Some(value) = self.value(&state.after(reply)?)? else { return Ok(None) };
            best = Some(match best {
                None => value,
                Some(best) if state.chooser() == Side::FIRST => (best.0.max(value.0), best.1.max(value.1)),
                Some(best) => (best.0.min(value.0), best.1.min(value.1)),
            });
        }
        Ok(best)
    }
}

/// The middle of two bounds, if they are so close that it counts as exact.
pub(crate) fn exact((low, high): (f64, f64)) -> Option<f64> {
    (high - low <= CLOSE).then_some((low + high) / 2.0)
}

/// The events that a player can choose from, each with its exact value for the first side, best first for the player;
/// equally good ones in the order of [`legal_events`]. `None` as for [`value_of_turn`], or if the bounds of a value are
/// further apart than 0.0001.
///
/// # Errors
/// If a rule fails.
pub fn ranked_events(
    state: &State,
    known: &dyn KnownValues,
    most: usize,
) -> Result<Option<Vec<(Event, f64)>>, RuleError> {
    let mut turn = Turn { known, start: state.turn(), places: FxHashMap::default(), left: most };
    let mut ranked = Vec::new();
    for event in legal_events(state) {
        let Some(value) = turn.value(&after(state, &event)?)?.and_then(exact) else { return Ok(None) };
        ranked.push((event, value));
    }
    let is_first = state.chooser() == Side::FIRST;
    ranked.sort_by(|a, b| if is_first { b.1.total_cmp(&a.1) } else { a.1.total_cmp(&b.1) });
    Ok(Some(ranked))
}
