//! Positions drawn for people: as lines of text and as vector pictures.
//!
//! Nothing here knows commands or terminals, except for the color codes that a [`Theme`] asks for.

mod beside;
pub mod board;
mod board_drawing;
mod colors;
mod columns;
mod extent;
mod figures;
mod ground;
pub(crate) mod heaps;
mod intersections;
mod layout;
pub mod legend;
pub(crate) mod marks;
mod names;
mod numbers;
mod outlines;
pub mod sidebar;
mod square_center;
pub mod svg;
mod symbol;
mod theme;
mod triangles;
pub mod values;

pub use columns::shown;
pub use extent::Extent;
pub(crate) use square_center::SquareCenter;

use astragal_core::Game;
use astragal_dsl::Loaded;
use astragal_dsl::notation::fen::Placed;
use board_drawing::BoardDrawing;
use theme::Theme;

/// The widest screen that drawings are fitted to, in columns.
const SCREEN: usize = 80;

/// The board, and beside it the rest of the position.
pub fn with_sidebar(loaded: &Loaded, game: &Game, theme: Theme, extent: Extent) -> String {
    let rows = board::rows(&BoardDrawing::of(game, extent.shows_options()), theme);
    side_by_side(rows, sidebar::lines(loaded, game, theme, extent))
}

/// A position as its text describes it, without a game.
pub fn masked(loaded: &Loaded, placed: &Placed, theme: Theme) -> String {
    let variant = &loaded.set.variant;
    let rows = board::rows(&BoardDrawing::plain(variant, &placed.position), theme);
    side_by_side(rows, sidebar::standing(variant, &placed.position, Some(&placed.masked), theme))
}

fn side_by_side(mut rows: Vec<String>, beside: Vec<String>) -> String {
    let width = rows.iter().map(|row| shown(row)).max().unwrap_or(0);
    let fits = |line: &String| width + 3 + shown(line) <= SCREEN;
    if beside.len() < rows.len() && beside.iter().all(fits) {
        for (row, line) in rows.iter_mut().zip(&beside) {
            let gap = width - shown(row) + 3;
            row.push_str(&format!("{}{line}", " ".repeat(gap)));
        }
    } else {
        rows.extend(beside);
    }
    rows.iter().map(|row| format!("{}\n", row.trim_end())).collect()
}
