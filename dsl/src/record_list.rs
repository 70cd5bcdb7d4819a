//! What a record with several games holds, game by game, and one of them taken out.

use super::{LoadError, Loaded, PLAYER_TAGS, Record, RecordError, pgn, replay};
use crate::notation::pgn::Item;
use crate::printable::in_a_line;

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

/// What is in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The number of its games, at least 1.
    pub games: usize,
    /// The headings of the first of them.
    pub headings: Vec<Heading>,
}

/// Counts the games of a record, and reads the headings of at most `most` of them.
///
/// # Errors
/// If it is not PGN, or there is no game in it.
pub fn contents(text: &str, most: usize) -> Result<Contents, RecordError> {
    let mut found = Contents { games: 0, headings: Vec::new() };
    for game in pgn::games(text) {
        let game = game?;
        found.games += 1;
        if found.games <= most {
            found.headings.push(heading(&game));
        }
    }
    if found.games == 0 { Err(RecordError::Empty) } else { Ok(found) }
}

fn heading(game: &pgn::PgnGame) -> Heading {
    // In some records the first player is `Red`.
    let players = [PLAYER_TAGS[0], "Red"].into_iter().chain(PLAYER_TAGS[1..].iter().copied());
    let named = players.filter_map(|tag| game.tag(tag)).map(str::trim);
    Heading {
        players: named.filter(|name| !matches!(*name, "" | "?")).map(|name| in_a_line(name).into_owned()).collect(),
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
    let index = number.checked_sub(1).ok_or(RecordError::Empty)?;
    let game = pgn::games(text).nth(index).ok_or(RecordError::Empty)??;
    replay(text, &game, &mut load)
}
