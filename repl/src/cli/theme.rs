//! Whether to use colors and pictures: flags first, then the environment.

use super::args::{Board, Color, Drawn};
use astragal_dsl::Layout;
use astragal_service::drawing::board::{Pieces, Theme};
use console::Term;

/// Whether output to a stream is colored.
pub(super) fn color(wanted: Color, terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match wanted {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && !set("NO_COLOR") && !dumb(),
    }
}

/// The layout of script errors on standard output: as wide as its terminal.
pub(super) fn layout(color: bool) -> Layout {
    laid_out(color, &Term::stdout())
}

/// The layout of script errors on a stream.
pub(super) fn laid_out(color: bool, stream: &Term) -> Layout {
    Layout { color, columns: columns(stream).unwrap_or(Layout::COLUMNS) }
}

/// The width of a stream's terminal, if it has one.
pub(super) fn columns(stream: &Term) -> Option<usize> {
    stream.size_checked().map(|(_, columns)| usize::from(columns))
}

/// The look of boards.
pub(super) fn theme(drawn: &Drawn, color: bool, terminal: bool) -> Theme {
    let able = terminal && utf8() && !dumb();
    let pictures = match drawn.board {
        _ if drawn.ascii => false,
        Some(board) => board == Board::Unicode,
        None => able,
    };
    let boxes = !drawn.ascii && (able || pictures);
    Theme { pieces: if pictures { Pieces::Unicode } else { Pieces::Letters }, color, flipped: false, boxes }
}

fn dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Whether the locale indicates that the terminal supports UTF-8.
fn utf8() -> bool {
    let value =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    value.is_some_and(|value| {
        let value = value.to_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}
