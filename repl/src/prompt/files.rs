//! Records on disk: written whole or not at all, and never over a file that is not ours.

use crate::shelf::Shelf;
use astragal_core::Game;
use astragal_dsl::{Loaded, record};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The largest record that is read, in bytes.
pub const MAX_RECORD: u64 = 64 << 20;

/// A path as typed, with `~/` meaning the home directory.
///
/// # Errors
/// If there is none.
pub fn path(text: &str) -> Result<PathBuf, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("which file? as 'save game.pgn'".into());
    }
    match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Ok(Path::new(&home).join(rest)),
        _ => Ok(PathBuf::from(text)),
    }
}

/// Writes a record: into a new file beside it first, so that a break-down leaves the old one whole.
///
/// # Errors
/// If the file exists and `over` is not set, or it cannot be written.
pub fn save(path: &Path, loaded: &Loaded, game: &Game, over: bool) -> Result<(), String> {
    if !over && path.exists() {
        return Err(format!("{0} exists; 'save! {0}' replaces it", path.display()));
    }
    if path.is_dir() {
        return Err(format!("{} is a folder", path.display()));
    }
    let text = record::write(loaded, game, &[]);
    let mut name = path.file_name().map(|name| name.to_os_string()).unwrap_or_default();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&part)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&part);
        format!("cannot write {}: {error}", path.display())
    })
}

/// The text of a record.
///
/// # Errors
/// If it cannot be read, is far too long or is not text.
pub fn read(path: &Path) -> Result<String, String> {
    let cannot = |why: String| format!("cannot read {}: {why}", path.display());
    let size = fs::metadata(path).map_err(|error| cannot(error.to_string()))?.len();
    if size > MAX_RECORD {
        return Err(cannot(format!("a record has at most {MAX_RECORD} bytes, this has {size}")));
    }
    fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::InvalidData => cannot("it is not a text in UTF-8".into()),
        _ => cannot(error.to_string()),
    })
}

/// Reads a record: the variant, its name or path, and the game.
///
/// # Errors
/// If the file cannot be read, or its game is not allowed by the rules.
pub fn load(shelf: &mut Shelf, path: &Path) -> Result<(Loaded, String, Game), String> {
    let text = read(path)?;
    let mut asked = String::new();
    let found = record::read(&text, |name, options| {
        name.clone_into(&mut asked);
        shelf.load(name, options).map(|loaded| (*loaded).clone())
    });
    let (loaded, game) = found.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((loaded, asked, game))
}
