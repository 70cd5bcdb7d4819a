//! Captures on a square other than the target: draughts pieces, lions, pieces that shoot.

use super::{Generator, MoveVisitor, Mover};
use crate::board::bits::Bits;
use crate::board::square::Square;
use crate::position::moves::{Move, Tag};
use crate::variant::tables::{SpecialRanges, mode};
use std::ops::ControlFlow;

impl<S: MoveVisitor, B: Bits> Generator<'_, S, B> {
    /// The captures of a piece that end on another square than the victim's; each pair of victim and target once.
    pub(super) fn locusts(&mut self, mover: Mover, span: &SpecialRanges) -> ControlFlow<S::Stop> {
        if !self.wants_plainly() {
            return ControlFlow::Continue(());
        }
        let tables = &self.variant.tables;
        let occupied = self.position.occupied_at::<B>();
        let mut seen: Vec<(Square, Square)> = Vec::new();
        for locust in tables.locusts(span) {
            let pair = (locust.over, locust.to);
            if seen.contains(&pair)
                || !self.is_capturable(locust.over, locust.victims)
                || !self.may_land(mover.from, locust.to, locust.modes, locust.victims)
                || !self.sets.path(locust.path).open(occupied)
            {
                continue;
            }
            seen.push(pair);
            let mv = Move { from: mover.from, to: locust.to, tag: Tag::Over, extra: locust.over.0 };
            // Two squares become empty, so a move may be unsafe where others would be safe.
            if self.safe(mover, mv, mover.piece.kind()) {
                self.visitor.one(mv)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn is_capturable(&self, square: Square, victims: u8) -> bool {
        let there = self.position.at(square);
        !there.is_none() && there.side() != self.side && self.may_take(there, victims)
    }

    fn may_land(&self, from: Square, to: Square, modes: u8, victims: u8) -> bool {
        if to == from || self.position.at(to).is_none() {
            return modes & mode::QUIET != 0;
        }
        modes & mode::CAPTURE != 0 && self.is_capturable(to, victims)
    }
}
