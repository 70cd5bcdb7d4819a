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

pub(crate) fn outcomes(game: &Game, text: &str) -> Result<Vec<Outcome>, Error> {
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

pub(crate) fn complete_turns(game: &Game, most: usize) -> Result<Vec<CompleteTurn>, Error> {
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
