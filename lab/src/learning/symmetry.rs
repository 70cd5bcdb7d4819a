//! The squares that correspond to each other for the two sides.

use astragal_core::Square;
use astragal_dsl::Loaded;
use astragal_dsl::symmetry::Flip;

/// For each square the one that corresponds to it for the other side, if the script says that its sides are symmetric.
pub fn counterparts(loaded: &Loaded) -> Option<Vec<Square>> {
    let variant = &loaded.set.variant;
    let flip = Flip::new(variant, loaded.symmetry?)?;
    Some((0..variant.board().len()).map(|square| flip.square(Square(square as u8))).collect())
}
