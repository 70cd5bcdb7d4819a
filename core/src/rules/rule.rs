//! The protocol between a rule and the engine: ask, find, roll, choose, act.
//!
//! A rule is a function of the answers it gets: run twice with the same answers, it takes the same steps. All its runs
//! together form a [`Tree`], which grows by running the rule and is then walked without it. The supplier of rules
//! implements [`RuleSource`]; the engine does not know how it works.

use crate::dice::Dice;
use crate::rules::amount::Amount;
use crate::rules::effect::Effect;
use crate::rules::permit::{Permit, Permitted};
use crate::rules::plan::{MAX_DICE, Plan};
use crate::rules::query::{Answer, Find, Query};
use crate::rules::value::{SetExpr, SideRef, Slot};
use std::sync::Arc;
use std::time::Duration;

pub use super::error::{Cause, Failure, RuleError, SourceLocation};
pub use super::hook::{Hook, RuleId};
pub use super::tree::{NodeId, Tree};

/// A player's decision.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// One move that the permit admits; with `pass`, or none; or an alternative text or square. The outcome is 1 for a move
    /// (held in the next slot) and 0 for none, also if there is no option; -1 for the first text, -2 for the second and so
    /// on, 2 for a square, which is held.
    Play {
        /// The deciding side.
        by: SideRef,
        /// The permitted moves.
        permit: Permitted,
        /// Whether the player may decline.
        pass: bool,
        /// Alternatives to a move. Boxed, since most decisions about moves have none.
        or: Option<Box<Alternatives>>,
    },
    /// Several moves, each paid with dice. The outcome is the number of moves made; the last is held. With a plan that
    /// pauses, one of these moves, which is held: the outcome is the set of dice that pay for it, one bit each, or 0 if
    /// there is no further move. For alternatives: -1 for the first text, -2 for the second and so on, and
    /// [`SQUARE_CHOSEN`] for a square, which is held.
    PlayEach(Arc<Plan>),
    /// One of several texts or squares. The outcome is the text's index, or the number of texts if a
    /// square was chosen, which is held in the next slot.
    Choose {
        /// The choosing side.
        by: SideRef,
        /// The options.
        among: Alternatives,
    },
    /// A number in a range. The outcome is 0; the number is held in the next slot (none, if the range is empty).
    Number {
        /// The choosing side.
        by: SideRef,
        /// The least.
        least: Amount,
        /// The most.
        most: Amount,
    },
    /// One of several texts, or one of the faces in a counter with places. The outcome is the face, -1 for the first text,
    /// -2 for the second and so on, 0 if there are no options; the face is held in the next slot.
    Held {
        /// The choosing side.
        by: SideRef,
        /// The counter.
        counter: u8,
        /// The side that owns the counter.
        side: SideRef,
        /// The texts.
        labels: Vec<String>,
        /// The names of the faces, from the first place on; empty if they go by their numbers.
        names: Vec<String>,
        /// The faces that may be chosen, as places from 1; `None` for all.
        among: Option<Vec<u8>>,
    },
    /// The dice in a slot to keep. The outcome is 1 if some are to be rolled again, otherwise 0; the numbers of the kept
    /// dice are held in the next slot.
    Keep {
        /// The choosing side.
        by: SideRef,
        /// The dice.
        faces: Slot,
    },
    /// The same, but only the chooser knows the answer.
    Secret(Box<Decision>),
    /// The same with the question in words, for display only.
    Asked(Box<Decision>, Arc<str>),
    /// A move that is only named, not made; it is held in the next slot.
    Named(Box<Decision>),
}

/// The outcome of a turn of several moves if a square was chosen instead: more than any set of dice.
pub const SQUARE_CHOSEN: Answer = 1 << MAX_DICE;

/// Texts and squares to choose from.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Alternatives {
    /// The texts.
    pub labels: Vec<String>,
    /// The squares.
    pub squares: Option<SetExpr>,
}

impl Decision {
    /// The decision without its wrappers: secrecy, question, and naming.
    pub fn bare(&self) -> &Decision {
        match self.inner() {
            Some(inner) => inner.bare(),
            None => self,
        }
    }

    fn inner(&self) -> Option<&Decision> {
        match self {
            Decision::Secret(inner) | Decision::Asked(inner, _) | Decision::Named(inner) => Some(inner),
            _ => None,
        }
    }

    /// The plan of a turn of several moves, if this is one.
    pub(crate) fn plan(&self) -> Option<&Arc<Plan>> {
        match self.bare() {
            Decision::PlayEach(plan) => Some(plan),
            _ => None,
        }
    }

    /// The same decision, without shared data that is reference-counted on every use.
    fn apart(&self) -> Decision {
        match self {
            Decision::PlayEach(plan) => Decision::PlayEach(Arc::new((**plan).clone())),
            Decision::Asked(inner, words) => Decision::Asked(Box::new(inner.apart()), Arc::clone(words)),
            other => other.clone(),
        }
    }

    /// Whether only the chooser knows the answer.
    pub fn is_secret(&self) -> bool {
        matches!(self, Decision::Secret(_)) || self.inner().is_some_and(Decision::is_secret)
    }

    /// Whether a move is only named, not made.
    pub fn names(&self) -> bool {
        matches!(self, Decision::Named(_)) || self.inner().is_some_and(Decision::names)
    }

    /// The question in words.
    pub fn question(&self) -> Option<&Arc<str>> {
        match self {
            Decision::Asked(_, words) => Some(words),
            other => other.inner().and_then(Decision::question),
        }
    }

    /// The side that decides; `None` in a turn of several moves, which belongs to the side to move.
    pub fn by(&self) -> Option<SideRef> {
        match self.bare() {
            Decision::Play { by, .. }
            | Decision::Choose { by, .. }
            | Decision::Number { by, .. }
            | Decision::Held { by, .. }
            | Decision::Keep { by, .. } => Some(*by),
            Decision::PlayEach(_) | Decision::Secret(_) | Decision::Asked(..) | Decision::Named(_) => None,
        }
    }
}

/// For each outcome of dice the number of the key that a rule receives.
pub type Keys = Arc<Vec<u32>>;

/// A chance node: the possible outcomes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Chance {
    /// Dice; the outcome is [`Dice::index_of`] the faces.
    Roll(Arc<Dice>),
    /// Dice that are rolled again until the permit of the outcome admits a move now. -1 if no outcome is possible.
    Playable(Arc<Dice>, Arc<PermitsByOutcome>),
    /// Dice that count only on some outcomes (true); the others are rolled again.
    Only(Arc<Dice>, Arc<Vec<bool>>),
    /// Dice whose faces are held in the next slot, for calculations; the outcome is 0.
    Held(Arc<Dice>),
    /// One die for each piece on some squares, by kind of piece: set by set, the squares of a set in order, each square
    /// once. The faces are held in the next slot; the outcome is 0.
    Each {
        /// The squares.
        sets: Vec<SetExpr>,
        /// The die of each kind, by index.
        dice: Arc<Vec<Option<crate::dice::Die>>>,
    },
    /// Rerolls the dice in a slot, except the kept ones (by number, in another slot). All faces are held in the next slot;
    /// the outcome is 0.
    Again {
        /// The dice.
        dice: Arc<Dice>,
        /// Their current faces.
        faces: Slot,
        /// The numbers of the kept dice.
        kept: Slot,
    },
    /// One of the faces in a counter with places, each with a chance proportional to its count. It is held in the next
    /// slot; the outcome is 0, or -1 if there is none.
    Draw(u8, SideRef),
    /// One of some squares, all equally likely. It is held in the next slot; the outcome is 0, or -1 if
    /// there is none.
    Pick(SetExpr),
    /// One of the moves that a permit admits, all equally likely. It is held in the next slot, not made; the outcome is 0,
    /// or -1 if there is none.
    PickMove(Permit),
    /// The same, but the rule receives only a key, one for each outcome, and goes on with that.
    Keyed(Box<Chance>, Keys),
    /// The same, but only one side sees the result.
    Secret(Box<Chance>, SideRef),
}

/// The permit of each outcome of dice. Outcomes with equal permits share one, which is evaluated once.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PermitsByOutcome {
    /// The permits, each once.
    permits: Vec<Permit>,
    /// The number of the permit of each outcome.
    of: Vec<u32>,
}

impl PermitsByOutcome {
    /// The permits of the outcomes, in their order.
    pub fn new(all: impl IntoIterator<Item = Permit>) -> PermitsByOutcome {
        let mut made = PermitsByOutcome::default();
        for permit in all {
            let known = made.permits.iter().position(|known| *known == permit);
            made.of.push(known.unwrap_or(made.permits.len()) as u32);
            if known.is_none() {
                made.permits.push(permit);
            }
        }
        made
    }

    /// The permits, each once.
    pub fn permits(&self) -> &[Permit] {
        &self.permits
    }

    /// The index of an outcome's permit among them; `None` if there is no such outcome.
    pub fn number(&self, outcome: u64) -> Option<usize> {
        self.of.get(usize::try_from(outcome).ok()?).map(|&number| number as usize)
    }
}

impl Chance {
    /// The dice of a plain roll, secret or not: the same in every position.
    pub(crate) fn plain(&self) -> Option<&Arc<Dice>> {
        match self {
            Chance::Roll(dice) => Some(dice),
            Chance::Secret(chance, _) | Chance::Keyed(chance, _) => chance.plain(),
            Chance::Held(_) | Chance::Only(..) | Chance::Playable(..) | Chance::Each { .. } => None,
            Chance::Again { .. } | Chance::Draw(..) | Chance::Pick(_) | Chance::PickMove(_) => None,
        }
    }

    /// The dice of a public roll with all outcomes possible, and the keys, if the rule receives keys instead of faces.
    pub(crate) fn plain_roll(&self) -> Option<(&Arc<Dice>, Option<&Keys>)> {
        match self {
            Chance::Roll(dice) => Some((dice, None)),
            Chance::Keyed(chance, keys) => match &**chance {
                Chance::Roll(dice) => Some((dice, Some(keys))),
                _ => None,
            },
            _ => None,
        }
    }

    /// The same with its own copies of dice and keys.
    fn apart(&self) -> Chance {
        match self {
            Chance::Roll(dice) => Chance::Roll(Arc::new((**dice).clone())),
            Chance::Keyed(chance, keys) => Chance::Keyed(Box::new(chance.apart()), Arc::new(keys.to_vec())),
            other => other.clone(),
        }
    }

    /// Whether the faces are held in the next slot.
    pub fn holds(&self) -> bool {
        match self {
            Chance::Secret(chance, _) | Chance::Keyed(chance, _) => chance.holds(),
            Chance::Held(_) | Chance::Each { .. } | Chance::Again { .. } | Chance::Draw(..) => true,
            Chance::Pick(_) | Chance::PickMove(_) => true,
            Chance::Roll(_) | Chance::Playable(..) | Chance::Only(..) => false,
        }
    }
}

/// Rejects dice whose outcomes cannot be numbered and weighted.
pub(crate) fn countable(dice: &Dice) -> Result<(), RuleError> {
    if dice.is_countable() {
        return Ok(());
    }
    let count = dice.dice.len();
    Err(RuleError::new(format!("{count} dice rolled at once have too many outcomes to count")))
}

/// One step of a rule's run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Asks a query; goes on according to the answer.
    Ask(Query),
    /// Finds a value and holds it in the next slot.
    Find(Find),
    /// Reaches a chance node; goes on according to the outcome.
    Roll(Chance),
    /// Reaches a decision; goes on according to the outcome.
    Decide(Decision),
    /// Changes the game.
    Act(Effect),
    /// Ends with a result: 0 and 1 are no and yes for a test; the results of other rules are ignored.
    Return(Answer),
}

impl Step {
    /// The same step, without shared data that is reference-counted on every use: threads that walk copies of a tree would
    /// contend for the counts.
    pub(crate) fn apart(&self) -> Step {
        match self {
            Step::Roll(chance) => Step::Roll(chance.apart()),
            Step::Decide(decision) => Step::Decide(decision.apart()),
            other => other.clone(),
        }
    }

    /// Whether the run branches here, so that it requires an answer to go on.
    pub fn branches(&self) -> bool {
        matches!(self, Step::Ask(_) | Step::Roll(_) | Step::Decide(_))
    }
}

/// Resources used by runs of rules for one event of a game, as far as their source limits them; zero at the beginning of an
/// event.
#[derive(Clone, Copy, Default, Debug)]
pub struct Used {
    /// The time.
    pub time: Duration,
    /// The thread's processor time when the first part of the allowance was used up, if available.
    pub processor: Option<Duration>,
    /// The number of tests of moves and squares that were new.
    pub tests: usize,
}

/// The source of a variant's rules. It serves all threads, one at a time.
pub trait RuleSource: Send {
    /// Whether there is a rule for this hook.
    fn has(&self, hook: Hook) -> bool;

    /// A rule's name, for messages.
    fn name(&self, rule: RuleId) -> String;

    /// The number of slots that are filled when the rule starts: 0 for `turn` and `outcome`, 1 for `capture` (the move). A
    /// test of moves or squares sees the values that the enclosing rule held at its place, then the move or square to test.
    fn held(&self, rule: RuleId) -> usize;

    /// Whether a generation has so many tests that the next should begin.
    fn is_full(&self, _generation: u32) -> bool {
        false
    }

    /// From now on the tests that hooks create belong to this generation, and so do the tests created by those.
    fn meet_in(&self, _generation: u32) {}

    /// Drops all tests of a generation: nothing refers to them. Returns their numbers, which may be reassigned.
    fn forget(&self, _generation: u32) -> Vec<RuleId> {
        Vec::new()
    }

    /// Runs a rule from its start; `answers` are for its branching steps, in order. Returns its steps up to and including
    /// the first branching step beyond the answers, or its [`Step::Return`]. `used` holds the resources used by earlier
    /// runs for the same event, and is updated. [`meter::is_stopped`](crate::meter::is_stopped) reports whether to stop.
    ///
    /// # Errors
    /// Any error that the rule makes.
    fn run(&self, rule: RuleId, answers: &[Answer], used: &mut Used) -> Result<Vec<Step>, RuleError>;

    /// The place in the text where a rule requests the answer after `answers`, if known.
    fn place(&self, _rule: RuleId, _answers: &[Answer]) -> Option<SourceLocation> {
        None
    }

    /// The place of a rule in its text, with all its values, when it requests the answer after `answers`, if known. Two
    /// runs with the same standing, and the same held values as far as they are still used, continue alike.
    fn standing(&self, _rule: RuleId, _answers: &[Answer]) -> Option<Standing> {
        None
    }

    /// The place of a test of moves or squares in the text, if known.
    fn test_place(&self, _rule: RuleId) -> Option<SourceLocation> {
        None
    }
}

/// The place in the text where a rule waits, with the values it holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    /// Equal texts mean the same place and values.
    pub text: String,
    /// Whether one run may return to it.
    pub again: bool,
}
