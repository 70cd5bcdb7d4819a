//! The commonest questions as straight code: most of what a rule asks is answered by yes or no and leads
//! on to the next such question.
//!
//! Beside each node of a tree stands a [`Line`]: its step, if that is one of the few kinds known here, and
//! where both answers lead. A walk follows lines as far as they go and looks at steps only where they end.
//! Lines say nothing that steps and edges do not say, too.

use super::{NodeId, Step};
use crate::board::piece::{KindMask, Side};
use crate::movegen::Safety;
use crate::movegen::attack;
use crate::rules::meter::{LIST, SEARCH};
use crate::rules::query::{self, Answer, Query};
use crate::rules::value::{SideRef, View};

/// A side that can be told without a look at the board: an index into what [`Who::all`] gives.
#[derive(Clone, Copy, Debug)]
struct Who(u8);

impl Who {
    fn of(side: SideRef) -> Option<Who> {
        match side {
            SideRef::Is(side) => Some(Who(side.index() as u8)),
            SideRef::Mover => Some(Who(4)),
            SideRef::Opponent => Some(Who(5)),
            SideRef::ToMove => Some(Who(6)),
            SideRef::Ahead(_) | SideRef::OwnerOf(_) | SideRef::Held(_) => None,
        }
    }

    fn all(view: &View<'_>) -> [Side; 8] {
        let opponent = view.position.after(view.variant, view.mover);
        [Side(0), Side(1), Side(2), Side(3), view.mover, opponent, view.position.side(), Side(0)]
    }

    fn side(self, all: &[Side; 8]) -> Side {
        all[usize::from(self.0 & 7)]
    }
}

/// A step, if it is a common one.
#[derive(Clone, Copy, Debug)]
enum Test {
    /// Another step.
    Other,
    /// The rule ends with this result.
    Return(Answer),
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

impl Test {
    fn of(step: &Step) -> Test {
        let test = match step {
            Step::Return(answer) => Some(Test::Return(*answer)),
            Step::Ask(Query::AtLeast(inner, least)) => match (&**inner, *least) {
                (Query::Pieces(Some(side), kinds), 1) => Who::of(*side).map(|side| Test::Has(side, *kinds)),
                (Query::Clock, least) => Some(Test::Clock(least)),
                (Query::Repetitions, least) => Some(Test::Repeated(least)),
                _ => None,
            },
            Step::Ask(Query::BetweenTurns) => Some(Test::BetweenTurns),
            Step::Ask(Query::CanMove(side)) => Who::of(*side).map(Test::CanMove),
            Step::Ask(Query::InCheck(side)) => Who::of(*side).map(Test::InCheck),
            _ => None,
        };
        test.unwrap_or(Test::Other)
    }
}

/// A node in short.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    test: Test,
    /// Where no and yes lead.
    ways: [NodeId; 2],
}

impl Line {
    pub(crate) fn of(step: &Step) -> Line {
        Line { test: Test::of(step), ways: [NodeId::NONE; 2] }
    }

    /// Says where an answer leads.
    pub(crate) fn set(&mut self, answer: Answer, node: NodeId) {
        if let Some(way) = usize::try_from(answer).ok().and_then(|answer| self.ways.get_mut(answer)) {
            *way = node;
        }
    }
}

/// Follows `lines` from `node` as far as they go: the result, if the rule ends there.
pub(super) fn follow(lines: &[Line], node: &mut NodeId, view: &View<'_>) -> Option<Answer> {
    let sides = Who::all(view);
    let meter = view.rules.meter();
    meter.add(LIST);
    loop {
        let line = &lines[node.0 as usize];
        let yes = match line.test {
            Test::Other => return None,
            Test::Return(answer) => return Some(answer),
            Test::Has(who, kinds) => query::has(view, who.side(&sides), kinds),
            Test::Clock(least) => Answer::from(view.position.clock()) >= least,
            Test::Repeated(least) => query::repeated(view, least),
            Test::BetweenTurns => view.between,
            Test::CanMove(who) => {
                meter.add(SEARCH);
                query::can_move(view, who.side(&sides), Safety::Policy)
            }
            Test::InCheck(who) => attack::in_check(view.variant, view.position, who.side(&sides)),
        };
        match line.ways[usize::from(yes)] {
            NodeId::NONE => return None,
            next => *node = next,
        }
    }
}
