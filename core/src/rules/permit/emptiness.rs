//! Permits that admit no move in any position: script errors.

use super::Permit;
use crate::board::piece::{Kind, KindMask};
use crate::movegen::Filter;
use crate::variant::Variant;

impl Permit {
    /// A part that admits no move in any position of the variant, though it is not plainly nothing. A part that is returned
    /// certainly admits nothing, but not every such part is found.
    pub fn never<'a>(&'a self, variant: &Variant) -> Option<&'a Permit> {
        let kinds = variant.kinds();
        let declared: KindMask = (0..kinds.len() as u8).map(Kind).collect();
        let void = match self {
            Permit::Castling(which) => which & declared_castles(variant) == 0,
            Permit::CastlingBy(_) => variant.spec().castles.is_empty(),
            Permit::EnPassant => !variant.captures_en_passant(),
            Permit::Drops(_) => !variant.spec().hands,
            Permit::Pieces(mask) => mask.0 & declared.0 == 0,
            Permit::Promoting(mask) => {
                let to =
                    |kind: &crate::board::piece::KindDef| kind.promotion.as_ref().map_or(0, |promotion| promotion.to.0);
                kinds.iter().all(|kind| to(kind) & mask.0 & declared.0 == 0)
            }
            Permit::And(a, b) => {
                let nothing = |p: &Permit| matches!(p, Permit::Nothing);
                let (x, y) = (a.bound(), b.bound());
                let promoters = |filter: Filter| if filter.into == KindMask::NONE { 0 } else { variant.promoters.0 };
                // Castling captures nothing.
                let never_castles = |p: &Permit| matches!(p, Permit::Capturing(_));
                let moving = |filter: Filter| filter.kinds.0 | promoters(filter);
                let shared = moving(x) & moving(y) & declared.0 != 0
                    || x.castling & y.castling & declared_castles(variant) != 0
                        && !never_castles(a)
                        && !never_castles(b)
                    || x.drops.0 & y.drops.0 & declared.0 != 0;
                !shared && !nothing(a) && !nothing(b)
            }
            Permit::Minus(a, b) => a == b && **a != Permit::Nothing || **b == Permit::Any,
            Permit::Any
            | Permit::Nothing
            | Permit::From(_)
            | Permit::To(_)
            | Permit::Capturing(_)
            | Permit::Steps(..)
            | Permit::Toward(..)
            | Permit::Or(..)
            | Permit::OrElse(..)
            | Permit::Where(..)
            | Permit::After(..)
            | Permit::Payable(..)
            | Permit::Longest(_)
            | Permit::Most(_)
            | Permit::Of(..)
            | Permit::Safety(..)
            | maker!() => false,
        };
        if void {
            return Some(self);
        }
        self.sources().find_map(|source| source.never(variant))
    }
}

/// The castlings of the variant, as bits.
fn declared_castles(variant: &Variant) -> u16 {
    (0..variant.spec().castles.len()).fold(0, |all, index| all | 1 << index)
}
