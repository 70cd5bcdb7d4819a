//! Heaps of pieces: in words, as a line beside the board, and as disks that show under the topmost one.

use super::colors;
use astragal_core::{Piece, Position, Square, Variant};
use astragal_dsl::game_text;

/// How many of the pieces beneath are drawn.
const DRAWN: usize = 3;
/// How far each is drawn below the one above it in pictures.
const STEP: i64 = 2;

/// The height of a heap; `None` for a single piece or an empty square.
pub(super) fn height(position: &Position, square: Square) -> Option<usize> {
    Some(position.height(square)).filter(|height| *height > 1)
}

/// The pieces beneath the topmost one, from the top down: `on 2 white man, black man`; `None` without a heap.
pub(crate) fn words(variant: &Variant, position: &Position, square: Square) -> Option<String> {
    let beneath: Vec<Piece> = position.beneath(square).rev().collect();
    let alike = |alike: &[Piece]| {
        let kind = &variant.kind(alike[0].kind()).name;
        let count = if alike.len() > 1 { format!("{} ", alike.len()) } else { String::new() };
        format!("{count}{} {kind}", game_text::side_name(variant, alike[0].side()).to_lowercase())
    };
    let all: Vec<String> = beneath.chunk_by(|a, b| a == b).map(alike).collect();
    (!all.is_empty()).then(|| format!("on {}", all.join(", ")))
}

/// A line for the heaps of mixed pieces, whose contents do not follow from their height and topmost piece.
pub(super) fn line(variant: &Variant, position: &Position) -> Option<String> {
    let is_mixed = |square: &Square| position.beneath(*square).any(|piece| piece != position.at(*square));
    let mixed = position.heaps(2).into_iter().filter(is_mixed);
    let one =
        |square| format!("{} {}", variant.board().name(square), words(variant, position, square).unwrap_or_default());
    let all: Vec<String> = mixed.map(one).collect();
    (!all.is_empty()).then(|| format!("heaps: {}\n", all.join("; ")))
}

/// The pieces beneath as SVG, around the middle of the topmost, which is drawn over them.
pub(super) fn draw(
    variant: &Variant,
    position: &Position,
    square: Square,
    (x, y): (i64, i64),
    radius: i64,
    ink: &str,
) -> String {
    let beneath: Vec<Piece> = position.beneath(square).rev().take(DRAWN).collect();
    let disc = |(level, piece): (usize, &Piece)| {
        let (y, color) = (y + STEP * (level as i64 + 1), colors::of(variant, piece.side()).hex);
        format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{color}\" stroke=\"{ink}\" stroke-width=\"1.5\"/>\n"
        )
    };
    beneath.iter().enumerate().rev().map(disc).collect()
}

#[cfg(test)]
#[path = "heaps_tests.rs"]
mod tests;
