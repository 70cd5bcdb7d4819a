//! The knowledge that editors need of game scripts: completion, signatures, hover texts, definitions, renaming, outlines,
//! colors and formatting. The language server and the studio both call it.
//!
//! It answers questions about a [`Script`](script::Script) at a byte offset. No transport, no files, no clock; it depends on
//! the engine and the rule host alone. Invariant: any text can be asked about, complete or not, without an error.

#![warn(unreachable_pub)]

pub mod document;
pub mod functions;
pub mod lines;
pub mod names;
pub mod script;
