//! Tests of rule scripts: games written down by hand and what they come to, and random games of which
//! everything must hold that holds for every game.
//!
//! [`file`](mod@file) reads a `.game` file, [`play`] plays it to a text, [`text`](mod@text) turns a game into a file.
//! [`diff`] tells two texts apart. [`property`] says what holds for all games, [`random`] plays them, [`shrink`] makes a failing one short, [`attempt`] tries
//! what must be refused.
//!
//! Nothing here knows a terminal, a folder or a particular game: texts come in, texts go out. Where the script of a game file
//! is found is told by the [`Loader`]'s owner.

mod attempt;
pub mod diff;
pub mod file;
pub mod loader;
pub mod play;
pub mod property;
pub mod random;
pub mod shrink;
pub mod text;

pub use file::GameFile;
pub use loader::Loader;
pub use play::GameTestError;
