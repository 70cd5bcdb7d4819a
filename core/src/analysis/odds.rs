//! Exact chances of the outcomes of this turn's dice.
//!
//! The analysis walks the chance nodes of the turn with integer fractions. For dice that a rule holds unseen, it walks one
//! outcome of each equivalence class (see [`crate::rules::faces`]). The walk itself discovers which questions rules ask
//! about such dice, and it restarts until it finds no new ones. Equivalent states are merged, and a cycle is summed as a
//! series. If the walk would be too long, turns are sampled with a fixed seed, and [`Certainty`] reports it.

mod drawn;
mod flow;
mod found;
mod walk;

use crate::analysis::memory_limit::MemoryLimit;
use crate::analysis::ratio::Ratio;
use crate::play::state::State;
use crate::rules::error::RuleError;

pub use crate::rules::faces::MOST_CLASSES;
pub(crate) use found::Halt;
pub use found::{Certainty, DRAWN, Found, MOST_ROLLS, Outcome};

/// All possible outcomes from `state` until someone must decide, the turn ends or the game is over. Outcomes with the same
/// label and the same answers about held dice are merged. The order is that of the dice. `None` if `stop`, which is called
/// before every roll, returns true before all are found.
///
/// Chances are exact if at most [`MOST_ROLLS`] rolls must be examined, and there is [`MemoryLimit`] for their states. If turns can
/// go on forever without returning to the same state, the chances are [within](Certainty::Within) a reported error.
/// Otherwise turns are sampled with a fixed seed.
///
/// # Errors
/// If a rule fails.
pub fn explore(state: &State, stop: &dyn Fn() -> bool) -> Result<Option<Found>, RuleError> {
    Halt::or_stopped(explored(state, stop))
}

fn explored(state: &State, stop: &dyn Fn() -> bool) -> Result<Found, Halt> {
    let (start, mut walk) = (start(state), walk::Walk::new(state.turn(), stop));
    match walk.graph(&start)?.and_then(flow::found) {
        Some(found) => Ok(found),
        None => drawn::drawn(&start, &mut walk, false),
    }
}

/// The state that the analysis starts from: a label found in an outcome must have been set on the way there.
fn start(state: &State) -> State {
    let mut start = state.clone();
    start.forget_label();
    start
}

/// As [`explore`], in a limited time. Once `hurried` returns true, turns are sampled instead of examining all rolls. When
/// `stop` returns true, the result is made of the samples so far; `None` if there are none.
///
/// # Errors
/// If a rule fails.
pub fn explore_in_time(
    state: &State,
    hurried: &dyn Fn() -> bool,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Found>, RuleError> {
    let given_up = || hurried() || stop();
    let start = start(state);
    let walked = walk::Walk::new(state.turn(), &given_up).graph(&start);
    let found = match walked {
        Ok(graph) => graph.and_then(flow::found),
        Err(Halt::Stopped) => None,
        Err(Halt::Rule(error)) => return Err(error),
    };
    match found {
        Some(found) => Ok(Some(found)),
        None => Halt::or_stopped(drawn::drawn(&start, &mut walk::Walk::new(state.turn(), stop), true)),
    }
}

/// As [`explore`], but only exact chances are acceptable.
///
/// # Errors
/// If a rule fails, or the chances cannot be computed exactly.
pub fn outcomes(state: &State) -> Result<Vec<Outcome>, RuleError> {
    let found = explore(state, &|| false)?;
    let (outcomes, certainty) = found.map_or((Vec::new(), Certainty::Exact), |found| (found.outcomes, found.certainty));
    match certainty {
        Certainty::Exact => Ok(outcomes),
        Certainty::Within(_) => Err(RuleError::new("the probabilities cannot be written as exact fractions")),
        Certainty::Drawn(_) => Err(too_many()),
    }
}

pub(crate) fn too_many() -> RuleError {
    RuleError::new(format!("the dice have more than {MOST_ROLLS} outcomes: too many to list"))
}

/// Every outcome of the next roll separately: its chance, the faces, and the state it leads to.
///
/// # Errors
/// If a rule fails, there are more than [`MOST_ROLLS`] outcomes, or they take more memory than there is [`MemoryLimit`] for.
pub fn next_roll(state: &State) -> Result<Vec<(Ratio, Vec<i16>, State)>, RuleError> {
    if state.dice().is_some_and(|dice| dice.outcomes() > MOST_ROLLS) {
        return Err(too_many());
    }
    let mut all = Vec::new();
    let memory_limit = MemoryLimit::default();
    let mut share = memory_limit.share();
    each_roll(state, |probability, faces, next| {
        share.keep(&next)?;
        all.push((probability, faces, next));
        Ok::<(), RuleError>(())
    })?;
    Ok(all)
}

/// As [`next_roll`] without storing the outcomes; `visit` may stop it with an error of its own. It examines all outcomes,
/// however many.
///
/// # Errors
/// If a rule fails, or the error of `visit`.
pub fn each_roll<E: From<RuleError>>(
    state: &State,
    mut visit: impl FnMut(Ratio, Vec<i16>, State) -> Result<(), E>,
) -> Result<(), E> {
    let Some(dice) = state.dice().cloned() else { return Ok(()) };
    let possible = || (0..dice.outcomes()).filter(|&i| state.can_roll(i));
    let total = match state.can_roll_all() {
        true => u128::from(dice.total()),
        false => possible().map(|i| u128::from(dice.weight(i))).sum(),
    };
    for index in possible() {
        let mut next = state.clone();
        next.roll(index)?;
        visit(Ratio::new(u128::from(dice.weight(index)), total), dice.outcome(index), next)?;
    }
    Ok(())
}
