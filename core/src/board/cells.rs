//! The shape of a board's cells, and what it means for offsets: neighbors, turns, lengths and headings.
//!
//! Hexagons are named like squares: files run straight up the board. Of the six neighbors of a cell, `(0, 1)` is straight
//! ahead, followed clockwise by `(1, 1)`, `(1, 0)`, `(0, -1)`, `(-1, -1)` and `(-1, 0)`.

use super::offset::{Offset, turn_offset};

/// The shape of a board's cells, which determines adjacency.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cells {
    /// Squares: eight neighbors, quarter turns.
    #[default]
    Square,
    /// Hexagons: six neighbors, turns by a sixth.
    Hex,
}

impl Cells {
    /// The steps to the neighbors, clockwise from straight ahead.
    pub fn neighbors(self) -> &'static [Offset] {
        match self {
            Cells::Square => &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)],
            Cells::Hex => &[(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)],
        }
    }

    /// The number of possible forward directions: this many turns make a full turn.
    pub fn turns(self) -> u8 {
        match self {
            Cells::Square => 4,
            Cells::Hex => 6,
        }
    }

    /// An offset for a side whose forward direction is turned clockwise by `by` quarters or sixths.
    pub fn turn(self, offset: Offset, by: u8) -> Offset {
        match self {
            Cells::Square => turn_offset(offset, by),
            Cells::Hex => (0..by % 6).fold(offset, |(dx, dy), _| (dy, dy - dx)),
        }
    }

    /// An offset with ahead and back exchanged.
    pub fn mirror(self, (dx, dy): Offset) -> Offset {
        match self {
            Cells::Square => (dx, -dy),
            Cells::Hex => (dx, dx - dy),
        }
    }

    /// The number of steps from neighbor to neighbor that an offset takes.
    pub(crate) fn length(self, (dx, dy): (i16, i16)) -> i16 {
        let straight = dx.abs().max(dy.abs());
        match self {
            Cells::Square => straight,
            Cells::Hex => straight.max((dx - dy).abs()),
        }
    }

    /// The direction of an offset: on squares the signs, on hexagons the shortest offset that way.
    pub(crate) fn heading(self, (dx, dy): (i16, i16)) -> (i16, i16) {
        match self {
            Cells::Square => (dx.signum(), dy.signum()),
            Cells::Hex => {
                let divisor = divisor(dx.abs(), dy.abs()).max(1);
                (dx / divisor, dy / divisor)
            }
        }
    }
}

/// The greatest common divisor.
fn divisor(a: i16, b: i16) -> i16 {
    if b == 0 { a } else { divisor(b, a % b) }
}
