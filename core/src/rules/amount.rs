//! Numbers that a rule calculates with but never sees: the engine evaluates them, so that a rule's tree does not branch on
//! every value of dice, counters and traits.

use crate::board::side::Side;
use crate::board::square::SquareSet;
use crate::movegen::track;
use crate::rules::faces::Asked;
use crate::rules::query::{self, Tally};
use crate::rules::value::{Part, SetExpr, SideRef, Slot, SquareRef, Value, View};

/// One number of a counter: counters may have several places, and one set of them for each side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CounterRef {
    /// The counter's index.
    pub counter: u8,
    /// The place, from 0.
    pub place: u8,
    /// The side, if each side has its own.
    pub side: SideRef,
}

/// A description of a number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Amount {
    /// A constant.
    Is(i64),
    /// The number in a slot.
    Slot(Slot),
    /// One of the faces in a slot, from 0; 0 if there are fewer.
    Face(Slot, u8),
    /// A tally of all faces in a slot.
    Dice(Slot, Tally),
    /// A tally of the faces in a slot that belong to some squares.
    Faces(Slot, SetExpr, Tally),
    /// A counter's value.
    Counter(CounterRef),
    /// The highest place of a counter, from 1, that is not empty; 0 if all are.
    Highest(u8, SideRef),
    /// The sum of all places of a counter.
    Held(u8, SideRef),
    /// A trait of the piece on a square.
    Trait(u8, SquareRef),
    /// The number of squares in a set.
    Count(SetExpr),
    /// The number of pieces on some squares, of one side or of all; each piece of a heap counts.
    Pieces(SetExpr, Option<SideRef>),
    /// The total number of stations that the pieces of a side still have to go on a track.
    Pips(u8, SideRef),
    /// The sum of two.
    Plus(Box<Amount>, Box<Amount>),
    /// The difference of two.
    Minus(Box<Amount>, Box<Amount>),
    /// The product of two.
    Times(Box<Amount>, Box<Amount>),
    /// A number divided by a nonzero constant, rounded toward 0.
    Quotient(Box<Amount>, i64),
    /// The remainder of that division, with the sign of the number.
    Remainder(Box<Amount>, i64),
    /// The greater of two.
    Greater(Box<Amount>, Box<Amount>),
    /// The smaller of two.
    Smaller(Box<Amount>, Box<Amount>),
}

impl Amount {
    /// Computes the number. References that lead nowhere count 0.
    pub(crate) fn value(&self, view: &View<'_>) -> i64 {
        view.rules.meter().add(1);
        match self {
            Amount::Is(value) => *value,
            Amount::Slot(slot) => match view.env.get(*slot as usize) {
                Some(Value::Number(number)) => *number,
                _ => 0,
            },
            Amount::Face(slot, index) => {
                let faces = view.dice_asked(*slot, Asked::Face(*index));
                faces.get(*index as usize).map_or(0, |&face| i64::from(face))
            }
            Amount::Dice(slot, tally) => {
                let faces = view.dice_asked(*slot, Asked::Tally(*tally));
                query::tally(faces.iter().map(|&face| i64::from(face)), *tally)
            }
            Amount::Faces(slot, set, tally) => query::of_faces(view, *slot, set, *tally),
            Amount::Counter(cell) => i64::from(cell.value(view)),
            Amount::Highest(counter, side) => {
                let places = (0..view.variant.places(*counter as usize)).rev();
                let held = |&place: &u8| CounterRef { counter: *counter, place, side: *side }.value(view) > 0;
                places.into_iter().find(held).map_or(0, |place| i64::from(place) + 1)
            }
            Amount::Held(counter, side) => {
                let places = 0..view.variant.places(*counter as usize);
                places.map(|place| i64::from(CounterRef { counter: *counter, place, side: *side }.value(view))).sum()
            }
            Amount::Trait(index, square) => i64::from(view.trait_of(*index, *square)),
            Amount::Count(set) => i64::from(view.set(set).len()),
            Amount::Pieces(set, side) => {
                let squares = view.set(set);
                view.rules.meter().add(u64::from(squares.len()));
                if view.position.has_covered() {
                    return squares.into_iter().map(|square| query::pieces_on(view, square, *side)).sum();
                }
                let on_top = match side {
                    None => view.position.occupied(),
                    Some(side) => view.side(*side).map_or(SquareSet::EMPTY, |side| view.position.of(side)),
                };
                (squares & on_top).len().into()
            }
            Amount::Pips(track, side) => match view.side(*side) {
                Some(side) => {
                    view.rules.meter().add(view.variant.board().len() as u64);
                    track::pips(view.variant, view.position, *track, side)
                }
                None => 0,
            },
            Amount::Plus(a, b) => a.value(view).saturating_add(b.value(view)),
            Amount::Minus(a, b) => a.value(view).saturating_sub(b.value(view)),
            Amount::Times(a, b) => a.value(view).saturating_mul(b.value(view)),
            Amount::Quotient(a, by) => a.value(view).checked_div(*by).unwrap_or(0),
            Amount::Remainder(a, by) => a.value(view).checked_rem(*by).unwrap_or(0),
            Amount::Greater(a, b) => a.value(view).max(b.value(view)),
            Amount::Smaller(a, b) => a.value(view).min(b.value(view)),
        }
    }

    /// Whether the number reads a part of the game that is `concerned`.
    pub fn reads(&self, concerned: &dyn Fn(Part) -> bool) -> bool {
        match self {
            Amount::Is(_)
            | Amount::Slot(_)
            | Amount::Face(..)
            | Amount::Dice(..)
            | Amount::Faces(..)
            | Amount::Count(_)
            | Amount::Trait(_, SquareRef::Piece(_)) => false,
            Amount::Trait(index, _) => concerned(Part::Trait(*index)),
            Amount::Pieces(_, side) => concerned(Part::Owner) || side.is_some_and(|side| side.reads(concerned)),
            Amount::Quotient(a, _) | Amount::Remainder(a, _) => a.reads(concerned),
            Amount::Pips(_, side) => concerned(Part::Owner) || concerned(Part::Hands) || side.reads(concerned),
            Amount::Counter(CounterRef { counter, side, .. })
            | Amount::Highest(counter, side)
            | Amount::Held(counter, side) => concerned(Part::Counter(*counter)) || side.reads(concerned),
            Amount::Plus(a, b)
            | Amount::Minus(a, b)
            | Amount::Times(a, b)
            | Amount::Greater(a, b)
            | Amount::Smaller(a, b) => a.reads(concerned) || b.reads(concerned),
        }
    }
}

impl CounterRef {
    /// The value of the cell.
    pub(crate) fn value(&self, view: &View<'_>) -> i16 {
        let side = view.side(self.side).unwrap_or(Side::FIRST);
        view.position.counter_at(view.variant, self.counter as usize, self.place, side)
    }
}
