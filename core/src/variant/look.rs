//! How a game looks, as its script says it: data for whoever draws it. No rule asks it, and no game depends on it.

use crate::board::square::{Square, SquareSet};

/// A colour: red, green and blue, each from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

/// How a game looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Squares with a colour of their own, each square once.
    pub squares: Vec<(SquareSet, Color)>,
    /// The colour of each side's pieces, where the script says one.
    pub sides: [Option<Color>; 4],
    /// Whether pieces are flat wedges that point forward, as in shogi, and are told apart by where they point.
    pub wedges: bool,
}

impl Look {
    /// The colour of a square, if it has one of its own.
    pub fn square(&self, square: Square) -> Option<Color> {
        self.squares.iter().find(|(squares, _)| squares.contains(square)).map(|(_, color)| *color)
    }
}
