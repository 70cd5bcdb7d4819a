//! Errors in rules: the message, the place, and the cause, which may be a limit of the engine on its own work.

use std::fmt;
use thiserror::Error;

/// An error in a rule. It is one word wide, since results with it pass through every step of every rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RuleError(Box<Failure>);

/// The rule, the message, and the place as far as known.
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

/// The details of a [`RuleError`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Failure {
    /// The rule's name, if known.
    pub rule: Option<String>,
    /// The description of the error.
    pub message: String,
    /// The line and column (from 1) in the rule's text, if known.
    pub place: Option<(usize, usize)>,
    /// The file, if it is not the variant's own.
    pub file: Option<String>,
    /// The calls that led there, the innermost first: the name of each function, and the place of the call.
    pub calls: Vec<(String, SourceLocation)>,
    /// The cause of the error.
    pub cause: Cause,
}

/// The causes of errors in rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cause {
    /// The rule is wrong, or exceeds one of its own limits.
    #[default]
    Rule,
    /// It makes the engine work more than is allowed for one event, most recently on this task.
    Work(Task),
    /// It holds more values than one run may hold.
    Held,
    /// The caller ran out of time or cancelled: the rule itself may be right.
    Stopped,
}

impl RuleError {
    /// An error without a place.
    pub fn new(message: impl Into<String>) -> RuleError {
        Failure { message: message.into(), ..Failure::default() }.into()
    }

    /// The error of work that was stopped.
    pub fn stopped() -> RuleError {
        Failure { message: "stopped before it finished".into(), cause: Cause::Stopped, ..Failure::default() }.into()
    }

    /// Whether the work was stopped: the rule itself may be right.
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

/// A place in a rule's text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SourceLocation {
    /// The file, if it is not the variant's own.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// The engine's tasks for a script.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Task {
    /// Listing the moves of a permit.
    Listing,
    /// Testing moves or squares one by one.
    Testing,
    /// Looking ahead over a turn of several moves.
    Planning,
    /// Following the steps of a rule: questions, searches, effects.
    Running,
    /// Turns without a decision or a roll.
    Turning,
}

impl Task {
    /// A description of the task, and advice on how to reduce it.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Task::Listing => (
                "listing the moves of a permit",
                "involve fewer pieces or squares, or build the permit from fewer parts",
            ),
            Task::Testing => (
                "testing moves or squares one by one",
                "nest tests less deeply, and narrow the permit or set with `pieces(..)`, `from(..)` or `to(..)` before \
                 `where`",
            ),
            Task::Planning => (
                "looking ahead over a turn of several moves",
                "roll fewer dice, let each pay for fewer moves, or keep `spend` at \"each\"",
            ),
            Task::Running => ("running the steps of a rule", "test sets of squares instead of single squares"),
            Task::Turning => (
                "passing turns without a decision",
                "end the game when no side can move, for example with `draw(..)` in `outcome`",
            ),
        }
    }
}
