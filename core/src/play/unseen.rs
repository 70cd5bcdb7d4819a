//! What may stand where a position is hidden: values drawn for the fields that one side may not know.
//!
//! What is counted (`secret: "count"`) is drawn from the counts, everything else from the positions that random games of the
//! variant come to. Knows nothing of who looks or why.

use crate::board::piece::Side;
use crate::board::square::{Square, SquareSet};
use crate::dice::Stream;
use crate::play::state::{Ruleset, State, Status};
use crate::position::Position;
use crate::rules::rule::RuleError;
use crate::variant::Variant;
use std::sync::Arc;
use thiserror::Error;

/// The random games that are played.
const GAMES: u64 = 64;
/// The most events of one, and of all together.
const MOST_EVENTS: (usize, usize) = (400, 10_000);
/// The most positions that are kept.
const MOST_POSITIONS: usize = 2_000;

/// A field of a position that a side may not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blank {
    /// A counter of a side (of the first, if it is no side's own).
    Counter {
        /// Its number.
        index: usize,
        /// Whose it is.
        side: Side,
        /// How many a pool holds, where that is known.
        held: Option<i16>,
    },
    /// A trait of some pieces of one side.
    Trait {
        /// Its number.
        index: usize,
        /// Whose pieces they are.
        side: Side,
        /// Where they stand.
        squares: SquareSet,
        /// How many of them have which value, where that is known.
        counts: Option<Vec<(i16, u32)>>,
    },
}

/// Why fields cannot be filled.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unfillable {
    /// The counts of a trait's values are not those of that many pieces.
    #[error("{counted} values of '{name}' are said to be hidden, and {pieces} pieces hide one")]
    Counts {
        /// The trait.
        name: String,
        /// The values counted.
        counted: u64,
        /// The pieces.
        pieces: u64,
    },
    /// A pool is said to hold what no pool can.
    #[error("'{name}' cannot hold {held}")]
    Held {
        /// The pool.
        name: String,
        /// How many.
        held: i16,
    },
    /// Random games came to no position at all.
    #[error("no random game tells what '{name}' may be")]
    Unknown {
        /// The counter or trait.
        name: String,
    },
}

/// What random games have shown of fields that are hidden.
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

    /// Fills the blanks of a position with values drawn with `stream`. Nothing that stands there matters.
    ///
    /// # Errors
    /// If no values agree with what is known of them; the position may have changed then.
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

    /// One of the positions that are most like this one in what is known of `side`: its pieces and its open counters.
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

    /// So many dice, cards or chips, each drawn as often as random games hold it; of a pool that they never fill, all alike.
    fn fill_pool(
        &self,
        variant: &Variant,
        position: &mut Position,
        (index, side): (usize, Side),
        held: i16,
        stream: &mut Stream,
    ) -> Result<(), Unfillable> {
        /// No pool that is drawn one by one holds more.
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
    /// Whose field it is.
    pub fn side(&self) -> Side {
        match self {
            Blank::Counter { side, .. } | Blank::Trait { side, .. } => *side,
        }
    }
}

impl Position {
    /// The fields that `viewer` may not know, with what it does know of them.
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

/// Gives the pieces on some squares the values that are counted, in any order.
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

/// Gives pieces the values that those of the same side and kind have in another position, in any order.
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
        // Of more pieces than there are values some have the same.
        let value = values.get(used[kind] % values.len().max(1)).copied().unwrap_or(usual);
        used[kind] += 1;
        position.set_trait(variant, index, square, value);
    }
}

/// The same in any order.
fn shuffled<T>(mut all: Vec<T>, stream: &mut Stream) -> Vec<T> {
    for i in (1..all.len()).rev() {
        all.swap(i, stream.below(i as u64 + 1) as usize);
    }
    all
}
