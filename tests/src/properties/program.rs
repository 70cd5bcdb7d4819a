//! What people and programs type: requests of `serve`, lines of the prompt, options.

use super::{editor, in_time, scripts};
use astragal_dsl::{LoadError, Loaded, library, load};
use astragal_repl::cli::args::Cli;
use astragal_repl::prompt::commands;
use astragal_repl::prompt::{Session, Setup};
use astragal_service::gametest::{GameFile, GameTestError, Loader, play::transcript};
use astragal_service::rpc::Service;
use clap::Parser;
use serde_json::Value;
use std::path::Path;

/// The server's code for an internal error.
const INTERNAL: i64 = -32603;

/// Every line gets one line of JSON as its answer, or none if it asks for none; the answer is never an internal error.
///
/// # Panics
/// If a property does not hold.
pub fn requests(server: &mut Service, text: &str) {
    for line in text.split('\n').take(4).filter(|line| !counts_long(line)) {
        let Some(answer) = in_time("a request", || server.handle(line)) else { continue };
        assert!(!answer.contains('\n'), "{line:?}: {answer}");
        let value: Value = serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{line:?}: {e}: {answer}"));
        match value {
            Value::Array(all) => all.iter().for_each(|one| answered(line, one)),
            one => answered(line, &one),
        }
    }
}

/// Whether a line may make the server count for long.
fn counts_long(line: &str) -> bool {
    let depth = |value: &Value| value.pointer("/params/depth").and_then(Value::as_u64).is_some_and(|depth| depth > 2);
    match serde_json::from_str::<Value>(line) {
        Ok(Value::Array(all)) => all.len() > 4 || all.iter().any(depth),
        Ok(one) => depth(&one),
        Err(_) => false,
    }
}

fn answered(line: &str, answer: &Value) {
    assert_eq!(answer["jsonrpc"], "2.0", "{line:?}: {answer}");
    assert!(answer.get("id").is_some(), "{line:?}: {answer}");
    let (result, error) = (answer.get("result"), answer.get("error"));
    assert!(result.is_some() != error.is_some(), "{line:?}: {answer}");
    if let Some(error) = error {
        let code = error["code"].as_i64().unwrap_or_else(|| panic!("{line:?}: {answer}"));
        assert!(code != INTERNAL, "{line:?}: {answer}");
        assert!(error["message"].as_str().is_some_and(|text| !text.is_empty()), "{line:?}: {answer}");
        if let Some(column) = error.pointer("/data/column").and_then(Value::as_u64) {
            assert!(column > 0 || error["code"] == -32700, "{line:?}: {answer}");
        }
    }
}

/// A session takes any lines: what is refused is refused in words and changes nothing.
///
/// # Panics
/// If a property does not hold.
pub fn session(variant: &str, text: &str) {
    let setup = Setup { variant: variant.into(), seed: Some(1), ..Setup::default() };
    let (mut session, greeting) = Session::new(&setup).unwrap_or_else(|error| panic!("{variant}: {error}"));
    assert!(greeting.ends_with('\n'));
    for line in text.split('\n').take(12).filter(|line| is_harmless(line)) {
        let before = standing(&mut session);
        let reply = in_time("a line", || session.execute(line));
        assert!(reply.text.is_empty() || reply.text.ends_with('\n'), "{line:?}: {:?}", reply.text);
        if reply.error {
            assert!(!reply.text.trim().is_empty() && !reply.done, "{line:?}");
            assert_eq!(standing(&mut session), before, "{line:?} was refused");
        }
        if reply.done {
            return;
        }
        assert!(!session.prompt().is_empty());
        assert!(!session.vocabulary().is_empty());
    }
}

/// Whether a line leaves files alone and cannot demand a long time.
fn is_harmless(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next().and_then(commands::find).map(|command| command.name) {
        Some("save" | "load" | "list") => false,
        Some("perft") => words.all(|word| matches!(word.parse::<u64>(), Ok(0..=2) | Err(_))),
        // A variant that comes with the program, or none.
        Some("new") => words.all(|word| word.contains('=') || !word.contains(['/', '.'])),
        _ => true,
    }
}

fn standing(session: &mut Session) -> (usize, String) {
    (session.game().entries().len(), session.execute("fen").text)
}

/// A `.game` file is played to a text, the same each time, or refused with a place in it.
///
/// # Panics
/// If a property does not hold.
pub fn game_file(loader: &mut Loader, text: &str) {
    let path = Path::new("games-of-strangers/one.game");
    editor::game_file(path, text);
    let file = match GameFile::parse(path, text) {
        Ok(file) => file,
        Err(error) => return scripts::within(&error.text, error.line, error.column, &error.message),
    };
    // Only variants that come with the program: files of strangers name no files here.
    let shipped = file.variant.as_ref().is_some_and(|header| library::bundled(&header.value).is_some());
    if !shipped || file.lines.len() > 12 {
        return;
    }
    match in_time("a game file", || transcript(&file, loader)) {
        Ok(said) => {
            let again = transcript(&file, loader).map_err(|error| error.render(false));
            assert_eq!(again, Ok(said), "{text:?}");
        }
        Err(GameTestError::Here(error)) => {
            assert!(!error.message.is_empty() && !error.render(false).is_empty());
            scripts::within(&error.text, error.line, error.column, &error.message);
        }
        Err(GameTestError::Rule { shown, .. }) => assert!(shown.starts_with("error"), "{shown}"),
        Err(GameTestError::Script(error)) => assert!(!error.render(false).is_empty()),
    }
}

/// Options that a script does not have, or values that they cannot have, are refused in words; others
/// are in force.
///
/// # Panics
/// If a property does not hold.
pub fn options(variant: &str, text: &str) {
    let source = library::bundled(variant).unwrap_or_else(|| panic!("no variant is called {variant}"));
    let pairs: Vec<(String, String)> = text
        .split_whitespace()
        .take(8)
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    match in_time("loading", || load(&source, &pairs)) {
        Ok(loaded) => in_force(&loaded, &pairs),
        Err(LoadError::Option(message)) => assert!(!message.is_empty() && !pairs.is_empty()),
        // A value that is offered may still be one that this script cannot be played with.
        Err(error) => panic!("{variant} with {pairs:?}: {error}"),
    }
    let words = std::iter::once("astragal").chain(text.split_whitespace());
    if let Err(error) = Cli::try_parse_from(words) {
        assert!(!error.to_string().is_empty());
    }
}

fn in_force(loaded: &Loaded, pairs: &[(String, String)]) {
    for option in &loaded.options {
        assert!(option.values.contains(&option.chosen), "{}: {}", option.name, option.chosen);
        let given = pairs.iter().rev().find(|(name, _)| *name == option.name).map(|(_, value)| value);
        assert_eq!(&option.chosen, given.unwrap_or(&option.default), "{}: {pairs:?}", option.name);
    }
    for (name, _) in pairs {
        assert!(loaded.options.iter().any(|option| option.name == *name), "{name}");
    }
}
