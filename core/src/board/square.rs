//! Squares and sets of squares.
//!
//! Owns the numbering (a square is an index below 256) and the 256-bit set. Files, ranks and neighbors belong to
//! [`Board`](crate::board::Board).

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

/// The largest number of squares that a board may have.
pub const MAX_SQUARES: usize = 256;

/// A square of a board, numbered rank by rank from the first side's left corner: on a board of
/// width `w` the square on file `x` and rank `y` (both from 0) has the index `y * w + x`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(pub u8);

impl Square {
    /// The index, for tables of at least the board's size.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of squares.
///
/// ```
/// use astragal_core::{Square, SquareSet};
/// let corners: SquareSet = [Square(0), Square(7)].into_iter().collect();
/// assert!(corners.contains(Square(7)));
/// assert_eq!((corners - Square(0).into()).len(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SquareSet(pub(crate) [u64; 4]);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: SquareSet = SquareSet([0; 4]);

    /// The squares with an index below `n`; all 256 for larger `n`.
    pub(crate) fn first(n: usize) -> SquareSet {
        (0..n.min(MAX_SQUARES)).map(|i| Square(i as u8)).collect()
    }

    /// Whether `square` belongs to the set.
    pub fn contains(self, square: Square) -> bool {
        self.0[(square.0 >> 6) as usize] >> (square.0 & 63) & 1 != 0
    }

    /// Adds `square`; no effect if the set already contains it.
    pub fn insert(&mut self, square: Square) {
        self.0[(square.0 >> 6) as usize] |= 1 << (square.0 & 63);
    }

    /// Removes `square`; no effect if the set does not contain it.
    pub(crate) fn remove(&mut self, square: Square) {
        self.0[(square.0 >> 6) as usize] &= !(1 << (square.0 & 63));
    }

    /// The number of squares in the set, 0 to 256.
    pub fn len(self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// Whether no square belongs to the set.
    pub fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The square with the lowest index.
    pub(crate) fn lowest(self) -> Option<Square> {
        self.into_iter().next()
    }

    /// Whether every square of `self` belongs to `other`.
    pub fn is_subset(self, other: SquareSet) -> bool {
        (self & other) == self
    }
}

impl From<Square> for SquareSet {
    fn from(square: Square) -> Self {
        let mut set = SquareSet::EMPTY;
        set.insert(square);
        set
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<T: IntoIterator<Item = Square>>(iter: T) -> Self {
        let mut set = SquareSet::EMPTY;
        iter.into_iter().for_each(|square| set.insert(square));
        set
    }
}

/// Squares of a set in ascending order.
#[derive(Clone)]
pub struct Squares {
    words: [u64; 4],
    word: usize,
}

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        while self.word < 4 {
            let bits = self.words[self.word];
            if bits != 0 {
                self.words[self.word] = bits & (bits - 1);
                return Some(Square((self.word as u32 * 64 + bits.trailing_zeros()) as u8));
            }
            self.word += 1;
        }
        None
    }

    /// Equivalent to iterating one by one, but works word by word.
    fn fold<T, F: FnMut(T, Square) -> T>(self, start: T, mut with: F) -> T {
        let mut so_far = start;
        for (word, mut bits) in self.words.into_iter().enumerate().skip(self.word) {
            while bits != 0 {
                so_far = with(so_far, Square((word as u32 * 64 + bits.trailing_zeros()) as u8));
                bits &= bits - 1;
            }
        }
        so_far
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        Squares { words: self.0, word: 0 }
    }
}

macro_rules! bitwise {
    ($trait:ident $method:ident $assign:ident $assign_method:ident $f:expr) => {
        impl $trait for SquareSet {
            type Output = SquareSet;
            fn $method(self, other: SquareSet) -> SquareSet {
                let f: fn(u64, u64) -> u64 = $f;
                SquareSet([
                    f(self.0[0], other.0[0]),
                    f(self.0[1], other.0[1]),
                    f(self.0[2], other.0[2]),
                    f(self.0[3], other.0[3]),
                ])
            }
        }
        impl $assign for SquareSet {
            fn $assign_method(&mut self, other: SquareSet) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

bitwise!(BitAnd bitand BitAndAssign bitand_assign |a, b| a & b);
bitwise!(BitOr bitor BitOrAssign bitor_assign |a, b| a | b);
bitwise!(BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b);
bitwise!(Sub sub SubAssign sub_assign |a, b| a & !b);

impl Not for SquareSet {
    type Output = SquareSet;
    fn not(self) -> SquareSet {
        SquareSet([!self.0[0], !self.0[1], !self.0[2], !self.0[3]])
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(|s| s.0)).finish()
    }
}
