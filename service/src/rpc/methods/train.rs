//! The methods `train` and `trained`: players that learn from games against themselves.
//!
//! What `train` learns stays with the service as a file, which `hint`, `simulate` and `analyse` use on request. The lab
//! plays and learns; this module owns the time of a request.

use super::declared::Declared;
use crate::interrupt;
use crate::rpc::errors::{NOT_NOW, internal, rule_error};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{Options, PositionText, Progress, Truth, UpTo, VariantName};
use crate::rpc::progress::Tell;
use crate::rpc::request_game::RequestGame;
use crate::rpc::store::{Store, Training};
use astragal_computer::{Evaluation, Greedy, Player, PlayerError};
use astragal_core::{Game, Position, State};
use astragal_dsl::Loaded;
use astragal_lab::Interval;
use astragal_lab::learning::file::Precision;
use astragal_lab::learning::{LearnError, Setting, Trainer};
use astragal_lab::solve::table::digest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

/// The maximum number of games per request.
const MOST_GAMES: u64 = 1_000_000;

/// The maximum number of games against `greedy`.
const MOST_PROBE: u64 = 1_000;

/// The longest time of a request in seconds; its time limit may be shorter.
const MOST_SECONDS: u64 = 3_600;

/// The parameters of `train`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct TrainParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    /// The maximum number of games to learn from in this request.
    games: Option<UpTo<MOST_GAMES>>,
    /// The time after which no further round of games begins, in seconds.
    seconds: Option<UpTo<MOST_SECONDS>>,
    /// The number of games against `greedy` after the training, to measure the strength; none by default.
    probe: Option<UpTo<MOST_PROBE>>,
    /// True to start over instead of continuing the training so far.
    anew: Option<Truth>,
    /// The seed of all games and of the first weights, 1 by default.
    seed: Option<UpTo<{ u64::MAX }>>,
    progress: Option<Progress>,
}

/// The result of a training.
#[derive(Serialize, JsonSchema)]
pub(super) struct TrainResult {
    /// The number of training games so far, in all requests.
    games: u64,
    /// The number of training positions so far.
    positions: u64,
    /// The error of the last round: the root mean square of the differences between estimated and later probabilities
    /// of winning.
    error: f64,
    /// The strength against `greedy`: the number `won` of `games`, and a 95% confidence interval of this share from
    /// `low` to `high`; null if it was not measured.
    greedy: Option<Strength>,
}

/// A match against `greedy`.
#[derive(Serialize, JsonSchema)]
struct Strength {
    /// The number of games won.
    won: u64,
    /// The number of games.
    games: u64,
    /// The lower end of the interval, as a share.
    low: f64,
    /// The upper end of the interval.
    high: f64,
}

pub(super) struct Train;

impl Declared for Train {
    const NAME: &'static str = "train";
    const ABOUT: &'static str = "[Trains a player](training.md) in games against itself, and keeps it for later requests \
         for the same rules, as `learned`. At the time limit of the request, it keeps what it has learned. The next request \
         continues the training.";
    const EXAMPLE: &'static str = include_str!("examples/train.json");
    type Parameters = TrainParameters;
    type Answer = TrainResult;

    fn answer(store: &mut Store, asked: TrainParameters) -> Result<TrainResult, RpcError> {
        Train::answer_telling(store, asked, &mut |_, _| {})
    }

    fn answer_telling(store: &mut Store, asked: TrainParameters, tell: Tell<'_>) -> Result<TrainResult, RpcError> {
        let RequestGame { loaded, game, .. } =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let mut training = begun(store, &loaded, game.state(), &asked)?;
        let games = asked.games.map_or(MOST_GAMES, |games| games.0);
        let seconds = asked.seconds.map(|seconds| Duration::from_secs(seconds.0));
        let is_told = Progress::is_wanted(asked.progress.as_ref());
        let (begin, from) = (Instant::now(), training.trainer.games());
        loop {
            let done = training.trainer.games() - from;
            let is_late = seconds.is_some_and(|most| begin.elapsed() >= most);
            if done >= games || is_late || interrupt::stop_requested() {
                break;
            }
            match training.trainer.round((games - done).min(training.round), &interrupt::stop_requested) {
                Ok(true) => {}
                Err(error) if !error.is_stop() => return Err(rule_error(&loaded, &error)),
                // Later requests play shorter rounds, so that they have time for a whole one.
                Ok(false) | Err(_) => training.round = (training.trainer.next_round().min(training.round) / 2).max(1),
            }
            if is_told {
                tell(training.trainer.games() - from, games);
            }
        }
        let greedy = match asked.probe.map_or(0, |probe| probe.0) {
            0 => None,
            games => strength(&training.trainer, &loaded, game.state().turn_start(), games)?,
        };
        let trainer = &training.trainer;
        store.trained.add(trainer.write(&loaded, Precision::Full)).map_err(|_| internal())?;
        let error = (f64::from(trainer.error().sqrt()) * 1e3).round() / 1e3;
        let result = TrainResult { games: trainer.games(), positions: trainer.lessons(), error, greedy };
        store.training = Some(training);
        Ok(result)
    }
}

/// The training to continue, or a new one.
fn begun(
    store: &mut Store,
    loaded: &Arc<Loaded>,
    start: &State,
    asked: &TrainParameters,
) -> Result<Training, RpcError> {
    let rules = digest(loaded);
    let goes_on = !asked.anew.is_some_and(|anew| anew.0);
    // A file that was added since then is better than what is left of an earlier training.
    let newest = store.trained.file(loaded);
    let last = store.training.take().filter(|last| {
        let is_own = newest.is_some_and(|file| file == last.trainer.write(loaded, Precision::Full));
        goes_on && last.rules == rules && last.start == start.position().hash() && is_own
    });
    if let Some(last) = last {
        return Ok(last);
    }
    // One thread: the time limit of a request belongs to its thread.
    let setting = Setting { seed: asked.seed.map_or(1, |seed| seed.0), threads: 1, ..Setting::default() };
    let (begin, start) = (start.clone(), start.position().hash());
    let trainer = match newest.filter(|_| goes_on) {
        Some(file) => Trainer::resume(loaded, begin, setting, file),
        None => Trainer::new(loaded, begin, setting),
    };
    let trainer = trainer.map_err(|error| match error {
        LearnError::Rule(error) => rule_error(loaded, &error),
        other => RpcError::new(NOT_NOW, other.to_string()),
    })?;
    Ok(Training { rules, start, trainer, round: u64::MAX })
}

/// The result of a match against `greedy`; `None` if the time is over before its end.
fn strength(trainer: &Trainer, loaded: &Loaded, start: &Position, games: u64) -> Result<Option<Strength>, RpcError> {
    let begin = |seed: u64| Game::new(Arc::clone(&loaded.set), start.clone(), seed).map_err(PlayerError::from);
    let failed = |error: PlayerError| match error {
        PlayerError::Rule(error) if error.is_stop() => Ok(None),
        PlayerError::Rule(error) => Err(rule_error(loaded, &error)),
        other => Err(RpcError::new(NOT_NOW, other.to_string())),
    };
    let evaluation = match Evaluation::learn(Arc::clone(&loaded.set), &loaded.start) {
        Ok(evaluation) => Arc::new(evaluation),
        Err(error) => return failed(PlayerError::Rule(error)),
    };
    let greedy = |seed| Ok::<Box<dyn Player>, _>(Box::new(Greedy::new(Arc::clone(&evaluation), seed)));
    match trainer.against(&greedy, &begin, games, &interrupt::stop_requested) {
        Err(error) => failed(error),
        Ok(score) => Ok((score.games() == games).then(|| {
            let interval = Interval::wilson(score.wins, games);
            Strength { won: score.wins, games, low: interval.low, high: interval.high }
        })),
    }
}

/// The parameters of `trained`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct TrainedParameters {
    variant: VariantName,
    options: Option<Options>,
}

/// The trained player of a game.
#[derive(Serialize, JsonSchema)]
pub(super) struct Trained {
    /// The number of `games` and `positions` that the player has learned from; null if there is none for these rules.
    player: Option<Learned>,
    /// The reason why the latest file of a trained player does not fit these rules; null if it fits, or if there is no
    /// file.
    why: Option<String>,
}

/// How much a player has learned.
#[derive(Serialize, JsonSchema)]
struct Learned {
    /// The games.
    games: u64,
    /// The positions in them.
    positions: u64,
}

pub(super) struct TrainedPlayer;

impl Declared for TrainedPlayer {
    const NAME: &'static str = "trained";
    const ABOUT: &'static str = "Describes the [trained player](training.md) that the server has for a game.";
    const EXAMPLE: &'static str = include_str!("examples/trained.json");
    type Parameters = TrainedParameters;
    type Answer = Trained;

    fn answer(store: &mut Store, asked: TrainedParameters) -> Result<Trained, RpcError> {
        let game = RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), None)?;
        let found = store.trained.of(&game.loaded).map_err(|error| RpcError::new(NOT_NOW, error.to_string()))?;
        let player = found.map(|(header, _)| Learned { games: header.games, positions: header.lessons });
        Ok(Trained { player, why: store.trained.why(&game.loaded) })
    }
}
