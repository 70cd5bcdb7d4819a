//! Debugs the rules of a script: stops them before a statement, and shows the calls and variables there.
//!
//! Pass a [`Stepper`] to [`load_debugging`](crate::load_debugging), and its [`Debugger`] is called on the thread that
//! plays the game. A rule runs again from its start for each answer that it receives. The parts of a run that only
//! repeat an earlier run do not stop, so an author sees each line once per turn. Owns what a debugger learns ([`Stop`],
//! [`Frame`], [`Variable`]); `stepper` owns when a run stops. It must never know protocols or files.
//!
//! Invariants: a debugger changes no result of a rule, and code at the top level of a script never stops. A debugger
//! that is called must not use the rules: the engine holds their lock.

pub(crate) mod shown;
mod statements;
mod stepper;

pub use stepper::Stepper;

use crate::node_place::LineColumn;
use astragal_core::value::{Value, View};
use astragal_core::{Position, Side};

/// Decides where rules stop, and how they continue.
pub trait Debugger: Send + Sync {
    /// Called when a run of a rule begins that repeats nothing: `turn`, `capture`, or the name of a test. `sight` is
    /// the game as the rule sees it.
    fn begins(&self, rule: &str, sight: Option<&Sight>);

    /// Whether a run stops before the first statement on this line of a script.
    fn breaks_at(&self, script: &str, line: usize) -> bool;

    /// Whether the next statement stops in any case. True only once for each request.
    fn pauses(&self) -> bool;

    /// Called before a statement at which a run stops. The run continues when this returns.
    fn stopped(&self, stop: Stop) -> Resume;
}

/// How a run continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// To the next breakpoint.
    GoOn,
    /// To the next statement, in any function or rule.
    StepIn,
    /// To the next statement that is not in a function called by this one, or in a rule that the engine runs meanwhile.
    StepOver,
    /// To the next statement after the end of this function.
    StepOut,
    /// Not at all: the rule fails in the same way as after an interruption.
    End,
}

/// Why a run has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// There is a breakpoint on the line.
    Breakpoint,
    /// A step ends here.
    Step,
    /// A pause was requested.
    Pause,
}

/// A run of a rule that has stopped before a statement.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Why it has stopped.
    pub cause: Cause,
    /// The rule that runs: `turn`, `capture`, or the name of a test.
    pub rule: String,
    /// The functions that have been called, the innermost first.
    pub frames: Vec<Frame>,
    /// The game when the rule asked last. Changes that it has made since then take place at its next question.
    pub sight: Option<Sight>,
}

/// A function that has been called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its name.
    pub function: String,
    /// The script that contains it.
    pub script: String,
    /// The statement that it is about to run, or the call that has not returned.
    pub place: LineColumn,
    /// Its variables; the newest first.
    pub variables: Vec<Variable>,
}

/// A variable, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name, the index in an array as `[0]`, or the key in a map.
    pub name: String,
    /// Its value, on one line.
    pub text: String,
    /// The kind of the value in words: `a number`.
    pub kind: &'static str,
    /// The items of an array, the entries of a map.
    pub parts: Vec<Variable>,
}

/// The game as a rule sees it.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The position.
    pub position: Position,
    /// The side whose turn it is or, between turns, was.
    pub mover: Side,
    /// The values that the rule holds, by slot.
    pub(crate) held: Vec<Value>,
}

impl Sight {
    /// The game in a view.
    pub fn of(view: &View<'_>) -> Sight {
        Sight { position: view.position.clone(), mover: view.mover(), held: view.held().to_vec() }
    }
}

#[cfg(test)]
#[path = "debugger_tests.rs"]
mod tests;
