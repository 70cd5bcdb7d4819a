//! Questions about the position in the script language, asked by people.
//!
//! A question becomes a rule of the script being played, which is loaded again with it. It sees the script's functions and
//! constants, and the position as any rule does. It has a rule's limits, and cannot change, roll or choose anything.

use crate::diagnostic::{Diagnostic, LoadError};
use crate::host::answer::ANSWER;
use crate::host::engine::{Limits, reader};
use crate::host::rules::ScriptRules;
use crate::host::trace::QUESTION;
use crate::host::{script, syntax};
use crate::library::Source;
use crate::load::{self, Loaded};
use crate::printable::printable;
use astragal_core::rule::{RuleError, RuleId};
use astragal_core::value::Value;
use astragal_core::{Event, Game, Rules, Ruleset};
use std::sync::Arc;

/// The file name of a question in messages.
const FILE: &str = "question";

/// Asks a question about the current position of `game`, a game of `loaded`, and returns the answer in words. `rolled`
/// holds the faces of the last roll of this turn.
///
/// # Errors
/// A diagnostic with its place in the question: it is not an expression, something in it fails or takes too long, or it
/// would change, roll or choose something.
pub fn ask(loaded: &Loaded, game: &Game, expression: &str) -> Result<String, Box<Diagnostic>> {
    let body = loaded.source.text.trim_end();
    let asked = Asked { script: &loaded.source, text: expression, before: body.lines().count() + 1 };
    // The expression is checked alone first: if all its brackets are closed, it cannot affect the code around it.
    refuse_syntax(expression).map_err(|(message, line, column)| Box::new(asked.wrong(message, line, column)))?;
    let faces = rolled(game);
    let text = format!(
        "{body}\nfn {}() {{ let rolled = {faces:?}; {ANSWER}({{\n{expression}\n}}) }}\n",
        script::QUESTION_NAME,
    );
    let source = Source { text, ..loaded.source.clone() };
    let options: Vec<(String, String)> =
        loaded.options.iter().map(|option| (option.name.clone(), option.chosen.clone())).collect();
    let opened = script::open_within(&source, &options, Limits::default()).and_then(load::declare);
    let (script, declared) = opened.map_err(|error| Box::new(asked.unloadable(error)))?;
    let host = script.host.clone();
    let set = Ruleset {
        variant: declared.variant,
        rules: Rules::new(Box::new(ScriptRules(script))).starting_from(declared.start),
    };
    let rules = set.rules.walker();
    let held = rules.holds(RuleId(QUESTION), &game.state().view(&rules), Value::None);
    held.map_err(|error| Box::new(asked.failed(&error)))?;
    let answer = host.trace().answer.take();
    // A question that returns early has no answer.
    Ok(answer.map_or_else(|| "nothing".into(), |answer| printable(&answer).into_owned()))
}

/// The faces of the last roll of the current turn.
fn rolled(game: &Game) -> Vec<i16> {
    let turn = game.state().turn();
    let mut faces = Vec::new();
    let Ok(mut again) = crate::turn_state_text::restarted(game) else { return faces };
    for entry in game.entries() {
        let before = again.state().turn();
        if again.apply(&entry.event).is_err() {
            break;
        }
        if before == turn
            && let Event::Roll(rolled) = &entry.event
        {
            faces.clone_from(rolled);
        }
    }
    faces
}

/// Checks that a text parses as the body of a function. The error has a line and column.
fn refuse_syntax(text: &str) -> Result<(), (String, usize, usize)> {
    let most = Limits::default().source;
    if text.len() > most {
        return Err((format!("a question can have at most {most} bytes"), 0, 0));
    }
    let Err(error) = reader().compile(text) else { return Ok(()) };
    let at = (error.1.line().unwrap_or(0), error.1.position().unwrap_or(1));
    let read = syntax::diagnostic("", &text.into(), &error.0, error.1);
    Err((read.message, at.0, at.1))
}

/// A question, with the context for its diagnostics.
#[derive(Clone, Copy)]
struct Asked<'a> {
    script: &'a Source,
    text: &'a str,
    /// The number of lines before it in the text that runs.
    before: usize,
}

impl Asked<'_> {
    /// An error at a line of the question, from 1; 0 for the whole question.
    fn wrong(&self, message: String, line: usize, column: usize) -> Diagnostic {
        let text: Arc<str> = self.text.into();
        Diagnostic::error(FILE, &text, line, column, message)
    }

    /// An error at a place of the text that runs: in the question or in the script before it.
    fn at(&self, message: String, line: usize, column: usize) -> Diagnostic {
        match line.checked_sub(self.before) {
            Some(own) if own > 0 => self.wrong(message, own.min(self.text.lines().count().max(1)), column),
            _ if line == 0 || line >= self.before => self.wrong(message, 0, 0),
            _ => Diagnostic::error(&self.script.file(), &self.script.text.as_str().into(), line, column, message),
        }
    }

    fn unloadable(&self, error: LoadError) -> Diagnostic {
        match error {
            LoadError::Script(all) => match all.into_iter().next() {
                Some(first) => self.at(first.message, first.line, first.column).with_help(first.help),
                None => self.wrong("the question is not valid".into(), 0, 0),
            },
            other => self.wrong(other.to_string(), 0, 0),
        }
    }

    fn failed(&self, error: &RuleError) -> Diagnostic {
        let (line, column) = error.place.unwrap_or_default();
        let own = error.file.as_ref().is_none_or(|file| *file == self.script.file());
        match own {
            true => self.at(error.message.clone(), line, column),
            // The error is in a base that the script imports.
            false => self.wrong(error.to_string(), 0, 0),
        }
    }
}

#[cfg(test)]
#[path = "question_tests.rs"]
mod tests;
