//! Bitboards: the set of squares of each side, and of each kind if there is room.
//!
//! A set has as many words as the board needs, so that small boards have room for all kinds. The sets follow from the
//! board, and every change updates both. With more than four sides they also hold what the bytes of the board leave out:
//! whether a piece belongs to one of the last four sides.

use crate::board::bits::{Bits, words};
use crate::board::piece::{KindMask, Piece};
use crate::board::side::Side;
use crate::board::square::Square;

/// Room for four sides on the largest board (and one kind); for seven more kinds on a board of 128 squares, for 18 on one
/// of 64.
const WORDS: usize = 22;

/// The maximum number of words in use if [`Shape::is_small`].
const FEW: usize = 10;

/// The sets that identify the owners of pieces: one for each side. With more than four sides, one for all pieces and one
/// for each binary digit of the side's number.
const SIDES: usize = 4;

/// The set with the highest digit of the side's number.
const LAST_SIDES: usize = 3;

/// The sets kept for a game: the same for all its positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// The number of words in a set: 1, 2 or 4.
    width: u8,
    /// The number of kinds whose sets are kept: all or none.
    kinds: u8,
    /// Whether there are more than four sides.
    many: bool,
    /// Whether a set is a single word, and each side has one.
    plain: bool,
}

impl Shape {
    /// The layout for a board of this many squares, sides and kinds of pieces.
    pub(crate) fn new(squares: usize, sides: usize, kinds: usize) -> Shape {
        let width = words(squares);
        let kinds = if (SIDES + kinds) * width <= WORDS { kinds } else { 0 };
        let many = sides > SIDES;
        Shape { width: width as u8, kinds: kinds as u8, many, plain: width == 1 && !many }
    }

    /// The number of words in a set.
    pub(crate) fn width(self) -> u8 {
        self.width
    }

    /// Whether there are more than four sides.
    pub(crate) fn has_many_sides(self) -> bool {
        self.many
    }

    /// Whether the sets of kinds are kept.
    pub(crate) fn by_kind(self) -> bool {
        self.kinds != 0
    }

    /// Whether [`Bitboards::copy_few`] copies all words in use.
    pub(crate) fn is_small(self) -> bool {
        self.width == 1 && SIDES + usize::from(self.kinds) <= FEW
    }
}

/// Evaluates an expression with a type name for sets of the board's width.
macro_rules! at_width {
    ($shape:expr, $bits:ident => $body:expr) => {
        match $shape.width() {
            1 => {
                type $bits = u64;
                $body
            }
            #[cfg(not(target_family = "wasm"))]
            2 => {
                type $bits = u128;
                $body
            }
            _ => {
                type $bits = crate::board::square::SquareSet;
                $body
            }
        }
    };
}
pub(super) use at_width;

/// The squares of all sides and, if there is room, of all kinds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bitboards([u64; WORDS]);

impl Bitboards {
    pub(crate) const EMPTY: Bitboards = Bitboards([0; WORDS]);

    /// The squares of a side; `B` must be of the board's width.
    pub(crate) fn side<B: Bits>(&self, shape: Shape, side: Side) -> B {
        if shape.many { self.numbered(side.index()) } else { B::read(&self.0, side.index()) }
    }

    /// The squares of a side, in a game with more than four.
    #[inline(never)]
    fn numbered<B: Bits>(&self, side: usize) -> B {
        let digits = (1..SIDES).map(|set| (B::read(&self.0, set), side >> (set - 1) & 1 != 0));
        digits.fold(B::read(&self.0, 0), |found, (set, digit)| found & if digit { set } else { !set })
    }

    /// Whether the piece on a square belongs to one of the last four sides; only for games with more than four.
    pub(crate) fn is_of_last_sides(&self, shape: Shape, square: Square) -> bool {
        let word = LAST_SIDES * usize::from(shape.width) + usize::from(square.0 >> 6);
        self.0[word] >> (square.0 & 63) & 1 != 0
    }

    /// The squares of all sides; `B` must be of the board's width.
    pub(crate) fn all<B: Bits>(&self) -> B {
        B::read(&self.0, 0) | B::read(&self.0, 1) | B::read(&self.0, 2) | B::read(&self.0, 3)
    }

    /// The squares of some kinds; `None` if they are not kept. `B` must be of the board's width.
    pub(crate) fn of_kinds<B: Bits>(&self, shape: Shape, kinds: KindMask) -> Option<B> {
        let (mut found, mut rest) = (B::NONE, kinds.0 & ((1 << shape.kinds) - 1));
        while rest != 0 {
            found |= B::read(&self.0, SIDES + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
        shape.by_kind().then_some(found)
    }

    /// A piece appears on a square, or disappears from it.
    pub(crate) fn flip(&mut self, shape: Shape, piece: Piece, square: Square) {
        match shape.many {
            false => self.flip_one(shape, piece.side().index(), square),
            true => {
                let sets = (0..SIDES).filter(|&set| set == 0 || piece.side().0 >> (set - 1) & 1 != 0);
                sets.for_each(|set| self.flip_one(shape, set, square));
            }
        }
        if shape.by_kind() {
            self.flip_one(shape, SIDES + piece.kind().index(), square);
        }
    }

    fn flip_one(&mut self, shape: Shape, plane: usize, square: Square) {
        let word = plane * usize::from(shape.width) + usize::from(square.0 >> 6);
        self.0[word] ^= 1 << (square.0 & 63);
    }

    /// A piece goes from one square to another.
    #[inline(always)]
    pub(crate) fn shift(&mut self, shape: Shape, piece: Piece, from: Square, to: Square) {
        let (side, kind) = (piece.side().index(), SIDES + piece.kind().index());
        if !shape.plain {
            return self.shift_wide(shape, piece, from, to);
        }
        // By far the most common case, without looking up the place of the words.
        let both = 1 << (from.0 & 63) | 1 << (to.0 & 63);
        self.0[side] ^= both;
        if shape.by_kind() {
            self.0[kind] ^= both;
        }
    }

    fn shift_wide(&mut self, shape: Shape, piece: Piece, from: Square, to: Square) {
        if shape.many {
            self.flip(shape, piece, from);
            return self.flip(shape, piece, to);
        }
        self.shift_one(shape, piece.side().index(), from, to);
        if shape.by_kind() {
            self.shift_one(shape, SIDES + piece.kind().index(), from, to);
        }
    }

    fn shift_one(&mut self, shape: Shape, plane: usize, from: Square, to: Square) {
        let first = plane * usize::from(shape.width);
        let (gone, come) = (1 << (from.0 & 63), 1 << (to.0 & 63));
        let (a, b) = (usize::from(from.0 >> 6), usize::from(to.0 >> 6));
        // One memory access where two would be dependent.
        if a == b {
            self.0[first + a] ^= gone | come;
        } else {
            self.0[first + a] ^= gone;
            self.0[first + b] ^= come;
        }
    }

    /// Copies the sets of a [small](Shape::is_small) board.
    pub(crate) fn copy_few(&mut self, source: &Bitboards) {
        self.0[..FEW].copy_from_slice(&source.0[..FEW]);
    }

    /// Copies all sets, in two parts that are short enough to be copied without a call.
    pub(crate) fn copy_all(&mut self, source: &Bitboards) {
        self.0[..FEW].copy_from_slice(&source.0[..FEW]);
        self.0[FEW..].copy_from_slice(&source.0[FEW..]);
    }
}
