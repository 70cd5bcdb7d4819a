//! The successors of a decision node, and the order in which they are searched.

use super::{Search, SearchError};
use crate::events::legal_events;
use astragal_core::dice::mix;
use astragal_core::{Event, State, Status};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The maximum number of different ends of a turn that are distinguished.
const MAX_TURN_ENDS: usize = 3000;

/// The states that a decision leads to, by fingerprint: the index of the successor, or `None` if a turn of several moves is
/// still in progress there.
pub(super) type Seen = FxHashMap<u64, Option<usize>>;

/// A state that a decision leads to, with the events on the way.
pub(super) struct Successor {
    pub(super) events: Vec<Event>,
    pub(super) state: Box<State>,
    pub(super) static_value: f64,
}

impl Search {
    /// The successors of a decision in a later turn: the best ones by static evaluation.
    pub(super) fn beam(&mut self, state: &State) -> Result<Vec<Successor>, SearchError> {
        let mut successors = self.successors(state)?;
        let beam = self.iteration.beam.min(successors.len());
        successors.drain(beam..).for_each(|successor| self.discard(successor.state));
        Ok(successors)
    }

    /// The different successors of a decision, best first by static evaluation; for a turn of several moves,
    /// the states at its end.
    fn successors(&mut self, state: &State) -> Result<Vec<Successor>, SearchError> {
        let mut found = Vec::new();
        self.collect(state, &[], &mut Seen::default(), &mut found)?;
        self.sort(state, &mut found);
        Ok(found)
    }

    /// The best for the chooser first; of equals the one with the fewest events, so that an immediate win is not postponed.
    pub(super) fn sort(&self, state: &State, found: &mut [Successor]) {
        let maximizes = self.is_friend(state.chooser());
        let order = |a: &Successor, b: &Successor| a.static_value.total_cmp(&b.static_value);
        let by_value = |a: &Successor, b: &Successor| if maximizes { order(b, a) } else { order(a, b) };
        found.sort_by(|a, b| by_value(a, b).then(a.events.len().cmp(&b.events.len())));
    }

    /// Adds the successors of a decision to those found; of a turn of several moves, those that `seen` lacks. Each keeps
    /// the shortest way that leads to it.
    pub(super) fn collect(
        &mut self,
        state: &State,
        before: &[Event],
        seen: &mut Seen,
        found: &mut Vec<Successor>,
    ) -> Result<(), SearchError> {
        let several = state.plan().is_some();
        for event in legal_events(state) {
            let next = self.after(state, &event)?;
            self.count_node()?;
            let path = || before.iter().cloned().chain([event.clone()]).collect::<Vec<_>>();
            if several {
                let ended = next.over().map_or(0, |over| 1 + over.winner.map_or(0, |side| 1 + u64::from(side.0)));
                let goes_on = continues_turn(state, &next);
                let full = seen.len() >= MAX_TURN_ENDS;
                let is_new = match seen.entry(next.fingerprint() ^ mix(ended ^ next.status() as u64)) {
                    Entry::Occupied(known) => {
                        let known = known.get().and_then(|index| found.get_mut(index));
                        if let Some(known) = known.filter(|known| before.len() + 1 < known.events.len()) {
                            known.events = path();
                        }
                        false
                    }
                    Entry::Vacant(new) if !full => {
                        new.insert((!goes_on).then_some(found.len()));
                        true
                    }
                    Entry::Vacant(_) => false,
                };
                if is_new && goes_on {
                    self.collect(&next, &path(), seen, found)?;
                }
                if !is_new || goes_on {
                    self.discard(next);
                    continue;
                }
            }
            let static_value = self.evaluate(&next);
            found.push(Successor { events: path(), state: next, static_value });
        }
        Ok(())
    }
}

/// Whether a turn of several moves is still in progress, with the same player to move.
pub(super) fn continues_turn(before: &State, after: &State) -> bool {
    after.over().is_none()
        && after.turn() == before.turn()
        && after.status() == Status::Move
        && after.chooser() == before.chooser()
        && after.plan().is_some()
}
