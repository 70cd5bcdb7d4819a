//! The rulebook of a script with a picture of its board, as a leaflet in the box of a game.
//!
//! Puts together what `astragal_dsl::rulebook` says and the drawing shows; knows nothing of either's inside.

use crate::drawing::board::{self, BoardDrawing, Theme};
use astragal_dsl::{Loaded, rulebook};

/// The leaflet as plain text: letters for pieces, no colours.
pub fn leaflet(loaded: &Loaded) -> String {
    let drawing = BoardDrawing::plain(&loaded.set.variant, &loaded.start);
    rulebook::illustrated(loaded, &board::rows(&drawing, Theme::default()).join("\n"))
}
