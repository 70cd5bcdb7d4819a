//! The pieces of a side, counted.

use crate::markdown::counted;
use astragal_core::{Kind, Piece, Position, Side, Square, Variant};

/// The number of such pieces on the board, in heaps and in hand.
pub(super) fn total(variant: &Variant, position: &Position, piece: Piece) -> u64 {
    let on_top = u64::from(position.squares_of(piece).len());
    let beneath = |square: Square| position.beneath(square).filter(|one| *one == piece).count() as u64;
    let in_hand = match variant.spec().hands {
        true => position.in_hand(variant, piece.side(), piece.kind()).max(0).unsigned_abs(),
        false => 0,
    };
    on_top + position.occupied().into_iter().map(beneath).sum::<u64>() + u64::from(in_hand)
}

/// The pieces of a side: `9 pieces (pawn 8, king 1)`.
pub(super) fn army(variant: &Variant, position: &Position, side: Side) -> String {
    let kinds = (0..).map(Kind).zip(variant.kinds());
    let counts: Vec<(u64, &str)> = kinds
        .map(|(kind, def)| (total(variant, position, Piece::new(side, kind)), def.name.as_str()))
        .filter(|(count, _)| *count > 0)
        .collect();
    let all: u64 = counts.iter().map(|(count, _)| count).sum();
    let list: Vec<String> = counts.iter().map(|(count, name)| format!("{name} {count}")).collect();
    match list.as_slice() {
        [] => "no pieces".into(),
        list => format!("{} ({})", counted(all, "piece"), list.join(", ")),
    }
}
