//! What a player is, and the simplest of all: one that decides by chance.
//!
//! All players see the same: a state that waits for one of their decisions. Whoever runs the game rolls the dice.
//! With the same seed and a limit on nodes a player decides alike each time.

use crate::events::legal_events;
use astragal_core::rule::RuleError;
use astragal_core::{Event, Game, GameError, State, Stream};
use thiserror::Error;

/// Why a player does not decide.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// A rule failed.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The game does not let it happen.
    #[error(transparent)]
    Refused(GameError),
    /// The game waits for no decision.
    #[error("there is nothing to decide")]
    Nothing,
    /// It would have to look at what the side may not know: with the game shown, and not the state alone, it need not.
    #[error("this cannot be judged where {0}: it would tell what a side may not know")]
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

/// Somebody who decides.
pub trait Player {
    /// What it is called, as `computer:4`.
    fn name(&self) -> String;

    /// What to do in `state`, which waits for a decision.
    ///
    /// # Errors
    /// If there is none to make, the player must not know what it would have to, or a rule fails.
    fn decide(&mut self, state: &State) -> Result<Event, PlayerError>;

    /// What to do in `game`, which waits for a decision. A player who may not know all of its state goes by what its side has
    /// seen of the game; others decide as in the state.
    ///
    /// # Errors
    /// As [`Player::decide`].
    fn decide_in(&mut self, game: &Game) -> Result<Event, PlayerError> {
        self.decide(game.state())
    }
}

/// Decides by chance.
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
