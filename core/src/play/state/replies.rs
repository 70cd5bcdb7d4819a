//! Replies to a waiting game, and games that run with every reply given at once.
//!
//! Owns the way from a reply to the rules that continue with it. Replies take the same way whether they arrive one by one,
//! with other work in between, or from a function that is called as the game goes on.

use super::pending_roll::PendingRoll;
use super::{State, Status};
use crate::rules::error::RuleError;
use crate::rules::plan::MoveWithDice;
use crate::rules::rule::Step;
use crate::rules::walker::Walker;
use std::sync::Arc;

/// An outcome of the dice or a player's decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// An outcome of the dice, by number.
    Roll(u64),
    /// One of the permitted moves.
    Move(MoveWithDice),
    /// A pass, if the player may pass.
    Pass,
    /// A choice, by number.
    Choice(usize),
}

impl State {
    /// Goes on with outcome number `index` of the dice.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// If no dice are waited for or they have no such outcome.
    pub fn roll(&mut self, index: u64) -> Result<(), RuleError> {
        self.go_on(Reply::Roll(index))
    }

    /// Makes one of the permitted moves.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// Unless the move is permitted.
    pub fn play(&mut self, paid: MoveWithDice) -> Result<(), RuleError> {
        self.go_on(Reply::Move(paid))
    }

    /// Passes.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// Unless [`State::can_pass`].
    pub fn pass(&mut self) -> Result<(), RuleError> {
        self.go_on(Reply::Pass)
    }

    /// Makes choice number `index`.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// If there is no such choice.
    pub fn choose(&mut self, index: usize) -> Result<(), RuleError> {
        self.go_on(Reply::Choice(index))
    }

    /// The number of answers to the pending decision: moves, choices, and the pass; 0 if no decision is pending.
    #[inline]
    pub fn replies(&self) -> usize {
        self.moves().len() + self.choices().len() + usize::from(self.can_pass())
    }

    /// Answer number `index` to the pending decision: the moves come first, then the choices, and the pass last.
    #[inline]
    pub fn nth_reply(&self, index: usize) -> Option<Reply> {
        let (moves, choices) = (self.moves(), self.choices().len());
        match index.checked_sub(moves.len()) {
            None => Some(Reply::Move(moves[index])),
            Some(choice) if choice < choices => Some(Reply::Choice(choice)),
            Some(rest) => (rest == choices && self.can_pass()).then_some(Reply::Pass),
        }
    }

    /// Goes on until the game is over or `reply` returns `None`; `reply` is called with the state whenever the game waits.
    /// Equivalent to replying one by one, but faster.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// If a reply is not possible where it is given, as with [`State::roll`], [`State::play`], [`State::pass`] and
    /// [`State::choose`].
    pub fn play_on(&mut self, mut reply: impl FnMut(&State) -> Option<Reply>) -> Result<(), RuleError> {
        while self.status != Status::Over {
            let Some(next) = reply(self) else { return Ok(()) };
            self.expect(next);
            let rules = &*self.enter()?;
            let open = self.asked.is_open();
            self.take(rules, next, open).map_err(|error| self.blamed(rules, self.turn, error))?;
            if self.advance_by(rules, &mut reply)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The state after a reply, for searches: like a copy that goes on, but without earlier notes, and without copying the
    /// moves offered here.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// If the reply is not possible, as with [`State::play_on`].
    pub fn after(&self, reply: Reply) -> Result<State, RuleError> {
        let mut next = State::blank(Arc::clone(&self.set), self.position.clone());
        next.become_after(self, reply)?;
        Ok(next)
    }

    /// Becomes the state [after](State::after) a reply in `from`, reusing the memory of this one: faster for examining many
    /// states in a row.
    ///
    /// # Errors
    /// If a rule fails; then this state must be discarded.
    ///
    /// # Panics
    /// If the reply is not possible, as with [`State::play_on`].
    pub fn become_after(&mut self, from: &State, reply: Reply) -> Result<(), RuleError> {
        self.become_after_by(from, reply, false)
    }

    /// The same for states that may never be continued: if a move is to be decided about then, only its existence is
    /// established until the moves are [listed](State::list_moves).
    ///
    /// # Errors
    /// If a rule fails; then this state must be discarded.
    ///
    /// # Panics
    /// If the reply is not possible, as with [`State::play_on`].
    pub fn become_after_unlisted(&mut self, from: &State, reply: Reply) -> Result<(), RuleError> {
        self.become_after_by(from, reply, true)
    }

    fn become_after_by(&mut self, from: &State, reply: Reply, lazy: bool) -> Result<(), RuleError> {
        from.expect(reply);
        self.become_copy_without_moves(from);
        let rules = &*self.enter()?;
        self.asked.lazy = lazy;
        let taken = self.take(rules, reply, from.asked.is_open());
        taken.map_err(|error| self.blamed(rules, self.turn, error))?;
        self.advance(rules)?;
        self.asked.lazy = false;
        Ok(())
    }

    fn go_on(&mut self, reply: Reply) -> Result<(), RuleError> {
        self.expect(reply);
        let rules = &*self.enter()?;
        let open = self.asked.is_open();
        self.take(rules, reply, open).map_err(|error| self.blamed(rules, self.turn, error))?;
        self.advance(rules)
    }

    /// Panics if a reply is not possible.
    pub(super) fn expect(&self, reply: Reply) {
        match reply {
            Reply::Roll(index) => {
                let shows = |roll: &PendingRoll| roll.has(index) && self.can_roll(index);
                assert!(self.pending_roll().is_some_and(shows), "the dice cannot show this outcome, or no roll is due");
            }
            Reply::Move(paid) => assert!(self.permits(paid), "not a legal move"),
            Reply::Pass => assert!(self.can_pass(), "passing is not possible now"),
            Reply::Choice(index) => assert!(index < self.choices().len(), "there is no such choice"),
        }
    }

    /// Applies a possible reply before the rules go on; `open`: whether a decision had another answer.
    pub(super) fn take(&mut self, rules: &Walker, reply: Reply, open: bool) -> Result<(), RuleError> {
        self.labelled = false;
        match reply {
            Reply::Roll(index) => {
                self.note_secret();
                let answer = self.land(rules, index)?;
                self.follow(rules, answer)
            }
            Reply::Move(paid) if self.asked.names => {
                self.answers.choose(open);
                self.name_move(rules, paid)
            }
            Reply::Move(paid) => {
                self.answers.moved = true;
                self.answers.several |= open;
                self.begin_move(rules, paid)
            }
            Reply::Pass => {
                self.answers.declined = true;
                self.finish_decision(rules)
            }
            Reply::Choice(index) => self.take_choice(rules, index, open),
        }
    }

    #[inline(never)]
    fn take_choice(&mut self, rules: &Walker, index: usize, open: bool) -> Result<(), RuleError> {
        let Some(Step::Decide(decision)) = self.step(rules) else { return Ok(()) };
        self.answers.choose(open);
        self.note_secret();
        self.secret = None;
        let answer = self.answer_choice(rules, &decision, index)?;
        self.follow(rules, answer)
    }
}
