//! Information states: whether a side may know a fact about a game.
//!
//! A viewer of `None` knows everything. [`crate::view`] decides which facts a viewer gets, and in which form.

use crate::host::tokens::{Token, tokens};
use crate::{Loaded, library};
use astragal_core::{Game, Side, State, Status};

/// Whether the game has, or has had, information that only some sides know.
pub fn has_secrets(game: &Game) -> bool {
    let state = game.state();
    state.ruleset().variant.has_secrets()
        || state.secret().is_some()
        || state.rolled_in_secret()
        || game.entries().iter().any(|entry| entry.secret.is_some())
}

/// Whether games of a variant can have information that only some sides know: the script declares secrets, or its code or
/// that of a script that it imports makes choices or rolls secret. Code that never runs counts, too.
pub fn can_hide(loaded: &Loaded) -> bool {
    let imported = loaded.imports.iter().filter_map(|name| library::bundled(name));
    let mut texts = imported.map(|source| source.text).chain([loaded.source.text.clone()]);
    loaded.set.variant.has_secrets() || texts.any(|text| sets_secret(&tokens(&text)))
}

/// Whether code sets the option `secret` to anything but `false`.
fn sets_secret(all: &[Token<'_>]) -> bool {
    let sets = |at: usize| {
        let is = |offset: usize, signs: &[&str]| all.get(at + offset).is_some_and(|next| signs.contains(&next.text));
        let after_dot = at > 0 && all[at - 1].is(".");
        let value = match all[at].text {
            "secret" if is(1, &[":"]) || after_dot && is(1, &["="]) => 2,
            "\"secret\"" | "`secret`" if is(1, &[":"]) => 2,
            "\"secret\"" | "`secret`" if is(1, &["]"]) && is(2, &["="]) => 3,
            _ => return false,
        };
        !(is(value, &["false"]) && is(value + 1, &[",", "}", ";"]))
    };
    (0..all.len()).any(sets)
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
