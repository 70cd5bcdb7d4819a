//! Writes game files to disk, with their results.

use super::find::EXTENSION;
use super::scripts::{self, folder_of};
use super::snapshot::{self, Snapshot};
use crate::atomic_write;
use astragal_core::Game;
use astragal_dsl::{Loaded, record};
use astragal_service::gametest::property::Subject;
use astragal_service::gametest::shrink::FailingGame;
use astragal_service::gametest::{GameFile, play, text};
use std::path::{Component, Path, PathBuf};

/// Writes a game as a test: the file and its current result, accepted. Returns the path.
///
/// # Errors
/// If the file exists and `over` is not set, it cannot be written, or the game cannot be played from it.
pub(crate) fn record(path: &Path, loaded: &Loaded, game: &Game, over: bool) -> Result<PathBuf, String> {
    let path = match path.extension() {
        None => path.with_extension(EXTENSION),
        Some(extension) if extension == EXTENSION => path.to_path_buf(),
        Some(_) => return Err(format!("expected a file name that ends in .{EXTENSION}, found {}", path.display())),
    };
    if !over && path.exists() {
        return Err(format!("{0} exists; to replace it, type 'record! {0}'", path.display()));
    }
    let folder = folder_of(&path);
    if !folder.is_dir() {
        return Err(format!("cannot write {}: there is no folder {}", path.display(), folder.display()));
    }
    let turns = record::turns(game).len();
    let title = format!("{}, {turns} {}", loaded.title, if turns == 1 { "turn" } else { "turns" });
    let text = text::game_text(&script_seen_from(&path, loaded), loaded, game, &title, &[], &[]);
    save(&path, &text, &loaded.title)?;
    Ok(path)
}

/// Writes a test and accepts its result.
///
/// # Errors
/// If it cannot be written or played.
pub(crate) fn save(path: &Path, text: &str, expression: &str) -> Result<(), String> {
    let file = GameFile::parse(path, text).map_err(|error| error.render(false))?;
    let outcome = play::transcript(&file, &mut scripts::loader()).map_err(|error| error.render(false))?;
    atomic_write::replace(path, text.as_bytes())?;
    let expression = file.title.as_deref().unwrap_or(expression);
    let accepted = snapshot::path_of(path);
    let written = Snapshot::new(path, expression, &outcome).save(&accepted);
    written.and_then(|()| snapshot::remove(&snapshot::pending(&accepted))).map_err(|error| error.to_string())?;
    Ok(())
}

/// The name of a script in a file at `path`: relative to its folder where possible.
pub(crate) fn script_seen_from(path: &Path, loaded: &Loaded) -> String {
    let Some(script) = &loaded.source.path else { return loaded.name.clone() };
    let whole = |path: &Path| path.canonicalize().ok();
    let (Some(folder), Some(script)) = (whole(&folder_of(path)), whole(script)) else {
        return script.display().to_string();
    };
    relative(&folder, &script).display().to_string()
}

/// The relative path from a folder to a file, both absolute; the file's path itself if they have no common root.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let (from, to): (Vec<Component>, Vec<Component>) = (folder.components().collect(), file.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return file.to_path_buf();
    }
    let up = from[common..].iter().map(|_| Component::ParentDir);
    up.chain(to[common..].iter().copied()).collect()
}

/// The path for a failing game: next to its script, or in the current folder for bundled variants. It never exists yet.
pub(crate) fn failing_path(subject: &Subject, failing: &FailingGame, seed: u64) -> PathBuf {
    let folder = subject.loaded.source.path.as_deref().map(folder_of).unwrap_or_default();
    let stem = format!("{}-{}-{seed}", subject.loaded.name, failing.violation.property.name());
    let named = |suffix: String| folder.join(format!("{stem}{suffix}.game"));
    let mut path = named(String::new());
    for number in 2.. {
        if !path.exists() {
            break;
        }
        path = named(format!("-{number}"));
    }
    path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_between_two_places() {
        let way = |from: &str, to: &str| relative(Path::new(from), Path::new(to)).display().to_string();
        assert_eq!(way("/a/b", "/a/b/c.rhai"), "c.rhai");
        assert_eq!(way("/a/b/tests", "/a/b/c.rhai"), "../c.rhai");
        assert_eq!(way("/a/x", "/a/b/c.rhai"), "../b/c.rhai");
    }
}
