//! Moves: all that the pieces of a side may do, or only those of some kinds.
//!
//! Kinds are filtered before anything is generated. Moves come in a fixed order: pieces by ascending
//! origin, each in the order of its tables; then castling in the order of declaration, then drops.

use crate::army::{Kind, KindMask, Piece, Side, Travel};
use crate::legal::Guard;
use crate::movement::{PromotionTable, Span, mode};
use crate::moves::{Move, Tag};
use crate::position::Position;
use crate::square::{Square, SquareSet};
use crate::variant::{Castle, RoyalCapture, RoyalPolicy, Variant};
use std::convert::Infallible;
use std::ops::ControlFlow;

/// Which of the moves that endanger the mover's own royal pieces are left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Safety {
    /// None: royal pieces may be left attacked.
    Pseudo,
    /// Those that the variant's royal policy forbids.
    #[default]
    Policy,
    /// All, and even captures of an enemy royal must be safe, whatever the policy.
    Safe,
}

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Filter {
    /// The kinds whose moves on the board are wanted (castling apart).
    pub kinds: KindMask,
    /// Whether castling is wanted.
    pub castling: bool,
    /// The kinds whose drops are wanted.
    pub drops: KindMask,
}

impl Filter {
    /// Every move.
    pub const ALL: Filter = Filter { kinds: KindMask::ALL, castling: true, drops: KindMask::ALL };
}

/// Appends to `out` the moves of `side`, whether or not it is to move, that `safety` and `filter` let
/// through. Castling tests the squares that its declaration wants safe under every `safety`.
pub fn generate(
    variant: &Variant,
    position: &Position,
    side: Side,
    safety: Safety,
    filter: Filter,
    out: &mut Vec<Move>,
) {
    let ControlFlow::Continue(()) = visit(variant, position, side, safety, filter, |mv| -> ControlFlow<Infallible> {
        out.push(mv);
        ControlFlow::Continue(())
    });
}

/// Whether [`generate`] would append a move; stops at the first.
pub fn has_move(variant: &Variant, position: &Position, side: Side, safety: Safety, filter: Filter) -> bool {
    visit(variant, position, side, safety, filter, |_| ControlFlow::Break(())).is_break()
}

/// The number of moves that [`generate`] would append.
pub fn count(variant: &Variant, position: &Position, side: Side, safety: Safety, filter: Filter) -> u64 {
    let mut moves = 0;
    let ControlFlow::Continue(()) = visit(variant, position, side, safety, filter, |_| -> ControlFlow<Infallible> {
        moves += 1;
        ControlFlow::Continue(())
    });
    moves
}

/// Calls `emit` with each move, in order, until it breaks off.
pub(crate) fn visit<B>(
    variant: &Variant,
    position: &Position,
    side: Side,
    safety: Safety,
    filter: Filter,
    emit: impl FnMut(Move) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let guard = Guard::new(variant, position, side, safety);
    let never =
        variant.spec.royal_policy == RoyalPolicy::Protected && variant.spec.royal_capture == RoyalCapture::Never;
    let immune = if never { variant.royals } else { KindMask::NONE };
    Generator { variant, position, side, guard, immune, emit }.run(filter)
}

struct Generator<'a, F> {
    variant: &'a Variant,
    position: &'a Position,
    side: Side,
    guard: Guard<'a>,
    /// Kinds that are never captured.
    immune: KindMask,
    emit: F,
}

/// The piece whose moves are being generated.
struct Mover<'a> {
    from: Square,
    kind: Kind,
    piece: Piece,
    /// See [`Guard::trusts`].
    trusted: bool,
    promotion: Option<&'a PromotionTable>,
    /// Targets reached so far; `None` if the tables cannot repeat themselves.
    seen: Option<SquareSet>,
}

impl<'a, B, F: FnMut(Move) -> ControlFlow<B>> Generator<'a, F> {
    fn run(mut self, filter: Filter) -> ControlFlow<B> {
        let tables = &self.variant.tables;
        for from in self.position.of(self.side) {
            let piece = self.position.at(from);
            if !filter.kinds.contains(piece.kind()) {
                continue;
            }
            let span = tables.span(piece, from);
            let mut mover = Mover {
                from,
                kind: piece.kind(),
                piece,
                trusted: self.guard.trusts(piece, from),
                promotion: tables.promotion(piece),
                seen: span.overlap.then_some(SquareSet::EMPTY),
            };
            self.leaps(&mut mover, span)?;
            self.rays(&mut mover, span)?;
            self.exacts(&mut mover, span)?;
        }
        if filter.castling && self.position.rights() != 0 {
            self.castling()?;
        }
        if self.variant.spec.hands {
            self.drops(filter.drops)?;
        }
        ControlFlow::Continue(())
    }

    fn leaps(&mut self, mover: &mut Mover, span: &Span) -> ControlFlow<B> {
        for leap in self.variant.tables.leaps(span) {
            if leap.modes & mode::LAME == 0 || self.position.at(leap.leg).is_none() {
                self.target(mover, leap.to, leap.modes, leap.victims)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn exacts(&mut self, mover: &mut Mover, span: &Span) -> ControlFlow<B> {
        let tables = &self.variant.tables;
        for exact in tables.exacts(span) {
            if tables.path(exact.path).open(self.position.occupied()) {
                self.target(mover, exact.to, exact.modes, exact.victims)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn rays(&mut self, mover: &mut Mover, span: &Span) -> ControlFlow<B> {
        let tables = &self.variant.tables;
        for ray in tables.rays(span) {
            let squares = tables.along(ray);
            let occupied = |&to: &Square| !self.position.at(to).is_none();
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
                let stop = !self.position.at(to).is_none();
                self.target(mover, to, ray.modes, ray.victims)?;
                if stop {
                    break;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Emits the moves to `to` if what stands there suits the modes.
    #[inline]
    fn target(&mut self, mover: &mut Mover, to: Square, modes: u8, victims: u8) -> ControlFlow<B> {
        let there = self.position.at(to);
        let tag = if there.is_none() {
            if modes & mode::EN_PASSANT != 0 && self.takes_in_passing(to, victims) {
                Tag::EnPassant
            } else if modes & mode::QUIET == 0 {
                return ControlFlow::Continue(());
            } else if modes & mode::DOUBLE != 0 {
                Tag::Double
            } else {
                Tag::Plain
            }
        } else if there.side() == self.side {
            if modes & mode::FRIENDLY == 0 {
                return ControlFlow::Continue(());
            }
            Tag::Plain
        } else {
            if modes & mode::CAPTURE == 0 || !self.may_take(there, victims) {
                return ControlFlow::Continue(());
            }
            Tag::Plain
        };
        if let Some(seen) = &mut mover.seen {
            if seen.contains(to) {
                return ControlFlow::Continue(());
            }
            seen.insert(to);
        }
        self.arrive(mover, Move { from: mover.from, to, tag, extra: Move::NONE })
    }

    #[inline]
    fn may_take(&self, piece: Piece, victims: u8) -> bool {
        let victims = self.variant.tables.victims(victims);
        victims.contains(piece.kind()) && !self.immune.contains(piece.kind())
    }

    #[cold]
    fn takes_in_passing(&self, to: Square, victims: u8) -> bool {
        let right = self.position.en_passant().iter().find(|r| r.target == to);
        right.is_some_and(|right| {
            let victim = self.position.at(right.victim);
            !victim.is_none() && victim.side() != self.side && self.may_take(victim, victims)
        })
    }

    /// Emits a move, or one for each promotion, if the royals stay safe.
    #[inline]
    fn arrive(&mut self, mover: &Mover, mv: Move) -> ControlFlow<B> {
        if let Some(promotion) = mover.promotion
            && (promotion.zone.contains(mv.to) || (promotion.on_leaving && promotion.zone.contains(mv.from)))
        {
            return self.promote(mover, mv, promotion);
        }
        if self.safe(mover, mv, mover.kind) { (self.emit)(mv) } else { ControlFlow::Continue(()) }
    }

    #[cold]
    fn promote(&mut self, mover: &Mover, mv: Move, promotion: &PromotionTable) -> ControlFlow<B> {
        let stuck = self.variant.tables.span(mover.piece, mv.to).is_empty();
        if !promotion.forced && !stuck && self.safe(mover, mv, mover.kind) {
            (self.emit)(mv)?;
        }
        for kind in (0..self.variant.kinds().len() as u8).map(Kind).filter(|&k| promotion.to.contains(k)) {
            // Only royalty makes a difference between kinds.
            let trusted = mover.trusted && !self.variant.royals.contains(kind);
            if self.safe(&Mover { trusted, seen: None, ..*mover }, mv, kind) {
                (self.emit)(Move { extra: kind.0, ..mv })?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn safe(&self, mover: &Mover, mv: Move, becomes: Kind) -> bool {
        (mover.trusted && mv.tag != Tag::EnPassant && !self.guard.is_screen(mv.to)) || self.guard.allows(mv, becomes)
    }

    fn castling(&mut self) -> ControlFlow<B> {
        for (i, castle) in self.variant.spec.castles.iter().enumerate() {
            let possible = self.position.rights() >> i & 1 != 0 && castle.side == self.side && self.in_place(castle);
            if possible && self.guard.allows_castling(castle) {
                (self.emit)(Move { from: castle.king.0, to: castle.king.1, tag: Tag::Castle, extra: i as u8 })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether king and partner stand where they should and nothing else is in their way.
    fn in_place(&self, castle: &Castle) -> bool {
        let (king, rook) = (Piece::new(self.side, castle.kinds.0), Piece::new(self.side, castle.kinds.1));
        let mut others = self.position.occupied();
        others.remove(castle.king.0);
        others.remove(castle.rook.0);
        let mut empty = castle.empty;
        empty.insert(castle.king.1);
        empty.insert(castle.rook.1);
        self.position.at(castle.king.0) == king
            && self.position.at(castle.rook.0) == rook
            && (empty & others).is_empty()
    }

    fn drops(&mut self, kinds: KindMask) -> ControlFlow<B> {
        let empty = self.variant.board().squares() - self.position.occupied();
        for kind in (0..self.variant.kinds().len() as u8).map(Kind) {
            if !kinds.contains(kind) || self.position.in_hand(self.variant, self.side, kind) <= 0 {
                continue;
            }
            for to in empty {
                let mv = Move { from: to, to, tag: Tag::Drop, extra: kind.0 };
                if self.guard.allows(mv, kind) {
                    (self.emit)(mv)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
