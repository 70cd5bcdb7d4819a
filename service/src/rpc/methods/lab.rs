//! The methods `simulate` and `analyse`: statistics of a variant, and the analysis of a game.

use super::declared::Declared;
use crate::rpc::errors::{NOT_NOW, POSITION, load_error, out_of_time, rule_error};
use crate::rpc::message::{INVALID_PARAMS, RpcError};
use crate::rpc::parameters::{Level, List, Options, PositionText, Progress, Text, Truth, UpTo, VariantName};
use crate::rpc::progress::Tell;
use crate::rpc::store::Store;
use crate::{analysis_text, interrupt};
use astragal_dsl::{Loaded, record};
use astragal_lab::analyse::{AnalysisError, LEVELS, USUAL_LEVEL, analyse};
use astragal_lab::{Experiment, LabError, MOST_PLIES, Report, Setting, Watch, run};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::sync::{Arc, Mutex};

/// The maximum number of games per request.
const MOST_GAMES: u64 = 100_000;

/// The default number of games.
const GAMES: u64 = 1_000;

/// The parameters of `simulate`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct SimulateParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    /// The number of games, 1,000 by default.
    games: Option<UpTo<MOST_GAMES>>,
    /// The players, one for all sides or one for each side: `random` (the default), `greedy`, `computer:2`, or a
    /// [trained player](training.md) as `learned` or `learned:2`.
    players: Option<List<Text>>,
    /// The seed of the dice and the players, 1 by default.
    seed: Option<UpTo<{ u64::MAX }>>,
    /// True to separate luck from skill in the report, which takes longer.
    luck: Option<Truth>,
    progress: Option<Progress>,
}

/// The statistics of a game.
#[derive(Serialize, JsonSchema)]
pub(super) struct Simulated {
    /// Whether all games were played within the request's time.
    complete: bool,
    /// The output of `astragal simulate --json`: `games`, `results`, `length`, `turns` ([docs/lab.md](lab.md)).
    report: Map<String, Value>,
}

pub(super) struct Simulate;

impl Declared for Simulate {
    const NAME: &'static str = "simulate";
    const ABOUT: &'static str = "Plays many games and reports results, length and decisions. At the time limit of \
         the request, it reports the games played so far.";
    const EXAMPLE: &'static str = include_str!("examples/simulate.json");
    type Parameters = SimulateParameters;
    type Answer = Simulated;

    fn answer(store: &mut Store, asked: SimulateParameters) -> Result<Simulated, RpcError> {
        Simulate::answer_telling(store, asked, &mut |_, _| {})
    }

    fn answer_telling(store: &mut Store, asked: SimulateParameters, tell: Tell<'_>) -> Result<Simulated, RpcError> {
        let name = &asked.variant.0;
        let source = store.variants.source(name).map_err(|error| load_error(name, &error))?;
        let players = List::items(asked.players.as_ref()).iter().map(|player| player.to_string()).collect();
        let players = if asked.players.is_some() { players } else { vec!["random".into()] };
        let setting = Setting {
            options: asked.options.as_ref().map(Options::pairs).unwrap_or_default(),
            position: asked.position.as_ref().map(|position| position.0.to_string()),
            players,
            seed: asked.seed.map_or(1, |seed| seed.0),
            max_plies: MOST_PLIES,
            luck: asked.luck.is_some_and(|luck| luck.0),
            lines: false,
        };
        let failed = |error: LabError| match error {
            LabError::Load(error) => load_error(name, &error),
            LabError::Position(why) => RpcError::new(POSITION, why).with("field", "position"),
            LabError::Opponent(_) | LabError::Seats { .. } => {
                RpcError::new(INVALID_PARAMS, error.to_string()).with("field", "players")
            }
            error if error.is_stop() => out_of_time(),
            error => RpcError::new(NOT_NOW, error.to_string()),
        };
        let open = |loaded: &Loaded, file: Option<&str>| store.trained.open(loaded, file);
        let experiment = Experiment::opening(&source, setting, interrupt::stop_requested, &open).map_err(failed)?;
        let experiment = match store.tables.of(experiment.loaded()) {
            Some(tables) => experiment.knowing(tables),
            None => experiment,
        };
        let games = asked.games.map_or(GAMES, |games| games.0);
        let told = Mutex::new((0, tell));
        let is_told = Progress::is_wanted(asked.progress.as_ref());
        let progress = |more| {
            if let (true, Ok(mut told)) = (is_told, told.lock()) {
                let (done, tell) = &mut *told;
                *done += more;
                tell(*done, games);
            }
        };
        let watch = Watch { stop: &interrupt::stop_requested, progress: &progress };
        let tally = run(&experiment, 0..games, 1, &watch, None).map_err(failed)?;
        if tally.games == 0 {
            return Err(out_of_time());
        }
        // The time limit may have passed, but the results must still be described.
        let report = interrupt::uninterrupted(|| Report::new(&experiment, 0..games, &tally).json());
        let Value::Object(report) = report else { return Err(crate::rpc::errors::internal()) };
        Ok(Simulated { complete: tally.games == games, report })
    }
}

/// The longest record that can be analyzed, in events.
const MOST_EVENTS: usize = 2_000;

/// The parameters of `analyse`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct AnalyseParameters {
    /// The record of the game ([PGN](notations.md)); it names the variant.
    record: Text,
    /// The search depth in turns, from 1 to 3; 2 by default.
    turns: Option<Level<{ *LEVELS.end() }>>,
    /// True to evaluate positions with the [trained player](training.md) for these rules.
    learned: Option<Truth>,
    progress: Option<Progress>,
}

/// An analyzed game.
#[derive(Serialize, JsonSchema)]
pub(super) struct Analysed {
    /// The output of `astragal analyse --json`, with `totals`, `curve`, and `events`: the `luck` of each roll and the
    /// `error` of each decision ([docs/lab.md](lab.md)).
    analysis: Map<String, Value>,
}

pub(super) struct Analyse;

impl Declared for Analyse {
    const NAME: &'static str = "analyse";
    const ABOUT: &'static str = "Analyzes a game: the luck of every roll and the cost of every decision.";
    const EXAMPLE: &'static str = include_str!("examples/analyse.json");
    type Parameters = AnalyseParameters;
    type Answer = Analysed;

    fn answer(store: &mut Store, asked: AnalyseParameters) -> Result<Analysed, RpcError> {
        Analyse::answer_telling(store, asked, &mut |_, _| {})
    }

    fn answer_telling(store: &mut Store, asked: AnalyseParameters, tell: Tell<'_>) -> Result<Analysed, RpcError> {
        let wrong = |why: String| RpcError::new(INVALID_PARAMS, format!("record: {why}")).with("field", "record");
        let load = |named: &str, options: &[(String, String)]| {
            store.variants.load_told(named, options).map(|loaded| (*loaded).clone())
        };
        let (loaded, game) = record::read(&asked.record, load).map_err(|error| wrong(error.to_string()))?;
        if game.entries().len() > MOST_EVENTS {
            return Err(wrong(format!("at most {MOST_EVENTS} events can be analyzed")));
        }
        let level = asked.turns.map_or(USUAL_LEVEL, |turns| turns.0);
        let evaluation = store.tables.evaluation(&loaded);
        let mut evaluation = evaluation.map_err(|error| rule_error(&loaded, &error))?;
        if asked.learned.is_some_and(|learned| learned.0) {
            let values = store.trained.named(&loaded);
            let refused = |why: String| RpcError::new(INVALID_PARAMS, why).with("field", "learned");
            evaluation = evaluation.with_learned(values.map_err(refused)?);
        }
        let is_told = Progress::is_wanted(asked.progress.as_ref());
        let tell = RefCell::new(tell);
        let progress = |done: usize, of: usize| {
            if let (true, Ok(mut tell)) = (is_told, tell.try_borrow_mut()) {
                tell(done as u64, of as u64);
            }
        };
        let analysis =
            analyse(&loaded, &Arc::new(evaluation), &game, level, &progress).map_err(|error: AnalysisError| {
                if error.is_stop() { out_of_time() } else { RpcError::new(NOT_NOW, error.to_string()) }
            })?;
        let analysis = interrupt::uninterrupted(|| analysis_text::json(&analysis));
        let Value::Object(analysis) = analysis else { return Err(crate::rpc::errors::internal()) };
        Ok(Analysed { analysis })
    }
}
