//! The moves of a piece that square sets cannot represent: lame leaps, hoppers, paths of several legs, captures on the way
//! and in passing.
//!
//! Part of the generator: it goes from path to path, where the [loop over all pieces](super) works with whole sets.

use super::{Generator, Mover};
use crate::board::bits::Bits;
use crate::board::piece::{Piece, Travel};
use crate::board::square::{Square, SquareSet};
use crate::movegen::visitors::MoveVisitor;
use crate::position::moves::{Move, Tag, Taking};
use crate::variant::tables::{SpecialRanges, mode};
use std::ops::ControlFlow;

impl<S: MoveVisitor, B: Bits> Generator<'_, S, B> {
    /// The moves of a piece that sets do not hold. `seen` are the targets it has reached by other moves.
    pub(super) fn special(&mut self, mover: Mover, seen: SquareSet) -> ControlFlow<S::Stop> {
        let span = self.variant.tables.span(mover.piece, mover.from);
        let mut seen = span.overlap.then_some(seen);
        self.leaps(mover, span, &mut seen)?;
        self.rays(mover, span, &mut seen)?;
        self.exacts(mover, span, &mut seen)?;
        self.locusts(mover, span)?;
        self.passing(mover, span)
    }

    fn leaps(&mut self, mover: Mover, span: &SpecialRanges, seen: &mut Option<SquareSet>) -> ControlFlow<S::Stop> {
        for leap in self.variant.tables.leaps(span) {
            if leap.modes & mode::LAME == 0 || self.position.is_vacant(leap.leg) {
                self.target(mover, seen, leap.to, leap.modes, leap.victims)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn exacts(&mut self, mover: Mover, span: &SpecialRanges, seen: &mut Option<SquareSet>) -> ControlFlow<S::Stop> {
        let tables = &self.variant.tables;
        for exact in tables.exacts(span) {
            if self.sets.path(exact.path).open(self.position.occupied_at::<B>()) {
                self.target(mover, seen, exact.to, exact.modes, exact.victims)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn rays(&mut self, mover: Mover, span: &SpecialRanges, seen: &mut Option<SquareSet>) -> ControlFlow<S::Stop> {
        let tables = &self.variant.tables;
        for ray in tables.rays(span) {
            let squares = tables.along(ray);
            let occupied = |&to: &Square| !self.position.is_vacant(to);
            let (first, last) = match ray.travel {
                Travel::Clear => (ray.min as usize - 1, squares.len()),
                Travel::Hop | Travel::Land => {
                    let Some(hurdle) = squares.iter().position(occupied) else { continue };
                    let first = hurdle + 1;
                    let last = if ray.travel == Travel::Land { squares.len().min(first + 1) } else { squares.len() };
                    (first, last)
                }
            };
            // Squares short of the least distance are passed, not entered.
            let enter = first.max(ray.min as usize - 1);
            if ray.travel == Travel::Clear && squares[..enter.min(last)].iter().any(occupied) {
                continue;
            }
            if ray.travel == Travel::Hop && enter > first && squares[first..enter.min(last)].iter().any(occupied) {
                continue;
            }
            for &to in squares.get(enter..last).unwrap_or_default() {
                let stop = !self.position.is_vacant(to);
                self.target(mover, seen, to, ray.modes, ray.victims)?;
                if stop {
                    break;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Emits the moves to `to` if its content suits the modes.
    fn target(
        &mut self,
        mover: Mover,
        seen: &mut Option<SquareSet>,
        to: Square,
        modes: u8,
        victims: u8,
    ) -> ControlFlow<S::Stop> {
        let need = match () {
            () if self.position.is_vacant(to) => mode::QUIET,
            () if self.position.is_of(to, self.side) => mode::FRIENDLY,
            () => mode::CAPTURE,
        };
        if modes & need == 0 || (need == mode::CAPTURE && !self.may_take(self.position.at(to), victims)) {
            return ControlFlow::Continue(());
        }
        if let Some(seen) = seen {
            if seen.contains(to) {
                return ControlFlow::Continue(());
            }
            seen.insert(to);
        }
        if need == mode::FRIENDLY && self.position.has_heaps() {
            return self.upon(mover, to);
        }
        let tag = if need == mode::QUIET && modes & mode::DOUBLE != 0 { Tag::Double } else { Tag::Plain };
        self.arrive(mover, Move { from: mover.from, to, tag, extra: Move::NONE })
    }

    /// Emits the move onto an own piece, on a board with heaps, without promotion.
    pub(super) fn upon(&mut self, mover: Mover, to: Square) -> ControlFlow<S::Stop> {
        match self.wants_plainly() {
            true => self.visitor.one(Move::heap(mover.from, to, 1, Taking::Nothing)),
            false => ControlFlow::Continue(()),
        }
    }

    /// Captures en passant. If the piece may also make a quiet move to the target, both are listed.
    fn passing(&mut self, mover: Mover, span: &SpecialRanges) -> ControlFlow<S::Stop> {
        let tables = &self.variant.tables;
        let mut seen = SquareSet::EMPTY;
        for exact in tables.passing(span) {
            let to = exact.to;
            let possible =
                !seen.contains(to) && self.position.is_vacant(to) && self.takes_in_passing(to, exact.victims);
            if possible && self.sets.path(exact.path).open(self.position.occupied_at::<B>()) {
                seen.insert(to);
                self.arrive(mover, Move { from: mover.from, to, tag: Tag::EnPassant, extra: Move::NONE })?;
            }
        }
        ControlFlow::Continue(())
    }

    pub(super) fn may_take(&self, piece: Piece, victims: u8) -> bool {
        let victims = self.variant.tables.victims(victims);
        victims.contains(piece.kind())
            && !self.immune.contains(piece.kind())
            && !self.variant.allied(self.side, piece.side())
    }

    fn takes_in_passing(&self, to: Square, victims: u8) -> bool {
        let right = self.position.en_passant().iter().find(|r| r.target == to);
        right.is_some_and(|right| {
            let victim = self.position.at(right.victim);
            !victim.is_none() && victim.side() != self.side && self.may_take(victim, victims)
        })
    }
}
