//! An experiment: a variant with options, the starting position, the players, and the seed.
//!
//! Game number `i` depends only on these and on `i`: not on the thread or the machine, nor on which games were played
//! before.

use crate::hex::hex;
use crate::learning::file::shipped;
use crate::opponent::{Opponent, OpponentError};
use astragal_computer::learned::LearnedValues;
use astragal_computer::{Evaluation, KnownValues, PlayerError};
use astragal_core::dice::mix;
use astragal_core::rule::RuleError;
use astragal_core::{Game, Side, State};
use astragal_dsl::coverage::Coverage;
use astragal_dsl::notation::fen;
use astragal_dsl::{LoadError, Loaded, Source, blame, game_text, load_noting, turn_state_text};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// The default limit of moves per game; longer games are aborted.
pub const MOST_PLIES: u32 = 2_000;

/// The maximum number of events per allowed move. It ends games whose rules roll without ever making a move.
const EVENTS_PER_PLY: usize = 8;

/// The reason why something cannot be simulated.
#[derive(Clone, Debug, Error)]
pub enum LabError {
    /// The script or an option is wrong.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The position cannot be read.
    #[error("{0}")]
    Position(String),
    /// A player name is invalid.
    #[error(transparent)]
    Opponent(#[from] OpponentError),
    /// The number of players is neither that of the seats nor one for all.
    #[error("expected one player for all seats, or {seats} players (one per seat), found {found}")]
    Seats {
        /// The seats of the game.
        seats: usize,
        /// The number of players given.
        found: usize,
    },
    /// A player does not support this game.
    #[error("{0}")]
    Player(PlayerError),
    /// A rule failed.
    #[error("game {number}: {error}")]
    Game {
        /// The number of the game.
        number: u64,
        /// The error.
        error: Box<PlayerError>,
    },
    /// A rule failed before the first game.
    #[error("{0}")]
    Rule(#[from] RuleError),
    /// It was stopped before the first game.
    #[error("stopped before the first game ended")]
    Stopped,
    /// A record cannot be written.
    #[error("{0}")]
    Write(String),
}

impl LabError {
    /// Whether the only problem is that the simulation was stopped.
    pub fn is_stop(&self) -> bool {
        match self {
            LabError::Stopped => true,
            LabError::Rule(error) => error.is_stop(),
            LabError::Game { error, .. } => matches!(&**error, PlayerError::Rule(error) if error.is_stop()),
            _ => false,
        }
    }
}

/// The setting of a simulation, as the user states it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// Names and values of options.
    pub options: Vec<(String, String)>,
    /// The starting position, if it is not the variant's.
    pub position: Option<String>,
    /// The players by name: one for all seats, or one for each.
    pub players: Vec<String>,
    /// The seed of dice and players.
    pub seed: u64,
    /// The maximum number of moves per game; longer games are aborted.
    pub max_plies: u32,
    /// Whether to separate luck from skill, which takes many times as long.
    pub luck: bool,
    /// Whether to count in how many games each line of the script runs, which takes many times as long.
    #[serde(default)]
    pub lines: bool,
}

impl Setting {
    /// Random players from the variant's starting position.
    pub fn random(seed: u64) -> Setting {
        let players = vec![Opponent::Random.to_string()];
        Setting { options: Vec::new(), position: None, players, seed, max_plies: MOST_PLIES, luck: false, lines: false }
    }

    /// The same, but with luck separated from skill also where a computer plays, since it evaluates all positions anyway. A
    /// trained player without search is so fast that luck would take most of the time.
    pub fn with_luck_of_computers(mut self) -> Setting {
        self.luck |= self.players.iter().any(|name| matches!(Opponent::parse(name), Ok(Opponent::Computer(_))));
        self
    }
}

/// Reads the learned evaluation of a variant from a file, or without a file, the one that comes with the variant.
pub type Open<'a> = &'a dyn Fn(&Loaded, Option<&str>) -> Result<Arc<LearnedValues>, String>;

/// Returns whether to stop, on any thread.
pub(crate) type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// A setting with its variant loaded, ready for any number of threads.
pub struct Experiment {
    loaded: Loaded,
    setting: Setting,
    seats: Vec<Opponent>,
    start: Mutex<Game>,
    evaluation: Option<Arc<Evaluation>>,
    /// Replays the games of evaluating players to see which parts of the script run, since their searches also run lines
    /// for events that are not played.
    shadow: Option<Mutex<State>>,
    stop: Mutex<Stop>,
    coverage: Coverage,
    /// The lines of the script that loading does not run.
    lines_of_rules: BTreeSet<usize>,
}

impl Experiment {
    /// Loads a variant for games according to `setting`.
    ///
    /// # Errors
    /// If the script, the options, the position or the players are wrong, or a rule fails.
    pub fn new(source: &Source, setting: Setting) -> Result<Experiment, LabError> {
        Experiment::until(source, setting, || false)
    }

    /// The same, unless `stop` returns true before loading is complete. It is also called in the middle of games, until
    /// [`Experiment::stop_when`] sets another function.
    ///
    /// # Errors
    /// As [`Experiment::new`]; or if it is stopped.
    pub fn until(
        source: &Source,
        setting: Setting,
        stop: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Result<Experiment, LabError> {
        Experiment::opening(source, setting, stop, &|loaded, file| match file {
            None => shipped(loaded).map(Arc::new),
            Some(_) => Err("for 'learned:FILE', call `Experiment::opening` with a function that reads files".into()),
        })
    }

    /// The same with learned players, whose files `open` reads.
    ///
    /// # Errors
    /// As [`Experiment::until`], or if a file cannot be used.
    pub fn opening(
        source: &Source,
        mut setting: Setting,
        stop: impl Fn() -> bool + Send + Sync + 'static,
        open: Open<'_>,
    ) -> Result<Experiment, LabError> {
        let stop: Stop = Arc::new(stop);
        let coverage = Coverage::new();
        let noting = load_noting(source, &setting.options, &coverage)?;
        let lines_of_rules = coverage.summary(&noting.source.name).unreached;
        let sides = noting.set.variant.sides();
        let named: Result<Vec<Opponent>, _> = {
            let open = |file: Option<&str>| open(&noting, file);
            setting.players.iter().map(|name| Opponent::parse_with(name, &open)).collect()
        };
        let mut seats = named?;
        if let [all] = &seats[..] {
            seats = vec![all.clone(); sides];
        }
        if seats.len() != sides {
            return Err(LabError::Seats { seats: sides, found: seats.len() });
        }
        setting.players = seats.iter().map(Opponent::to_string).collect();
        // Only options that differ from the defaults, in the order of the script, regardless of the input.
        let chosen = noting.options.iter().filter(|option| option.chosen != option.default);
        setting.options = chosen.map(|option| (option.name.clone(), option.chosen.clone())).collect();
        setting.position = setting.position.filter(|text| text.trim() != "start");
        let judging = setting.luck || seats.iter().any(|seat| *seat != Opponent::Random);
        let loaded = if judging { astragal_dsl::load(source, &setting.options)? } else { noting.clone() };
        for set in [&loaded.set, &noting.set] {
            let stop = Arc::clone(&stop);
            set.rules.stop_when(move || stop());
        }
        let evaluation =
            judging.then(|| Evaluation::learn(Arc::clone(&loaded.set), &loaded.start)).transpose()?.map(Arc::new);
        if let Some(evaluation) = evaluation.as_ref().filter(|_| setting.luck) {
            evaluation.can_be_evaluated().map_err(LabError::Player)?;
        }
        let begin = |loaded: &Loaded| begin(loaded, setting.position.as_deref());
        let start = Mutex::new(begin(&loaded)?);
        let shadow = judging.then(|| begin(&noting)).transpose()?.map(|game| Mutex::new(game.state().clone()));
        let stop = Mutex::new(stop);
        Ok(Experiment { loaded, setting, seats, start, evaluation, shadow, stop, coverage, lines_of_rules })
    }

    /// An experiment whose games were played elsewhere: it can be reported on, also without the files of its players.
    ///
    /// # Errors
    /// As [`Experiment::new`], but not because of players.
    pub(crate) fn played_elsewhere(source: &Source, setting: Setting) -> Result<Experiment, LabError> {
        let players = vec![Opponent::Random.to_string(); setting.players.len()];
        let mut experiment = Experiment::new(source, Setting { players, luck: false, ..setting.clone() })?;
        experiment.setting = setting;
        Ok(experiment)
    }

    /// The same with exact values of some states, for the computer and for luck.
    pub fn knowing(mut self, known: Arc<dyn KnownValues + Send + Sync>) -> Experiment {
        let evaluation = self.evaluation.take().and_then(Arc::into_inner);
        self.evaluation = evaluation.map(|evaluation| Arc::new(evaluation.knowing(known)));
        self
    }

    /// Whether it has exact values of some states.
    pub fn knows_values(&self) -> bool {
        self.evaluation.as_ref().is_some_and(|evaluation| evaluation.known().is_some())
    }

    /// From now on `stop` is called to check whether to stop, every few thousand units of the rules' work, also in the
    /// middle of events and for all players.
    pub fn stop_when(&self, stop: impl Fn() -> bool + Send + Sync + 'static) {
        let stop: Stop = Arc::new(stop);
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&stop);
        let shadow = self.shadow.as_ref().map(|state| state.lock().unwrap_or_else(PoisonError::into_inner));
        for set in [&self.loaded.set].into_iter().chain(shadow.as_ref().map(|state| state.ruleset())) {
            let stop = Arc::clone(&stop);
            set.rules.stop_when(move || stop());
        }
    }

    /// The function that checks whether to stop.
    pub(crate) fn stop(&self) -> Stop {
        Arc::clone(&self.stop.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The variant.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// The setting, with a player for each seat and only the options that differ from their defaults.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// The players by seat.
    pub fn seats(&self) -> &[Opponent] {
        &self.seats
    }

    /// The evaluation of the variant, if some players use it.
    pub fn evaluation(&self) -> Option<&Arc<Evaluation>> {
        self.evaluation.as_ref()
    }

    /// Whether all players decide at random and no evaluation is used.
    pub fn is_random(&self) -> bool {
        self.evaluation.is_none()
    }

    /// The state that games begin with.
    pub fn start(&self) -> State {
        self.start.lock().unwrap_or_else(PoisonError::into_inner).state().clone()
    }

    /// A game without events.
    pub(crate) fn first(&self) -> Game {
        self.start.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The starting state for replaying games to see which parts of the script run; `None` if playing them suffices.
    pub(crate) fn shadow(&self) -> Option<State> {
        self.shadow.as_ref().map(|state| state.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// The marks of the parts of the script that games of this experiment have run so far.
    pub(crate) fn covered(&self) -> BTreeSet<String> {
        self.coverage.marks()
    }

    /// The parts of the script that could run, none of them visited.
    pub(crate) fn unvisited(&self) -> Coverage {
        self.coverage.unvisited()
    }

    /// The lines of the script that only games can run.
    pub(crate) fn lines_of_rules(&self) -> &BTreeSet<usize> {
        &self.lines_of_rules
    }

    /// The maximum number of events of a game.
    pub(crate) fn most_events(&self) -> usize {
        (self.setting.max_plies as usize).saturating_mul(EVENTS_PER_PLY).max(1)
    }

    /// The seed of everything random in game number `game`.
    pub fn game_seed(&self, game: u64) -> u64 {
        mix(self.setting.seed ^ mix(game))
    }

    /// The name of a side.
    pub fn side_name(&self, side: usize) -> &str {
        game_text::side_name(&self.loaded.set.variant, Side(side as u8))
    }

    /// The SHA-256 of the script without its imports, in hexadecimal digits.
    pub fn script_digest(&self) -> String {
        hex(&Sha256::digest(self.loaded.source.text.as_bytes()))
    }
}

/// A game from a position, or from the variant's starting position.
pub(crate) fn begin(loaded: &Loaded, position: Option<&str>) -> Result<Game, LabError> {
    let Some(text) = position else {
        let game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0);
        return game.map_err(|error| match error.is_stop() {
            true => LabError::Rule(error),
            // The error is shown with its place in the rule, like other script errors.
            false => LoadError::Script(vec![blame(loaded, Some(&loaded.start), &error)]).into(),
        });
    };
    let placed = fen::parse(&loaded.set.variant, text).map_err(|error| LabError::Position(error.render()))?;
    turn_state_text::begin(loaded, placed, 0).map_err(|error| LabError::Position(error.to_string()))
}
