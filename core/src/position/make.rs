//! How moves, captures and the end of a turn change a position.

use super::{EnPassant, Load, MAX_EN_PASSANT, Made, NO_RIGHT, Position};
use crate::board::piece::{Kind, Piece};
use crate::board::side::Side;
use crate::board::square::Square;
use crate::position::moves::{Move, Tag, Taking};
use crate::variant::{Captives, Variant, mark};

impl Position {
    /// The piece that a move would capture, and its square.
    #[inline(always)]
    pub fn captured_by(&self, mv: Move) -> (Piece, Square) {
        match mv.tag {
            // Most moves capture nothing, so no byte must be converted to a piece.
            Tag::Plain | Tag::Double if self.is_vacant(mv.to) => (Piece::NONE, mv.to),
            Tag::Plain | Tag::Double => (self.at(mv.to), mv.to),
            _ => self.captured_specially(mv),
        }
    }

    /// The same, out of line: for moves that may capture elsewhere than on their target.
    #[inline(never)]
    pub(crate) fn captured_specially(&self, mv: Move) -> (Piece, Square) {
        match mv.tag {
            Tag::EnPassant => {
                let right = self.en_passant().iter().find(|r| r.target == mv.to);
                right.map_or((Piece::NONE, mv.to), |r| (self.at(r.victim), r.victim))
            }
            Tag::Over => (self.at(Square(mv.extra)), Square(mv.extra)),
            // Drops end on empty squares, except for pieces that enter a track.
            Tag::Drop | Tag::Heap if mv.taking() == Taking::Nothing => (Piece::NONE, mv.to),
            Tag::Drop | Tag::Heap | Tag::Plain | Tag::Double => (self.at(mv.to), mv.to),
            Tag::Castle | Tag::Push => (Piece::NONE, mv.to),
        }
    }

    /// Makes a move that the generator has listed: pieces, rights, clock, hand. It does not end the turn: see
    /// [`Position::end_turn`].
    #[inline(always)]
    pub fn make(&mut self, variant: &Variant, mv: Move) -> Made {
        let made = match mv.tag {
            Tag::Plain | Tag::Double | Tag::EnPassant => self.make_step(variant, mv),
            Tag::Castle | Tag::Drop | Tag::Over | Tag::Push | Tag::Heap => self.make_special(variant, mv),
        };
        self.after_move(variant, mv, made.piece, made.captured);
        if variant.spec.last_moves.is_some() {
            self.remember_move(variant, &made);
        }
        made
    }

    /// Moves one piece to another square, with its capture and promotion.
    #[inline(always)]
    fn make_step(&mut self, variant: &Variant, mv: Move) -> Made {
        let (captured, captured_at) = self.captured_by(mv);
        let piece = self.at(mv.from);
        if !captured.is_none() {
            self.capture_piece(variant, captured_at, captured, piece.side());
        }
        match mv.promotion() {
            None => self.shift_unchanged(variant, mv.from, mv.to, piece),
            Some(kind) => self.promote(variant, mv, Piece::new(piece.side(), kind)),
        }
        Made { mv, piece, captured, captured_at }
    }

    #[cold]
    fn promote(&mut self, variant: &Variant, mv: Move, becomes: Piece) {
        let piece = self.at(mv.from);
        self.shift(variant, mv.from, mv.to, becomes);
        if becomes != piece && self.layout.load != Load::Nothing {
            self.reset_traits(variant, mv.to, becomes);
        }
    }

    #[inline(never)]
    fn make_special(&mut self, variant: &Variant, mv: Move) -> Made {
        let (captured, mut captured_at) = self.captured_specially(mv);
        let piece = match mv.tag {
            Tag::Drop => Piece::new(self.header.side, mv.dropped().unwrap_or(Kind(0))),
            _ => self.at(mv.from),
        };
        match mv.tag {
            Tag::Castle => self.castle(variant, mv),
            Tag::Drop => {
                if !captured.is_none() {
                    self.capture_heap(variant, mv.to, mv.taking(), piece.side());
                }
                self.drop(variant, mv.to, piece);
            }
            Tag::Over => self.pass_over(variant, mv, piece.side()),
            Tag::Push => captured_at = self.make_push(variant, mv),
            Tag::Heap => self.make_heap_move(variant, mv, piece.side()),
            Tag::Plain | Tag::Double | Tag::EnPassant => {}
        }
        Made { mv, piece, captured, captured_at }
    }

    /// Updates rights and clock after a move.
    #[inline(always)]
    fn after_move(&mut self, variant: &Variant, mv: Move, piece: Piece, captured: Piece) {
        let rights = self.header.en_passant_len;
        if rights > 1 || (rights == 1 && self.header.en_passant[0].victim == mv.from) {
            self.retain_en_passant(variant, |r| r.victim != mv.from);
        }
        if mv.tag == Tag::Double {
            self.leave_en_passant(variant, mv, self.at(mv.to));
        }
        let lost = variant.rights_lost[mv.from.index()] | variant.rights_lost[mv.to.index()];
        if self.header.rights & lost != 0 {
            self.lose_rights(variant, lost);
        }
        let restarts = !captured.is_none() || mv.tag == Tag::Drop || variant.marks[piece.index()] & mark::RESTARTS != 0;
        self.header.clock = if restarts { 0 } else { self.header.clock.saturating_add(1) };
    }

    #[cold]
    fn lose_rights(&mut self, variant: &Variant, lost: u16) {
        self.set_rights(variant, self.header.rights & !lost);
    }

    #[cold]
    fn drop(&mut self, variant: &Variant, to: Square, piece: Piece) {
        let left = self.in_hand(variant, piece.side(), piece.kind()) - 1;
        self.set_in_hand(variant, piece.side(), piece.kind(), left);
        self.put(variant, to, piece);
    }

    /// Captures on the way, and on the target if it holds an enemy.
    #[cold]
    fn pass_over(&mut self, variant: &Variant, mv: Move, side: Side) {
        self.capture(variant, Square(mv.extra), side);
        if mv.from != mv.to {
            if !self.at(mv.to).is_none() {
                self.capture(variant, mv.to, side);
            }
            self.shift(variant, mv.from, mv.to, self.at(mv.from));
        }
    }

    #[cold]
    fn castle(&mut self, variant: &Variant, mv: Move) {
        let castle = &variant.spec.castles[mv.extra as usize];
        let (king, rook) = (self.at(castle.king.0), self.at(castle.rook.0));
        // Both leave before either arrives: in some games one goes to the other's square.
        let kept = self.lift(variant, castle.king.0);
        let kept_rook = self.lift(variant, castle.rook.0);
        self.lay(variant, castle.king.1, king, kept);
        self.lay(variant, castle.rook.1, rook, kept_rook);
    }

    /// Swaps the pieces on two squares, with their traits.
    pub(crate) fn exchange(&mut self, variant: &Variant, a: Square, b: Square) {
        let (first, second) = (self.at(a), self.at(b));
        let (kept, kept_too) = (self.lift(variant, a), self.lift(variant, b));
        if !first.is_none() {
            self.lay(variant, b, first, kept);
        }
        if !second.is_none() {
            self.lay(variant, a, second, kept_too);
        }
    }

    pub(super) fn lift(&mut self, variant: &Variant, square: Square) -> Vec<i16> {
        let kept = match self.layout.load {
            Load::Nothing => Vec::new(),
            Load::Traits | Load::Heaps => {
                (0..variant.spec.traits.len()).map(|t| self.trait_at(variant, t, square)).collect()
            }
        };
        self.take(variant, square);
        kept
    }

    pub(super) fn lay(&mut self, variant: &Variant, square: Square, piece: Piece, kept: Vec<i16>) {
        self.make_room(variant, square);
        self.set_piece(variant, square, piece);
        for (t, value) in kept.into_iter().enumerate() {
            self.set_trait(variant, t, square, value);
        }
    }

    /// Removes the piece on `square` from play or, in a game with hands, puts it into the hand that the declaration names
    /// (usually that of `by`). Castling rights of the square end.
    pub(crate) fn capture(&mut self, variant: &Variant, square: Square, by: Side) {
        self.capture_piece(variant, square, self.at(square), by);
    }

    /// [`Position::capture`] of the piece on `square`; with [`Piece::NONE`] only the rights end.
    fn capture_piece(&mut self, variant: &Variant, square: Square, piece: Piece, by: Side) {
        if !piece.is_none() {
            self.take_piece(variant, square, piece);
        }
        if variant.spec.hands && !piece.is_none() {
            let kind = variant.kind(piece.kind()).in_hand.unwrap_or(piece.kind());
            let holder = match variant.spec.captives {
                Captives::Captor => Some(by),
                Captives::Owner => Some(piece.side()),
                Captives::Nobody => None,
            };
            if let Some(holder) = holder {
                self.set_in_hand(variant, holder, kind, self.in_hand(variant, holder, kind).saturating_add(1));
            }
        }
        self.touch(variant, square);
    }

    /// Ends castling and en passant rights that depend on the piece on `square`.
    pub(crate) fn touch(&mut self, variant: &Variant, square: Square) {
        if self.header.rights != 0 {
            self.set_rights(variant, self.header.rights & !variant.rights_lost[square.index()]);
        }
        if self.header.en_passant_len > 0 {
            self.retain_en_passant(variant, |r| r.victim != square);
        }
    }

    #[inline(never)]
    /// The square of a piece of `side` that may have passed `target` by a double step: one where such a step over `target`
    /// ends. If there are several, one whose origin is empty.
    pub fn passer(&self, variant: &Variant, target: Square, side: Side) -> Option<Square> {
        let mut found = None;
        for victim in self.of(side) {
            let piece = self.at(victim);
            if !variant.kind(piece.kind()).atoms.iter().any(|atom| atom.double) {
                continue;
            }
            for from in variant.board().squares() {
                if variant.tables.passed(piece, from, victim).contains(&target) {
                    if self.at(from).is_none() {
                        return Some(victim);
                    }
                    found = found.or(Some(victim));
                }
            }
        }
        found
    }

    #[inline(never)]
    fn leave_en_passant(&mut self, variant: &Variant, mv: Move, piece: Piece) {
        if !variant.captures_en_passant() {
            return;
        }
        for &target in variant.tables.passed(piece, mv.from, mv.to) {
            self.add_en_passant(variant, EnPassant { target, victim: mv.to });
        }
    }

    /// Ends the en passant rights against the sides that did not just move.
    #[inline(always)]
    fn end_en_passant(&mut self, variant: &Variant) {
        let (mut len, before) = (0, self.header.en_passant_len as usize);
        for i in 0..before.min(MAX_EN_PASSANT) {
            let right = std::mem::replace(&mut self.header.en_passant[i], NO_RIGHT);
            if !self.is_vacant(right.victim) && self.is_of(right.victim, self.header.side) {
                self.header.en_passant[len] = right;
                len += 1;
            } else {
                self.header.hash ^= variant.zobrist.en_passant(right.target);
            }
        }
        self.header.en_passant_len = len as u8;
    }

    /// Ends the turn: en passant rights against the sides that did not just move end, and `next` is to move.
    #[inline(always)]
    pub fn end_turn(&mut self, variant: &Variant, next: Side) {
        if self.header.en_passant_len > 0 {
            self.end_en_passant(variant);
        }
        if next.0 <= self.header.side.0 {
            self.header.number = self.header.number.saturating_add(1);
        }
        self.set_side(variant, next);
    }
}
