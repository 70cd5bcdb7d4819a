//! The method `odds`: what a move leads to, with exact chances.

use super::Declared;
use crate::analysis::{self, sequence};
use crate::rpc::errors::{NOT_NOW, analysis_error};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{Die, List, MoveText, Options, PositionText, Roll, Text, VariantName};
use crate::rpc::request_game::RequestGame;
use crate::rpc::status::{Awaited, state_json};
use crate::rpc::store::Store;
use astragal_core::Status;
use astragal_dsl::Loaded;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What `odds` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct OddsParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    r#move: MoveText,
    die: Option<Die>,
    /// What is chosen, rolled or drawn after the move, one after another: the text of a choice, the faces of a roll (`"2,3"`),
    /// the name of a square (`"c1"`).
    choices: Option<List<Text>>,
}

/// What a move may lead to.
#[derive(Serialize, JsonSchema)]
pub(super) struct Outcomes {
    /// All outcomes: `probability` (a fraction), `effect`, `position`, and `decision` where somebody chooses next.
    outcomes: Vec<Outcome>,
}

/// One of the things that a move may lead to.
#[derive(Serialize, JsonSchema)]
struct Outcome {
    /// How likely it is, as a fraction: `3/16`.
    probability: Value,
    /// `win`, `lose`, `draw`, `moved`, or the script's own word.
    effect: String,
    /// The position that it leads to.
    position: String,
    /// How far the chance is to be trusted, if it is not exact: it may be greater by `bound`; or it is an estimate from so many
    /// `samples`, between `low` and `high` in 95 of 100 cases.
    #[serde(flatten)]
    trust: Map<String, Value>,
    /// The squares drawn by chance on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    drawn: Vec<String>,
    /// What somebody is to decide before the turn goes on, as `pending` of `play`.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<Awaited>,
}

impl Outcome {
    fn of(loaded: &Loaded, outcome: &analysis::Outcome) -> Outcome {
        let (probability, trust) = outcome.chance().json();
        Outcome {
            probability,
            effect: outcome.effect.clone(),
            position: outcome.told_position(loaded),
            trust,
            drawn: outcome.drawn.clone(),
            decision: outcome.decides.then(|| Awaited::of(&outcome.state, None)).flatten(),
        }
    }
}

pub(super) struct Odds;

impl Declared for Odds {
    const NAME: &'static str = "odds";
    const ABOUT: &'static str = "What a move leads to, with the chances of the dice that follow it.";
    const EXAMPLE: &'static str = include_str!("examples/odds.json");
    type Parameters = OddsParameters;
    type Answer = Outcomes;

    fn answer(store: &mut Store, asked: OddsParameters) -> Result<Outcomes, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let mut game = game.rolled(asked.roll.as_ref())?;
        let refusal = match game.state().status() {
            Status::Over => Some("the game is over: no move has odds"),
            _ if game.has_passed() => Some("with this roll the turn is lost: no move is permitted"),
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
        Ok(Outcomes { outcomes: outcomes.iter().map(|outcome| Outcome::of(&game.loaded, outcome)).collect() })
    }
}

/// Does what a text of the parameter `field` says; returns the number of the turn in which that was done.
fn follow(game: &mut RequestGame, field: &str, text: &str, die: Option<&[i16]>) -> Result<u32, RpcError> {
    let done = sequence::follow(&mut game.game, text, die);
    done.map_err(|error| analysis_error(&game.loaded, game.state(), field, &error))
}
