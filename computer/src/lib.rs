//! Opponents for every game: they know what the engine knows, and of no variant anything else.
//!
//! [`knowledge`] learns from a variant's declarations what its pieces are worth, and from random games
//! whether that tells who wins; [`search`] looks ahead over dice and decisions, [`sample`] plays games to
//! their end where an evaluation does not help; [`player`] makes opponents of them, [`duel`] lets
//! opponents play each other, [`wilson`] says what their results prove. Nothing here reads scripts,
//! files or terminals. Given a seed and a limit on nodes, everything is repeatable.

pub mod chances;
pub mod duel;
pub mod knowledge;
pub mod limits;
pub mod mobility;
pub mod player;
pub mod sample;
pub mod search;
pub mod strikes;
pub mod wilson;
mod window;

pub use duel::{Duel, Ended};
pub use knowledge::Knowledge;
pub use limits::Limits;
pub use player::{Computer, Greedy, Player, PlayerError, Random, Thought};
pub use search::{Search, Stage};
pub use wilson::Interval;
