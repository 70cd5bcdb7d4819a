//! Information states: whether a side may know something of a game, and no more than that.
//!
//! A viewer of `None` knows everything. What is told to a viewer, and how, is for [`crate::view`] to say.

use astragal_core::{Game, Side, State, Status};

/// Whether anything in this game is, or has been, known to some sides only.
pub fn has_secrets(game: &Game) -> bool {
    let state = game.state();
    state.ruleset().variant.has_secrets()
        || state.secret().is_some()
        || state.rolled_in_secret()
        || game.entries().iter().any(|entry| entry.secret.is_some())
}

/// Whether the viewer knows the dice of the turn under way. Others than the side to move do not after a roll in
/// secret, nor in a variant with secrets, since a turn may be paid by what is kept in them.
pub(crate) fn knows_turn(state: &State, viewer: Option<Side>) -> bool {
    let secrets = state.rolled_in_secret() || state.ruleset().variant.has_secrets();
    viewer.is_none_or(|viewer| viewer == state.position().side() || !secrets)
}

/// Whether the viewer may know what can be answered now: its own options always, those of others if
/// nothing secret can bear on them.
pub fn knows_options(state: &State, viewer: Option<Side>) -> bool {
    let open = matches!(state.status(), Status::Chance | Status::Over);
    let secrets = state.rolled_in_secret() || state.secret().is_some() || state.ruleset().variant.has_secrets();
    viewer.is_none_or(|viewer| open || viewer == state.chooser() || !secrets)
}

/// Whether the viewer learns what comes of the roll or the choice that `before` waits for.
pub fn sees(before: &State, viewer: Option<Side>) -> bool {
    before.secret().is_none_or(|side| viewer.is_none_or(|viewer| viewer == side))
}
