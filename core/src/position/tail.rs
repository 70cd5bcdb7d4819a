//! What few games need of a position: numbers, and pieces beneath others.
//!
//! They are kept in a box, so that positions of all other games are small. `numbers.rs` and `heaps.rs`
//! give them their meaning.

use super::Position;
use super::heaps::Covered;

/// The part of a position that is kept in a box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tail {
    /// Hands, counters, then traits: only games that declare such have them.
    pub(super) numbers: Box<[i16]>,
    /// What lies beneath other pieces: by square, and on each from the bottom up.
    pub(super) beneath: Vec<Covered>,
}

impl Tail {
    /// With so many numbers, and no heaps yet; `None` if nothing is needed.
    pub(super) fn new(numbers: usize, heaps: bool) -> Option<Box<Tail>> {
        let tail = || Tail { numbers: vec![0; numbers].into(), beneath: Vec::new() };
        (numbers > 0 || heaps).then(|| Box::new(tail()))
    }

    /// Becomes that of another position of the same variant.
    pub(super) fn copy(&mut self, source: &Tail) {
        match self.numbers.len() == source.numbers.len() {
            true => self.numbers.copy_from_slice(&source.numbers),
            false => self.numbers.clone_from(&source.numbers),
        }
        self.beneath.clone_from(&source.beneath);
    }

    fn heap_bytes(&self) -> usize {
        size_of::<Tail>() + size_of_val(&*self.numbers) + size_of_val(&self.beneath[..])
    }
}

impl Position {
    /// The memory that the position takes beside its own size.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.tail.as_ref().map_or(0, |tail| tail.heap_bytes())
    }

    /// What lies beneath other pieces: by square, and on each from the bottom up.
    pub(super) fn all_beneath(&self) -> &[Covered] {
        self.tail.as_ref().map_or(&[], |tail| &tail.beneath)
    }
}
