//! Odds of a move and of a whole turn.

use crate::{Error, Game};
use astragal_core::{Ratio, odds::Certainty};
use astragal_dsl::game_text;
use astragal_service::analysis::{self, sequence, turns};

/// One possible outcome.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Its probability.
    pub probability: Ratio,
    /// Whether the probability is exact; otherwise it is an estimate.
    pub exact: bool,
    /// The script's label, or `win`, `lose`, `draw`, `moved`.
    pub effect: String,
    /// The resulting position.
    pub position: String,
}

/// One way to finish a turn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CompleteTurn {
    /// Its events in order, in the format of [`Game::say`].
    pub text: String,
    /// The exact probability of its rolls.
    pub chance: Ratio,
    /// The resulting position.
    pub position: String,
    /// Whether it ends the game.
    pub ends_game: bool,
}

impl Game {
    /// The outcomes of one or more events from here, with their probabilities, exact where possible.
    ///
    /// # Errors
    /// If an event is not possible, the computation takes too long, or a rule fails.
    pub fn odds(&self, text: &str) -> Result<Vec<Outcome>, Error> {
        outcomes(self, text)
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
        complete_turns(self, most)
    }
}

fn outcomes(game: &Game, text: &str) -> Result<Vec<Outcome>, Error> {
    let mut played = game.played().clone();
    let turn = sequence::follow(&mut played, text, None)?;
    let outcomes = analysis::outcomes(game.variant().loaded(), played.state(), turn)?;
    let outcome = |found: analysis::Outcome| Outcome {
        position: found.told_position(game.variant().loaded()),
        probability: found.probability,
        exact: matches!(found.certainty, Certainty::Exact),
        effect: found.effect,
    };
    Ok(outcomes.into_iter().map(outcome).collect())
}

fn complete_turns(game: &Game, most: usize) -> Result<Vec<CompleteTurn>, Error> {
    let loaded = game.variant().loaded();
    let turn = |found: turns::CompleteTurn| CompleteTurn {
        position: game_text::position(loaded, &found.state),
        ends_game: found.state.over().is_some(),
        text: found.text(),
        chance: found.chance,
    };
    let listed = turns::list(game.played().state(), turns::Listing { limit: most, distinct: false })?;
    match listed.more {
        true => Err(analysis::AnalysisError::from(analysis::TooLarge::Turns(most)).into()),
        false => Ok(listed.turns.into_iter().map(turn).collect()),
    }
}
