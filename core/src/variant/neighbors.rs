//! Compiled adjacency: the neighbors of each square, and groups of squares connected by neighbors.

use crate::board::Board;
use crate::board::square::{MAX_SQUARES, Square, SquareSet};

/// The neighbors of each square.
#[derive(Clone, Debug)]
pub(crate) struct Neighbors(Vec<SquareSet>);

impl Neighbors {
    /// The adjacency of a board.
    pub(super) fn of(board: &Board) -> Neighbors {
        let around = |square| if board.squares().contains(square) { board.around(square) } else { SquareSet::EMPTY };
        Neighbors((0..MAX_SQUARES).map(|index| around(Square(index as u8))).collect())
    }

    /// The neighbors of some squares, excluding those squares.
    pub(crate) fn around(&self, set: SquareSet) -> SquareSet {
        let mut all = SquareSet::EMPTY;
        set.into_iter().for_each(|square| all |= self.0[square.index()]);
        all - set
    }

    /// The squares of `within` that are connected to `seeds` by chains of neighbors within it, including the seeds that
    /// belong to it.
    pub(crate) fn group(&self, seeds: SquareSet, within: SquareSet) -> SquareSet {
        let mut group = seeds & within;
        let mut edge = group;
        while !edge.is_empty() {
            edge = self.around(edge) & (within - group);
            group |= edge;
        }
        group
    }

    /// The largest connected part of `set`; of equally large ones, that with the first square.
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
