//! The part of a permit that masks can express: kinds, castlings and drops, before any move is generated.

use super::Permit;
use crate::board::piece::KindMask;
use crate::movegen::Filter;

impl Permit {
    /// A superset of the permit, as masks for the generator.
    pub(super) fn bound(&self) -> Filter {
        match self {
            Permit::Or(a, b) => a.bound().or(b.bound()),
            Permit::And(a, b) => a.bound().and(b.bound()),
            Permit::Minus(a, _) | Permit::Where(a, _) | Permit::After(a, _) => a.bound(),
            plain!() => self.exact().unwrap_or(match self {
                Permit::CastlingBy(_) => Filter { castling: u16::MAX, ..Filter::NONE },
                Permit::EnPassant => Filter { kinds: KindMask::ALL, ..Filter::NONE },
                _ => Filter::ALL,
            }),
            Permit::OrElse(..) | Permit::Payable(..) | Permit::Longest(_) | Permit::Most(_) => Filter::ALL,
            Permit::Of(..) | Permit::Safety(..) => Filter::ALL,
            maker!() => Filter::ALL,
        }
    }

    /// The moves that the permit admits, if masks express it completely.
    pub(crate) fn exact(&self) -> Option<Filter> {
        Some(match self {
            Permit::Any => Filter::ALL,
            Permit::Pieces(kinds) => Filter { kinds: *kinds, ..Filter::NONE },
            Permit::Nothing => Filter::NONE,
            Permit::Castling(which) => Filter { castling: *which, ..Filter::NONE },
            Permit::Drops(kinds) => Filter { drops: *kinds, ..Filter::NONE },
            Permit::Or(a, b) => a.exact()?.or(b.exact()?),
            Permit::And(a, b) => {
                let (a, b) = (a.exact()?, b.exact()?);
                return a.and_is_exact(b).then(|| a.and(b));
            }
            Permit::Promoting(kinds) => Filter { into: *kinds, ..Filter::NONE },
            Permit::Minus(a, b) => {
                let Permit::Castling(which) = **b else { return None };
                let rest = a.exact()?;
                Filter { castling: rest.castling & !which, ..rest }
            }
            Permit::From(_)
            | Permit::To(_)
            | Permit::CastlingBy(_)
            | Permit::EnPassant
            | Permit::Capturing(_)
            | Permit::Steps(..)
            | Permit::Toward(..)
            | Permit::OrElse(..)
            | Permit::Where(..)
            | Permit::After(..)
            | Permit::Payable(..)
            | Permit::Longest(_)
            | Permit::Most(_)
            | Permit::Of(..)
            | Permit::Safety(..)
            | maker!() => return None,
        })
    }
}
