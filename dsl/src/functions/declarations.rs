//! Declarations: the functions with which a script's top level declares the board, pieces, state and tracks of its game.
//!
//! They run once, when the script is loaded, and fill a [`crate::host::declare::Declaration`]. In an imported script they
//! do nothing until the importing script calls a function that makes them.

mod board;
mod bounces;
mod colors;
mod directions;
mod links;
mod look;
mod picture;
mod pieces;
mod places;
mod state;
mod tracks;

pub(crate) use pieces::OPTIONS as PIECE_OPTIONS;

use super::row::Chapter;

pub(crate) use state::reserved_in_positions;

pub(super) fn chapter() -> Chapter {
    Chapter {
        title: "Board, sides and pieces",
        intro: "Declarations belong at the top level of a script. They run once, when the script is loaded.",
        rows: [board::rows(), pieces::rows(), state::rows(), tracks::rows(), look::rows()]
            .into_iter()
            .flatten()
            .collect(),
    }
}
