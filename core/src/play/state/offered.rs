//! The options at a decision.
//!
//! Owns the list of permitted moves (or the one move drawn from them), the list of choices, and the buffers for both. Knows
//! nothing of rules or of the side to move.

use crate::board::square::Square;
use crate::dice::Stream;
use crate::movegen::{Draw, Drawn};
use crate::position::moves::Move;
use crate::rules::error::RuleError;
use crate::rules::permit::Permitted;
use crate::rules::plan::MoveWithDice;
use crate::rules::value::View;

/// An option of a choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A text from the script.
    Text(String),
    /// A square.
    Square(Square),
}

/// How moves are drawn, if they are not listed.
#[derive(Clone)]
pub(super) struct Drawing {
    pub(crate) stream: Stream,
    /// Whether to find out if there was another move.
    pub(crate) counts_others: bool,
}

/// The possible answers.
#[derive(Clone, Default)]
pub(super) struct Offered {
    /// The permitted moves, or the one drawn.
    pub(crate) moves: Vec<MoveWithDice>,
    /// The choices: those of another decision, or the alternatives to a move.
    pub(crate) choices: Vec<Choice>,
    /// Whether the player may pass.
    pub(crate) can_pass: bool,
    /// The way to draw moves, if they are drawn instead of listed.
    pub(crate) draw: Option<Drawing>,
    /// Whether the drawn move may not be the only one.
    pub(crate) among_others: bool,
    /// Whether the move is named, not made.
    pub(crate) names: bool,
    /// Whether moves are only listed on demand.
    pub(crate) lazy: bool,
    /// Whether there are moves that have not been listed.
    pub(crate) unlisted: bool,
    /// Empty between calls: a reusable buffer for generated moves.
    found: Vec<Move>,
}

impl Offered {
    /// Removes all options.
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.choices.clear();
        self.can_pass = false;
        self.among_others = false;
        self.unlisted = false;
        self.names = false;
    }

    /// The capacity of the buffer for generated moves.
    pub(crate) fn room(&self) -> usize {
        self.found.capacity()
    }

    /// Offers the drawn move, if there is one.
    pub(crate) fn offer_drawn(&mut self, drawn: Option<Drawn<MoveWithDice>>) {
        self.among_others = drawn.is_some_and(|drawn| !drawn.alone);
        self.moves.extend(drawn.map(|drawn| drawn.chosen));
    }

    /// Becomes a copy of `from` without the moves, for use after a choice has been made.
    pub(crate) fn become_copy_without_moves(&mut self, from: &Offered) {
        self.moves.clear();
        self.choices.clone_from(&from.choices);
        self.draw.clone_from(&from.draw);
        (self.can_pass, self.among_others) = (from.can_pass, from.among_others);
        self.unlisted = false;
        self.names = from.names;
    }

    /// Whether there is more than one answer.
    pub(crate) fn is_open(&self) -> bool {
        self.moves.len() + self.choices.len() + usize::from(self.can_pass) > 1 || self.among_others
    }

    /// Offers the moves that a permit admits and, instead of a move, some choices; returns whether there is a move. A
    /// random player needs all of them here, since the chance of a choice depends on their number.
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

    /// Offers the moves that a permit admits; returns whether there are any.
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
                self.moves.extend(self.found.drain(..).map(|mv| MoveWithDice { mv, dice: 0 }));
            }
            Some(Drawing { stream, counts_others }) => {
                let mut draw = Draw { stream, room: &mut self.found, counts_others: *counts_others };
                let drawn = permit.draw_among(view, &mut draw)?;
                let paid = |drawn: Drawn<Move>| Drawn {
                    chosen: MoveWithDice { mv: drawn.chosen, dice: 0 },
                    alone: drawn.alone,
                };
                self.offer_drawn(drawn.map(paid));
            }
        }
        self.can_pass = pass && !self.moves.is_empty();
        Ok(!self.moves.is_empty())
    }
}
