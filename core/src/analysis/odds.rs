//! Chances: what the dice of this turn lead to.
//!
//! Chance points are walked with integer fractions. Of dice that a rule holds unseen, one outcome of each class is
//! walked that answers alike whatever the rule asks (see [`crate::rules::faces`]); what is asked is found out by walking, and
//! the walk begins anew as long as something new turns up. States that can no longer be told apart are merged, and a
//! run that comes back to where it stood before is summed as what it is, a series. What remains too much to be walked
//! is drawn by chance, always the same, and said to be so.

mod drawn;
mod flow;
mod walk;

use crate::analysis::ratio::Ratio;
use crate::analysis::room::Room;
use crate::play::state::State;
use crate::rules::rule::RuleError;

/// So many rolls are looked at one by one; if chances need more, rolls are drawn.
pub const MOST_ROLLS: u64 = 100_000;

pub use crate::rules::faces::MOST_CLASSES;

/// So many times what a turn leads to is drawn, if it is drawn: fewer if that takes more than [`DRAWN_ROLLS`], or more
/// memory than there is [`Room`] for.
pub const DRAWN: u64 = 10_000;

/// So many rolls are made for that.
pub(crate) const DRAWN_ROLLS: u64 = 40_000;

/// Turns that go on with less than this chance are not followed.
pub(crate) const NEGLIGIBLE: f64 = 1e-15;

/// If the walk has become too long and no more than this chance is left to follow, it is left open.
pub(crate) const MOST_OPEN: f64 = 1e-3;

/// One of the things that may happen.
#[derive(Clone)]
pub struct Outcome {
    /// How likely it is.
    pub probability: Ratio,
    /// The state it leads to. Held dice show what leads there, as any others do of which rules have asked the same.
    pub state: State,
}

/// How far chances are to be trusted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Certainty {
    /// They are exact.
    Exact,
    /// Each is too small by no more than this.
    Within(f64),
    /// So many turns were drawn by chance; each is how often it happened.
    Drawn(u64),
}

/// What may happen, and how likely it is.
pub struct Found {
    /// What may happen, in the order of the dice.
    pub outcomes: Vec<Outcome>,
    /// How far the chances are to be trusted.
    pub certainty: Certainty,
}

/// All that can happen from `state` until someone must decide, the turn ends or the game is over. Outcomes that bear
/// the same label and have been asked the same of held dice are merged; the order is that of the dice. `None` if
/// `stop`, which is asked before every roll, says so before all are found.
///
/// Chances are exact if no more than [`MOST_ROLLS`] rolls are to be looked at, and there is [`Room`] for what they lead to. Where turns may go on for ever without
/// coming back to the same state, what is left open is said. Else turns are drawn by chance, with a fixed seed.
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

/// What is looked at from `state` on: labels that are new in an outcome were given on the way there.
fn start(state: &State) -> State {
    let mut start = state.clone();
    start.forget_label();
    start
}

/// As [`explore`], in a limited time: once `hurried` says so, turns are drawn instead of looking at all rolls, and what
/// has been drawn when `stop` says so is what has been found. `None` if that is nothing.
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

/// As [`explore`], where nothing but exact chances will do.
///
/// # Errors
/// If a rule fails, or the chances cannot be worked out exactly.
pub fn outcomes(state: &State) -> Result<Vec<Outcome>, RuleError> {
    let found = explore(state, &|| false)?;
    let (outcomes, certainty) = found.map_or((Vec::new(), Certainty::Exact), |found| (found.outcomes, found.certainty));
    match certainty {
        Certainty::Exact => Ok(outcomes),
        Certainty::Within(_) => Err(RuleError::new("the chances are fractions too fine to be written")),
        Certainty::Drawn(_) => Err(too_many()),
    }
}

pub(crate) fn too_many() -> RuleError {
    RuleError::new(format!("the dice have more than {MOST_ROLLS} outcomes: too many to be looked at one by one"))
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

/// Every outcome of the next roll by itself: its chance, the faces, and the state it leads to.
///
/// # Errors
/// If a rule fails, there are more than [`MOST_ROLLS`] outcomes, or they take more memory than there is [`Room`] for.
pub fn next_roll(state: &State) -> Result<Vec<(Ratio, Vec<i16>, State)>, RuleError> {
    if state.dice().is_some_and(|dice| dice.outcomes() > MOST_ROLLS) {
        return Err(too_many());
    }
    let mut all = Vec::new();
    let room = Room::default();
    let mut share = room.share();
    each_roll(state, |probability, faces, next| {
        share.keep(&next)?;
        all.push((probability, faces, next));
        Ok::<(), RuleError>(())
    })?;
    Ok(all)
}

/// The same without keeping them; `visit` may end it by an error of its own. All outcomes are looked at, however many.
///
/// # Errors
/// If a rule fails, or what `visit` says.
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
