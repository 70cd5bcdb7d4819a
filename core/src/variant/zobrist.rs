//! Zobrist hash keys of positions.
//!
//! Keys come from a fixed sequence (SplitMix64), so that a position has the same hash on every platform and in every
//! version. The variant determines the size of the key tables.

use crate::board::piece::Piece;
use crate::board::side::{MAX_SIDES, Side};
use crate::board::square::{MAX_SQUARES, Square};
use crate::dice::mix;
use crate::variant::Spec;

/// The keys of one variant.
#[derive(Clone, Debug)]
pub(crate) struct Zobrist {
    /// By piece and square.
    pieces: Vec<[u64; MAX_SQUARES]>,
    sides: [u64; MAX_SIDES],
    en_passant: Vec<u64>,
}

const CASTLING: u64 = 1 << 32;
const EN_PASSANT: u64 = 2 << 32;
const SIDE: u64 = 3 << 32;
const CELL: u64 = 4 << 32;
const TRAIT: u64 = 5 << 32;
const OUT: u64 = 6 << 32;
const BENEATH: u64 = 7 << 32;

impl Zobrist {
    pub(crate) fn new(spec: &Spec) -> Zobrist {
        let squares = spec.board.len();
        let mut pieces = vec![[0; MAX_SQUARES]; Piece::indices(spec.sides.len(), spec.kinds.len())];
        for (piece, row) in pieces.iter_mut().enumerate() {
            for (square, key) in row[..squares].iter_mut().enumerate() {
                *key = mix((piece * squares + square) as u64 + 1);
            }
        }
        // The first side has no key, since most hashed positions have it to move.
        let sides = std::array::from_fn(|side| if side == 0 { 0 } else { mix(SIDE + side as u64) });
        let en_passant = (0..MAX_SQUARES as u64).map(|square| mix(EN_PASSANT + square)).collect();
        Zobrist { pieces, sides, en_passant }
    }

    pub(crate) fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.row(piece)[square.index()]
    }

    /// The keys of a piece by square.
    pub(crate) fn row(&self, piece: Piece) -> &[u64; MAX_SQUARES] {
        &self.pieces[piece.index()]
    }

    pub(crate) fn castling(&self, rights: u16) -> u64 {
        if rights == 0 { 0 } else { mix(CASTLING + u64::from(rights)) }
    }

    pub(crate) fn en_passant(&self, target: Square) -> u64 {
        self.en_passant[target.index()]
    }

    pub(crate) fn side(&self, side: Side) -> u64 {
        self.sides[side.index()]
    }

    /// The key of a piece beneath others, at this level above the ground.
    pub(crate) fn beneath(&self, piece: Piece, square: Square, level: usize) -> u64 {
        let piece = piece.index() as u64;
        let (low, beyond) = (piece & 0xff, (piece >> 8) << 40);
        mix(BENEATH + beyond + ((level as u64) << 16) + (u64::from(square.0) << 8) + low)
    }

    /// The key of a side that is out of the game.
    pub(crate) fn out(&self, side: Side) -> u64 {
        mix(OUT + side.index() as u64)
    }

    pub(crate) fn cell(&self, index: usize, value: i16) -> u64 {
        if value == 0 { 0 } else { mix(CELL + ((index as u64) << 16) + u64::from(value as u16)) }
    }

    pub(crate) fn trait_value(&self, index: usize, square: Square, value: i16) -> u64 {
        if value == 0 {
            0
        } else {
            mix(TRAIT + ((index as u64) << 40) + (u64::from(square.0) << 16) + u64::from(value as u16))
        }
    }
}
