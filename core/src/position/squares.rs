//! Reads the pieces on squares.
//!
//! A position keeps one byte per square and converts it to a [`Piece`] on request: the whole piece or, where that is
//! enough, a part of it.

use super::{BLOCK, Position};
use crate::board::piece::{Kind, Piece};
use crate::board::side::Side;
use crate::board::square::{MAX_SQUARES, Square};

impl Position {
    /// The piece on `square`, in a heap the topmost.
    #[inline]
    pub fn at(&self, square: Square) -> Piece {
        if self.layout.shape.has_many_sides() {
            return self.at_of_many(square);
        }
        Piece::of_byte(self.board[square.index()])
    }

    /// [`Position::at`] with more than four sides.
    #[cold]
    #[inline(never)]
    fn at_of_many(&self, square: Square) -> Piece {
        let byte = self.board[square.index()];
        match self.bitboards.is_of_last_sides(self.layout.shape, square) {
            true => Piece::of_byte_beyond(byte),
            false => Piece::of_byte(byte),
        }
    }

    /// The piece on a square that holds a piece of `side`: faster than [`Position::at`]. Meaningless elsewhere.
    pub(crate) fn own_at(&self, square: Square, side: Side) -> Piece {
        Piece::of_side(side, self.board[square.index()])
    }

    /// The kind of the piece on a square; on an empty one a wrapped value, which no variant has.
    pub(crate) fn kind_at(&self, square: Square) -> Kind {
        Piece::kind_of_byte(self.board[square.index()])
    }

    /// Whether a square is empty.
    pub(crate) fn is_vacant(&self, square: Square) -> bool {
        self.board[square.index()] == 0
    }

    /// Whether the piece on a square, which is not empty, belongs to `side`: faster than reading the piece's side.
    #[inline(always)]
    pub(crate) fn is_of(&self, square: Square, side: Side) -> bool {
        let shape = self.layout.shape;
        Piece::byte_suits(self.board[square.index()], side)
            && (!shape.has_many_sides() || self.bitboards.is_of_last_sides(shape, square) == Piece::has_high_bit(side))
    }

    /// Updates a copy of another position's board to this one: the piece on each square, as [`Position::at`] returns it.
    /// Calls `changed` for each square that differs, with the old and the new piece. Both positions must be of the same
    /// variant.
    pub fn update_board(&self, board: &mut [Piece; MAX_SQUARES], mut changed: impl FnMut(Square, Piece, Piece)) {
        // The number of squares compared at once.
        const STEP: usize = 16;
        let used = BLOCK * usize::from(self.layout.blocks);
        let many = self.layout.shape.has_many_sides();
        let (own, _) = self.board[..used].as_chunks::<STEP>();
        let (kept, _) = board[..used].as_chunks_mut::<STEP>();
        for (i, (own, kept)) in own.iter().zip(kept).enumerate() {
            // Most have not changed. With more than four sides, different pieces may have the same byte.
            let differ = own.iter().zip(kept.iter()).fold(0, |differ, (a, b)| differ | (a ^ b.low_byte()));
            if differ == 0 && !many {
                continue;
            }
            for (at, kept) in kept.iter_mut().enumerate() {
                let square = Square((STEP * i + at) as u8);
                let now = self.at(square);
                if *kept != now {
                    changed(square, *kept, now);
                    *kept = now;
                }
            }
        }
    }
}
