//! The knowledge that editors need of game scripts: completion, signatures, hover texts, definitions, renaming,
//! outlines, colors and formatting. The language server and the studio both call it.
//!
//! It answers questions about a [`Script`](script::Script) at a byte offset. No transport, no files, no clock; it
//! depends on the engine and the rule host alone. Invariant: any text can be asked about, complete or not, without an
//! error.

#![warn(unreachable_pub)]

mod board;
mod calls;
mod comments;
pub mod complete;
mod diagram;
pub mod document;
pub mod format;
pub mod functions;
pub mod hover;
mod imported;
pub mod keep;
mod kinds;
pub mod lines;
pub mod markdown;
pub mod names;
pub mod navigate;
pub mod outline;
mod resolve;
#[cfg(test)]
mod sample;
pub mod script;
pub mod semantic;
pub mod signature;
mod statements;
