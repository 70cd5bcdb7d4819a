//! Rows: the data of each game, one line per game.
//!
//! Owns the columns, their order and their names, for every form that rows are written in.

use crate::tally::TurnCounts;
use astragal_core::variant::CounterDef;
use astragal_core::{Side, State, TurnEnd};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The summary of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its number.
    pub number: u64,
    /// The winner; `None` in a draw or if the game was aborted.
    pub winner: Option<Side>,
    /// The reason of its end; `None` if it was aborted.
    pub reason: Option<String>,
    /// Moves made, and choices made instead of a move at decisions that offer both.
    pub plies: u64,
    /// The number of these that are choices.
    pub instead: u64,
    /// Turns, the last one included.
    pub turns: TurnCounts,
    /// Events, rolls included.
    pub events: u64,
    /// Captures that succeeded.
    pub captures: u64,
    /// The faces of the first roll, die by die; `None` if there was none.
    pub first_roll: Option<Vec<i16>>,
    /// A digest of the whole game: rolls, moves, choices, positions, the result.
    pub digest: u64,
    /// How often each label was given, by label; only if rows are requested.
    pub labels: BTreeMap<String, u64>,
    /// The script's counters at the end, by name: a number, or a list by side or by place; only if rows are requested.
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

    /// The digest as text: sixteen hexadecimal digits.
    pub fn digest_text(&self) -> String {
        format!("{:016x}", self.digest)
    }
}

/// The counters of a script at the end of a game, by name: a number; a list by side in turn order, if each side has its
/// own; for a counter with places a list of these.
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
