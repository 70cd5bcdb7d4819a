//! The program and the library as people use them. All these tests are one program, because linking a program takes longer
//! than compiling its tests. `cargo test -p astragal --test program docs::` runs one file of them.

mod bots;
mod commands;
mod common;
mod dap;
mod docs;
mod facade;
mod fmt;
mod gametests;
mod keeping;
mod lab;
mod links;
mod lsp;
mod pictures;
mod players;
mod readme;
#[cfg(unix)]
mod solve;
mod terminal;
#[cfg(unix)]
mod terminal_play;
mod testing_doc;
#[cfg(unix)]
mod train;
mod typing;
