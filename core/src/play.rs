//! Playing: the state of a game and what it waits for ([`state`]), and a game with its events, undo and dice
//! from a seed ([`game`]).
//!
//! Runs rules and makes moves; knows nothing of who decides, of files or of texts.

pub(crate) mod game;
pub(crate) mod state;
pub(crate) mod unseen;
