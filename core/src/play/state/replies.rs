//! What somebody does when a game waits for him, and games in which everybody answers at once.
//!
//! Owns the way from a reply to the rules that go on with it. Whether replies come one by one, with other work in
//! between, or from a function that is asked as the game goes on, they take the same way.

use super::{State, Status};
use crate::rules::plan::Paid;
use crate::rules::rule::{RuleError, Step};
use crate::rules::walker::Walker;

/// What the dice show or a player does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// This outcome of the dice, by its number.
    Roll(u64),
    /// One of the permitted moves.
    Move(Paid),
    /// Nothing, where a player may do without a move.
    Pass,
    /// One of the choices, by its number.
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
    pub fn play(&mut self, paid: Paid) -> Result<(), RuleError> {
        self.go_on(Reply::Move(paid))
    }

    /// Does without a move.
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

    /// Goes on until the game is over or `reply` has no answer: it is asked whenever the game waits, with what it
    /// waits for. The same as to reply one by one, only faster.
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
            let rules = &*self.enter()?;
            self.take(rules, next).map_err(|error| self.blamed(rules, self.turn, error))?;
            if self.advance_by(rules, &mut reply)? {
                return Ok(());
            }
        }
        Ok(())
    }

    fn go_on(&mut self, reply: Reply) -> Result<(), RuleError> {
        let rules = &*self.enter()?;
        self.take(rules, reply).map_err(|error| self.blamed(rules, self.turn, error))?;
        self.advance(rules)
    }

    /// What a reply changes before the rules go on.
    #[inline]
    pub(super) fn take(&mut self, rules: &Walker, reply: Reply) -> Result<(), RuleError> {
        match reply {
            Reply::Roll(index) => {
                self.secret_turn |= self.secret.is_some();
                let answer = self.land(rules, index)?;
                self.follow(rules, answer)
            }
            Reply::Move(paid) => {
                assert!(self.permits(paid), "not a permitted move");
                self.answers.moved = true;
                self.answers.several |= self.asked.is_open();
                self.begin_move(rules, paid)
            }
            Reply::Pass => {
                assert!(self.can_pass(), "not a moment to pass");
                self.answers.declined = true;
                self.finish_decision(rules)
            }
            Reply::Choice(index) => self.take_choice(rules, index),
        }
    }

    #[inline(never)]
    fn take_choice(&mut self, rules: &Walker, index: usize) -> Result<(), RuleError> {
        assert!(index < self.choices().len(), "there is no such choice");
        let Some(Step::Decide(decision)) = self.step(rules) else { return Ok(()) };
        self.answers.chose = true;
        self.answers.several |= self.asked.choices.len() > 1;
        self.secret_turn |= self.secret.take().is_some();
        let answer = self.answer_choice(rules, &decision, index)?;
        self.follow(rules, answer)
    }
}
