//! Dice: rolls, their exact chances, and the portable random stream.
//!
//! A roll is a list of faces in rolling order. All chances are integer fractions. Random numbers come from a stream
//! addressed by (seed, event). The same address always gives the same faces on every platform, so undoing and replaying a
//! game draws the same numbers.

use rand_core::TryRng;
use std::convert::Infallible;
use std::fmt;

/// One die: its faces, with weights (all 1 for a fair die).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Die {
    faces: Vec<i16>,
    /// As long as `faces`; none is 0.
    weights: Vec<u32>,
    /// The sum of the weights: the number of faces, if all are 1.
    total: u64,
}

impl Die {
    /// A fair die with faces 1 to `n`.
    pub fn fair(n: u16) -> Die {
        Die::weighted((1..=n as i16).map(|face| (face, 1)))
    }

    /// A die with these faces, each with its weight; those of weight 0 are left out.
    pub fn weighted(faces: impl IntoIterator<Item = (i16, u32)>) -> Die {
        let (faces, weights): (_, Vec<u32>) = faces.into_iter().filter(|&(_, weight)| weight > 0).unzip();
        let total = weights.iter().map(|&weight| u64::from(weight)).sum();
        Die { faces, weights, total }
    }

    /// The value of each face.
    pub fn faces(&self) -> &[i16] {
        &self.faces
    }

    /// The weight of each face, at least 1, in the order of the faces: a face of weight 2 comes up twice as often as one of
    /// weight 1.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The sum of all weights.
    pub fn total(&self) -> u64 {
        self.total
    }
}

/// Several dice rolled together, in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dice {
    /// The dice.
    pub dice: Vec<Die>,
    /// The usual notation, such as `2d6`.
    pub text: String,
}

impl Dice {
    /// `count` fair dice with `n` faces each, written `2d6`.
    pub fn fair(count: usize, n: u16) -> Dice {
        Dice { dice: vec![Die::fair(n); count], text: format!("{count}d{n}") }
    }

    /// The number of ordered outcomes (product of the numbers of faces), saturating.
    pub fn outcomes(&self) -> u64 {
        self.dice.iter().fold(1u64, |n, die| n.saturating_mul(die.faces.len() as u64))
    }

    /// The faces of outcome number `index` (the last die varies fastest).
    pub fn outcome(&self, mut index: u64) -> Vec<i16> {
        let mut faces = vec![0; self.dice.len()];
        for (slot, die) in faces.iter_mut().zip(&self.dice).rev() {
            let n = die.faces.len() as u64;
            *slot = die.faces[(index % n) as usize];
            index /= n;
        }
        faces
    }

    /// The number of the outcome that shows `faces`; `None` if the dice cannot show them. The dice must be
    /// [countable](Dice::is_countable).
    pub fn index_of(&self, faces: &[i16]) -> Option<u64> {
        if faces.len() != self.dice.len() {
            return None;
        }
        let mut index = 0;
        for (face, die) in faces.iter().zip(&self.dice) {
            index = index * die.faces.len() as u64 + die.faces.iter().position(|f| f == face)? as u64;
        }
        Some(index)
    }

    /// The weight of outcome `index`; its chance is this over [`Dice::total`].
    pub fn weight(&self, mut index: u64) -> u64 {
        let mut weight = 1;
        for die in self.dice.iter().rev() {
            let n = die.faces.len() as u64;
            weight = u64::saturating_mul(weight, u64::from(die.weights[(index % n) as usize]));
            index /= n;
        }
        weight
    }

    /// The sum of the weights of all outcomes, saturating.
    pub fn total(&self) -> u64 {
        self.dice.iter().fold(1u64, |n, die| n.saturating_mul(die.total()))
    }

    /// Whether all outcomes can be numbered and weighted. Other dice must not be rolled: their numbers and weights would be
    /// wrong.
    pub fn is_countable(&self) -> bool {
        // A die has at least one face and each face a positive weight, so there are never more outcomes than weights.
        self.total() < u64::MAX
    }

    /// Rolls the dice: draws the number of an outcome by weight from `stream`.
    #[inline]
    pub fn roll(&self, stream: &mut Stream) -> u64 {
        let mut index = 0;
        for die in &self.dice {
            let count = die.faces.len() as u64;
            if die.total == count {
                index = index * count + stream.below(count);
                continue;
            }
            let mut left = stream.below(die.total());
            let face = die.weights.iter().position(|&w| {
                let hit = left < u64::from(w);
                left = left.wrapping_sub(u64::from(w));
                hit
            });
            index = index * count + face.unwrap_or(0) as u64;
        }
        index
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The output function of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014): a bijection of 64-bit numbers that mixes all bits.
pub fn mix(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of random numbers addressed by (seed, event).
///
/// Number `i` (from 1) of the stream is `mix(k + i)` with `k = mix(mix(seed) + event)`, all sums modulo
/// 2^64. Part of the record format: it never changes.
///
/// ```
/// use astragal_core::Stream;
/// let mut a = Stream::new(2026, 7);
/// let mut b = Stream::new(2026, 7);
/// assert_eq!((a.below(6), a.below(6)), (b.below(6), b.below(6)));
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    key: u64,
    count: u64,
}

impl Stream {
    /// The stream of event number `event` of the game with this seed.
    pub fn new(seed: u64, event: u64) -> Stream {
        Stream { key: mix(mix(seed).wrapping_add(event)), count: 0 }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.count += 1;
        mix(self.key.wrapping_add(self.count))
    }

    /// A number below `n`, each equally likely: draws again where the remainder would bias toward small numbers. 0 if `n`
    /// is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        loop {
            let draw = self.next_u64();
            // The greatest unbiased draw is at least MAX - n; its exact value is seldom needed.
            if draw <= u64::MAX - n || draw <= u64::MAX - (u64::MAX - n + 1) % n {
                return draw % n;
            }
        }
    }
}

/// Lets samplers based on the traits of `rand` use a stream. Their draws may differ between versions of `rand`, so recorded
/// values use [`Stream::below`].
impl TryRng for Stream {
    type Error = Infallible;

    /// The upper half of the next 64 bits.
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next_u64() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next_u64())
    }

    /// Each eight bytes are the next 64 bits, the lowest first.
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&self.next_u64().to_le_bytes()[..part.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng;

    /// For seed 0 and event 0 the numbers are those of SplitMix64 with seed 0, as published with it; another program
    /// computed the others from the definition.
    #[test]
    fn streams_are_frozen() {
        for (seed, event, numbers) in [
            (0, 0, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]),
            (2026, 7, [0xa4ee_8aeb_6efe_3751, 0x74e8_c878_955c_d751, 0xa98f_8121_b723_8109]),
            (u64::MAX, u64::MAX, [0xadbb_edaf_1ac6_0c56, 0x8182_e792_c409_b157, 0x896d_62fa_3e6c_a340]),
        ] {
            let mut stream = Stream::new(seed, event);
            assert_eq!(numbers.map(|_| stream.next_u64()), numbers, "seed {seed}, event {event}");
        }
        let mut stream = Stream::new(1, 2);
        assert_eq!([(); 12].map(|()| stream.below(6)), [3, 3, 4, 3, 4, 3, 2, 2, 4, 2, 2, 5]);
        // A quarter of all draws is repeated.
        let mut stream = Stream::new(1, 2);
        let expected: [u64; 6] = [
            7459148402836318581,
            9354906264259478781,
            12550555972764228388,
            12791872781157122187,
            10932025951104632265,
            9738843075028636526,
        ];
        assert_eq!(expected.map(|_| stream.below(3 << 62)), expected);
    }

    #[test]
    fn the_traits_of_rand_draw_the_same_bits() {
        let (mut plain, mut by_trait) = (Stream::new(3, 4), Stream::new(3, 4));
        assert_eq!(Rng::next_u64(&mut by_trait), plain.next_u64());
        assert_eq!(u64::from(by_trait.next_u32()), plain.next_u64() >> 32);
        let mut bytes = [0; 11];
        by_trait.fill_bytes(&mut bytes);
        let bits = [plain.next_u64().to_le_bytes(), plain.next_u64().to_le_bytes()].concat();
        assert_eq!(bytes[..], bits[..11]);
    }
}
