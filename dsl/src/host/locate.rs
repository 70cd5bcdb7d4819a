//! What went wrong in a script, and where: errors of the interpreter as diagnostics.

use super::engine::ExecutionBudget;
use super::error::HostError;
use super::kind::{self, words_for};
use super::syntax;
use crate::diagnostic::Diagnostic;
use crate::library::{self, Source};
use rhai::{EvalAltResult, Position};
use std::sync::Arc;

/// Where a function's name stands in the text.
pub(crate) fn place_of_function(text: &str, name: &str) -> (usize, usize) {
    for (i, line) in text.lines().enumerate() {
        let Some(at) = line.find("fn ") else { continue };
        let rest = line[at + 3..].trim_start();
        let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if word == name {
            let bytes = line.len() - rest.len();
            return (i + 1, line[..bytes].chars().count() + 1);
        }
    }
    (0, 0)
}

/// The deepest error of a chain, with the script and place where it happened.
fn root<'a>(error: &'a EvalAltResult, script: &'a str) -> (&'a EvalAltResult, &'a str, Position) {
    let (deepest, script, at) = match error {
        EvalAltResult::ErrorInFunctionCall(_, source, inner, _) => {
            root(inner, if source.is_empty() { script } else { source })
        }
        EvalAltResult::ErrorInModule(name, inner, _) => root(inner, name),
        other => (other, script, other.position()),
    };
    (deepest, script, if at.is_none() { error.position() } else { at })
}

/// What an error of the interpreter means, without its place.
fn explain(error: &EvalAltResult, guard: &ExecutionBudget) -> HostError {
    let plain = |message: String| HostError { message, help: None, blamed: None };
    if let Some(spent) = guard.spent() {
        return plain(spent.to_string());
    }
    match error {
        EvalAltResult::ErrorRuntime(value, _) => match value.clone().try_cast::<HostError>() {
            Some(host) => host,
            None if value.is_string() || value.is_int() => plain(format!("the script says: {value}")),
            None => plain(format!("the script throws {}", words_for(value))),
        },
        EvalAltResult::ErrorFunctionNotFound(signature, _) => plain(not_found(signature)),
        EvalAltResult::ErrorDotExpr(said, _) => plain(no_property(said)),
        EvalAltResult::ErrorDataTooLarge(what, _) if what.contains("string") => {
            plain("a text has grown too long".into())
        }
        EvalAltResult::ErrorDataTooLarge(what, _) if what.contains("map") => plain("a map has too many entries".into()),
        EvalAltResult::ErrorDataTooLarge(..) => plain("an array has too many entries".into()),
        EvalAltResult::ErrorTooManyVariables(_) => plain("there are too many variables".into()),
        EvalAltResult::ErrorArrayBounds(0, ..) => plain("the array is empty: it has no entries".into()),
        EvalAltResult::ErrorArrayBounds(n, i, _) => {
            plain(format!("the array has entries 0 to {}, but no entry {i}", n - 1))
        }
        EvalAltResult::ErrorVariableNotFound(name, _) => plain(format!("there is no variable called {name}")),
        EvalAltResult::ErrorStackOverflow(_) => {
            plain("calls are nested too deeply: does a function call itself without end?".into())
        }
        other => {
            let mut bare = other.to_string();
            if let Some(at) = bare.rfind(" (line ") {
                bare.truncate(at);
            }
            plain(bare)
        }
    }
}

/// The interpreter's word for a type, in those of the guide.
fn of_type(name: &str) -> String {
    kind::of_interpreter(name).map_or_else(|| format!("a {}", name.to_lowercase()), |kind| kind.words().into())
}

/// A property that is not there; the interpreter names it and the type in quotes.
fn no_property(said: &str) -> String {
    match said.split('\'').collect::<Vec<_>>()[..] {
        [_, property, _, owner, _] => format!("{} has no property `{property}`", of_type(owner)),
        _ => said.to_string(),
    }
}

/// A call that fits no function; the signature is the interpreter's, as `take (i64, bool)`.
fn not_found(signature: &str) -> String {
    let signature = signature.replace("&str | ImmutableString | String", "text");
    let (name, types) = signature.split_once(" (").unwrap_or((&signature, ")"));
    let types: Vec<String> = types.trim_end_matches(')').split(", ").filter(|t| !t.is_empty()).map(of_type).collect();
    let property = name.strip_prefix("get$").or_else(|| name.strip_prefix("set$"));
    match (property, types.as_slice()) {
        (Some(property), [owner, ..]) => format!("{owner} has no property `{property}`"),
        (None, [left, right]) if !name.starts_with(|c: char| c.is_alphabetic()) => {
            format!("`{name}` does not work on {left} and {right}")
        }
        (_, []) => format!("there is no function `{name}` without arguments"),
        (_, all) => format!("there is no function `{name}` that takes {}", all.join(", ")),
    }
}

/// An interpreter's error as a diagnostic of the script.
pub(crate) fn diagnose(error: &EvalAltResult, source: &Source, guard: &ExecutionBudget) -> Diagnostic {
    let (deepest, script, at) = root(error, &source.name);
    let blamed =
        if script == source.name { source.clone() } else { library::bundled(script).unwrap_or_else(|| source.clone()) };
    let text: Arc<str> = blamed.text.as_str().into();
    let explained = explain(deepest, guard);
    if let EvalAltResult::ErrorParsing(error, at) = deepest {
        return syntax::diagnostic(&blamed.file(), &text, error, *at);
    }
    let (line, column) = (at.line().unwrap_or(0), at.position().unwrap_or(1));
    // A call of a host function may be blamed on the line after the text; the whole script is meant.
    let line = if line > text.lines().count() { 0 } else { line };
    let mut diagnostic =
        Diagnostic::error(&blamed.file(), &text, line, column, explained.message).with_help(explained.help);
    match explained.blamed {
        Some((misread, span)) => point_into(&mut diagnostic, &misread, span),
        None => point_at_word(&mut diagnostic),
    }
    diagnostic
}

/// Moves a diagnostic from a call to the misread part of a text in that call.
fn point_into(diagnostic: &mut Diagnostic, misread: &str, span: std::ops::Range<usize>) {
    let lines: Vec<&str> = diagnostic.text.split('\n').collect();
    for (i, line) in lines.iter().enumerate().skip(diagnostic.line.saturating_sub(1)).take(12) {
        let Some(at) = line.find(&format!("\"{misread}\"")) else { continue };
        let before = line[..at].chars().count() + 1;
        let into = misread.get(..span.start).map_or(0, |s| s.chars().count());
        diagnostic.line = i + 1;
        diagnostic.column = before + into + 1;
        diagnostic.length = misread.get(span).map_or(1, |s| s.chars().count()).max(1);
        return;
    }
}

/// Moves a diagnostic from a call to the text or key in it that its message names.
fn point_at_word(diagnostic: &mut Diagnostic) {
    let Some(word) = diagnostic.message.split('"').nth(1).filter(|word| !word.is_empty()).map(str::to_string) else {
        return;
    };
    let lines: Vec<&str> = diagnostic.text.split('\n').collect();
    for (i, line) in lines.iter().enumerate().skip(diagnostic.line.saturating_sub(1)).take(12) {
        let skipped = if i + 1 == diagnostic.line { diagnostic.column.saturating_sub(1) } else { 0 };
        let start = line.char_indices().nth(skipped).map_or(line.len(), |(at, _)| at);
        let rest = &line[start..];
        let found = [(format!("\"{word}\""), 2), (format!("{word}:"), 0)]
            .into_iter()
            .find_map(|(text, quotes)| Some((rest.find(&text)?, quotes)));
        if let Some((at, quotes)) = found {
            diagnostic.line = i + 1;
            diagnostic.column = line[..start + at].chars().count() + 1;
            diagnostic.length = word.chars().count() + quotes;
            return;
        }
        if line.trim_end().ends_with(';') {
            return;
        }
    }
}
