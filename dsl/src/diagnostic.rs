//! Problems in a script, for people to read: the place, what was expected, and a possible fix.

mod code;
mod layout;
mod render;
mod suggestion;

pub use code::Code;
pub use layout::Layout;
pub(crate) use suggestion::{cures, without};

use crate::printable::{in_a_line, printable};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;

/// The severity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The script cannot be used.
    Error,
    /// The script can be used, but it probably does not do what its author intended.
    Warning,
    /// The script may be correct, but its effect may be unexpected.
    Note,
}

impl Severity {
    /// The word that a report begins with.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A problem in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The kind of mistake, if known.
    pub code: Option<Code>,
    /// The problem.
    pub message: String,
    /// The advice.
    pub help: Option<String>,
    /// The script's name, as it was given.
    pub file: String,
    /// The line, from 1; 0 for the whole script.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The number of characters to underline, at least 1.
    pub length: usize,
    /// A change that certainly fixes it.
    pub fix: Option<Fix>,
    /// A change that probably fixes it. It was tried, and the message disappeared.
    pub(crate) suggested: Option<Fix>,
    /// Related places, each with a remark: line, column, text.
    pub others: Vec<(usize, usize, String)>,
    /// Further context, such as the position where it happened.
    pub notes: Vec<String>,
    /// The reference entry of the function concerned: page and heading.
    pub reference: Option<String>,
    /// The script's text.
    pub text: Arc<str>,
}

impl Diagnostic {
    /// An error at a place of `text`, or at the nearest existing place: the interpreter counts beyond unclosed texts, and
    /// treats carriage returns as line breaks. Line 0 is the whole text.
    pub fn error(file: &str, text: &Arc<str>, line: usize, column: usize, message: impl Into<String>) -> Diagnostic {
        let (line, column) = nearest_place(text, line, column);
        let mut diagnostic = Diagnostic {
            severity: Severity::Error,
            code: None,
            message: message.into(),
            help: None,
            file: file.into(),
            line,
            column,
            length: 1,
            fix: None,
            suggested: None,
            others: Vec::new(),
            notes: Vec::new(),
            reference: None,
            text: text.clone(),
        };
        diagnostic.length = diagnostic.word();
        diagnostic
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: Option<String>) -> Diagnostic {
        self.help = help;
        self
    }

    /// Adds a related place.
    #[must_use]
    pub fn also_at(mut self, (line, column): (usize, usize), words: impl Into<String>) -> Diagnostic {
        self.others.push((line, column, words.into()));
        self
    }

    /// The length of the word, number or text at the place.
    fn word(&self) -> usize {
        let Some(line) = self.source_line() else { return 1 };
        let start = self.column.saturating_sub(1);
        let rest: Vec<char> = line.chars().skip(start).collect();
        let before: String = line.chars().take(start).collect();
        match rest.first() {
            // A closing quote.
            Some('"') if before.replace("\\\"", "").matches('"').count() % 2 == 1 => 1,
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

    /// The diagnostic over several lines, with the line in question and carets under the place.
    pub fn render(&self, layout: impl Into<Layout>) -> String {
        render::render(self, layout.into())
    }

    /// Sets the kind of mistake.
    #[must_use]
    pub(crate) fn of(mut self, code: Code) -> Diagnostic {
        self.code = Some(code);
        self
    }

    /// The change that the help suggests. Offer it; do not apply it automatically.
    pub fn suggestion(&self) -> Option<Fix> {
        self.suggested.clone().or_else(|| suggestion::of(self)).filter(|fix| self.fix.as_ref() != Some(fix))
    }

    /// The bytes of the script that are underlined; `None` if the diagnostic concerns the whole script.
    pub fn span(&self) -> Option<Range<usize>> {
        (self.line > 0).then(|| render::bytes(&self.text, (self.line, self.column, self.length)))
    }
}

/// All problems of a script, one after another, as every command prints them.
pub fn render_all(all: &[Diagnostic], layout: impl Into<Layout>) -> String {
    let layout = layout.into();
    all.iter().map(|one| one.render(layout)).collect()
}

/// A replacement for a range of bytes of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The bytes to replace; an empty range inserts.
    pub span: Range<usize>,
    /// The new text.
    pub text: String,
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

/// The reason why a variant cannot be loaded.
#[derive(Clone, Debug, Error)]
pub enum LoadError {
    /// No bundled script and no file has this name.
    #[error("there is no variant or script called \"{}\"{}", in_a_line(.name), .nearest.as_ref().map(|n| format!("; \
         did you mean \"{n}\"?")).unwrap_or_default())]
    NotFound {
        /// The name that was looked up.
        name: String,
        /// The nearest name that exists.
        nearest: Option<String>,
    },
    /// The file cannot be read.
    #[error("cannot read {}: {message}", in_a_line(.path))]
    Io {
        /// The file.
        path: String,
        /// The reason.
        message: String,
    },
    /// There is no such option, or it has no such value.
    #[error("{}", printable(.0))]
    Option(String),
    /// The script has errors.
    #[error("{}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Script(Vec<Diagnostic>),
}

impl LoadError {
    /// The error for display: for errors in scripts, with the lines in question.
    pub fn render(&self, layout: impl Into<Layout>) -> String {
        match self {
            LoadError::Script(all) => render_all(all, layout),
            other => format!("error: {other}\n"),
        }
    }
}

/// The place itself, if the text has it; otherwise the end of the line or of the text.
fn nearest_place(text: &str, line: usize, column: usize) -> (usize, usize) {
    let end = |line: &str| line.trim_end_matches('\r').chars().count() + 1;
    match line.checked_sub(1).map(|before| text.split('\n').nth(before)) {
        None => (line, column),
        Some(Some(own)) => (line, column.min(end(own))),
        Some(None) => (text.split('\n').count(), text.split('\n').next_back().map_or(1, end)),
    }
}
