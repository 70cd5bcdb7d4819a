//! Neighbours, compiled: what is next to each square of the board, and what hangs together by neighbours.

use crate::board::Board;
use crate::board::square::{MAX_SQUARES, Square, SquareSet};

/// What is next to each square.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours(Vec<SquareSet>);

impl Neighbours {
    /// Those of a board.
    pub(super) fn of(board: &Board) -> Neighbours {
        let around = |square| if board.squares().contains(square) { board.around(square) } else { SquareSet::EMPTY };
        Neighbours((0..MAX_SQUARES).map(|index| around(Square(index as u8))).collect())
    }

    /// The neighbours of some squares, themselves not included.
    pub(crate) fn around(&self, set: SquareSet) -> SquareSet {
        let mut all = SquareSet::EMPTY;
        set.into_iter().for_each(|square| all |= self.0[square.index()]);
        all - set
    }

    /// The squares of `within` that chains of neighbours within it join to `seeds` (those of them that
    /// belong to it included).
    pub(crate) fn group(&self, seeds: SquareSet, within: SquareSet) -> SquareSet {
        let mut group = seeds & within;
        let mut edge = group;
        while !edge.is_empty() {
            edge = self.around(edge) & (within - group);
            group |= edge;
        }
        group
    }

    /// The largest part of `set` that hangs together; of equally large ones, that with the first square.
    pub(crate) fn largest_group(&self, set: SquareSet) -> SquareSet {
        let (mut rest, mut largest) = (set, SquareSet::EMPTY);
        while let Some(square) = rest.lowest() {
            let group = self.group(square.into(), rest);
            if group.len() > largest.len() {
                largest = group;
            }
            rest -= group;
        }
        largest
    }
}
