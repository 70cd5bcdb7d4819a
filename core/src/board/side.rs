//! The sides of a game.

/// The maximum number of sides that a game may have.
pub const MAX_SIDES: usize = 8;

/// A player's side: 0 moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side(pub u8);

impl Side {
    /// The side that moves first.
    pub const FIRST: Side = Side(0);
    /// The side that moves second.
    pub const SECOND: Side = Side(1);

    /// The index, below [`MAX_SIDES`].
    pub fn index(self) -> usize {
        self.0 as usize & (MAX_SIDES - 1)
    }
}
