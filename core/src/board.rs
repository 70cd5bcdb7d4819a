//! The board: its squares, their names, and where an offset leads.
//!
//! A board is a rectangle of 1x1 to 16x16 with optional holes and optional wrap-around. Other shapes (rings, hexagonal
//! areas, two parts) are rectangles with holes whose cells have other neighbors. Boards that are not a flat grid declare
//! their adjacency: see [`links`]. This is the only module that turns offsets into squares; all others work with squares
//! and lists of squares.

mod adjacency;
pub(crate) mod bits;
pub(crate) mod bounce;
mod cells;
mod geometry;
pub(crate) mod links;
mod offset;
pub(crate) mod piece;
pub(crate) mod side;
pub(crate) mod square;

pub use bounce::{Bounces, Cushions, EdgeLine};
pub use cells::Cells;
pub use links::{Contradiction, Links, Patched};
pub use offset::{Offset, turn_offset};

use crate::board::side::MAX_SIDES;
use crate::board::square::{Square, SquareSet};
use thiserror::Error;

/// The largest width and height.
pub(crate) const MAX_EDGE: u8 = 16;

/// The reason why a board cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// Width or height is not in 1..=16.
    #[error("a board can have 1 to 16 files and 1 to 16 ranks, not {0}x{1}")]
    Size(i64, i64),
}

/// A named region, as each side sees it (turned so that "forward" is that side's forward).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The name used in scripts.
    pub name: String,
    /// The squares, by side.
    pub squares: [SquareSet; MAX_SIDES],
}

/// How a board is drawn for people. No rule depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Drawing {
    /// Whether pieces stand where lines cross, not within squares.
    pub points: bool,
    /// The rank (from 0) above which the lines are interrupted.
    pub river: Option<u8>,
    /// The points that are connected to their neighbors by four drawn diagonals.
    pub crosses: SquareSet,
    /// Signs drawn on empty squares; if a square has several, the first counts.
    pub signs: Vec<Sign>,
    /// The files (bit 0 is the first) with a bar at their right edge.
    pub file_bars: u16,
    /// The ranks (bit 0 is the lowest) above which a bar lies.
    pub rank_bars: u16,
}

/// A sign drawn on some squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    /// The squares.
    pub squares: SquareSet,
    /// The sign in text output; a blank leaves the square empty.
    pub letter: char,
    /// The sign everywhere else.
    pub picture: char,
}

impl Drawing {
    /// The sign on a square, if it has one.
    pub fn sign(&self, square: Square) -> Option<Sign> {
        self.signs.iter().find(|sign| sign.squares.contains(square)).copied()
    }

    /// Whether there is a bar between two adjacent files.
    pub fn has_file_bar(&self, a: u8, b: u8) -> bool {
        a.abs_diff(b) == 1 && self.file_bars >> a.min(b) & 1 != 0
    }

    /// Whether there is a bar between two adjacent ranks.
    pub fn has_rank_bar(&self, a: u8, b: u8) -> bool {
        a.abs_diff(b) == 1 && self.rank_bars >> a.min(b) & 1 != 0
    }
}

/// A board. See the [module](self) for what it owns.
///
/// ```
/// use astragal_core::{Board, Square};
/// let board = Board::new(8, 8, 1).unwrap();
/// let e4 = board.parse("e4").unwrap();
/// assert_eq!(e4, Square(28));
/// assert_eq!(board.offset(e4, (1, 2)).map(|s| board.name(s)), Some("f6".into()));
/// assert_eq!(board.offset(board.parse("h1").unwrap(), (1, 0)), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    width: u8,
    height: u8,
    first_rank: u8,
    squares: SquareSet,
    wrap: (bool, bool),
    cells: Cells,
    links: Option<Box<Links>>,
    regions: Vec<Region>,
    drawing: Drawing,
}

impl Board {
    /// A full rectangle. `first_rank` is the number of the lowest rank, 0 or 1 in practice.
    ///
    /// # Errors
    /// [`BoardError::Size`] unless both edges are in 1..=16.
    pub fn new(width: i64, height: i64, first_rank: u8) -> Result<Board, BoardError> {
        let edge = 1..=i64::from(MAX_EDGE);
        if !edge.contains(&width) || !edge.contains(&height) {
            return Err(BoardError::Size(width, height));
        }
        Ok(Board {
            width: width as u8,
            height: height as u8,
            first_rank,
            squares: SquareSet::first((width * height) as usize),
            wrap: (false, false),
            cells: Cells::Square,
            links: None,
            regions: Vec::new(),
            drawing: Drawing::default(),
        })
    }

    /// Takes squares out of the board: pieces can neither occupy nor pass them.
    pub fn cut(&mut self, holes: SquareSet) {
        self.squares -= holes;
    }

    /// Joins the left edge to the right one (`files`), the lower to the upper one (`ranks`).
    pub fn wrap(&mut self, files: bool, ranks: bool) {
        self.wrap = (files, ranks);
    }

    /// Sets the drawing.
    pub fn draw_as(&mut self, drawing: Drawing) {
        self.drawing = drawing;
    }

    /// The drawing.
    pub fn drawing(&self) -> &Drawing {
        &self.drawing
    }

    /// Whether the left edge is joined to the right one, and the lower to the upper one.
    pub fn wraps(&self) -> (bool, bool) {
        self.wrap
    }

    /// Adds a region; a region of the same name is replaced.
    pub fn add_region(&mut self, region: Region) {
        self.regions.retain(|r| r.name != region.name);
        self.regions.push(region);
    }

    /// The number of files, 1 to 16.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// The number of ranks, 1 to 16.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// The number of the lowest rank.
    pub fn first_rank(&self) -> u8 {
        self.first_rank
    }

    /// The number of indices, holes included: width times height.
    pub fn len(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Always false, since a board has at least one square. (Present because `len` is.)
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All squares, excluding holes.
    pub fn squares(&self) -> SquareSet {
        self.squares
    }

    /// The regions, in order of declaration.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The region called `name`.
    pub fn region(&self, name: &str) -> Option<&Region> {
        self.regions.iter().find(|r| r.name == name)
    }

    /// The file of a square, from 0.
    pub fn file(&self, square: Square) -> u8 {
        square.0 % self.width
    }

    /// The rank of a square, from 0 for any numbering.
    pub fn rank(&self, square: Square) -> u8 {
        square.0 / self.width
    }

    /// The square on `file` and `rank` (both from 0), if the board has it.
    pub fn at(&self, file: i64, rank: i64) -> Option<Square> {
        if !(0..i64::from(self.width)).contains(&file) || !(0..i64::from(self.height)).contains(&rank) {
            return None;
        }
        let square = Square((rank * i64::from(self.width) + file) as u8);
        self.squares.contains(square).then_some(square)
    }

    /// The square that `offset` leads to from `from`; `None` off the board or in a hole. If ways fork, the first of the
    /// squares: see [`offsets`](Board::offsets).
    pub fn offset(&self, from: Square, (dx, dy): Offset) -> Option<Square> {
        if self.links.is_some() {
            return self.offsets(from, (dx, dy)).lowest();
        }
        let mut x = i64::from(self.file(from)) + i64::from(dx);
        let mut y = i64::from(self.rank(from)) + i64::from(dy);
        if self.wrap.0 {
            x = x.rem_euclid(i64::from(self.width));
        }
        if self.wrap.1 {
            y = y.rem_euclid(i64::from(self.height));
        }
        self.at(x, y)
    }

    /// All squares on `file` (from 0).
    pub fn file_set(&self, file: u8) -> SquareSet {
        let square = |rank: u8| Square(rank * self.width + file);
        self.squares & (0..self.height).map(square).collect()
    }

    /// All squares on `rank` (from 0).
    pub fn rank_set(&self, rank: u8) -> SquareSet {
        let square = |file: u8| Square(rank * self.width + file);
        self.squares & (0..self.width).map(square).collect()
    }

    /// The square's name: a letter for the file and the rank's number, such as `e4`.
    pub fn name(&self, square: Square) -> String {
        format!("{}{}", (b'a' + self.file(square)) as char, self.rank(square) + self.first_rank)
    }

    /// Reads a square's name; `None` if the board has no such square.
    pub fn parse(&self, name: &str) -> Option<Square> {
        let mut letters = name.chars();
        let file = letters.next().filter(char::is_ascii_lowercase)?;
        let digits = letters.as_str();
        if digits.is_empty()
            || !digits.bytes().all(|b| b.is_ascii_digit())
            || (digits.len() > 1 && digits.starts_with('0'))
        {
            return None;
        }
        let rank: i64 = digits.parse().ok()?;
        self.at(i64::from(file as u8 - b'a'), rank - i64::from(self.first_rank))
    }

    /// The square reached when the board is turned `quarters` times about its center: by a quarter (only half turns on
    /// boards that are not square), on hexagons by a sixth. `None` if there is a hole, and on boards made of patches, whose
    /// names do not determine turns.
    pub fn turned(&self, square: Square, quarters: u8) -> Option<Square> {
        if self.links.is_some() && !self.has_drawn_lines() && !quarters.is_multiple_of(4) {
            return None;
        }
        let (x, y) = (i64::from(self.file(square)), i64::from(self.rank(square)));
        if self.cells == Cells::Hex {
            let (x, y) = self.spun((x, y), quarters);
            return self.at(x, y);
        }
        let (w, h) = (i64::from(self.width) - 1, i64::from(self.height) - 1);
        match quarters % 4 {
            0 => self.at(x, y),
            1 => self.at(y, h - x),
            2 => self.at(w - x, h - y),
            _ => self.at(w - y, x),
        }
    }
}
