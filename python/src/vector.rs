//! Many games at once, for programs that learn: arrays in, arrays out.
//!
//! Dice are rolled inside, and a game that is over begins anew. Game `i` depends only on the seed, on `i` and on the
//! actions taken in it, not on the number of games or threads.

use crate::shared::Shared;
use crate::{convert, errors};
use astragal_core::dice::mix;
use astragal_core::rule::RuleError;
use astragal_core::{Event, Reply, Side, State, Status, Stream};
use astragal_service::encoding::{ActionError, Step, Written};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum memory for the games and arrays of a vector at the start.
const MOST_BYTES: usize = 2 << 30;

/// The maximum number of threads.
const MOST_THREADS: usize = 256;

/// Games that are played in parallel.
#[pyclass(module = "astragal", frozen)]
pub(crate) struct Vector {
    shared: Arc<Shared>,
    threads: usize,
    max_plies: u32,
    seats: Mutex<Seats>,
    observations: Py<PyArray4<f32>>,
    masks: Py<PyArray2<bool>>,
    rewards: Py<PyArray2<f32>>,
    dones: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    players: Py<PyArray1<i32>>,
    /// Read-only views of the first two arrays: only changes are written to them, so no one else can write there.
    shown: [Py<PyAny>; 2],
}

/// All games, and their shared data.
struct Seats {
    tables: Vec<Table>,
}

/// One of the games.
struct Table {
    state: State,
    /// The seed of this game's dice.
    seed: u64,
    /// The number of games started here.
    begun: u64,
    events: u64,
    plies: u32,
    pending: Option<u32>,
    /// The current turn and its dice.
    turn: u32,
    dice: Vec<i16>,
    /// The legal actions, as in the mask.
    legal: Vec<u32>,
    /// The state that its part of the observations shows.
    written: Written,
    /// The results of the last step.
    failed: Option<Failure>,
}

enum Failure {
    Rule(RuleError),
    Action(ActionError),
}

/// The parts of the arrays that belong to one game.
struct Row<'a> {
    observation: &'a mut [f32],
    mask: &'a mut [bool],
    rewards: &'a mut [f32],
    done: &'a mut bool,
    truncated: &'a mut bool,
    player: &'a mut i32,
}

impl Table {
    fn new(shared: &Shared, seed: u64) -> Result<Table, RuleError> {
        let mut table = Table {
            state: shared.first()?,
            seed,
            begun: 1,
            events: 0,
            plies: 0,
            pending: None,
            turn: 0,
            dice: Vec::new(),
            legal: Vec::new(),
            written: shared.observation.blank(),
            failed: None,
        };
        table.roll()?;
        Ok(table)
    }

    /// Starts the next game.
    fn begin(&mut self, shared: &Shared) -> Result<(), RuleError> {
        self.state = shared.first()?;
        self.seed = mix(self.seed ^ self.begun);
        (self.begun, self.events, self.plies, self.pending, self.turn) = (self.begun + 1, 0, 0, None, 0);
        self.dice.clear();
        self.roll()
    }

    /// Rolls dice as long as the game waits for them.
    fn roll(&mut self) -> Result<(), RuleError> {
        while self.state.status() == Status::Chance {
            if self.state.turn() != self.turn {
                self.turn = self.state.turn();
                self.dice.clear();
            }
            let index = self.state.draw(&mut Stream::new(self.seed, self.events));
            if let Some(dice) = self.state.dice() {
                self.dice.extend(dice.outcome(index));
            }
            self.state.roll(index)?;
            self.events += 1;
        }
        if self.state.turn() != self.turn {
            self.turn = self.state.turn();
            self.dice.clear();
        }
        Ok(())
    }

    fn act(&mut self, shared: &Shared, action: u64) -> Result<(), Failure> {
        match shared.actions.step(&self.state, self.pending, action).map_err(Failure::Action)? {
            Step::Pending(number) => {
                self.pending = Some(number);
                return Ok(());
            }
            Step::Event(Event::Move(paid)) => {
                self.plies += 1;
                self.state.play(paid).map_err(Failure::Rule)?;
            }
            Step::Event(Event::Pass) => self.state.pass().map_err(Failure::Rule)?,
            Step::Event(Event::Choice(index)) => self.state.choose(index).map_err(Failure::Rule)?,
            Step::Event(Event::Roll(_)) => return Ok(()),
        }
        self.pending = None;
        self.events += 1;
        self.roll().map_err(Failure::Rule)
    }

    /// Applies an action, restarts a finished or overlong game, and reports the state.
    fn step(&mut self, shared: &Shared, action: u64, max_plies: u32, row: &mut Row<'_>) {
        let outcome = self.act(shared, action).and_then(|()| {
            let over = self.state.status() == Status::Over;
            convert::returns(&self.state, row.rewards);
            *row.done = over;
            *row.truncated = !over && self.plies >= max_plies;
            match *row.done || *row.truncated {
                true => self.begin(shared).map_err(Failure::Rule),
                false => Ok(()),
            }
        });
        self.failed = outcome.err();
        self.show(shared, row);
    }

    /// Writes the observation and the mask.
    fn show(&mut self, shared: &Shared, row: &mut Row<'_>) {
        for action in self.legal.drain(..) {
            row.mask[action as usize] = false;
        }
        let viewer = Some(self.state.chooser());
        *row.player = convert::player(&self.state);
        let Table { state, dice, pending, written, .. } = &mut *self;
        let (actions, out) = (&shared.actions, &mut *row.observation);
        shared.observation.update(actions, state, dice, *pending, viewer, written, out);
        match shared.actions.legal(&self.state, self.pending, &mut self.legal) {
            Ok(()) => self.legal.iter().for_each(|&action| row.mask[action as usize] = true),
            Err(error) => self.failed = Some(Failure::Action(error)),
        }
    }

    /// Plays the game to its end at random; returns the number of moves.
    fn play_out(&mut self, max_plies: u32) -> Result<u64, RuleError> {
        let mut draw = Stream::new(self.seed, u64::MAX);
        self.state.draw_moves(Stream::new(self.seed, u64::MAX - 1));
        let mut plies = 0;
        let reply = |state: &State| {
            (plies < u64::from(max_plies)).then(|| match state.status() {
                Status::Chance => Reply::Roll(state.draw(&mut draw)),
                Status::Choice => Reply::Choice(draw.below(state.choices().len() as u64) as usize),
                Status::Move | Status::Over => {
                    let moves = state.moves();
                    let index = draw.below((moves.len() + state.choices().len()) as u64) as usize;
                    let Some(choice) = index.checked_sub(moves.len()) else {
                        plies += 1;
                        return Reply::Move(moves[index]);
                    };
                    Reply::Choice(choice)
                }
            })
        };
        self.state.play_on(reply)?;
        Ok(plies)
    }
}

impl Shared {
    fn first(&self) -> Result<State, RuleError> {
        State::new(Arc::clone(&self.loaded.set), self.loaded.start.clone())
    }
}

/// The same array, read-only.
fn read_only(array: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let view = array.call_method0("view")?;
    view.getattr("flags")?.setattr("writeable", false)?;
    Ok(view.unbind())
}

/// The seed of game `i`.
fn seed_of(seed: u64, i: usize) -> u64 {
    mix(mix(seed) ^ i as u64)
}

fn raise(py: Python<'_>, table: &mut Table) -> PyResult<()> {
    match table.failed.take() {
        None => Ok(()),
        Some(Failure::Rule(error)) => Err(errors::of_rule(py, &error)),
        Some(Failure::Action(error)) => Err(errors::of_action(error)),
    }
}

impl Vector {
    pub(crate) fn new(
        py: Python<'_>,
        shared: Arc<Shared>,
        n: usize,
        seed: u64,
        max_plies: u32,
        threads: usize,
    ) -> PyResult<Vector> {
        if n == 0 || threads == 0 || max_plies == 0 {
            return Err(errors::value("games, threads and plies must be at least 1"));
        }
        let [planes, height, width] = shared.observation.shape();
        let (cells, actions, sides) = (planes * height * width, shared.actions.count(), shared.sides());
        let of_arrays = cells * size_of::<f32>() + actions * size_of::<bool>() + sides * size_of::<f32>();
        let of_one = of_arrays + size_of::<Table>() + actions * size_of::<u32>();
        if n.checked_mul(of_one).is_none_or(|bytes| bytes > MOST_BYTES) {
            let (most, limit) = (MOST_BYTES / of_one, MOST_BYTES >> 20);
            let message = format!("{n} games need more than {limit} MiB of memory: at most {most} of this variant fit");
            return Err(errors::value(message));
        }
        let tables: Result<Vec<Table>, RuleError> = (0..n).map(|i| Table::new(&shared, seed_of(seed, i))).collect();
        let tables = tables.map_err(|error| errors::of_rule(py, &error))?;
        let observations = PyArray4::zeros(py, [n, planes, height, width], false);
        let masks = PyArray2::zeros(py, [n, shared.actions.count()], false);
        let vector = Vector {
            threads: threads.min(n).min(MOST_THREADS),
            max_plies,
            seats: Mutex::new(Seats { tables }),
            shown: [read_only(observations.as_any())?, read_only(masks.as_any())?],
            observations: observations.unbind(),
            masks: masks.unbind(),
            rewards: PyArray2::zeros(py, [n, shared.sides()], false).unbind(),
            dones: PyArray1::zeros(py, n, false).unbind(),
            truncated: PyArray1::zeros(py, n, false).unbind(),
            players: PyArray1::zeros(py, n, false).unbind(),
            shared,
        };
        vector.each(py, |shared, table, _, row| table.show(shared, row))?;
        Ok(vector)
    }

    /// Runs a function on each game and its part of the arrays, without the interpreter's lock.
    fn each(&self, py: Python<'_>, work: impl Fn(&Shared, &mut Table, usize, &mut Row<'_>) + Sync) -> PyResult<()> {
        let (observations, masks) = (self.observations.bind(py), self.masks.bind(py));
        let (rewards, dones, truncated) = (self.rewards.bind(py), self.dones.bind(py), self.truncated.bind(py));
        let players = self.players.bind(py);
        let busy = |error: numpy::BorrowError| errors::value(format!("the arrays are in use: {error}"));
        let mut observations = observations.try_readwrite().map_err(busy)?;
        let mut masks = masks.try_readwrite().map_err(busy)?;
        let mut rewards = rewards.try_readwrite().map_err(busy)?;
        let mut dones = dones.try_readwrite().map_err(busy)?;
        let mut truncated = truncated.try_readwrite().map_err(busy)?;
        let mut players = players.try_readwrite().map_err(busy)?;
        let (size, actions, sides) = (self.shared.observation.len(), self.shared.actions.count(), self.shared.sides());
        let rows = observations.as_slice_mut().map_err(errors::value)?.chunks_mut(size);
        let rows = rows.zip(masks.as_slice_mut().map_err(errors::value)?.chunks_mut(actions));
        let rows = rows.zip(rewards.as_slice_mut().map_err(errors::value)?.chunks_mut(sides));
        let rows = rows.zip(dones.as_slice_mut().map_err(errors::value)?);
        let rows = rows.zip(truncated.as_slice_mut().map_err(errors::value)?);
        let rows = rows.zip(players.as_slice_mut().map_err(errors::value)?);
        let mut rows: Vec<Row<'_>> = rows
            .map(|(((((observation, mask), rewards), done), truncated), player)| Row {
                observation,
                mask,
                rewards,
                done,
                truncated,
                player,
            })
            .collect();
        let shared = &self.shared;
        let first = py.detach(|| {
            let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
            let share = seats.tables.len().div_ceil(self.threads);
            let chunks = seats.tables.chunks_mut(share).zip(rows.chunks_mut(share)).enumerate();
            let run = |(chunk, (tables, rows)): (usize, (&mut [Table], &mut [Row<'_>]))| {
                for (i, (table, row)) in tables.iter_mut().zip(rows).enumerate() {
                    work(shared, table, chunk * share + i, row);
                }
            };
            if self.threads == 1 {
                chunks.for_each(run);
            } else {
                std::thread::scope(|scope| chunks.for_each(|chunk| drop(scope.spawn(|| run(chunk)))));
            }
            seats.tables.iter().position(|table| table.failed.is_some())
        });
        match first {
            None => Ok(()),
            Some(index) => {
                let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
                let failed = raise(py, &mut seats.tables[index]);
                seats.tables.iter_mut().for_each(|table| table.failed = None);
                failed
            }
        }
    }
}

#[pymethods]
impl Vector {
    fn __len__(&self) -> usize {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner).tables.len()
    }

    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown[0].clone_ref(py)
    }

    #[getter]
    fn masks(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown[1].clone_ref(py)
    }

    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.rewards.clone_ref(py)
    }

    #[getter]
    fn dones(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.dones.clone_ref(py)
    }

    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.truncated.clone_ref(py)
    }

    #[getter]
    fn current_players(&self, py: Python<'_>) -> Py<PyArray1<i32>> {
        self.players.clone_ref(py)
    }

    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice().map_err(errors::value)?;
        if actions.len() != self.__len__() {
            let n = self.__len__();
            return Err(errors::value(format!("expected {n} actions, one for each game, found {}", actions.len())));
        }
        // All actions are checked first, so a wrong action leaves all games unchanged.
        {
            let seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
            for (i, (table, &action)) in seats.tables.iter().zip(actions).enumerate() {
                let legal = u32::try_from(action).is_ok_and(|action| table.legal.binary_search(&action).is_ok());
                if !legal {
                    let message = format!("game {i}: action {action} is not legal now");
                    return Err(errors::IllegalAction::new_err(message));
                }
            }
        }
        let max_plies = self.max_plies;
        self.each(py, |shared, table, i, row| table.step(shared, actions[i] as u64, max_plies, row))
    }

    /// A random legal action for each game, drawn from the seed.
    fn sample_actions<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = convert::whole)] seed: u64,
    ) -> Bound<'py, PyArray1<i64>> {
        let seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        let draw = |(i, table): (usize, &Table)| {
            let mut stream = Stream::new(seed_of(seed, i), table.events);
            i64::from(table.legal[stream.below(table.legal.len().max(1) as u64) as usize])
        };
        PyArray1::from_iter(py, seats.tables.iter().enumerate().map(draw))
    }

    /// Plays every game to its end at random and restarts it.
    fn play_out<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let plies: Vec<std::sync::atomic::AtomicU64> = (0..self.__len__()).map(|_| Default::default()).collect();
        let max_plies = self.max_plies;
        self.each(py, |shared, table, i, row| {
            let played = table.play_out(max_plies).and_then(|made| {
                plies[i].store(made, std::sync::atomic::Ordering::Relaxed);
                convert::returns(&table.state, row.rewards);
                *row.done = table.state.status() == Status::Over;
                *row.truncated = !*row.done;
                table.begin(shared)
            });
            table.failed = played.err().map(Failure::Rule);
            table.show(shared, row);
        })?;
        let result = PyDict::new(py);
        result.set_item("returns", self.rewards.bind(py).call_method0("copy")?)?;
        result.set_item(
            "plies",
            PyArray1::from_iter(py, plies.into_iter().map(std::sync::atomic::AtomicU64::into_inner)),
        )?;
        Ok(result)
    }
}

/// Sides are numbered from the first.
const _: () = assert!(Side::FIRST.0 == 0);
