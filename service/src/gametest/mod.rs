//! Tests of rule scripts: games written by hand with their expected results, and random games that check the properties of
//! every game.
//!
//! [`file`](mod@file) parses a `.game` file, [`play`] plays it to a text, [`text`](mod@text) turns a game into a file.
//! [`diff`] compares two texts. [`property`] defines the properties of all games, [`random`] plays them, [`shrink`]
//! shortens a failing one, [`attempt`] tries lines that must be refused.
//!
//! Nothing here knows a terminal, a folder or a particular game: input and output are texts. The owner of the [`Loader`]
//! decides where the script of a game file is found.

pub(crate) mod attempt;
pub mod diff;
mod error;
pub mod file;
pub mod loader;
pub mod play;
pub mod property;
pub mod random;
pub mod shrink;
pub mod text;

pub use error::GameTestError;
pub use file::{GameFile, ScriptReference};
pub use loader::Loader;
