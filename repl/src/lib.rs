//! The `astragal` program as a library: the prompt, the commands, files and terminals.
//!
//! What other doors need as well is in [`astragal_service`]. It plays whatever the script layer loads and contains no rule of
//! any game.

pub mod cli;
pub mod gametest;
pub mod prompt;
pub mod screen;
pub mod serve;
pub mod signals;
pub mod whole;
