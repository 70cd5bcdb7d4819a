//! Finds the game files and the scripts that a path refers to.

use super::scripts::{self, folder_of, script_of};
use super::snapshot;
use astragal_dsl::disk;
use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The extension of game files.
pub(crate) const EXTENSION: &str = "game";

/// Whether a path ends in `.game`.
pub(crate) fn is_game(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == EXTENSION)
}

/// The game files that a path refers to, sorted: the file itself; for a folder, all below it; for a script, those below its
/// folder that test it.
///
/// # Errors
/// If the path does not exist, it leads to a device, a pipe or a socket, or a folder cannot be read.
pub fn games(path: &Path) -> io::Result<Vec<PathBuf>> {
    let missing = |error: io::Error| {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_string(),
            _ => error.to_string(),
        };
        io::Error::new(error.kind(), format!("{}: {why}", path.display()))
    };
    let about = fs::metadata(path).map_err(missing)?;
    if about.is_dir() {
        return below(path, EXTENSION);
    }
    disk::regular(&about).map_err(missing)?;
    if is_game(path) {
        return Ok(vec![path.to_path_buf()]);
    }
    let script = path.canonicalize().map_err(missing)?;
    let mut found = below(&folder_of(path), EXTENSION)?;
    found.retain(|game| is_about(game, &script));
    Ok(found)
}

/// Files with an extension in a folder and below, sorted; hidden files and build results are left out. Each folder is
/// searched once, however many links lead to it: under its own path, if that is below the folder too.
///
/// # Errors
/// If a folder cannot be read.
pub fn below(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let (mut folders, mut links) = (VecDeque::from([folder.to_path_buf()]), VecDeque::new());
    // Follow links only after everything in the folder has been visited.
    while let Some(folder) = folders.pop_front().or_else(|| links.pop_front()) {
        if !seen.insert(folder.canonicalize()?) {
            continue;
        }
        let mut entries: Vec<PathBuf> =
            fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        entries.sort();
        for path in entries {
            if path.is_dir() {
                match path.file_name().map(|name| name.to_string_lossy()) {
                    Some(name) if name.starts_with('.') || name == "target" => {}
                    _ if path.is_symlink() => links.push_back(path),
                    _ => folders.push_back(path),
                }
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    let mut found: Vec<PathBuf> =
        found.into_iter().map(|path| path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)).collect();
    found.sort();
    Ok(found)
}

/// Whether a game file tests a script. An unreadable file counts if it is next to the script, so that it is not overlooked.
fn is_about(game: &Path, script: &Path) -> bool {
    let named = scripts::read(game).ok().and_then(|file| script_of(&file).ok());
    match named {
        Some(named) => Path::new(&named).canonicalize().is_ok_and(|path| path == script),
        None => folder_of(game).canonicalize().ok().as_deref() == script.parent(),
    }
}

/// Snapshots whose game files no longer exist, in the snapshot folders next to the given files and in folders. Sorted.
pub fn orphans(games: &[PathBuf], folders: &[PathBuf]) -> Vec<PathBuf> {
    let beside = games.iter().filter_map(|game| snapshot::path_of(game).parent().map(Path::to_path_buf));
    let mut found: Vec<PathBuf> = beside.flat_map(|folder| below(&folder, "snap").unwrap_or_default()).collect();
    for folder in folders {
        found.extend(below(folder, "snap").unwrap_or_default());
    }
    found.retain(|snap| is_orphan(snap));
    found.sort();
    found.dedup();
    found
}

/// Other tests may keep their snapshots in the same place: only ours are considered.
fn is_orphan(path: &Path) -> bool {
    let Ok(Some(read)) = snapshot::Snapshot::read(path) else { return false };
    let folder = path.parent().and_then(Path::parent).unwrap_or(Path::new(""));
    let in_place = path.parent().and_then(Path::file_name).is_some_and(|name| name == snapshot::FOLDER);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    in_place && read.source == format!("{stem}.{EXTENSION}") && !folder.join(&read.source).exists()
}
