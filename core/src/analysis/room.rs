//! Limits the memory that an analysis takes for the states it keeps.

use crate::play::state::State;
use crate::rules::rule::RuleError;
use std::cell::Cell;

/// The most bytes of states that one analysis keeps at a time.
pub const MOST_BYTES: usize = 512 << 20;

/// The memory left to one analysis. A [`Share`] takes memory from it and returns it.
pub struct Room {
    left: Cell<usize>,
}

impl Default for Room {
    fn default() -> Room {
        Room { left: Cell::new(MOST_BYTES) }
    }
}

impl Room {
    /// An analysis with less memory.
    #[cfg(test)]
    pub(crate) fn of(bytes: usize) -> Room {
        Room { left: Cell::new(bytes) }
    }

    /// An empty share of the memory.
    pub fn share(&self) -> Share<'_> {
        Share { room: self, taken: 0 }
    }
}

/// Memory taken from a [`Room`] for a list of states; returned when the share is dropped.
pub struct Share<'a> {
    room: &'a Room,
    taken: usize,
}

impl<'a> Share<'a> {
    /// The room that it belongs to.
    pub(crate) fn room(&self) -> &'a Room {
        self.room
    }

    /// Takes `bytes` bytes; false if they are not available.
    pub fn take(&mut self, bytes: usize) -> bool {
        let left = self.room.left.get().checked_sub(bytes);
        if let Some(left) = left {
            self.room.left.set(left);
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
        self.room.left.set(self.room.left.get() + self.taken);
    }
}

/// The error of too little memory.
pub(crate) fn full() -> RuleError {
    RuleError::new(format!("examining the positions takes more than {} MiB of memory (limit 31)", MOST_BYTES >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_one_room_compete_and_give_back_what_they_took() {
        let room = Room::of(100);
        let (mut first, mut second) = (room.share(), room.share());
        assert!(first.take(60) && !second.take(41) && second.take(40));
        drop(first);
        assert!(second.take(60) && !second.take(1));
        drop(second);
        assert!(room.share().take(100));
    }
}
