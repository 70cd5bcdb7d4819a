//! A game as its callers see it: a start, a seed, the events so far, and the state they lead to.
//!
//! Every caller (prompt, server, tests, search) uses the same loop: check the status, then roll, play or choose. The events
//! alone rebuild the game; undo replays all but the last one.

use crate::board::side::Side;
use crate::dice::Stream;
use crate::play::state::{Note, Ruleset, State, Status};
use crate::position::Position;
use crate::rules::error::{RuleError, Task};
use crate::rules::plan::MoveWithDice;
use std::sync::Arc;
use thiserror::Error;

/// An event: an action of a player, or a roll.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A roll.
    Roll(Vec<i16>),
    /// A move, and the faces that paid for it.
    Move(MoveWithDice),
    /// The player passed.
    Pass,
    /// A choice, by its number.
    Choice(usize),
}

/// An event with its consequences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryEntry {
    /// The event.
    pub event: Event,
    /// Automatic events that followed.
    pub notes: Vec<Note>,
    /// For a roll or a choice in secret: the only side that knows it.
    pub secret: Option<Side>,
}

/// The reason why an event is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// A rule failed.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The game waits for another kind of event.
    #[error("{}", not_now(*.status, offered))]
    NotNow {
        /// The status that the game waits in.
        status: Status,
        /// The kind of input that was attempted.
        offered: &'static str,
    },
    /// The dice cannot show these faces.
    #[error("{dice} cannot show {}", faces(.offered))]
    Roll {
        /// The dice.
        dice: String,
        /// The faces given.
        offered: Vec<i16>,
    },
    /// No turn has exactly these dice left.
    #[error("no roll of {dice} leaves {} unused here", faces(.offered))]
    Rest {
        /// The dice of the turn.
        dice: String,
        /// The faces given as left.
        offered: Vec<i16>,
    },
    /// The dice would be rolled again, since no move follows from these faces.
    #[error("the roll {} allows no move, so the dice are rolled again", faces(.0))]
    Rerolled(Vec<i16>),
    /// The move is not permitted.
    #[error("this move is not legal")]
    Move,
    /// There is no such choice.
    #[error("there is no choice number {0}")]
    Choice(usize),
}

fn not_now(status: Status, offered: &str) -> String {
    let awaited = match status {
        Status::Chance => "a roll",
        Status::Move => "a move",
        Status::Choice => "a choice",
        Status::Over => return "the game is over".into(),
    };
    format!("the game is waiting for {awaited}, not for {offered}")
}

fn faces(faces: &[i16]) -> String {
    faces.iter().map(i16::to_string).collect::<Vec<_>>().join(" ")
}

/// A running game with its history. See the [module](self).
#[derive(Clone)]
pub struct Game {
    start: Position,
    /// The unused dice of a turn in progress at the start.
    start_dice: Vec<i16>,
    opening: Vec<Note>,
    state: State,
    seed: u64,
    entries: Vec<HistoryEntry>,
    /// The start of the current turn: the position, and the number of events before it.
    turn_start: Position,
    turn_from: usize,
}

/// Dice with more outcomes than this are not tried one by one.
const MOST_TRIED: u64 = 1_000_000;

impl Game {
    /// A game from `start` whose dice come from `seed`.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn new(set: Arc<Ruleset>, start: Position, seed: u64) -> Result<Game, RuleError> {
        let mut state = State::new(set, start.clone())?;
        let opening = state.take_notes();
        let turn_start = state.turn_start().clone();
        Ok(Game { start, start_dice: Vec::new(), opening, state, seed, entries: Vec::new(), turn_start, turn_from: 0 })
    }

    /// A game that starts in the middle of a turn, with some dice rolled and not yet used. If these are as many as the
    /// rules roll, they are the roll.
    ///
    /// # Errors
    /// If no turn of the rules has exactly these dice left, or a rule fails.
    pub fn in_turn(set: Arc<Ruleset>, start: Position, unused: &[i16], seed: u64) -> Result<Game, GameError> {
        let mut game = Game::new(set, start, seed)?;
        let Some(dice) = game.state.dice().cloned() else {
            // The position already determines the dice of the turn.
            let under_way = game.state.resume(unused)?;
            game.start_dice = unused.to_vec();
            return if under_way { Ok(game) } else { Err(game.not_now("a roll")) };
        };
        if dice.dice.len() <= unused.len() {
            let index = dice.index_of(unused);
            let bad = || GameError::Roll { dice: dice.to_string(), offered: unused.to_vec() };
            game.state.roll(index.ok_or_else(bad)?)?;
        } else {
            game.state =
                game.resumed(unused)?.ok_or(GameError::Rest { dice: dice.to_string(), offered: unused.to_vec() })?;
        }
        game.opening.extend(game.state.take_notes());
        game.start_dice = unused.to_vec();
        Ok(game)
    }

    /// The state after some roll with only the dice `unused` left. The other dice do not matter, since they are spent; the
    /// first roll that fits is used.
    fn resumed(&self, unused: &[i16]) -> Result<Option<State>, RuleError> {
        let Some(dice) = self.state.dice().cloned() else { return Ok(None) };
        if dice.outcomes() > MOST_TRIED {
            return Ok(None);
        }
        let rules = self.state.walker();
        let meter = rules.meter();
        let begun = meter.total();
        for index in (0..dice.outcomes()).filter(|&i| self.state.can_roll(i)) {
            let mut faces = dice.outcome(index);
            if !unused.iter().all(|u| faces.iter().position(|f| f == u).map(|i| faces.remove(i)).is_some()) {
                continue;
            }
            let mut state = self.state.clone();
            state.roll(index)?;
            if state.resume(unused)? {
                return Ok(Some(state));
            }
            // Many rolls together may take as much work as one event.
            meter.allow(Task::Running, meter.total() - begun)?;
        }
        Ok(None)
    }

    /// The unused dice of the turn in progress at the start; empty if the game began with a new turn.
    pub fn start_dice(&self) -> &[i16] {
        &self.start_dice
    }

    /// The current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The current status of the game.
    pub fn status(&self) -> Status {
        self.state.status()
    }

    /// The position that the game began with.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// What happened before the first event.
    pub fn opening(&self) -> &[Note] {
        &self.opening
    }

    /// The current turn: its first known position, the unused dice there (empty at the beginning of a turn), and the events
    /// since.
    pub fn turn_so_far(&self) -> (&Position, &[i16], &[HistoryEntry]) {
        if self.turn_from > 0 || self.start_dice.is_empty() {
            (&self.turn_start, &[], &self.entries[self.turn_from..])
        } else {
            (&self.start, &self.start_dice, &self.entries)
        }
    }

    /// The seed of the dice.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The events so far.
    pub fn entries(&self) -> &[HistoryEntry] {
        &self.entries
    }

    /// Rolls the pending dice, from the game's seed and the number of events so far.
    ///
    /// # Errors
    /// If no roll is pending, or a rule fails.
    pub fn roll(&mut self) -> Result<Vec<i16>, GameError> {
        let Some(dice) = self.state.dice().cloned() else { return Err(self.not_now("a roll")) };
        let index = self.state.draw(&mut Stream::new(self.seed, self.entries.len() as u64));
        let faces = dice.outcome(index);
        self.commit(Event::Roll(faces.clone()), |state| state.roll(index))?;
        Ok(faces)
    }

    /// Sets the pending dice to `faces`. If there are more faces than dice and the rules continue with another roll, that
    /// roll takes the rest.
    ///
    /// # Errors
    /// If no roll is pending, the dice cannot show the faces, or a rule fails. The game is then unchanged.
    pub fn set_roll(&mut self, faces: &[i16]) -> Result<(), GameError> {
        if self.state.dice().is_none_or(|dice| faces.len() <= dice.dice.len()) {
            return self.set_one_roll(faces, faces);
        }
        let mut trial = self.clone();
        let mut left = faces;
        while !left.is_empty() {
            if trial.status() != Status::Chance
                && let Some(dice) = self.state.dice()
            {
                return Err(GameError::Roll { dice: dice.to_string(), offered: faces.to_vec() });
            }
            let count = trial.state.dice().map_or(0, |dice| dice.dice.len());
            let (now, rest) = left.split_at(count.min(left.len()));
            trial.set_one_roll(now, left)?;
            left = rest;
        }
        *self = trial;
        Ok(())
    }

    /// Sets the pending dice to `faces`; error messages quote `offered` as the input.
    fn set_one_roll(&mut self, faces: &[i16], offered: &[i16]) -> Result<(), GameError> {
        let Some(dice) = self.state.dice().cloned() else { return Err(self.not_now("a roll")) };
        let bad = || GameError::Roll { dice: dice.to_string(), offered: offered.to_vec() };
        let index = dice.index_of(faces).ok_or_else(bad)?;
        if !self.state.can_roll(index) {
            return Err(GameError::Rerolled(faces.to_vec()));
        }
        self.commit(Event::Roll(faces.to_vec()), |state| state.roll(index))
    }

    /// Makes a permitted move.
    ///
    /// # Errors
    /// If no move is pending, it is not permitted, or a rule fails.
    pub fn play(&mut self, paid: MoveWithDice) -> Result<(), GameError> {
        if self.status() != Status::Move {
            return Err(self.not_now("a move"));
        }
        if !self.state.permits(paid) {
            return Err(GameError::Move);
        }
        self.commit(Event::Move(paid), |state| state.play(paid))
    }

    /// Passes.
    ///
    /// # Errors
    /// If the rules do not allow it now, or a rule fails.
    pub fn pass(&mut self) -> Result<(), GameError> {
        if !self.state.can_pass() {
            return Err(self.not_now("a pass"));
        }
        self.commit(Event::Pass, State::pass)
    }

    /// Makes choice number `index`.
    ///
    /// # Errors
    /// If no choice is pending, the number is out of range, or a rule fails.
    pub fn choose(&mut self, index: usize) -> Result<(), GameError> {
        if self.state.choices().is_empty() {
            return Err(self.not_now("a choice"));
        }
        if index >= self.state.choices().len() {
            return Err(GameError::Choice(index));
        }
        self.commit(Event::Choice(index), |state| state.choose(index))
    }

    /// Takes back the last event; false if there is none.
    ///
    /// # Errors
    /// If a rule fails (which it did not the first time).
    pub fn undo(&mut self) -> Result<bool, GameError> {
        let Some(last) = self.entries.len().checked_sub(1) else { return Ok(false) };
        self.go_back_to(last)?;
        Ok(true)
    }

    /// Returns to the state after the first `events` events and drops the later ones. Also possible after a rule has failed
    /// and the game cannot continue.
    ///
    /// # Errors
    /// If a rule fails (which it did not the first time).
    pub fn go_back_to(&mut self, events: usize) -> Result<(), GameError> {
        let set = Arc::clone(self.state.ruleset());
        let mut game = match self.start_dice.as_slice() {
            [] => Game::new(set, self.start.clone(), self.seed)?,
            dice => Game::in_turn(set, self.start.clone(), dice, self.seed)?,
        };
        for entry in self.entries.iter().take(events) {
            game.apply(&entry.event)?;
        }
        *self = game;
        Ok(())
    }

    /// Applies an event of a record.
    ///
    /// # Errors
    /// If the game does not allow it, or a rule fails.
    pub fn apply(&mut self, event: &Event) -> Result<(), GameError> {
        match event {
            Event::Roll(faces) => self.set_roll(faces),
            Event::Move(paid) => self.play(*paid),
            Event::Pass => self.pass(),
            Event::Choice(index) => self.choose(*index),
        }
    }

    fn not_now(&self, offered: &'static str) -> GameError {
        GameError::NotNow { status: self.status(), offered }
    }

    fn commit(&mut self, event: Event, act: impl FnOnce(&mut State) -> Result<(), RuleError>) -> Result<(), GameError> {
        let secret = self.state.secret();
        let mut state = self.state.clone();
        act(&mut state)?;
        let notes = state.take_notes();
        let turn_over = state.turn() != self.state.turn();
        self.state = state;
        self.entries.push(HistoryEntry { event, notes, secret });
        if turn_over {
            self.turn_start = self.state.turn_start().clone();
            self.turn_from = self.entries.len();
        }
        Ok(())
    }
}
