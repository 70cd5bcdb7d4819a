//! What scripts hold in their hands: sides, squares, sets, moves, permits, rolled faces.
//!
//! All are references or descriptions (see `astragal_core::value`); none gives access to the position. Those that
//! could come to mean something else are [`Live`].

use super::live::Live;
use super::trace::Host;
use astragal_core::Dice;
use astragal_core::amount::Amount;
use astragal_core::permit::Permit;
use astragal_core::plan::Bundle;
use astragal_core::value::{SetExpr, SideRef, Slot, SquareRef};
use rhai::{Array, Dynamic, Map};
use std::sync::Arc;

/// What a value is, in full: the interpreter's own debug form tells only the type of ours.
pub(crate) fn identity(value: &Dynamic) -> String {
    macro_rules! ours {
        ($($type:ty),*) => {
            $(if let Some(value) = value.read_lock::<$type>() {
                return format!("{:?}", *value);
            })*
        };
    }
    ours!(SideV, SquareV, SetV, MoveV, PermitV, FacesV, AmountV, CastV, BundleV);
    if let Some(items) = value.read_lock::<Array>() {
        return format!("{:?}", items.iter().map(identity).collect::<Vec<_>>());
    }
    if let Some(map) = value.read_lock::<Map>() {
        return format!("{:?}", map.iter().map(|(key, value)| (key, identity(value))).collect::<Vec<_>>());
    }
    format!("{value:?}")
}

/// A side.
#[derive(Clone, Debug)]
pub(crate) struct SideV(pub Live<SideRef>);

/// A square, and what stands on it. A place, unless it came as a piece.
#[derive(Clone, Debug)]
pub(crate) struct SquareV(pub Live<SquareRef>);

impl SquareV {
    /// The square itself, whatever stands on it.
    pub(crate) fn place(square: SquareRef) -> SquareV {
        SquareV(Live::fixed(square))
    }
}

/// A set of squares.
#[derive(Clone)]
pub(crate) struct SetV(pub SetExpr, pub Host);

impl std::fmt::Debug for SetV {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A move that was made or is looked at.
#[derive(Clone, Debug)]
pub(crate) struct MoveV(pub Slot);

/// A set of moves, described.
#[derive(Clone, Debug)]
pub(crate) struct PermitV(pub Live<Permit>);

impl PermitV {
    /// A permit that names no side.
    pub(crate) fn fixed(permit: Permit) -> PermitV {
        PermitV(Live::fixed(permit))
    }
}

/// Faces rolled for the pieces of a set.
#[derive(Clone, Debug)]
pub(crate) struct FacesV(pub Slot);

/// A number that is reckoned with and not seen.
#[derive(Clone, Debug)]
pub(crate) struct AmountV(pub Live<Amount>);

/// Dice that were cast: their faces are reckoned with and not seen. What they are is known where they can
/// be rolled again, and so is the only side that sees them, if they are not for all.
#[derive(Clone, Debug)]
pub(crate) struct CastV(pub Slot, pub Option<Arc<Dice>>, pub Option<SideV>);

/// Several dice together paying for a move.
#[derive(Clone, Debug)]
pub(crate) struct BundleV {
    pub faces: Vec<i16>,
    pub permit: Live<Permit>,
}

impl BundleV {
    pub(crate) fn bundle(&self) -> Bundle {
        Bundle { faces: self.faces.clone(), permit: self.permit.now() }
    }
}
