//! Players that decide by themselves.

use crate::turn::Decision;
use crate::{Action, Error, Variant};
use astragal_computer::Player;
use astragal_lab::opponent as opponents;

/// A player that decides by itself, for any variant.
pub struct Opponent {
    player: Box<dyn Player>,
}

impl Opponent {
    /// The player named by `text`: `random`, `greedy` or `computer:1` to `computer:8`. With the same seed it decides alike
    /// each time. All but `random` look at the variant first, which may take a second; what they learn is kept with the variant.
    ///
    /// # Errors
    /// If there is no such player, or a rule fails.
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
        let opponent = opponents::Opponent::parse(text)?;
        Ok(Opponent { player: opponent.sit_down(|| variant.evaluation(), seed, None)? })
    }

    /// What the player would do, going by what its side may know of the game.
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
