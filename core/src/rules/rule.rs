//! The protocol between a rule and the engine: ask, find, roll, choose, act.
//!
//! A rule is a function of the answers it gets: run twice with the same answers it takes the same
//! steps. All its runs together form a [`Tree`], which is grown by running the rule and then walked
//! without it. Whoever supplies rules implements [`RuleSource`]; the engine never sees how.

use crate::dice::Dice;
use crate::rules::amount::Amount;
use crate::rules::effect::Effect;
use crate::rules::meter::Task;
use crate::rules::permit::{Permit, Permitted};
use crate::rules::plan::{MAX_DICE, Plan};
use crate::rules::query::{Answer, Find, Query};
use crate::rules::value::{SetExpr, SideRef, Slot};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

pub use super::tree::{NodeId, Tree};

/// The number of a rule. The first few are the hooks of [`Hook`]; the source numbers others (tests
/// of moves and squares) as it meets them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuleId(pub u32);

/// The rules that the engine calls by itself. All may be missing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u16)]
pub enum Hook {
    /// A turn, from its roll to its last move. Default: one free move.
    Turn = 0,
    /// How a capture is resolved: slot 0 holds the move. Default: the capture succeeds.
    Capture = 1,
    /// Who has won; run between turns and whenever a turn goes on after a move. Default: nobody.
    Outcome = 2,
    /// What comes before the first turn, in games that begin from the array. Default: nothing.
    Prepare = 3,
    /// What the pieces of the side to move can do: a permit that stands for their moves where check, mate and the safety
    /// of royals are asked about. Default: what their kinds can do.
    Movement = 4,
}

impl Hook {
    /// All hooks, in the order of their numbers.
    pub(crate) const ALL: [Hook; 5] = [Hook::Turn, Hook::Capture, Hook::Outcome, Hook::Prepare, Hook::Movement];

    /// The hook's rule number.
    pub fn id(self) -> RuleId {
        RuleId(self as u32)
    }

    /// The number of slots that are filled when its rule begins: `capture` holds the move.
    pub(crate) fn held(self) -> usize {
        usize::from(self == Hook::Capture)
    }
}

/// A choice that a player makes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// One move that the permit admits; with `pass`, or none; or one of some texts and squares instead. The outcome is 1
    /// for a move (held in the next slot) and 0 for none, also if nothing can be done; -1 for the first text, -2 for the
    /// second and so on, 2 for a square, which is held.
    Play {
        /// Who decides.
        by: SideRef,
        /// What may be played.
        permit: Permitted,
        /// Whether the player may decline.
        pass: bool,
        /// What may be chosen instead. In a box, since most decisions about moves have nothing of the kind.
        or: Option<Box<Alternatives>>,
    },
    /// Several moves, each paid with dice. The outcome is the number of moves made; the last is held. With a plan that
    /// pauses, one of these moves, which is held: the outcome are the dice that pay for it, one bit each, or 0 when there is
    /// no further move. Where something else may be chosen, -1 for the first text, -2 for the second and so on, and
    /// [`SQUARE_CHOSEN`] for a square, which is held.
    PlayEach(Arc<Plan>),
    /// One of several texts or squares. The outcome is the text's index, or the number of texts if a
    /// square was chosen, which is held in the next slot.
    Choose {
        /// Who chooses.
        by: SideRef,
        /// What from.
        among: Alternatives,
    },
    /// A number from a least to a most. The outcome is 0; the number is held in the next slot (none, if
    /// there is nothing to choose from).
    Number {
        /// Who chooses.
        by: SideRef,
        /// The least.
        least: Amount,
        /// The most.
        most: Amount,
    },
    /// One of several texts, or one of the faces that a counter with places holds. The outcome is the
    /// face, -1 for the first text, -2 for the second and so on, 0 if there is nothing to choose from; the
    /// face is held in the next slot.
    Held {
        /// Who chooses.
        by: SideRef,
        /// The counter.
        counter: u8,
        /// Whose.
        side: SideRef,
        /// The texts.
        labels: Vec<String>,
        /// What the faces are called, from the first place on; empty, if by their numbers.
        names: Vec<String>,
        /// The faces that may be chosen, as places from 1; all, if there is no list.
        among: Option<Vec<u8>>,
    },
    /// Which of the dice in a slot to keep. The outcome is 1 if some are to be rolled again, else 0; the
    /// numbers of those kept are held in the next slot.
    Keep {
        /// Who chooses.
        by: SideRef,
        /// The dice.
        faces: Slot,
    },
    /// The same, but only the chooser knows the answer.
    Secret(Box<Decision>),
    /// The same with the question in words, for whoever is asked: nothing depends on them.
    Asked(Box<Decision>, Arc<str>),
    /// A move, held in the next slot as it was named: it is not made.
    Named(Box<Decision>),
}

/// The outcome of a turn of several moves where a square was chosen instead: more than any dice come to.
pub const SQUARE_CHOSEN: Answer = 1 << MAX_DICE;

/// Texts and squares that one may be chosen of.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Alternatives {
    /// The texts.
    pub labels: Vec<String>,
    /// The squares.
    pub squares: Option<SetExpr>,
}

impl Decision {
    /// The decision itself: without the veil of secrecy, the words that ask it, and what becomes of a move.
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

    /// What a turn of several moves is played by, if this is one.
    pub(crate) fn plan(&self) -> Option<&Arc<Plan>> {
        match self.bare() {
            Decision::PlayEach(plan) => Some(plan),
            _ => None,
        }
    }

    /// The same decision, sharing nothing that is counted at every use.
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

    /// Whether a move is named, not made.
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

    /// Who decides; `None` in a turn of several moves, which is the business of whoever is to move.
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

/// For each outcome of dice the number of the key that a rule is told.
pub type Keys = Arc<Vec<u32>>;

/// A chance point: what may come up.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Chance {
    /// Dice; the outcome is [`Dice::index_of`] the faces.
    Roll(Arc<Dice>),
    /// Dice of which only those outcomes can come up whose permit admits a move now; their chances are those of rolling again until one does. -1 if there is none.
    Playable(Arc<Dice>, Arc<PermitsByOutcome>),
    /// Dice of which only some outcomes count (true); the others are rolled again.
    Only(Arc<Dice>, Arc<Vec<bool>>),
    /// Dice whose faces are held in the next slot, to be reckoned with; the outcome is 0.
    Held(Arc<Dice>),
    /// One die for each piece on some squares, the dice by kind of piece: set after set, the squares of
    /// a set in order, each square once. The faces are held in the next slot; the outcome is 0.
    Each {
        /// The squares.
        sets: Vec<SetExpr>,
        /// The die of each kind, by index.
        dice: Arc<Vec<Option<crate::dice::Die>>>,
    },
    /// Those of the dice in a slot that are not among the kept (by number, in another slot) are rolled
    /// again; all faces are held in the next slot, the outcome is 0.
    Again {
        /// What the dice are.
        dice: Arc<Dice>,
        /// Their faces so far.
        faces: Slot,
        /// The numbers of those kept.
        kept: Slot,
    },
    /// One of the faces that a counter with places holds, each as likely as there are of it. It is held in
    /// the next slot; the outcome is 0, or -1 if there is none.
    Draw(u8, SideRef),
    /// One of some squares, all equally likely. It is held in the next slot; the outcome is 0, or -1 if
    /// there is none.
    Pick(SetExpr),
    /// One of the moves that a permit admits, all equally likely. It is held in the next slot, not made; the outcome is 0, or
    /// -1 if there is none.
    PickMove(Permit),
    /// The same, but the rule is told no more than a key, one for each outcome, and goes on with that.
    Keyed(Box<Chance>, Keys),
    /// The same, but only one side sees what comes up.
    Secret(Box<Chance>, SideRef),
}

/// What each outcome of dice permits. Outcomes that permit the same share a permit, which is asked once.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PermitsByOutcome {
    /// The permits, each once.
    permits: Vec<Permit>,
    /// The number of the permit of each outcome.
    of: Vec<u32>,
}

impl PermitsByOutcome {
    /// The permits of the outcomes in their order.
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

    /// The number of an outcome's permit among them; `None` if there is no such outcome.
    pub fn number(&self, outcome: u64) -> Option<usize> {
        self.of.get(usize::try_from(outcome).ok()?).map(|&number| number as usize)
    }
}

impl Chance {
    /// The dice of a plain roll, secret or not: the same whatever the position.
    pub(crate) fn plain(&self) -> Option<&Arc<Dice>> {
        match self {
            Chance::Roll(dice) => Some(dice),
            Chance::Secret(chance, _) | Chance::Keyed(chance, _) => chance.plain(),
            Chance::Held(_) | Chance::Only(..) | Chance::Playable(..) | Chance::Each { .. } => None,
            Chance::Again { .. } | Chance::Draw(..) | Chance::Pick(_) | Chance::PickMove(_) => None,
        }
    }

    /// The dice of a roll of which all outcomes can come up and everybody sees them, with the keys that a rule is told, if it
    /// is not told the faces.
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

    /// The same with dice and keys of its own.
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

/// Refuses dice whose outcomes cannot be numbered and weighed.
pub(crate) fn countable(dice: &Dice) -> Result<(), RuleError> {
    if dice.is_countable() {
        return Ok(());
    }
    let count = dice.dice.len();
    Err(RuleError::new(format!("{count} dice rolled at once have more outcomes than can be counted")))
}

/// One step of a rule's run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Asks; goes on according to the answer.
    Ask(Query),
    /// Finds something and holds it in the next slot.
    Find(Find),
    /// Comes to a chance point; goes on according to the outcome.
    Roll(Chance),
    /// Comes to a decision; goes on according to the outcome.
    Decide(Decision),
    /// Changes the game.
    Act(Effect),
    /// Ends with a result: 0 and 1 are no and yes for a test, other rules' results mean nothing.
    Return(Answer),
}

impl Step {
    /// The same step, sharing nothing that is counted at every use: threads that walk copies of a tree would hand the
    /// counts to and fro.
    pub(crate) fn apart(&self) -> Step {
        match self {
            Step::Roll(chance) => Step::Roll(chance.apart()),
            Step::Decide(decision) => Step::Decide(decision.apart()),
            other => other.clone(),
        }
    }

    /// Whether the run branches here: whether it needs an answer to go on.
    pub fn branches(&self) -> bool {
        matches!(self, Step::Ask(_) | Step::Roll(_) | Step::Decide(_))
    }
}

/// What went wrong in a rule. It is one word wide, since results with it travel through every step of every rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RuleError(Box<Failure>);

/// The rule, what went wrong, and the place as far as it is known.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rule) = &self.rule {
            write!(f, "in rule `{rule}`: ")?;
        }
        f.write_str(&self.message)?;
        match (self.place, &self.file) {
            (Some((line, column)), Some(file)) => write!(f, " ({file}:{line}:{column})"),
            (Some((line, column)), None) => write!(f, " (line {line}, column {column} of the script)"),
            (None, _) => Ok(()),
        }
    }
}

/// What is known of a [`RuleError`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Failure {
    /// The rule's name, if known.
    pub rule: Option<String>,
    /// What went wrong.
    pub message: String,
    /// The line and column (from 1) in the rule's text, if known.
    pub place: Option<(usize, usize)>,
    /// The file, if it is not the variant's own.
    pub file: Option<String>,
    /// The calls of functions that led there, the innermost first: what is called, and where.
    pub calls: Vec<(String, Place)>,
    /// What sort of error it is.
    pub cause: Cause,
}

/// The sorts of errors of rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cause {
    /// The rule is wrong, or over a limit of its own.
    #[default]
    Rule,
    /// It makes the engine do more than it may for one event, most lately this.
    Work(Task),
    /// It holds more values than one run may.
    Held,
    /// Whoever waits for it has no more time, or wants it no more: the rule itself may be right.
    Stopped,
}

impl RuleError {
    /// An error without a place.
    pub fn new(message: impl Into<String>) -> RuleError {
        Failure { message: message.into(), ..Failure::default() }.into()
    }

    /// The error of work that somebody has stopped.
    pub fn stopped() -> RuleError {
        Failure { message: "stopped before it was done".into(), cause: Cause::Stopped, ..Failure::default() }.into()
    }

    /// Whether somebody has stopped what was done: the rule itself may be right.
    pub fn is_stop(&self) -> bool {
        self.cause == Cause::Stopped
    }
}

impl From<Failure> for RuleError {
    #[cold]
    fn from(failure: Failure) -> RuleError {
        RuleError(Box::new(failure))
    }
}

impl std::ops::Deref for RuleError {
    type Target = Failure;

    fn deref(&self) -> &Failure {
        &self.0
    }
}

impl std::ops::DerefMut for RuleError {
    fn deref_mut(&mut self) -> &mut Failure {
        &mut self.0
    }
}

/// What runs of rules for one event of a game have used, as far as their source limits that: nothing, when an event
/// begins.
#[derive(Clone, Copy, Default, Debug)]
pub struct Used {
    /// The time.
    pub time: Duration,
    /// The thread's processor time when the first part of what is allowed was over, where that can be told.
    pub processor: Option<Duration>,
    /// The tests of moves and squares met for the first time.
    pub tests: usize,
}

/// Supplies the rules of a variant. It serves all threads, one at a time.
pub trait RuleSource: Send {
    /// Whether there is a rule for this hook.
    fn has(&self, hook: Hook) -> bool;

    /// A rule's name, for messages.
    fn name(&self, rule: RuleId) -> String;

    /// The number of slots that are filled when the rule starts: 0 for `turn` and `outcome`, 1 for
    /// `capture` (the move). A test of moves or squares sees what the rule around it held where it
    /// was met, then the move or square in question.
    fn held(&self, rule: RuleId) -> usize;

    /// Whether so many tests of a generation are kept that the next had better begin.
    fn is_full(&self, _generation: u32) -> bool {
        false
    }

    /// From now on the tests that hooks meet are of this generation, and so are the tests that those meet.
    fn meet_in(&self, _generation: u32) {}

    /// Drops all tests of a generation: nothing refers to them. Returns their numbers, which others may be given.
    fn forget(&self, _generation: u32) -> Vec<RuleId> {
        Vec::new()
    }

    /// Runs a rule from its start; `answers` are for its branching steps, in order. Returns its steps
    /// up to and including the first branching step beyond the answers, or its [`Step::Return`]. `used` is what
    /// runs for the same event have used before, and with this one afterwards. Whether to stop, the
    /// [meter](crate::meter::is_stopped) says.
    ///
    /// # Errors
    /// Whatever the rule does wrong.
    fn run(&self, rule: RuleId, answers: &[Answer], used: &mut Used) -> Result<Vec<Step>, RuleError>;

    /// Where in its text a rule asks for the answer after `answers`, if that is known.
    fn place(&self, _rule: RuleId, _answers: &[Answer]) -> Option<Place> {
        None
    }

    /// Where a rule stands, in its text and with all that it has in hand, when it asks for the answer after
    /// `answers`, if that is known: two runs that stand alike, and what of the values held by then is spoken of,
    /// go on alike.
    fn standing(&self, _rule: RuleId, _answers: &[Answer]) -> Option<Standing> {
        None
    }

    /// Where a test of moves or squares is written, if that is known.
    fn test_place(&self, _rule: RuleId) -> Option<Place> {
        None
    }
}

/// Where a rule stands in its text, and with what in hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    /// The same text means that it stands there again.
    pub text: String,
    /// Whether one run may come back to it.
    pub again: bool,
}

/// A place in a rule's text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file, if it is not the variant's own.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}
