//! Moves of pieces that move like other kinds: relayed, lent, absorbed, or named by a die.
//!
//! The generator runs on a copy of the position with the kinds exchanged, so everything that kinds define applies: ways,
//! homes, regions, victims. Promotions follow the pieces' own kinds.

use crate::board::piece::{Kind, KindMask, Piece};
use crate::movegen::{self, Filter, Safety};
use crate::position::moves::{Move, Tag};
use crate::rules::value::{SetExpr, View};

/// Appends the moves that the mover's pieces on some squares would have as each of these kinds, each move once; except
/// royals, castling and promotions.
pub(super) fn moves(view: &View<'_>, kinds: KindMask, squares: &SetExpr, safety: Safety, out: &mut Vec<Move>) {
    let (variant, side, before) = (view.variant, view.position.side(), out.len());
    let squares = view.set(squares) & view.position.of(side);
    if squares.is_empty() {
        return;
    }
    // If the kinds attack, royals are no different from other pieces.
    let safety = if safety == Safety::Attacking { safety } else { Safety::Pseudo };
    let mut changed = view.rules.borrow_position(view.position);
    let mut found = Vec::new();
    for kind in (0..variant.kinds().len() as u8).map(Kind).filter(|&kind| kinds.contains(kind)) {
        for square in squares {
            let piece = Piece::new(side, kind);
            if changed.at(square) != piece {
                changed.shift(variant, square, square, piece);
            }
        }
        movegen::generate(variant, &changed, side, safety, Filter { kinds: kind.into(), ..Filter::NONE }, &mut found);
        for mv in found.drain(..).filter(|mv| squares.contains(mv.from)).map(unpromoted) {
            if !out[before..].contains(&mv) {
                out.push(mv);
            }
        }
    }
    view.rules.return_position(changed);
}

/// A move of the board without its promotion.
fn unpromoted(mv: Move) -> Move {
    match mv.tag {
        Tag::Plain | Tag::Double | Tag::EnPassant => Move { extra: Move::NONE, ..mv },
        Tag::Castle | Tag::Drop | Tag::Push | Tag::Over | Tag::Heap => mv,
    }
}
