//! The `astragal` program as a library: the prompt, the commands, files and terminals.
//!
//! What other doors need as well is in [`astragal_service`]. It plays whatever the script layer loads and contains no rule of
//! any game.

#![warn(unreachable_pub)]

mod atomic_write;
pub mod cli;
pub mod gametest;
mod players;
pub mod prompt;
mod rule_error;
mod screen;
mod serve;
mod signals;
mod studio;
