//! Hashes of the earlier positions of a game, for counting repetitions.
//!
//! Copies of a game share all but the last few, so the cost of a copy does not depend on the length of the game.

use crate::board::side::Side;
use std::sync::Arc;

/// The number of hashes that each copy has for itself: usually more than positions between two captures.
const RECENT: usize = 32;

/// The hashes of the positions at the start of turns, in order; the present one is the last.
#[derive(Debug)]
pub(crate) struct History {
    settled: Arc<Vec<u64>>,
    recent: [u64; RECENT],
    recent_len: u8,
    /// For each position, who moved into it and whether that gave check; empty if the variant does not use it.
    checks: Vec<(Side, bool)>,
}

impl Default for History {
    fn default() -> History {
        History { settled: Arc::default(), recent: [0; RECENT], recent_len: 0, checks: Vec::new() }
    }
}

impl Clone for History {
    fn clone(&self) -> History {
        History { settled: Arc::clone(&self.settled), checks: self.checks.clone(), ..*self }
    }

    /// Copies the difference: usually the last few.
    fn clone_from(&mut self, source: &History) {
        if !Arc::ptr_eq(&self.settled, &source.settled) {
            self.settled = Arc::clone(&source.settled);
        }
        let len = usize::from(source.recent_len);
        self.recent[..len].copy_from_slice(&source.recent[..len]);
        self.recent_len = source.recent_len;
        self.checks.clone_from(&source.checks);
    }
}

impl History {
    /// Adds a position.
    pub(crate) fn push(&mut self, key: u64) {
        if usize::from(self.recent_len) == RECENT {
            Arc::make_mut(&mut self.settled).extend(self.recent);
            self.recent_len = 0;
        }
        self.recent[usize::from(self.recent_len)] = key;
        self.recent_len += 1;
    }

    /// Records who moved into the last position and whether that gave check. Call it for every position or for none.
    pub(crate) fn note(&mut self, mover: Side, check: bool) {
        self.checks.push((mover, check));
    }

    /// The memory of a copy beside its own size.
    pub(crate) fn heap_bytes(&self) -> usize {
        let settled = size_of_val(&self.settled[..]) / Arc::strong_count(&self.settled);
        settled + self.checks.capacity() * size_of::<(Side, bool)>()
    }

    /// The number of positions, the present one included.
    pub(crate) fn len(&self) -> usize {
        self.settled.len() + usize::from(self.recent_len)
    }

    /// Removes everything.
    pub(crate) fn clear(&mut self) {
        *self = History::default();
    }

    /// The present position's hash.
    pub(crate) fn last(&self) -> Option<u64> {
        self.recent[..usize::from(self.recent_len)].last().copied()
    }

    /// How often the present position occurs among the last `window`, itself included.
    pub(crate) fn repetitions(&self, window: usize) -> usize {
        let Some(now) = self.last() else { return 0 };
        let count = |keys: &[u64]| keys.iter().filter(|&&key| key == now).count();
        let recent = &self.recent[..usize::from(self.recent_len)];
        match window.checked_sub(recent.len()) {
            None | Some(0) => count(&recent[recent.len() - window..]),
            Some(more) => count(recent) + count(&self.settled[self.settled.len().saturating_sub(more)..]),
        }
    }

    /// Who moved into each position since the first occurrence of the present one among the last `window`, and whether that
    /// gave check; `None` if that is not recorded.
    pub(crate) fn since_the_same(&self, window: usize) -> Option<&[(Side, bool)]> {
        let now = self.last()?;
        let recent = &self.recent[..usize::from(self.recent_len)];
        let first = self.len().saturating_sub(window);
        let same = self.settled.iter().chain(recent).skip(first).position(|&key| key == now)?;
        self.checks.get(first + same + 1..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any window has the contents that a plain list has, even after a copy diverged.
    #[test]
    fn windows_reach_back_over_what_is_shared() {
        let (mut history, mut list, mut other) = (History::default(), Vec::new(), History::default());
        for turn in 0..150u64 {
            let key = turn * turn % 7;
            let copy = history.clone();
            other.clone_from(&history);
            assert_eq!(
                (other.len(), other.last(), other.repetitions(9)),
                (copy.len(), copy.last(), copy.repetitions(9))
            );
            history.push(key);
            history.note(Side((turn % 2) as u8), turn % 3 == 0);
            list.push(key);
            assert_eq!(copy.len() + 1, history.len());
            for window in 1..=list.len() {
                let told = &list[list.len() - window..];
                let same = told.iter().filter(|&&other| other == key).count();
                assert_eq!(history.repetitions(window), same, "turn {turn}, window {window}");
                let since = window - 1 - told.iter().position(|&other| other == key).expect("the last");
                assert_eq!(history.since_the_same(window).map(<[_]>::len), Some(since));
            }
        }
        history.clear();
        assert_eq!((history.len(), history.last(), history.repetitions(5)), (0, None, 0));
    }
}
