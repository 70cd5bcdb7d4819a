//! A game in progress.

use crate::turn::{Chance, Decision, Over, Turn};
use crate::{CompleteTurn, Error, Outcome, Variant, View, odds};
use astragal_core::{Game as Played, Side, Status};
use astragal_dsl::{explain, record, turn_state_text};
use astragal_service::analysis::{known, sequence};

/// A game of a variant with its history. Clones are independent, and `Send`.
#[derive(Clone)]
pub struct Game {
    variant: Variant,
    played: Played,
}

impl Game {
    pub(crate) fn new(variant: Variant, played: Played) -> Game {
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

    /// The current state: waiting for dice, waiting for a decision, or over.
    pub fn turn(&mut self) -> Turn<'_> {
        match self.played.status() {
            Status::Chance => Turn::Chance(Chance::new(self)),
            Status::Move | Status::Choice => Turn::Decide(Decision::new(self)),
            Status::Over => Turn::Over(Over::of(&self.played)),
        }
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

    /// The outcomes of one or more events from here, with their probabilities, exact where possible.
    ///
    /// # Errors
    /// If an event is not possible, the computation takes too long, or a rule fails.
    pub fn odds(&self, text: &str) -> Result<Vec<Outcome>, Error> {
        odds::outcomes(self, text)
    }

    /// All ways to finish the current turn: every sequence of moves, choices and rolls, in the order in which they are
    /// offered. Empty if the game is over. Before a roll, each sequence starts with the roll.
    ///
    /// # Errors
    /// If there are more than `most`, a turn never ends, dice have too many outcomes, or a rule fails.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let variant = astragal::load("dicechess-3")?;
    /// let mut game = variant.game_from("4k3/8/8/8/8/8/3P4/4K3 w", 1)?;
    /// game.say("roll 1,1,2")?;
    /// let turns = game.complete_turns(1000)?;
    /// assert_eq!(turns[0].text, "d3 d4");
    /// assert!(turns[0].position.starts_with("4k3/8/8/8/3P4/8/8/4K3 b"));
    /// assert!(matches!(game.complete_turns(0), Err(astragal::Error::TooLarge(_))));
    /// # Ok(())
    /// # }
    /// ```
    pub fn complete_turns(&self, most: usize) -> Result<Vec<CompleteTurn>, Error> {
        odds::complete_turns(self, most)
    }

    /// The game as seen by one side, from 0.
    ///
    /// # Errors
    /// If there is no such side.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::load("chess")?.game(1)?;
    /// assert_eq!(game.view(1)?.position(), game.position());
    /// assert!(matches!(game.view(2), Err(astragal::Error::NoSide { side: 2, sides: 2 })));
    /// # Ok(())
    /// # }
    /// ```
    pub fn view(&self, side: usize) -> Result<View<'_>, Error> {
        let sides = self.variant.loaded().set.variant.sides();
        match u8::try_from(side) {
            Ok(number) if side < sides => Ok(View::new(self, Some(Side(number)))),
            _ => Err(Error::NoSide { side, sides }),
        }
    }

    /// The board in letters, like [`View::drawing`], without hiding anything.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::load("chess")?.game(1)?;
    /// assert!(game.drawing().starts_with("8 r n b q k b n r\n7 p p p p p p p p\n"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn drawing(&self) -> String {
        View::new(self, None).drawing()
    }

    /// The board as a picture, like [`View::svg`], without hiding anything.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::load("chess")?.game(1)?;
    /// assert!(game.svg().contains("<title>Chess</title>"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn svg(&self) -> String {
        View::new(self, None).svg()
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
