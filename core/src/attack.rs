//! Attacks: which pieces could capture on a square.
//!
//! Answers come from the reverse table of [`Tables`](crate::movement::Tables): a piece attacks a square
//! if one of its paths there is open. Whose turn it is, pins, and the safety of the attacker's own
//! royal do not matter; en passant and castling attack nothing.

use crate::army::{Kind, Side};
use crate::position::Position;
use crate::square::{Square, SquareSet};
use crate::variant::Variant;

/// The pieces of `by` that could capture what stands on `square`, whoever owns it (for a piece of `by`:
/// that defend it). On an empty square, those that could capture a piece of any kind there.
pub fn attackers(variant: &Variant, position: &Position, square: Square, by: Side) -> SquareSet {
    let piece = position.at(square);
    let victim = (!piece.is_none()).then(|| piece.kind());
    let occupied = position.occupied();
    (position.of(by) & variant.tables.reach(by, square))
        .into_iter()
        .filter(|&from| variant.tables.hits(position.at(from), from, square, victim, occupied))
        .collect()
}

/// Whether a piece of any side but `by_enemies_of` attacks `square`, in the sense of [`attackers`].
pub fn is_attacked(variant: &Variant, position: &Position, square: Square, by_enemies_of: Side) -> bool {
    let piece = position.at(square);
    let victim = (!piece.is_none()).then(|| piece.kind());
    threatened(
        variant,
        position,
        Target { square, victim, owner: by_enemies_of, occupied: position.occupied(), gone: SquareSet::EMPTY },
    )
}

/// Whether a royal piece of `side` is attacked by an enemy; false if it has none.
pub fn in_check(variant: &Variant, position: &Position, side: Side) -> bool {
    match position.sole_royal(side) {
        Some(royal) => is_attacked(variant, position, royal, side),
        None => position.royals(variant, side).into_iter().any(|royal| is_attacked(variant, position, royal, side)),
    }
}

/// A square whose safety is asked for, perhaps as it would be after some move.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub square: Square,
    /// What stands there; `None` for a piece of any kind.
    pub victim: Option<Kind>,
    /// Whose enemies count.
    pub owner: Side,
    /// The squares with pieces.
    pub occupied: SquareSet,
    /// Pieces of the position that no longer attack because they have been captured.
    pub gone: SquareSet,
}

/// Whether an enemy attacks the target.
#[inline]
pub(crate) fn threatened(variant: &Variant, position: &Position, target: Target) -> bool {
    let tables = &variant.tables;
    for side in enemies(variant, target.owner) {
        for from in (position.of(side) & tables.reach(side, target.square)) - target.gone {
            if tables.hits(position.at(from), from, target.square, target.victim, target.occupied) {
                return true;
            }
        }
    }
    false
}

/// All sides but `side`.
#[inline]
pub(crate) fn enemies(variant: &Variant, side: Side) -> impl Iterator<Item = Side> + use<'_> {
    (0..variant.spec.sides.len() as u8).map(Side).filter(move |&other| !variant.allied(side, other))
}
