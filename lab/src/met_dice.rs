//! The dice that games have rolled, and how often each outcome came up.
//!
//! Dice that are created anew for each roll (from a pool that empties, for pieces that come and go) share a number with
//! those of the same text and faces, whatever their weights. Their number may grow without limit, so counts are moved to
//! the tally from time to time, between games.

use crate::names::die_name;
use crate::tally::Tally;
use astragal_core::Dice;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Dice with more outcomes are counted face by face immediately.
const MOST_OUTCOMES: u64 = 4_096;

/// The maximum number of outcomes that are counted separately, of all dice together.
const MOST_COUNTED: u64 = 1 << 20;

/// When more dice than this have been met, they are forgotten before the next game.
const MOST_KEPT: usize = 1_000;

/// The dice met first are most likely to be met again: this many are compared by address.
const FIRST: usize = 4;

/// Dice that count the same faces: compared by text and faces.
struct Alike(Arc<Dice>);

impl PartialEq for Alike {
    fn eq(&self, other: &Alike) -> bool {
        self.0.text == other.0.text
            && self.0.dice.len() == other.0.dice.len()
            && self.0.dice.iter().zip(&other.0.dice).all(|(a, b)| a.faces() == b.faces())
    }
}

impl Eq for Alike {}

impl Hash for Alike {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.text.hash(state);
        self.0.dice.iter().for_each(|die| die.faces().hash(state));
    }
}

struct Met {
    dice: Arc<Dice>,
    outcomes: u64,
    /// By outcome; empty if there are too many.
    counts: Vec<u64>,
}

/// All dice met so far. See the [module](self).
#[derive(Default)]
pub(crate) struct MetDice {
    all: Vec<Met>,
    numbers: HashMap<Alike, u32>,
    /// The number of outcomes that are counted separately.
    counted: u64,
}

impl MetDice {
    /// The number of the dice, and the number of their outcomes.
    #[inline(always)]
    pub(crate) fn number(&mut self, dice: &Arc<Dice>) -> (u32, u64) {
        let known = self.all.iter().take(FIRST).position(|known| Arc::ptr_eq(&known.dice, dice));
        let number = known.map_or_else(|| self.meet(dice), |number| number as u32);
        (number, self.all[number as usize].outcomes)
    }

    #[cold]
    fn meet(&mut self, dice: &Arc<Dice>) -> u32 {
        let new = self.all.len() as u32;
        let number = *self.numbers.entry(Alike(Arc::clone(dice))).or_insert(new);
        if number == new {
            let outcomes = dice.outcomes();
            let is_counted = outcomes <= MOST_OUTCOMES && self.counted + outcomes <= MOST_COUNTED;
            self.counted += if is_counted { outcomes } else { 0 };
            let counts = vec![0; if is_counted { outcomes as usize } else { 0 }];
            self.all.push(Met { dice: Arc::clone(dice), outcomes, counts });
        }
        number
    }

    /// Dice by number.
    pub(crate) fn get(&self, number: u32) -> &Arc<Dice> {
        &self.all[number as usize].dice
    }

    /// Counts an outcome of a finished game.
    pub(crate) fn count(&mut self, number: u32, outcome: u64, tally: &mut Tally) {
        let Met { dice, counts, .. } = &mut self.all[number as usize];
        match counts.get_mut(outcome as usize) {
            Some(count) => *count += 1,
            None => count_faces(tally, dice, outcome, 1),
        }
    }

    /// Forgets all dice if there are many, between games.
    pub(crate) fn forget_many(&mut self, tally: &mut Tally) {
        if self.all.len() > MOST_KEPT {
            self.hand_over(tally);
        }
    }

    /// Moves the counts to the tally, and forgets all dice.
    pub(crate) fn hand_over(&mut self, tally: &mut Tally) {
        for Met { dice, counts, .. } in std::mem::take(self).all {
            for (index, &times) in counts.iter().enumerate().filter(|(_, times)| **times > 0) {
                count_faces(tally, &dice, index as u64, times);
            }
        }
    }
}

fn count_faces(tally: &mut Tally, dice: &Dice, outcome: u64, times: u64) {
    let rolled = tally.faces.entry(dice.text.clone()).or_default();
    for (die, face) in dice.dice.iter().zip(dice.outcome(outcome)) {
        *rolled.entry(die_name(die)).or_default().entry(face).or_default() += times;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::Die;

    fn pool(weights: [u32; 3]) -> Arc<Dice> {
        Arc::new(Dice { dice: vec![Die::weighted((1..).zip(weights))], text: "draw(pool)".into() })
    }

    /// Pools that empty keep creating new dice: they are distinguished by their possible faces, and counted face by face.
    #[test]
    fn dice_made_anew_share_a_number_and_many_are_handed_over() {
        let (mut met, mut tally) = (MetDice::default(), Tally::default());
        let first = met.number(&pool([3, 3, 3])).0;
        assert_eq!(met.number(&pool([2, 1, 7])), (first, 3), "the weights do not matter");
        let other = met.number(&pool([0, 1, 7])).0;
        assert_ne!(other, first, "the faces do");
        met.count(first, 0, &mut tally);
        met.count(other, 0, &mut tally);
        for faces in 1..=MOST_KEPT as u16 {
            let number = met.number(&Arc::new(Dice::fair(2, faces))).0;
            met.count(number, 0, &mut tally);
        }
        met.forget_many(&mut tally);
        assert!(met.all.is_empty(), "more than {MOST_KEPT} were met");
        let of_pool: u64 = tally.faces["draw(pool)"].values().flat_map(|faces| faces.values()).sum();
        assert_eq!(of_pool, 2);
        let twos = |text: &str| tally.faces[text].values().flat_map(|faces| faces.get(&1)).sum::<u64>();
        assert_eq!((twos("2d6"), twos("2d1000")), (2, 2), "few and many outcomes");
    }
}
