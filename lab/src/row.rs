//! A game in a line: what is told of each game where all of them are wanted.
//!
//! Owns which columns there are, in which order, and what they are called, for every form that rows are written in.

use crate::tally::TurnCounts;
use astragal_core::variant::CounterDef;
use astragal_core::{Side, State, TurnEnd};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A game in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its number.
    pub number: u64,
    /// Who has won; nobody in a draw, nor if it was broken off.
    pub winner: Option<Side>,
    /// Why it ended; `None` if it was broken off.
    pub reason: Option<String>,
    /// Moves made, and choices made instead of a move where they stand beside moves.
    pub plies: u64,
    /// Of these, the choices.
    pub instead: u64,
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
    /// How often each label was given, by label; only where rows are wanted.
    pub labels: BTreeMap<String, u64>,
    /// The script's counters at the end, by name: a number, or a list by side or by place; only where rows are wanted.
    pub counters: Map<String, Value>,
}

impl Row {
    /// The names of the columns: the number, the winner and the reason, [`Row::numbers`], the first roll and the digest,
    /// [`Row::more_numbers`], labels and counters. New ones come last.
    pub const COLUMNS: [&'static str; 19] = [
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
        "instead",
        "cut_short",
        "forced_passes",
        "labels",
        "counters",
    ];

    /// The numbers between the reason and the first roll.
    pub fn numbers(&self) -> [u64; 9] {
        let [lost, passed, forced, decided, ended] =
            [TurnEnd::Lost, TurnEnd::Passed, TurnEnd::Forced, TurnEnd::Decided, TurnEnd::Ended]
                .map(|end| self.turns.of(end));
        [self.plies, self.turns.all(), lost, passed, forced, decided, ended, self.events, self.captures]
    }

    /// The numbers between the digest and the labels.
    pub fn more_numbers(&self) -> [u64; 3] {
        [self.instead, self.turns.cut_short, self.turns.forced_passes]
    }

    /// The digest as it is written: sixteen hexadecimal digits.
    pub fn digest_text(&self) -> String {
        format!("{:016x}", self.digest)
    }
}

/// The counters of a script at the end of a game, by name: a number; a list by side in order of turn, if each side has its own;
/// of a counter with places a list of these.
pub(crate) fn counters(state: &State) -> Map<String, Value> {
    let (variant, position) = (&state.ruleset().variant, state.position());
    let spec = variant.spec();
    let own = |index: usize| ![spec.unprepared, spec.last_moves].contains(&u8::try_from(index).ok());
    let value = |(index, def): (usize, &CounterDef)| {
        let at = |place, side| Value::from(position.counter_at(variant, index, place, Side(side)));
        let of = |side| match def.size {
            1 => at(0, side),
            size => (0..size).map(|place| at(place, side)).collect(),
        };
        let sides = spec.sides.len() as u8;
        (def.name.clone(), if def.per_side { (0..sides).map(of).collect() } else { of(0) })
    };
    spec.counters.iter().enumerate().filter(|(index, _)| own(*index)).map(value).collect()
}
