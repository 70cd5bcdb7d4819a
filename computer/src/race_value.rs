//! The value of a position of a race: the lead over the spread of the rest of the game, which grows with the square root of
//! its length (E. Keeler and J. Spencer, "Optimal doubling in backgammon", 1975).
//!
//! The lead is counted in steps, at the pace of random games. A piece that needs a whole move for its last step, or waits
//! behind enemy pieces, has further to go than its steps say: [`PacedRace::costs`].

use crate::pace::Pace;
use crate::race::{Race, SHOTS, Stations};
use crate::result::CEILING;
use astragal_core::{Position, Side, Variant};
use std::borrow::Cow;

/// The danger of a piece whose side is about to act, relative to that of one whose enemy is.
const LATER: f64 = 0.4;
/// The number of a side's pieces that will be captured later in the game, as far as enemy pieces are behind them.
const LATER_CAPTURES: f64 = 0.5;
/// How fast a lead, in standard deviations, becomes decisive: about the integral of the normal distribution.
const SLOPE: f64 = 0.8;
/// Blocks are broken up in the end: a piece waits no longer than this many turns.
const LONGEST_WAIT: f64 = 5.5;

/// A race, and what random games have shown about it in the form that evaluations use.
#[derive(Clone)]
pub(crate) struct PacedRace {
    race: Race,
    /// The mean and the standard deviation of the steps of a turn.
    mean: f64,
    spread: f64,
    /// The chance of a capture by distance, for single pieces and for several at one station.
    chances: [[f64; SHOTS + 1]; 2],
    /// By length: the share of moves.
    lengths: [f64; SHOTS + 1],
    /// By side: the costs of stations if nothing is in the way.
    unblocked: Vec<Vec<f64>>,
    /// Whether several pieces at one station block it.
    blocks: bool,
}

impl PacedRace {
    /// A race at this pace, which must be [known](Pace::is_known).
    pub(crate) fn new(race: Race, pace: &Pace) -> PacedRace {
        let chances = [false, true].map(|several| std::array::from_fn(|distance| pace.chance(several, distance)));
        let (mean, spread, lengths, blocks) = (pace.mean(), pace.spread(), pace.lengths(), pace.blocks());
        let mut paced = PacedRace { race, mean, spread, chances, lengths, unblocked: Vec::new(), blocks };
        let unblocked = |side| paced.costs(paced.race.whole(side), |_| false, |_| f64::INFINITY);
        paced.unblocked = (0..paced.race.sides).map(unblocked).collect();
        paced
    }

    /// By steps to go, up to `whole`: the moves that a piece needs on average, in steps, but at most `most`. It makes moves of
    /// random lengths, and waits if it cannot land. Longer moves than it needs also bring it to the end.
    fn costs(&self, whole: usize, is_blocked: impl Fn(usize) -> bool, most: impl Fn(usize) -> f64) -> Vec<f64> {
        let mean: f64 = self.lengths.iter().enumerate().map(|(length, share)| length as f64 * share).sum();
        let mut costs = vec![0.0; whole + 1];
        for steps in 1..=whole {
            let (mut open, mut rest) = (0.0, 0.0);
            for (length, share) in self.lengths.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                let to = steps.saturating_sub(length);
                if !is_blocked(to) {
                    open += share;
                    rest += share * costs[to];
                }
            }
            // Infinite if nothing is open.
            costs[steps] = ((mean + rest) / open).min(most(steps));
        }
        costs
    }

    /// The costs of a side's stations, where enemy pieces block some of them.
    fn costs_in(&self, variant: &Variant, stations: &Stations, position: &Position, side: usize) -> Cow<'_, [f64]> {
        let unblocked = &self.unblocked[side];
        let mut blocked = vec![false; unblocked.len()];
        for square in position.occupied().into_iter().filter(|_| self.blocks) {
            let enemy = position.at(square).side();
            let Some(steps) = self.race.steps(side, square).map(usize::from) else { continue };
            let there = self.race.steps(enemy.index(), square).map(usize::from);
            let several = there.is_some_and(|steps| stations.pieces[enemy.index()][steps] > 1);
            blocked[steps] |= several && !variant.allied(enemy, Side(side as u8));
        }
        if !blocked.contains(&true) {
            return Cow::Borrowed(unblocked);
        }
        let most = |steps: usize| unblocked[steps] + LONGEST_WAIT * self.mean;
        Cow::Owned(self.costs(unblocked.len() - 1, |steps| blocked[steps], most))
    }

    /// The value of a position for `me` and partners when `next` is to act, from -1 to 1.
    pub(crate) fn value(&self, variant: &Variant, position: &Position, next: Side, me: Side) -> f64 {
        let stations = self.race.stations(variant, position);
        let (mut own, mut others, mut parties) = (0.0, 0.0, 0.0);
        for side in (0..self.race.sides as u8).map(Side) {
            let costs = self.costs_in(variant, &stations, position, side.index());
            let each = stations.pieces[side.index()].iter().zip(costs.iter());
            let left: f64 = each.map(|(pieces, cost)| f64::from(*pieces) * cost).sum();
            let left = left + self.losses(variant, &stations, position, (side, &costs), next);
            if variant.allied(me, side) {
                own += left;
            } else {
                others += left;
                parties += 1.0;
            }
        }
        if variant.spec().teams.is_none() && parties > 1.0 {
            others /= parties;
        }
        let ahead = self.mean / 2.0;
        let lead = others - own + if variant.allied(me, next) { ahead } else { -ahead };
        let turns = (own.min(others) / self.mean).max(1.0);
        CEILING * (SLOPE * lead / (self.spread * (2.0 * turns).sqrt())).tanh()
    }

    /// The steps that a side with these costs can expect to lose by captures: in the next turn, and later by waiting behind
    /// enemy pieces for the second time.
    fn losses(
        &self,
        variant: &Variant,
        stations: &Stations,
        position: &Position,
        (side, costs): (Side, &[f64]),
        next: Side,
    ) -> f64 {
        let (race, whole) = (&self.race, costs.len() - 1);
        let weight = if variant.allied(side, next) { LATER } else { 1.0 };
        let (mut danger, mut is_chased) = (0.0, false);
        for square in position.occupied().into_iter().filter(|square| position.at(*square).belongs_to(side)) {
            let Some(steps) = race.steps(side.index(), square).map(usize::from) else { continue };
            let several = stations.pieces[side.index()][steps] > 1;
            let mut safe = 1.0;
            for enemy in (0..race.sides).filter(|enemy| !variant.allied(Side(*enemy as u8), side)) {
                if let Some(distance) = race.shot(stations, enemy, square) {
                    safe *= 1.0 - self.chances[usize::from(several)][distance];
                    is_chased = true;
                }
            }
            danger += (1.0 - safe) * (costs[whole] - costs[steps]).max(0.0);
        }
        let wait = if is_chased { costs[whole] - self.unblocked[side.index()][whole] } else { 0.0 };
        danger * weight + LATER_CAPTURES * wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluation;
    use astragal_core::Move;
    use astragal_dsl::{Loaded, load_named};
    use std::sync::Arc;

    fn paced(loaded: &Loaded) -> PacedRace {
        let evaluation = Evaluation::learn(Arc::clone(&loaded.set), &loaded.start).expect("random games");
        let race = Race::new(&loaded.set.variant).expect("a race");
        PacedRace::new(race, &evaluation.training().pace)
    }

    #[test]
    fn the_first_roll_is_worth_a_little() {
        let loaded = load_named("backgammon", &[]).expect("a variant");
        let race = paced(&loaded);
        let value = |me| race.value(&loaded.set.variant, &loaded.start, Side(0), Side(me));
        assert!(value(0) > 0.0 && value(0) < 0.2, "{}", value(0));
        assert!((value(0) + value(1)).abs() < 1e-12);
    }

    /// A man needs a whole move to be borne off, however near it is.
    #[test]
    fn many_men_near_the_end_cost_more_than_few_far_away() {
        let race = paced(&load_named("backgammon", &[]).expect("a variant"));
        let costs = &race.unblocked[0];
        assert!(3.0 * costs[1] > 2.0 * costs[3], "three men on the first point, and one on the third: {costs:?}");
        assert!((costs[24] - 24.0).abs() < 3.0, "{}", costs[24]);
    }

    /// With moves of 1 to 6 steps, all equally likely, and five stations in a row blocked, every sixth move passes them.
    #[test]
    fn blocks_cost_the_moves_that_a_piece_waits() {
        let mut race = paced(&load_named("backgammon", &[]).expect("a variant"));
        race.lengths = std::array::from_fn(|length| if (1..=6).contains(&length) { 1.0 / 6.0 } else { 0.0 });
        let free = race.costs(24, |_| false, |_| f64::INFINITY);
        let blocked = race.costs(24, |steps| (13..=17).contains(&steps), |_| f64::INFINITY);
        // Six moves of 3.5 steps until the 6 is rolled, and then the rest.
        assert!((blocked[18] - (6.0 * 3.5 + free[12])).abs() < 1e-9, "{}", blocked[18]);
        let closed = race.costs(24, |steps| (12..=17).contains(&steps), |steps| free[steps] + 40.0);
        assert!((closed[18] - (free[18] + 40.0)).abs() < 1e-9, "{}", closed[18]);
    }

    /// Black's last men have passed White's home, so what is closed there matters only if White captures one later.
    #[test]
    fn a_closed_home_is_worth_something_before_anything_is_captured() {
        let loaded = load_named("backgammon", &[]).expect("a variant");
        let variant = &loaded.set.variant;
        let race = paced(&loaded);
        let moved = |moves: &[(&str, &str)]| {
            let mut position = loaded.start.clone();
            for (from, to) in moves {
                let square = |name| variant.board().parse(name).expect("a square");
                position.make(variant, Move::plain(square(from), square(to)));
            }
            race.value(variant, &position, Side(0), Side(0))
        };
        // As many steps to go in both.
        let open = moved(&[("l1", "h16"), ("l2", "h15")]);
        let closed = moved(&[("l1", "h16"), ("l2", "h15"), ("g4", "h1"), ("g5", "h2"), ("e2", "d1"), ("e3", "d2")]);
        assert!(closed > open + 0.01, "{closed} {open}");
    }
}
