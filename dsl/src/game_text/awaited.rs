//! The question or roll that a game waits for.

use super::options::{choices, options};
use crate::printable::in_a_line;
use astragal_core::{Side, State, Status};

/// The question or roll that a game waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pending {
    /// Dice.
    Roll {
        /// As `2d6`.
        dice: String,
        /// Their number.
        count: usize,
    },
    /// A move.
    Move {
        /// Whose.
        player: Side,
        /// The permitted moves in coordinates, sorted, preceded by the dice if the payment matters.
        options: Vec<String>,
        /// The texts and squares that may be chosen instead.
        choices: Vec<String>,
        /// Whether the player may do without.
        pass: bool,
    },
    /// Another choice.
    Choice {
        /// Whose.
        player: Side,
        /// The texts and squares to choose from.
        options: Vec<String>,
        /// Whether the player may do without.
        pass: bool,
    },
}

/// The pending question or roll; `None` if the game is over.
pub(crate) fn pending(state: &State) -> Option<Pending> {
    match state.status() {
        Status::Over => None,
        Status::Chance => {
            let (dice, count) = state.dice().map_or((String::new(), 0), |d| (d.to_string(), d.dice.len()));
            Some(Pending::Roll { dice, count })
        }
        Status::Move => Some(Pending::Move {
            player: state.chooser(),
            options: options(state),
            choices: choices(state),
            pass: state.can_pass(),
        }),
        Status::Choice => {
            Some(Pending::Choice { player: state.chooser(), options: choices(state), pass: state.can_pass() })
        }
    }
}

/// The script's text for the pending question, if it has one.
pub fn question(state: &State) -> Option<String> {
    state.question().map(|words| in_a_line(&words).into_owned())
}

/// The pending question or roll, in a few words.
pub fn waits(state: &State) -> String {
    awaited(state).unwrap_or_else(|| "nothing, because it is over".into())
}

/// The same; `None` if the game is over.
pub fn awaited(state: &State) -> Option<String> {
    match state.status() {
        Status::Over => None,
        Status::Chance => Some(state.dice().map_or("a roll".into(), |dice| format!("a roll of {dice}"))),
        Status::Move if !state.choices().is_empty() => {
            Some(format!("a move or a choice ({})", choices(state).join(", ")))
        }
        Status::Move if state.names_move() => Some("the name of a move".into()),
        Status::Move => Some("a move".into()),
        Status::Choice => Some(format!("a choice ({})", choices(state).join(", "))),
    }
}

/// An explanation for an answer that does not fit the pending question.
pub fn not_now(state: &State, offered: &str) -> String {
    waits_for(awaited(state).as_deref(), offered)
}

/// Explains that the game waits for something other than what was offered.
pub(super) fn waits_for(awaited: Option<&str>, offered: &str) -> String {
    match awaited {
        Some(awaited) => format!("the game is waiting for {awaited}, not for {offered}"),
        None => "the game is over".into(),
    }
}
