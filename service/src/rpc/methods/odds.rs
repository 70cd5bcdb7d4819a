//! The method `odds`: the outcomes of a move, with exact probabilities.

use super::declared::Declared;
use crate::analysis::{self, known, sequence};
use crate::rpc::errors::{NOT_NOW, analysis_error, rule_error};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{Die, List, MoveText, Options, PositionText, Roll, Text, VariantName};
use crate::rpc::request_game::RequestGame;
use crate::rpc::status::{Awaited, state_json};
use crate::rpc::store::Store;
use astragal_core::Status;
use astragal_core::rule::RuleError;
use astragal_dsl::Loaded;
use astragal_lab::solve::table::Tables;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The parameters of `odds`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct OddsParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    /// The move to examine, in coordinates or algebraic notation.
    r#move: MoveText,
    die: Option<Die>,
    /// The choices, rolls and draws after the move, in order: the text of a choice, the faces of a roll (`"2,3"`), the name
    /// of a square (`"c1"`).
    choices: Option<List<Text>>,
}

/// The outcomes of a move.
#[derive(Serialize, JsonSchema)]
pub(super) struct Outcomes {
    /// All outcomes, each with `probability` (a fraction), `effect`, `position`, and `decision` if a player chooses
    /// next.
    outcomes: Vec<Outcome>,
}

/// One outcome of a move.
#[derive(Serialize, JsonSchema)]
struct Outcome {
    /// Its probability as a fraction: `3/16`.
    probability: Value,
    /// `win`, `lose`, `draw`, `moved`, or the script's own word.
    effect: String,
    /// The resulting position.
    position: String,
    /// The precision of an inexact probability: it may be greater by up to `bound`, or it is an estimate from `samples`
    /// games, between `low` and `high` with 95% confidence.
    #[serde(flatten)]
    trust: Map<String, Value>,
    /// The squares drawn at random on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    drawn: Vec<String>,
    /// The decision before the turn continues, in the form of `pending` in `play`.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<Awaited>,
    /// The bounds of its value for the side that decides or rolls next, in points, if a [table](solving.md) has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<[f64; 2]>,
}

impl Outcome {
    fn of(loaded: &Loaded, outcome: &analysis::Outcome, tables: Option<&Tables>) -> Result<Outcome, RuleError> {
        let (probability, trust) = outcome.chance().json();
        let value = tables.map(|tables| known::value(&outcome.state, tables)).transpose()?.flatten();
        Ok(Outcome {
            probability,
            effect: outcome.effect.clone(),
            position: outcome.told_position(loaded),
            trust,
            drawn: outcome.drawn.clone(),
            decision: outcome.decides.then(|| Awaited::of(&outcome.state, None)).flatten(),
            value: value.map(|value| [value.low, value.high]),
        })
    }
}

pub(super) struct Odds;

impl Declared for Odds {
    const NAME: &'static str = "odds";
    const ABOUT: &'static str =
        "Lists the outcomes of a move, each with its probability over the rolls that follow the move.";
    const EXAMPLE: &'static str = include_str!("examples/odds.json");
    type Parameters = OddsParameters;
    type Answer = Outcomes;

    fn answer(store: &mut Store, asked: OddsParameters) -> Result<Outcomes, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let mut game = game.rolled(asked.roll.as_ref())?;
        let refusal = match game.state().status() {
            Status::Over => Some("the game is over: no move has odds"),
            _ if game.has_passed() => Some("with this roll the turn is lost: no move is legal here"),
            _ => None,
        };
        if let Some(why) = refusal {
            return Err(RpcError::new(NOT_NOW, why).with("state", state_json(game.state())));
        }
        let mut turn = follow(&mut game, "move", &asked.r#move.0, Die::faces(asked.die.as_ref()))?;
        for text in List::items(asked.choices.as_ref()) {
            turn = follow(&mut game, "choices", text, None)?;
        }
        let outcomes = analysis::outcomes(&game.loaded, game.state(), turn)
            .map_err(|error| analysis_error(&game.loaded, game.state(), "move", &error))?;
        let tables = store.tables.of(&game.loaded);
        let outcomes = outcomes.iter().map(|outcome| Outcome::of(&game.loaded, outcome, tables.as_deref()));
        let outcomes = outcomes.collect::<Result<_, _>>().map_err(|error| rule_error(&game.loaded, &error))?;
        Ok(Outcomes { outcomes })
    }
}

/// Applies the event that a text of the parameter `field` describes; returns the number of its turn.
fn follow(game: &mut RequestGame, field: &str, text: &str, die: Option<&[i16]>) -> Result<u32, RpcError> {
    let done = sequence::follow(&mut game.game, text, die);
    done.map_err(|error| analysis_error(&game.loaded, game.state(), field, &error))
}
