//! `replay`: verifies a record event by event.

use super::args::Replay;
use super::failure::{Answer, Failure, input};
use super::plural::many;
use super::stderr::tell;
use crate::prompt::files;
use astragal_core::Game;
use astragal_dsl::record::{self, Record, RecordError};
use astragal_dsl::{LoadError, Loaded, game_text, library, turn_state_text};
use astragal_service::variant_cache::VariantCache;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

/// `astragal replay`.
pub(super) fn replay(args: &Replay, out: &mut impl Write) -> Answer {
    let text = read(&args.file)?;
    let mut cache = VariantCache::new();
    let name = args.file.display();
    let file = name.to_string();
    let load = loader(&mut cache, args.variant.as_deref(), &file);
    for game in record::read_each(&text, load) {
        match game {
            Ok(Record { loaded, game, .. }) if args.json => writeln!(out, "{}", game_json(&loaded, &game))?,
            Ok(Record { loaded, game, .. }) => writeln!(out, "{name}: {}", game_line(&loaded, &game))?,
            Err(error) => {
                match args.json {
                    true => writeln!(out, "{}", error_json(&error))?,
                    false => writeln!(out, "{name}: {error}")?,
                }
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// A function that loads the variant of a record: the one that the user has named, or the one that the record `file` names.
pub(super) fn loader<'a>(
    cache: &'a mut VariantCache,
    variant: Option<&'a str>,
    file: &'a str,
) -> impl FnMut(&str, &[(String, String)]) -> Result<Loaded, LoadError> + 'a {
    let mut told = BTreeSet::new();
    move |named, options| {
        let loaded = match variant {
            Some(variant) => cache.load(variant, options),
            None => {
                // Only the user can judge where a record comes from, and whether to open the script that it names.
                if library::bundled(named).is_none() && library::is_name(named) && told.insert(named.to_owned()) {
                    tell(&format!("{file} names the script {named}; the rules of that script are used."));
                }
                cache.load_told(named, options)
            }
        };
        loaded.map(|loaded| (*loaded).clone())
    }
}

/// The text of a record; `-` is standard input.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    if path != Path::new("-") {
        return files::read(path).map_err(input);
    }
    files::read_from(std::io::stdin()).map_err(|error| input(format!("standard input: {error}")))
}

fn game_line(loaded: &Loaded, game: &Game) -> String {
    let state = game.state();
    let end =
        game_text::result(state).unwrap_or_else(|| format!("unfinished, waiting for {}.", game_text::waits(state)));
    let (turns, events) = (record::turns(game).len(), game.entries().len());
    format!("{}, {}, {}. {end}", loaded.title, many(turns, "turn"), many(events, "event"))
}

fn game_json(loaded: &Loaded, game: &Game) -> Value {
    json!({
        "version": 1,
        "ok": true,
        "variant": loaded.name,
        "turns": record::turns(game).len(),
        "events": game.entries().len(),
        "result": record::result(game.state()),
        "position": turn_state_text::told(loaded, game),
        "state": astragal_service::rpc::state_json(game.state()),
        "pending": astragal_service::rpc::pending_json(game.state()),
    })
}

fn error_json(error: &RecordError) -> Value {
    let mut value = json!({"version": 1, "ok": false, "error": error.to_string()});
    match error {
        RecordError::Refused(refused) => {
            value["event"] = refused.number.into();
            value["text"] = refused.text.clone().into();
            value["line"] = refused.line.into();
            value["column"] = refused.column.into();
            value["reason"] = refused.reason.clone().into();
            value["permitted"] = refused.permitted.clone().into();
        }
        RecordError::Notation(error) => {
            value["line"] = error.line().into();
            value["column"] = error.column().into();
        }
        RecordError::Tag { line, .. } => value["line"] = (*line).into(),
        _ => {}
    }
    value
}
