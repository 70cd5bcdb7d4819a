//! Tests of rule scripts: games written down by hand and what they come to, and random games of which
//! everything must hold that holds for every game.
//!
//! [`file`](mod@file) reads a `.game` file, [`play`] plays it to a text, [`snapshot`] compares that with the text accepted
//! before, [`find`] finds files, [`write`](mod@write) turns a game into a file. [`property`] says what holds for all games,
//! [`random`] plays them, [`shrink`] makes a failing one short, [`attempt`] tries what must be refused. [`covered`] tells what no test has reached.
//!
//! Nothing here knows a terminal or a particular game.

pub mod attempt;
pub mod covered;
pub mod diff;
pub mod file;
pub mod find;
pub mod loader;
pub mod play;
pub mod property;
pub mod random;
pub mod shrink;
pub mod snapshot;
pub mod write;

pub use file::GameFile;
pub use loader::Loader;
pub use play::Trouble;
