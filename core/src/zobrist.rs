//! Hash keys of positions.
//!
//! Keys come from a fixed sequence (SplitMix64), so that a position has the same hash on every
//! platform and in every version. Tables are sized by the variant.

use crate::army::{Piece, Side};
use crate::dice::mix;
use crate::square::Square;
use crate::variant::Spec;

/// The keys of one variant.
#[derive(Clone, Debug)]
pub(crate) struct Zobrist {
    pieces: Vec<u64>,
    squares: usize,
}

const CASTLING: u64 = 1 << 32;
const EN_PASSANT: u64 = 2 << 32;
const SIDE: u64 = 3 << 32;
const CELL: u64 = 4 << 32;
const TRAIT: u64 = 5 << 32;

impl Zobrist {
    pub(crate) fn new(spec: &Spec) -> Zobrist {
        let squares = spec.board.len();
        let pieces = (spec.kinds.len() + 1) * 4;
        Zobrist { pieces: (0..pieces * squares).map(|i| mix(i as u64 + 1)).collect(), squares }
    }

    #[inline]
    pub(crate) fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.pieces[piece.index() * self.squares + square.index()]
    }

    #[inline]
    pub(crate) fn castling(&self, rights: u16) -> u64 {
        if rights == 0 { 0 } else { mix(CASTLING + u64::from(rights)) }
    }

    #[inline]
    pub(crate) fn en_passant(&self, target: Square) -> u64 {
        mix(EN_PASSANT + u64::from(target.0))
    }

    #[inline]
    pub(crate) fn side(&self, side: Side) -> u64 {
        if side.0 == 0 { 0 } else { mix(SIDE + u64::from(side.0)) }
    }

    #[inline]
    pub(crate) fn cell(&self, index: usize, value: i16) -> u64 {
        if value == 0 { 0 } else { mix(CELL + ((index as u64) << 16) + u64::from(value as u16)) }
    }

    #[inline]
    pub(crate) fn trait_value(&self, index: usize, square: Square, value: i16) -> u64 {
        if value == 0 { 0 } else { mix(TRAIT + ((index as u64) << 40) + (u64::from(square.0) << 16) + u64::from(value as u16)) }
    }
}
