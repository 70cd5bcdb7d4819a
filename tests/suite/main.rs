//! What spans the crates: situations of the rulebooks, perft tables, whole games, properties.

mod common;
mod coverage;
mod differential;
mod flips;
mod perft;
mod probabilities;
mod profile;
mod random_games;
mod situations;
mod shortcuts;
mod snapshots;
mod trees;
mod xiangqi_reference;
