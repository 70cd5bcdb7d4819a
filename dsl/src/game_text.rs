//! A game as short texts that people and programs type and read: the pending question, the possible answers, and events.
//!
//! `options` writes moves, choices and dice. `awaited` describes what the game waits for. `answers` parses answers.
//! `happened` describes results. `positions` writes positions. Records, the server, the prompt and the commands share this
//! module; it knows nothing of JSON or terminals.

mod answers;
mod awaited;
mod happened;
mod options;
mod payment;
mod positions;

pub use self::{
    answers::{
        AnswerError, find_answer, find_choice, find_move, find_move_anyhow, is_pass, move_text, read_roll, roll,
        rolled, shown_move, shown_roll, typed_move,
    },
    awaited::{Pending, awaited, not_now, question, waits},
    happened::{AutomaticEvent, AutomaticKind, again, follow_ups, notes, ordinal, result, side_name, winners},
    options::{choice_text, choices, dice_text, distinct, drawn, move_name, moves, option_name, options, read_dice},
    payment::{die_prefix, faces, paid_by, with_die},
    positions::{plain_position, position},
};
pub(crate) use self::{
    answers::{find_recorded_choice, record_text, recorded_choice, rolled_faces},
    awaited::pending,
    positions::position_for,
};
