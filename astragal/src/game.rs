//! A game in progress.

use crate::{Error, Variant};
use astragal_core::{Game as Played, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::{explain, masked, record, turn_state_text};
use astragal_service::analysis::{known, sequence};
use std::sync::Arc;

/// A game of a variant with its history. Clones are independent, and `Send`.
#[derive(Clone)]
pub struct Game {
    variant: Variant,
    played: Played,
}

impl Variant {
    /// Starts a game with the dice of `seed`.
    ///
    /// # Errors
    /// If a rule of the script fails.
    pub fn game(&self, seed: u64) -> Result<Game, Error> {
        let game = Played::new(Arc::clone(&self.loaded().set), self.loaded().start.clone(), seed)?;
        Ok(Game::new(self.clone(), game))
    }

    /// Starts a game from a position in the format of [`Game::position`]: FEN, with unused dice as a seventh field. If the
    /// text is one side's view, its hidden parts (`?`) are drawn from the seed.
    ///
    /// # Errors
    /// If the text is not a position of this variant, or a rule fails.
    pub fn game_from(&self, position: &str, seed: u64) -> Result<Game, Error> {
        let placed = fen::parse(&self.loaded().set.variant, position)?;
        let game = masked::begin(self.loaded(), placed, seed).map_err(Error::Start)?;
        Ok(Game::new(self.clone(), game))
    }
}

impl Game {
    fn new(variant: Variant, played: Played) -> Game {
        Game { variant, played }
    }

    /// Reads the first game of a record, in the format of [`Game::record`], and replays it. The record names the variant.
    ///
    /// # Errors
    /// If the record is wrong or names a variant that does not load.
    pub fn from_record(text: &str) -> Result<Game, Error> {
        let (loaded, played) = record::read(text, astragal_dsl::load_named)?;
        Ok(Game { variant: Variant::from_loaded(loaded), played })
    }

    /// The variant of the game.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.played.status() == Status::Over
    }

    /// Applies typed events in order: moves with their dice, choices, passes and rolls, such as `"roll 3 e2e4"`.
    ///
    /// # Errors
    /// If one of them is not possible; the game then stays unchanged.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let mut game = astragal::load("dicechess-3")?.game(1)?;
    /// game.say("roll 1,2,5")?;
    /// assert!(game.say("e2e5").unwrap_err().to_string().contains("e2e5"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn say(&mut self, text: &str) -> Result<(), Error> {
        let mut tried = self.played.clone();
        sequence::follow(&mut tried, text, None)?;
        self.played = tried;
        Ok(())
    }

    /// Takes back the last roll, move or choice; returns false if there is none.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn undo(&mut self) -> Result<bool, Error> {
        Ok(self.played.undo()?)
    }

    /// The complete position as FEN, with additional fields for the variant and the current turn. A game started from it
    /// continues like this one. For the view of one side, use [`Game::view`].
    pub fn position(&self) -> String {
        turn_state_text::told(self.variant.loaded(), &self.played)
    }

    /// The game so far as PGN, with its rolls and choices.
    pub fn record(&self) -> String {
        record::write(self.variant.loaded(), &self.played, &[])
    }

    /// The seed of the dice.
    pub fn seed(&self) -> u64 {
        self.played.seed()
    }

    /// Explains why a move (`"e2e4"`, `"Nf3"`) is legal or not.
    ///
    /// # Errors
    /// If the text is not a move, or a rule fails.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::load("chess")?.game(1)?;
    /// assert!(game.why("e2e5")?.starts_with("e2e5 is not legal"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn why(&self, text: &str) -> Result<String, Error> {
        Ok(explain::why(self.variant.loaded(), &self.played, text)?.text())
    }

    /// The bounds of the expected result for the side that decides or rolls next, if both sides play as well as possible: a
    /// win is 1 and a loss -1; points, if the rules award some. `None` if the variant has no
    /// [tables](Variant::with_tables), or they do not have all states that the turn can lead to.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn value(&self) -> Result<Option<(f64, f64)>, Error> {
        let found = known::value(self.played.state(), self.variant.tables())?;
        Ok(found.map(|value| (value.low, value.high)))
    }

    pub(crate) fn played(&self) -> &Played {
        &self.played
    }

    pub(crate) fn played_mut(&mut self) -> &mut Played {
        &mut self.played
    }
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game").field("variant", &self.variant).field("position", &self.position()).finish()
    }
}
