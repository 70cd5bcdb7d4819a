//! `replay`: a record verified event by event.

use super::args::Replay;
use super::{Answer, input};
use crate::prompt::files;
use crate::shelf::Shelf;
use astragal_core::Game;
use astragal_dsl::record::{self, RecordError};
use astragal_dsl::{Loaded, words};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::path::Path;

/// `astragal replay`.
pub fn replay(args: &Replay, out: &mut impl Write) -> Answer {
    let text = read(&args.file)?;
    let mut shelf = Shelf::new();
    let found = record::read_all(&text, |name, options| shelf.load(name, options).map(|loaded| (*loaded).clone()));
    let name = args.file.display();
    match found {
        Ok(games) => {
            for (loaded, game) in &games {
                match args.json {
                    true => writeln!(out, "{}", game_json(loaded, game))?,
                    false => writeln!(out, "{name}: {}", game_line(loaded, game))?,
                }
            }
            Ok(true)
        }
        Err(error) => {
            match args.json {
                true => writeln!(out, "{}", error_json(&error))?,
                false => writeln!(out, "{name}: {error}")?,
            }
            Ok(false)
        }
    }
}

fn read(path: &Path) -> Result<String, super::Failure> {
    if path != Path::new("-") {
        return files::read(path).map_err(input);
    }
    let mut text = String::new();
    std::io::stdin()
        .take(files::MAX_RECORD)
        .read_to_string(&mut text)
        .map_err(|error| input(format!("standard input: {error}")))?;
    Ok(text)
}

fn game_line(loaded: &Loaded, game: &Game) -> String {
    let state = game.state();
    let end = words::result(state).unwrap_or_else(|| format!("unfinished, waiting for {}.", words::waits(state)));
    let (turns, events) = (record::turns(game).len(), game.entries().len());
    format!("{}, {turns} turns, {events} events. {end}", loaded.title)
}

fn game_json(loaded: &Loaded, game: &Game) -> Value {
    json!({
        "version": 1,
        "ok": true,
        "variant": loaded.name,
        "turns": record::turns(game).len(),
        "events": game.entries().len(),
        "result": record::result(game.state()),
        "position": words::position(loaded, game.state()),
        "state": crate::serve::state_json(game.state()),
        "pending": crate::serve::pending_json(game.state()),
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
