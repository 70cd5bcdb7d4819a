//! A game as short texts that people and programs type and read: what it waits for, what may be answered, and what
//! happened.
//!
//! `options` writes moves, choices and dice, `awaited` what the game waits for, `answers` reads what is answered,
//! `happened` says what came of it, `positions` writes positions. Shared by records, the server, the prompt and the
//! commands; it knows nothing of JSON or terminals.

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
    happened::{again, follow_ups, notes, ordinal, result, side_name, winners},
    options::{
        choice_text, choices, dice_text, distinct, drawn, faces, move_name, moves, option_name, options, read_dice,
    },
    payment::{die_prefix, paid_by, with_die},
    positions::{plain_position, position},
};
pub(crate) use self::{
    answers::{find_recorded_choice, record_text, recorded_choice},
    awaited::pending,
    positions::position_for,
};
