//! The result of an analysis of chances, its limits, and the reasons why it may end early.

use crate::analysis::ratio::Ratio;
use crate::play::state::State;
use crate::rules::error::RuleError;

/// At most this many rolls are examined one by one; if exact chances need more, rolls are sampled.
pub const MOST_ROLLS: u64 = 100_000;

/// The number of turns sampled, if turns are sampled: fewer if that takes more than [`DRAWN_ROLLS`], or more memory than
/// the available [`MemoryLimit`](crate::analysis::memory_limit::MemoryLimit).
pub const DRAWN: u64 = 10_000;

/// The maximum number of rolls made for samples.
pub(crate) const DRAWN_ROLLS: u64 = 40_000;

/// Turns whose chance falls below this are not followed.
pub(crate) const NEGLIGIBLE: f64 = 1e-15;

/// If the walk gets too long and the chance left to follow is at most this, it stops and leaves the rest open.
pub(crate) const MOST_OPEN: f64 = 1e-3;

/// A possible outcome.
#[derive(Clone)]
pub struct Outcome {
    /// Its chance.
    pub probability: Ratio,
    /// The state it leads to. Held dice show one of the rolls that lead there; all rolls that gave rules the same answers
    /// are equivalent.
    pub state: State,
}

/// The accuracy of chances.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Certainty {
    /// They are exact.
    Exact,
    /// Each is too small by at most this.
    Within(f64),
    /// This many turns were sampled; each chance is a relative frequency.
    Drawn(u64),
}

/// Possible outcomes and their chances.
pub struct Found {
    /// The possible outcomes, in the order of the dice.
    pub outcomes: Vec<Outcome>,
    /// The accuracy of the chances.
    pub certainty: Certainty,
}

/// The reason why a walk over many states ends early.
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
