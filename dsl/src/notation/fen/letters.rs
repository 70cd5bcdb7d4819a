//! The letters of pieces in positions.

use astragal_core::{Piece, Side, Variant};

/// The letter of a piece in placements: upper case for the first side, lower case for the second, and the same with a `'`
/// for each two sides before it.
pub fn letter(variant: &Variant, piece: Piece) -> String {
    let upper = variant.kinds().get(piece.kind().index()).map_or("?", |kind| kind.letter.as_str());
    side_letter(upper, piece.side())
}

pub(super) fn side_letter(upper: &str, side: Side) -> String {
    let mut text = if side.0.is_multiple_of(2) { upper.to_owned() } else { upper.to_lowercase() };
    text.extend(std::iter::repeat_n('\'', usize::from(side.0 / 2)));
    text
}
