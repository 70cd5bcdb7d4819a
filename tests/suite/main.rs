//! What spans the crates: situations of the rulebooks, perft tables, whole games, properties.

mod common;
mod coverage;
mod differential;
mod flips;
mod perft;
mod probabilities;
mod random_games;
mod situations;
mod snapshots;
mod trees;
mod why;
mod xiangqi_reference;
