//! Scripts: any text is loaded, checked and played for a while, or refused with a place, in time.

use super::{editor, in_time, step};
use astragal_core::{Game, GameError, RuleError, Status, Stream};
use astragal_dsl::{Diagnostic, Loaded, Source, check, load, summary};
use astragal_dsl::{LoadError, Severity};
use std::sync::Arc;

/// How far a script's game is played.
const PLIES: usize = 6;

/// Loads, checks and plays a script.
///
/// # Panics
/// If a property does not hold.
pub fn script(text: &str) {
    let source = Source { name: "stranger".into(), path: Some("stranger.rhai".into()), text: text.into() };
    match in_time("loading", || load(&source, &[])) {
        Err(error) => {
            editor::script(&source, None);
            refused(&error, &source);
            let errors = checked(&source).iter().filter(|d| d.severity == Severity::Error).count();
            assert!(errors > 0, "it does not load ({error}), but nothing is said to be wrong with it");
        }
        Ok(loaded) => {
            assert!(!summary(&loaded).is_empty());
            let loaded = Arc::new(loaded);
            editor::script(&source, Some(&loaded));
            plays(&loaded);
            // Trial games take most of the time: not all scripts need them.
            if text.len().is_multiple_of(4) {
                checked(&source);
            }
        }
    }
}

fn checked(source: &Source) -> Vec<Diagnostic> {
    let found = in_time("checking", || check(source));
    assert!(found.len() <= 20, "{} diagnostics", found.len());
    found.iter().for_each(|diagnostic| placed(diagnostic, source));
    found
}

fn refused(error: &LoadError, source: &Source) {
    let LoadError::Script(all) = error else { return assert!(!error.to_string().is_empty()) };
    assert!(!all.is_empty(), "refused without a reason");
    all.iter().for_each(|diagnostic| placed(diagnostic, source));
}

/// A diagnostic has a message, and its place is in the text that it is about.
fn placed(diagnostic: &Diagnostic, source: &Source) {
    assert!(!diagnostic.message.trim().is_empty(), "{diagnostic:?}");
    assert!(diagnostic.length > 0 && !diagnostic.render(false).is_empty(), "{diagnostic:?}");
    if diagnostic.file == source.file() {
        assert_eq!(&*diagnostic.text, source.text);
    }
    within(&diagnostic.text, diagnostic.line, diagnostic.column, &diagnostic.message);
}

/// The place exists in the text; line 0 means the whole text.
pub(super) fn within(text: &str, line: usize, column: usize, message: &str) {
    if line > 0 {
        let line = text.split('\n').nth(line - 1).unwrap_or_else(|| panic!("there is no line {line}: {message}"));
        let width = line.trim_end_matches('\r').chars().count();
        assert!((1..=width + 1).contains(&column), "there is no column {column}: {message}");
    }
}

fn plays(loaded: &Loaded) {
    let mut game = match in_time("beginning", || Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1)) {
        Ok(game) => game,
        Err(error) => return in_words(&error, loaded),
    };
    let mut stream = Stream::new(1, 1);
    for _ in 0..PLIES {
        let before = (game.entries().len(), game.status());
        if !in_time("an event", || step(&mut game, &mut stream)) {
            assert_eq!((game.entries().len(), game.status()), before, "what is refused changes nothing");
            return failed(&mut game, loaded);
        }
    }
}

/// Why the last step was refused.
fn failed(game: &mut Game, loaded: &Loaded) {
    let result = match game.status() {
        Status::Over => return,
        Status::Chance => game.roll().map(drop),
        Status::Choice => game.choose(0),
        Status::Move => match game.state().moves().first().copied() {
            Some(paid) => game.play(paid),
            None => game.pass(),
        },
    };
    if let Err(GameError::Rule(error)) = result {
        in_words(&error, loaded);
    }
}

fn in_words(error: &RuleError, loaded: &Loaded) {
    assert!(!error.message.trim().is_empty());
    let own = error.file.as_ref().is_none_or(|file| *file == loaded.source.file());
    if let (true, Some((line, column))) = (own, error.place) {
        within(&loaded.source.text, line, column, &error.message);
    }
}
