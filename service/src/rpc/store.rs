//! What the server keeps between requests: loaded variants, and the games that clients have opened.
//!
//! A game is named by a number that is never given twice. Invariant: between requests every open game can be gone on
//! with; one that a rule has failed in has been taken back to where it stood.

use super::errors::{NO_SESSION, TOO_LARGE};
use super::message::RpcError;
use super::request_game::RequestGame;
use crate::variant_cache::VariantCache;
use std::collections::BTreeMap;

/// The most games that are open at once.
pub(super) const MAX_SESSIONS: usize = 1_000;

/// The most events of an open game: its history is kept, since repetition counts.
pub(super) const MAX_EVENTS: usize = 20_000;

/// A game that stays between requests.
pub(super) struct Session {
    /// The game, with all that has happened in it.
    pub(super) game: RequestGame,
    /// Whether the server rolls the dice, from the game's seed.
    pub(super) rolls: Rolls,
}

/// When the server rolls the dice of an open game, from the game's seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rolls {
    /// Never: whoever plays says what they show.
    Never,
    /// Where an event asks for it.
    WhenAsked,
    /// As soon as the rules wait for dice.
    AtOnce,
}

/// What is kept. See the [module](self).
#[derive(Default)]
pub(super) struct Store {
    /// Loaded variants.
    pub(super) variants: VariantCache,
    sessions: BTreeMap<u64, Session>,
    /// How many games have been opened.
    opened: u64,
}

impl Store {
    /// Keeps nothing yet.
    pub(super) fn of(variants: VariantCache) -> Store {
        Store { variants, ..Store::default() }
    }

    /// Forgets all variants and games.
    pub(super) fn clear(&mut self) {
        self.variants.clear();
        self.sessions.clear();
    }

    /// Keeps a game; its number.
    ///
    /// # Errors
    /// If too many are open.
    pub(super) fn open(&mut self, session: Session) -> Result<u64, RpcError> {
        if self.sessions.len() >= MAX_SESSIONS {
            let error = RpcError::new(TOO_LARGE, format!("{MAX_SESSIONS} games are open: close one first"));
            return Err(error.with("limit", MAX_SESSIONS));
        }
        self.opened += 1;
        self.sessions.insert(self.opened, session);
        Ok(self.opened)
    }

    /// An open game.
    ///
    /// # Errors
    /// If there is none of this number.
    pub(super) fn session(&mut self, number: u64) -> Result<&mut Session, RpcError> {
        self.sessions.get_mut(&number).ok_or_else(|| no_session(number))
    }

    /// Takes an open game out.
    ///
    /// # Errors
    /// If there is none of this number.
    pub(super) fn close(&mut self, number: u64) -> Result<Session, RpcError> {
        self.sessions.remove(&number).ok_or_else(|| no_session(number))
    }
}

fn no_session(number: u64) -> RpcError {
    let error = RpcError::new(NO_SESSION, format!("no game {number} is open: 'open' begins one and names its number"));
    error.with("field", "session")
}
