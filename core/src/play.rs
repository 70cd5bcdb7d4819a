//! Playing: the state of a game and what it waits for ([`state`]), and a game with its events, undo and seeded dice
//! ([`game`]).
//!
//! Runs rules and makes moves; knows nothing of players, files or text.

pub(crate) mod game;
pub(crate) mod state;
pub(crate) mod unseen;
