//! The reports of the thread that plays the game: its output, its stops, and its end.

use astragal_dsl::debugger::{Frame, Variable};

/// A report of the game.
pub(super) enum Report {
    /// A text for the console, with its category in the protocol.
    Output(&'static str, String),
    /// The game has stopped.
    Halted(Box<Halt>),
    /// The result of [`Command::Answer`](super::link::Command::Answer): the answer given, or why it is refused. The game
    /// continues if it is given.
    Answered(Result<String, String>),
    /// The game is over or has been ended. True unless a rule failed.
    Ended(bool),
}

/// A game that has stopped, and what a client may ask about it.
#[derive(Default)]
pub(super) struct Halt {
    /// The reason, in the protocol: `breakpoint`.
    pub(super) reason: &'static str,
    /// The reason in words.
    pub(super) text: String,
    /// The calls of functions, the innermost first.
    pub(super) frames: Vec<Frame>,
    /// The state of the game.
    pub(super) game: Vec<Variable>,
    /// The drawn board.
    pub(super) board: String,
    /// The possible answers, if the game waits for one.
    pub(super) choices: Vec<String>,
}
