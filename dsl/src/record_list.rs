//! Lists the games of a record, and reads one of them.

use super::{LoadError, Loaded, PLAYER_TAGS, Record, RecordError, pgn, replay};
use crate::notation::pgn::Item;
use crate::printable::in_a_line;

/// The description of a game from its tags, without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The named players, in turn order.
    pub players: Vec<String>,
    /// The result as written: `*` if it is open.
    pub result: String,
    /// The number of moves of all sides, without variations.
    pub moves: usize,
}

/// The contents of a record.
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

/// Reads one game of a record, by its number from 1, with its variations. The other games may be of any variant, and may
/// contain errors.
///
/// # Errors
/// As [`read_all`](super::read_all) for this game; [`RecordError::Empty`] if there are not that many games.
pub fn read_one(
    text: &str,
    number: usize,
    mut load: impl FnMut(&str, &[(String, String)]) -> Result<Loaded, LoadError>,
) -> Result<Record, RecordError> {
    let index = number.checked_sub(1).ok_or(RecordError::Empty)?;
    let game = pgn::games(text).nth(index).ok_or(RecordError::Empty)??;
    replay(text, &game, &mut load)
}
