//! How turns begin and end.
//!
//! Owns the values that are reset and remembered from turn to turn, the preparation of the first turn, and the adjudication
//! between steps. Knows nothing of what happens within a turn.

use super::machine::begin_tree;
use super::{Answers, EndedTurn, Note, State, view};
use crate::board::side::Side;
use crate::movegen::{self, Filter, Safety};
use crate::position::moves::Tag;
use crate::rules::error::{RuleError, Task};
use crate::rules::hook::Hook;
use crate::rules::meter::TURN;
use crate::rules::movement;
use crate::rules::rule::NodeId;
use crate::rules::value::Value;
use crate::rules::walker::Walker;
use std::sync::{Arc, PoisonError};

impl State {
    #[inline(never)]
    pub(super) fn begin_turn(&mut self, rules: &Walker) -> Result<(), RuleError> {
        self.set_out();
        let env = std::mem::take(&mut self.spare);
        if self.is_unprepared() {
            return self.begin_preparation(rules, env);
        }
        self.push(rules, Hook::Turn, env)
    }

    /// Initializes a turn.
    #[inline]
    fn set_out(&mut self) {
        self.mover = self.position.side();
        self.between = false;
        self.changed = false;
        self.eventful = false;
        self.answers = Answers::default();
        self.outcome_pending = false;
        self.secret_to = 0;
        self.begun = None;
        self.course.next = None;
    }

    /// Equivalent to leaving the frame of the ended turn and beginning the next with a new one.
    #[inline(never)]
    pub(super) fn turn_over(&mut self, rules: &Walker) -> Result<(), RuleError> {
        self.end_turn(rules)?;
        if self.course.over.is_some() || self.is_unprepared() {
            self.frames.pop();
            return Ok(());
        }
        self.set_out();
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.env.clear();
        frame.waiting = None;
        frame.making = None;
        frame.progress = None;
        frame.paused.clear();
        if let Some(mut memo) = frame.memo.take()
            && let Some(unshared) = Arc::get_mut(&mut memo)
        {
            unshared.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
            self.spare_memo = Some(memo);
        }
        frame.last = None;
        frame.node = NodeId::ROOT;
        let known = rules.reuse_tree(Hook::Turn, &mut frame.tree);
        if known {
            return Ok(());
        }
        rules.show(&view!(self, rules, &self.position, &frame.env));
        begin_tree(rules, frame)
    }

    /// The preparation is complete once the first turn has begun. Until a player has been asked, the position to restart
    /// from is that before the preparation.
    fn begin_preparation(&mut self, rules: &Walker, env: Vec<Value>) -> Result<(), RuleError> {
        self.begun = Some(Box::new(self.position.clone()));
        if let Some(counter) = self.set.variant.spec().unprepared {
            self.position.set_counter(&self.set.variant, counter as usize, Side::FIRST, 0);
        }
        self.push(rules, Hook::Prepare, env)
    }

    /// The first turn is that of the side to move, or of the side that the rules have named.
    pub(super) fn end_preparation(&mut self, rules: &Walker) -> Result<(), RuleError> {
        let first = self.course.next.take().unwrap_or(self.mover);
        self.position.set_side(&self.set.variant, first);
        let sides = self.set.variant.sides() as u8;
        self.mover = Side((first.0 + sides - 1) % sides);
        self.turn += 1;
        self.history.clear();
        self.remember(rules)?;
        self.between = true;
        self.adjudicate(rules)
    }

    /// Adjudicates after a move that did not end the turn; true if that ended the game.
    #[inline(never)]
    pub(super) fn adjudicate_move(&mut self, rules: &Walker) -> Result<bool, RuleError> {
        // Before the first turn there is nothing to adjudicate.
        let prepared = self.frames.first().is_none_or(|frame| frame.rule != Hook::Prepare.id());
        if std::mem::take(&mut self.outcome_pending) && prepared {
            self.adjudicate(rules)?;
        }
        Ok(self.course.over.is_some())
    }

    /// Adjudicates, unless the game is over.
    #[inline]
    pub(super) fn adjudicate(&mut self, rules: &Walker) -> Result<(), RuleError> {
        if self.course.over.is_some() {
            return Ok(());
        }
        rules.adjudicate(&view!(self, rules, &self.position, &[]), &mut self.course.over)
    }

    fn end_turn(&mut self, rules: &Walker) -> Result<(), RuleError> {
        rules.meter().charge(Task::Turning, TURN)?;
        let variant = &self.set.variant;
        let mover = self.mover;
        let answers = self.turn_so_far();
        self.notes.push(Note::Ended(EndedTurn { side: mover, number: self.position.number(), answers }));
        self.turn += 1;
        let next = self.course.next.take().unwrap_or_else(|| self.position.after(variant, self.mover));
        self.position.end_turn(variant, next);
        self.idle = if self.eventful || self.changed { 0 } else { self.idle + 1 };
        if self.idle > 2 * variant.sides() {
            self.course.end(None, "nobody can move");
        }
        if self.changed {
            self.remember(rules)?;
        }
        self.between = true;
        self.adjudicate(rules)
    }

    /// Records the present position for the count of repetitions.
    pub(super) fn remember(&mut self, rules: &Walker) -> Result<(), RuleError> {
        let variant = &self.set.variant;
        self.history.push(self.key());
        if variant.spec().track_checks {
            let check = movement::in_check(&view!(self, rules, &self.position, &[]), self.position.side())?;
            self.history.note(self.mover, check);
        }
        Ok(())
    }

    /// The hash for counting repetitions: an en passant right only counts if it can be used.
    fn key(&self) -> u64 {
        if self.position.en_passant().is_empty() {
            return self.position.hash();
        }
        let variant = &self.set.variant;
        let own = self.position.of(self.position.side());
        let passers = |square| variant.tables.passers(self.position.side(), square);
        if self.position.en_passant().iter().all(|right| (own & passers(right.target)).is_empty()) {
            let rights = self.position.en_passant().iter();
            return rights.fold(self.position.hash(), |key, right| key ^ variant.zobrist.en_passant(right.target));
        }
        let mut moves = Vec::new();
        movegen::generate(variant, &self.position, self.position.side(), Safety::Policy, Filter::ALL, &mut moves);
        let usable = |square| moves.iter().any(|mv| mv.tag == Tag::EnPassant && mv.to == square);
        let mut position = self.position.clone();
        position.retain_en_passant(variant, |right| usable(right.target));
        position.hash()
    }
}
