//! How much memory an analysis may take for the situations that it keeps.

use crate::play::state::State;
use crate::rules::rule::RuleError;
use std::cell::Cell;

/// Bytes of situations that one analysis keeps at a time.
pub const MOST_BYTES: usize = 512 << 20;

/// The memory left to one analysis: what is kept is taken from it, and given back by a [`Share`].
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

    /// A share of the memory that is empty yet.
    pub fn share(&self) -> Share<'_> {
        Share { room: self, taken: 0 }
    }
}

/// Memory taken from a [`Room`] for a list of situations; given back when the share is dropped.
pub struct Share<'a> {
    room: &'a Room,
    taken: usize,
}

impl<'a> Share<'a> {
    /// The room that it is a share of.
    pub(crate) fn room(&self) -> &'a Room {
        self.room
    }

    /// Takes so many bytes; false if they are not left.
    pub fn take(&mut self, bytes: usize) -> bool {
        let left = self.room.left.get().checked_sub(bytes);
        if let Some(left) = left {
            self.room.left.set(left);
            self.taken += bytes;
        }
        left.is_some()
    }

    /// Takes memory for the entries of a table that have come since `known` were there; false if it is not left.
    pub(crate) fn take_growth(&mut self, known: &mut usize, entries: usize, bytes: usize) -> bool {
        let new = entries.saturating_sub(std::mem::replace(known, entries));
        self.take(new * bytes)
    }

    /// Takes room for a state that is kept.
    ///
    /// # Errors
    /// If there is not enough left.
    pub fn keep(&mut self, state: &State) -> Result<(), RuleError> {
        if self.take(state.bytes()) { Ok(()) } else { Err(full()) }
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.room.left.set(self.room.left.get() + self.taken);
    }
}

/// There is not enough memory left.
pub(crate) fn full() -> RuleError {
    RuleError::new(format!(
        "the situations that are to be looked at take more than {} MiB of memory (limit 31)",
        MOST_BYTES >> 20
    ))
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
