//! How dangerous it is to leave a royal piece attacked: learnt from random games.
//!
//! In one game an attacked king is taken whenever the dice show the attacker, in another the attacker has
//! to win a contest first and loses more often than not, in a third nobody may leave it attacked at all. At
//! the beginning of turns of random games the turn is searched for its best end: how much better it is
//! than the position was judged, where a royal is attacked and where none is.

use crate::search::{apply, events};
use astragal_core::rule::RuleError;
use astragal_core::{Side, State, Status, Stream, attack};

/// Turns looked at, of each sort.
const TURNS: u32 = 60;
/// Turns of fewer looks tell nothing.
const FEW: u32 = 8;
/// Events tried in one turn.
const EVENTS: u32 = 600;
/// Outcomes looked at of a roll that a decision leads to.
const OUTCOMES: u64 = 24;

/// Looks at one sort of turns, and what was won in them.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    looks: u32,
    won: f64,
}

/// How much turns are worth in which a royal is attacked, and others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strikes {
    attacked: Count,
    others: Count,
}

impl Strikes {
    /// What it is worth to have a royal attacked when one's turn begins, above other turns: a part, from 0
    /// to 1, of the way from what the position is judged to a won game.
    pub fn danger(&self) -> f64 {
        let mean = |count: Count| count.won / f64::from(count.looks.max(1));
        match self.attacked.looks {
            looks if looks < FEW => 0.0,
            _ if self.others.looks < FEW => mean(self.attacked),
            _ => (mean(self.attacked) - mean(self.others)).max(0.0),
        }
    }

    /// Looks at a turn that begins in `state`, if more is to be learnt from such. `judge` tells how good a
    /// state is for the side whose turn it is, from -1 to 1.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn look(&mut self, state: &State, random: &mut Stream, judge: &dyn Fn(&State) -> f64) -> Result<(), RuleError> {
        let set = std::sync::Arc::clone(state.ruleset());
        let enemies = (0..set.variant.sides() as u8).map(Side);
        let mut enemies =
            enemies.filter(|&side| !set.variant.allied(side, state.mover()) && state.position().royal_count(side) > 0);
        let Some(victim) = enemies.next() else { return Ok(()) };
        let attacked = attack::in_check(&set.variant, state.position(), victim);
        let count = if attacked { &mut self.attacked } else { &mut self.others };
        // Attacks are rare: other turns need not be looked at more often.
        if count.looks >= TURNS {
            return Ok(());
        }
        count.looks += 1;
        let now = judge(state);
        let mut hunt = Hunt { turn: state.turn(), left: EVENTS, random, judge };
        let best = hunt.value(state, false)?;
        count.won += ((best - now) / (1.0 - now).max(f64::EPSILON)).clamp(0.0, 1.0);
        Ok(())
    }
}

struct Hunt<'a> {
    turn: u32,
    left: u32,
    random: &'a mut Stream,
    judge: &'a dyn Fn(&State) -> f64,
}

impl Hunt<'_> {
    /// What the turn is worth with the best decisions. Of a roll that begins it one outcome is looked at;
    /// of one that follows a decision, many, since decisions are compared.
    fn value(&mut self, state: &State, decided: bool) -> Result<f64, RuleError> {
        if self.left == 0 || state.over().is_some() || state.turn() != self.turn {
            return Ok((self.judge)(state));
        }
        if state.status() == Status::Chance {
            return self.roll(state, decided);
        }
        let friend = state.ruleset().variant.allied(state.chooser(), state.mover());
        let better = |a: f64, b: f64| if friend { a.max(b) } else { a.min(b) };
        let mut best: Option<f64> = None;
        for event in events(state) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let mut next = state.clone();
            apply(&mut next, &event)?;
            let value = self.value(&next, true)?;
            best = Some(best.map_or(value, |best| better(best, value)));
        }
        Ok(best.unwrap_or_else(|| (self.judge)(state)))
    }

    fn roll(&mut self, state: &State, decided: bool) -> Result<f64, RuleError> {
        let Some(dice) = state.dice().filter(|_| decided) else {
            let mut next = state.clone();
            next.roll(crate::player::draw(state, self.random))?;
            return self.value(&next, decided);
        };
        let count = dice.outcomes();
        let (mut sum, mut weights) = (0.0, 0.0);
        for i in 0..count.min(OUTCOMES) {
            let index = if count <= OUTCOMES { i } else { spread(i, count) };
            if state.can_roll(index) {
                let mut next = state.clone();
                next.roll(index)?;
                let weight = dice.weight(index) as f64;
                sum += weight * self.value(&next, decided)?;
                weights += weight;
            }
        }
        Ok(if weights > 0.0 { sum / weights } else { (self.judge)(state) })
    }
}

/// Numbers below `count` that are spread evenly but have no rhythm, which could be that of a die.
fn spread(i: u64, count: u64) -> u64 {
    let fraction = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(fraction) * u128::from(count)) >> 64) as u64
}
