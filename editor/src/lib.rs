//! The knowledge that editors need of game scripts. So far: tokens, scopes, calls, and the names that texts stand for.
//!
//! It answers questions about a [`Script`](script::Script) at a byte offset. No transport, no files, no clock; it depends on
//! the engine and the rule host alone. Invariant: any text can be asked about, complete or not, without an error.

#![warn(unreachable_pub)]

pub mod document;
pub mod functions;
pub mod lines;
pub mod names;
pub mod script;
