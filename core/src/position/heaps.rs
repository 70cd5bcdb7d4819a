//! Heaps: pieces stacked on one another, in games whose board allows it.
//!
//! The board and its sets hold the topmost piece of each square, so move generation and questions about squares see only
//! that one. This module holds the pieces beneath: a piece put on another covers it, a piece that leaves uncovers the next.
//! Such games have no royal pieces and no traits. Nothing here checks whether a move is allowed.

use super::tail::Covered;
use super::{Load, Position};
use crate::board::piece::{KindMask, Piece};
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::position::moves::{Move, Taking};
use crate::variant::Variant;
use std::ops::Range;

/// The maximum number of pieces that lie beneath others in a position.
pub const MOST_BENEATH: usize = 1000;

impl Position {
    /// The pieces beneath others: by square, and on each from the bottom up.
    pub(super) fn all_beneath(&self) -> &[Covered] {
        self.tail.as_ref().map_or(&[], |tail| &tail.beneath)
    }

    /// Whether pieces may be stacked.
    pub(crate) fn has_heaps(&self) -> bool {
        self.layout.load == Load::Heaps
    }

    /// Whether some piece lies beneath another.
    pub(crate) fn has_covered(&self) -> bool {
        self.has_heaps() && !self.all_beneath().is_empty()
    }

    /// Whether pieces may be stacked, but none is at present.
    pub(super) fn is_flat(&self) -> bool {
        self.has_heaps() && self.all_beneath().is_empty()
    }

    /// The range of a square's entries.
    fn span(&self, square: Square) -> Range<usize> {
        let all = self.all_beneath();
        let first = all.partition_point(|covered| covered.square < square);
        first..first + all[first..].partition_point(|covered| covered.square == square)
    }

    /// The pieces beneath the topmost piece of a square, from the bottom up.
    pub fn beneath(&self, square: Square) -> impl DoubleEndedIterator<Item = Piece> + '_ {
        self.all_beneath()[self.span(square)].iter().map(|covered| covered.piece)
    }

    /// The number of pieces on a square.
    pub fn height(&self, square: Square) -> usize {
        if self.at(square).is_none() { 0 } else { 1 + self.span(square).len() }
    }

    /// The number of pieces of a side on a square, topmost or beneath.
    pub fn height_of(&self, square: Square, side: Side) -> usize {
        let top = usize::from(self.at(square).belongs_to(side));
        top + self.beneath(square).filter(|piece| piece.belongs_to(side)).count()
    }

    /// The squares with at least `least` pieces.
    pub fn heaps(&self, least: usize) -> SquareSet {
        match least {
            0 => SquareSet::EMPTY,
            1 => self.occupied(),
            _ => self.all_beneath().iter().map(|c| c.square).filter(|&square| self.height(square) >= least).collect(),
        }
    }

    /// The squares where a piece of a side lies beneath a piece of an enemy.
    pub fn covered(&self, variant: &Variant, side: Side) -> SquareSet {
        let own =
            self.all_beneath().iter().filter(|covered| covered.piece.belongs_to(side)).map(|covered| covered.square);
        own.filter(|&square| !variant.allied(side, self.at(square).side())).collect()
    }

    /// Whether a piece of a side lies beneath another on one of some squares.
    pub(crate) fn has_beneath(&self, squares: SquareSet, side: Side) -> bool {
        self.all_beneath().iter().any(|covered| squares.contains(covered.square) && covered.piece.belongs_to(side))
    }

    /// The number of a side's pieces of some kinds beneath others.
    pub(crate) fn count_beneath(&self, side: Side, kinds: KindMask) -> usize {
        let counts = |covered: &&Covered| covered.piece.belongs_to(side) && kinds.contains(covered.piece.kind());
        self.all_beneath().iter().filter(counts).count()
    }

    /// Whether no further piece can be put on another.
    pub fn is_full(&self) -> bool {
        self.all_beneath().len() >= MOST_BENEATH
    }

    /// A hash of all pieces beneath others.
    pub(crate) fn beneath_key(&self, variant: &Variant) -> u64 {
        let level = |i: usize| i - self.span(self.all_beneath()[i].square).start;
        let key = |(i, covered): (usize, &Covered)| variant.zobrist.beneath(covered.piece, covered.square, level(i));
        self.all_beneath().iter().enumerate().map(key).fold(0, |all, key| all ^ key)
    }

    /// Puts pieces beneath those on a square, from the bottom up; does nothing if it is empty.
    pub fn put_beneath(&mut self, variant: &Variant, square: Square, pieces: &[Piece]) {
        let top = self.take(variant, square);
        if !top.is_none() {
            pieces.iter().chain([&top]).for_each(|&piece| self.put(variant, square, piece));
        }
    }

    /// Covers the topmost piece of a square, before another is put there.
    #[cold]
    pub(super) fn cover(&mut self, variant: &Variant, square: Square) {
        let piece = self.at(square);
        self.lift_top(variant, square, piece);
        let span = self.span(square);
        if let Some(tail) = &mut self.tail {
            tail.beneath.insert(span.end, Covered { square, piece });
        }
        self.header.hash ^= variant.zobrist.beneath(piece, square, span.len());
    }

    /// Makes the piece beneath one that has left a square the topmost.
    #[cold]
    pub(super) fn uncover(&mut self, variant: &Variant, square: Square) {
        let span = self.span(square);
        let Some(tail) = self.tail.as_mut().filter(|_| !span.is_empty()) else { return };
        let piece = tail.beneath.remove(span.end - 1).piece;
        self.header.hash ^= variant.zobrist.beneath(piece, square, span.len() - 1);
        self.set_piece(variant, square, piece);
    }

    /// Removes all pieces from a square.
    pub fn take_heap(&mut self, variant: &Variant, square: Square) {
        while !self.take(variant, square).is_none() {}
    }

    /// The topmost `count` pieces of a square go together to the top of another.
    pub(crate) fn carry(&mut self, variant: &Variant, from: Square, to: Square, count: usize) {
        let count = if from == to { 0 } else { count.min(self.height(from)) };
        let pieces: Vec<Piece> = (0..count).map(|_| self.take(variant, from)).collect();
        pieces.into_iter().rev().for_each(|piece| self.put(variant, to, piece));
    }

    /// Moves the pieces of a side that lie beneath others on a square to its top, in their order.
    pub(crate) fn surface(&mut self, variant: &Variant, square: Square, side: Side) {
        if !self.beneath(square).any(|piece| piece.belongs_to(side)) {
            return;
        }
        let mut pieces: Vec<Piece> = (0..self.height(square)).map(|_| self.take(variant, square)).collect();
        pieces.reverse();
        let (own, others): (Vec<Piece>, Vec<Piece>) = pieces.into_iter().partition(|piece| piece.belongs_to(side));
        others.into_iter().chain(own).for_each(|piece| self.put(variant, square, piece));
    }

    /// Moves all pieces on `from` to the empty `to`.
    pub(crate) fn shift_heap(&mut self, variant: &Variant, from: Square, to: Square) {
        match self.has_heaps() {
            true => self.carry(variant, from, to, usize::MAX),
            false => self.shift(variant, from, to, self.at(from)),
        }
    }

    /// Captures the topmost piece of a square, or all its pieces.
    pub(crate) fn capture_heap(&mut self, variant: &Variant, square: Square, taking: Taking, by: Side) {
        match taking {
            Taking::Nothing => {}
            Taking::Topmost => self.capture(variant, square, by),
            Taking::All => {
                while !self.at(square).is_none() {
                    self.capture(variant, square, by);
                }
            }
        }
    }

    /// Makes a move of several pieces, or onto a heap.
    pub(super) fn make_heap_move(&mut self, variant: &Variant, mv: Move, by: Side) {
        self.capture_heap(variant, mv.to, mv.taking(), by);
        self.carry(variant, mv.from, mv.to, mv.carried());
    }

    /// Gives all pieces that a side has beneath others to another side.
    pub(crate) fn convert_beneath(&mut self, variant: &Variant, from: Side, to: Side) {
        self.header.hash ^= self.beneath_key(variant);
        let all = self.tail.iter_mut().flat_map(|tail| &mut tail.beneath);
        for covered in all.filter(|covered| covered.piece.belongs_to(from)) {
            covered.piece = Piece::new(to, covered.piece.kind());
        }
        self.header.hash ^= self.beneath_key(variant);
    }
}
