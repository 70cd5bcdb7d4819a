//! Which actions of people a session takes automatically.

/// The actions that people want to be automatic.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Automatic {
    /// Rolls. By default, they are automatic if one person plays at a terminal.
    pub(super) rolls: Option<bool>,
    /// Moves and choices without an alternative.
    pub(super) moves: bool,
}
