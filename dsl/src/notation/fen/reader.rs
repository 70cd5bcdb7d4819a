//! The state of reading a position: the text, the position so far, and its hidden parts.

use super::super::NotationError;
use astragal_core::{Position, Side, Variant};
use std::ops::Range;

/// The name of the notation in errors.
pub(super) const NAME: &str = "FEN";

/// A part that a position's text hides with a `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masked {
    /// Its name: of a counter, of a trait, or `dice` for the unused dice.
    pub name: String,
    /// Its owner, if each side has its own.
    pub owner: Option<Side>,
    /// The number of hidden items, if the text reveals it.
    pub count: Option<u16>,
    /// How many pieces have which value of a trait, if the text reveals it.
    pub values: Option<Vec<(i16, u32)>>,
}

impl Masked {
    /// A hidden part with only its name known.
    pub(super) fn named(name: &str) -> Masked {
        Masked { name: name.into(), owner: None, count: None, values: None }
    }
}

/// The state of reading a position.
pub(super) struct Reader<'a> {
    pub(super) variant: &'a Variant,
    pub(super) text: &'a str,
    pub(super) position: Position,
    pub(super) masked: Vec<Masked>,
}

impl Reader<'_> {
    /// An error at a part of the text.
    pub(super) fn error(&self, span: Range<usize>, expected: impl Into<String>) -> NotationError {
        NotationError::new(NAME, self.text, span, expected)
    }
}
