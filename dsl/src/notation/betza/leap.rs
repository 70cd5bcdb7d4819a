//! The meaning of a movement's capital: its steps and their shape.

use astragal_core::board::Offset;

/// The relation between the directions of a step, which decides the meaning of direction letters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Shape {
    /// Along files and ranks: each letter is one direction.
    Straight,
    /// Along diagonals: each letter is a pair, two perpendicular ones a single direction.
    Diagonal,
    /// All others, such as the knight's eight directions.
    Oblique,
    /// The eight directions of king and queen.
    Royal,
    /// All steps on hexagons; see [`super::hex`].
    Hex,
}

/// The meaning of a capital.
pub(super) struct Leap {
    pub(super) steps: Vec<Offset>,
    pub(super) shape: Shape,
    /// The maximum number of steps if no number follows; 0 for no limit.
    pub(super) reach: u8,
}
