//! The methods that count: `turns`, `perft` and `digest`.

use super::Declared;
use crate::analysis;
use crate::analysis::turns::{CompleteTurn, Listing};
use crate::digest;
use crate::interrupt;
use crate::rpc::errors::{analysis_error, game_error, out_of_time, rule_error};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{Options, PositionText, Roll, Truth, UpTo, VariantName};
use crate::rpc::request_game::RequestGame;
use crate::rpc::store::Store;
use astragal_core::turns;
use astragal_dsl::game_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `turns` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct TurnsParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    /// List the turns too, at most so many.
    list: Option<UpTo<MOST_LISTED>>,
    /// Of the turns that lead to the same position, list only the first.
    distinct: Option<Truth>,
}

/// The most turns that are listed.
const MOST_LISTED: u64 = 10_000;

/// The complete turns of a roll.
#[derive(Serialize, JsonSchema)]
pub(super) struct TurnCount {
    /// How many there are.
    count: u64,
    /// The most dice that one of them uses.
    max_dice: u32,
    /// How many different boards they lead to.
    placements: usize,
    /// How many end the game in favour of the side to move.
    winning: u64,
    /// The turns, in the order of moves, choices and outcomes; missing unless `list` asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    listed: Option<Vec<ListedTurn>>,
    /// Whether `list` has left some out; missing unless it is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<bool>,
}

/// A complete turn.
#[derive(Serialize, JsonSchema)]
struct ListedTurn {
    /// What is done, one after another, as it can be typed; the outcomes of rolls are among it.
    moves: Vec<String>,
    /// The chance of all rolls in it.
    chance: String,
    /// The position that it leads to, as FEN.
    position: String,
    /// How the game has ended, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

pub(super) struct Turns;

impl Declared for Turns {
    const NAME: &'static str = "turns";
    const ABOUT: &'static str = "Complete turns as ordered sequences of moves and choices. Each outcome of a roll within the \
                                 turn counts as one of its own.";
    const EXAMPLE: &'static str = include_str!("examples/turns.json");
    type Parameters = TurnsParameters;
    type Answer = TurnCount;

    fn answer(store: &mut Store, asked: TurnsParameters) -> Result<TurnCount, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let game = game.rolled(asked.roll.as_ref())?;
        let stop = &interrupt::stop_requested;
        let found =
            if game.has_passed() { Ok(Some(turns::Turns::default())) } else { turns::count_until(game.state(), stop) };
        let found = found.map_err(|error| rule_error(&game.loaded, &error))?.ok_or_else(out_of_time)?;
        let listed = asked.list.map(|limit| listed(&game, limit.0, asked.distinct.is_some_and(|truth| truth.0)));
        let (listed, more) = listed.transpose()?.unzip();
        Ok(TurnCount {
            listed,
            more,
            count: found.count,
            max_dice: found.max_dice,
            placements: found.placements,
            winning: found.winning,
        })
    }
}

/// Turns, and whether there are more.
fn listed(game: &RequestGame, limit: u64, distinct: bool) -> Result<(Vec<ListedTurn>, bool), RpcError> {
    if game.has_passed() {
        return Ok((Vec::new(), false));
    }
    let asked = Listing { limit: limit as usize, distinct };
    let found = analysis::turns::list(game.state(), asked)
        .map_err(|error| analysis_error(&game.loaded, game.state(), "list", &error))?;
    let listed = |turn: CompleteTurn| ListedTurn {
        moves: turn.texts,
        chance: turn.chance.to_string(),
        position: game_text::position(&game.loaded, &turn.state),
        result: game_text::result(&turn.state),
    };
    Ok((found.turns.into_iter().map(listed).collect(), found.more))
}

/// The largest depth that `perft` looks at.
const MAX_DEPTH: u64 = analysis::MAX_DEPTH as u64;

/// What `perft` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct PerftParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    /// How many moves deep.
    depth: UpTo<MAX_DEPTH>,
}

/// A count of positions.
#[derive(Serialize, JsonSchema)]
pub(super) struct NodeCount {
    /// How many sequences of legal moves there are.
    nodes: u64,
}

pub(super) struct Perft;

impl Declared for Perft {
    const NAME: &'static str = "perft";
    const ABOUT: &'static str = "The number of sequences of legal moves, dice aside.";
    const EXAMPLE: &'static str = include_str!("examples/perft.json");
    type Parameters = PerftParameters;
    type Answer = NodeCount;

    fn answer(store: &mut Store, asked: PerftParameters) -> Result<NodeCount, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let (state, depth) = (game.state(), asked.depth.0 as u32);
        let nodes = analysis::nodes(&game.loaded.set.variant, state.position(), depth);
        let nodes =
            nodes.map_err(|error| analysis_error(&game.loaded, state, "depth", &error).with("field", "depth"))?;
        Ok(NodeCount { nodes })
    }
}

/// The most games that are digested.
const MOST_GAMES: u64 = 100;

/// Games without a number: as many as `tests/data/digests.txt` has of each script.
const GAMES: u64 = 10;

/// What `digest` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct DigestParameters {
    variant: VariantName,
    options: Option<Options>,
    /// How many games; 10 without it.
    games: Option<UpTo<MOST_GAMES>>,
}

/// What stands for seeded games.
#[derive(Serialize, JsonSchema)]
pub(super) struct Digested {
    /// The number of games, the events in them, and a digest of all dice and positions.
    digest: String,
}

pub(super) struct Digest;

impl Declared for Digest {
    const NAME: &'static str = "digest";
    const ABOUT: &'static str = "A digest of seeded games, the same on every machine and through every door: what differs plays \
                                 other games.";
    const EXAMPLE: &'static str = include_str!("examples/digest.json");
    type Parameters = DigestParameters;
    type Answer = Digested;

    fn answer(store: &mut Store, asked: DigestParameters) -> Result<Digested, RpcError> {
        let game = RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), None)?;
        let games = asked.games.map_or(GAMES, |games| games.0);
        let digest = digest::of_games(&game.loaded, games);
        Ok(Digested { digest: digest.map_err(|error| game_error(&game.loaded, game.state(), &error))? })
    }
}
