//! The data that the server keeps between requests: loaded variants, and the games that clients have opened.
//!
//! Each game has a number that is never reused. Invariant: between requests, every open game can be continued. If a rule
//! fails, the game is taken back to its state before the request.

use super::edited::Edited;
use super::errors::{NO_SESSION, TOO_LARGE};
use super::message::RpcError;
use super::request_game::RequestGame;
use super::trained::TrainedPlayers;
use crate::variant_cache::VariantCache;
use astragal_lab::learning::Trainer;
use astragal_lab::solve::Solver;
use astragal_lab::solve::table::{Origin, Tables};
use std::collections::BTreeMap;

/// The maximum number of games that are open at once.
pub(super) const MAX_SESSIONS: usize = 1_000;

/// The maximum number of events of an open game: its history is kept, since repetition counts.
pub(super) const MAX_EVENTS: usize = 20_000;

/// A game that stays between requests.
pub(super) struct Session {
    /// The game with its history.
    pub(super) game: RequestGame,
    /// Whether the server rolls the dice, from the game's seed.
    pub(super) rolls: Rolls,
}

/// An ending that is being solved.
pub(super) struct Unsolved {
    /// The digest of its rules.
    pub(super) rules: String,
    /// Where it begins.
    pub(super) from: Origin,
    /// The solver so far.
    pub(super) solver: Solver,
}

/// Training that later requests continue.
pub(super) struct Training {
    /// The digest of its rules.
    pub(super) rules: String,
    /// The fingerprint of the position where its games begin.
    pub(super) start: u64,
    /// The trainer with all that it has learned.
    pub(super) trainer: Trainer,
    /// The maximum number of games of a round: fewer, if the time of a request was too short for more.
    pub(super) round: u64,
}

/// When the server rolls the dice of an open game, from the game's seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rolls {
    /// Never: the client sends the faces.
    Never,
    /// Where an event asks for it.
    WhenAsked,
    /// As soon as the rules wait for dice.
    AtOnce,
}

/// The stored data. See the [module](self).
#[derive(Default)]
pub(super) struct Store {
    /// Loaded variants.
    pub(super) variants: VariantCache,
    sessions: BTreeMap<u64, Session>,
    /// Tables of solved states.
    pub(super) tables: Tables,
    /// An ending that is not solved yet: the time of a request did not suffice.
    pub(super) unsolved: Option<Unsolved>,
    /// The files of trained players.
    pub(super) trained: TrainedPlayers,
    /// The last training.
    pub(super) training: Option<Training>,
    /// The script that is being edited.
    pub(super) edited: Edited,
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
        self.edited = Edited::default();
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
    let message = format!("game {number} is not open: call 'open' to start a game and get its number");
    let error = RpcError::new(NO_SESSION, message);
    error.with("field", "session")
}
