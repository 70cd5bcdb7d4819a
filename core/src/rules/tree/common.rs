//! The most common questions, answered without examining the terms of their step: most questions of rules have a yes-or-no
//! answer that leads to the next such question.
//!
//! A [`Common`] is derived from a step when its node grows and holds nothing that the step does not.

use crate::board::piece::{Kind, KindMask};
use crate::board::side::{MAX_SIDES, Side};
use crate::movegen::{Safety, attack};
use crate::rules::meter::SEARCH;
use crate::rules::movement;
use crate::rules::query::{self, Answer, Query};
use crate::rules::rule::Step;
use crate::rules::value::{SideRef, View};

/// A side that is known without examining the board: an index into the result of [`Who::all`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Who(u8);

/// Room for the absolute sides, and for those defined by their role.
const WHO: usize = 2 * MAX_SIDES;

impl Who {
    fn of(side: SideRef) -> Option<Who> {
        match side {
            SideRef::Is(side) => Some(Who(side.index() as u8)),
            SideRef::Mover => Some(Who(MAX_SIDES as u8)),
            SideRef::Opponent => Some(Who(MAX_SIDES as u8 + 1)),
            SideRef::ToMove => Some(Who(MAX_SIDES as u8 + 2)),
            SideRef::Ahead(_) | SideRef::OwnerOf(_) | SideRef::Held(_) => None,
        }
    }

    fn all(view: &View<'_>) -> [Side; WHO] {
        let mut all = std::array::from_fn(|side| Side(side as u8));
        let opponent = view.position.after(view.variant, view.mover);
        [all[MAX_SIDES], all[MAX_SIDES + 1], all[MAX_SIDES + 2]] = [view.mover, opponent, view.position.side()];
        all
    }

    fn side(self, all: &[Side; WHO]) -> Side {
        all[usize::from(self.0) % WHO]
    }
}

/// A common step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Common {
    /// The rule ends with this result.
    Return(Answer),
    /// The rule asks this.
    Ask(Test),
}

/// A common question.
#[derive(Clone, Copy, Debug)]
pub(super) enum Test {
    /// Whether a side has a piece of one of these kinds.
    Has(Who, KindMask),
    /// Whether a side has no piece of these kinds.
    Lacks(Who, KindMask),
    /// Whether a side has at least this many pieces of a kind in hand.
    Holds(Who, Kind, Answer),
    /// Whether a side has exactly this many pieces of a kind in hand.
    HoldsJust(Who, Kind, Answer),
    /// Whether there have been at least this many quiet plies.
    Clock(Answer),
    /// Whether the position has occurred at least this many times.
    Repeated(Answer),
    /// Whether one turn has ended and the next has not begun.
    BetweenTurns,
    /// Whether a side has a move.
    CanMove(Who),
    /// Whether a side's royal is attacked.
    InCheck(Who),
}

impl Common {
    /// The step in this form, if it has one.
    pub(super) fn of(step: &Step) -> Option<Common> {
        match step {
            Step::Return(answer) => Some(Common::Return(*answer)),
            Step::Ask(query) => Test::of(query).map(Common::Ask),
            Step::Find(_) | Step::Roll(_) | Step::Decide(_) | Step::Act(_) => None,
        }
    }
}

impl Test {
    fn of(query: &Query) -> Option<Test> {
        match query {
            Query::AtLeast(inner, least) => match (&**inner, *least) {
                (Query::Pieces(Some(side), kinds), 1) => Who::of(*side).map(|side| Test::Has(side, *kinds)),
                (Query::Hand(side, kind), least) => Who::of(*side).map(|side| Test::Holds(side, *kind, least)),
                (Query::Clock, least) => Some(Test::Clock(least)),
                (Query::Repetitions, least) => Some(Test::Repeated(least)),
                _ => None,
            },
            Query::Equals(inner, wanted) => match (&**inner, *wanted) {
                (Query::Pieces(Some(side), kinds), 0) => Who::of(*side).map(|side| Test::Lacks(side, *kinds)),
                (Query::Hand(side, kind), wanted) => Who::of(*side).map(|side| Test::HoldsJust(side, *kind, wanted)),
                _ => None,
            },
            Query::BetweenTurns => Some(Test::BetweenTurns),
            Query::CanMove(side) => Who::of(*side).map(Test::CanMove),
            Query::InCheck(side) => Who::of(*side).map(Test::InCheck),
            _ => None,
        }
    }

    /// Whether the answer is yes; `None` if that is not determined quickly.
    #[inline(always)]
    pub(super) fn holds(self, asked: &Asked<'_>) -> Option<bool> {
        let Asked { view, sides } = asked;
        Some(match self {
            Test::Has(who, kinds) => query::has(view, who.side(sides), kinds),
            Test::Lacks(who, kinds) => !query::has(view, who.side(sides), kinds),
            Test::Holds(who, kind, least) => in_hand(view, who.side(sides), kind) >= least,
            Test::HoldsJust(who, kind, wanted) => in_hand(view, who.side(sides), kind) == wanted,
            Test::Clock(least) => Answer::from(view.position.clock()) >= least,
            Test::Repeated(least) => query::repeated(view, least),
            Test::BetweenTurns => view.between,
            Test::CanMove(_) | Test::InCheck(_) if movement::is_ruled(view) => return None,
            Test::CanMove(who) => {
                view.rules.meter().add(SEARCH);
                query::can_move(view, who.side(sides), Safety::Policy)
            }
            Test::InCheck(who) => attack::in_check(view.variant, view.position, who.side(sides)),
        })
    }
}

fn in_hand(view: &View<'_>, side: Side, kind: Kind) -> Answer {
    view.position.in_hand(view.variant, side, kind).into()
}

/// The subject of common questions.
pub(super) struct Asked<'a> {
    view: &'a View<'a>,
    /// See [`Who::all`].
    sides: [Side; WHO],
}

impl<'a> Asked<'a> {
    #[inline(always)]
    pub(super) fn of(view: &'a View<'a>) -> Asked<'a> {
        Asked { view, sides: Who::all(view) }
    }
}
