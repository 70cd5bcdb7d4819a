//! How drawings look: letters or pictures, colors, lines, and the side of the viewer.

/// How pieces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pieces {
    /// The letters of position texts.
    #[default]
    Letters,
    /// Pictures where the variant has them.
    Unicode,
}

/// How boards and messages look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Theme {
    /// Letters or pictures.
    pub pieces: Pieces,
    /// Whether colors are used.
    pub color: bool,
    /// Whether the board is drawn as the second side sees it.
    pub flipped: bool,
    /// Whether lines are drawn with Unicode box characters.
    pub boxes: bool,
}

impl Theme {
    /// `text` in a color or style, by its terminal code; plain without colors.
    pub(crate) fn paint(&self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }
}
