//! Formats scripts: indentation, spacing and line endings.
//!
//! It keeps the decisions of authors: line breaks, single blank lines, and aligned columns. It handles brackets and
//! operators, not functions or games. Invariants: the result has the same tokens and comments as the script, and
//! therefore the same meaning; formatting the result again changes nothing.

mod align;
mod indent;
mod items;
mod layout;
mod spacing;
#[cfg(test)]
mod tests;

use crate::document::Document;
use astragal_dsl::{Diagnostic, syntax};
use items::Items;
use layout::Layout;
use std::fmt;

/// The reason why a script cannot be formatted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// The byte offset of the problem.
    pub offset: usize,
    /// The problem.
    pub message: String,
    /// The advice.
    pub help: Option<String>,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.help {
            None => write!(f, "{}", self.message),
            Some(help) => write!(f, "{}; {help}", self.message),
        }
    }
}

impl std::error::Error for FormatError {}

impl FormatError {
    fn of(problem: Diagnostic) -> FormatError {
        let offset = problem.span().map_or(0, |span| span.start);
        FormatError { offset, message: problem.message, help: problem.help }
    }

    fn internal() -> FormatError {
        let message = "internal error: formatting would change the meaning of this script".into();
        FormatError { offset: 0, message, help: Some("please report this bug, with the script".into()) }
    }
}

/// The maximum number of passes. Nearly all scripts need only one.
const PASSES: usize = 4;

/// Formats a script. Scripts with the line ending `\r\n` keep it.
///
/// # Errors
/// If a character is invalid, a string or comment is not closed, brackets are not balanced, or a line ends with `\r`
/// alone. Scripts with other mistakes can be formatted.
pub fn format(text: &str) -> Result<String, FormatError> {
    if let Some(problem) = syntax::malformed("", text) {
        return Err(FormatError::of(problem));
    }
    let before = Document::new(text.to_string());
    if let Some(offset) = lone_carriage_return(&before) {
        return Err(FormatError {
            offset,
            message: "a line cannot end with a carriage return alone".into(),
            help: Some("end each line with a line feed (LF), or with both (CRLF)".into()),
        });
    }
    let mut after = pass(&before);
    for _ in 1..PASSES {
        let again = pass(&after);
        let done = again.text() == after.text();
        after = again;
        if done {
            break;
        }
    }
    if same_words(&before, &after) && syntax::same_code(text, after.text()) {
        Ok(after.text().to_string())
    } else {
        Err(FormatError::internal())
    }
}

/// The offset of a carriage return outside tokens that no line feed follows. There, the interpreter ends a comment, and
/// editors end a line.
fn lone_carriage_return(document: &Document) -> Option<usize> {
    let text = document.text();
    let is_lone = |at: &usize| !text[*at..].starts_with("\r\n");
    let in_token = |at: &usize| {
        let next = document.tokens().partition_point(|token| token.span.end <= *at);
        document.tokens().get(next).is_some_and(|token| token.span.start <= *at)
    };
    text.match_indices('\r').map(|(at, _)| at).find(|at| is_lone(at) && !in_token(at))
}

/// Runs one formatting pass.
fn pass(document: &Document) -> Document {
    let items = Items::of(document);
    Document::new(Layout::of(&items).write())
}

/// Whether two scripts have the same tokens and comments, ignoring whitespace around the lines of comments.
fn same_words(one: &Document, other: &Document) -> bool {
    let count = one.tokens().len();
    let same_tokens = count == other.tokens().len() && (0..count).all(|at| one.word(at) == other.word(at));
    same_tokens && comments(one).eq(comments(other))
}

/// The lines of the comments, without surrounding whitespace.
fn comments(document: &Document) -> impl Iterator<Item = &str> {
    let all = document.comments().iter().map(|comment| &document.text()[comment.clone()]);
    all.flat_map(|comment| comment.split('\n').map(str::trim))
}
