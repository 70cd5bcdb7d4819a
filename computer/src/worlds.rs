//! Worlds that agree with one side's observations: games that went like this one as far as that side can tell, with other
//! outcomes for the rolls and choices hidden from it.
//!
//! A particle filter over the record of the game. Each world is a state with the hidden answers that led to it. Every event
//! known to the side is applied to all worlds; a hidden event is drawn anew in each. A world that then disagrees with the
//! side's observations is dropped. If few worlds are left, more are made from them: hidden answers are changed one or two
//! at a time, and the game is replayed from its start (Metropolis steps). If none are left, hidden fields are filled with
//! values from positions of random games.
//!
//! The game is read through [`Sighting`] alone. The result depends only on the side's observations and the seed: two games
//! that look the same to the side have the same worlds.

mod sighting;
#[cfg(test)]
mod tests;

use self::sighting::{Hidden, Sighting};
use astragal_core::dice::mix;
use astragal_core::{Event, Game, GameError, Position, Ruleset, Side, State, Stream, Unseen};
use std::sync::Arc;

/// The number of worlds kept.
const WORLDS: usize = 256;
/// With fewer worlds left, more are made.
const FEW: usize = 48;
/// The maximum number of events that are replayed to make more worlds: if some are left, and if none are.
const REPLAYED: (usize, usize) = (2_000, 20_000);
/// The maximum number of positions that are filled to make the first worlds, or new ones.
const FILLED: usize = 2 * WORLDS;

/// A world: a state that agrees with the observations, and its history.
#[derive(Clone)]
struct World {
    /// The number of its start.
    start: usize,
    answers: Vec<Hidden>,
    state: State,
}

/// The worlds that a side considers possible in one game.
pub(crate) struct Worlds {
    viewer: Side,
    seed: u64,
    /// The game as it began, and its events so far.
    start: Position,
    events: Vec<Event>,
    /// The state that the game's events have led to; it is only used to make [`Sighting`]s.
    game: State,
    /// The observations since the worlds began.
    seen: Vec<Sighting>,
    worlds: Vec<World>,
    /// The start states of worlds.
    starts: Vec<State>,
    /// Positions of random games, once they are needed.
    unseen: Option<Unseen>,
}

impl Worlds {
    /// The worlds that `viewer` considers possible when a game begins. All sides know `usual`, the position that games
    /// begin with.
    ///
    /// # Errors
    /// If a rule fails or is stopped.
    fn begin(viewer: Side, seed: u64, game: &Game, usual: &Position) -> Result<Worlds, GameError> {
        let mut first = game.clone();
        first.go_back_to(0)?;
        let mut state = first.state().clone();
        state.take_notes();
        let mut worlds = Worlds {
            viewer,
            seed,
            start: game.start().clone(),
            events: Vec::new(),
            game: state,
            seen: Vec::new(),
            worlds: Vec::new(),
            starts: Vec::new(),
            unseen: None,
        };
        let variant = &game.state().ruleset().variant;
        let looks = |position: &Position| position.seen_by(variant, viewer);
        if !hides(variant, viewer) {
            worlds.admit(worlds.game.clone());
        } else if looks(game.start()) == looks(usual) && game.start_dice().is_empty() {
            let mut state = State::new(Arc::clone(game.state().ruleset()), usual.clone())?;
            state.take_notes();
            worlds.admit(state);
        } else {
            worlds.fill(&first, usual, &[])?;
        }
        Ok(worlds)
    }

    /// The worlds that `viewer` considers possible now. `before` holds earlier worlds, which are reused if they are of the
    /// same game.
    ///
    /// # Errors
    /// If a rule fails or is stopped.
    pub(crate) fn of(
        before: Option<Worlds>,
        (viewer, seed): (Side, u64),
        game: &Game,
        usual: &Position,
    ) -> Result<Worlds, GameError> {
        let goes_on = |worlds: &Worlds| {
            let known = worlds.events.len();
            let entries = game.entries();
            worlds.viewer == viewer
                && worlds.start == *game.start()
                && Arc::ptr_eq(worlds.game.ruleset(), game.state().ruleset())
                && known <= entries.len()
                && worlds.events.iter().zip(entries).all(|(event, entry)| *event == entry.event)
        };
        let mut worlds = match before.filter(goes_on) {
            Some(worlds) => worlds,
            None => Worlds::begin(viewer, seed, game, usual)?,
        };
        for entry in &game.entries()[worlds.events.len()..] {
            worlds.see(&entry.event)?;
        }
        if worlds.worlds.is_empty() {
            // Replays the current turn from positions that look like the one it began with.
            let (turn, dice, entries) = game.turn_so_far();
            let set = Arc::clone(game.state().ruleset());
            let turn = match dice {
                [] => Game::new(set, turn.clone(), seed)?,
                dice => Game::in_turn(set, turn.clone(), dice, seed)?,
            };
            let events: Vec<Event> = entries.iter().map(|entry| entry.event.clone()).collect();
            worlds.fill(&turn, usual, &events)?;
        }
        Ok(worlds)
    }

    /// Some of the worlds, each equally likely; fewer than `count` if there are not enough.
    pub(crate) fn draw(&self, count: usize) -> Vec<&State> {
        let mut stream = self.stream(0x6472_6177);
        let mut order: Vec<usize> = (0..self.worlds.len()).collect();
        for i in 0..order.len().min(count) {
            let other = i + stream.below((order.len() - i) as u64) as usize;
            order.swap(i, other);
        }
        order.truncate(count);
        order.into_iter().map(|index| &self.worlds[index].state).collect()
    }

    /// Random numbers that follow from the seed and the number of events, for one `purpose`.
    fn stream(&self, purpose: u64) -> Stream {
        Stream::new(mix(self.seed ^ mix(purpose)), self.events.len() as u64)
    }

    /// Adds a state as a world with its own start.
    fn admit(&mut self, state: State) {
        self.worlds.push(World { start: self.starts.len(), answers: Vec::new(), state: state.clone() });
        self.starts.push(state);
    }

    /// Processes the next event of the game.
    fn see(&mut self, event: &Event) -> Result<(), GameError> {
        let sighting = Sighting::of(&mut self.game, event, self.viewer)?;
        self.events.push(event.clone());
        self.seen.push(sighting);
        let sighting = self.seen.last().expect("what was just seen");
        let mut stream = self.stream(0x7365_6572);
        if sighting.is_hidden() && !self.worlds.is_empty() {
            // Each world continues in its own way.
            let different = self.worlds.len();
            while self.worlds.len() < WORLDS {
                self.worlds.push(self.worlds[stream.below(different as u64) as usize].clone());
            }
        }
        let (mut agree, mut dropped) = (Vec::with_capacity(self.worlds.len()), Vec::new());
        for mut world in std::mem::take(&mut self.worlds) {
            let answers = world.answers.len();
            if sighting.apply(&mut world.state, &mut world.answers, None, &mut stream)? {
                agree.push(world);
            } else {
                world.answers.truncate(answers);
                dropped.push(world);
            }
        }
        self.worlds = agree;
        if !dropped.is_empty() && self.worlds.len() <= FEW {
            // If none are left, others are made from those that agreed until now: from their answers, not their states.
            let none = self.worlds.is_empty();
            let made =
                self.changed(if none { &dropped } else { &self.worlds }, if none { REPLAYED.1 } else { REPLAYED.0 })?;
            self.worlds.extend(made);
        }
        Ok(())
    }

    /// Worlds made from others: changes some hidden answers and replays the game, with at most `most` events in total.
    /// Returns those that agree with the observations.
    fn changed(&self, parents: &[World], most: usize) -> Result<Vec<World>, GameError> {
        let mut made: Vec<World> = Vec::new();
        let (mut stream, mut replayed) = (self.stream(0x6368_616e), 0);
        while replayed < most && made.len() < WORLDS / 2 && !parents.is_empty() {
            // Worlds made here are changed further, so that they diverge.
            let parent = match stream.below((parents.len() + made.len()) as u64) as usize {
                index if index < parents.len() => &parents[index],
                index => &made[index - parents.len()],
            };
            let Some(wanted) = sighting::proposed(&parent.answers, &mut stream) else { break };
            let mut world =
                World { start: parent.start, answers: Vec::new(), state: self.starts[parent.start].clone() };
            let mut agrees = true;
            for sighting in &self.seen {
                replayed += 1;
                if !sighting.apply(&mut world.state, &mut world.answers, Some(&wanted), &mut stream)? {
                    agrees = false;
                    break;
                }
            }
            if agrees {
                made.push(world);
            }
        }
        Ok(made)
    }

    /// Starts over with worlds that begin like `first`, as far as the side can see, and continue with these events.
    fn fill(&mut self, first: &Game, usual: &Position, events: &[Event]) -> Result<(), GameError> {
        let set: &Arc<Ruleset> = first.state().ruleset();
        if self.unseen.is_none() {
            self.unseen = Some(Unseen::learn(set, usual)?);
        }
        let Some(unseen) = &self.unseen else { return Ok(()) };
        let variant = &set.variant;
        let mut game = first.state().clone();
        game.take_notes();
        let looks = game.information_key(self.viewer);
        let mut seen = Vec::new();
        for event in events {
            seen.push(Sighting::of(&mut game, event, self.viewer)?);
        }
        let (blanks, known) = (first.start().blanks(variant, self.viewer), first.start().seen_by(variant, self.viewer));
        let (mut stream, mut worlds, mut starts) = (self.stream(0x6669_6c6c), Vec::new(), Vec::new());
        for _ in 0..FILLED {
            let mut position = known.clone();
            if worlds.len() >= WORLDS || unseen.fill(variant, &mut position, &blanks, &mut stream).is_err() {
                break;
            }
            let began = match first.start_dice() {
                [] => Game::new(Arc::clone(set), position, self.seed).map_err(GameError::from),
                dice => Game::in_turn(Arc::clone(set), position, dice, self.seed),
            };
            let mut state = match began {
                Err(GameError::Rule(error)) if error.is_stop() => return Err(error.into()),
                Err(_) => continue,
                Ok(game) => game.state().clone(),
            };
            state.take_notes();
            if state.information_key(self.viewer) != looks {
                continue;
            }
            let start = state.clone();
            let mut world = World { start: starts.len(), answers: Vec::new(), state };
            let mut agrees = true;
            for sighting in &seen {
                agrees = agrees && sighting.apply(&mut world.state, &mut world.answers, None, &mut stream)?;
            }
            if agrees {
                worlds.push(world);
                starts.push(start);
            }
        }
        (self.worlds, self.starts, self.seen) = (worlds, starts, seen);
        Ok(())
    }
}

/// Whether a position may hide something from `viewer`.
fn hides(variant: &astragal_core::Variant, viewer: Side) -> bool {
    variant.hidden_counters(viewer).next().is_some() || variant.secret_traits().next().is_some()
}
