//! Samples values for the hidden fields of a position.
//!
//! Fields declared with `secret: "count"` are drawn from the counts, everything else from the positions of random games of
//! the variant. Knows nothing of who looks or why.

use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::dice::Stream;
use crate::play::state::{Ruleset, State, Status};
use crate::position::Position;
use crate::rules::error::RuleError;
use crate::variant::Variant;
use std::sync::Arc;
use thiserror::Error;

/// The number of random games.
const GAMES: u64 = 64;
/// The maximum number of events of one game, and of all together.
const MOST_EVENTS: (usize, usize) = (400, 10_000);
/// The maximum number of positions kept.
const MOST_POSITIONS: usize = 2_000;

/// A field of a position that a side may not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blank {
    /// A counter of a side (of the first, if it belongs to no side).
    Counter {
        /// Its number.
        index: usize,
        /// Its side.
        side: Side,
        /// The number of items in a pool, if known.
        held: Option<i16>,
    },
    /// A trait of some pieces of one side.
    Trait {
        /// Its number.
        index: usize,
        /// The owner of the pieces.
        side: Side,
        /// Their squares.
        squares: SquareSet,
        /// The number of pieces with each value, if known.
        counts: Option<Vec<(i16, u32)>>,
    },
}

/// The reason why fields cannot be filled.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unfillable {
    /// The counts of a trait's values do not add up to the number of pieces.
    #[error("{counted} hidden values of '{name}' are listed, but {pieces} pieces have a hidden value")]
    Counts {
        /// The trait.
        name: String,
        /// The sum of the counts.
        counted: u64,
        /// The number of pieces.
        pieces: u64,
    },
    /// The number given for a pool exceeds its capacity.
    #[error("'{name}' cannot hold {held}")]
    Held {
        /// The pool.
        name: String,
        /// The number given.
        held: i16,
    },
    /// Random games reached no position at all.
    #[error("no random game reached a position from which to draw the hidden values of '{name}'")]
    Unknown {
        /// The counter or trait.
        name: String,
    },
}

/// Values of hidden fields, from random games.
pub struct Unseen {
    positions: Vec<Position>,
}

impl Unseen {
    /// Plays random games from `start`.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn learn(set: &Arc<Ruleset>, start: &Position) -> Result<Unseen, RuleError> {
        let (mut positions, mut events) = (Vec::new(), 0);
        for game in 0..GAMES {
            let mut random = Stream::new(0x756e_7365_656e, game);
            let mut state = State::new(Arc::clone(set), start.clone())?;
            let (mut turn, mut length) = (state.turn(), 0);
            while state.status() != Status::Over && length < MOST_EVENTS.0 {
                length += 1;
                match state.status() {
                    Status::Chance => state.roll(state.draw(&mut random))?,
                    _ => {
                        let Some(reply) = state.nth_reply(random.below(state.replies() as u64) as usize) else { break };
                        state = state.after(reply)?;
                    }
                }
                if state.turn() != turn && state.over().is_none() {
                    turn = state.turn();
                    positions.push(state.position().clone());
                }
            }
            events += length;
            if events > MOST_EVENTS.1 || positions.len() > MOST_POSITIONS {
                break;
            }
        }
        positions.truncate(MOST_POSITIONS);
        Ok(Unseen { positions })
    }

    /// Fills the blanks of a position with values drawn with `stream`. Their present values do not matter.
    ///
    /// # Errors
    /// If no values agree with the known counts; the position may have changed then.
    pub fn fill(
        &self,
        variant: &Variant,
        position: &mut Position,
        blanks: &[Blank],
        stream: &mut Stream,
    ) -> Result<(), Unfillable> {
        for side in (0..variant.sides() as u8).map(Side) {
            let own = || blanks.iter().filter(|blank| blank.side() == side);
            if own().next().is_none() {
                continue;
            }
            let like = self.like(variant, position, side, stream);
            for blank in own() {
                match blank {
                    Blank::Counter { index, side, held: Some(held) } => {
                        self.fill_pool(variant, position, (*index, *side), *held, stream)?;
                    }
                    Blank::Counter { index, side, held: None } => {
                        let like = like.ok_or_else(|| Unfillable::Unknown { name: counter_name(variant, *index) })?;
                        for place in 0..variant.spec().counters[*index].size {
                            let value = like.counter_at(variant, *index, place, *side);
                            position.set_counter_at(variant, *index, place, *side, value);
                        }
                    }
                    Blank::Trait { index, squares, counts: Some(counts), .. } => {
                        fill_counted(variant, position, (*index, *squares), counts, stream)?;
                    }
                    Blank::Trait { index, side, squares, counts: None } => {
                        let name = || variant.spec().traits[*index].name.clone();
                        let like = like.ok_or_else(|| Unfillable::Unknown { name: name() })?;
                        fill_like(variant, position, (*index, *side, *squares), like, stream);
                    }
                }
            }
        }
        Ok(())
    }

    /// One of the positions that are most similar to this one in the visible features of `side`: its pieces and its open
    /// counters.
    fn like(&self, variant: &Variant, position: &Position, side: Side, stream: &mut Stream) -> Option<&Position> {
        let open = |def: &&crate::variant::CounterDef| def.per_side && !def.secret;
        let counters: Vec<usize> =
            variant.spec().counters.iter().enumerate().filter(|(_, def)| open(def)).map(|(index, _)| index).collect();
        let difference = |other: &Position| {
            let men = position.of(side).into_iter().count().abs_diff(other.of(side).into_iter().count()) as u64;
            let of = |&index: &usize| {
                let places = 0..variant.spec().counters[index].size;
                let apart = |place| {
                    let (a, b) = (position, other);
                    u64::from(
                        a.counter_at(variant, index, place, side).abs_diff(b.counter_at(variant, index, place, side)),
                    )
                };
                places.map(apart).sum::<u64>()
            };
            2 * men + counters.iter().map(of).sum::<u64>()
        };
        let differences: Vec<u64> = self.positions.iter().map(difference).collect();
        let least = *differences.iter().min()?;
        let alike: Vec<usize> = (0..differences.len()).filter(|&i| differences[i] == least).collect();
        Some(&self.positions[alike[stream.below(alike.len() as u64) as usize]])
    }

    /// Fills a pool with `held` dice, cards or chips, each drawn as often as random games hold it; if random games never
    /// fill the pool, with equal chances.
    fn fill_pool(
        &self,
        variant: &Variant,
        position: &mut Position,
        (index, side): (usize, Side),
        held: i16,
        stream: &mut Stream,
    ) -> Result<(), Unfillable> {
        /// The maximum number of items of a pool that is drawn one by one.
        const MOST_HELD: i16 = 1_000;
        let size = variant.spec().counters[index].size;
        if !(0..=MOST_HELD).contains(&held) {
            return Err(Unfillable::Held { name: counter_name(variant, index), held });
        }
        let seen = |place| {
            let of = |position: &Position| u64::from(position.counter_at(variant, index, place, side).max(0) as u16);
            self.positions.iter().map(of).sum::<u64>()
        };
        let mut weights: Vec<u64> = (0..size).map(seen).collect();
        if weights.iter().all(|&weight| weight == 0) {
            weights.fill(1);
        }
        let mut places = vec![0i16; usize::from(size)];
        for _ in 0..held {
            let mut left = stream.below(weights.iter().sum());
            let place = weights.iter().position(|&weight| {
                let hit = left < weight;
                left = left.wrapping_sub(weight);
                hit
            });
            places[place.unwrap_or(0)] += 1;
        }
        for (place, value) in places.into_iter().enumerate() {
            position.set_counter_at(variant, index, place as u8, side, value);
        }
        Ok(())
    }
}

impl Blank {
    /// The side that the field belongs to.
    pub fn side(&self) -> Side {
        match self {
            Blank::Counter { side, .. } | Blank::Trait { side, .. } => *side,
        }
    }
}

impl Position {
    /// The fields hidden from `viewer`, with its knowledge of them.
    pub fn blanks(&self, variant: &Variant, viewer: Side) -> Vec<Blank> {
        let seen = self.seen_by(variant, viewer);
        let counters = variant.hidden_counters(viewer).map(|(index, side)| {
            let held = variant.spec().counters[index].counted.then(|| seen.counter(variant, index, side));
            Blank::Counter { index, side, held }
        });
        let sides = || (0..variant.sides() as u8).map(Side).filter(move |&side| side != viewer);
        let traits = variant.secret_traits().flat_map(|index| {
            sides().map(move |side| {
                let counts = variant.spec().traits[index].counted.then(|| self.trait_counts(variant, index, side));
                Blank::Trait { index, side, squares: self.of(side), counts }
            })
        });
        counters.chain(traits).collect()
    }
}

fn counter_name(variant: &Variant, index: usize) -> String {
    variant.spec().counters[index].name.clone()
}

/// Gives the pieces on some squares the counted values, in random order.
fn fill_counted(
    variant: &Variant,
    position: &mut Position,
    (index, squares): (usize, SquareSet),
    counts: &[(i16, u32)],
    stream: &mut Stream,
) -> Result<(), Unfillable> {
    let (counted, pieces) = (counts.iter().map(|&(_, n)| u64::from(n)).sum(), squares.into_iter().count() as u64);
    if counted != pieces {
        return Err(Unfillable::Counts { name: variant.spec().traits[index].name.clone(), counted, pieces });
    }
    let values = counts.iter().flat_map(|&(value, n)| (0..n).map(move |_| value)).collect();
    for (square, value) in squares.into_iter().zip(shuffled(values, stream)) {
        position.set_trait(variant, index, square, value);
    }
    Ok(())
}

/// Gives pieces the values that pieces of the same side and kind have in another position, in random order.
fn fill_like(
    variant: &Variant,
    position: &mut Position,
    (index, side, squares): (usize, Side, SquareSet),
    like: &Position,
    stream: &mut Stream,
) {
    let mut of_kind: Vec<Vec<i16>> = vec![Vec::new(); variant.kinds().len()];
    for square in like.of(side) {
        of_kind[like.at(square).kind().index()].push(like.trait_at(variant, index, square));
    }
    let of_kind: Vec<Vec<i16>> = of_kind.into_iter().map(|values| shuffled(values, stream)).collect();
    let mut used = vec![0; of_kind.len()];
    let men: Vec<Square> = shuffled(squares.into_iter().collect(), stream);
    for square in men {
        let kind = position.at(square).kind().index();
        let def = &variant.spec().traits[index];
        let usual = def.initial.get(kind).or(def.initial.last()).copied().unwrap_or(0);
        let values = &of_kind[kind];
        // If there are more pieces than values, some share a value.
        let value = values.get(used[kind] % values.len().max(1)).copied().unwrap_or(usual);
        used[kind] += 1;
        position.set_trait(variant, index, square, value);
    }
}

/// The same elements in random order.
fn shuffled<T>(mut all: Vec<T>, stream: &mut Stream) -> Vec<T> {
    for i in (1..all.len()).rev() {
        all.swap(i, stream.below(i as u64 + 1) as usize);
    }
    all
}
