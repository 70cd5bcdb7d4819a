//! Limits the memory that an analysis takes for the states it keeps.

use crate::play::state::State;
use crate::rules::error::RuleError;
use std::cell::Cell;

/// The maximum number of bytes of states that one analysis keeps at a time.
pub const MOST_BYTES: usize = 512 << 20;

/// The memory left to one analysis. A [`Share`] takes memory from it and returns it.
pub struct MemoryLimit {
    left: Cell<usize>,
}

impl Default for MemoryLimit {
    fn default() -> MemoryLimit {
        MemoryLimit { left: Cell::new(MOST_BYTES) }
    }
}

impl MemoryLimit {
    /// An analysis with less memory.
    #[cfg(test)]
    pub(crate) fn of(bytes: usize) -> MemoryLimit {
        MemoryLimit { left: Cell::new(bytes) }
    }

    /// An empty share of the memory.
    pub fn share(&self) -> Share<'_> {
        Share { memory_limit: self, taken: 0 }
    }
}

/// Memory taken from a [`MemoryLimit`] for a list of states; returned when the share is dropped.
pub struct Share<'a> {
    memory_limit: &'a MemoryLimit,
    taken: usize,
}

impl<'a> Share<'a> {
    /// The room that it belongs to.
    pub(crate) fn memory_limit(&self) -> &'a MemoryLimit {
        self.memory_limit
    }

    /// Takes `bytes` bytes; false if they are not available.
    pub fn take(&mut self, bytes: usize) -> bool {
        let left = self.memory_limit.left.get().checked_sub(bytes);
        if let Some(left) = left {
            self.memory_limit.left.set(left);
            self.taken += bytes;
        }
        left.is_some()
    }

    /// Takes memory for the entries that a table has gained since it had `known`; false if it is not available.
    pub(crate) fn take_growth(&mut self, known: &mut usize, entries: usize, bytes: usize) -> bool {
        let new = entries.saturating_sub(std::mem::replace(known, entries));
        self.take(new * bytes)
    }

    /// Takes memory for a state to keep.
    ///
    /// # Errors
    /// If too little is left.
    pub fn keep(&mut self, state: &State) -> Result<(), RuleError> {
        if self.take(state.bytes()) { Ok(()) } else { Err(full()) }
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.memory_limit.left.set(self.memory_limit.left.get() + self.taken);
    }
}

/// The error of too little memory.
pub(crate) fn full() -> RuleError {
    RuleError::new(format!(
        "examining the positions takes more than {} MiB of memory (see limit 31 in docs/limits.md)",
        MOST_BYTES >> 20
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_one_room_compete_and_give_back_what_they_took() {
        let memory_limit = MemoryLimit::of(100);
        let (mut first, mut second) = (memory_limit.share(), memory_limit.share());
        assert!(first.take(60) && !second.take(41) && second.take(40));
        drop(first);
        assert!(second.take(60) && !second.take(1));
        drop(second);
        assert!(memory_limit.share().take(100));
    }
}
