//! Heaps of pieces: in words, as a line beside the board, and as stacks of disks in pictures.

use super::colors;
use astragal_core::{Piece, Position, Square, Variant};
use astragal_dsl::game_text;

/// The height from which a square has room for pieces one after another.
pub(super) const TALL: i64 = 120;
/// The radius of the disks of a heap.
pub(super) const RADIUS: i64 = 23;
/// How far pieces of a heap are apart on a usual square: at most, and in all.
const STEP: i64 = 5;
const RISE: i64 = 24;

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

/// How far the pieces of a heap are apart, on a square of this height.
pub(super) fn step(levels: i64, height: i64) -> i64 {
    let gaps = (levels - 1).max(1);
    match height < TALL {
        true => STEP.min(RISE / gaps).max(1),
        false => (2 * RADIUS).min((height - 2 * RADIUS - 8) / gaps),
    }
}

/// A piece of a heap with others above it, as SVG.
pub(super) fn edge(variant: &Variant, piece: Piece, (x, y): (i64, i64), ink: &str) -> String {
    let color = colors::of(variant, piece.side()).hex;
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{color}\" stroke=\"{ink}\" stroke-width=\"1.5\"/>\n")
}

#[cfg(test)]
#[path = "heaps_tests.rs"]
mod tests;
