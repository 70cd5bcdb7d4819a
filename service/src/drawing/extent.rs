//! How much of a game is drawn.

/// How much of a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// What all players may know.
    Public,
    /// That, and the options of the player to decide.
    Options,
    /// Everything, including secrets.
    Whole,
}

impl Extent {
    /// Without secrets; `open` includes the options of the player to decide.
    pub fn open(open: bool) -> Extent {
        if open { Extent::Options } else { Extent::Public }
    }

    /// Whether the options of the player to decide are shown.
    pub(crate) fn shows_options(self) -> bool {
        self != Extent::Public
    }
}
