//! The notations of a game: movement, dice, positions, moves and records.
//!
//! Each module owns one notation and knows nothing of scripts. All of them parse untrusted text, so every failure is a
//! [`NotationError`] with the place, the expected text and the actual text.

pub(crate) mod alike;
pub mod betza;
pub mod coord;
pub mod describe;
pub mod dice;
pub mod fen;
pub mod pgn;
pub mod san;
pub mod stations;

use astragal_core::Variant;
use logos::Logos;
use std::ops::Range;
use thiserror::Error;

/// The error for a text that is not in the expected notation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{notation}: {} ({}){}", difference(.expected, .found), place(.input, .span), tail(.help))]
pub struct NotationError {
    /// The notation's name, as `FEN`.
    pub notation: &'static str,
    /// The whole text that was read.
    pub input: Box<str>,
    /// The range of wrong bytes in `input`; empty at the end of the text.
    pub span: Range<usize>,
    /// The expected text.
    pub expected: String,
    /// The actual text.
    pub found: String,
    /// The advice.
    pub help: Option<String>,
}

impl NotationError {
    /// An error about `span` of `input`; `found` is the text there until [`Self::found`] replaces it.
    pub(crate) fn new(
        notation: &'static str,
        input: &str,
        span: Range<usize>,
        expected: impl Into<String>,
    ) -> NotationError {
        let found = quoted(input.get(span.clone()).unwrap_or_default());
        NotationError { notation, input: input.into(), span, expected: expected.into(), found, help: None }
    }

    /// The usual form of the notation, for errors without their own advice.
    pub fn usual(&self) -> Option<&'static str> {
        match self.notation {
            "dice" => Some("write dice as in \"2d6\", \"d20\" or \"1d6+1d8\""),
            "movement" => Some(
                "write movement as in \"mfW\" or \"f(1,2)\": lowercase letters for mode and direction, then a capital \
                 letter or a leap",
            ),
            "FEN" => Some(
                "write the ranks from the top down, separated by `/`, with numbers for empty squares (`8` for \
                 eight of them), then the side to move",
            ),
            _ => None,
        }
    }

    /// The expected and the actual text, as in `expected a side, found 'x'`.
    pub(crate) fn difference(&self) -> String {
        difference(&self.expected, &self.found)
    }

    /// Sets the description of the actual text.
    #[must_use]
    pub(crate) fn found(mut self, found: impl Into<String>) -> NotationError {
        self.found = found.into();
        self
    }

    /// Adds advice.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> NotationError {
        self.help = Some(help.into());
        self
    }

    /// Adds `did you mean ...?` if one of `candidates` is near `word`.
    #[must_use]
    pub(crate) fn suggest<'a>(self, word: &str, candidates: impl IntoIterator<Item = &'a str>) -> NotationError {
        match nearest(word, candidates) {
            Some(name) => self.help(format!("did you mean '{name}'?")),
            None => self,
        }
    }

    /// The line of `input` that the error starts in, from 1.
    pub fn line(&self) -> usize {
        line_and_column(&self.input, self.span.start).0
    }

    /// The column in that line, in characters from 1.
    pub fn column(&self) -> usize {
        line_and_column(&self.input, self.span.start).1
    }

    /// The error over several lines: the message, the line of text, and carets under the place.
    pub fn render(&self) -> String {
        let (line, column) = line_and_column(&self.input, self.span.start);
        let text = self.input.split('\n').nth(line - 1).unwrap_or_default().trim_end_matches('\r');
        let blamed = self.input.get(self.span.clone()).unwrap_or_default();
        let width = blamed.split('\n').next().unwrap_or_default().chars().count();
        let room = text.chars().count().saturating_sub(column - 1);
        // A tab is one character but many cells: both lines get one blank for it.
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let carets = "^".repeat(width.min(room).max(1));
        let mut out = format!("{}: {}\n", self.notation, self.difference());
        out.push_str(&format!("  {text}\n  {}{carets}\n", " ".repeat(column - 1)));
        if let Some(help) = &self.help {
            out.push_str(&format!("  help: {help}\n"));
        }
        out
    }
}

/// The actual text at the end of the input.
const END: &str = "the end";

fn difference(expected: &str, found: &str) -> String {
    match found {
        END => format!("expected {expected}, but the text ends"),
        _ => format!("expected {expected}, found {found}"),
    }
}

fn place(input: &str, span: &Range<usize>) -> String {
    match line_and_column(input, span.start) {
        (1, column) if !input.contains('\n') => format!("column {column}"),
        (line, column) => format!("line {line}, column {column}"),
    }
}

fn tail(help: &Option<String>) -> String {
    help.as_ref().map(|help| format!("; {help}")).unwrap_or_default()
}

fn line_and_column(input: &str, at: usize) -> (usize, usize) {
    let before: String = input.char_indices().take_while(|(i, _)| *i < at).map(|(_, c)| c).collect();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// The text in quotes, shortened if it is long; `the end` if it is empty.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 24;
    // Single quotes around an apostrophe are hard to read.
    let mark = if text.contains('\'') { '"' } else { '\'' };
    let shown = |text: &str| text.escape_debug().to_string().replace("\\'", "'");
    match text.chars().count() {
        0 => END.into(),
        n if n <= LONGEST => format!("{mark}{}{mark}", shown(text)),
        _ => format!("{mark}{}...{mark}", shown(&text.chars().take(LONGEST).collect::<String>())),
    }
}

/// All tokens of `input` with their places, or an error at the first invalid text.
pub(crate) fn tokens<'a, T>(
    notation: &'static str,
    input: &'a str,
    expected: &str,
) -> Result<Vec<(T, Range<usize>)>, NotationError>
where
    T: Logos<'a, Source = str, Extras = ()>,
{
    T::lexer(input)
        .spanned()
        .map(|(token, span)| match token {
            Ok(token) => Ok((token, span)),
            Err(_) => Err(NotationError::new(notation, input, span, expected)),
        })
        .collect()
}

/// The candidate most similar to `word`: the one with the fewest edits, at most a third of its length, or two if a letter
/// of a short word has moved.
///
/// ```
/// use astragal_dsl::notation::nearest;
/// assert_eq!(nearest("bishp", ["rook", "bishop"]), Some("bishop"));
/// assert_eq!(nearest("steak", ["rook", "stake"]), Some("stake"));
/// assert_eq!(nearest("zebra", ["rook", "bishop"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(word, &mut candidates.into_iter())
}

/// The same, compiled once rather than for each iterator type.
fn nearest_of<'a>(word: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 40;
    let word: String = word.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect();
    let letters = word.chars().count();
    if letters > LONGEST {
        return None;
    }
    let limit = (letters / 3).max(1);
    let near = candidates.filter(|c| c.len() <= LONGEST * 4);
    let scored = near.map(|c| (strsim::osa_distance(&word, &c.to_lowercase()), c));
    // In a word of five letters, one that has moved counts as similar: it is two edits.
    let moved = |n: usize, c: &str| n == 2 && letters == 5 && sorted(c) == sorted(&word);
    // One letter is one edit away from any other, so only its other case counts as similar.
    let fits =
        scored.filter(|(n, c)| (*n <= limit || moved(*n, c)) && (*n == 0 || *n < c.chars().count().max(letters)));
    // Among equally similar candidates, prefer the longest common prefix.
    let alike = |c: &str| c.to_lowercase().chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
    fits.min_by_key(|(n, c)| (*n, usize::MAX - alike(c))).map(|(_, c)| c)
}

/// The letters of a word in lowercase, in alphabetical order.
fn sorted(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    letters.sort_unstable();
    letters
}

/// Whether a text has the form of a move on the board of `variant`, permitted or not.
pub fn is_move(variant: &Variant, text: &str) -> bool {
    let word = text.trim();
    coord::reads(variant, word) || san::reads(variant, word)
}

#[cfg(test)]
mod samples_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_points_at_its_place() {
        let error = NotationError::new("dice", "2d6+x", 4..5, "a die").help("as '1d6'");
        assert_eq!(error.to_string(), "dice: expected a die, found 'x' (column 5); as '1d6'");
        assert_eq!(error.render(), "dice: expected a die, found 'x'\n  2d6+x\n      ^\n  help: as '1d6'\n");
        let error = NotationError::new("PGN", "a\nbé\tc", 6..7, "a move");
        assert_eq!((error.line(), error.column()), (2, 4));
        assert_eq!(error.to_string(), "PGN: expected a move, found 'c' (line 2, column 4)");
        assert!(error.render().contains("  bé c\n     ^\n"));
        let end = NotationError::new("FEN", "8/8", 3..3, "a side");
        assert_eq!(end.to_string(), "FEN: expected a side, but the text ends (column 4)");
    }

    #[test]
    fn near_names_are_found() {
        assert_eq!(nearest("kngiht", ["king", "knight"]), Some("knight"));
        assert_eq!(nearest("PAWN", ["pawn"]), Some("pawn"));
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("", ["pawn"]), None);
        assert_eq!(nearest(&"a".repeat(10_000), ["pawn"]), None);
    }
}
