//! The value of an attack on a royal piece for the side whose turn begins, sampled from random games.
//!
//! The value depends on the game. An attacked king may be captured whenever the dice show the attacker; or the attacker
//! must win a contest first and usually loses; or a move may never leave the king attacked. So this module searches the
//! turns of random games for their best end. It compares the gain over the position's evaluation between turns where a
//! royal is attacked and turns where none is.

use crate::events::{after, legal_events};
use astragal_core::rule::RuleError;
use astragal_core::{Reply, Side, State, Status, Stream, attack};

/// The number of turns sampled, of each sort.
const MAX_SAMPLES: u32 = 60;
/// Fewer samples are not significant.
const MIN_SAMPLES: u32 = 8;
/// Events tried in one turn.
const EVENTS: u32 = 600;
/// The outcomes examined of a roll that follows a decision.
const OUTCOMES: u64 = 24;

/// Turns of one sort, and their total gain.
#[derive(Clone, Copy, Debug, Default)]
struct Samples {
    turns: u32,
    won: f64,
}

/// The values of turns where a royal is attacked, and of other turns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AttackValues {
    attacked: Samples,
    others: Samples,
}

impl AttackValues {
    /// The gain from attacking an enemy's royal when a side's turn begins, compared with other turns: the fraction, from 0
    /// to 1, of the way from the position's evaluation to a won game.
    pub(crate) fn royal_attack(&self) -> f64 {
        let mean = |samples: Samples| samples.won / f64::from(samples.turns.max(1));
        match self.attacked.turns {
            turns if turns < MIN_SAMPLES => 0.0,
            _ if self.others.turns < MIN_SAMPLES => mean(self.attacked),
            _ => (mean(self.attacked) - mean(self.others)).max(0.0),
        }
    }

    /// Samples the turn that begins in `state`, if more such samples are useful. `evaluate` returns the value of a state
    /// for the side to move, from -1 to 1.
    ///
    /// # Errors
    /// If a rule fails.
    pub(crate) fn sample(
        &mut self,
        state: &State,
        random: &mut Stream,
        evaluate: &dyn Fn(&State) -> f64,
    ) -> Result<(), RuleError> {
        let variant = &state.ruleset().variant;
        let mut enemies = (0..variant.sides() as u8)
            .map(Side)
            .filter(|&side| !variant.allied(side, state.mover()) && state.position().royal_count(side) > 0);
        let Some(enemy) = enemies.next() else { return Ok(()) };
        let attacked = attack::in_check(variant, state.position(), enemy);
        let samples = if attacked { &mut self.attacked } else { &mut self.others };
        // Attacks are rare; other turns do not require more samples.
        if samples.turns >= MAX_SAMPLES {
            return Ok(());
        }
        samples.turns += 1;
        let now = evaluate(state);
        let mut search = TurnSearch { turn: state.turn(), events_left: EVENTS, random, evaluate };
        let best = search.value(state, false)?;
        samples.won += ((best - now) / (1.0 - now).max(f64::EPSILON)).clamp(0.0, 1.0);
        Ok(())
    }
}

/// A search for the best end of one turn.
struct TurnSearch<'a> {
    turn: u32,
    events_left: u32,
    random: &'a mut Stream,
    evaluate: &'a dyn Fn(&State) -> f64,
}

impl TurnSearch<'_> {
    /// The value of the turn with the best decisions. For a roll that begins the turn, it examines one outcome; for a roll
    /// after a decision, many, since decisions are compared.
    fn value(&mut self, state: &State, decided: bool) -> Result<f64, RuleError> {
        if self.events_left == 0 || state.over().is_some() || state.turn() != self.turn {
            return Ok((self.evaluate)(state));
        }
        if state.status() == Status::Chance {
            return self.roll(state, decided);
        }
        let friend = state.ruleset().variant.allied(state.chooser(), state.mover());
        let better = |a: f64, b: f64| if friend { a.max(b) } else { a.min(b) };
        let mut best: Option<f64> = None;
        for event in legal_events(state) {
            if self.events_left == 0 {
                break;
            }
            self.events_left -= 1;
            let next = boxed(|| after(state, &event))?;
            let value = self.value(&next, true)?;
            best = Some(best.map_or(value, |best| better(best, value)));
        }
        Ok(best.unwrap_or_else(|| (self.evaluate)(state)))
    }

    fn roll(&mut self, state: &State, decided: bool) -> Result<f64, RuleError> {
        let Some(dice) = state.dice().filter(|_| decided) else {
            let next = boxed(|| state.after(Reply::Roll(state.draw(self.random))))?;
            return self.value(&next, decided);
        };
        let count = dice.outcomes();
        let (mut sum, mut weights) = (0.0, 0.0);
        for i in 0..count.min(OUTCOMES) {
            let index = if count <= OUTCOMES { i } else { spread(i, count) };
            if state.can_roll(index) {
                let next = boxed(|| state.after(Reply::Roll(index)))?;
                let weight = dice.weight(index) as f64;
                sum += weight * self.value(&next, decided)?;
                weights += weight;
            }
        }
        Ok(if weights > 0.0 { sum / weights } else { (self.evaluate)(state) })
    }
}

/// A state on the heap. A turn may have as many events as the search allows, and each is a nested call; states on the stack
/// would overflow that of a thread.
#[inline(never)]
fn boxed(next: impl FnOnce() -> Result<State, RuleError>) -> Result<Box<State>, RuleError> {
    next().map(Box::new)
}

/// Numbers below `count` that are spread evenly but without a period, which could coincide with that of a die.
fn spread(i: u64, count: u64) -> u64 {
    let fraction = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(fraction) * u128::from(count)) >> 64) as u64
}
