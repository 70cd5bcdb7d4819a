//! The methods `prospects` and `captures`: the chances of all that may happen next, for tables and for marks on a board.

use super::Declared;
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

/// What `prospects` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ProspectsParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
}

/// What may happen next.
#[derive(Serialize, JsonSchema)]
pub(super) struct Prospects {
    /// What the next roll may bring, where dice are waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<RollChances>,
    /// What each move or choice lets happen, where somebody decides.
    decisions: Vec<Decision>,
    /// How many more there are, for which there was no time.
    left: usize,
    /// What `danger` is the chance of: `can take the king or win`.
    goal: String,
}

/// What a roll may bring.
#[derive(Serialize, JsonSchema)]
struct RollChances {
    /// The dice: `2d6`.
    dice: String,
    /// What may happen, each with its chance.
    chances: Vec<Event>,
}

/// Something that may happen.
#[derive(Serialize, JsonSchema)]
struct Event {
    /// How likely it is.
    #[serde(flatten)]
    chance: Likelihood,
    /// What happens, in words.
    text: String,
}

/// A chance.
#[derive(Serialize, JsonSchema)]
struct Likelihood {
    /// A fraction: `3/16`.
    probability: Value,
    /// How far it is to be trusted, if it is not exact: `bound`, or `low`, `high` and `samples`, as in `odds`.
    #[serde(flatten)]
    trust: Map<String, Value>,
}

impl Likelihood {
    fn of(chance: Chance) -> Likelihood {
        let (probability, trust) = chance.json();
        Likelihood { probability, trust }
    }
}

/// A move or choice with what it lets happen.
#[derive(Serialize, JsonSchema)]
struct Decision {
    /// The decision, as people write it, with the dice that pay for it: `4:Nc3`.
    text: String,
    /// Its outcomes: `effect` and chance.
    outcomes: Vec<Event>,
    /// The chance that the next player, if trying for it, reaches the `goal`; null if the turn may go on, or it takes too long
    /// to work out.
    danger: Option<Likelihood>,
    /// The chance that the next turn is lost; null if the present one may go on.
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

/// To write a move takes a look at all moves: so many are looked at, and what there is no time for is left.
const MOST_LOOKED_AT: usize = 4_000_000;

pub(super) struct AllProspects;

impl Declared for AllProspects {
    const NAME: &'static str = "prospects";
    const ABOUT: &'static str = "What may happen next: what the next roll may bring, or what each move or choice leads to and how \
                                 dangerous the next turn is then. What there was no time for is counted in `left`.";
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
    RpcError::new(NOT_NOW, "the game is over: nothing more happens").with("state", state_json(state))
}

/// What `captures` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct CapturesParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    /// A move or choice that is made first: then it is asked what the next player may take.
    r#move: Option<MoveText>,
    die: Option<Die>,
}

/// What may be taken.
#[derive(Serialize, JsonSchema)]
pub(super) struct Captures {
    /// Who may take it: `first` to `eighth`.
    side: &'static str,
    /// The squares of pieces that may be taken in the turn that begins or is under way, each with the chance of it.
    squares: Vec<Capture>,
    /// Squares for which that takes too long to work out.
    unknown: Vec<String>,
}

/// A piece that may be taken.
#[derive(Serialize, JsonSchema)]
struct Capture {
    /// Where it stands.
    square: String,
    /// The chance that it is taken if the side to move tries for nothing else.
    #[serde(flatten)]
    chance: Likelihood,
}

pub(super) struct AllCaptures;

impl Declared for AllCaptures {
    const NAME: &'static str = "captures";
    const ABOUT: &'static str = "Which pieces the side to move may take in its turn, and how likely that is if it tries for each \
                                 of them alone.";
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
