//! What is offered at a decision.
//!
//! Owns the list of permitted moves, or the one that is drawn from them, or of choices, and the room to make
//! it; it knows nothing of rules or of whose turn it is.

use super::Choice;
use crate::dice::Stream;
use crate::position::moves::Move;
use crate::rules::permit::Permit;
use crate::rules::plan::Paid;
use crate::rules::rule::RuleError;
use crate::rules::value::View;

/// What may be answered.
#[derive(Clone, Default)]
pub(super) struct Offered {
    /// The permitted moves, or the one drawn.
    pub(crate) moves: Vec<Paid>,
    /// The choices, if it is another decision.
    pub(crate) choices: Vec<Choice>,
    /// Whether the player may do without a move.
    pub(crate) can_pass: bool,
    /// Where moves are drawn and not listed: what they are drawn with.
    pub(crate) draw: Option<Stream>,
    /// Empty between calls: room for generated moves, kept to be used again.
    found: Vec<Move>,
}

impl Offered {
    /// Nothing is offered.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.choices.clear();
        self.can_pass = false;
    }

    /// Becomes the same without the moves, for somebody who has chosen.
    pub(crate) fn become_copy_without_moves(&mut self, from: &Offered) {
        self.moves.clear();
        self.choices.clone_from(&from.choices);
        self.draw.clone_from(&from.draw);
        self.can_pass = from.can_pass;
    }

    /// Whether there is more than one answer to what is asked, which is a move.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.moves.len() > 1 || self.can_pass || self.draw.is_some()
    }

    /// Offers what a permit admits; whether that is anything.
    #[inline]
    pub(crate) fn offer(&mut self, view: &View<'_>, permit: &Permit, pass: bool) -> Result<bool, RuleError> {
        self.clear();
        match &mut self.draw {
            None => {
                permit.moves(view, &mut self.found)?;
                self.moves.extend(self.found.drain(..).map(|mv| Paid { mv, dice: 0 }));
            }
            Some(stream) => {
                let drawn = permit.draw(view, stream, &mut self.found)?;
                self.moves.extend(drawn.map(|mv| Paid { mv, dice: 0 }));
            }
        }
        self.can_pass = pass && !self.moves.is_empty();
        Ok(!self.moves.is_empty())
    }
}
