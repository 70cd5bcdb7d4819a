//! Whose view a session shows, and whether it is hidden.

use astragal_core::Side;

/// Whose view is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whose {
    /// The view of the side to choose.
    Chooser,
    /// The view of one side.
    Side(Side),
    /// Everything, including all secrets.
    All,
}

/// The view that a session shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observation {
    pub(super) whose: Whose,
    pub(super) shared: bool,
    /// Whether the next player has not looked yet, and everything is hidden.
    pub(super) hidden: bool,
    /// Whether to clear the screen before the next answer.
    pub(super) clear: bool,
}

impl Observation {
    /// The view of the side to choose; hidden between turns if people share a terminal.
    pub(super) fn new(shared: bool) -> Observation {
        Observation { whose: Whose::Chooser, shared, hidden: false, clear: false }
    }
}
