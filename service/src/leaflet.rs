//! The rulebook of a script with a picture of its board, like the leaflet in the box of a game.
//!
//! Combines the output of `astragal_dsl::rulebook` with the drawing; it knows no details of either.

use crate::drawing::board::{self, BoardDrawing, Theme};
use astragal_dsl::{Loaded, rulebook};

/// The leaflet as plain text: letters for pieces, no colors.
pub fn leaflet(loaded: &Loaded) -> String {
    let drawing = BoardDrawing::plain(&loaded.set.variant, &loaded.start);
    rulebook::illustrated(loaded, &board::rows(&drawing, Theme::default()).join("\n"))
}
