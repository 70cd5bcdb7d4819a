//! What a game waits for.

use super::options::{choices, options};
use crate::printable::in_a_line;
use astragal_core::{Side, State, Status};

/// What a game waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pending {
    /// Dice.
    Roll {
        /// As `2d6`.
        dice: String,
        /// How many they are.
        count: usize,
    },
    /// A move.
    Move {
        /// Whose.
        player: Side,
        /// The permitted moves in coordinates, sorted, with the dice before them where it matters which pay.
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

/// What the game waits for; `None` when it is over.
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

/// What is asked, in the script's words, if it has any.
pub fn question(state: &State) -> Option<String> {
    state.question().map(|words| in_a_line(&words).into_owned())
}

/// What the game waits for, in a few words.
pub fn waits(state: &State) -> String {
    awaited(state).unwrap_or_else(|| "nothing: it is over".into())
}

/// The same; `None` if the game is over.
pub fn awaited(state: &State) -> Option<String> {
    match state.status() {
        Status::Over => None,
        Status::Chance => Some(state.dice().map_or("a roll".into(), |dice| format!("a roll of {dice}"))),
        Status::Move if !state.choices().is_empty() => {
            Some(format!("a move or a choice ({})", choices(state).join(", ")))
        }
        Status::Move if state.names_move() => Some("a move to be named".into()),
        Status::Move => Some("a move".into()),
        Status::Choice => Some(format!("a choice ({})", choices(state).join(", "))),
    }
}

/// Why something else than what the game waits for cannot be.
pub fn not_now(state: &State, offered: &str) -> String {
    waits_for(awaited(state).as_deref(), offered)
}

/// Why a game that waits for something does not take what was offered.
pub(super) fn waits_for(awaited: Option<&str>, offered: &str) -> String {
    match awaited {
        Some(awaited) => format!("the game waits for {awaited}, not for {offered}"),
        None => "the game is over".into(),
    }
}
