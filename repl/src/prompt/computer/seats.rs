//! Who plays the sides: people, computers, programs, and players that have learned; and how saved games write it.

use crate::players::ProgramCommand;
use astragal_core::{MAX_SIDES, Side};
use astragal_dsl::{Loaded, game_text};
use astragal_lab::opponent::{Opponent, parse_level};
use std::sync::Arc;
use std::time::Duration;

/// A player that is not a person.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum SeatedPlayer {
    /// The computer at this level.
    Level(u8),
    /// A program.
    Program(ProgramCommand),
    /// A learned player, and the variant that its file was read for.
    Learned(Opponent, Loading),
}

/// A loaded variant, the same only as itself.
#[derive(Clone)]
pub(super) struct Loading(pub(super) Arc<Loaded>);

impl PartialEq for Loading {
    fn eq(&self, other: &Loading) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::fmt::Debug for Loading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.name)
    }
}

/// The players of the sides.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::prompt) struct SeatAssignment {
    /// For each side: its player, if it is not a person.
    pub(super) seats: [Option<SeatedPlayer>; MAX_SIDES],
    /// The time limit for a decision, instead of the level's limit.
    pub(super) time: Option<Duration>,
}

impl SeatAssignment {
    /// Whether the computer or a program plays `side`.
    pub(super) fn has(&self, side: Side) -> bool {
        self.seats[side.index()].is_some()
    }

    /// The level of the computer, if it plays `side`.
    pub(super) fn level(&self, side: usize) -> Option<u8> {
        match self.seats[side] {
            Some(SeatedPlayer::Level(level)) => Some(level),
            _ => None,
        }
    }

    /// The seats in the format of saved games: `second=3 time=500`, in milliseconds; empty if people play all sides.
    /// Programs and learned players are left out: a file from a stranger must not start a program or read a file.
    pub(in crate::prompt) fn text(&self) -> String {
        let level = |side: u8| {
            let level = self.level(usize::from(side));
            level.map(|level| format!("{}={level}", game_text::ordinal(Side(side))))
        };
        let mut parts: Vec<String> = (0..self.seats.len() as u8).filter_map(level).collect();
        let time = self.time.filter(|_| !parts.is_empty());
        parts.extend(time.map(|time| format!("time={}", time.as_millis().max(1))));
        parts.join(" ")
    }

    /// Parses the output of [`SeatAssignment::text`].
    ///
    /// # Errors
    /// If a part of it is not a seat.
    pub(in crate::prompt) fn parse(text: &str) -> Result<SeatAssignment, String> {
        let mut seats = SeatAssignment::default();
        for part in text.split_whitespace() {
            let wrong = || format!("'{part}' is not a computer setting");
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            match (0..MAX_SIDES as u8).find(|&side| game_text::ordinal(Side(side)) == name) {
                Some(side) => {
                    let level = parse_level(value).map_err(|error| error.to_string())?;
                    seats.seats[usize::from(side)] = Some(SeatedPlayer::Level(level));
                }
                None if name == "time" => seats.time = Some(Duration::from_millis(value.parse().map_err(|_| wrong())?)),
                None => return Err(wrong()),
            }
        }
        Ok(seats)
    }
}
