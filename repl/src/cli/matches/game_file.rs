//! The file with the records of a match: written in order as games end, and read again to resume.
//!
//! Each game is completely on disk before the next one is written. After any interruption, the match can resume from the
//! file; a partial game at its end is removed. Games in the file are replayed with the rules: a game of another match, or
//! one that the rules no longer permit, is refused.

use crate::atomic_write::DurableFile;
use crate::cli::failure::{Failure, input};
use astragal_computer::{Forfeit, GameResult};
use astragal_core::{Game, Side};
use astragal_dsl::printable::in_a_line;
use astragal_dsl::record::{self, Record};
use astragal_dsl::{Loaded, game_text};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Read;
use std::path::Path;

/// The start of the tag `Termination`, if a player has forfeited the game.
const FORFEIT: &str = "forfeit by ";

/// The tag `Termination` of a game that has reached the event limit: the PGN word for a game without an end.
const CUT: &str = "unterminated";

/// The file, and the games that wait for earlier ones.
pub(super) struct GameFile {
    name: String,
    file: DurableFile,
    next: u64,
    waiting: BTreeMap<u64, String>,
}

impl GameFile {
    /// Creates a file.
    ///
    /// # Errors
    /// If it exists or cannot be created.
    pub(super) fn create(path: &Path) -> Result<GameFile, Failure> {
        let name = path.display().to_string();
        let file = DurableFile::create_new(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => input(format!("{name} exists: to continue its match, use --resume")),
            _ => input(format!("{name}: {error}")),
        })?;
        Ok(GameFile { name, file, next: 0, waiting: BTreeMap::new() })
    }

    /// Opens a file with games of this match, and returns its games. `header` is the record of a game before its first
    /// event.
    ///
    /// # Errors
    /// If it cannot be read, or does not contain exactly the first games of this match.
    pub(super) fn resume(
        path: &Path,
        loaded: &Loaded,
        header: impl Fn(u64) -> Result<String, Failure>,
    ) -> Result<(GameFile, Vec<GameResult>), Failure> {
        let name = path.display().to_string();
        let failed = |error: std::io::Error| input(format!("{name}: {error}"));
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let whole = whole_games(&bytes);
        let text = std::str::from_utf8(&bytes[..whole]).map_err(|_| input(format!("{name} is not UTF-8 text")))?;
        let mut results = Vec::new();
        if !text.trim().is_empty() {
            for (number, found) in (0..).zip(read(text, loaded)) {
                let wrong = |why: String| input(format!("{name}, game {}: {why}", number + 1));
                let found = found.map_err(wrong)?;
                check_tags(&found, &header(number)?, loaded).map_err(wrong)?;
                let forfeit = found.tag("Termination").and_then(|text| read_forfeit(text, &found.game));
                results.push(GameResult::of(number, found.game, forfeit));
            }
        }
        let file = DurableFile::behind(file, whole as u64).map_err(failed)?;
        let next = results.len() as u64;
        Ok((GameFile { name, file, next, waiting: BTreeMap::new() }, results))
    }

    /// Writes a game when all earlier ones have been written.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, number: u64, record: String) -> Result<(), Failure> {
        self.waiting.insert(number, record);
        while let Some(record) = self.waiting.remove(&self.next) {
            let text = format!("{record}\n");
            self.file.write(text.as_bytes()).map_err(|error| input(format!("{}: {error}", self.name)))?;
            self.next += 1;
        }
        Ok(())
    }
}

/// The number of bytes that the complete games take. Each ends with an empty line, and in a record, only the end of a game
/// is followed by a tag.
fn whole_games(bytes: &[u8]) -> usize {
    let last = bytes.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    if bytes.ends_with(b"\n\n") && !last.starts_with(b"[") {
        return bytes.len();
    }
    bytes.windows(3).rposition(|part| part == b"\n\n[").map_or(0, |at| at + 2)
}

/// The games of a text, under the rules of the match, whatever variant they name.
fn read(text: &str, loaded: &Loaded) -> impl Iterator<Item = Result<Record, String>> {
    record::read_each(text, |_, _| Ok(loaded.clone())).map(|game| game.map_err(|error| error.to_string()))
}

/// Checks that a game is the one that the match would have begun: `expected` is its record before the first event.
fn check_tags(found: &Record, expected: &str, loaded: &Loaded) -> Result<(), String> {
    let expected = read(expected, loaded).next().unwrap_or_else(|| Err("it contains no game".into()))?;
    // `SetUp` contains only that there is a position.
    let of_the_end = |name: &str| matches!(name, "Result" | "Termination" | "SetUp");
    let names = expected.tags.iter().chain(&found.tags).map(|(name, _)| name.as_str());
    for name in names.filter(|name| !of_the_end(name)) {
        let (there, value) = (found.tag(name), expected.tag(name));
        if there != value {
            let [there, value] = [there, value].map(|value| in_a_line(value.unwrap_or("nothing")));
            return Err(format!("it belongs to a different match: {name} is {there}, not {value}"));
        }
    }
    Ok(())
}

/// The record of a game: `tags` describe the match.
pub(super) fn record_of(loaded: &Loaded, result: &GameResult, mut tags: Vec<(String, String)>) -> String {
    if let Some(Forfeit { side, reason }) = &result.forfeit {
        let lost = if side.0.is_multiple_of(2) { "0-1" } else { "1-0" };
        tags.push(("Result".into(), lost.into()));
        tags.push(("Termination".into(), format!("{FORFEIT}{}: {reason}", game_text::ordinal(*side))));
    } else if result.over().is_none() {
        tags.push(("Termination".into(), CUT.into()));
    }
    record::write(loaded, &result.game, &tags)
}

fn read_forfeit(termination: &str, game: &Game) -> Option<Forfeit> {
    let (side, reason) = termination.strip_prefix(FORFEIT)?.split_once(": ")?;
    let sides = game.state().ruleset().variant.sides() as u8;
    let side = (0..sides).map(Side).find(|&one| game_text::ordinal(one) == side)?;
    Some(Forfeit { side, reason: reason.into() })
}

#[cfg(test)]
mod tests {
    use super::whole_games;

    #[test]
    fn half_a_game_is_none() {
        for (text, whole) in [
            ("", 0),
            ("[Event \"a\"]\n\n1. e4 *\n\n", 22),
            ("[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e", 22),
            ("[Event \"a\"]\n\n1. e4 *\n\n[Eve", 22),
            ("[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n", 22),
            ("[Event \"a\"]\n\n1. e", 0),
            ("[Event \"a\"]\n\n", 0),
        ] {
            let found = whole_games(text.as_bytes());
            assert_eq!(found, whole, "{text}");
        }
    }
}
