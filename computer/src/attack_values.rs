//! What an attack on a royal piece is worth to the side whose turn begins: sampled from random games.
//!
//! In one game an attacked king is captured whenever the dice show the attacker, in another the attacker has to win a
//! contest first and loses more often than not, in a third nobody may leave it attacked at all. At the beginning of
//! turns of random games the turn is searched for its best end: how much better that is than the position was
//! evaluated, where a royal is attacked and where none is.

use crate::events::{after, legal_events};
use astragal_core::rule::RuleError;
use astragal_core::{Reply, Side, State, Status, Stream, attack};

/// Turns sampled, of each sort.
const MAX_SAMPLES: u32 = 60;
/// Fewer samples tell nothing.
const MIN_SAMPLES: u32 = 8;
/// Events tried in one turn.
const EVENTS: u32 = 600;
/// Outcomes looked at of a roll that a decision leads to.
const OUTCOMES: u64 = 24;

/// Turns of one sort, and what was won in them.
#[derive(Clone, Copy, Debug, Default)]
struct Samples {
    turns: u32,
    won: f64,
}

/// How much turns are worth in which a royal is attacked, and others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AttackValues {
    attacked: Samples,
    others: Samples,
}

impl AttackValues {
    /// What it is worth to have an enemy's royal attacked when a side's turn begins, above other turns: a part, from
    /// 0 to 1, of the way from the position's evaluation to a won game.
    pub(crate) fn royal_attack(&self) -> f64 {
        let mean = |samples: Samples| samples.won / f64::from(samples.turns.max(1));
        match self.attacked.turns {
            turns if turns < MIN_SAMPLES => 0.0,
            _ if self.others.turns < MIN_SAMPLES => mean(self.attacked),
            _ => (mean(self.attacked) - mean(self.others)).max(0.0),
        }
    }

    /// Samples the turn that begins in `state`, if more is to be learnt from such. `evaluate` tells how good a
    /// state is for the side whose turn it is, from -1 to 1.
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
        // Attacks are rare: other turns need not be looked at more often.
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
    /// What the turn is worth with the best decisions. Of a roll that begins it one outcome is looked at;
    /// of one that follows a decision, many, since decisions are compared.
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

/// A state on the heap. A turn may have as many events as may be looked at, and each of them is a call within a call: states
/// on the stack would fill that of a thread.
#[inline(never)]
fn boxed(next: impl FnOnce() -> Result<State, RuleError>) -> Result<Box<State>, RuleError> {
    next().map(Box::new)
}

/// Numbers below `count` that are spread evenly but have no rhythm, which could be that of a die.
fn spread(i: u64, count: u64) -> u64 {
    let fraction = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(fraction) * u128::from(count)) >> 64) as u64
}
