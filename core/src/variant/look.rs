//! The appearance of a game as declared by its script: data for renderers. No rule reads it, and no game depends on it.

use crate::board::piece::MAX_SIDES;
use crate::board::square::{Square, SquareSet};

/// A color: red, green and blue, each from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

/// The appearance of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Squares with a color of their own, each square once.
    pub squares: Vec<(SquareSet, Color)>,
    /// The color of each side's pieces, if the script sets one.
    pub sides: [Option<Color>; MAX_SIDES],
    /// Whether pieces are flat wedges that point forward, as in shogi, so that their direction shows their side.
    pub wedges: bool,
    /// How moves along a track are written for people, if the script sets it.
    pub stations: Option<StationNotation>,
    /// Names of faces of the dice, each face once.
    pub faces: Vec<(i16, String)>,
    /// Squares with their own shape and place; either all squares of the board have one, or none.
    pub outlines: Vec<(Square, Outline)>,
}

/// The four corners of a square in a picture: across and upward, in units that only compare with one another.
pub type Outline = [(i32, i32); 4];

/// How moves along a track are written: by its stations instead of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StationNotation {
    /// The track, by its index among the variant's.
    pub track: usize,
    /// The text between two stations.
    pub between: String,
    /// Whether the last station is 0 and the first the highest number.
    pub is_countdown: bool,
    /// Stations with their own names, by number from 1; 0 is where pieces enter from.
    pub names: Vec<(usize, String)>,
}

impl Look {
    /// The name of a face, if it has one.
    pub fn face(&self, face: i16) -> Option<&str> {
        self.faces.iter().find(|(known, _)| *known == face).map(|(_, name)| name.as_str())
    }

    /// The color of a square, if it has one of its own.
    pub fn square(&self, square: Square) -> Option<Color> {
        self.squares.iter().find(|(squares, _)| squares.contains(square)).map(|(_, color)| *color)
    }
}
