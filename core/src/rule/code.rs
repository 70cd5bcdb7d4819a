//! The commonest questions as straight code: most of what a rule asks is answered by yes or no and leads
//! on to the next such question.
//!
//! Beside each node of a tree stands a [`Line`]: its step, if that is one of the few kinds known here, and
//! where both answers lead. A walk follows lines as far as they go and looks at steps only where they end.
//! Lines say nothing that steps and edges do not say, too.

use super::{NodeId, Step};
use crate::army::KindMask;
use crate::query::{self, Answer, Query};
use crate::value::{SideRef, View};

/// A step, if it is a common one.
#[derive(Clone, Copy, Debug)]
enum Test {
    /// Another step.
    Other,
    /// The rule ends with this result.
    Return(Answer),
    /// Whether a side has a piece of one of these kinds.
    Has(SideRef, KindMask),
    /// Whether so many half-moves have been quiet.
    Clock(Answer),
    /// Whether the position has stood so often.
    Repeated(Answer),
    /// Whether one turn has ended and the next has not begun.
    BetweenTurns,
    /// Whether a side has a move.
    CanMove(SideRef),
    /// Whether a side's royal is attacked.
    InCheck(SideRef),
}

impl Test {
    fn of(step: &Step) -> Test {
        match step {
            Step::Return(answer) => Test::Return(*answer),
            Step::Ask(Query::AtLeast(inner, least)) => match (&**inner, *least) {
                (Query::Pieces(Some(side), kinds), 1) => Test::Has(*side, *kinds),
                (Query::Clock, least) => Test::Clock(least),
                (Query::Repetitions, least) => Test::Repeated(least),
                _ => Test::Other,
            },
            Step::Ask(Query::BetweenTurns) => Test::BetweenTurns,
            Step::Ask(Query::CanMove(side)) => Test::CanMove(*side),
            Step::Ask(Query::InCheck(side)) => Test::InCheck(*side),
            _ => Test::Other,
        }
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
    pub fn of(step: &Step) -> Line {
        Line { test: Test::of(step), ways: [NodeId::NONE; 2] }
    }

    /// Says where an answer leads.
    pub fn set(&mut self, answer: Answer, node: NodeId) {
        if let Some(way) = usize::try_from(answer).ok().and_then(|answer| self.ways.get_mut(answer)) {
            *way = node;
        }
    }
}

/// Follows `lines` from `node` as far as they go: the result, if the rule ends there.
#[inline]
pub(super) fn follow(lines: &[Line], node: &mut NodeId, view: &View<'_>) -> Option<Answer> {
    loop {
        let line = &lines[node.0 as usize];
        let yes = match line.test {
            Test::Other => return None,
            Test::Return(answer) => return Some(answer),
            Test::Has(side, kinds) => view.side(side).is_some_and(|side| query::has(view, side, kinds)),
            Test::Clock(least) => Answer::from(view.position.clock()) >= least,
            Test::Repeated(least) => query::repetitions(view) >= least,
            Test::BetweenTurns => view.between,
            Test::CanMove(side) => query::can_move(view, side),
            Test::InCheck(side) => query::in_check(view, side),
        };
        match line.ways[usize::from(yes)] {
            NodeId::NONE => return None,
            next => *node = next,
        }
    }
}
