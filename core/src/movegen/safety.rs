//! How far generated moves must leave royal pieces safe.

use crate::board::piece::KindMask;
use crate::variant::Variant;

/// Which moves that endanger the mover's own royal pieces are excluded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Safety {
    /// None: royal pieces may be left attacked.
    Pseudo,
    /// Those that the variant's royal policy forbids.
    #[default]
    Policy,
    /// All, and even captures of an enemy royal must be safe, under any policy.
    Safe,
    /// None, and castling goes through attacked squares: the caller tests that.
    Untested,
    /// None, and royals may be captured under any policy: moves as attacks.
    Attacking,
}

impl Safety {
    /// Whether castling is listed only if its required squares are safe.
    pub(super) fn tests_castling(self) -> bool {
        !matches!(self, Safety::Untested | Safety::Attacking)
    }

    /// The kinds that are never captured.
    pub(crate) fn immune(self, variant: &Variant) -> KindMask {
        if self == Safety::Attacking { KindMask::NONE } else { variant.immune() }
    }
}
