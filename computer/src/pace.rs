//! What random games show about a race: the progress of a turn, the lengths of moves, and how often a piece can be captured
//! at each distance.

use crate::race::{Race, SHOTS};
use astragal_core::State;

/// Fewer cases are not significant.
const FEW: f64 = 12.0;
/// Several pieces at one station are safe if they can be captured this often, relative to single ones.
const SAFE: f64 = 0.25;

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
    /// By length from 1: the number of moves along tracks that were permitted.
    moves: [f64; SHOTS + 1],
    /// Games whose winner was ahead two thirds through, and behind.
    pub(crate) right: usize,
    pub(crate) wrong: usize,
}

impl Default for Pace {
    fn default() -> Pace {
        let (none, moves) = ([(0.0, 0.0); SHOTS + 1], [0.0; SHOTS + 1]);
        Pace { turns: 0.0, steps: 0.0, steps_squared: 0.0, single: none, several: none, moves, right: 0, wrong: 0 }
    }
}

impl Pace {
    /// Notes the steps that a side has made in its turn.
    pub(crate) fn note_turn(&mut self, steps: f64) {
        self.turns += 1.0;
        self.steps += steps;
        self.steps_squared += steps * steps;
    }

    /// Notes a decision of a random game: the lengths of its moves, and which enemy pieces they can capture.
    pub(crate) fn note_decision(&mut self, race: &Race, state: &State) {
        let (variant, position) = (&state.ruleset().variant, state.position());
        let (stations, me) = (race.stations(variant, position), state.chooser().index());
        let lengths = state.moves().iter().filter_map(|paid| race.length(me, paid.mv));
        lengths.filter(|length| (1..=SHOTS).contains(length)).for_each(|length| self.moves[length] += 1.0);
        for square in position.occupied() {
            let piece = position.at(square);
            let side = piece.side().index();
            let Some(steps) = race.steps(side, square).filter(|_| !variant.allied(piece.side(), state.chooser()))
            else {
                continue;
            };
            let Some(distance) = race.shot(&stations, me, square) else { continue };
            let is_shot = state.moves().iter().any(|paid| paid.mv.to == square);
            let several = stations.pieces[side][usize::from(steps)] > 1;
            let cases = if several { &mut self.several } else { &mut self.single };
            cases[distance].0 += 1.0;
            cases[distance].1 += f64::from(u8::from(is_shot));
        }
    }

    /// Whether enough was seen.
    pub(crate) fn is_known(&self) -> bool {
        self.turns >= FEW && self.steps > 0.0 && self.spread() > 0.0 && self.moves.iter().any(|number| *number > 0.0)
    }

    /// The mean of the steps of a turn.
    pub(crate) fn mean(&self) -> f64 {
        self.steps / self.turns
    }

    /// Their standard deviation.
    pub(crate) fn spread(&self) -> f64 {
        (self.steps_squared / self.turns - self.mean().powi(2)).max(0.0).sqrt()
    }

    /// The chance that a piece can be captured at this distance.
    pub(crate) fn chance(&self, several: bool, distance: usize) -> f64 {
        let cases = if several { &self.several } else { &self.single };
        let (seen, captured) = cases[distance];
        let all = cases.iter().fold((0.0, 0.0), |sum, case| (sum.0 + case.0, sum.1 + case.1));
        let usual = if all.0 >= FEW { all.1 / all.0 } else { 0.0 };
        (captured + FEW / 2.0 * usual) / (seen + FEW / 2.0)
    }

    /// By length: the share of the permitted moves.
    pub(crate) fn lengths(&self) -> [f64; SHOTS + 1] {
        let all: f64 = self.moves.iter().sum();
        self.moves.map(|number| number / all)
    }

    /// Whether several pieces at one station are safe, so that enemies cannot land there.
    pub(crate) fn blocks(&self) -> bool {
        let lengths = self.lengths();
        let mean = |several| (1..=SHOTS).map(|length| lengths[length] * self.chance(several, length)).sum::<f64>();
        mean(true) < SAFE * mean(false)
    }
}

#[cfg(test)]
mod tests {
    use crate::Evaluation;
    use astragal_dsl::load_named;
    use std::sync::Arc;

    /// Six points away a single man is hit by 17 of 36 rolls, but only 11 show a 6, and the rest needs two moves; thirteen
    /// points away nothing hits with one die. Two men are safe.
    #[test]
    fn random_games_show_which_men_can_be_hit() {
        let loaded = load_named("backgammon", &[]).expect("a variant");
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
}
