//! The methods `prospects` and `captures`: the probabilities of possible next events, for tables and for marks on a board.

use super::declared::Declared;
use crate::analysis::chance::Chance;
use crate::analysis::prospects::{self, NextTurn, Prospect};
use crate::analysis::{self, odds_text};
use crate::rpc::errors::{NOT_NOW, analysis_error};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{Die, MoveText, Options, PositionText, Roll, VariantName};
use crate::rpc::request_game::RequestGame;
use crate::rpc::status::state_json;
use crate::rpc::store::Store;
use astragal_core::{State, Status};
use astragal_dsl::game_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The parameters of `prospects`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ProspectsParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
}

/// The possible next events.
#[derive(Serialize, JsonSchema)]
pub(super) struct Prospects {
    /// The possible effects of the next roll, if the game waits for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<RollChances>,
    /// The effects of each move or choice and its `danger`, if a player decides next.
    decisions: Vec<Decision>,
    /// The number of moves and choices that were left out for lack of time.
    left: usize,
    /// The event that the opponent can cause with the probability `danger`, such as `can capture the king or win`.
    goal: String,
}

/// The effects of a roll.
#[derive(Serialize, JsonSchema)]
struct RollChances {
    /// The dice: `2d6`.
    dice: String,
    /// The possible effects, each with its probability.
    chances: Vec<Event>,
}

/// A possible effect.
#[derive(Serialize, JsonSchema)]
struct Event {
    /// Its probability.
    #[serde(flatten)]
    chance: Likelihood,
    /// Its description.
    text: String,
}

/// A probability.
#[derive(Serialize, JsonSchema)]
struct Likelihood {
    /// A fraction: `3/16`.
    probability: Value,
    /// Its precision if it is not exact: `bound`, or `low`, `high` and `samples`, as in `odds`.
    #[serde(flatten)]
    trust: Map<String, Value>,
}

impl Likelihood {
    fn of(chance: Chance) -> Likelihood {
        let (probability, trust) = chance.json();
        Likelihood { probability, trust }
    }
}

/// A move or choice with its effects.
#[derive(Serialize, JsonSchema)]
struct Decision {
    /// The decision in readable form, with the dice that pay for it: `4:Nc3`.
    text: String,
    /// Its outcomes: `effect` and probability.
    outcomes: Vec<Event>,
    /// The probability that the next player can reach the `goal`; null if the turn may continue, or the computation takes
    /// too long.
    danger: Option<Likelihood>,
    /// The probability that the next turn is lost; null if the current turn may continue.
    lost: Option<Likelihood>,
}

impl Decision {
    fn of(state: &State, prospect: &Prospect) -> Decision {
        let outcome = |(effect, chance): &(String, astragal_core::Ratio)| Event {
            chance: Likelihood::of(Chance::of(*chance, prospect.certainty)),
            text: effect.clone(),
        };
        let next = prospect.next.as_ref();
        Decision {
            text: odds_text::event(state, &prospect.event),
            outcomes: prospect.outcomes.iter().map(outcome).collect(),
            danger: next.and_then(|next| next.strike).map(Likelihood::of),
            lost: next.map(NextTurn::lost).map(Likelihood::of),
        }
    }
}

/// Writing one move requires examining all moves, so only this many are considered; the rest are left out.
const MOST_LOOKED_AT: usize = 4_000_000;

pub(super) struct AllProspects;

impl Declared for AllProspects {
    const NAME: &'static str = "prospects";
    const ABOUT: &'static str = "Lists what can happen next: the effects of the next roll, or the effects of each move \
         or choice and the danger from the opponent's next turn after it.";
    const EXAMPLE: &'static str = include_str!("examples/prospects.json");
    type Parameters = ProspectsParameters;
    type Answer = Prospects;

    fn answer(store: &mut Store, asked: ProspectsParameters) -> Result<Prospects, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let game = game.with_roll(asked.roll.as_ref())?;
        let state = game.state();
        let variant = &state.ruleset().variant;
        let failed = |error| analysis_error(&game.loaded, state, "position", &error);
        let mut found = Prospects { roll: None, decisions: Vec::new(), left: 0, goal: odds_text::goal(variant) };
        match state.status() {
            Status::Over => return Err(over(state)),
            Status::Chance => {
                let roll = analysis::next_roll(state).map_err(failed)?;
                let one = |(chance, text): odds_text::Row| Event {
                    chance: Likelihood::of(Chance::of(chance, roll.certainty)),
                    text,
                };
                let chances = odds_text::roll_rows(variant, &roll).into_iter().map(one).collect();
                found.roll = Some(RollChances { dice: roll.dice.clone(), chances });
            }
            _ => {
                let (all, left) = prospects::begun(state).map_err(failed)?;
                let told = all.len().min((MOST_LOOKED_AT / state.moves().len().max(1)).max(1));
                let left = left + all.len() - told;
                found.decisions = all[..told].iter().map(|prospect| Decision::of(state, prospect)).collect();
                found.left = left;
            }
        }
        Ok(found)
    }
}

fn over(state: &State) -> RpcError {
    RpcError::new(NOT_NOW, "the game is over").with("state", state_json(state))
}

/// The parameters of `captures`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct CapturesParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    /// A move or choice to make first; the answer then describes the state after it.
    r#move: Option<MoveText>,
    die: Option<Die>,
}

/// The possible captures.
#[derive(Serialize, JsonSchema)]
pub(super) struct Captures {
    /// The capturing side, `first` to `eighth`.
    side: &'static str,
    /// The squares of pieces that can be captured this turn, each with the probability of the capture.
    squares: Vec<Capture>,
    /// The squares of pieces whose probability of capture takes too long to compute.
    unknown: Vec<String>,
}

/// A piece that can be captured.
#[derive(Serialize, JsonSchema)]
struct Capture {
    /// Its square.
    square: String,
    /// The probability of its capture if the side to move plays only to make that capture.
    #[serde(flatten)]
    chance: Likelihood,
}

pub(super) struct AllCaptures;

impl Declared for AllCaptures {
    const NAME: &'static str = "captures";
    const ABOUT: &'static str = "Lists the pieces that the side to move can capture this turn. Each has the \
         probability of the capture if the side plays only to make that capture.";
    const EXAMPLE: &'static str = include_str!("examples/captures.json");
    type Parameters = CapturesParameters;
    type Answer = Captures;

    fn answer(store: &mut Store, asked: CapturesParameters) -> Result<Captures, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let mut game = game.with_roll(asked.roll.as_ref())?;
        if let Some(text) = &asked.r#move {
            let made = analysis::sequence::follow(&mut game.game, &text.0, Die::faces(asked.die.as_ref()));
            made.map_err(|error| analysis_error(&game.loaded, game.state(), "move", &error))?;
        }
        let state = game.state();
        if state.status() == Status::Over {
            return Err(over(state));
        }
        let found = prospects::captures(state, 2 * prospects::BUDGET);
        let found = found.map_err(|error| analysis_error(&game.loaded, state, "position", &error))?;
        let board = state.ruleset().variant.board();
        let mut answer = Captures { side: game_text::ordinal(state.mover()), squares: Vec::new(), unknown: Vec::new() };
        for (square, chance) in found {
            match chance {
                None => answer.unknown.push(board.name(square)),
                Some(chance) if chance.is_none() => {}
                Some(chance) => {
                    answer.squares.push(Capture { square: board.name(square), chance: Likelihood::of(chance) })
                }
            }
        }
        Ok(answer)
    }
}
