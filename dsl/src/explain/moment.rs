//! What explanations say of the moment: the place in the script, the rolled dice, and whether a move is awaited.

use crate::{Loaded, library};
use astragal_core::rule::SourceLocation;
use astragal_core::{Event, Game, State, Status};
use std::path::Path;

/// A place in the script and the text of its line.
pub(super) fn quoted(loaded: &Loaded, place: &SourceLocation) -> (String, String) {
    let (file, text) = match place.file.as_deref().and_then(library::bundled) {
        Some(base) => (base.file(), base.text),
        // The file name alone, so that texts do not depend on the script's folder.
        None => (bare(&loaded.source.file()), loaded.source.text.clone()),
    };
    let line = text.lines().nth(place.line.saturating_sub(1)).unwrap_or_default().trim().to_string();
    (format!("{file}:{}", place.line), line)
}

/// The publicly rolled dice of the current turn.
pub(super) fn rolled(game: &Game) -> Vec<i16> {
    let (_, start, entries) = game.turn_so_far();
    let mut faces = start.to_vec();
    for entry in entries {
        if let Event::Roll(dice) = &entry.event {
            faces.extend(dice);
        }
    }
    faces
}

/// Whether a move could be asked for now.
pub(super) fn waits_for_move(state: &State) -> bool {
    state.status() == Status::Move
}

fn bare(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.into(), |name| name.to_string_lossy().into_owned())
}
