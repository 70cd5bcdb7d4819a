//! Moves of pieces as if they were of other kinds: relayed, lent, absorbed, or named by a die.
//!
//! A copy of the position in which they are of those kinds is asked for its moves, so that whatever kinds can do is right
//! here, too: ways, homes, regions, what they take. What the pieces become by their moves is their own kind's business.

use crate::board::piece::{Kind, KindMask, Piece};
use crate::movegen::{self, Filter, Safety};
use crate::position::moves::{Move, Tag};
use crate::rules::value::{SetExpr, View};

/// Appends the moves of the own pieces on some squares as if they were of each of these kinds, the same move once; royals,
/// castling and promotions aside.
pub(super) fn moves(view: &View<'_>, kinds: KindMask, squares: &SetExpr, safety: Safety, out: &mut Vec<Move>) {
    let (variant, side, before) = (view.variant, view.position.side(), out.len());
    let squares = view.set(squares) & view.position.of(side);
    if squares.is_empty() {
        return;
    }
    // Where the kinds attack, royals are no different from others.
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

/// A move of the board without what the piece becomes by it.
fn unpromoted(mv: Move) -> Move {
    match mv.tag {
        Tag::Plain | Tag::Double | Tag::EnPassant => Move { extra: Move::NONE, ..mv },
        Tag::Castle | Tag::Drop | Tag::Push | Tag::Over | Tag::Heap => mv,
    }
}
