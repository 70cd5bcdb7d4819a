//! The tests of a folder's scripts, for the page. They are found where `astragal test` finds them, written next to their
//! script, and accepted as by `astragal test --accept`.
//!
//! It knows no requests and plays no games. Files outside the folder are neither read nor written, not even through links,
//! and tests are never replaced.

use crate::atomic_write;
use crate::gametest::find;
use crate::gametest::scripts::MAX_FILE;
use crate::gametest::snapshot::{self, Snapshot};
use astragal_dsl::disk;
use astragal_service::gametest::GameFile;
use serde_json::{Value, json};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The maximum number of tests of a script that are listed.
const LISTED: usize = 1000;

/// The ending of test names.
pub(super) const ENDING: &str = ".game";

/// The tests of a script in a folder (both paths as from [`fs::canonicalize`]). Each has its name relative to the folder,
/// its text, and its accepted result. If the text cannot be read, the reason replaces it.
///
/// # Errors
/// If the folder cannot be searched.
pub(super) fn listed(folder: &Path, script: &Path) -> Result<Value, String> {
    let found = find::games(script).map_err(|error| error.to_string())?;
    let within = found.into_iter().filter(|path| is_within(folder, path)).take(LISTED);
    let one = |path: PathBuf| {
        let name = path.strip_prefix(folder).ok()?.components().map(|part| part.as_os_str().to_str());
        let name = name.collect::<Option<Vec<_>>>()?.join("/");
        Some(match disk::read_text(&path, MAX_FILE) {
            Ok(text) => json!({ "name": name, "text": text, "accepted": accepted(folder, &path) }),
            Err(error) => json!({ "name": name, "text": "", "accepted": "", "error": error.to_string() }),
        })
    };
    Ok(within.filter_map(one).collect())
}

/// The accepted result of a test; empty if there is none, or it cannot be read.
fn accepted(folder: &Path, game: &Path) -> String {
    let kept = snapshot::path_of(game);
    let read = is_within(folder, &kept).then(|| Snapshot::read(&kept).ok().flatten()).flatten();
    read.map_or(String::new(), |kept| kept.contents)
}

/// Writes a new test into the folder.
///
/// # Errors
/// If a file with this name exists, or it cannot be written.
pub(super) fn add(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    atomic_write::create(&folder.join(name), text.as_bytes()).map_err(|error| format!("{name}: {error}"))
}

/// Accepts a result of a test in the folder.
///
/// # Errors
/// If there is no such test, or its snapshot is elsewhere or cannot be written.
pub(super) fn accept(folder: &Path, name: &str, outcome: &str) -> Result<(), String> {
    let none = || format!("{name}: there is no such test in the folder");
    let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let game = folder.join(Some(name).filter(|name| inside && name.ends_with(ENDING)).ok_or_else(none)?);
    if !is_within(folder, &game) || !game.is_file() {
        return Err(none());
    }
    let kept = snapshot::path_of(&game);
    let place = kept.parent().unwrap_or(folder);
    let is_ours = |path: &Path| fs::symlink_metadata(path).is_err() || is_within(folder, path);
    if !is_ours(place) || !is_ours(&kept) {
        return Err(format!("{name}: its snapshot is not in the folder"));
    }
    let text = disk::read_text(&game, MAX_FILE).map_err(|error| format!("{name}: {error}"))?;
    let title = GameFile::parse(&game, &text).ok().and_then(|file| file.title).unwrap_or_default();
    let written = Snapshot::new(&game, &title, outcome).save(&kept);
    written.and_then(|()| snapshot::remove(&snapshot::pending(&kept))).map_err(|error| error.to_string())?;
    Ok(())
}

/// Whether a path leads to a file or folder within the folder.
fn is_within(folder: &Path, path: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| path.starts_with(folder))
}
