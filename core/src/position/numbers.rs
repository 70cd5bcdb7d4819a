//! The numbers of a position: traits of pieces, counters, marks on squares, hands. Only games that declare them have any.

use super::Position;
use crate::board::piece::{Kind, Piece};
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::variant::{SQUARES_OF_CELL, Variant};

impl Position {
    /// The value of trait number `index` of the piece on `square`; 0 if the square is empty.
    ///
    /// # Panics
    /// If the variant has no such trait.
    pub fn trait_at(&self, variant: &Variant, index: usize, square: Square) -> i16 {
        self.held_at(trait_index(variant, index, square))
    }

    /// Sets a trait of the piece on `square`.
    ///
    /// # Panics
    /// If the variant has no such trait.
    pub fn set_trait(&mut self, variant: &Variant, index: usize, square: Square, value: i16) {
        let Some(tail) = &mut self.tail else { return };
        let old = std::mem::replace(&mut tail.numbers[trait_index(variant, index, square)], value);
        self.header.hash ^=
            variant.zobrist.trait_value(index, square, old) ^ variant.zobrist.trait_value(index, square, value);
    }

    /// Gives the piece on `square` the initial traits of its kind.
    pub(crate) fn reset_traits(&mut self, variant: &Variant, square: Square, piece: Piece) {
        for (i, def) in variant.spec.traits.iter().enumerate() {
            let value = def.initial.get(piece.kind().index()).or(def.initial.last()).copied().unwrap_or(0);
            self.set_trait(variant, i, square, value);
        }
    }

    pub(super) fn clear_traits(&mut self, variant: &Variant, square: Square) {
        for i in 0..variant.spec.traits.len() {
            self.set_trait(variant, i, square, 0);
        }
    }

    fn held_at(&self, index: usize) -> i16 {
        self.tail.as_ref().map_or(0, |tail| tail.numbers[index])
    }

    fn cell(&mut self, variant: &Variant, index: usize, value: i16) {
        let Some(tail) = &mut self.tail else { return };
        let old = std::mem::replace(&mut tail.numbers[index], value);
        self.header.hash ^= variant.zobrist.cell(index, old) ^ variant.zobrist.cell(index, value);
    }

    /// The value of counter number `index`; `side` only matters if each side has its own.
    ///
    /// # Panics
    /// If the variant has no such counter.
    pub fn counter(&self, variant: &Variant, index: usize, side: Side) -> i16 {
        self.counter_at(variant, index, 0, side)
    }

    /// The value of one place of a counter; 0 if it has fewer places.
    ///
    /// # Panics
    /// If the variant has no such counter.
    pub fn counter_at(&self, variant: &Variant, index: usize, place: u8, side: Side) -> i16 {
        cell_of(variant, index, place, side).map_or(0, |cell| self.held_at(cell))
    }

    /// Sets a counter.
    ///
    /// # Panics
    /// If the variant has no such counter.
    pub fn set_counter(&mut self, variant: &Variant, index: usize, side: Side, value: i16) {
        self.set_counter_at(variant, index, 0, side, value);
    }

    /// Sets one place of a counter; no effect if it has fewer places.
    ///
    /// # Panics
    /// If the variant has no such counter.
    pub fn set_counter_at(&mut self, variant: &Variant, index: usize, place: u8, side: Side, value: i16) {
        if let Some(cell) = cell_of(variant, index, place, side) {
            self.cell(variant, cell, value);
        }
    }

    /// The squares with mark number `index`; `side` only matters if each side has its own.
    ///
    /// # Panics
    /// If the variant has no such mark.
    pub fn marked(&self, variant: &Variant, index: usize, side: Side) -> SquareSet {
        let (first, count) = mark_cells(variant, index, side);
        let mut set = SquareSet::EMPTY;
        for cell in 0..count {
            let bits = u64::from(self.held_at(first + cell) as u16);
            set.0[cell * SQUARES_OF_CELL / 64] |= bits << (cell * SQUARES_OF_CELL % 64);
        }
        set
    }

    /// Puts mark number `index` on these squares and removes it from all others.
    ///
    /// # Panics
    /// If the variant has no such mark.
    pub fn set_marked(&mut self, variant: &Variant, index: usize, side: Side, squares: SquareSet) {
        let (first, count) = mark_cells(variant, index, side);
        for cell in 0..count {
            let bits = squares.0[cell * SQUARES_OF_CELL / 64] >> (cell * SQUARES_OF_CELL % 64);
            self.cell(variant, first + cell, bits as u16 as i16);
        }
    }

    /// The number of pieces of `kind` in the hand of `side`; 0 in games without hands.
    pub fn in_hand(&self, variant: &Variant, side: Side, kind: Kind) -> i16 {
        if variant.spec.hands { self.held_at(side.index() * variant.kinds().len() + kind.index()) } else { 0 }
    }

    /// Sets the number of pieces of `kind` in the hand of `side`; ignored in games without hands.
    pub fn set_in_hand(&mut self, variant: &Variant, side: Side, kind: Kind, count: i16) {
        if variant.spec.hands {
            self.cell(variant, side.index() * variant.kinds().len() + kind.index(), count);
        }
    }
}

/// The index of a trait of the piece on a square.
fn trait_index(variant: &Variant, index: usize, square: Square) -> usize {
    variant.cells + index * variant.board().len() + square.index()
}

/// The cells of a mark: the first, and their number.
fn mark_cells(variant: &Variant, index: usize, side: Side) -> (usize, usize) {
    let count = variant.board().len().div_ceil(SQUARES_OF_CELL);
    let side = if variant.spec.marks[index].per_side { side.index() } else { 0 };
    (variant.mark_base[index] + side * count, count)
}

/// The cell of a place of a counter.
fn cell_of(variant: &Variant, index: usize, place: u8, side: Side) -> Option<usize> {
    let def = &variant.spec.counters[index];
    let side = if def.per_side { side.index() } else { 0 };
    (place < def.size).then(|| variant.counter_base[index] + side * usize::from(def.size) + usize::from(place))
}
