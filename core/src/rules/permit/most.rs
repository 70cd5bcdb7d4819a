//! Restricts moves to those that allow the most further moves.
//!
//! Makes the moves one after another until the requested number of further moves is found. The course of the game does not
//! matter meanwhile: captures succeed, and the same side keeps moving.

use super::Permit;
use crate::board::square::Square;
use crate::movegen::Safety;
use crate::position::moves::Move;
use crate::rules::error::{RuleError, Task};
use crate::rules::meter::COPY;
use crate::rules::value::View;

/// Moves, and the moves that are to follow them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Most {
    /// The moves.
    pub permit: Permit,
    /// The moves that may follow each of them, and each of these.
    pub next: Permit,
    /// The number of further moves to look for.
    pub further: u8,
    /// Whether only the piece that has moved may continue.
    pub same_piece: bool,
}

impl Most {
    /// The moves that allow the most further moves; all of them, if no move can follow any.
    pub(super) fn moves(&self, view: &View<'_>, safety: Safety, out: &mut Vec<Move>) -> Result<(), RuleError> {
        let before = out.len();
        self.permit.moves_under(view, safety, out)?;
        let (mut best, mut kept) = (0, before);
        for i in before..out.len() {
            let mv = out[i];
            let found = self.after(view, safety, mv, self.further)?;
            if found > best {
                (best, kept) = (found, before);
            }
            if found == best {
                out[kept] = mv;
                kept += 1;
            }
        }
        out.truncate(kept);
        Ok(())
    }

    /// How many further moves, of at most `left`, can follow a move.
    fn after(&self, view: &View<'_>, safety: Safety, mv: Move, left: u8) -> Result<u8, RuleError> {
        if left == 0 {
            return Ok(0);
        }
        view.rules.meter().charge(Task::Testing, COPY)?;
        let mut position = view.rules.borrow_position(view.position);
        position.make(view.variant, mv);
        let found = self.further(&View { position: &position, ..*view }, safety, mv.to, left);
        view.rules.return_position(position);
        found
    }

    /// How many moves, of at most `left`, can be made one after another; if required, only by the piece on a square.
    fn further(&self, view: &View<'_>, safety: Safety, on: Square, left: u8) -> Result<u8, RuleError> {
        if left == 1 && !self.same_piece {
            return Ok(u8::from(self.next.exists_under(view, safety)?));
        }
        let mut moves = Vec::new();
        self.next.moves_under(view, safety, &mut moves)?;
        moves.retain(|mv| !self.same_piece || mv.from == on && mv.dropped().is_none());
        let mut best = 0;
        for mv in moves {
            best = best.max(1 + self.after(view, safety, mv, left - 1)?);
            if best == left {
                break;
            }
        }
        Ok(best)
    }
}
