//! Which questions certainly do not read a certain slot.
//!
//! A test of several moves or squares asks such questions once for all of them: see `core/src/rules/walker/tester.rs`.
//! Terms count as reading the slot unless they are known not to, and so do those that may fail, consult a rule, or record
//! which dice were seen.

use crate::rules::amount::{Amount, CounterRef};
use crate::rules::query::{Find, Query};
use crate::rules::value::{SetExpr, SideRef, Slot, SquareRef};

impl SideRef {
    fn is_apart_from(self, slot: Slot) -> bool {
        match self {
            SideRef::Is(_) | SideRef::Mover | SideRef::Opponent | SideRef::Ahead(_) | SideRef::ToMove => true,
            SideRef::OwnerOf(square) => square.is_apart_from(slot),
            SideRef::Held(held) => held != slot,
        }
    }
}

impl SquareRef {
    fn is_apart_from(self, slot: Slot) -> bool {
        match self {
            SquareRef::At(_) => true,
            SquareRef::Slot(held)
            | SquareRef::From(held)
            | SquareRef::To(held)
            | SquareRef::Captured(held)
            | SquareRef::Partner(held)
            | SquareRef::Piece(held) => held != slot,
        }
    }
}

impl SetExpr {
    pub(crate) fn is_apart_from(&self, slot: Slot) -> bool {
        match self {
            SetExpr::Slot(held) => *held != slot,
            SetExpr::Is(_) => true,
            SetExpr::One(square) => square.is_apart_from(slot),
            SetExpr::Or(a, b) | SetExpr::And(a, b) | SetExpr::Minus(a, b) => {
                a.is_apart_from(slot) && b.is_apart_from(slot)
            }
        }
    }
}

impl Amount {
    fn is_apart_from(&self, slot: Slot) -> bool {
        match self {
            Amount::Is(_) => true,
            Amount::Slot(held) => *held != slot,
            Amount::Counter(CounterRef { side, .. })
            | Amount::Highest(_, side)
            | Amount::Held(_, side)
            | Amount::Pips(_, side) => side.is_apart_from(slot),
            Amount::Trait(_, square) => square.is_apart_from(slot),
            Amount::Count(set) => set.is_apart_from(slot),
            Amount::Pieces(set, side) => set.is_apart_from(slot) && side.is_none_or(|side| side.is_apart_from(slot)),
            Amount::Plus(a, b)
            | Amount::Minus(a, b)
            | Amount::Times(a, b)
            | Amount::Greater(a, b)
            | Amount::Smaller(a, b) => a.is_apart_from(slot) && b.is_apart_from(slot),
            Amount::Quotient(a, _) | Amount::Remainder(a, _) => a.is_apart_from(slot),
            Amount::Face(..) | Amount::Dice(..) | Amount::Faces(..) => false,
        }
    }
}

impl Query {
    /// Whether the answer certainly does not depend on the value in a slot.
    pub(crate) fn is_apart_from(&self, slot: Slot) -> bool {
        match self {
            Query::AtLeast(inner, _) | Query::Equals(inner, _) => inner.is_apart_from(slot),
            Query::Count(set) | Query::Following(set, _) => set.is_apart_from(slot),
            Query::Contains(set, square) => set.is_apart_from(slot) && square.is_apart_from(slot),
            Query::KindAt(square) | Query::Square(square) | Query::File(square) => square.is_apart_from(slot),
            Query::SameSquare(a, b) => a.is_apart_from(slot) && b.is_apart_from(slot),
            Query::Rank(square, side) => square.is_apart_from(slot) && side.is_apart_from(slot),
            Query::Height(square, side) => {
                square.is_apart_from(slot) && side.is_none_or(|side| side.is_apart_from(slot))
            }
            Query::Pieces(side, _) => side.is_none_or(|side| side.is_apart_from(slot)),
            Query::Side(side) | Query::Hand(side, _) | Query::IsOut(side) => side.is_apart_from(slot),
            Query::SameSide(a, b) => a.is_apart_from(slot) && b.is_apart_from(slot),
            Query::Amount(amount) => amount.is_apart_from(slot),
            Query::Less(a, b) => a.is_apart_from(slot) && b.is_apart_from(slot),
            Query::Move(held, _) => *held != slot,
            Query::Clock | Query::Round | Query::BetweenTurns => true,
            _ => false,
        }
    }
}

impl Find {
    /// Whether the value found certainly does not depend on that in a slot.
    pub(crate) fn is_apart_from(&self, slot: Slot) -> bool {
        match self {
            Find::Pieces(side, _) => side.is_none_or(|side| side.is_apart_from(slot)),
            Find::Region(_, side)
            | Find::Royal(side)
            | Find::Stations(_, side, ..)
            | Find::Foremost(_, side, _)
            | Find::Marked(_, side)
            | Find::Covered(side)
            | Find::Side(side) => side.is_apart_from(slot),
            Find::Set(set) | Find::Line(set, _) | Find::Around(set, _) => set.is_apart_from(slot),
            Find::Shifted(set, _, side) | Find::Joined(_, side, set) => {
                set.is_apart_from(slot) && side.is_apart_from(slot)
            }
            Find::Step(square, _, side) => square.is_apart_from(slot) && side.is_apart_from(slot),
            Find::Number(amount) => amount.is_apart_from(slot),
            Find::Empty | Find::Heaps(_) => true,
            _ => false,
        }
    }
}
