//! The move generator: all moves of the pieces of a side, or only those of some kinds.
//!
//! Kinds are filtered before any move is generated. Moves come in a fixed order: pieces by ascending origin, each in the
//! order of its tables; then castling in the order of declaration, then drops.

pub mod attack;
pub mod explain;
pub(crate) mod legal;
mod locust;
pub(crate) mod push;
mod safety;
mod special_ways;
pub mod track;
mod visitors;

pub use legal::allows;
pub use safety::Safety;

use crate::board::bits::Bits;
use crate::board::piece::{Kind, KindMask, Piece};
use crate::board::side::Side;
use crate::board::square::Square;
use crate::dice::Stream;
use crate::movegen::legal::LegalityContext;
use crate::position::Position;
use crate::position::moves::{Move, Tag};
use crate::variant::tables::{Cell, PromotionTable, Sets, at_width, mode};
use crate::variant::{Castle, Variant};
use std::ops::ControlFlow;
use visitors::{AnyMove, Count, Each, List, MoveVisitor, ProbeFew};

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Filter {
    /// The kinds whose moves on the board to generate (except castling).
    pub kinds: KindMask,
    /// The castlings to generate: bits of the variant's list.
    pub castling: u16,
    /// The kinds whose drops to generate.
    pub drops: KindMask,
    /// The kinds to which any piece may promote: such moves are generated for every piece.
    pub into: KindMask,
}

impl Filter {
    /// Every move.
    pub const ALL: Filter =
        Filter { kinds: KindMask::ALL, castling: u16::MAX, drops: KindMask::ALL, into: KindMask::NONE };

    /// No move.
    pub const NONE: Filter = Filter { kinds: KindMask::NONE, castling: 0, drops: KindMask::NONE, into: KindMask::NONE };

    /// The moves that at least one of them lets through.
    pub(crate) fn or(self, other: Filter) -> Filter {
        Filter {
            kinds: KindMask(self.kinds.0 | other.kinds.0),
            castling: self.castling | other.castling,
            drops: KindMask(self.drops.0 | other.drops.0),
            into: KindMask(self.into.0 | other.into.0),
        }
    }

    /// The moves that pass both filters, and perhaps promotions that pass only one: see [`Filter::and_is_exact`].
    pub(crate) fn and(self, other: Filter) -> Filter {
        let into = match (self.kinds, other.kinds) {
            // Promotions by any piece are among the moves of all kinds.
            (KindMask::ALL, _) => other.into,
            (_, KindMask::ALL) => self.into,
            _ => KindMask(self.into.0 | other.into.0),
        };
        Filter {
            kinds: KindMask(self.kinds.0 & other.kinds.0),
            castling: self.castling & other.castling,
            drops: KindMask(self.drops.0 & other.drops.0),
            into,
        }
    }

    /// Whether [`Filter::and`] lets exactly the moves through that both do.
    pub(crate) fn and_is_exact(self, other: Filter) -> bool {
        let all = |filter: Filter| filter.kinds == KindMask::ALL;
        all(self) || all(other) || (self.into == KindMask::NONE && other.into == KindMask::NONE)
    }
}

/// Appends to `out` the moves of `side`, whether or not it is to move, that `safety` and `filter` let through. Castling
/// tests the squares that its declaration requires to be safe under every `safety`.
pub fn generate(
    variant: &Variant,
    position: &Position,
    side: Side,
    safety: Safety,
    filter: Filter,
    out: &mut Vec<Move>,
) {
    let ControlFlow::Continue(()) = visit(variant, position, side, safety, filter, List(out));
}

/// Whether [`generate`] would append a move; stops at the first.
pub fn has_move(variant: &Variant, position: &Position, side: Side, safety: Safety, filter: Filter) -> bool {
    some_move(variant, position, side, safety, filter).is_some()
}

/// One of the moves that [`generate`] would append, the first found.
pub(crate) fn some_move(
    variant: &Variant,
    position: &Position,
    side: Side,
    safety: Safety,
    filter: Filter,
) -> Option<Move> {
    if legal::checks_legality(variant, safety) {
        // Usually one of the first moves will do, and listing all dangers would take longer.
        let probe = ProbeFew { variant, position, side, safety, left: PROBES };
        if let ControlFlow::Break(Some(mv)) = visit(variant, position, side, Safety::Pseudo, filter, probe) {
            return Some(mv);
        }
    }
    visit(variant, position, side, safety, filter, AnyMove).break_value()
}

/// Whether a move found in another position is possible here, too. Also false if that takes longer to determine than
/// finding another move.
pub(crate) fn still_goes(variant: &Variant, position: &Position, side: Side, safety: Safety, mv: Move) -> bool {
    if mv != Move::plain(mv.from, mv.to) || position.is_vacant(mv.from) || !position.is_of(mv.from, side) {
        return false;
    }
    at_width!(variant.tables, sets => {
        let cell = sets.cell(position.own_at(mv.from, side), mv.from);
        if cell.promotes {
            return false;
        }
        let generator = Generator { sets, variant, position, side, legality: None, immune: variant.immune(), castles_safely: true, only_into: None, visitor: AnyMove };
        let (own, occupied) = (position.men(side), position.occupied_at());
        let (plain, _) = targets(sets, cell, occupied, generator.capturable(own, occupied));
        plain.has(mv.to) && legal::allows_alone(sets, variant, position, side, safety, mv)
    })
}

/// Sends each move that [`generate`] would append to `take`, until that returns a value.
pub(crate) fn each<T>(
    variant: &Variant,
    position: &Position,
    side: Side,
    safety: Safety,
    filter: Filter,
    take: impl FnMut(Move) -> ControlFlow<T>,
) -> Option<T> {
    match visit(variant, position, side, safety, filter, Each(take)) {
        ControlFlow::Break(found) => Some(found),
        ControlFlow::Continue(()) => None,
    }
}

/// How a move is drawn.
pub(crate) struct Draw<'a> {
    /// The source of randomness.
    pub(crate) stream: &'a mut Stream,
    /// A buffer for the moves to draw from, left empty.
    pub(crate) room: &'a mut Vec<Move>,
    /// Whether to find out if there is another move.
    pub(crate) counts_others: bool,
}

/// The result of drawing from several possibilities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Drawn<T> {
    /// The drawn one.
    pub(crate) chosen: T,
    /// Whether it is known that there was no other.
    pub(crate) alone: bool,
}

/// How many moves [`has_move`] tests one by one before it lists the dangers.
const PROBES: u8 = 3;

/// Draws one of the moves that [`generate`] would append, each with the same chance; `None` if there are none. `room` is a
/// buffer for the moves to draw from, and is left empty.
///
/// Moves are drawn before their safety is tested, and redrawn if they fail. So each move that passes has the same chance.
pub fn draw(
    variant: &Variant,
    position: &Position,
    side: Side,
    safety: Safety,
    filter: Filter,
    stream: &mut Stream,
    room: &mut Vec<Move>,
) -> Option<Move> {
    let mut draw = Draw { stream, room, counts_others: false };
    draw_among(variant, position, side, safety, filter, &mut draw).map(|drawn| drawn.chosen)
}

/// The same; if requested, it also finds out whether there is another move.
pub(crate) fn draw_among(
    variant: &Variant,
    position: &Position,
    side: Side,
    safety: Safety,
    filter: Filter,
    draw: &mut Draw<'_>,
) -> Option<Drawn<Move>> {
    let Draw { stream, room, counts_others } = draw;
    let ControlFlow::Continue(()) = visit(variant, position, side, Safety::Pseudo, filter, List(room));
    let mut drawn = None;
    while !room.is_empty() {
        let mv = room.swap_remove(stream.below(room.len() as u64) as usize);
        if allows(variant, position, side, safety, mv) {
            let another = || room.iter().any(|&mv| allows(variant, position, side, safety, mv));
            drawn = Some(Drawn { chosen: mv, alone: *counts_others && !another() });
            break;
        }
    }
    room.clear();
    drawn
}

/// The number of moves that [`generate`] would append.
pub fn count(variant: &Variant, position: &Position, side: Side, safety: Safety, filter: Filter) -> u64 {
    let mut moves = 0;
    let ControlFlow::Continue(()) = visit(variant, position, side, safety, filter, Count(&mut moves));
    moves
}

/// Sends each move, in order, to `visitor` until that stops.
fn visit<S: MoveVisitor>(
    variant: &Variant,
    position: &Position,
    side: Side,
    safety: Safety,
    filter: Filter,
    visitor: S,
) -> ControlFlow<S::Stop> {
    let (checks_legality, immune) = (legal::checks_legality(variant, safety), safety.immune(variant));
    let castles_safely = safety.tests_castling();
    at_width!(variant.tables, sets => {
        // Written out twice, so that the more common case does not test for a legality context.
        if checks_legality {
            let legality = LegalityContext::new(sets, variant, position, side, safety);
            let legality = Some(&legality);
            return Generator { sets, variant, position, side, legality, immune, castles_safely, only_into: None, visitor }.all(filter);
        }
        Generator { sets, variant, position, side, legality: None, immune, castles_safely, only_into: None, visitor }.all(filter)
    })
}

struct Generator<'a, S, B> {
    sets: &'a Sets<B>,
    variant: &'a Variant,
    position: &'a Position,
    side: Side,
    /// The dangers to the mover's royals, if they matter.
    legality: Option<&'a LegalityContext<'a, B>>,
    immune: KindMask,
    /// See [`Safety::tests_castling`].
    castles_safely: bool,
    /// If set, only promotions to these kinds are generated for the current piece.
    only_into: Option<KindMask>,
    visitor: S,
}

/// The targets of a piece that are held in sets: of leaps and rides, and of a double step.
#[inline]
fn targets<B: Bits>(sets: &Sets<B>, cell: &Cell<B>, occupied: B, enemies: B) -> (B, B) {
    let plain =
        (cell.quiet & !occupied) | (cell.takes & enemies) | (sets.rides(cell, occupied) & (!occupied | enemies));
    (plain, cell.strides(occupied) & !plain)
}

/// The board from the point of view of the moving side.
struct Field<B> {
    own: B,
    occupied: B,
    /// The pieces that may be captured.
    enemies: B,
    /// See [`LegalityContext::pinned`].
    pinned: B,
    /// See [`LegalityContext::blockers`].
    blockers: B,
    /// The squares of pieces that might capture en passant.
    passers: B,
}

/// The piece whose moves are being generated.
#[derive(Clone, Copy)]
struct Mover {
    from: Square,
    piece: Piece,
    /// See [`LegalityContext::pinned`].
    trusted: bool,
}

impl<S: MoveVisitor, B: Bits> Generator<'_, S, B> {
    fn all(&mut self, filter: Filter) -> ControlFlow<S::Stop> {
        match filter.into == KindMask::NONE || filter.kinds == KindMask::ALL {
            true => self.pieces(filter.kinds)?,
            false => self.pieces_and_promotions(filter.kinds, filter.into)?,
        }
        let castles = filter.castling & self.position.rights();
        if castles != 0 {
            self.castling(castles)?;
        }
        if self.variant.spec.hands {
            self.drops(filter.drops)?;
        }
        ControlFlow::Continue(())
    }

    /// All moves of the pieces on the board except castling.
    fn pieces(&mut self, kinds: KindMask) -> ControlFlow<S::Stop> {
        let sets = self.sets;
        let field = self.field();
        let Field { own, occupied, enemies, pinned, blockers, passers } = field;
        let hasty = kinds == KindMask::ALL || S::HASTY && !self.position.keeps_kinds();
        let mut rest = if hasty { own } else { self.position.pieces_of(self.side, kinds) };
        while let Some(from) = rest.pop() {
            let piece = self.position.own_at(from, self.side);
            if hasty && !kinds.contains(piece.kind()) {
                continue;
            }
            let cell = sets.cell(piece, from);
            if cell.boxed_in(own) && !passers.has(from) {
                continue;
            }
            let (plain, double) = targets(sets, cell, occupied, enemies);
            if cell.odd || (pinned | passers).has(from) || !((plain | double) & blockers).is_none() {
                self.by_special_ways(&field, from, plain, double)?;
                continue;
            }
            self.visitor.many(from, plain, Tag::Plain)?;
            if !double.is_none() {
                self.visitor.many(from, double, Tag::Double)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// All moves of the pieces of some kinds, and promotions of all others to some kinds.
    #[inline(never)]
    fn pieces_and_promotions(&mut self, kinds: KindMask, into: KindMask) -> ControlFlow<S::Stop> {
        let field = self.field();
        let mut rest: B = self.position.pieces_of(self.side, KindMask(kinds.0 | self.variant.promoters.0));
        while let Some(from) = rest.pop() {
            let piece = self.position.own_at(from, self.side);
            let cell = self.sets.cell(piece, from);
            let whole = kinds.contains(piece.kind());
            if !(whole || cell.promotes) || (cell.boxed_in(field.own) && !field.passers.has(from)) {
                continue;
            }
            self.only_into = (!whole).then_some(into);
            let (plain, double) = targets(self.sets, cell, field.occupied, field.enemies);
            self.by_special_ways(&field, from, plain, double)?;
        }
        self.only_into = None;
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn field(&self) -> Field<B> {
        let (own, occupied) = (self.position.men::<B>(self.side), self.position.occupied_at::<B>());
        let (pinned, blockers) =
            self.legality.map_or((B::NONE, B::NONE), |legality| (legality.pinned(), legality.blockers()));
        Field { own, occupied, enemies: self.capturable(own, occupied), pinned, blockers, passers: self.passers() }
    }

    /// The moves of a piece that has more than leaps and rides, or whose moves must be tested. Separate from the loop over
    /// all pieces, so that the loop uses few registers.
    #[inline(never)]
    fn by_special_ways(&mut self, field: &Field<B>, from: Square, plain: B, double: B) -> ControlFlow<S::Stop> {
        let (mut plain, mut double) = (plain, double);
        let &Field { own, occupied, enemies, pinned, blockers, passers } = field;
        let piece = self.position.own_at(from, self.side);
        let cell = self.sets.cell(piece, from);
        for slide in self.sets.slides(cell) {
            let on = |bit: u8, set: B| if slide.modes & bit == 0 { B::NONE } else { set };
            let lands = on(mode::QUIET, !occupied) | on(mode::CAPTURE, enemies) | on(mode::FRIENDLY, own);
            let ends = slide.ends(occupied) & lands;
            if slide.modes & mode::DOUBLE == 0 {
                plain |= ends;
            } else {
                // A double step that captures leaves no rights: it is a plain move.
                double |= ends & !occupied;
                plain |= ends & occupied;
            }
        }
        double = double & !plain;
        if self.position.has_heaps() {
            let mut upon = plain & own;
            plain = plain & !own;
            while let Some(to) = upon.pop() {
                self.upon(Mover { from, piece, trusted: true }, to)?;
            }
        }
        if let Some(legality) = self.legality {
            plain = legality.evasions(piece.kind(), plain);
            double = legality.evasions(piece.kind(), double);
        }
        let mover = Mover { from, piece, trusted: !pinned.has(from) };
        if mover.trusted && !cell.promotes && ((plain | double) & blockers).is_none() {
            self.visitor.many(from, plain, Tag::Plain)?;
            self.visitor.many(from, double, Tag::Double)?;
        } else {
            self.each(mover, plain, Tag::Plain)?;
            self.each(mover, double, Tag::Double)?;
        }
        if cell.special || passers.has(from) {
            self.special(mover, (plain | double).set())?;
        }
        ControlFlow::Continue(())
    }

    /// Tests and emits moves one by one.
    fn each(&mut self, mover: Mover, mut targets: B, tag: Tag) -> ControlFlow<S::Stop> {
        while let Some(to) = targets.pop() {
            self.arrive(mover, Move { from: mover.from, to, tag, extra: Move::NONE })?;
        }
        ControlFlow::Continue(())
    }

    /// The squares from which a piece might capture en passant now.
    fn passers(&self) -> B {
        let rights = self.position.en_passant().iter();
        rights.fold(B::NONE, |set, right| set | B::of(self.variant.tables.passers(self.side, right.target)))
    }

    /// The pieces that may be captured.
    fn capturable(&self, own: B, occupied: B) -> B {
        let enemies = occupied & !own;
        if self.variant.spec.teams.is_none() && self.immune == KindMask::NONE { enemies } else { self.some_of(enemies) }
    }

    /// The pieces of some enemies that are neither allied nor immune.
    #[inline(never)]
    fn some_of(&self, enemies: B) -> B {
        let (mut rest, mut capturable) = (enemies, B::NONE);
        while let Some(square) = rest.pop() {
            let piece = self.position.at(square);
            if !self.variant.allied(self.side, piece.side()) && !self.immune.contains(piece.kind()) {
                capturable = capturable.with(square);
            }
        }
        capturable
    }

    /// Whether a move of the current piece without promotion is requested.
    fn wants_plainly(&self) -> bool {
        self.only_into.is_none()
    }

    /// Emits a move, or one for each promotion, if the royals stay safe.
    fn arrive(&mut self, mover: Mover, mv: Move) -> ControlFlow<S::Stop> {
        if let Some(promotion) = self.variant.tables.promotion(mover.piece)
            && (promotion.zone.contains(mv.to) || (promotion.on_leaving && promotion.zone.contains(mv.from)))
        {
            return self.promote(mover, mv, promotion);
        }
        match self.wants_plainly() && self.safe(mover, mv, mover.piece.kind()) {
            true => self.visitor.one(mv),
            false => ControlFlow::Continue(()),
        }
    }

    #[cold]
    fn promote(&mut self, mover: Mover, mv: Move, promotion: &PromotionTable) -> ControlFlow<S::Stop> {
        let stuck = self.variant.tables.span(mover.piece, mv.to).stuck;
        if self.wants_plainly() && !promotion.forced && !stuck && self.safe(mover, mv, mover.piece.kind()) {
            self.visitor.one(mv)?;
        }
        let to = KindMask(promotion.to.0 & self.only_into.unwrap_or(KindMask::ALL).0);
        for kind in (0..self.variant.kinds().len() as u8).map(Kind).filter(|&k| to.contains(k)) {
            // Kinds differ only in royalty.
            let trusted = mover.trusted && !self.variant.royals.contains(kind);
            if self.safe(Mover { trusted, ..mover }, mv, kind) {
                self.visitor.one(Move { extra: kind.0, ..mv })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn safe(&self, mover: Mover, mv: Move, becomes: Kind) -> bool {
        self.legality.is_none_or(|legality| {
            (mover.trusted && !matches!(mv.tag, Tag::EnPassant | Tag::Over) && !legality.blockers().has(mv.to))
                || legality.allows(mv, becomes)
        })
    }

    /// The castlings whose bits are set.
    #[inline(never)]
    fn castling(&mut self, castles: u16) -> ControlFlow<S::Stop> {
        for (i, castle) in self.variant.spec.castles.iter().enumerate() {
            let possible = castles >> i & 1 != 0 && castle.side == self.side;
            let free = possible && (self.variant.castle_ways[i] & self.position.occupied()).is_empty();
            if free
                && self.in_place(castle)
                && (!self.castles_safely
                    || legal::allows_castling(self.sets, self.variant, self.position, castle, self.legality.is_some()))
            {
                self.visitor.one(Move { from: castle.king.0, to: castle.king.1, tag: Tag::Castle, extra: i as u8 })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether king and partner are on their squares.
    fn in_place(&self, castle: &Castle) -> bool {
        let (king, rook) = (Piece::new(self.side, castle.kinds.0), Piece::new(self.side, castle.kinds.1));
        self.position.at(castle.king.0) == king && self.position.at(castle.rook.0) == rook
    }

    #[inline(never)]
    fn drops(&mut self, kinds: KindMask) -> ControlFlow<S::Stop> {
        let empty = self.variant.board().squares() - self.position.occupied();
        for kind in (0..self.variant.kinds().len() as u8).map(Kind) {
            if !kinds.contains(kind) || self.position.in_hand(self.variant, self.side, kind) <= 0 {
                continue;
            }
            for to in empty & self.position.droppable(self.variant, Piece::new(self.side, kind)) {
                let mv = Move { from: to, to, tag: Tag::Drop, extra: kind.0 };
                if self.legality.is_none_or(|legality| legality.allows(mv, kind)) {
                    self.visitor.one(mv)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
