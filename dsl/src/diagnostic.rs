//! What is wrong with a script, for people: where, what was expected, what would work.

use crate::printable::{in_a_line, printable, show, steers};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The script cannot be used.
    Error,
    /// The script can be used, but probably does not do what is meant.
    Warning,
    /// The script may well be meant like this; those who did not know should.
    Note,
}

/// One thing that is wrong with a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The script's name, as it was given.
    pub file: String,
    /// The line, from 1; 0 if the whole script is meant.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The number of characters to underline, at least 1.
    pub length: usize,
    /// What to put in the place of what is underlined, if that cannot be wrong.
    pub fix: Option<String>,
    /// Other places that belong to it, with what is to be said of each: line, column, words.
    pub others: Vec<(usize, usize, String)>,
    /// What else helps to understand it, as the position in which it happened.
    pub notes: Vec<String>,
    /// The script's text.
    pub text: Arc<str>,
}

impl Diagnostic {
    /// An error at a place of `text`, or at the nearest that there is: the interpreter counts on behind texts
    /// without their end, and takes carriage returns for lines. Line 0 is the whole text.
    pub fn error(file: &str, text: &Arc<str>, line: usize, column: usize, message: impl Into<String>) -> Diagnostic {
        let (line, column) = nearest_place(text, line, column);
        let mut diagnostic = Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            help: None,
            file: file.into(),
            line,
            column,
            length: 1,
            fix: None,
            others: Vec::new(),
            notes: Vec::new(),
            text: text.clone(),
        };
        diagnostic.length = diagnostic.word();
        diagnostic
    }

    /// The same with advice.
    #[must_use]
    pub fn with_help(mut self, help: Option<String>) -> Diagnostic {
        self.help = help;
        self
    }

    /// The same with another place that belongs to it.
    #[must_use]
    pub fn also_at(mut self, (line, column): (usize, usize), words: impl Into<String>) -> Diagnostic {
        self.others.push((line, column, words.into()));
        self
    }

    /// The length of the word, number or text that stands at the place.
    fn word(&self) -> usize {
        let Some(line) = self.source_line() else { return 1 };
        let rest: Vec<char> = line.chars().skip(self.column.saturating_sub(1)).collect();
        match rest.first() {
            Some('"') => rest.iter().skip(1).position(|&c| c == '"').map_or(1, |n| n + 2),
            Some(c) if c.is_alphanumeric() || *c == '_' => {
                rest.iter().take_while(|c| c.is_alphanumeric() || **c == '_').count()
            }
            _ => 1,
        }
    }

    fn source_line(&self) -> Option<&str> {
        self.text.split('\n').nth(self.line.checked_sub(1)?).map(|line| line.trim_end_matches('\r'))
    }

    /// The diagnostic over several lines, with the line in question and carets under the place; in
    /// colour if asked.
    pub fn render(&self, color: bool) -> String {
        let paint =
            |code: &str, text: &str| if color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() };
        let word = match self.severity {
            Severity::Error => paint("1;31", "error"),
            Severity::Warning => paint("1;33", "warning"),
            Severity::Note => paint("1;36", "note"),
        };
        let mut out = format!("{word}: {}\n", printable(&self.message));
        let file = in_a_line(&self.file);
        if self.line == 0 {
            out.push_str(&format!("  --> {file}\n"));
        } else {
            out.push_str(&format!("  --> {file}:{}:{}\n", self.line, self.column));
        }
        if let Some(line) = self.source_line() {
            let number = self.line.to_string();
            let (text, indent, length) = quoted(line, self.column, self.length);
            let carets = paint("1;31", &"^".repeat(length));
            out.push_str(&format!("{number} | {text}\n{} | {indent}{carets}\n", " ".repeat(number.len())));
        }
        for (line, column, words) in &self.others {
            out.push_str(&format!("  {}: {} ({file}:{line}:{column})\n", paint("1;36", "also"), printable(words)));
        }
        if let Some(help) = &self.help {
            out.push_str(&format!("  {}: {}\n", paint("1;36", "help"), printable(help)));
        }
        for note in &self.notes {
            out.push_str(&format!("  {}: {}\n", paint("1;36", "note"), printable(note)));
        }
        out
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", in_a_line(&self.file), printable(&self.message))?,
            _ => write!(f, "{}:{}:{}: {}", in_a_line(&self.file), self.line, self.column, printable(&self.message))?,
        }
        if let Some(help) = &self.help {
            write!(f, "; {}", printable(help))?;
        }
        Ok(())
    }
}

/// Why a variant cannot be loaded.
#[derive(Clone, Debug, Error)]
pub enum LoadError {
    /// Nothing of this name comes with the program, and no such file exists.
    #[error("there is no variant or script called \"{}\"{}", in_a_line(.name), .nearest.as_ref().map(|n| format!("; did you mean \"{n}\"?")).unwrap_or_default())]
    NotFound {
        /// What was looked for.
        name: String,
        /// The nearest name that exists.
        nearest: Option<String>,
    },
    /// The file cannot be read.
    #[error("cannot read {}: {message}", in_a_line(.path))]
    Io {
        /// The file.
        path: String,
        /// Why.
        message: String,
    },
    /// There is no such option, or it has no such value.
    #[error("{}", printable(.0))]
    Option(String),
    /// The script is wrong.
    #[error("{}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Script(Vec<Diagnostic>),
}

impl LoadError {
    /// The error as people should see it: for scripts, with the lines in question.
    pub fn render(&self, color: bool) -> String {
        match self {
            LoadError::Script(all) => all.iter().map(|d| d.render(color)).collect::<Vec<_>>().join("\n"),
            other => format!("error: {other}\n"),
        }
    }
}

/// So many characters of a line are quoted.
const WIDEST: usize = 120;
/// So many of them stand before the place, if the line is longer.
const BEFORE: usize = 50;

/// A line as it is quoted, what stands below it before the carets, and the number of carets: cut around the place where
/// it is long, with what steers a terminal shown.
fn quoted(line: &str, column: usize, length: usize) -> (String, String, usize) {
    let count = line.chars().count();
    let at = column.saturating_sub(1).min(count);
    let from = if count <= WIDEST { 0 } else { at.saturating_sub(BEFORE).min(count - WIDEST) };
    let to = (from + WIDEST).min(count);
    let (mut text, mut indent, mut carets) = (String::new(), String::new(), 0);
    if from > 0 {
        text.push_str("...");
        indent.push_str("   ");
    }
    for (i, c) in line.chars().enumerate().take(to).skip(from) {
        let before = text.len();
        match steers(c) {
            true => show(&mut text, c),
            false => text.push(c),
        }
        // What is shown instead of a character takes several cells, all of ASCII.
        let cells = if steers(c) { text.len() - before } else { 1 };
        match i {
            _ if i < at && c == '\t' => indent.push('\t'),
            _ if i < at => indent.push_str(&" ".repeat(cells)),
            _ if i < at + length => carets += cells,
            _ => {}
        }
    }
    if to < count {
        text.push_str("...");
    }
    (text, indent, carets.max(1))
}

/// The place itself, if the text has it; else the end of the line, or of the text.
fn nearest_place(text: &str, line: usize, column: usize) -> (usize, usize) {
    let end = |line: &str| line.trim_end_matches('\r').chars().count() + 1;
    match line.checked_sub(1).map(|before| text.split('\n').nth(before)) {
        None => (line, column),
        Some(Some(own)) => (line, column.min(end(own))),
        Some(None) => (text.split('\n').count(), text.split('\n').next_back().map_or(1, end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str, column: usize, length: usize) -> String {
        let mut error = Diagnostic::error("a.rhai", &line.into(), 1, column, "wrong");
        error.length = length;
        error.render(false).lines().skip(2).map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = format!("{}here{}", "a".repeat(30_000), "b".repeat(30_000));
        let (before, after) = ("a".repeat(50), "b".repeat(66));
        let expected = format!("1 | ...{before}here{after}...\n  |    {}^^^^\n", " ".repeat(50));
        assert_eq!(shown(&line, 30_001, 4), expected);
        let expected = format!("1 | {}...\n  | ^\n", "a".repeat(120));
        assert_eq!(shown(&line, 1, 1), expected);
        let end = shown(&line, 60_005, 1);
        assert_eq!(end, format!("1 | ...{}\n  | {}^\n", "b".repeat(120), " ".repeat(123)));
        // As many carets as there is room for.
        assert_eq!(shown(&line, 30_001, 20_000).matches('^').count(), 70);
        assert_eq!(shown("short", 3, 1), "1 | short\n  |   ^\n");
    }

    #[test]
    fn what_steers_a_terminal_is_shown_under_the_same_carets() {
        let text = shown("a\x1b[2Jb\u{202e}c\td", 7, 1);
        assert_eq!(text, "1 | a\\x1b[2Jb\\u202ec\td\n  |          ^^^^^^\n");
    }
}
