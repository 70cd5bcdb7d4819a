//! The last move of each side, in games whose rules use it; and whether a named move is still possible.
//!
//! A move is stored in the places of a counter, so that it is hashed, copied and written like other numbers.

use super::{Made, Position};
use crate::board::piece::Piece;
use crate::board::side::Side;
use crate::board::square::Square;
use crate::position::moves::{Move, Tag};
use crate::variant::Variant;

/// The number of places of the counter that stores a move.
pub const MOVE_PLACES: u8 = 7;

impl Made {
    /// The move as numbers; the first is not 0.
    fn places(&self) -> [i16; MOVE_PLACES as usize] {
        let Move { from, to, tag, extra } = self.mv;
        let [from, to, tag, extra, at] = [from.0, to.0, tag as u8, extra, self.captured_at.0].map(i16::from);
        [self.piece.index() as i16, from, to, tag, extra, self.captured.index() as i16, at]
    }

    /// The move with these numbers.
    fn from_places(places: [i16; MOVE_PLACES as usize]) -> Option<Made> {
        let [piece, from, to, tag, extra, captured, at] = places;
        let [piece, captured] = [piece, captured].map(Piece::numbered);
        let [from, to, tag, extra, at] = [from, to, tag, extra, at].map(|place| u8::try_from(place).unwrap_or(0));
        let tag = Tag::numbered(tag)?;
        let mv = Move { from: Square(from), to: Square(to), tag, extra };
        let made = Made { mv, piece, captured, captured_at: Square(at) };
        (!made.piece.is_none()).then_some(made)
    }
}

impl Position {
    /// The last move of a piece of a side, if the rules use it.
    pub fn last_move(&self, variant: &Variant, side: Side) -> Option<Made> {
        let counter = usize::from(variant.spec.last_moves?);
        Made::from_places(std::array::from_fn(|place| self.counter_at(variant, counter, place as u8, side)))
    }

    /// Records the last move of a side; no effect if the rules do not use it.
    pub fn set_last_move(&mut self, variant: &Variant, side: Side, made: Option<Made>) {
        let Some(counter) = variant.spec.last_moves else { return };
        let places = made.map_or([0; MOVE_PLACES as usize], |made| made.places());
        for (place, value) in places.into_iter().enumerate() {
            self.set_counter_at(variant, usize::from(counter), place as u8, side, value);
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn remember_move(&mut self, variant: &Variant, made: &Made) {
        // The rights after a double step are part of the position.
        let tag = if made.mv.tag == Tag::Double { Tag::Plain } else { made.mv.tag };
        let made = Made { mv: Move { tag, ..made.mv }, ..*made };
        self.set_last_move(variant, made.piece.side(), Some(made));
    }

    /// Forgets the last moves of all sides.
    pub(crate) fn forget_moves(&mut self, variant: &Variant) {
        for side in (0..variant.sides()).map(|side| Side(side as u8)) {
            self.set_last_move(variant, side, None);
        }
    }

    /// Whether a move that was named in another position can be made in this one unchanged: its piece is in place (or in
    /// the hand), and it captures the same piece. The safety of the mover's royals is not tested.
    pub(crate) fn can_make(&self, variant: &Variant, made: &Made) -> bool {
        let mv = made.mv;
        let there = match mv.tag {
            Tag::Drop => made.piece.side() == self.side() && self.in_hand(variant, self.side(), made.piece.kind()) > 0,
            _ => self.at(mv.from) == made.piece,
        };
        there && self.captured_by(mv) == (made.captured, made.captured_at) && self.leaves_room(variant, mv)
    }

    /// Whether the way of a castling is free, and its partner in place.
    fn leaves_room(&self, variant: &Variant, mv: Move) -> bool {
        let Some(castle) = mv.castling().and_then(|index| variant.spec.castles.get(index)) else { return true };
        let both = [castle.king.0, castle.rook.0];
        let free = |square: Square| both.contains(&square) || self.at(square).is_none();
        self.at(castle.rook.0) == Piece::new(castle.side, castle.kinds.1) && free(castle.king.1) && free(castle.rook.1)
    }
}
