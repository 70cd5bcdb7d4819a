//! Training of players, and networks that evaluate positions.
//!
//! Owns the clock of training that is started from Python, and the conversion of weights to and from arrays. The lab plays
//! and learns, and writes and reads files; this module adds no format and no arithmetic of its own.

use crate::game::{self, Game};
use crate::lab::{replace, watched};
use crate::shared::Shared;
use crate::state::State;
use crate::{convert, errors};
use astragal_computer::learned::{
    Activity, Feature, LearnedValues, Network as Layers, Room, Shape, Values, results, targets,
};
use astragal_computer::{Greedy, MatchScore, Player, PlayerError};
use astragal_core::Game as Played;
use astragal_core::rule::RuleError;
use astragal_dsl::masked;
use astragal_dsl::notation::fen;
use astragal_lab::Interval;
use astragal_lab::learning::file::{self, Header, Precision};
use astragal_lab::learning::{LearnError, Setting, Trainer};
use astragal_lab::solve::table;
use numpy::{AllowTypeChange, IntoPyArray, PyArray1, PyArrayLikeDyn, PyUntypedArrayMethods, ToPyArray};
use pyo3::exceptions::PyFileExistsError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The default time.
const USUAL: Duration = Duration::from_secs(600);
/// The longest time between two writes of the file.
const MOST_BETWEEN: Duration = Duration::from_secs(300);

/// The result of training.
#[pyclass(module = "astragal", frozen, get_all)]
pub(crate) struct Training {
    games: u64,
    positions: u64,
    error: f32,
    seconds: f64,
    against_greedy: Option<Py<PyDict>>,
}

#[pymethods]
impl Training {
    fn __repr__(&self) -> String {
        let Training { games, positions, error, seconds, .. } = self;
        format!("Training(games={games}, positions={positions}, error={error:.3}, seconds={seconds:.0})")
    }
}

/// The reason why training failed.
enum Failure {
    Learn(LearnError),
    Player(PlayerError),
    Write(String),
}

impl From<RuleError> for Failure {
    fn from(error: RuleError) -> Failure {
        Failure::Learn(LearnError::Rule(error))
    }
}

impl Failure {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Failure::Learn(error) => errors::of_learn(py, error),
            Failure::Player(PlayerError::Rule(error)) => errors::of_rule(py, error),
            Failure::Player(error) => errors::value(error),
            Failure::Write(error) => errors::io(error),
        }
    }
}

/// The data that training needs on another thread.
struct Course<'a> {
    shared: &'a Shared,
    file: &'a Path,
    position: Option<&'a str>,
    games: Option<u64>,
    time: Option<Duration>,
    probe: u64,
    stop: Arc<AtomicBool>,
    done: &'a AtomicU64,
    begun: Instant,
}

/// The trainer after training, and its score against `greedy` if requested.
type Ended = (Trainer, Option<MatchScore>);

impl Course<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Plays and learns, and writes the file, even if it is stopped.
    fn run(&self, setting: Setting, before: Option<&[u8]>) -> Result<Option<Ended>, Failure> {
        let loaded = &self.shared.loaded;
        let start = self.begin(0).map_err(Failure::Player)?.state().clone();
        let trainer = match before {
            Some(bytes) => Trainer::resume(loaded, start, setting, bytes),
            None => Trainer::new(loaded, start, setting),
        };
        let mut trainer = match trainer {
            Err(LearnError::Rule(error)) if error.is_stop() => return Ok(None),
            trainer => trainer.map_err(Failure::Learn)?,
        };
        let result = self.learn(&mut trainer);
        self.write(&trainer)?;
        result?;
        let score = if self.probe > 0 && !self.stopped() { self.measure(&trainer)? } else { None };
        Ok(Some((trainer, score)))
    }

    fn learn(&self, trainer: &mut Trainer) -> Result<(), Failure> {
        let over = || self.stopped() || self.time.is_some_and(|most| self.begun.elapsed() >= most);
        let mut written = Instant::now();
        while !over() && self.games.is_none_or(|games| trainer.games() < games) {
            let most = self.games.map_or(u64::MAX, |games| games - trainer.games());
            match trainer.round(most, &over) {
                Err(error) if !error.is_stop() => return Err(error.into()),
                Err(_) | Ok(false) => break,
                Ok(true) => self.done.store(trainer.games(), Ordering::Relaxed),
            }
            if written.elapsed() >= MOST_BETWEEN {
                self.write(trainer)?;
                written = Instant::now();
            }
        }
        Ok(())
    }

    fn write(&self, trainer: &Trainer) -> Result<(), Failure> {
        replace(self.file, &trainer.write(&self.shared.loaded, Precision::Full)).map_err(Failure::Write)
    }

    /// Plays a match against `greedy`.
    fn measure(&self, trainer: &Trainer) -> Result<Option<MatchScore>, Failure> {
        let evaluation = self.shared.evaluation()?;
        let greedy = |seed| Ok::<Box<dyn Player>, _>(Box::new(Greedy::new(Arc::clone(&evaluation), seed)));
        match trainer.against(&greedy, &|seed| self.begin(seed), self.probe, &|| self.stopped()) {
            Err(PlayerError::Rule(error)) if error.is_stop() => Ok(None),
            score => Ok(Some(score.map_err(Failure::Player)?).filter(|_| !self.stopped())),
        }
    }

    fn begin(&self, seed: u64) -> Result<Played, PlayerError> {
        let loaded = &self.shared.loaded;
        let Some(text) = self.position else {
            return Ok(Played::new(Arc::clone(&loaded.set), loaded.start.clone(), seed)?);
        };
        let placed = fen::parse(&loaded.set.variant, text).map_err(|_| PlayerError::Nothing)?;
        masked::begin(loaded, placed, seed).map_err(|_| PlayerError::Nothing)
    }
}

/// A number of seconds.
fn seconds(time: f64) -> PyResult<Duration> {
    match time > 0.0 && time <= 1e7 {
        true => Ok(Duration::from_secs_f64(time)),
        false => Err(errors::value(format!("expected a time in seconds, above 0, found {time}"))),
    }
}

/// The file to continue from, if training is resumed. Refuses a file that would be overwritten, and a missing folder.
fn before(file: &Path, resume: bool) -> PyResult<Option<Vec<u8>>> {
    let shown = file.display();
    if resume {
        return std::fs::read(file).map(Some).map_err(|error| errors::io(format!("{shown}: {error}")));
    }
    if file.exists() {
        let why = format!("{shown} exists: pass resume=True to continue it, or choose another file");
        return Err(PyFileExistsError::new_err(why));
    }
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => Err(errors::io(format!("{}: there is no such folder", folder.display()))),
        _ => Ok(None),
    }
}

/// A score as Python values.
fn score<'py>(py: Python<'py>, score: &MatchScore) -> PyResult<Bound<'py, PyDict>> {
    let games = score.games();
    let interval = Interval::wilson(score.wins, games);
    let values = PyDict::new(py);
    values.set_item("games", games)?;
    values.set_item("wins", score.wins)?;
    values.set_item("interval", (interval.low, interval.high))?;
    values.set_item("points", score.points().map(|points| points / games.max(1) as f64))?;
    Ok(values)
}

#[pymethods]
impl Game {
    /// Trains a player: it learns from games against itself, like ``astragal train --into FILE``.
    #[pyo3(signature = (into, *, games=None, time=None, threads=None, seed=1, hidden=80, lambda_=0.7, rate=2.0, explore=0.02, opening=0, turns=1000, position=None, resume=false, probe=0, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn train(
        &self,
        py: Python<'_>,
        into: PathBuf,
        #[pyo3(from_py_with = convert::optional)] games: Option<u64>,
        time: Option<f64>,
        #[pyo3(from_py_with = convert::optional)] threads: Option<usize>,
        #[pyo3(from_py_with = convert::whole)] seed: u64,
        #[pyo3(from_py_with = convert::whole)] hidden: u32,
        lambda_: f32,
        rate: f32,
        explore: f32,
        #[pyo3(from_py_with = convert::whole)] opening: u32,
        #[pyo3(from_py_with = convert::at_least_one)] turns: u32,
        position: Option<String>,
        resume: bool,
        #[pyo3(from_py_with = convert::whole)] probe: u64,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Training> {
        let begun = Instant::now();
        let time = time.map(seconds).transpose()?.or(if games.is_none() { Some(USUAL) } else { None });
        let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let setting =
            Setting { hidden, lambda: lambda_, rate, explore, opening, seed, turns, threads, ..Setting::default() };
        let known = before(&into, resume)?;
        // Rules of its own, since stopping them must not stop other games.
        let own = game::loaded(py, &self.source(), &self.chosen())?;
        own.shared.begin(py, position.as_deref(), 0)?;
        let (stop, done) = (Arc::new(AtomicBool::new(false)), AtomicU64::new(0));
        let asked = Arc::clone(&stop);
        own.shared.loaded.set.rules.stop_when(move || asked.load(Ordering::Relaxed));
        let course = Course {
            shared: &own.shared,
            file: &into,
            position: position.as_deref(),
            games,
            time,
            probe,
            stop: Arc::clone(&stop),
            done: &done,
            begun,
        };
        let ended = watched(py, &stop, progress.as_ref(), &done, || course.run(setting, known.as_deref()))?;
        let ended = ended.map_err(|failure| failure.raise(py))?;
        let (trainer, strength) = ended.ok_or_else(|| errors::value("the training was stopped"))?;
        let (games, positions, error) = (trainer.games(), trainer.lessons(), trainer.error().sqrt());
        let strength = strength.map(|strength| score(py, &strength).map(Bound::unbind)).transpose()?;
        Ok(Training { games, positions, error, seconds: begun.elapsed().as_secs_f64(), against_greedy: strength })
    }

    /// The number of features of a position.
    #[getter]
    fn feature_count(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.shared.features(py)?.len())
    }

    /// What each feature means.
    #[getter]
    fn feature_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.shared.features(py)?.names(&self.shared.loaded.set.variant))
    }

    /// The levels of results, in points.
    #[getter]
    fn result_levels(&self, py: Python<'_>) -> PyResult<Vec<f32>> {
        Ok(self.shared.levels(py)?.iter().map(|level| *level as f32 / 2.0).collect())
    }

    /// The number of outputs of a network.
    #[getter]
    fn output_count(&self, py: Python<'_>) -> PyResult<u32> {
        self.shared.outputs(py)
    }

    /// Reads a network that a training or ``write_network`` has written.
    fn read_network(&self, py: Python<'_>, file: PathBuf) -> PyResult<Network> {
        let shown = file.display();
        let bytes = std::fs::read(&file).map_err(|error| errors::io(format!("{shown}: {error}")))?;
        let read = py.detach(|| file::read(&bytes, &self.shared.loaded));
        let (header, values) = read.map_err(|error| errors::value(format!("{shown}: {error}")))?;
        Ok(Network { shared: Arc::clone(&self.shared), header, values: Arc::new(values) })
    }

    /// Writes weights to a file, for the player ``learned:FILE``.
    #[pyo3(signature = (file, weights, *, levels=None, games=0, positions=0))]
    fn write_network(
        &self,
        py: Python<'_>,
        file: PathBuf,
        weights: Vec<Numbers<'_>>,
        levels: Option<Vec<f32>>,
        #[pyo3(from_py_with = convert::whole)] games: u64,
        #[pyo3(from_py_with = convert::whole)] positions: u64,
    ) -> PyResult<()> {
        let loaded = &self.shared.loaded;
        let levels = match levels {
            Some(levels) => levels.iter().map(|level| (2.0 * level).round() as i32).collect(),
            None => self.shared.levels(py)?.to_vec(),
        };
        let features = self.shared.features(py)?.clone();
        let sides = self.shared.sides();
        let outputs = LearnedValues::outputs_for(levels.len(), sides);
        let network = layers(&weights, features.len(), outputs)?;
        let unsuitable = || errors::value("levels must ascend, and with two sides each level needs its opposite");
        let values = LearnedValues::new(features, network, levels, sides).ok_or_else(unsuitable)?;
        let header = Header { games, lessons: positions };
        py.detach(|| replace(&file, &file::write(&values, loaded, header, Precision::Full))).map_err(errors::io)
    }
}

/// An array of numbers of any kind.
type Numbers<'py> = PyArrayLikeDyn<'py, f32, AllowTypeChange>;

/// A network with the weights of the hidden units and their biases, those of the outputs and their biases.
fn layers(weights: &[Numbers<'_>], inputs: u32, outputs: u32) -> PyResult<Layers> {
    let [first, first_bias, second, second_bias] = weights else {
        return Err(errors::value(format!("expected four arrays of weights, found {}", weights.len())));
    };
    let hidden = first_bias.len();
    let shapes = [first.shape(), first_bias.shape(), second.shape(), second_bias.shape()];
    let [rows, last] = [inputs as usize, outputs as usize];
    if !(1..=4096).contains(&hidden) || shapes != [&[rows, hidden][..], &[hidden], &[last, hidden], &[last]] {
        let found = shapes.map(|shape| format!("{shape:?}")).join(", ");
        return Err(errors::value(format!(
            "expected weights of the shapes [{rows}, H], [H], [{last}, H], [{last}] with 1 to 4096 hidden units H, found {found}"
        )));
    }
    let parts = [first, first_bias, second, second_bias].map(|part| part.as_array().iter().copied().collect());
    let network = Layers::of(Shape { inputs, hidden: hidden as u32, outputs }, parts);
    network.ok_or_else(|| errors::value("all weights must be finite numbers"))
}

/// A network that evaluates positions of one game.
#[pyclass(module = "astragal", frozen)]
pub(crate) struct Network {
    shared: Arc<Shared>,
    header: Header,
    values: Arc<LearnedValues>,
}

impl Network {
    /// Checks that a state is of the same game.
    fn suits(&self, state: &State) -> PyResult<()> {
        let (mine, other) = (&self.shared, state.shared());
        match Arc::ptr_eq(mine, other) || table::digest(&mine.loaded) == table::digest(&other.loaded) {
            true => Ok(()),
            false => Err(errors::value(format!("the network is for {}, not for this game", mine.loaded.name))),
        }
    }
}

#[pymethods]
impl Network {
    #[getter]
    fn games(&self) -> u64 {
        self.header.games
    }

    #[getter]
    fn positions(&self) -> u64 {
        self.header.lessons
    }

    #[getter]
    fn levels(&self) -> Vec<f32> {
        self.values.levels().iter().map(|level| *level as f32 / 2.0).collect()
    }

    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyAny>; 4]> {
        let Shape { inputs, hidden, outputs } = self.values.network().shape();
        let [first, first_bias, second, second_bias] = self.values.network().weights();
        let matrix = |weights: &[f32], rows: u32| weights.to_pyarray(py).call_method1("reshape", (rows, hidden));
        Ok([
            matrix(first, inputs)?,
            first_bias.to_pyarray(py).into_any(),
            matrix(second, outputs)?,
            second_bias.to_pyarray(py).into_any(),
        ])
    }

    /// The outputs for a position.
    fn outputs<'py>(&self, py: Python<'py>, state: &State) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.suits(state)?;
        let (mut features, mut activity) = (Vec::new(), Activity::default());
        let state = state.present(py);
        self.values.features().list(&state.ruleset().variant, state.position(), &mut features);
        self.values.network().run(&features, &mut activity);
        Ok(activity.outputs.to_pyarray(py))
    }

    /// The expected result for each side.
    fn values(&self, py: Python<'_>, state: &State) -> PyResult<Vec<f32>> {
        self.suits(state)?;
        let state = state.present(py);
        let variant = &state.ruleset().variant;
        let values = match state.over() {
            Some(over) => results(variant, over),
            None => self.values.values(variant, state.position(), &mut Room::default()),
        };
        Ok(values[..variant.sides()].iter().map(|value| value / 2.0).collect())
    }

    fn __repr__(&self) -> String {
        let (name, hidden) = (&self.shared.loaded.name, self.values.network().shape().hidden);
        format!("<astragal.Network for {name}: {hidden} hidden units, {} games>", self.header.games)
    }
}

/// Numbers of features, and their values.
type Sparse<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f32>>);

impl State {
    /// The features that are not zero.
    fn listed(&self, py: Python<'_>) -> PyResult<Vec<Feature>> {
        let shared = self.shared();
        let features = shared.features(py)?;
        let mut list = Vec::new();
        features.list(&shared.loaded.set.variant, self.present(py).position(), &mut list);
        Ok(list)
    }
}

#[pymethods]
impl State {
    /// The features of the position that are not zero: their numbers and their values.
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Sparse<'py>> {
        let (numbers, values): (Vec<u32>, Vec<f32>) = self.listed(py)?.into_iter().unzip();
        Ok((numbers.into_pyarray(py), values.into_pyarray(py)))
    }

    /// All features of the position as one array.
    fn feature_tensor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let mut all = vec![0.0; self.shared().features(py)?.len() as usize];
        self.listed(py)?.into_iter().for_each(|(number, value)| all[number as usize] = value);
        Ok(all.into_pyarray(py))
    }

    /// The side from whose view features are listed.
    fn feature_player(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.shared().features(py)?.view(self.present(py).position()).index())
    }

    /// The outputs that a network should have had in positions of this game that `player` views.
    #[pyo3(signature = (player=0))]
    fn target_outputs<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = convert::whole)] player: usize,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let (view, shared) = (self.side(player)?, self.shared());
        let (levels, outputs) = (shared.levels(py)?, shared.outputs(py)?);
        let state = self.present(py);
        let results = state.over().map_or(Values::default(), |over| results(&state.ruleset().variant, over));
        let mut wanted = Vec::new();
        targets(levels, outputs, &results, view, &mut wanted);
        Ok(wanted.into_pyarray(py))
    }
}

/// The 95% interval for the chance of an event that occurred ``hits`` times in ``trials``.
#[pyfunction]
pub(crate) fn interval(
    #[pyo3(from_py_with = convert::whole)] hits: u64,
    #[pyo3(from_py_with = convert::whole)] trials: u64,
) -> PyResult<(f64, f64)> {
    if hits > trials {
        return Err(errors::value(format!("{hits} hits cannot occur in {trials} trials")));
    }
    let interval = Interval::wilson(hits, trials);
    Ok((interval.low, interval.high))
}
