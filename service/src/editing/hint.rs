//! An inlay hint of an editor.

/// An inlay hint: a note that an editor shows within a line of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The offset at which it is shown.
    pub offset: usize,
    /// The note, in a few words.
    pub text: String,
    /// A longer explanation.
    pub tooltip: String,
}
