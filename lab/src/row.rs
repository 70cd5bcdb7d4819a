//! A game in a line: what is told of each game where all of them are wanted.
//!
//! Owns which columns there are, in which order, and what they are called, for every form that rows are written in.

use crate::tally::TurnCounts;
use astragal_core::{Side, TurnEnd};

/// A game in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its number.
    pub number: u64,
    /// Who has won; nobody in a draw, nor if it was broken off.
    pub winner: Option<Side>,
    /// Why it ended; `None` if it was broken off.
    pub reason: Option<String>,
    /// Moves made.
    pub plies: u64,
    /// Turns, the last one included.
    pub turns: TurnCounts,
    /// Events, rolls included.
    pub events: u64,
    /// Captures that succeeded.
    pub captures: u64,
    /// What the dice showed when they were first rolled, die by die; `None` if they never were.
    pub first_roll: Option<Vec<i16>>,
    /// Of all that has happened: rolls, moves, choices, positions, the result.
    pub digest: u64,
}

impl Row {
    /// The names of the columns: the number, the winner and the reason, [`Row::numbers`], the first roll and the digest.
    pub const COLUMNS: [&'static str; 14] = [
        "game",
        "winner",
        "reason",
        "plies",
        "turns",
        "lost",
        "passed",
        "forced",
        "decided",
        "ended",
        "events",
        "captures",
        "first_roll",
        "digest",
    ];

    /// The numbers between the reason and the first roll.
    pub fn numbers(&self) -> [u64; 9] {
        let [lost, passed, forced, decided, ended] =
            [TurnEnd::Lost, TurnEnd::Passed, TurnEnd::Forced, TurnEnd::Decided, TurnEnd::Ended]
                .map(|end| self.turns.of(end));
        [self.plies, self.turns.all(), lost, passed, forced, decided, ended, self.events, self.captures]
    }

    /// The digest as it is written: sixteen hexadecimal digits.
    pub fn digest_text(&self) -> String {
        format!("{:016x}", self.digest)
    }
}
