//! Visitors of generated moves: list them, count them, test them, or stop at the first.

use super::legal::allows;
use super::safety::Safety;
use crate::board::bits::Bits;
use crate::board::side::Side;
use crate::board::square::Square;
use crate::position::Position;
use crate::position::moves::{Move, Tag};
use crate::variant::Variant;
use std::convert::Infallible;
use std::ops::ControlFlow;

/// Receives moves as they are generated.
pub(super) trait MoveVisitor {
    /// The value it stops with, if it stops early.
    type Stop;

    /// Whether it usually stops early.
    const HASTY: bool;

    /// Takes one move.
    fn one(&mut self, mv: Move) -> ControlFlow<Self::Stop>;

    /// Takes moves with the same tag from one square to each of `targets`, without promotion.
    fn many<B: Bits>(&mut self, from: Square, targets: B, tag: Tag) -> ControlFlow<Self::Stop>;
}

/// Appends them.
pub(super) struct List<'a>(pub &'a mut Vec<Move>);

impl MoveVisitor for List<'_> {
    type Stop = Infallible;
    const HASTY: bool = false;

    fn one(&mut self, mv: Move) -> ControlFlow<Infallible> {
        self.0.push(mv);
        ControlFlow::Continue(())
    }

    fn many<B: Bits>(&mut self, from: Square, mut targets: B, tag: Tag) -> ControlFlow<Infallible> {
        while let Some(to) = targets.pop() {
            self.0.push(Move { from, to, tag, extra: Move::NONE });
        }
        ControlFlow::Continue(())
    }
}

/// Counts them.
pub(super) struct Count<'a>(pub &'a mut u64);

impl MoveVisitor for Count<'_> {
    type Stop = Infallible;
    const HASTY: bool = false;

    fn one(&mut self, _: Move) -> ControlFlow<Infallible> {
        *self.0 += 1;
        ControlFlow::Continue(())
    }

    fn many<B: Bits>(&mut self, _: Square, targets: B, _: Tag) -> ControlFlow<Infallible> {
        *self.0 += u64::from(targets.count());
        ControlFlow::Continue(())
    }
}

/// Stops at the first.
pub(super) struct AnyMove;

impl MoveVisitor for AnyMove {
    type Stop = Move;
    const HASTY: bool = true;

    fn one(&mut self, mv: Move) -> ControlFlow<Move> {
        ControlFlow::Break(mv)
    }

    fn many<B: Bits>(&mut self, from: Square, mut targets: B, tag: Tag) -> ControlFlow<Move> {
        match targets.pop() {
            Some(to) => self.one(Move { from, to, tag, extra: Move::NONE }),
            None => ControlFlow::Continue(()),
        }
    }
}

/// Passes each to a function, until that stops.
pub(super) struct Each<F>(pub F);

impl<T, F: FnMut(Move) -> ControlFlow<T>> MoveVisitor for Each<F> {
    type Stop = T;
    const HASTY: bool = true;

    fn one(&mut self, mv: Move) -> ControlFlow<T> {
        self.0(mv)
    }

    fn many<B: Bits>(&mut self, from: Square, mut targets: B, tag: Tag) -> ControlFlow<T> {
        while let Some(to) = targets.pop() {
            self.one(Move { from, to, tag, extra: Move::NONE })?;
        }
        ControlFlow::Continue(())
    }
}

/// Tests a few moves, then gives up; stops at the first safe one.
pub(super) struct ProbeFew<'a> {
    pub(crate) variant: &'a Variant,
    pub(crate) position: &'a Position,
    pub(crate) side: Side,
    pub(crate) safety: Safety,
    pub(crate) left: u8,
}

impl MoveVisitor for ProbeFew<'_> {
    type Stop = Option<Move>;
    const HASTY: bool = true;

    fn one(&mut self, mv: Move) -> ControlFlow<Option<Move>> {
        if allows(self.variant, self.position, self.side, self.safety, mv) {
            return ControlFlow::Break(Some(mv));
        }
        self.left -= 1;
        if self.left == 0 { ControlFlow::Break(None) } else { ControlFlow::Continue(()) }
    }

    fn many<B: Bits>(&mut self, from: Square, mut targets: B, tag: Tag) -> ControlFlow<Option<Move>> {
        match targets.pop() {
            Some(to) => self.one(Move { from, to, tag, extra: Move::NONE }),
            None => ControlFlow::Continue(()),
        }
    }
}
