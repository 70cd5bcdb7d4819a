//! The methods that count: `turns`, `perft` and `digest`.

use super::declared::Declared;
use crate::analysis;
use crate::analysis::turns::{CompleteTurn, Listing};
use crate::rpc::errors::{analysis_error, game_error, out_of_time, rule_error};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{Options, PositionText, Roll, Truth, UpTo, VariantName};
use crate::rpc::request_game::RequestGame;
use crate::rpc::store::Store;
use crate::{digest, interrupt};
use astragal_core::turns;
use astragal_dsl::game_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of `turns`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct TurnsParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    /// The maximum number of turns to list; by default, the turns are only counted.
    list: Option<UpTo<MOST_LISTED>>,
    /// True to list only the first of several turns that lead to the same position.
    distinct: Option<Truth>,
}

/// The maximum number of turns in a list.
const MOST_LISTED: u64 = 10_000;

/// The complete turns of a roll.
#[derive(Serialize, JsonSchema)]
pub(super) struct TurnCount {
    /// The number of turns.
    count: u64,
    /// The maximum number of dice that a turn uses.
    max_dice: u32,
    /// The number of different boards that the turns lead to.
    placements: usize,
    /// The number of turns that end the game in favor of the side to move.
    winning: u64,
    /// The turns, ordered by moves, choices and outcomes; only with `list`.
    #[serde(skip_serializing_if = "Option::is_none")]
    listed: Option<Vec<ListedTurn>>,
    /// Whether there are more turns than `listed` contains; only with `list`.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<bool>,
}

/// A complete turn.
#[derive(Serialize, JsonSchema)]
struct ListedTurn {
    /// Moves, choices and rolls in order, in the form that can be typed.
    moves: Vec<String>,
    /// The probability of its rolls.
    chance: String,
    /// The resulting position, as FEN.
    position: String,
    /// The result, if the turn ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

pub(super) struct Turns;

impl Declared for Turns {
    const NAME: &'static str = "turns";
    const ABOUT: &'static str = "Counts or lists the complete turns that a roll permits: ordered sequences of moves \
         and choices. Each outcome of a roll within a turn counts separately.";
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

/// The greatest depth of `perft`.
const MAX_DEPTH: u64 = analysis::MAX_DEPTH as u64;

/// The parameters of `perft`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct PerftParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    /// The depth in moves.
    depth: UpTo<MAX_DEPTH>,
}

/// A count of positions.
#[derive(Serialize, JsonSchema)]
pub(super) struct NodeCount {
    /// The number of sequences of legal moves.
    nodes: u64,
}

pub(super) struct Perft;

impl Declared for Perft {
    const NAME: &'static str = "perft";
    const ABOUT: &'static str = "Counts sequences of legal moves, ignoring dice.";
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

/// The maximum number of games in a digest.
const MOST_GAMES: u64 = 100;

/// The default number of games, as in `tests/data/digests.txt`.
const GAMES: u64 = 10;

/// The parameters of `digest`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct DigestParameters {
    variant: VariantName,
    options: Option<Options>,
    /// The number of games, 10 by default.
    games: Option<UpTo<MOST_GAMES>>,
}

/// The digest of seeded games.
#[derive(Serialize, JsonSchema)]
pub(super) struct Digested {
    /// The number of games, the number of events in them, and a hash of all dice and positions, separated by spaces.
    digest: String,
}

pub(super) struct Digest;

impl Declared for Digest {
    const NAME: &'static str = "digest";
    const ABOUT: &'static str = "Returns a digest of seeded games. It is the same on every machine and in every \
         interface; a different digest means different games.";
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
