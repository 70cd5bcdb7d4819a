//! The part of a position that few games use: numbers, and pieces beneath others.
//!
//! It is boxed, so that the positions of all other games are small. `numbers.rs` and `heaps.rs` give it meaning.

use crate::board::piece::Piece;
use crate::board::square::Square;

/// A piece beneath others. They are sorted by square, and on each square from the bottom up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Covered {
    pub(super) square: Square,
    pub(super) piece: Piece,
}

/// The boxed part of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tail {
    /// Hands, counters, then traits; empty unless declared.
    pub(super) numbers: Box<[i16]>,
    /// The pieces beneath others: by square, and on each from the bottom up.
    pub(super) beneath: Vec<Covered>,
}

impl Tail {
    /// A tail with this many numbers and no covered pieces; `None` if it would be unused.
    pub(super) fn new(numbers: usize, heaps: bool) -> Option<Box<Tail>> {
        let tail = || Tail { numbers: vec![0; numbers].into(), beneath: Vec::new() };
        (numbers > 0 || heaps).then(|| Box::new(tail()))
    }

    /// Becomes a copy of that of another position of the same variant.
    pub(super) fn copy(&mut self, source: &Tail) {
        match self.numbers.len() == source.numbers.len() {
            true => self.numbers.copy_from_slice(&source.numbers),
            false => self.numbers.clone_from(&source.numbers),
        }
        self.beneath.clone_from(&source.beneath);
    }

    /// Its memory.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of::<Tail>() + size_of_val(&*self.numbers) + size_of_val(&self.beneath[..])
    }
}
