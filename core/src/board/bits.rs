//! Square sets as narrow as the board allows, for the inner loops of the move generator.
//!
//! A board of at most 64 or 128 squares uses one `u64` or `u128`, a larger one the full [`SquareSet`]. Builds for browsers
//! do without `u128`. The numbering of squares is the same for all three.

use crate::board::square::{Square, SquareSet};
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A set of squares of some width.
pub(crate) trait Bits:
    Copy + Eq + BitAnd<Output = Self> + BitOr<Output = Self> + BitOrAssign + Not<Output = Self>
{
    /// The empty set.
    const NONE: Self;

    /// The squares of `set`; those beyond the width must be absent.
    fn of(set: SquareSet) -> Self;

    /// Set number `index` of the consecutive sets in `words`, each as wide as this.
    fn read(words: &[u64], index: usize) -> Self;

    /// The same squares as a full set.
    fn set(self) -> SquareSet;

    /// The number of squares.
    fn count(self) -> u32;

    /// Whether there are more than `few` squares: faster than counting if `few` is small.
    fn more_than(mut self, few: u32) -> bool {
        for _ in 0..few {
            if self.pop().is_none() {
                return false;
            }
        }
        !self.is_none()
    }

    /// Removes and returns the lowest square.
    fn pop(&mut self) -> Option<Square>;

    /// All squares up to and including the lowest of this set; every square if the set is empty.
    fn through_lowest(self) -> Self;

    /// All squares down to and including the highest of this set; every square if the set is empty.
    fn through_highest(self) -> Self;

    /// Whether the set is empty.
    fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// Whether `square` belongs to the set.
    fn has(self, square: Square) -> bool;

    /// The set of one square.
    fn just(square: Square) -> Self;

    /// The set if the condition holds, otherwise the empty set; without a branch.
    fn when(self, condition: bool) -> Self;

    /// The set with `square`.
    fn with(self, square: Square) -> Self {
        self | Self::just(square)
    }

    /// The set without `square`.
    fn without(self, square: Square) -> Self {
        self & !Self::just(square)
    }
}

macro_rules! integer {
    ($int:ident, $of:expr, $read:expr, $set:expr) => {
        impl Bits for $int {
            const NONE: $int = 0;

            fn of(set: SquareSet) -> $int {
                let of: fn([u64; 4]) -> $int = $of;
                of(set.0)
            }

            fn read(words: &[u64], index: usize) -> $int {
                let read: fn(&[u64], usize) -> $int = $read;
                read(words, index)
            }

            fn set(self) -> SquareSet {
                let set: fn($int) -> [u64; 4] = $set;
                SquareSet(set(self))
            }

            fn count(self) -> u32 {
                self.count_ones()
            }

            fn pop(&mut self) -> Option<Square> {
                let square = (*self != 0).then_some(Square(self.trailing_zeros() as u8));
                *self &= self.wrapping_sub(1);
                square
            }

            fn when(self, condition: bool) -> $int {
                self & $int::from(condition).wrapping_neg()
            }

            fn through_lowest(self) -> $int {
                self ^ self.wrapping_sub(1)
            }

            fn through_highest(self) -> $int {
                // Every descending line ends at square 0, so it can stand for the empty set.
                $int::MAX << ($int::BITS - 1 - (self | 1).leading_zeros())
            }

            fn has(self, square: Square) -> bool {
                self >> (u32::from(square.0) % $int::BITS) & 1 != 0
            }

            fn just(square: Square) -> $int {
                1 << (u32::from(square.0) % $int::BITS)
            }
        }
    };
}

/// The number of words in the sets of a board of `squares` squares: 1, 2 or 4. In a browser, where each width adds code to
/// download, sets that exceed one word take four.
pub(crate) const fn words(squares: usize) -> usize {
    match squares {
        0..=64 => 1,
        65..=128 if !cfg!(target_family = "wasm") => 2,
        _ => 4,
    }
}

integer!(u64, |set| set[0], |words, index| words[index], |bits| [bits, 0, 0, 0]);
integer!(
    u128,
    |set| u128::from(set[1]) << 64 | u128::from(set[0]),
    |words, index| u128::from(words[2 * index + 1]) << 64 | u128::from(words[2 * index]),
    |bits| [bits as u64, (bits >> 64) as u64, 0, 0]
);

impl Bits for SquareSet {
    const NONE: SquareSet = SquareSet::EMPTY;

    fn of(set: SquareSet) -> SquareSet {
        set
    }

    fn read(words: &[u64], index: usize) -> SquareSet {
        let words = &words[4 * index..][..4];
        SquareSet([words[0], words[1], words[2], words[3]])
    }

    fn set(self) -> SquareSet {
        self
    }

    fn count(self) -> u32 {
        self.len()
    }

    fn when(self, condition: bool) -> SquareSet {
        if condition { self } else { SquareSet::EMPTY }
    }

    fn pop(&mut self) -> Option<Square> {
        let lowest = self.lowest()?;
        self.remove(lowest);
        Some(lowest)
    }

    fn through_lowest(self) -> SquareSet {
        let mut words = [u64::MAX; 4];
        if let Some(word) = self.0.iter().position(|&w| w != 0) {
            words[word] = self.0[word].through_lowest();
            words[word + 1..].fill(0);
        }
        SquareSet(words)
    }

    fn through_highest(self) -> SquareSet {
        let mut words = [u64::MAX; 4];
        if let Some(word) = self.0.iter().rposition(|&w| w != 0) {
            words[word] = self.0[word].through_highest();
            words[..word].fill(0);
        }
        SquareSet(words)
    }

    fn has(self, square: Square) -> bool {
        self.contains(square)
    }

    fn just(square: Square) -> SquareSet {
        square.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same set gives the same answers at every width that can hold it.
    fn check(squares: &[u8], width: usize) {
        let set: SquareSet = squares.iter().map(|&s| Square(s)).collect();
        let board = SquareSet::first(width);
        let lowest = squares.first().map_or(255, |&s| s);
        let highest = squares.last().map_or(0, |&s| s);
        let up: SquareSet = board.into_iter().filter(|s| s.0 <= lowest).collect();
        let down: SquareSet = board.into_iter().filter(|s| s.0 >= highest).collect();
        assert_eq!((set.through_lowest() & board, set.through_highest() & board), (up, down));
        fn narrow<B: Bits>(set: SquareSet, board: SquareSet, up: SquareSet, down: SquareSet) {
            let bits = B::of(set);
            assert_eq!((bits.through_lowest() & B::of(board)).set(), up);
            assert_eq!((bits.through_highest() & B::of(board)).set(), down);
            assert_eq!((bits.set(), bits.count(), bits.is_none()), (set, set.len(), set.is_empty()));
            assert!(board.into_iter().all(|s| bits.has(s) == set.contains(s)));
            let (mut rest, mut popped) = (bits, Vec::new());
            while let Some(square) = rest.pop() {
                popped.push(square);
            }
            assert_eq!(popped, set.into_iter().collect::<Vec<_>>());
        }
        narrow::<SquareSet>(set, board, up, down);
        if width <= 128 {
            narrow::<u128>(set, board, up, down);
        }
        if width <= 64 {
            narrow::<u64>(set, board, up, down);
        }
    }

    #[test]
    fn widths_agree() {
        check(&[], 64);
        check(&[0], 64);
        check(&[63], 64);
        check(&[5, 9, 40], 64);
        check(&[64], 90);
        check(&[0, 64, 89], 90);
        check(&[63, 127], 128);
        check(&[70, 200, 255], 256);
        check(&[], 256);
    }
}
