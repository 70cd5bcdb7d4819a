//! The transposition table: bounds of the values of states at the start of a turn, before its roll.

use crate::line::Iteration;
use astragal_core::State;
use astragal_core::dice::mix;

/// The binary logarithm of the number of entries.
const BITS: u32 = 17;

/// The bounds of one state's value.
#[derive(Clone, Copy)]
struct TableEntry {
    key: u64,
    lower: f64,
    upper: f64,
}

const UNKNOWN: TableEntry = TableEntry { key: 0, lower: f64::NEG_INFINITY, upper: f64::INFINITY };

/// A table of fixed size; a new state replaces the one that had its slot.
#[derive(Default)]
pub(super) struct TranspositionTable {
    /// Empty until the first store.
    entries: Vec<TableEntry>,
}

impl TranspositionTable {
    /// A state's value, if the stored bounds decide it within this window.
    pub(super) fn probe(&self, key: u64, alpha: f64, beta: f64) -> Option<f64> {
        let entry = self.entries.get(slot(key)).filter(|entry| entry.key == key)?;
        if entry.lower >= beta || entry.lower == entry.upper {
            return Some(entry.lower);
        }
        (entry.upper <= alpha).then_some(entry.upper)
    }

    /// Stores the result of a search with this window: a value, or a bound if it lies outside.
    pub(super) fn store(&mut self, key: u64, value: f64, alpha: f64, beta: f64) {
        if self.entries.is_empty() {
            self.entries = vec![UNKNOWN; 1 << BITS];
        }
        let entry = &mut self.entries[slot(key)];
        if entry.key != key {
            *entry = TableEntry { key, ..UNKNOWN };
        }
        if value > alpha {
            entry.lower = value;
        }
        if value < beta {
            entry.upper = value;
        }
    }
}

fn slot(key: u64) -> usize {
    (key >> (64 - BITS)) as usize
}

/// The key of a state at the start of a turn, for an iteration with this many turns left. States share a key only if they
/// continue alike, with (roughly) the same repetitions and the same clock.
pub(super) fn key(state: &State, iteration: Iteration, turns_left: u32) -> u64 {
    let seen = state.repetitions() as u64;
    let identity = mix(state.fingerprint() ^ seen << 56 ^ u64::from(state.position().clock() / 8) << 40);
    let breadth = (iteration.outcomes as u64) << 8 ^ (iteration.beam as u64) << 32;
    identity ^ mix(u64::from(turns_left) | breadth)
}
