//! Records on disk: written whole or not at all, and never over a file that is not ours.

use crate::atomic_write;
use astragal_dsl::record::{self, Contents, Record, RecordError};
use astragal_dsl::{disk, library};
use astragal_service::variant_cache::VariantCache;
use std::path::{Path, PathBuf};

/// The largest record that is read, in bytes.
pub(crate) const MAX_RECORD: u64 = 64 << 20;

/// A path as typed, with `~/` meaning the home directory.
///
/// # Errors
/// If there is none.
pub(crate) fn path(text: &str) -> Result<PathBuf, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("which file? as 'save game.pgn'".into());
    }
    match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Ok(Path::new(&home).join(rest)),
        _ => Ok(PathBuf::from(text)),
    }
}

/// Writes a text: into a new file beside it first, so that a break-down leaves the old one whole.
///
/// # Errors
/// If the file exists and `over` is not set, or it cannot be written.
pub(crate) fn save(path: &Path, text: &str, over: bool) -> Result<(), String> {
    if !over && path.exists() {
        return Err(format!("{0} exists; 'save! {0}' replaces it", path.display()));
    }
    atomic_write::replace(path, text.as_bytes())
}

/// The text of a record.
///
/// # Errors
/// If it cannot be read, is far too long or is not text.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let cannot = |why: String| format!("cannot read {}: {why}", path.display());
    let bytes = disk::read(path, MAX_RECORD).map_err(|error| cannot(error.to_string()))?;
    text(bytes).ok_or_else(|| cannot("it is not a text in UTF-8".into()))
}

/// Whether a file holds records of games.
pub(crate) fn is_record(path: &Path) -> bool {
    path.is_file() && read(path).is_ok_and(|text| library::is_record(&text))
}

/// The text of a record that comes from elsewhere.
///
/// # Errors
/// If it cannot be read, is far too long or is not text.
pub(crate) fn read_from(source: impl std::io::Read) -> Result<String, String> {
    let bytes = disk::read_from(source, MAX_RECORD).map_err(|error| error.to_string())?;
    text(bytes).ok_or_else(|| "it is not a text in UTF-8".into())
}

fn text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).or_else(|error| latin(error.as_bytes()).ok_or(())).ok()
}

/// A text in ISO 8859-1, the character set of old records: if nearly all of it is plain.
fn latin(bytes: &[u8]) -> Option<String> {
    let plain = |byte: &&u8| matches!(byte, 0x20..=0x7e | b'\n' | b'\r' | b'\t');
    let foreign = bytes.len() - bytes.iter().filter(plain).count();
    let printable = bytes.iter().all(|byte| plain(&byte) || *byte >= 0xa0);
    (printable && foreign * 10 <= bytes.len()).then(|| bytes.iter().map(|byte| char::from(*byte)).collect())
}

/// The file and the number of a game in it, as typed: `games.pgn` or `games.pgn 3`.
///
/// # Errors
/// If there is no file named.
pub(crate) fn path_and_number(text: &str) -> Result<(PathBuf, Option<usize>), String> {
    let text = text.trim();
    let whole = path(text)?;
    let split = text.rsplit_once(char::is_whitespace).and_then(|(file, last)| Some((file, last.parse().ok()?)));
    match split {
        // A name may itself end like this.
        Some((file, number)) if !whole.exists() => Ok((path(file)?, Some(number))),
        _ => Ok((whole, None)),
    }
}

/// So many games of a file are listed.
const LISTED: usize = 40;

/// Reads a record: the game of this number, or the only one, with all its lines; and the variant's name or
/// path.
///
/// # Errors
/// If the file cannot be read, its game is not allowed by the rules, or there are several and none is
/// named; then they are listed.
pub(crate) fn load(cache: &mut VariantCache, path: &Path, number: Option<usize>) -> Result<(Record, String), String> {
    let text = read(path)?;
    let wrong = |error: RecordError| format!("{}: {error}", path.display());
    let there = record::contents(&text, LISTED).map_err(wrong)?;
    let number = match number {
        Some(number) if number == 0 || number > there.games => {
            let there = if there.games == 1 { "only one game".into() } else { format!("games 1 to {}", there.games) };
            return Err(format!("{}: there is no game {number}, {there}", path.display()));
        }
        Some(number) => number,
        None if there.games == 1 => 1,
        None => return Err(list(path, &there)),
    };
    let mut asked = String::new();
    let found = record::read_one(&text, number, |name, options| {
        if asked.is_empty() {
            name.clone_into(&mut asked);
        }
        cache.load_told(name, options).map(|loaded| (*loaded).clone())
    });
    found.map(|record| (record, asked)).map_err(wrong)
}

/// What is to be told where a file leads to a script on disk; nothing for variants that come with the program.
pub(crate) fn told(file: &Path, script: &str) -> String {
    match library::bundled(script) {
        Some(_) => String::new(),
        None => format!("{} names the script {script}: its rules are used.\n", file.display()),
    }
}

fn list(path: &Path, there: &Contents) -> String {
    let mut text = String::new();
    for (number, game) in (1..).zip(&there.headings) {
        let players = if game.players.is_empty() { "players not named".into() } else { game.players.join(" - ") };
        let moves = if game.moves == 1 { "1 move".into() } else { format!("{} moves", game.moves) };
        text.push_str(&format!("{number:>4}. {players}, {}, {moves}\n", game.result));
    }
    if there.games > there.headings.len() {
        text.push_str(&format!("and {} more\n", there.games - there.headings.len()));
    }
    format!("{text}There are {} games in {1}: which one? as 'load {1} 2'", there.games, path.display())
}
