//! Races along tracks: how far the pieces of each side have to go, and which of them an enemy can capture.
//!
//! [`Race`] knows the tracks, [`Pace`] what random games show: the progress of a turn, and how often a piece can be captured at
//! each distance. A [`PacedRace`] evaluates with both. All follow from the declarations and the rules of a variant; nothing here knows a game.
//!
//! The value is that of a race: the lead over the spread of the rest of the game, which grows with the square root of its
//! length (E. Keeler and J. Spencer, "Optimal doubling in backgammon", 1975).

use crate::mobility::kinds;
use crate::static_evaluation::CEILING;
use astragal_core::{MAX_SIDES, Position, Side, Square, State, Variant};

/// The greatest distance at which captures are counted.
const SHOTS: usize = 24;
/// A square that is on no track of the side.
const OFF: u16 = u16::MAX;
/// Fewer cases are not significant.
const FEW: f64 = 12.0;
/// The danger of a piece whose side is about to act, relative to that of one whose enemy is.
const LATER: f64 = 0.4;
/// How fast a lead, in standard deviations, becomes decisive: about the integral of the normal distribution.
const SLOPE: f64 = 0.8;

/// The tracks of a variant, as races.
#[derive(Clone, Debug)]
pub(crate) struct Race {
    /// By side and square: the steps to the last station.
    to_go: Vec<u16>,
    /// By side: the steps of a piece in hand.
    whole: [u16; MAX_SIDES],
    squares: usize,
    sides: usize,
}

/// What random games show about a race.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pace {
    turns: f64,
    steps: f64,
    steps_squared: f64,
    /// By distance: how often a single piece was so far ahead of an enemy, and how often it could be captured.
    single: [(f64, f64); SHOTS + 1],
    /// The same for several pieces at one station.
    several: [(f64, f64); SHOTS + 1],
    /// Games whose winner was ahead two thirds through, and behind.
    pub(crate) right: usize,
    pub(crate) wrong: usize,
}

impl Default for Pace {
    fn default() -> Pace {
        let none = [(0.0, 0.0); SHOTS + 1];
        Pace { turns: 0.0, steps: 0.0, steps_squared: 0.0, single: none, several: none, right: 0, wrong: 0 }
    }
}

/// A race, and what random games have shown about it in the form that evaluations use.
#[derive(Clone)]
pub(crate) struct PacedRace {
    race: Race,
    /// The mean and the standard deviation of the steps of a turn.
    mean: f64,
    spread: f64,
    /// The chance of a capture by distance, for single pieces and for several at one station.
    chances: [[f64; SHOTS + 1]; 2],
}

/// The distances at which encounters count.
pub(crate) const NEAR: usize = 12;

/// The pieces of a side on their way, and the enemies behind them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Encounters {
    /// The steps that its pieces have to go.
    pub(crate) steps: f64,
    /// Whether an enemy still has to pass one of its pieces.
    pub(crate) is_chased: bool,
    /// By distance from 1: how many of its pieces stand alone, so far ahead of an enemy piece.
    pub(crate) shots: [u8; NEAR],
    /// By distance from 1: whether several of its pieces stand together, so far ahead of an enemy's last piece.
    pub(crate) blocks: [bool; NEAR],
}

/// The pieces of all sides at their stations.
struct Stations {
    /// By side and steps to go: the number of pieces.
    pieces: [Vec<u8>; MAX_SIDES],
}

impl Race {
    /// The race of a variant with tracks, hands for the pieces that are to begin or begin again, and no royal pieces.
    pub(crate) fn new(variant: &Variant) -> Option<Race> {
        Race::along_tracks(variant).filter(|_| variant.spec().hands && variant.royals().0 == 0)
    }

    /// The race of a variant with a track that has an end for each side.
    pub(crate) fn along_tracks(variant: &Variant) -> Option<Race> {
        let spec = variant.spec();
        let (sides, squares) = (variant.sides(), variant.board().len());
        let mut race = Race { to_go: vec![OFF; sides * squares], whole: [0; MAX_SIDES], squares, sides };
        for side in 0..sides {
            for path in spec.tracks.iter().filter(|track| !track.closed).flat_map(|track| &track.paths[side]) {
                race.whole[side] = race.whole[side].max(path.len() as u16);
                for (index, station) in path.iter().enumerate() {
                    for square in station {
                        let to_go = &mut race.to_go[side * squares + square.index()];
                        *to_go = (*to_go).min((path.len() - 1 - index) as u16);
                    }
                }
            }
        }
        race.whole[..sides].iter().all(|whole| *whole > 1).then_some(race)
    }

    fn steps(&self, side: usize, square: Square) -> Option<u16> {
        Some(self.to_go[side * self.squares + square.index()]).filter(|steps| *steps != OFF)
    }

    /// The steps that all pieces of a side have to go.
    pub(crate) fn remaining(&self, variant: &Variant, position: &Position, side: Side) -> f64 {
        let stations = self.stations(variant, position);
        stations.remaining(side.index())
    }

    fn stations(&self, variant: &Variant, position: &Position) -> Stations {
        let mut pieces: [Vec<u8>; MAX_SIDES] = Default::default();
        for (pieces, whole) in pieces.iter_mut().zip(self.whole).take(self.sides) {
            pieces.resize(usize::from(whole) + 1, 0);
        }
        let mut add = |side: usize, steps: Option<u16>, number: u8| {
            if let Some(steps) = steps {
                let at = &mut pieces[side][usize::from(steps)];
                *at = at.saturating_add(number);
            }
        };
        for square in position.occupied() {
            let side = position.at(square).side().index();
            add(side, self.steps(side, square), 1);
            for piece in position.beneath(square) {
                let side = piece.side().index();
                add(side, self.steps(side, square), 1);
            }
        }
        for side in 0..self.sides {
            let held = |kind| i32::from(position.in_hand(variant, Side(side as u8), kind).clamp(0, 100));
            let all: i32 = kinds(variant).map(held).sum();
            add(side, Some(self.whole[side]), all.min(200) as u8);
        }
        Stations { pieces }
    }

    /// The distance from the nearest enemy piece behind a square along the enemy's track.
    fn shot(&self, stations: &Stations, enemy: usize, square: Square) -> Option<usize> {
        let target = usize::from(self.steps(enemy, square)?);
        let behind = stations.pieces[enemy].get(target + 1..)?;
        behind.iter().take(SHOTS).position(|pieces| *pieces > 0).map(|at| at + 1)
    }

    /// The steps of the longest track of a side.
    pub(crate) fn whole(&self, side: Side) -> f64 {
        f64::from(self.whole[side.index()])
    }

    /// The steps that all pieces of each side have to go, and who is near whom.
    pub(crate) fn encounters(&self, variant: &Variant, position: &Position) -> Vec<Encounters> {
        let stations = self.stations(variant, position);
        let last: Vec<Option<usize>> =
            stations.pieces[..self.sides].iter().map(|pieces| pieces.iter().rposition(|number| *number > 0)).collect();
        let none = |side: usize| Encounters { steps: stations.remaining(side), ..Encounters::default() };
        let mut found: Vec<Encounters> = (0..self.sides).map(none).collect();
        for square in position.occupied() {
            let piece = position.at(square);
            let side = piece.side().index();
            let Some(steps) = self.steps(side, square) else { continue };
            let single = stations.pieces[side][usize::from(steps)] == 1;
            for enemy in (0..self.sides).filter(|enemy| !variant.allied(Side(*enemy as u8), piece.side())) {
                let Some((target, last)) = self.steps(enemy, square).map(usize::from).zip(last[enemy]) else {
                    continue;
                };
                let Some(behind) = last.checked_sub(target + 1) else { continue };
                found[side].is_chased = true;
                if !single {
                    if let Some(blocks) = found[side].blocks.get_mut(behind) {
                        *blocks = true;
                    }
                    continue;
                }
                let behind = stations.pieces[enemy][target + 1..].iter().zip(&mut found[side].shots);
                behind.filter(|(pieces, _)| **pieces > 0).for_each(|(_, shots)| *shots += 1);
            }
        }
        found
    }

    /// Notes a decision of a random game: which enemy pieces the side can capture by one move.
    pub(crate) fn note_shots(&self, state: &State, pace: &mut Pace) {
        let (variant, position) = (&state.ruleset().variant, state.position());
        let (stations, me) = (self.stations(variant, position), state.chooser().index());
        for square in position.occupied() {
            let piece = position.at(square);
            let side = piece.side().index();
            let Some(steps) = self.steps(side, square).filter(|_| !variant.allied(piece.side(), state.chooser()))
            else {
                continue;
            };
            let Some(distance) = self.shot(&stations, me, square) else { continue };
            let is_shot = state.moves().iter().any(|paid| paid.mv.to == square);
            let several = stations.pieces[side][usize::from(steps)] > 1;
            let cases = if several { &mut pace.several } else { &mut pace.single };
            cases[distance].0 += 1.0;
            cases[distance].1 += f64::from(u8::from(is_shot));
        }
    }
}

impl PacedRace {
    /// A race at this pace, which must be [known](Pace::is_known).
    pub(crate) fn new(race: Race, pace: &Pace) -> PacedRace {
        let chances = [false, true].map(|several| std::array::from_fn(|distance| pace.chance(several, distance)));
        PacedRace { race, mean: pace.mean(), spread: pace.spread(), chances }
    }

    /// The value of a position for `me` and partners when `next` is to act, from -1 to 1.
    pub(crate) fn value(&self, variant: &Variant, position: &Position, next: Side, me: Side) -> f64 {
        let stations = self.race.stations(variant, position);
        let (mut own, mut others, mut parties) = (0.0, 0.0, 0.0);
        for side in (0..self.race.sides as u8).map(Side) {
            let steps = stations.remaining(side.index()) + self.danger(variant, &stations, position, side, next);
            if variant.allied(me, side) {
                own += steps;
            } else {
                others += steps;
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

    /// The steps that a side can expect to lose by captures in the next turn.
    fn danger(&self, variant: &Variant, stations: &Stations, position: &Position, side: Side, next: Side) -> f64 {
        let race = &self.race;
        let weight = if variant.allied(side, next) { LATER } else { 1.0 };
        let mut danger = 0.0;
        for square in position.occupied().into_iter().filter(|square| position.at(*square).belongs_to(side)) {
            let Some(steps) = race.steps(side.index(), square) else { continue };
            let several = stations.pieces[side.index()][usize::from(steps)] > 1;
            let mut safe = 1.0;
            for enemy in (0..race.sides).filter(|enemy| !variant.allied(Side(*enemy as u8), side)) {
                if let Some(distance) = race.shot(stations, enemy, square) {
                    safe *= 1.0 - self.chances[usize::from(several)][distance];
                }
            }
            danger += (1.0 - safe) * f64::from(race.whole[side.index()] - steps);
        }
        danger * weight
    }
}

impl Stations {
    fn remaining(&self, side: usize) -> f64 {
        let each = self.pieces[side].iter().enumerate();
        each.map(|(steps, pieces)| steps * usize::from(*pieces)).sum::<usize>() as f64
    }
}

impl Pace {
    /// Notes the steps that a side has made in its turn.
    pub(crate) fn note_turn(&mut self, steps: f64) {
        self.turns += 1.0;
        self.steps += steps;
        self.steps_squared += steps * steps;
    }

    /// Whether enough was seen.
    pub(crate) fn is_known(&self) -> bool {
        self.turns >= FEW && self.steps > 0.0 && self.spread() > 0.0
    }

    fn mean(&self) -> f64 {
        self.steps / self.turns
    }

    fn spread(&self) -> f64 {
        (self.steps_squared / self.turns - self.mean().powi(2)).max(0.0).sqrt()
    }

    /// The chance that a piece can be captured at this distance.
    fn chance(&self, several: bool, distance: usize) -> f64 {
        let cases = if several { &self.several } else { &self.single };
        let (seen, captured) = cases[distance];
        let all = cases.iter().fold((0.0, 0.0), |sum, case| (sum.0 + case.0, sum.1 + case.1));
        let usual = if all.0 >= FEW { all.1 / all.0 } else { 0.0 };
        (captured + FEW / 2.0 * usual) / (seen + FEW / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluation;
    use astragal_dsl::{Loaded, load_named};
    use std::sync::Arc;

    fn loaded(name: &str) -> Loaded {
        load_named(name, &[]).expect("a variant")
    }

    #[test]
    fn steps_are_the_pip_count_of_backgammon() {
        let loaded = loaded("backgammon");
        let race = Race::new(&loaded.set.variant).expect("a race");
        let remaining = |side| race.remaining(&loaded.set.variant, &loaded.start, Side(side));
        assert_eq!((remaining(0), remaining(1)), (167.0, 167.0), "every book says 167");
    }

    #[test]
    fn games_without_a_way_back_to_the_start_are_no_races() {
        for name in ["dice-chess", "plakoto", "einstein", "risk"] {
            assert!(Race::new(&loaded(name).set.variant).is_none(), "{name}");
        }
    }

    /// Six points away a single man is hit by 17 of 36 rolls, but only 11 show a 6, and the rest needs two moves; thirteen
    /// points away nothing hits with one die. Two men are safe.
    #[test]
    fn random_games_show_which_men_can_be_hit() {
        let loaded = loaded("backgammon");
        let evaluation = Evaluation::learn(Arc::clone(&loaded.set), &loaded.start).expect("random games");
        let pace = evaluation.training().pace;
        assert!(evaluation.training().is_race() && evaluation.predicts_winners());
        assert!(
            (5.0..9.0).contains(&pace.mean()),
            "eight and a sixth pips a roll, if all can be moved: {}",
            pace.mean()
        );
        let near: f64 = (1..=6).map(|distance| pace.chance(false, distance)).sum::<f64>() / 6.0;
        assert!((0.2..0.5).contains(&near), "11 of 36 rolls and a few more: {near}");
        assert!(pace.chance(false, 13) < near / 4.0, "{}", pace.chance(false, 13));
        assert!(pace.chance(true, 3) < 0.02, "{}", pace.chance(true, 3));
    }

    #[test]
    fn the_first_roll_is_worth_a_little() {
        let loaded = loaded("backgammon");
        let evaluation = Evaluation::learn(Arc::clone(&loaded.set), &loaded.start).expect("random games");
        let race = Race::new(&loaded.set.variant).expect("a race");
        let race = PacedRace::new(race, &evaluation.training().pace);
        let value = |me| race.value(&loaded.set.variant, &loaded.start, Side(0), Side(me));
        assert!(value(0) > 0.0 && value(0) < 0.2, "{}", value(0));
        assert!((value(0) + value(1)).abs() < 1e-12);
    }
}
