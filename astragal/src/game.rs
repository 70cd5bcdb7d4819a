//! A game under way.

use crate::turn::{Chance, Decision, Over, Turn};
use crate::{CompleteTurn, Error, Outcome, Variant, View, odds};
use astragal_core::{Game as Played, Side, Status};
use astragal_dsl::{explain, record, turn_state_text};
use astragal_service::analysis::sequence;

/// A game of a variant with its history. Copies go their own ways; any of them may be sent to another thread.
#[derive(Clone)]
pub struct Game {
    variant: Variant,
    played: Played,
}

impl Game {
    pub(crate) fn new(variant: Variant, played: Played) -> Game {
        Game { variant, played }
    }

    /// Reads the first game of a record, as [`Game::record`] writes it, and plays it through. The variant is found by
    /// the name in the record.
    ///
    /// # Errors
    /// If the record is wrong or names a variant that does not load.
    pub fn from_record(text: &str) -> Result<Game, Error> {
        let (loaded, played) = record::read(text, astragal_dsl::load_named)?;
        Ok(Game { variant: Variant::from_loaded(loaded), played })
    }

    /// The variant that is played.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// What the game waits for: dice, a decision, or nothing more.
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

    /// Does one thing after another as people type it: moves with their dice, choices, passes, faces of rolls, as in
    /// `"roll 3 e2e4"`.
    ///
    /// # Errors
    /// If one of them cannot be done; the game is then as it was.
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

    /// Takes back the last roll, move or choice; false if there is none.
    ///
    /// # Errors
    /// If a rule fails (which it did not the first time).
    pub fn undo(&mut self) -> Result<bool, Error> {
        Ok(self.played.undo()?)
    }

    /// The position: FEN, with more fields where a variant or the turn under way has more to say. A game begun from it goes on
    /// as this one would. All of it: what one side may know is [`Game::view`]'s to tell.
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

    /// Why a move (`"e2e4"`, `"Nf3"`) is or is not permitted now, in words.
    ///
    /// # Errors
    /// If the text is no move, or a rule fails.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::load("chess")?.game(1)?;
    /// assert!(game.why("e2e5")?.starts_with("e2e5 is not permitted"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn why(&self, text: &str) -> Result<String, Error> {
        Ok(explain::why(self.variant.loaded(), &self.played, text)?.text())
    }

    /// What may come of something that can be done now, or of several things one after another: exact chances where
    /// they can be had.
    ///
    /// # Errors
    /// If it cannot be done, it would take too long, or a rule fails.
    pub fn odds(&self, text: &str) -> Result<Vec<Outcome>, Error> {
        odds::outcomes(self, text)
    }

    /// All ways to play the turn under way to its end, each sequence of moves, choices and outcomes of rolls by itself, in
    /// the order in which they are offered; none if the game is over. Asked before a roll, they begin with it.
    ///
    /// # Errors
    /// If there are more than `most`, a turn goes on without end, dice have too many outcomes, or a rule fails.
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

    /// The game as one side may know it, by number among the sides.
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

    /// The board in letters, as [`View::drawing`], for those who may know all.
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

    /// The board as a picture, as [`View::svg`], for those who may know all.
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
