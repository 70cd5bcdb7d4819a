//! Attacks: which pieces could capture on a square.
//!
//! Answers come from the reverse table of [`Tables`](crate::variant::tables::Tables): a piece attacks a square if one of
//! its paths there is open. The side to move, pins, and the safety of the attacker's own royal do not matter. En passant
//! and castling attack nothing.

use crate::board::bits::Bits;
use crate::board::piece::KindMask;
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::position::Position;
use crate::variant::Variant;
use crate::variant::tables::{Sets, at_width};

/// The pieces of `by` that could capture the piece on `square`, of any owner (a piece of `by` itself: that defend it). On
/// an empty square, those that could capture a piece of any kind there.
pub fn attackers(variant: &Variant, position: &Position, square: Square, by: Side) -> SquareSet {
    at_width!(variant.tables, sets => attackers_at(sets, variant, position, square, by).set())
}

fn attackers_at<B: Bits>(sets: &Sets<B>, variant: &Variant, position: &Position, square: Square, by: Side) -> B {
    let occupied = position.occupied_at::<B>();
    let mut rest = position.men::<B>(by) & sets.reach(by, square);
    let codes = variant.tables.codes(square);
    let mut found = B::NONE;
    while let Some(from) = rest.pop() {
        let id = codes.first(position.own_at(from, by), from);
        if id != 0 && sets.lets_through(id, victims(position, square), occupied) {
            found = found.with(from);
        }
    }
    found
}

/// Whether a piece of any side but `by_enemies_of` attacks `square`, in the sense of [`attackers`].
pub fn is_attacked(variant: &Variant, position: &Position, square: Square, by_enemies_of: Side) -> bool {
    fn at<B: Bits>(sets: &Sets<B>, variant: &Variant, position: &Position, square: Square, owner: Side) -> bool {
        let (victims, occupied) = (victims(position, square), position.occupied_at::<B>());
        threatened(sets, variant, position, Target { square, victims, owner, occupied, gone: B::NONE })
    }
    at_width!(variant.tables, sets => at(sets, variant, position, square, by_enemies_of))
}

/// Whether a royal piece of `side` is attacked by an enemy; false if it has none.
pub fn in_check(variant: &Variant, position: &Position, side: Side) -> bool {
    match position.sole_royal(side) {
        Some(royal) => is_attacked(variant, position, royal, side),
        None => position.royals(variant, side).into_iter().any(|royal| is_attacked(variant, position, royal, side)),
    }
}

/// The kinds that an attack on a square must be able to capture: the kind of the piece there; on an empty square, all
/// kinds.
fn victims(position: &Position, square: Square) -> KindMask {
    if position.is_vacant(square) { KindMask::ALL } else { position.kind_at(square).into() }
}

/// A square to test for safety, perhaps as it would be after some move.
#[derive(Clone, Copy)]
pub(crate) struct Target<B> {
    pub(crate) square: Square,
    /// The kinds that an attack must be able to capture, all of them: the kind of the piece there, or every kind.
    pub(crate) victims: KindMask,
    /// The side whose enemies count.
    pub(crate) owner: Side,
    /// The squares with pieces.
    pub(crate) occupied: B,
    /// Pieces of the position that no longer attack because they have been captured.
    pub(crate) gone: B,
}

/// Whether an enemy attacks the target.
#[inline(never)]
pub(crate) fn threatened<B: Bits>(sets: &Sets<B>, variant: &Variant, position: &Position, target: Target<B>) -> bool {
    is_threatened(sets, variant, position, &target)
}

/// [`threatened`], for inlining into the caller.
#[inline(always)]
pub(crate) fn is_threatened<B: Bits>(
    sets: &Sets<B>,
    variant: &Variant,
    position: &Position,
    target: &Target<B>,
) -> bool {
    match variant.rivals[target.owner.index()] {
        Some(rival) => threatened_by(sets, variant, position, target, rival),
        None => threatened_by_any(sets, variant, position, target),
    }
}

#[inline(never)]
fn threatened_by_any<B: Bits>(sets: &Sets<B>, variant: &Variant, position: &Position, target: &Target<B>) -> bool {
    enemies(variant, target.owner).any(|side| threatened_by(sets, variant, position, target, side))
}

#[inline(always)]
fn threatened_by<B: Bits>(
    sets: &Sets<B>,
    variant: &Variant,
    position: &Position,
    target: &Target<B>,
    side: Side,
) -> bool {
    let mut rest = position.men::<B>(side) & sets.reach(side, target.square) & !target.gone;
    let codes = variant.tables.codes(target.square);
    while let Some(from) = rest.pop() {
        let id = codes.first(position.own_at(from, side), from);
        if id != 0 && sets.lets_through(id, target.victims, target.occupied) {
            return true;
        }
    }
    false
}

/// All sides but `side`.
pub(crate) fn enemies(variant: &Variant, side: Side) -> impl Iterator<Item = Side> + use<'_> {
    (0..variant.spec.sides.len() as u8).map(Side).filter(move |&other| !variant.allied(side, other))
}
