//! Computer players for every game. They use only the engine's view of a variant, no knowledge of particular games.
//!
//! An [`Evaluation`] derives the values of pieces from a variant's declarations, and finds out in random games whether
//! it predicts winners. A [`Computer`] searches chance and decision nodes with it; where evaluation does not help, it
//! uses Monte Carlo tree search. [`play_game`] plays a game between players, a [`MatchScore`] sums their results, and a
//! [`Valuation`] returns the values of states. [`learned`] evaluates by networks that games against itself have
//! trained. If a side does not know everything, a computer receives the [game](Player::decide_in) and searches worlds
//! that agree with the side's observations. Nothing here reads scripts, files or terminals. With a seed and a node
//! limit, every result is reproducible.

#![warn(unreachable_pub)]

mod alpha_beta;
mod attack_values;
mod computer;
mod evaluation;
mod events;
mod exact;
mod greedy;
pub mod learned;
mod limits;
mod line;
mod matches;
mod mcts;
mod mobility;
mod outcome_groups;
mod pace;
mod piece_sums;
mod piece_values;
mod player;
mod race;
mod race_value;
mod result;
mod sampled;
mod search;
mod static_evaluation;
mod training;
mod valuation;
mod worlds;

// Players, their evaluations and limits; matches between them; values of states.
pub use self::{
    computer::{Computer, LEVELS},
    evaluation::Evaluation,
    exact::{KnownValues, half_points, ranked_events, value_of_turn},
    greedy::Greedy,
    limits::Limits,
    matches::{Answer, Forfeit, GameResult, MatchScore, Participant, Seat, dice_seed, play_game, player_of},
    player::{Player, PlayerError, Random},
    valuation::{Horizon, Valuation},
};
// The results of a search, and how to apply its events.
pub use self::{
    events::{apply, legal_events},
    line::{Line, SearchResult},
};
