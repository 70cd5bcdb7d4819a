//! The methods `solve` and `value`: exact values of small games and endings.
//!
//! What `solve` finds stays with the service as a table, which `value`, `hint`, `odds`, `analyse` and `simulate` use.

use super::declared::Declared;
use crate::analysis::known;
use crate::drawing::values;
use crate::interrupt;
use crate::rpc::errors::{NOT_NOW, rule_error};
use crate::rpc::message::{INVALID_PARAMS, RpcError};
use crate::rpc::parameters::{Options, PositionText, Progress, Roll, Text, UpTo, VariantName};
use crate::rpc::progress::Tell;
use crate::rpc::request_game::RequestGame;
use crate::rpc::store::{Store, Unsolved};
use astragal_core::{Position, Square};
use astragal_dsl::game_text;
use astragal_dsl::notation::fen;
use astragal_lab::solve::table::{self, Origin, Table};
use astragal_lab::solve::{self as solving, Interval, Limits, Material, SolveError, Solver, Step, Watch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// The maximum number of states of a request.
const MOST_STATES: u64 = 2_000_000;

/// The default number of states.
const STATES: u64 = 500_000;

/// The memory for states and their turns, in bytes.
const MEMORY: usize = 1 << 30;

/// The maximum number of tables that a service keeps. A further one replaces the oldest.
const MOST_TABLES: usize = 16;

/// No value is more uncertain than this, in points.
const EPSILON: f64 = 1e-6;

/// The parameters of `solve`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct SolveParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    /// The pieces of an ending, such as `KRvK`: solves all placements of these pieces, instead of the positions that
    /// can be reached from `position`.
    material: Option<Text>,
    /// The maximum number of states (positions at the start of a turn), 500,000 by default.
    states: Option<UpTo<MOST_STATES>>,
    progress: Option<Progress>,
}

/// A solved game or ending.
#[derive(Serialize, JsonSchema)]
pub(super) struct Solved {
    /// The number of states.
    states: usize,
    /// `solved`; `full` if there are more states than allowed; `still` if the bounds stopped changing before they met;
    /// `stopped` if the request reached its time limit. After `stopped`, the same request continues from there.
    reached: &'static str,
    /// The greatest difference between the lower and the upper bound of a value, in points; null before the first
    /// bounds are known.
    widest: Option<f64>,
    /// The value of `position`.
    value: Option<Valued>,
}

/// The value of a position.
#[derive(Serialize, JsonSchema)]
struct Valued {
    /// The side that decides or rolls next: `first` or `second`.
    side: &'static str,
    /// The lower and the upper bound of its expected result: a win is 1, a loss -1; points if the rules award some.
    bounds: [f64; 2],
}

pub(super) struct Solve;

impl Declared for Solve {
    const NAME: &'static str = "solve";
    const ABOUT: &'static str = "Computes the exact value of every position of a small game or an ending, and keeps \
         them as a table. Later requests for the same rules use it. The server keeps the last 16 tables.";
    const EXAMPLE: &'static str = include_str!("examples/solve.json");
    type Parameters = SolveParameters;
    type Answer = Solved;

    fn answer(store: &mut Store, asked: SolveParameters) -> Result<Solved, RpcError> {
        Solve::answer_telling(store, asked, &mut |_, _| {})
    }

    fn answer_telling(store: &mut Store, asked: SolveParameters, tell: Tell<'_>) -> Result<Solved, RpcError> {
        let RequestGame { loaded, game, .. } =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let failed = |error: SolveError| match error {
            SolveError::Material(_) => RpcError::new(INVALID_PARAMS, error.to_string()).with("field", "material"),
            SolveError::Rule(error) => rule_error(&loaded, &error),
            other => RpcError::new(NOT_NOW, other.to_string()),
        };
        let variant = &loaded.set.variant;
        let limits = Limits {
            states: asked.states.map_or(STATES, |states| states.0) as usize,
            memory: MEMORY,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        };
        let start = game.state().turn_start();
        let material = asked.material.as_ref().map(|text| Material::parse(variant, text).map(|pieces| (text, pieces)));
        let material = material.transpose().map_err(failed)?;
        let from = match &material {
            Some((text, _)) => Origin::Material(text.to_string()),
            None => Origin::Position(fen::write(variant, start)),
        };
        let rules = table::digest(&loaded);
        let begun = store.unsolved.take().filter(|begun| begun.rules == rules && begun.from == from);
        let mut solver = match begun {
            Some(begun) => begun.solver,
            None => {
                let mut solver = Solver::new(&loaded).map_err(failed)?;
                match &material {
                    Some((_, pieces)) => solver.add_all(pieces, &limits).map_err(failed)?,
                    None => solver.add(start).map_err(failed)?,
                }
                solver
            }
        };
        let tell = RefCell::new((Progress::is_wanted(asked.progress.as_ref()), tell));
        let progress = |step: Step| {
            if let (true, tell) = &mut *tell.borrow_mut() {
                let (done, of) = match step {
                    Step::Explored { states, listed } => (listed, states),
                    Step::Improved { states, of, .. } | Step::Verified { states, of } => (states, of),
                };
                tell(done as u64, of as u64);
            }
        };
        let watch = Watch { stop: &interrupt::stop_requested, progress: &progress };
        let reached = match solver.run(EPSILON, &limits, &watch).map_err(failed)? {
            solving::Progress::Solved => "solved",
            solving::Progress::Full => "full",
            solving::Progress::Still => "still",
            solving::Progress::Stopped => "stopped",
        };
        let side = start.side();
        let solved = Solved {
            states: solver.states(),
            reached,
            widest: Some(solver.widest()).filter(|widest| widest.is_finite()),
            value: solver.value(start).map(|value| Valued::of(side, value.of(side))),
        };
        if reached == "stopped" {
            store.unsolved = Some(Unsolved { rules, from, solver });
            return Ok(solved);
        }
        let mut bytes = Vec::new();
        let wrong = |why: String| RpcError::new(NOT_NOW, why);
        table::write(&solver, &loaded, from, &mut bytes).map_err(|error| wrong(error.to_string()))?;
        store.tables.keep_last(MOST_TABLES - 1);
        store.tables.add(Table::read(bytes).map_err(|error| wrong(error.to_string()))?);
        Ok(solved)
    }
}

impl Valued {
    fn of(side: astragal_core::Side, value: Interval) -> Valued {
        Valued { side: game_text::ordinal(side), bounds: [value.low, value.high] }
    }
}

/// The parameters of `value`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ValueParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    /// A square with a piece: the answer then also contains the values of the positions with this piece on other
    /// squares.
    square: Option<Text>,
}

/// What tables contain about a position.
#[derive(Serialize, JsonSchema)]
pub(super) struct KnownValue {
    /// The number of tables that the server has for these rules.
    tables: usize,
    /// The value of the position; null if the tables do not contain all states that the turn can lead to.
    value: Option<Valued>,
    /// The values with the piece from `square` on each other square, at the start of the turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    squares: Vec<SquareValue>,
}

/// The value of a position with a piece on another square.
#[derive(Serialize, JsonSchema)]
struct SquareValue {
    /// The square.
    square: String,
    /// The value for the side to move, the middle of its bounds.
    value: f64,
    /// The same in hundredths: `+27`.
    text: String,
    /// Its color, as `#rrggbb`: orange for a loss, white for a draw, blue for a win.
    color: String,
}

pub(super) struct Value;

impl Declared for Value {
    const NAME: &'static str = "value";
    const ABOUT: &'static str = "Looks up a position in the [tables](solving.md) that the server has.";
    const EXAMPLE: &'static str = include_str!("examples/value.json");
    type Parameters = ValueParameters;
    type Answer = KnownValue;

    fn answer(store: &mut Store, asked: ValueParameters) -> Result<KnownValue, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let game = game.with_roll(asked.roll.as_ref())?;
        let start = game.state().turn_start().clone();
        let square = asked.square.as_ref().map(|name| square(&game, &start, name)).transpose()?;
        let Some(tables) = store.tables.of(&game.loaded) else {
            return Ok(KnownValue { tables: 0, value: None, squares: Vec::new() });
        };
        let found = known::value(game.state(), &*tables).map_err(|error| rule_error(&game.loaded, &error))?;
        let board = game.loaded.set.variant.board();
        let of_square = |(square, value): (Square, Interval)| SquareValue {
            square: board.name(square),
            value: value.middle(),
            text: values::hundredths(value.middle()),
            color: values::color(value.middle()),
        };
        let by_square = square.map(|square| known::by_square(&game.loaded.set, &start, square, &*tables));
        Ok(KnownValue {
            tables: tables.len(),
            value: found.map(|value| Valued::of(game.state().chooser(), value)),
            squares: by_square.into_iter().flatten().map(of_square).collect(),
        })
    }
}

/// The square of this name, which has a piece.
fn square(game: &RequestGame, position: &Position, name: &str) -> Result<Square, RpcError> {
    let square = game.loaded.set.variant.board().parse(name).filter(|square| !position.at(*square).is_none());
    let wrong = || format!("'{name}' is not a square with a piece at the start of the turn");
    square.ok_or_else(|| RpcError::new(INVALID_PARAMS, wrong()).with("field", "square"))
}
