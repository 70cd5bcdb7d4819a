//! The interface of players, and the simplest player: one that decides at random.
//!
//! All players receive the same input: a state that waits for one of their decisions. The caller rolls the dice. With the
//! same seed and a node limit a player decides the same each time.

use crate::events::legal_events;
use astragal_core::rule::RuleError;
use astragal_core::{Event, Game, GameError, State, Stream};
use thiserror::Error;

/// The reason why a player does not decide.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// A rule failed.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The game rejects the event.
    #[error(transparent)]
    Refused(GameError),
    /// The game does not wait for a decision.
    #[error("there is no decision to make")]
    Nothing,
    /// The decision depends on secrets of other sides. A player who receives the game instead of the state alone does not
    /// fail like this.
    #[error("the position cannot be evaluated when {0}: that would reveal secrets")]
    Secret(&'static str),
}

impl From<GameError> for PlayerError {
    fn from(error: GameError) -> PlayerError {
        match error {
            GameError::Rule(error) => PlayerError::Rule(error),
            other => PlayerError::Refused(other),
        }
    }
}

/// A player: makes the decisions of a side.
pub trait Player {
    /// Its name, such as `computer:4`.
    fn name(&self) -> String;

    /// Chooses an event in `state`, which waits for a decision.
    ///
    /// # Errors
    /// If no decision is pending, the player would have to use hidden information, or a rule fails.
    fn decide(&mut self, state: &State) -> Result<Event, PlayerError>;

    /// Chooses an event in `game`, which waits for a decision. A player who may not know the whole state uses the side's
    /// observations of the game; other players decide as in the state.
    ///
    /// # Errors
    /// As [`Player::decide`].
    fn decide_in(&mut self, game: &Game) -> Result<Event, PlayerError> {
        self.decide(game.state())
    }
}

/// A player that decides at random.
pub struct Random {
    random: Stream,
}

impl Random {
    /// A player whose decisions follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random { random: Stream::new(seed, 0x7261_6e64_6f6d) }
    }

    /// One of these events.
    ///
    /// # Errors
    /// If there are none.
    pub(crate) fn pick(&mut self, mut events: Vec<Event>) -> Result<Event, PlayerError> {
        match events.len() {
            0 => Err(PlayerError::Nothing),
            n => Ok(events.swap_remove(self.random.below(n as u64) as usize)),
        }
    }
}

impl Player for Random {
    fn name(&self) -> String {
        "random".into()
    }

    fn decide(&mut self, state: &State) -> Result<Event, PlayerError> {
        self.pick(legal_events(state))
    }
}
