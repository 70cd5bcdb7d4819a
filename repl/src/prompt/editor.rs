//! The line editor of the prompt: completion and grey hints from what may be typed now, and history.

use super::commands;
use super::session::Session;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper, Result};
use std::borrow::Cow;

/// What may be typed at the moment; refreshed after each line.
#[derive(Default)]
pub struct Words {
    first: Vec<String>,
    arguments: Vec<(commands::Verb, Vec<String>)>,
    color: bool,
    files: FilenameCompleter,
}

impl Words {
    /// Takes note of what the session understands now.
    pub fn refresh(&mut self, session: &Session) {
        self.first = session.vocabulary();
        self.arguments = commands::COMMANDS.iter().map(|c| (c.verb, session.arguments(c.verb))).collect();
        self.color = session.look().color;
    }

    /// The beginning of the word at the cursor, and what it may become.
    fn candidates(&self, line: &str, pos: usize) -> (usize, Vec<String>) {
        let before = line.get(..pos).unwrap_or(line);
        let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let (word, head) = (&before[start..], before[..start].trim());
        let pool = match head.split_whitespace().next() {
            None => &self.first,
            Some(first) => match commands::find(first) {
                Some(command) => match self.arguments.iter().find(|(verb, _)| *verb == command.verb) {
                    Some((_, words)) => words,
                    None => return (start, Vec::new()),
                },
                None => &self.first,
            },
        };
        let fits =
            |option: &&String| option.get(..word.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(word));
        let mut found: Vec<String> = pool.iter().filter(fits).cloned().collect();
        // Nf3 and nf3 are different things; what is typed exactly comes first.
        found.sort_by_key(|option| !option.starts_with(word));
        if found.first().is_some_and(|option| option.starts_with(word)) {
            found.retain(|option| option.starts_with(word));
        }
        (start, found)
    }
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, context: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        let first = line.split_whitespace().next().and_then(commands::find);
        let file = first.is_some_and(|c| matches!(c.verb, commands::Verb::Save | commands::Verb::Load));
        if file && line.get(..pos).is_some_and(|before| before.contains(' ')) {
            return self.files.complete(line, pos, context);
        }
        let (start, found) = self.candidates(line, pos);
        Ok((start, found.into_iter().map(|word| Pair { display: word.clone(), replacement: word }).collect()))
    }
}

impl Hinter for Words {
    type Hint = String;

    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<String> {
        if line.trim().is_empty() || pos < line.len() {
            return None;
        }
        let (start, found) = self.candidates(line, pos);
        let typed = line.len() - start;
        let rest = found.first().filter(|word| typed > 0 && word.starts_with(&line[start..]))?;
        rest.get(typed..).filter(|rest| !rest.is_empty()).map(String::from)
    }
}

impl Highlighter for Words {
    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.color { Cow::Owned(format!("\x1b[2m{hint}\x1b[0m")) } else { Cow::Borrowed(hint) }
    }
}

impl Validator for Words {}

impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::super::session::{Session, Setup};
    use super::*;

    fn words() -> Words {
        let setup = Setup { variant: "chess".into(), seed: Some(1), ..Setup::default() };
        let (session, _) = Session::new(&setup).unwrap();
        let mut words = Words::default();
        words.refresh(&session);
        words
    }

    fn found(line: &str) -> Vec<String> {
        words().candidates(line, line.len()).1
    }

    #[test]
    fn commands_and_moves_complete() {
        assert_eq!(found("und"), ["undo"]);
        assert_eq!(found("Nf"), ["Nf3"]);
        assert!(found("e").contains(&"e4".into()) && found("e").contains(&"e2e4".into()));
        assert_eq!(found("odds Nc"), ["Nc3"]);
        assert_eq!(found("help his"), ["history"]);
        assert!(found("new dice").contains(&"dice-chess".into()));
        assert_eq!(found("set stalemate=l"), ["stalemate=loss"]);
        assert!(found("zzz").is_empty());
        assert!(found("é").is_empty());
    }
}
