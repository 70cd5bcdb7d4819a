//! A game as a game file: every roll, move and choice on a line of its own.

use super::file::GameFile;
use super::find::EXTENSION;
use super::loader::{Loader, folder_of};
use super::play;
use super::snapshot::{self, Snapshot};
use crate::shelf::chosen;
use crate::whole;
use astragal_core::{Event, Game, State};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, record, words};
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// The text of a file at `path`: comments, headers, the events, and more lines behind them.
pub fn game_text(path: &Path, loaded: &Loaded, game: &Game, title: &str, comments: &[String], more: &[&str]) -> String {
    let mut text = String::new();
    for line in comments.iter().flat_map(|comment| comment.lines()) {
        let _ = writeln!(text, "# {line}");
    }
    let _ = writeln!(text, "title: {title}");
    let _ = writeln!(text, "variant: {}", script_seen_from(path, loaded));
    let options = chosen(loaded);
    if !options.is_empty() {
        let options: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let _ = writeln!(text, "options: {}", options.join(" "));
    }
    let dice = Some(game.start_dice()).filter(|dice| !dice.is_empty());
    if *game.start() != loaded.start || dice.is_some() {
        let dice = dice.map(|dice| words::dice_text(&loaded.faces, dice));
        let _ = writeln!(text, "position: {}", fen::write_turn(&loaded.set.variant, game.start(), dice.as_deref()));
    }
    if game.seed() != 0 {
        let _ = writeln!(text, "seed: {}", game.seed());
    }
    text.push('\n');
    if let Ok(mut again) = words::restarted(game) {
        for entry in game.entries() {
            let _ = writeln!(text, "{}", event(again.state(), &entry.event));
            if again.apply(&entry.event).is_err() {
                break;
            }
        }
    }
    for line in more {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// An event as a line of a game file.
pub fn event(state: &State, event: &Event) -> String {
    match event {
        Event::Roll(faces) => {
            format!("roll {}", words::rolled(state, faces).replace(',', " "))
        }
        Event::Pass => "pass".into(),
        Event::Choice(index) => {
            format!("choose {}", words::choices(state).get(*index).map(String::as_str).unwrap_or_default())
        }
        Event::Move(paid) => {
            let text = record::move_text(state, *paid);
            let priced = || format!("{}:{text}", words::faces(&state.price(*paid)));
            match words::find_move(state, &text, None) {
                Err(words::WordError::Die { .. }) => priced(),
                // Another die of the same sort is listed.
                Ok(_) if !state.moves().contains(paid) => priced(),
                _ => text,
            }
        }
    }
}

/// Writes a game as a test: the file and what it comes to now, accepted. Says where.
///
/// # Errors
/// If the file exists and `over` is not set, it cannot be written, or the game cannot be played from it.
pub fn record(path: &Path, loaded: &Loaded, game: &Game, over: bool) -> Result<PathBuf, String> {
    let path = match path.extension() {
        None => path.with_extension(EXTENSION),
        Some(extension) if extension == EXTENSION => path.to_path_buf(),
        Some(_) => return Err(format!("a test is a file whose name ends in .{EXTENSION}, unlike {}", path.display())),
    };
    if !over && path.exists() {
        return Err(format!("{0} exists; 'record! {0}' replaces it", path.display()));
    }
    let folder = folder_of(&path);
    if !folder.is_dir() {
        return Err(format!("cannot write {}: there is no folder {}", path.display(), folder.display()));
    }
    let turns = record::turns(game).len();
    let title = format!("{}, {turns} {}", loaded.title, if turns == 1 { "turn" } else { "turns" });
    let text = game_text(&path, loaded, game, &title, &[], &[]);
    save(&path, &text, &loaded.title)?;
    Ok(path)
}

/// Writes a test and accepts what it comes to.
///
/// # Errors
/// If it cannot be written or played.
pub fn save(path: &Path, text: &str, expression: &str) -> Result<(), String> {
    let file = GameFile::parse(path, text).map_err(|error| error.render(false))?;
    let outcome = play::transcript(&file, &mut Loader::new()).map_err(|trouble| trouble.render(false))?;
    whole::replace(path, text.as_bytes())?;
    let expression = file.title.as_deref().unwrap_or(expression);
    let accepted = snapshot::path_of(path);
    let written = Snapshot::new(path, expression, &outcome).save(&accepted);
    written.and_then(|()| snapshot::remove(&snapshot::pending(&accepted))).map_err(|error| error.to_string())?;
    Ok(())
}

/// How a file names its script: as seen from its own folder, where that is possible.
fn script_seen_from(path: &Path, loaded: &Loaded) -> String {
    let Some(script) = &loaded.source.path else { return loaded.name.clone() };
    let whole = |path: &Path| path.canonicalize().ok();
    let (Some(folder), Some(script)) = (whole(&folder_of(path)), whole(script)) else {
        return script.display().to_string();
    };
    relative(&folder, &script).display().to_string()
}

/// The way from a folder to a file, both from the root.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let (from, to): (Vec<Component>, Vec<Component>) = (folder.components().collect(), file.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return file.to_path_buf();
    }
    let up = from[common..].iter().map(|_| Component::ParentDir);
    up.chain(to[common..].iter().copied()).collect()
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
