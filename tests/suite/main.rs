//! What spans the crates: situations of the rulebooks, perft tables, whole games, properties.

mod common;
mod differential;
mod perft;
mod trees;
mod xiangqi_reference;
