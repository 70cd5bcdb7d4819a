//! Learned evaluations: values of positions at the start of turns, from games of the computer against itself.
//!
//! [`LearnedValues`] joins the [features](Features) of a variant to a [network](Network), and gives its outputs a meaning.
//! [`Lookahead`] compares everything that a decision can lead to until the turn ends, [`lessons`] plays a game and returns
//! what it teaches, and [`LearnedPlayer`] plays. It belongs to this crate because the search uses it to evaluate leaves.
//! Files, threads and clocks belong to other crates.
//!
//! The method is that of G. Tesauro, "Temporal difference learning and TD-Gammon", 1995; lambda-returns as in R. Sutton and
//! A. Barto, "Reinforcement learning: an introduction", chapter 12.
//!
//! An output is the probability that the result of a game exceeds a level. The expected result follows from all levels:
//! with the levels -1 and 1 one output suffices, and with -2, -1, 1 and 2 there are three. A result between two levels counts
//! as a part of the higher one.

mod features;
mod lookahead;
mod network;
mod player;
mod self_play;

pub use features::Features;
pub use lookahead::Lookahead;
pub use network::{Activity, Feature, Network, Shape};
pub use player::LearnedPlayer;
pub use self_play::{Habits, Lesson, lessons, levels_of_random_games};

use crate::result::result;
use astragal_core::{MAX_SIDES, Over, Position, Side, State, Variant};

/// A value for each side, in half points: 2 for a won game and -2 for a lost one, unless the rules award points.
pub type Values = [f32; MAX_SIDES];

/// The maximum number of levels.
const MOST_LEVELS: usize = 8;

/// A learned evaluation of one variant. See the [module](self).
#[derive(Clone, Debug)]
pub struct LearnedValues {
    features: Features,
    network: Network,
    /// The levels of results in half points, ascending.
    levels: Vec<i32>,
}

/// Reusable buffers for the evaluation of positions.
#[derive(Clone, Debug, Default)]
pub struct Room {
    features: Vec<Feature>,
    activity: Activity,
}

impl LearnedValues {
    /// An evaluation with these features and levels of results in half points. `None` if the network has other numbers of
    /// inputs and outputs, or the levels are not ascending. With two sides, levels must be symmetric: 2 for a won game and -2
    /// for a lost one.
    pub fn new(features: Features, network: Network, levels: Vec<i32>, sides: usize) -> Option<LearnedValues> {
        let ascend = levels.len() >= 2 && levels.is_sorted_by(|a, b| a < b);
        let symmetric =
            sides > 2 || levels.iter().eq(levels.iter().rev().map(|level| -level).collect::<Vec<_>>().iter());
        let shape = network.shape();
        let outputs = Self::outputs_for(levels.len(), sides);
        let suits = shape.inputs == features.len() && shape.outputs == outputs && shape.hidden > 0;
        (ascend && symmetric && suits).then_some(LearnedValues { features, network, levels })
    }

    /// The number of outputs for this many levels and sides: with two sides, what one wins, the other loses.
    pub fn outputs_for(levels: usize, sides: usize) -> u32 {
        (levels.saturating_sub(1) * if sides == 2 { 1 } else { sides }) as u32
    }

    /// The features.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The network, to be trained.
    pub fn network_mut(&mut self) -> &mut Network {
        &mut self.network
    }

    /// The levels of results in half points.
    pub fn levels(&self) -> &[i32] {
        &self.levels
    }

    /// The values of a position at the start of a turn.
    pub fn values(&self, variant: &Variant, position: &Position, room: &mut Room) -> Values {
        self.features.list(variant, position, &mut room.features);
        self.network.run(&room.features, &mut room.activity);
        self.values_of(self.features.view(position), &room.activity.outputs)
    }

    /// The values of a state of a game: of its result if the game is over. A position that has occurred before counts as
    /// drawn if the rules count repetitions. Otherwise a side that is ahead would return to the same good position until the
    /// rules end the game, since positions do not show how often they have occurred.
    pub fn values_in_game(&self, state: &State, room: &mut Room) -> Values {
        let variant = &state.ruleset().variant;
        match state.over() {
            Some(over) => results(variant, over),
            None if recurs(state) => Values::default(),
            None => self.values(variant, state.position(), room),
        }
    }

    /// The values that outputs stand for, seen by `view`.
    fn values_of(&self, view: Side, outputs: &[f32]) -> Values {
        let mut values = [0.0; MAX_SIDES];
        let steps = self.levels.len() - 1;
        for (side, outputs) in outputs.chunks(steps).enumerate() {
            let mut value = self.levels[0] as f32;
            for (pair, output) in self.levels.windows(2).zip(outputs) {
                value += (pair[1] - pair[0]) as f32 * output;
            }
            values[side] = value;
        }
        if self.network.shape().outputs as usize == steps {
            values[1] = -values[0];
            if view != Side::FIRST {
                values.swap(0, 1);
            }
        }
        values
    }

    /// The outputs that a finished game should have had, seen by `view`.
    fn targets(&self, values: &Values, view: Side, out: &mut Vec<f32>) {
        targets(&self.levels, self.network.shape().outputs, values, view, out);
    }

    /// The outputs from the view of the other side.
    fn turn_over(&self, outputs: &mut [f32]) {
        if self.network.shape().outputs as usize == self.levels.len() - 1 {
            outputs.reverse();
            outputs.iter_mut().for_each(|output| *output = 1.0 - *output);
        }
    }
}

/// Whether the rules count repetitions, and the turn has begun with a position that has occurred before.
fn recurs(state: &State) -> bool {
    let counts = state.ruleset().variant.spec().counts_repetitions;
    counts && state.repetitions() > 1 && state.position().hash() == state.turn_start().hash()
}

/// The result of a finished game for each side, in half points: the lead of a side and its partners over all others.
pub fn results(variant: &Variant, over: &Over) -> Values {
    // Without points, a won game has two half points.
    let unit = if over.points.is_some() { 1.0 } else { 2.0 };
    let mut values = [0.0; MAX_SIDES];
    for (me, value) in (0..variant.sides() as u8).map(Side).zip(&mut values) {
        *value = unit * result(variant, over, me) as f32;
    }
    values
}

/// The outputs that a finished game should have had, seen by `view`: one for each step between two levels, with more than two
/// sides for each side. There are `outputs` in all, as [`LearnedValues::outputs_for`] returns.
pub fn targets(levels: &[i32], outputs: u32, values: &Values, view: Side, out: &mut Vec<f32>) {
    out.clear();
    let parties = outputs as usize / levels.len().saturating_sub(1).max(1);
    for party in 0..parties {
        let value = if parties == 1 { values[view.index()] } else { values[party] };
        for pair in levels.windows(2) {
            let part = (value - pair[0] as f32) / (pair[1] - pair[0]) as f32;
            out.push(part.clamp(0.0, 1.0));
        }
    }
}

/// The levels for these results: all of them, or evenly spread ones if there are many. With two sides, each level has its
/// opposite.
pub fn levels(seen: &[i32], sides: usize) -> Vec<i32> {
    let mut levels: Vec<i32> = seen.to_vec();
    levels.extend([-2, 2]);
    if sides == 2 {
        levels.extend(seen.iter().map(|level| -level));
    }
    levels.sort_unstable();
    levels.dedup();
    let (Some(&first), Some(&last)) = (levels.first(), levels.last()) else { return vec![-2, 2] };
    if levels.len() > MOST_LEVELS {
        let steps = MOST_LEVELS as i64 - 1;
        let at = |step: i64| (i64::from(first) * (steps - step) + i64::from(last) * step) / steps;
        levels = (0..=steps).map(|step| at(step) as i32).collect();
        levels.dedup();
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::levels;

    #[test]
    fn levels_are_few_and_symmetric() {
        assert_eq!(levels(&[2, 2, -2], 2), [-2, 2]);
        assert_eq!(levels(&[4, 6], 2), [-6, -4, -2, 2, 4, 6]);
        assert_eq!(levels(&[0], 3), [-2, 0, 2]);
        let many = levels(&(1..100).collect::<Vec<_>>(), 2);
        assert!(many.len() <= 8 && many.iter().eq(many.iter().rev().map(|level| -level).collect::<Vec<_>>().iter()));
    }
}
