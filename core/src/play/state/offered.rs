//! What is offered at a decision.
//!
//! Owns the list of permitted moves, or the one that is drawn from them, or of choices, and the room to make
//! it; it knows nothing of rules or of whose turn it is.

use super::Choice;
use crate::dice::Stream;
use crate::movegen::{Draw, Drawn};
use crate::position::moves::Move;
use crate::rules::permit::Permitted;
use crate::rules::plan::Paid;
use crate::rules::rule::RuleError;
use crate::rules::value::View;

/// How moves are drawn where they are not listed.
#[derive(Clone)]
pub(super) struct Drawing {
    pub(crate) stream: Stream,
    /// Whether it is found out if there was another move.
    pub(crate) counts_others: bool,
}

/// What may be answered.
#[derive(Clone, Default)]
pub(super) struct Offered {
    /// The permitted moves, or the one drawn.
    pub(crate) moves: Vec<Paid>,
    /// The choices: those of another decision, or what may be chosen instead of a move.
    pub(crate) choices: Vec<Choice>,
    /// Whether the player may do without a move.
    pub(crate) can_pass: bool,
    /// Where moves are drawn and not listed: how.
    pub(crate) draw: Option<Drawing>,
    /// Whether the move drawn is not known to be the only one.
    pub(crate) among_others: bool,
    /// Whether the move is named, not made.
    pub(crate) names: bool,
    /// Whether moves are only listed when somebody wants them.
    pub(crate) lazy: bool,
    /// Whether there are moves that have not been listed.
    pub(crate) unlisted: bool,
    /// Empty between calls: room for generated moves, kept to be used again.
    found: Vec<Move>,
}

impl Offered {
    /// Nothing is offered.
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.choices.clear();
        self.can_pass = false;
        self.among_others = false;
        self.unlisted = false;
        self.names = false;
    }

    /// How many generated moves there is room for.
    pub(crate) fn room(&self) -> usize {
        self.found.capacity()
    }

    /// Offers the move that was drawn, if there is one.
    pub(crate) fn offer_drawn(&mut self, drawn: Option<Drawn<Paid>>) {
        self.among_others = drawn.is_some_and(|drawn| !drawn.alone);
        self.moves.extend(drawn.map(|drawn| drawn.chosen));
    }

    /// Becomes the same without the moves, for somebody who has chosen.
    pub(crate) fn become_copy_without_moves(&mut self, from: &Offered) {
        self.moves.clear();
        self.choices.clone_from(&from.choices);
        self.draw.clone_from(&from.draw);
        (self.can_pass, self.among_others) = (from.can_pass, from.among_others);
        self.unlisted = false;
        self.names = from.names;
    }

    /// Whether there is more than one answer to what is asked.
    pub(crate) fn is_open(&self) -> bool {
        self.moves.len() + self.choices.len() + usize::from(self.can_pass) > 1 || self.among_others
    }

    /// Offers what a permit admits and, instead of a move, some choices; whether there is a move. Whoever draws moves needs
    /// all of them here, for the chance of a choice depends on how many there are.
    pub(crate) fn offer_with(
        &mut self,
        view: &View<'_>,
        permit: &Permitted,
        pass: bool,
        choices: Vec<Choice>,
    ) -> Result<bool, RuleError> {
        let draw = if choices.is_empty() { None } else { self.draw.take() };
        let offered = self.offer(view, permit, pass);
        self.draw = draw.or(self.draw.take());
        self.can_pass = pass && (offered? || !choices.is_empty());
        self.choices = choices;
        Ok(!self.moves.is_empty() || self.unlisted)
    }

    /// Offers what a permit admits; whether that is anything.
    #[inline]
    pub(crate) fn offer(&mut self, view: &View<'_>, permit: &Permitted, pass: bool) -> Result<bool, RuleError> {
        self.clear();
        if self.lazy {
            self.unlisted = permit.exists(view)?;
            self.can_pass = pass && self.unlisted;
            return Ok(self.unlisted);
        }
        match &mut self.draw {
            None => {
                permit.moves(view, &mut self.found)?;
                self.moves.extend(self.found.drain(..).map(|mv| Paid { mv, dice: 0 }));
            }
            Some(Drawing { stream, counts_others }) => {
                let mut draw = Draw { stream, room: &mut self.found, counts_others: *counts_others };
                let drawn = permit.draw_among(view, &mut draw)?;
                let paid =
                    |drawn: Drawn<Move>| Drawn { chosen: Paid { mv: drawn.chosen, dice: 0 }, alone: drawn.alone };
                self.offer_drawn(drawn.map(paid));
            }
        }
        self.can_pass = pass && !self.moves.is_empty();
        Ok(!self.moves.is_empty())
    }
}
