//! The `astragal` program as a library: the prompt, the commands, files and terminals.
//!
//! Functions that other interfaces need as well are in [`astragal_service`]. It plays everything that the script layer
//! loads and contains no rules of any game.

#![warn(unreachable_pub)]

mod atomic_write;
pub mod cli;
mod dap;
pub mod gametest;
mod lsp;
mod players;
pub mod prompt;
mod rule_error;
mod screen;
mod serve;
mod signals;
mod studio;
mod tables;
