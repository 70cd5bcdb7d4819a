//! Sums over the pieces of a position: their values, their number, and their distances from enemy royals.
//!
//! Owns sums that are updated from one position to the next: most positions that a search evaluates differ from the
//! previous one in few squares. Sums are integers, so they do not depend on the path of updates. Knows no state of a game.

use crate::learned::Room;
use crate::piece_values::{PieceValues, UNITS};
use astragal_core::{MAX_SIDES, MAX_SQUARES, Piece, Position, Side, Square, Variant};

/// The number of king's steps between two squares.
#[derive(Clone)]
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

    /// The total distance of the pieces of each side from a square.
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
    /// The board of that position.
    board: Box<[Piece; MAX_SQUARES]>,
    /// By side.
    worth: [i64; MAX_SIDES],
    /// By side.
    pieces: [i64; MAX_SIDES],
    /// The royal of each side that has exactly one.
    royals: [Option<Square>; MAX_SIDES],
    /// By the side of the royal, then by the side of the pieces: the total distance of the pieces from the single royal.
    distances: [[i64; MAX_SIDES]; MAX_SIDES],
    /// Room for a learned evaluation.
    pub(crate) room: Room,
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
            room: Room::default(),
        }
    }

    /// Updates the sums to another position of the same variant.
    pub(crate) fn follow(&mut self, values: &PieceValues, distances: &Distances, position: &Position) {
        let PieceSums { board, worth, pieces, royals, distances: sums, room: _ } = self;
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

    /// The total value of a side's pieces on the board, in moves.
    pub(crate) fn worth(&self, side: Side) -> f64 {
        self.worth[side.index()] as f64 / UNITS
    }

    /// The number of pieces of a side, and their total distance, in king's steps, from another side's only royal; `None` if
    /// that side does not have exactly one.
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

    /// Updated sums equal sums counted from the board, from whatever position they are updated: in a game where kings can
    /// be captured, one with promotions and two kings, one with neither, and one for four.
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
                    // Some positions are skipped, so that several events may lie between two updates.
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
