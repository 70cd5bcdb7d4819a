//! Folders with parts of a simulation: finding, writing and reading the parts to merge.
//!
//! Owns the names of the two files of a part and their order: the manifest is written last, so that an interrupted write
//! leaves no part. The caller provides the atomic replacement of a file.

use crate::experiment::Experiment;
use crate::part::{self, Manifest, MergeError, Part};
use crate::tally::Tally;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

fn unreadable(path: &Path) -> impl Fn(io::Error) -> MergeError + '_ {
    |error| MergeError::Unreadable { file: path.display().to_string(), reason: error.to_string() }
}

/// The paths of the part with these games: of the manifest and the tally.
pub fn paths(folder: &Path, games: &Range<u64>) -> (PathBuf, PathBuf) {
    let (manifest, tally) = part::file_names(games);
    (folder.join(manifest), folder.join(tally))
}

/// The part with these games, if it exists and is complete.
///
/// # Errors
/// If there is one of another experiment, or its manifest cannot be read.
pub fn find(folder: &Path, experiment: &Experiment, games: &Range<u64>) -> Result<Option<Part>, MergeError> {
    let (path, tally) = paths(folder, games);
    let Ok(manifest) = fs::read_to_string(&path) else { return Ok(None) };
    let name = path.display().to_string();
    let known = Manifest::read(&name, &manifest)?;
    if !known.is_of(experiment, games) {
        return Err(MergeError::Other(name));
    }
    // A damaged or missing part is played again.
    let part = Part { manifest, tally: fs::read_to_string(&tally).unwrap_or_default() };
    Ok(known.tally(&tally.display().to_string(), &part.tally).is_ok().then_some(part))
}

/// All complete parts of an experiment in the folder, with their games in ascending order; empty if there is no folder.
///
/// # Errors
/// As [`find`].
pub fn find_all(folder: &Path, experiment: &Experiment) -> Result<Vec<(Range<u64>, Part)>, MergeError> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for path in manifests(folder)? {
        let name = path.display().to_string();
        let games = Manifest::read(&name, &fs::read_to_string(&path).map_err(unreadable(&path))?)?.range();
        if paths(folder, &games).0 != path {
            return Err(MergeError::Other(name));
        }
        found.extend(find(folder, experiment, &games)?.map(|part| (games, part)));
    }
    found.sort_by_key(|(games, _)| (games.start, games.end));
    Ok(found)
}

/// Writes the part with these games, each file with `replace`; creates the folder if there is none.
///
/// # Errors
/// If that is impossible: the reason.
pub fn write(
    folder: &Path,
    games: &Range<u64>,
    part: &Part,
    replace: impl Fn(&Path, &[u8]) -> Result<(), String>,
) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (manifest, tally) = paths(folder, games);
    replace(&tally, part.tally.as_bytes())?;
    replace(&manifest, part.manifest.as_bytes())
}

/// All parts in some folders, for [`part::merge`]: the name of the manifest, the manifest, the tally.
///
/// # Errors
/// If a folder or a part cannot be read, or a part is damaged.
pub fn read(folders: &[PathBuf]) -> Result<Vec<(String, Manifest, Tally)>, MergeError> {
    let mut parts = Vec::new();
    for folder in folders {
        for path in manifests(folder)? {
            let text = |path: &Path| fs::read_to_string(path).map_err(unreadable(path));
            let name = path.display().to_string();
            let manifest = Manifest::read(&name, &text(&path)?)?;
            let beside = path.with_file_name(manifest.tally_name());
            let tally = manifest.tally(&beside.display().to_string(), &text(&beside)?)?;
            parts.push((name, manifest, tally));
        }
    }
    Ok(parts)
}

/// The manifests in a folder.
fn manifests(folder: &Path) -> Result<Vec<PathBuf>, MergeError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        let entry = entry.map_err(unreadable(folder))?;
        if entry.file_name().to_str().is_some_and(part::is_manifest) {
            found.push(entry.path());
        }
    }
    Ok(found)
}
