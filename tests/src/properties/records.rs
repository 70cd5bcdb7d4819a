//! Records: whole games as texts, replayed by the rules.

use super::{in_time, seen, shipped};
use astragal_dsl::record::{self, RecordError};
use astragal_dsl::{LoadError, Loaded, library, load, turn_state_text};

/// A record is replayed, written and replayed again as the same games, or refused with a place.
///
/// # Panics
/// If a property does not hold.
pub fn replay(text: &str) {
    in_time("a record", || match record::read_all(text, bundled) {
        Ok(games) => {
            for (loaded, game) in games.iter().take(4) {
                let written = record::write(loaded, game, &[]);
                let read = record::read(&written, |_, _| Ok(loaded.clone()));
                let (_, again) = read.unwrap_or_else(|error| panic!("{error}\n{written}"));
                assert_eq!(seen(again.state()), seen(game.state()), "{written}");
                assert_eq!(again.entries().len(), game.entries().len(), "{written}");
                assert_eq!(record::write(loaded, &again, &[]), written);
                assert!(!turn_state_text::position(loaded, game).is_empty());
            }
        }
        Err(error) => refused(&error, text),
    });
}

/// Variants that come with the program: records of strangers name no files here.
fn bundled(name: &str, options: &[(String, String)]) -> Result<Loaded, LoadError> {
    match library::bundled(name) {
        Some(_) if options.is_empty() => Ok((*shipped(name)).clone()),
        Some(source) => load(&source, options),
        None => Err(LoadError::NotFound { name: name.into(), nearest: None }),
    }
}

fn refused(error: &RecordError, text: &str) {
    assert!(!error.to_string().is_empty());
    let lines = text.split('\n').count();
    match error {
        RecordError::Notation(error) => super::points_into(error, text),
        RecordError::Tag { line, .. } => assert!((1..=lines).contains(line), "{error}"),
        RecordError::Refused(refused) => {
            let line = text.split('\n').nth(refused.line - 1).unwrap_or_else(|| panic!("no such line: {error}"));
            assert!((1..=line.chars().count() + 1).contains(&refused.column), "no such column: {error}");
            assert!(refused.number > 0 && !refused.reason.is_empty(), "{error}");
        }
        _ => {}
    }
}
