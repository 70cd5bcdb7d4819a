//! Records on disk: written completely or not at all, and over an existing file only on request.

use crate::atomic_write;
use astragal_dsl::record::{self, Contents, Record, RecordError};
use astragal_dsl::{disk, library};
use astragal_service::variant_cache::VariantCache;
use std::path::{Path, PathBuf};

/// The largest record that is read, in bytes.
pub(crate) const MAX_RECORD: u64 = 64 << 20;

/// A path as typed; `~/` is the home directory.
///
/// # Errors
/// If there is none.
pub(crate) fn path(text: &str) -> Result<PathBuf, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("write a file name, as in 'save game.pgn'".into());
    }
    match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Ok(Path::new(&home).join(rest)),
        _ => Ok(PathBuf::from(text)),
    }
}

/// Writes a text, first into a new file next to the target, so that a crash leaves the old file intact.
///
/// # Errors
/// If the file exists and `over` is not set, or it cannot be written.
pub(crate) fn save(path: &Path, text: &str, over: bool) -> Result<(), String> {
    if !over && path.exists() {
        return Err(format!("{0} exists; to replace it, type 'save! {0}'", path.display()));
    }
    atomic_write::replace(path, text.as_bytes())
}

/// The text of a record.
///
/// # Errors
/// If it cannot be read, is too long or is not text.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let cannot = |why: String| format!("cannot read {}: {why}", path.display());
    let bytes = disk::read(path, MAX_RECORD).map_err(|error| cannot(error.to_string()))?;
    text(bytes).ok_or_else(|| cannot("it is not UTF-8 text".into()))
}

/// Whether a file contains records of games.
pub(crate) fn is_record(path: &Path) -> bool {
    path.is_file() && read(path).is_ok_and(|text| library::is_record(&text))
}

/// The text of a record from a reader.
///
/// # Errors
/// If it cannot be read, is too long or is not text.
pub(crate) fn read_from(source: impl std::io::Read) -> Result<String, String> {
    let bytes = disk::read_from(source, MAX_RECORD).map_err(|error| error.to_string())?;
    text(bytes).ok_or_else(|| "it is not UTF-8 text".into())
}

fn text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).or_else(|error| latin(error.as_bytes()).ok_or(())).ok()
}

/// A text in ISO 8859-1, the character set of old records, if nearly all of it is plain.
fn latin(bytes: &[u8]) -> Option<String> {
    let plain = |byte: &&u8| matches!(byte, 0x20..=0x7e | b'\n' | b'\r' | b'\t');
    let foreign = bytes.len() - bytes.iter().filter(plain).count();
    let printable = bytes.iter().all(|byte| plain(&byte) || *byte >= 0xa0);
    (printable && foreign * 10 <= bytes.len()).then(|| bytes.iter().map(|byte| char::from(*byte)).collect())
}

/// The file and the number of a game in it, as typed: `games.pgn` or `games.pgn 3`.
///
/// # Errors
/// If no file is named.
pub(crate) fn path_and_number(text: &str) -> Result<(PathBuf, Option<usize>), String> {
    let text = text.trim();
    let whole = path(text)?;
    let split = text.rsplit_once(char::is_whitespace).and_then(|(file, last)| Some((file, last.parse().ok()?)));
    match split {
        // A file name may end like this itself.
        Some((file, number)) if !whole.exists() => Ok((path(file)?, Some(number))),
        _ => Ok((whole, None)),
    }
}

/// How many games of a file are listed.
const LISTED: usize = 40;

/// Reads a record: the game with this number, or the only one, with all its variations; and the variant's name or path.
///
/// # Errors
/// If the file cannot be read, the rules do not allow its game, or there are several games and none is selected; then they
/// are listed.
pub(crate) fn load(cache: &mut VariantCache, path: &Path, number: Option<usize>) -> Result<(Record, String), String> {
    let text = read(path)?;
    let wrong = |error: RecordError| format!("{}: {error}", path.display());
    let there = record::contents(&text, LISTED).map_err(wrong)?;
    let number = match number {
        Some(number) if number == 0 || number > there.games => {
            let there = if there.games == 1 { "only one game".into() } else { format!("games 1 to {}", there.games) };
            return Err(format!("{}: there is no game {number}; it has {there}", path.display()));
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

/// A note if a file names a script on disk; empty for bundled variants.
pub(crate) fn told(file: &Path, script: &str) -> String {
    match library::bundled(script) {
        Some(_) => String::new(),
        None => format!("{} names the script {script}; the rules of that script are used.\n", file.display()),
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
    format!("{text}{1} has {} games: choose one, as in 'load {1} 2'", there.games, path.display())
}
