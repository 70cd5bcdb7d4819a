//! Exact chances: what the dice of this turn lead to.
//!
//! Chance points are walked outcome by outcome with integer fractions; nothing is sampled.

use crate::ratio::Ratio;
use crate::rule::RuleError;
use crate::state::{State, Status};
use std::collections::HashMap;

/// One of the things that may happen.
#[derive(Clone)]
pub struct Outcome {
    /// How likely it is.
    pub probability: Ratio,
    /// The state it leads to.
    pub state: State,
}

/// All that can happen from `state` until someone must decide, the turn ends or the game is over, with
/// exact probabilities. Outcomes that go on alike and bear the same label are merged; the order is
/// that of the dice.
///
/// # Errors
/// If a rule fails, or the chances have no common denominator of 127 bits.
pub fn outcomes(state: &State) -> Result<Vec<Outcome>, RuleError> {
    outcomes_until(state, &|| false).map(Option::unwrap_or_default)
}

/// As [`outcomes`]; `None` if `stop`, which is asked again and again, says so before all are found.
///
/// # Errors
/// As [`outcomes`].
pub fn outcomes_until(state: &State, stop: &dyn Fn() -> bool) -> Result<Option<Vec<Outcome>>, RuleError> {
    let mut found = Found { list: Vec::new(), index: HashMap::new(), denominator: 1 };
    let walked = walk(state, Ratio::ONE, state.turn(), stop, &mut found);
    Halt::or_stopped(walked).map(|walked| walked.map(|()| found.list))
}

/// Why a walk over many states ends early.
pub(crate) enum Halt {
    Stopped,
    Rule(RuleError),
}

impl From<RuleError> for Halt {
    fn from(error: RuleError) -> Halt {
        if error.is_stop() { Halt::Stopped } else { Halt::Rule(error) }
    }
}

impl Halt {
    /// The result of a walk; `None` if it was stopped.
    pub(crate) fn or_stopped<T>(walked: Result<T, Halt>) -> Result<Option<T>, RuleError> {
        match walked {
            Ok(found) => Ok(Some(found)),
            Err(Halt::Stopped) => Ok(None),
            Err(Halt::Rule(error)) => Err(error),
        }
    }
}

/// As [`outcomes`], but only the next roll.
///
/// # Errors
/// If a rule fails.
pub fn next_roll(state: &State) -> Result<Vec<(Ratio, Vec<i16>, State)>, RuleError> {
    let mut all = Vec::new();
    each_roll(state, |probability, faces, next| {
        all.push((probability, faces, next));
        Ok::<(), RuleError>(())
    })?;
    Ok(all)
}

type Key = (u64, Status, Option<String>, Option<crate::effect::Over>);

struct Found {
    list: Vec<Outcome>,
    index: HashMap<Key, usize>,
    /// A common denominator of all chances found, so that any of them can be added.
    denominator: u128,
}

fn too_fine() -> RuleError {
    RuleError::new("the chances are fractions too fine to be written")
}

fn walk(state: &State, probability: Ratio, turn: u32, stop: &dyn Fn() -> bool, found: &mut Found) -> Result<(), Halt> {
    if stop() {
        return Err(Halt::Stopped);
    }
    if state.status() == Status::Chance && state.turn() == turn {
        return each_roll(state, |p, _, next| {
            walk(&next, probability.checked_mul(p).ok_or_else(too_fine)?, turn, stop, found)
        });
    }
    found.denominator = probability.common(found.denominator).ok_or_else(too_fine)?;
    let key = (state.fingerprint(), state.status(), state.label().map(String::from), state.over().cloned());
    match found.index.get(&key) {
        Some(&i) => found.list[i].probability += probability,
        None => {
            found.index.insert(key, found.list.len());
            found.list.push(Outcome { probability, state: state.clone() });
        }
    }
    Ok(())
}

fn each_roll<E: From<RuleError>>(
    state: &State,
    mut visit: impl FnMut(Ratio, Vec<i16>, State) -> Result<(), E>,
) -> Result<(), E> {
    let Some(dice) = state.dice().cloned() else { return Ok(()) };
    let possible = || (0..dice.outcomes()).filter(|&i| state.can_roll(i));
    let total: u128 = possible().map(|i| u128::from(dice.weight(i))).sum();
    for index in possible() {
        let mut next = state.clone();
        next.roll(index)?;
        visit(Ratio::new(u128::from(dice.weight(index)), total), dice.outcome(index), next)?;
    }
    Ok(())
}
