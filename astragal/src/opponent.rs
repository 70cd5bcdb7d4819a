//! Computer players.

use crate::turn::Decision;
use crate::{Action, Error, Variant};
use astragal_computer::Player;
use astragal_lab::learning::file;
use astragal_lab::opponent as opponents;

/// A computer player for any variant.
pub struct Opponent {
    player: Box<dyn Player>,
}

impl Opponent {
    /// Creates the player named by `text`: `random`, `greedy`, `computer:1` to `computer:8`, `learned` for the trained
    /// player that comes with the variant, or `learned:FILE` for one that `astragal train` has written. The same seed gives the same
    /// decisions. All but `random` first examine the variant, which can take a second; the result is kept with the variant.
    ///
    /// # Errors
    /// If there is no such player, its file cannot be used, or a rule fails.
    ///
    /// ```
    /// # use astragal::{Opponent, Turn};
    /// # fn main() -> Result<(), astragal::Error> {
    /// let variant = astragal::load("dice-chess")?;
    /// let mut greedy = Opponent::new("greedy", &variant, 1)?;
    /// let mut game = variant.game_from("k7/8/8/8/3q4/4P3/8/K7 w", 1)?;
    /// game.say("roll 1,1")?;
    /// if let Turn::Decide(mut decision) = game.turn() {
    ///     let action = greedy.choose(&decision)?;
    ///     assert_eq!(action.to_string(), "exd4");
    ///     decision.play(action)?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(text: &str, variant: &Variant, seed: u64) -> Result<Opponent, Error> {
        let opponent = opponents::Opponent::parse_with(text, &|name| file::open(variant.loaded(), name))?;
        Ok(Opponent { player: opponent.sit_down(|| variant.evaluation(), seed, None)? })
    }

    /// The player's decision, based only on the information state of its side.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn choose(&mut self, decision: &Decision<'_>) -> Result<Action, Error> {
        decision.chosen_by(&mut *self.player)
    }
}

impl std::fmt::Debug for Opponent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Opponent").field(&self.player.name()).finish()
    }
}
