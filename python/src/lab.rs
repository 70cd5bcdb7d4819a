//! Simulations: whole, in parts that are merged elsewhere, or with a row for each game.
//!
//! Owns the calls of the lab from Python. They run on another thread: the interpreter's lock is released, Ctrl-C works, and
//! a callback gets the number of finished games.

use crate::game::Game;
use crate::{convert, errors};
use astragal_dsl::Loaded;
use astragal_dsl::notation::fen;
use astragal_lab::part::{self, MergeError};
use astragal_lab::solve::table::{self, Origin};
use astragal_lab::solve::{self, Limits, Material, SolveError, Solver, Step};
use astragal_lab::{Experiment, LabError, MOST_PLIES, Report, Row, Rows, Setting, Tally, Watch, part_folder, run};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyRange, PyString, PyTuple};
use serde_json::Value;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

// The signatures below repeat the number, because Python shows them.
const _: () = assert!(MOST_PLIES == 2000);

/// The interval at which to ask the interpreter for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Some games of a simulation, with their results. ``Part(manifest, tally)`` creates one from its texts, and raises
/// ValueError if they do not belong together. Parts can be pickled.
#[pyclass(module = "astragal", frozen)]
#[derive(Clone)]
pub(crate) struct Part {
    games: Range<u64>,
    part: part::Part,
}

#[pymethods]
impl Part {
    #[new]
    fn new(manifest: String, tally: String) -> PyResult<Part> {
        let part = part::Part { manifest, tally };
        let (manifest, _) = part.read("manifest", "tally").map_err(errors::value)?;
        Ok(Part { games: manifest.range(), part })
    }

    #[getter]
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("builtins")?.getattr("range")?.call1((self.games.start, self.games.end))
    }

    #[getter]
    fn manifest(&self) -> &str {
        &self.part.manifest
    }

    #[getter]
    fn tally(&self) -> &str {
        &self.part.tally
    }

    /// Writes the part to a folder, like ``astragal simulate --part``. The folder is created if necessary, and each file
    /// appears only when it is complete.
    ///
    /// Raises:
    ///     OSError: if it cannot be written.
    fn write(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        py.detach(|| part_folder::write(&folder, &self.games, &self.part, replace)).map_err(errors::io)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String, String)) {
        (py.get_type::<Part>().into_any(), (self.part.manifest.clone(), self.part.tally.clone()))
    }

    fn __repr__(&self) -> String {
        format!("<astragal.Part of the games {} to {}>", self.games.start, self.games.end - 1)
    }
}

/// Writes a temporary file and renames it, so that the file appears only when it is complete.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut pen = tempfile::Builder::new();
    // The mask of the process decides who can read the file, as with any other file.
    #[cfg(unix)]
    pen.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = pen.tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    file.persist(path).map(drop).map_err(|error| failed(error.error))
}

/// Merges parts into one report, like ``astragal merge``. The report is the same as that of a single process.
///
/// Args:
///     parts: each a ``Part``, or a folder with parts.
///
/// Raises:
///     ValueError: if games are missing or occur twice, if the parts are of different simulations, or if one is damaged.
#[pyfunction]
#[pyo3(signature = (*parts))]
pub(crate) fn merge<'py>(py: Python<'py>, parts: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    let (mut given, mut folders) = (Vec::new(), Vec::new());
    for one in parts {
        match one.cast::<Part>() {
            Ok(part) => given.push(part.get().clone()),
            Err(_) => folders.push(one.extract::<PathBuf>()?),
        }
    }
    let report = py.detach(|| {
        let mut read = part_folder::read(&folders)?;
        for Part { games, part } in &given {
            let (manifest, tally) = part::file_names(games);
            let (read_manifest, read_tally) = part.read(&manifest, &tally)?;
            read.push((manifest, read_manifest, read_tally));
        }
        let (experiment, games, tally) = part::merge(read)?;
        Ok(Report::new(&experiment, games, &tally).json())
    });
    convert::json(py, &report.map_err(|error: MergeError| errors::value(error))?)
}

/// The settings of a simulation from Python.
struct Asked {
    players: Option<Vec<String>>,
    seed: u64,
    max_plies: u32,
    position: Option<String>,
    luck: Option<bool>,
    lines: bool,
}

impl Asked {
    /// The experiment.
    fn experiment(self, py: Python<'_>, game: &Game) -> PyResult<Experiment> {
        let random = Setting::random(self.seed);
        let setting = Setting {
            options: game.chosen(),
            position: self.position,
            players: self.players.unwrap_or(random.players),
            seed: self.seed,
            max_plies: self.max_plies,
            luck: self.luck.unwrap_or(false),
            lines: self.lines,
        };
        let setting = if self.luck.is_none() { setting.with_luck_of_computers() } else { setting };
        let source = game.source();
        let open = |_: &Loaded, file: Option<&str>| game.shared.learned(file);
        let experiment = py.detach(|| Experiment::opening(&source, setting, || false, &open));
        let experiment = experiment.map_err(|error| errors::of_lab(py, &error))?;
        let tables = &game.shared.tables;
        Ok(if tables.is_empty() { experiment } else { experiment.knowing(Arc::new(tables.clone())) })
    }
}

/// The numbers of games: a range, or a count from 0.
fn numbers(games: &Bound<'_, PyAny>) -> PyResult<Range<u64>> {
    let nothing = || errors::value("games must be at least 1");
    let Ok(range) = games.cast::<PyRange>() else {
        return Some(0..convert::whole(games)?).filter(|games| !games.is_empty()).ok_or_else(nothing);
    };
    if range.getattr("step")?.extract::<i64>()? != 1 {
        return Err(errors::value("games must be a number or a range with step 1"));
    }
    let games = convert::whole(&range.getattr("start")?)?..convert::whole(&range.getattr("stop")?)?;
    Some(games).filter(|games| !games.is_empty()).ok_or_else(nothing)
}

#[pymethods]
impl Game {
    /// Plays games and returns the report of ``astragal simulate --json``.
    ///
    /// Args:
    ///     games: the number of games.
    ///     players: one for all sides or one per side: ``"random"`` (the default), ``"greedy"``, ``"computer:1"`` to
    ///         ``"computer:8"``, or ``"learned:FILE"``.
    ///     seed: the seed of dice and players.
    ///     threads: the number of games to play at a time; it does not change the report.
    ///     max_plies: the number of moves after which a game is cut off.
    ///     position: the position to start from; the starting position by default.
    ///     luck: whether to separate luck from skill, which takes much longer; by default, if a computer plays.
    ///     lines: whether to count the games that run each line of the script, which takes much longer.
    ///     first: the number of the first game.
    ///     progress: called with the number of finished games, at most a few times a second.
    ///
    /// Raises:
    ///     ValueError: if there is no such player, or no game to play.
    ///     ScriptError, RuleError: if the script has errors or a rule fails.
    ///     KeyboardInterrupt: at Ctrl-C; also any exception that ``progress`` raises.
    #[pyo3(signature = (games, *, players=None, seed=1, threads=1, max_plies=2000, position=None, luck=None, lines=false, first=0, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = convert::whole)] games: u64,
        players: Option<Vec<String>>,
        #[pyo3(from_py_with = convert::whole)] seed: u64,
        #[pyo3(from_py_with = convert::at_least_one)] threads: usize,
        #[pyo3(from_py_with = convert::at_least_one)] max_plies: u32,
        position: Option<String>,
        luck: Option<bool>,
        lines: bool,
        #[pyo3(from_py_with = convert::whole)] first: u64,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let experiment = Asked { players, seed, max_plies, position, luck, lines }.experiment(py, self)?;
        let end =
            first.checked_add(games).filter(|_| games > 0).ok_or_else(|| errors::value("games must be at least 1"))?;
        let tally = played(py, &experiment, &(first..end), threads, progress.as_ref(), None)?;
        convert::json(py, &Report::new(&experiment, first..end, &tally).json())
    }

    /// Computes the exact value of every position of a small game or an ending, like ``astragal solve --into FILE``, and writes
    /// a table for ``Game.with_tables``.
    ///
    /// Args:
    ///     file: the file of the table. It is replaced when the table is complete.
    ///     position: the position to start from; the starting position by default.
    ///     material: pieces such as ``"KRvK"``, to solve all their placements instead.
    ///     states: the maximum number of states.
    ///     memory: the maximum memory for states and turns, in megabytes.
    ///     epsilon: how close the bounds of each value must be, in points.
    ///     threads: the number of threads; it does not change the table.
    ///     progress: called with the number of states whose turns are listed, at most a few times a second.
    ///
    /// Returns:
    ///     ``states``, ``reached`` (``"solved"``, ``"full"`` if there are more states than allowed, ``"still"`` if the bounds of
    ///     a value do not meet), and ``widest``, the widest interval between the bounds of a value.
    ///
    /// Raises:
    ///     ValueError: if the game cannot be solved, for example because it hides information from its players.
    ///     OSError: if the file cannot be written.
    #[pyo3(signature = (file, *, position=None, material=None, states=50_000_000, memory=4096, epsilon=1e-6, threads=1, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        file: PathBuf,
        position: Option<String>,
        material: Option<String>,
        #[pyo3(from_py_with = convert::at_least_one)] states: usize,
        #[pyo3(from_py_with = convert::at_least_one)] memory: usize,
        epsilon: f64,
        #[pyo3(from_py_with = convert::at_least_one)] threads: usize,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let loaded = &self.shared.loaded;
        let variant = &loaded.set.variant;
        if !(epsilon > 0.0 && epsilon < 1.0) {
            return Err(errors::value("epsilon must be between 0 and 1"));
        }
        let failed = |error: SolveError| errors::value(error);
        let limits = Limits { states, memory: memory.saturating_mul(1 << 20), threads };
        let mut solver = Solver::new(loaded).map_err(failed)?;
        let from = match material {
            Some(text) => {
                solver.add_all(&Material::parse(variant, &text).map_err(failed)?, &limits).map_err(failed)?;
                Origin::Material(text)
            }
            None => {
                let game = self.shared.begin(py, position.as_deref(), 1)?;
                solver.add(game.state().turn_start()).map_err(failed)?;
                Origin::Position(fen::write(variant, game.state().turn_start()))
            }
        };
        let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
        let reached = watched(py, &stop, progress.as_ref(), &done, || {
            let show = |step: Step| {
                if let Step::Explored { listed, .. } = step {
                    done.store(listed as u64, Ordering::Relaxed);
                }
            };
            let watch = solve::Watch { stop: &|| stop.load(Ordering::Relaxed), progress: &show };
            solver.run(epsilon, &limits, &watch)
        })?;
        let reached = match reached.map_err(failed)? {
            solve::Progress::Solved => "solved",
            solve::Progress::Full => "full",
            solve::Progress::Still | solve::Progress::Stopped => "still",
        };
        py.detach(|| {
            let mut bytes = Vec::new();
            table::write(&solver, loaded, from, &mut bytes).map_err(|error| error.to_string())?;
            replace(&file, &bytes)
        })
        .map_err(errors::io)?;
        let answer = PyDict::new(py);
        answer.set_item("states", solver.states())?;
        answer.set_item("reached", reached)?;
        answer.set_item("widest", solver.widest())?;
        Ok(answer)
    }

    /// Plays a part of a simulation, for ``astragal.merge``, like ``astragal simulate --games A..B --part DIR``.
    ///
    /// Args:
    ///     games: their numbers, such as ``range(300, 1000)``, or a count from 0.
    ///     folder: the folder for the part. A complete part that exists there is not played again. Without a folder,
    ///         nothing is written.
    ///
    /// The other arguments are those of ``simulate``.
    ///
    /// Raises:
    ///     ValueError: also if the folder has a part of a different simulation in its place.
    ///     OSError: if it cannot be written.
    #[pyo3(signature = (games, *, folder=None, players=None, seed=1, threads=1, max_plies=2000, position=None, luck=None, lines=false, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn simulate_part(
        &self,
        py: Python<'_>,
        games: &Bound<'_, PyAny>,
        folder: Option<PathBuf>,
        players: Option<Vec<String>>,
        #[pyo3(from_py_with = convert::whole)] seed: u64,
        #[pyo3(from_py_with = convert::at_least_one)] threads: usize,
        #[pyo3(from_py_with = convert::at_least_one)] max_plies: u32,
        position: Option<String>,
        luck: Option<bool>,
        lines: bool,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Part> {
        let games = numbers(games)?;
        if !self.shared.tables.is_empty() {
            return Err(errors::value("games with tables cannot be played in parts: use simulate"));
        }
        let experiment = Asked { players, seed, max_plies, position, luck, lines }.experiment(py, self)?;
        if let Some(folder) = &folder {
            let known = py.detach(|| part_folder::find(folder, &experiment, &games)).map_err(errors::value)?;
            if let Some(part) = known {
                return Ok(Part { games, part });
            }
        }
        let tally = played(py, &experiment, &games, threads, progress.as_ref(), None)?;
        let part = part::Part::new(&experiment, &games, &tally).map_err(|error| errors::of_lab(py, &error))?;
        let part = Part { games, part };
        if let Some(folder) = folder {
            part.write(py, folder)?;
        }
        Ok(part)
    }

    /// Returns the complete parts of a simulation in a folder, in the order of their games. Damaged parts are left out,
    /// because they must be played again. A missing folder has no parts.
    ///
    /// Raises:
    ///     ValueError: if there are parts of a different simulation (another script, players, seed ..).
    #[pyo3(signature = (folder, *, players=None, seed=1, max_plies=2000, position=None, luck=None, lines=false))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn find_parts(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        players: Option<Vec<String>>,
        #[pyo3(from_py_with = convert::whole)] seed: u64,
        #[pyo3(from_py_with = convert::at_least_one)] max_plies: u32,
        position: Option<String>,
        luck: Option<bool>,
        lines: bool,
    ) -> PyResult<Vec<Part>> {
        let experiment = Asked { players, seed, max_plies, position, luck, lines }.experiment(py, self)?;
        let found = py.detach(|| part_folder::find_all(&folder, &experiment)).map_err(errors::value)?;
        Ok(found.into_iter().map(|(games, part)| Part { games, part }).collect())
    }

    /// Plays games and returns one row per game, as a mapping from column names to values: the rows of ``astragal simulate
    /// --csv``. ``pandas.DataFrame`` accepts it; ``astragal.data`` converts it to Arrow and Parquet.
    ///
    /// Columns: ``game`` (its number), ``winner`` (the side's name, or None), ``reason`` (None if cut off), ``plies``
    /// (moves, and choices instead of moves), ``turns`` and among them ``lost``, ``passed``, ``forced``, ``decided``,
    /// ``ended``, then ``events`` (including rolls), ``captures``, ``first_roll`` (the faces of the first dice, or None),
    /// ``digest``, ``instead`` (the choices among the plies), ``cut_short`` (turns with moves and unused dice),
    /// ``forced_passes``, ``labels`` (a dictionary of counts) and ``counters`` (a dictionary of the script's counters at
    /// the end).
    ///
    /// Args:
    ///     games: the number of games, or a range of their numbers. Each takes about a kilobyte in memory.
    ///
    /// The other arguments and the errors are those of ``simulate``.
    #[pyo3(signature = (games, *, players=None, seed=1, threads=1, max_plies=2000, position=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn rows<'py>(
        &self,
        py: Python<'py>,
        games: &Bound<'py, PyAny>,
        players: Option<Vec<String>>,
        #[pyo3(from_py_with = convert::whole)] seed: u64,
        #[pyo3(from_py_with = convert::at_least_one)] threads: usize,
        #[pyo3(from_py_with = convert::at_least_one)] max_plies: u32,
        position: Option<String>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let games = numbers(games)?;
        let asked = Asked { players, seed, max_plies, position, luck: Some(false), lines: false };
        let experiment = asked.experiment(py, self)?;
        let mut rows = Vec::new();
        played(py, &experiment, &games, threads, progress.as_ref(), Some(&mut rows))?;
        columns(py, &experiment, &rows)
    }
}

/// Rows as Python values, column by column.
fn columns<'py>(py: Python<'py>, experiment: &Experiment, rows: &[Row]) -> PyResult<Bound<'py, PyDict>> {
    let [game, winner, reason, numbers @ .., first_roll, digest, instead, cut_short, forced_passes, labels, counters] =
        Row::COLUMNS;
    let columns = PyDict::new(py);
    columns.set_item(game, rows.iter().map(|row| row.number).collect::<Vec<_>>().into_pyarray(py))?;
    let text = |text: &str| PyString::intern(py, text);
    let winners = rows.iter().map(|row| row.winner.map(|side| text(experiment.side_name(side.index()))));
    columns.set_item(winner, winners.collect::<Vec<_>>())?;
    let reasons = rows.iter().map(|row| row.reason.as_deref().map(text));
    columns.set_item(reason, reasons.collect::<Vec<_>>())?;
    for (place, name) in numbers.iter().enumerate() {
        let column = rows.iter().map(|row| row.numbers()[place]).collect::<Vec<_>>();
        columns.set_item(name, column.into_pyarray(py))?;
    }
    columns.set_item(first_roll, rows.iter().map(|row| row.first_roll.as_deref()).collect::<Vec<_>>())?;
    columns.set_item(digest, rows.iter().map(Row::digest_text).collect::<Vec<_>>())?;
    for (place, name) in [instead, cut_short, forced_passes].iter().enumerate() {
        let column = rows.iter().map(|row| row.more_numbers()[place]).collect::<Vec<_>>();
        columns.set_item(name, column.into_pyarray(py))?;
    }
    columns.set_item(labels, rows.iter().map(|row| &row.labels).collect::<Vec<_>>())?;
    let values = rows.iter().map(|row| convert::json(py, &Value::Object(row.counters.clone())));
    columns.set_item(counters, values.collect::<PyResult<Vec<_>>>()?)?;
    Ok(columns)
}

/// Plays games on worker threads; rows go to `rows`.
fn played(
    py: Python<'_>,
    experiment: &Experiment,
    games: &Range<u64>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    rows: Option<&mut Vec<Row>>,
) -> PyResult<Tally> {
    let (stop, done) = (Arc::new(AtomicBool::new(false)), AtomicU64::new(0));
    let asked = Arc::clone(&stop);
    experiment.stop_when(move || asked.load(Ordering::Relaxed));
    let watch = Watch {
        stop: &|| stop.load(Ordering::Relaxed),
        progress: &|more| {
            done.fetch_add(more, Ordering::Relaxed);
        },
    };
    let mut take = rows.map(|rows| {
        move |more: &[Row]| {
            rows.extend_from_slice(more);
            Ok(())
        }
    });
    let take = take.as_mut().map(|take| take as Rows<'_>);
    let tally: Result<Tally, LabError> =
        watched(py, &stop, progress, &done, || run(experiment, games.clone(), threads, &watch, take))?;
    tally.map_err(|error| errors::of_lab(py, &error))
}

/// Runs a long operation on another thread, while this one asks the interpreter whether to stop.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    progress: Option<&Bound<'_, PyAny>>,
    done: &AtomicU64,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let worker =
            std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work).map_err(errors::value)?;
        let mut broken = Ok(());
        let (mut told, mut pause) = (0, Duration::from_millis(1));
        while !worker.is_finished() {
            py.detach(|| std::thread::sleep(pause));
            pause = LOOK.min(pause * 2);
            let so_far = done.load(Ordering::Relaxed);
            let looked = py.check_signals().and_then(|()| match progress {
                Some(progress) if so_far > told => progress.call1((so_far,)).map(drop),
                _ => Ok(()),
            });
            told = so_far;
            if let Err(error) = looked {
                stop.store(true, Ordering::Relaxed);
                broken = Err(error);
                break;
            }
        }
        let result = py.detach(|| worker.join()).map_err(|_| errors::value("a thread failed"))?;
        broken.map(|()| result)
    })
}
