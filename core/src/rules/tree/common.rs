//! The commonest questions, answered without a look at the terms of their step: most of what a rule asks is answered by
//! yes or no and leads on to the next such question.
//!
//! A [`Common`] is read off a step when its node grows, and says nothing that the step does not say, too.

use crate::board::piece::{KindMask, MAX_SIDES, Side};
use crate::movegen::Safety;
use crate::movegen::attack;
use crate::rules::meter::SEARCH;
use crate::rules::movement;
use crate::rules::query::{self, Answer, Query};
use crate::rules::rule::Step;
use crate::rules::value::{SideRef, View};

/// A side that can be told without a look at the board: an index into what [`Who::all`] gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Who(u8);

/// Room for the sides, and for those that are told by what they do.
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

/// A step that is a common one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Common {
    /// The rule ends with this result.
    Return(Answer),
    /// The rule asks.
    Ask(Test),
}

/// A common question.
#[derive(Clone, Copy, Debug)]
pub(super) enum Test {
    /// Whether a side has a piece of one of these kinds.
    Has(Who, KindMask),
    /// Whether so many half-moves have been quiet.
    Clock(Answer),
    /// Whether the position has stood so often.
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
                (Query::Clock, least) => Some(Test::Clock(least)),
                (Query::Repetitions, least) => Some(Test::Repeated(least)),
                _ => None,
            },
            Query::BetweenTurns => Some(Test::BetweenTurns),
            Query::CanMove(side) => Who::of(*side).map(Test::CanMove),
            Query::InCheck(side) => Who::of(*side).map(Test::InCheck),
            _ => None,
        }
    }

    /// Whether the answer is yes; `None` where that is not found out so quickly.
    #[inline(always)]
    pub(super) fn holds(self, asked: &Asked<'_>) -> Option<bool> {
        let Asked { view, sides } = asked;
        Some(match self {
            Test::Has(who, kinds) => query::has(view, who.side(sides), kinds),
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

/// What common questions are asked of.
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
