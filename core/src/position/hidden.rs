//! The part of a position that is hidden from a side: the values of other sides' secret counters and traits.
//!
//! Owns which fields these are and what other sides see instead. Knows nothing of games or of the values they could have.

use super::Position;
use crate::board::side::Side;
use crate::board::square::SquareSet;
use crate::variant::Variant;

impl Position {
    /// The same position with 0 for every value that is hidden from `viewer`. If the contents of a pool are counted, the
    /// whole count is in its first place.
    pub fn seen_by(&self, variant: &Variant, viewer: Side) -> Position {
        let mut seen = self.clone();
        for (index, side) in variant.hidden_counters(viewer) {
            let def = &variant.spec().counters[index];
            let held =
                (0..def.size).map(|place| self.counter_at(variant, index, place, side)).fold(0, i16::saturating_add);
            for place in 0..def.size {
                let value = if def.counted && place == 0 { held } else { 0 };
                seen.set_counter_at(variant, index, place, side, value);
            }
        }
        for index in variant.secret_traits() {
            for square in self.hidden_pieces(viewer) {
                seen.set_trait(variant, index, square, 0);
            }
        }
        seen
    }

    /// The pieces whose secret traits are hidden from `viewer`.
    pub fn hidden_pieces(&self, viewer: Side) -> SquareSet {
        let own = self.of(viewer);
        self.occupied().into_iter().filter(|&square| !own.contains(square)).collect()
    }

    /// The number of a side's pieces with each value of a trait, by value.
    ///
    /// # Panics
    /// If the variant has no such trait.
    pub fn trait_counts(&self, variant: &Variant, index: usize, side: Side) -> Vec<(i16, u32)> {
        let mut values: Vec<i16> =
            self.of(side).into_iter().map(|square| self.trait_at(variant, index, square)).collect();
        values.sort_unstable();
        values.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
    }
}

impl Variant {
    /// The secret counters whose values `viewer` may not know, each with its side. A counter that belongs to no side is
    /// unknown to all, and listed with the first side.
    pub fn hidden_counters(&self, viewer: Side) -> impl Iterator<Item = (usize, Side)> + '_ {
        let secret = self.spec().counters.iter().enumerate().filter(|(_, def)| def.secret);
        secret.flat_map(move |(index, def)| {
            let sides = if def.per_side { self.sides() as u8 } else { 1 };
            (0..sides).map(Side).filter(move |&side| !def.per_side || side != viewer).map(move |side| (index, side))
        })
    }

    /// The traits that only the owner of a piece knows.
    pub fn secret_traits(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.spec().traits.len()).filter(|&index| self.spec().traits[index].secret)
    }
}
