//! Opponents for every game: they know what the engine knows, and of no variant anything else.
//!
//! An [`Evaluation`] derives what pieces are worth from a variant's declarations, and learns from random games whether
//! that tells who wins. A [`Computer`] searches chance and decision nodes with it; where evaluations do not help, it
//! plays games to their end (Monte Carlo tree search). [`play_game`] lets players meet, a [`MatchScore`] adds up their
//! results, and a [`Valuation`] says what states are worth. Where a side may not know all, a computer is shown the [game](Player::decide_in)
//! and looks at worlds that agree with what its side has seen. Nothing here reads scripts, files or terminals. Given a seed and
//! a limit on nodes, everything is repeatable.

#![warn(unreachable_pub)]

mod alpha_beta;
mod attack_values;
mod computer;
mod evaluation;
mod events;
mod greedy;
mod limits;
mod line;
mod matches;
mod mcts;
mod mobility;
mod outcome_groups;
mod piece_sums;
mod piece_values;
mod player;
mod sampled;
mod search;
mod static_evaluation;
mod training;
mod valuation;
mod worlds;

// Players, what they know and what bounds them; matches between them, and what states are worth to them.
pub use self::{
    computer::{Computer, LEVELS},
    evaluation::Evaluation,
    greedy::Greedy,
    limits::Limits,
    matches::{Answer, Forfeit, GameResult, MatchScore, Participant, Seat, dice_seed, play_game, player_of},
    player::{Player, PlayerError, Random},
    valuation::{Horizon, Valuation},
};
// What a search finds, and how its events are made.
pub use self::{
    events::{apply, legal_events},
    line::{Line, SearchResult},
};
