//! What a record with several games holds, game by game, and one of them taken out.

use super::{LoadError, Loaded, Record, RecordError, pgn, replay};
use crate::notation::pgn::Item;

/// The tags that name players, in the order of play; `Red` begins in records of xiangqi.
const PLAYERS: [&str; 5] = ["White", "Red", "Black", "Third", "Fourth"];

/// What a game of a record says about itself, without looking at its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The players that are named, in the order of play.
    pub players: Vec<String>,
    /// The result as it is written: `*` if it is open.
    pub result: String,
    /// The moves of all sides, variations aside.
    pub moves: usize,
}

/// The headings of all games of a record.
///
/// # Errors
/// If it is not PGN, or there is no game in it.
pub fn headings(text: &str) -> Result<Vec<Heading>, RecordError> {
    let games = pgn::parse(text)?;
    if games.is_empty() {
        return Err(RecordError::Empty);
    }
    Ok(games.iter().map(heading).collect())
}

fn heading(game: &pgn::Game) -> Heading {
    let named = PLAYERS.iter().filter_map(|tag| game.tag(tag)).map(str::trim);
    Heading {
        players: named.filter(|name| !matches!(*name, "" | "?")).map(String::from).collect(),
        result: game.result.clone(),
        moves: game.items.iter().filter(|entry| matches!(entry.item, Item::Move(_))).count(),
    }
}

/// Reads one game of a record, by its number from 1, with its variations; the others may be of whatever
/// variant, and wrong.
///
/// # Errors
/// As [`read_all`](super::read_all) for this game; [`RecordError::Empty`] if there are not so many.
pub fn read_one(
    text: &str,
    number: usize,
    mut load: impl FnMut(&str, &[(String, String)]) -> Result<Loaded, LoadError>,
) -> Result<Record, RecordError> {
    let games = pgn::parse(text)?;
    let game = number.checked_sub(1).and_then(|index| games.get(index)).ok_or(RecordError::Empty)?;
    replay(text, game, &mut load)
}
