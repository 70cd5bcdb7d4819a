//! Races along tracks: how far the pieces of each side have to go, and who is near whom.
//!
//! All follows from the declarations of a variant; nothing here knows a game. [`pace`](crate::pace) is what random games
//! show about a race, and [`race_value`](crate::race_value) evaluates it.

use crate::mobility::kinds;
use astragal_core::{MAX_SIDES, Move, Position, Side, Square, Variant};

/// The greatest distance at which captures are counted.
pub(crate) const SHOTS: usize = 24;
/// A square that is on no track of the side.
const OFF: u16 = u16::MAX;

/// The tracks of a variant, as races.
#[derive(Clone, Debug)]
pub(crate) struct Race {
    /// By side and square: the steps to the last station.
    to_go: Vec<u16>,
    /// By side: the steps of a piece in hand.
    whole: [u16; MAX_SIDES],
    squares: usize,
    /// The number of sides.
    pub(crate) sides: usize,
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
pub(crate) struct Stations {
    /// By side and steps to go: the number of pieces.
    pub(crate) pieces: [Vec<u8>; MAX_SIDES],
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

    /// The steps that a piece of a side on this square has to go, if it is on a track.
    pub(crate) fn steps(&self, side: usize, square: Square) -> Option<u16> {
        Some(self.to_go[side * self.squares + square.index()]).filter(|steps| *steps != OFF)
    }

    /// The steps that all pieces of a side have to go.
    pub(crate) fn remaining(&self, variant: &Variant, position: &Position, side: Side) -> f64 {
        let stations = self.stations(variant, position);
        stations.remaining(side.index())
    }

    /// The pieces of all sides at their stations.
    pub(crate) fn stations(&self, variant: &Variant, position: &Position) -> Stations {
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
    pub(crate) fn shot(&self, stations: &Stations, enemy: usize, square: Square) -> Option<usize> {
        let target = usize::from(self.steps(enemy, square)?);
        let behind = stations.pieces[enemy].get(target + 1..)?;
        behind.iter().take(SHOTS).position(|pieces| *pieces > 0).map(|at| at + 1)
    }

    /// The steps of the longest track of a side.
    pub(crate) fn whole(&self, side: usize) -> usize {
        usize::from(self.whole[side])
    }

    /// The length of a side's move along a track, or from its hand.
    pub(crate) fn length(&self, side: usize, mv: Move) -> Option<usize> {
        let from = if mv.from == mv.to { Some(self.whole[side]) } else { self.steps(side, mv.from) };
        from?.checked_sub(self.steps(side, mv.to)?).map(usize::from)
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
}

impl Stations {
    fn remaining(&self, side: usize) -> f64 {
        let each = self.pieces[side].iter().enumerate();
        each.map(|(steps, pieces)| steps * usize::from(*pieces)).sum::<usize>() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_dsl::{Loaded, load_named};

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
}
