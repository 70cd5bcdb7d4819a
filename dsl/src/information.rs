//! Information states: whether a side may know a fact about a game.
//!
//! A viewer of `None` knows everything. [`crate::view`] decides which facts a viewer gets, and in which form.

use astragal_core::{Game, Side, State, Status};

/// Whether the game has, or has had, information that only some sides know.
pub fn has_secrets(game: &Game) -> bool {
    let state = game.state();
    state.ruleset().variant.has_secrets()
        || state.secret().is_some()
        || state.rolled_in_secret()
        || game.entries().iter().any(|entry| entry.secret.is_some())
}

/// Whether the viewer knows the dice of the current turn. Only the side to move knows them after a secret roll, and in
/// variants with secrets, since a turn may be paid with secret dice.
pub(crate) fn knows_turn(state: &State, viewer: Option<Side>) -> bool {
    let secrets = state.rolled_in_secret() || state.ruleset().variant.has_secrets();
    viewer.is_none_or(|viewer| viewer == state.position().side() || !secrets)
}

/// Whether the viewer may know the current options: its own always, those of other sides only if secrets cannot affect
/// them.
pub fn knows_options(state: &State, viewer: Option<Side>) -> bool {
    let open = matches!(state.status(), Status::Chance | Status::Over);
    let secrets = state.rolled_in_secret() || state.secret().is_some() || state.ruleset().variant.has_secrets();
    viewer.is_none_or(|viewer| open || viewer == state.chooser() || !secrets)
}

/// Whether the viewer learns the result of the roll or choice that `before` waits for.
pub fn sees(before: &State, viewer: Option<Side>) -> bool {
    before.secret().is_none_or(|side| viewer.is_none_or(|viewer| viewer == side))
}
