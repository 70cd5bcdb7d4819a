//! The values that scripts hold: sides, squares, sets, moves, permits, rolled faces.
//!
//! All are references or descriptions (see `astragal_core::value`); none gives access to the position. Values whose meaning
//! could change are [`Live`].

use super::binding::Kept;
use super::live::Live;
use super::trace::Host;
use astragal_core::Dice;
use astragal_core::amount::Amount;
use astragal_core::permit::Permit;
use astragal_core::plan::DiceCombination;
use astragal_core::value::{SetExpr, SideRef, Slot, SquareRef};
use rhai::{Array, Dynamic, FnPtr, ImmutableString, Map};
use std::sync::Arc;

/// The complete text of a value. The interpreter's own debug form prints only the type of our values.
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

/// A square, and the piece on it. It refers to the place, unless it came as a piece.
#[derive(Clone, Debug)]
pub(crate) struct SquareV(pub Live<SquareRef>);

impl SquareV {
    /// The square as a place, with any piece or none on it.
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

/// A move that was made or is being considered.
#[derive(Clone, Debug)]
pub(crate) struct MoveV(pub Slot);

/// A description of a set of moves.
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

/// A number that can be calculated with but is hidden from the rule.
#[derive(Clone, Debug)]
pub(crate) struct AmountV(pub Live<Amount>);

/// Dice that were cast. Their faces can be calculated with but are hidden from the rule. The dice are known if they can be
/// rolled again; the side is known if it alone sees the faces.
#[derive(Clone, Debug)]
pub(crate) struct CastV(pub Slot, pub Option<Arc<Dice>>, pub Option<SideV>);

/// Several dice together paying for a move.
#[derive(Clone, Debug)]
pub(crate) struct BundleV {
    pub faces: Vec<i16>,
    pub permit: Live<Permit>,
}

impl BundleV {
    pub(crate) fn combination(&self) -> DiceCombination {
        DiceCombination { faces: self.faces.clone(), permit: self.permit.now() }
    }
}

impl Host {
    /// A side as a script value.
    pub(crate) fn side_value(&self, side: SideRef) -> SideV {
        SideV(self.live(side))
    }

    /// A number as a script value.
    pub(crate) fn number_value(&self, number: Amount) -> AmountV {
        AmountV(self.live(number))
    }

    /// A permit as a script value.
    pub(crate) fn permit_value(&self, permit: Permit) -> PermitV {
        PermitV(self.live(permit))
    }

    /// The piece on a square as a script value.
    pub(crate) fn piece_value(&self, square: SquareRef) -> SquareV {
        SquareV(self.live(square))
    }

    /// A constant of the script's top level as a rule sees it. It was made before any game, so it gets its meaning when the
    /// rule reads it.
    pub(crate) fn anew(&self, value: &Dynamic) -> Dynamic {
        if let Some(side) = value.read_lock::<SideV>() {
            return Dynamic::from(self.side_value(side.0.peek().to_owned()));
        }
        if let Some(number) = value.read_lock::<AmountV>() {
            return Dynamic::from(self.number_value(number.0.peek().clone()));
        }
        if let Some(permit) = value.read_lock::<PermitV>() {
            return Dynamic::from(self.permit_value(permit.0.peek().clone()));
        }
        if let Some(square) = value.read_lock::<SquareV>() {
            // Places never change.
            let piece = square.0.kept().is_some();
            return if piece { Dynamic::from(self.piece_value(*square.0.peek())) } else { value.clone() };
        }
        if let Some(items) = value.read_lock::<Array>() {
            return items.iter().map(|item| self.anew(item)).collect::<Array>().into();
        }
        if let Some(entries) = value.read_lock::<Map>() {
            return entries.iter().map(|(key, item)| (key.clone(), self.anew(item))).collect::<Map>().into();
        }
        value.clone()
    }

    /// Binds all values that a test captured.
    pub(crate) fn bind_captured(&self, test: &FnPtr) {
        self.settle();
        let mut trace = self.trace();
        let (at, supposed, reach) = (trace.steps.len(), trace.supposed.len(), trace.reach);
        trace.bind_all(captured(test), at, supposed, &|part| reach.includes(part));
    }
}

/// The captured values of a function that may have to be bound.
pub(crate) fn captured(function: &FnPtr) -> Vec<Kept> {
    let mut found = Vec::new();
    function.curry().iter().for_each(|value| collect(value, &mut found));
    found
}

fn collect(value: &Dynamic, found: &mut Vec<Kept>) {
    if let Some(side) = value.read_lock::<SideV>() {
        found.extend(side.0.kept());
    } else if let Some(number) = value.read_lock::<AmountV>() {
        found.extend(number.0.kept());
    } else if let Some(permit) = value.read_lock::<PermitV>() {
        found.extend(permit.0.kept());
    } else if let Some(square) = value.read_lock::<SquareV>() {
        found.extend(square.0.kept());
    } else if let Some(combination) = value.read_lock::<BundleV>() {
        found.extend(combination.permit.kept());
    } else if let Some(cast) = value.read_lock::<CastV>() {
        cast.2.iter().for_each(|side| found.extend(side.0.kept()));
    } else if let Some(items) = value.read_lock::<Array>() {
        items.iter().for_each(|item| collect(item, found));
    } else if let Some(entries) = value.read_lock::<Map>() {
        entries.values().for_each(|item| collect(item, found));
    } else if let Some(function) = value.read_lock::<FnPtr>() {
        function.curry().iter().for_each(|item| collect(item, found));
    }
}

/// Whether [`identity`] distinguishes a value from all others.
pub(crate) fn is_said_in_full(value: &Dynamic) -> bool {
    macro_rules! any {
        ($($type:ty),*) => { false $(|| value.read_lock::<$type>().is_some())* };
    }
    if let Some(items) = value.read_lock::<Array>() {
        return items.iter().all(is_said_in_full);
    }
    if let Some(entries) = value.read_lock::<Map>() {
        return entries.values().all(is_said_in_full);
    }
    any!((), bool, i64, char, ImmutableString)
        || any!(SideV, SquareV, SetV, MoveV, PermitV, FacesV, AmountV, CastV, BundleV)
}
