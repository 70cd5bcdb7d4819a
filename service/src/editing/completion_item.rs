//! A completion item of a `.game` file, and its kind.

use std::ops::Range;

/// The kind of a completion item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameCompletionKind {
    /// The name of a header.
    Header,
    /// A built-in variant.
    Variant,
    /// An option of the script.
    Option,
    /// A value of a header or an option.
    Value,
    /// A word that a line can begin with.
    Word,
    /// A legal move.
    Move,
    /// A choice that the game offers.
    Choice,
    /// Faces of dice, or the result of a draw.
    Roll,
    /// A square.
    Square,
}

/// A completion item for the word at the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameCompletion {
    /// The text shown in the list, by which the editor filters.
    pub label: String,
    /// A few words that the list shows after the label.
    pub detail: String,
    /// A description in Markdown; may be empty.
    pub about: String,
    /// The bytes to replace.
    pub replaces: Range<usize>,
    /// The text that replaces them.
    pub inserts: String,
    /// The kind.
    pub kind: GameCompletionKind,
}
