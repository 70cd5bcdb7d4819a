//! The position of a game as text. [`crate::turn_state_text`] handles turns in progress.

use super::options::{dice_text, variant};
use crate::notation::fen;
use crate::{Loaded, information};
use astragal_core::{Position, Side, State, Variant};

/// The position of a game as text, with the unused dice of the current turn.
pub fn position(loaded: &Loaded, state: &State) -> String {
    position_for(loaded, state, None)
}

/// The same as `viewer` may know it; `None` knows everything.
pub(crate) fn position_for(loaded: &Loaded, state: &State, viewer: Option<Side>) -> String {
    let dice = state.unused().filter(|unused| !unused.is_empty() && state.over().is_none());
    let dice = dice.map(|unused| match information::knows_turn(state, viewer) {
        true => dice_text(&loaded.faces, &unused),
        false => vec!["?"; unused.len()].join(","),
    });
    let mut position = state.position().clone();
    if state.over().is_some() {
        // Drops the mover's own en passant rights if the game has ended during the turn: no one can use them.
        let side = position.side();
        let theirs: Vec<_> =
            position.en_passant().iter().filter(|r| position.at(r.victim).side() != side).copied().collect();
        position.retain_en_passant(variant(state), |right| theirs.contains(&right));
    }
    let text = fen::write_view(variant(state), &position, dice.as_deref(), viewer);
    // A view hides how far the preparation is. The mark keeps readers from treating it as complete.
    match variant(state).spec().unprepared.filter(|_| viewer.is_some() && state.is_preparing()) {
        Some(counter) => format!("{text} {}=?", variant(state).spec().counters[counter as usize].name),
        None => text,
    }
}

/// A position's text without dice.
pub fn plain_position(variant: &Variant, position: &Position) -> String {
    fen::write(variant, position)
}
