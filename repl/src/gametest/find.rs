//! Which game files, and which scripts, a path means.

use super::file::GameFile;
use super::loader::{folder_of, script_of};
use super::snapshot;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The extension of game files.
pub const EXTENSION: &str = "game";

/// Folders deeper than this are not looked into: links may lead in circles.
const DEEPEST: usize = 16;

/// Whether a path ends in `.game`.
pub fn is_game(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == EXTENSION)
}

/// The game files that a path means: itself; for a folder all below it; for a script those below its
/// folder that are about it. Sorted.
///
/// # Errors
/// If there is no such path, or a folder cannot be read.
pub fn games(path: &Path) -> io::Result<Vec<PathBuf>> {
    let missing = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let about = fs::metadata(path).map_err(missing)?;
    if about.is_dir() {
        return below(path, EXTENSION);
    }
    if is_game(path) {
        return Ok(vec![path.to_path_buf()]);
    }
    let script = path.canonicalize().map_err(missing)?;
    let mut found = below(&folder_of(path), EXTENSION)?;
    found.retain(|game| is_about(game, &script));
    Ok(found)
}

/// Files with an extension in a folder and the folders in it, sorted; hidden ones and build results
/// are left out.
///
/// # Errors
/// If a folder cannot be read.
pub fn below(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect(folder, extension, 0, &mut found)?;
    let mut found: Vec<PathBuf> =
        found.into_iter().map(|path| path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)).collect();
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, extension: &str, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && depth < DEEPEST {
                collect(&path, extension, depth + 1, found)?;
            }
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    Ok(())
}

/// Whether a game file is about a script. One that cannot be read is, so that it is not overlooked
/// if it stands beside the script.
fn is_about(game: &Path, script: &Path) -> bool {
    let named = GameFile::read(game).ok().and_then(|file| script_of(&file).ok());
    match named {
        Some(named) => Path::new(&named).canonicalize().is_ok_and(|path| path == script),
        None => folder_of(game).canonicalize().ok().as_deref() == script.parent(),
    }
}

/// Snapshots of game files that are there no more, in the snapshot folders beside the given files and
/// in folders. Sorted.
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

/// Other tests may keep their snapshots in the same place: only ours are looked at.
fn is_orphan(path: &Path) -> bool {
    let Ok(Some(read)) = snapshot::Snapshot::read(path) else { return false };
    let folder = path.parent().and_then(Path::parent).unwrap_or(Path::new(""));
    let in_place = path.parent().and_then(Path::file_name).is_some_and(|name| name == snapshot::FOLDER);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    in_place && read.source == format!("{stem}.{EXTENSION}") && !folder.join(&read.source).exists()
}
