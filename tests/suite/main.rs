//! What spans the crates: situations of the rulebooks, perft tables, whole games, properties.

mod boards;
mod common;
mod coverage;
mod differential;
mod digests;
mod flips;
mod fuzzish;
mod games;
mod legs;
mod licences;
mod matches;
mod perft;
mod probabilities;
mod profile;
mod prospects;
mod random_games;
mod scripts;
mod shortcuts;
mod situations;
mod sketch;
mod snapshots;
mod threads;
mod tracks;
mod trees;
mod why;
mod xiangqi_reference;
