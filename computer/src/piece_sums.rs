//! What the pieces of a position add up to: their worth, their number, and how far they stand from each other's royals.
//!
//! Owns sums that follow a position from one to the next: most positions that a search evaluates differ from the one
//! before in few squares. Sums are integers, so it does not matter which way they came. Knows no state of a game.

use crate::piece_values::{PieceValues, UNITS};
use astragal_core::{MAX_SIDES, MAX_SQUARES, Piece, Position, Side, Square, Variant};

/// How many king's steps lie between two squares.
pub(crate) struct Distances {
    /// By both squares.
    steps: Vec<u8>,
    squares: usize,
    sides: usize,
}

impl Distances {
    /// Those on a variant's board.
    pub(crate) fn new(variant: &Variant) -> Distances {
        let board = variant.board();
        let all = || (0..board.len()).map(|square| Square(square as u8));
        let steps =
            |a: Square, b: Square| board.file(a).abs_diff(board.file(b)).max(board.rank(a).abs_diff(board.rank(b)));
        let steps = all().flat_map(|a| all().map(move |b| steps(a, b))).collect();
        Distances { steps, squares: board.len(), sides: variant.sides() }
    }

    /// How far the pieces of each side stand from a square, all together.
    fn of_all(&self, position: &Position, from: Square) -> [i64; MAX_SIDES] {
        let mut sums = [0; MAX_SIDES];
        for square in position.occupied() {
            sums[position.at(square).side().index()] += self.between(from, square);
        }
        sums
    }

    fn between(&self, a: Square, b: Square) -> i64 {
        i64::from(self.steps[a.index() * self.squares + b.index()])
    }
}

/// The sums of one position.
#[derive(Clone)]
pub(crate) struct PieceSums {
    /// The board that they are of.
    board: Box<[Piece; MAX_SQUARES]>,
    /// By side.
    worth: [i64; MAX_SIDES],
    /// By side.
    pieces: [i64; MAX_SIDES],
    /// The only royal of each side that has just one.
    royals: [Option<Square>; MAX_SIDES],
    /// By side of the royal and of the pieces: how far these stand from the only royal, all together.
    distances: [[i64; MAX_SIDES]; MAX_SIDES],
}

impl PieceSums {
    /// The sums of an empty board.
    pub(crate) fn empty() -> PieceSums {
        PieceSums {
            board: Box::new([Piece::NONE; MAX_SQUARES]),
            worth: [0; MAX_SIDES],
            pieces: [0; MAX_SIDES],
            royals: [None; MAX_SIDES],
            distances: [[0; MAX_SIDES]; MAX_SIDES],
        }
    }

    /// Become those of another position of the same variant.
    pub(crate) fn follow(&mut self, values: &PieceValues, distances: &Distances, position: &Position) {
        let PieceSums { board, worth, pieces, royals, distances: sums } = self;
        let sides = distances.sides;
        position.update_board(board, |square, before, now| {
            for (piece, times) in [(before, -1), (now, 1)] {
                if piece.is_none() {
                    continue;
                }
                let side = piece.side().index();
                worth[side] += times * values.on(piece, square);
                pieces[side] += times;
                for (royal, sums) in royals[..sides].iter().zip(sums.iter_mut()) {
                    if let Some(royal) = *royal {
                        sums[side] += times * distances.between(royal, square);
                    }
                }
            }
        });
        for side in 0..sides {
            let royal = position.sole_royal(Side(side as u8));
            if royal != self.royals[side] {
                self.royals[side] = royal;
                self.distances[side] = royal.map_or([0; MAX_SIDES], |royal| distances.of_all(position, royal));
            }
        }
    }

    /// What a side's pieces on the board are worth, in moves.
    pub(crate) fn worth(&self, side: Side) -> f64 {
        self.worth[side.index()] as f64 / UNITS
    }

    /// How many pieces a side has, and how many king's steps they are away from another's only royal, all together;
    /// `None` if that has not just one.
    pub(crate) fn distance(&self, side: Side, royal: Side) -> Option<(i64, i64)> {
        self.royals[royal.index()].map(|_| (self.pieces[side.index()], self.distances[royal.index()][side.index()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::step_randomly;
    use astragal_core::{State, Status, Stream};
    use std::sync::Arc;

    /// Whatever position sums come from, they say what can be counted on the board: in a game with kings to be taken,
    /// one with promotions and two kings, one with neither, and one for four.
    #[test]
    fn sums_are_what_the_board_says_wherever_they_came_from() {
        for name in ["dice-chess", "king-for-2", "backgammon", "four-handed-chess"] {
            let loaded = astragal_dsl::load_named(name, &[]).expect("a script that comes with the program");
            let variant = &loaded.set.variant;
            let (values, distances) = (PieceValues::new(variant, &loaded.start), Distances::new(variant));
            let mut sums = PieceSums::empty();
            for seed in 0..4 {
                let mut state = State::new(Arc::clone(&loaded.set), loaded.start.clone()).expect("a game");
                let mut random = Stream::new(seed, 0);
                for event in 0..200 {
                    if state.status() == Status::Over {
                        break;
                    }
                    step_randomly(&mut state, &mut random).expect("rules that do not fail");
                    // Not of each position: more than one event may lie between two.
                    if event % (seed + 1) == 0 {
                        sums.follow(&values, &distances, state.position());
                        compare(variant, &values, state.position(), &sums);
                    }
                }
            }
        }
    }

    fn compare(variant: &Variant, values: &PieceValues, position: &Position, sums: &PieceSums) {
        let board = variant.board();
        let steps =
            |a: Square, b: Square| board.file(a).abs_diff(board.file(b)).max(board.rank(a).abs_diff(board.rank(b)));
        for side in (0..variant.sides() as u8).map(Side) {
            let worth: i64 = position.of(side).into_iter().map(|s| values.on(position.at(s), s)).sum();
            assert_eq!(sums.worth(side), worth as f64 / UNITS);
            for royal in (0..variant.sides() as u8).map(Side) {
                let far = |from| position.of(side).into_iter().map(|s| i64::from(steps(from, s))).sum::<i64>();
                let counted = position.sole_royal(royal).map(|from| (i64::from(position.of(side).len()), far(from)));
                assert_eq!(sums.distance(side, royal), counted);
            }
        }
    }
}
