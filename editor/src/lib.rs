//! The knowledge that editors need of game scripts. No transport, no files, no clock: the language server and the studio
//! both call it.

#![warn(unreachable_pub)]

pub mod document;
pub mod functions;
pub mod lines;
pub mod names;
