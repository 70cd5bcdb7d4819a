//! The `astragal` program as a library: the server, the prompt and the commands.
//!
//! It plays whatever the script layer loads and contains no rule of any game.

pub mod analysis;
pub mod cli;
pub mod gametest;
pub mod interrupt;
pub mod opponents;
pub mod prompt;
pub mod screen;
pub mod serve;
pub mod shelf;
pub mod whole;
