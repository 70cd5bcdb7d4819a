//! The method `chance_outcomes`: the possible rolls of the dice, with their probabilities.

use super::declared::Declared;
use crate::rpc::errors::{NOT_NOW, TOO_LARGE};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{Options, PositionText, SessionNumber, VariantName};
use crate::rpc::request_game::RequestGame;
use crate::rpc::status::pending_json;
use crate::rpc::store::Store;
use astragal_core::{Ratio, State};
use astragal_dsl::game_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The maximum number of outcomes that are listed.
const LISTED: u64 = 10_000;

/// The parameters of `chance_outcomes`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ChanceParameters {
    session: Option<SessionNumber>,
    /// The variant; required if there is no `session`.
    variant: Option<VariantName>,
    options: Option<Options>,
    position: Option<PositionText>,
}

/// The possible rolls.
#[derive(Serialize, JsonSchema)]
pub(super) struct ListedOutcomes {
    /// The dice as text, such as `2d6`.
    dice: String,
    /// Each possible `roll`, in the form of the event `{"roll": ..}`, with its `probability` as a fraction; the
    /// fractions add up to 1. Rolls that the rules reject are left out.
    outcomes: Vec<ChanceOutcome>,
}

/// One possible roll.
#[derive(Serialize, JsonSchema)]
struct ChanceOutcome {
    /// The faces, or the name of the drawn square or move.
    roll: Shown,
    /// Its probability as a fraction: `1/36`.
    probability: String,
}

/// Faces, or a drawn square or move.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Shown {
    Faces(Vec<i16>),
    Drawn([String; 1]),
}

pub(super) struct ChanceOutcomes;

impl Declared for ChanceOutcomes {
    const NAME: &'static str = "chance_outcomes";
    const ABOUT: &'static str = "Lists the possible outcomes of the next roll, each with its probability.";
    const EXAMPLE: &'static str = include_str!("examples/chance_outcomes.json");
    type Parameters = ChanceParameters;
    type Answer = ListedOutcomes;

    fn answer(store: &mut Store, asked: ChanceParameters) -> Result<ListedOutcomes, RpcError> {
        if let Some(number) = asked.session {
            return outcomes(store.session(number.0.0)?.game.state());
        }
        let name = asked.variant.ok_or_else(|| RpcError::param("variant", "a name, or a 'session'", "nothing"))?;
        let game = RequestGame::set_up(&mut store.variants, &name, asked.options.as_ref(), asked.position.as_ref())?;
        outcomes(game.with_roll(None)?.state())
    }
}

fn outcomes(state: &State) -> Result<ListedOutcomes, RpcError> {
    let Some(dice) = state.dice() else {
        return Err(RpcError::new(NOT_NOW, "the game is not waiting for a roll").with("pending", pending_json(state)));
    };
    if dice.outcomes() > LISTED {
        let error = RpcError::new(TOO_LARGE, format!("{dice} has more than {LISTED} outcomes"));
        return Err(error.with("limit", LISTED));
    }
    let possible: Vec<u64> = (0..dice.outcomes()).filter(|&index| state.can_roll(index)).collect();
    let total: u128 = possible.iter().map(|&index| u128::from(dice.weight(index))).sum();
    let drawn = game_text::drawn(state);
    let one = |index: u64| ChanceOutcome {
        roll: match drawn.get(index as usize) {
            Some(name) => Shown::Drawn([name.clone()]),
            None => Shown::Faces(dice.outcome(index)),
        },
        probability: Ratio::new(u128::from(dice.weight(index)), total).to_string(),
    };
    Ok(ListedOutcomes { dice: dice.to_string(), outcomes: possible.into_iter().map(one).collect() })
}
