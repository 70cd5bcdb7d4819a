//! The appearance of a game as declared by its script: data for renderers. No rule reads it, and no game depends on it.

use crate::board::piece::Kind;
use crate::board::side::MAX_SIDES;
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
    /// How squares look that have no color of their own.
    pub pattern: Pattern,
    /// Triangles drawn over several squares, as in backgammon.
    pub triangles: Vec<Triangle>,
    /// How high a square is, as a percentage of its width, if it is not as high as wide.
    pub square_height: Option<u16>,
    /// Whether the names of squares are left out of pictures.
    pub is_nameless: bool,
    /// The track whose stations are numbered in pictures, by its index among the variant's.
    pub numbers: Option<usize>,
    /// Whether the stations of tracks are numbered from 0, because they begin outside the way proper.
    pub from_zero: bool,
    /// Texts on empty squares in pictures, each square once.
    pub labels: Vec<(Square, String)>,
    /// Texts across areas of the board in pictures, under the pieces.
    pub captions: Vec<(SquareSet, String)>,
    /// The characters of kinds in pictures, whatever their glyphs elsewhere.
    pub figures: Vec<(Kind, String)>,
    /// The color of holes, if they are drawn.
    pub holes: Option<Color>,
}

/// How the squares of a board look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pattern {
    /// In alternating colors.
    #[default]
    Checkered,
    /// In one color, with lines between them.
    Plain,
    /// As circles, joined along tracks.
    Circles,
}

/// A triangle over squares in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// Its squares, from its base to its tip.
    pub squares: Vec<Square>,
    /// Its color.
    pub color: Color,
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

    /// The character of a kind in pictures, if it has one of its own.
    pub fn figure(&self, kind: Kind) -> Option<&str> {
        self.figures.iter().find(|(known, _)| *known == kind).map(|(_, figure)| figure.as_str())
    }

    /// The color of a square, if it has one of its own.
    pub fn square(&self, square: Square) -> Option<Color> {
        self.squares.iter().find(|(squares, _)| squares.contains(square)).map(|(_, color)| *color)
    }
}
