//! What may come of a move.

use crate::{Error, Game};
use astragal_core::{Ratio, odds::Certainty};
use astragal_service::analysis::{self, sequence};

/// One of the things that something may lead to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// How likely it is.
    pub probability: Ratio,
    /// Whether that is exact; else it is an estimate.
    pub exact: bool,
    /// The script's word for it, or `win`, `lose`, `draw`, `moved`.
    pub effect: String,
    /// The position that it leads to.
    pub position: String,
}

pub(crate) fn of(game: &Game, text: &str) -> Result<Vec<Outcome>, Error> {
    let mut played = game.played().clone();
    let turn = sequence::follow(&mut played, text, None)?;
    let outcomes = analysis::outcomes(game.variant().loaded(), played.state(), turn)?;
    let outcome = |found: analysis::Outcome| Outcome {
        probability: found.probability,
        exact: matches!(found.certainty, Certainty::Exact),
        effect: found.effect,
        position: found.position,
    };
    Ok(outcomes.into_iter().map(outcome).collect())
}
