//! Plays the games of an experiment on any number of threads.
//!
//! Owns which thread plays which games. The result does not depend on that: tallies add up exactly, and rows come in the
//! order of the games.

use crate::experiment::{Experiment, LabError};
use crate::game::Worker;
use crate::row::Row;
use crate::tally::Tally;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Scripts may recurse deeper than a thread's default stack allows.
const STACK: usize = 64 << 20;

/// The number of games that a thread takes at a time.
const BATCH: u64 = 16;

/// If rows are requested, a thread is at most this many batches ahead of the slowest.
const AHEAD: u64 = 64;

/// Observes a run, and may stop it.
pub struct Watch<'a> {
    /// Called between games to check whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Called with the number of newly finished games.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl Watch<'_> {
    /// No watcher.
    pub const NONE: Watch<'static> = Watch { stop: &|| false, progress: &|_| {} };
}

/// The consumer of the rows of games, in order.
pub type Rows<'a> = &'a mut (dyn FnMut(&[Row]) -> Result<(), LabError> + Send);

/// Collects rows and passes them on in order.
struct Sorter<'a> {
    rows: Option<Rows<'a>>,
    /// The next batch to write, the last one that counts, and the batches that have arrived.
    next: u64,
    last: u64,
    waiting: BTreeMap<u64, Vec<Row>>,
}

struct Plan<'a, 'w> {
    experiment: &'a Experiment,
    range: Range<u64>,
    batch: u64,
    next: AtomicU64,
    stopped: AtomicBool,
    watch: &'a Watch<'w>,
    wants_rows: bool,
    sorter: Mutex<Sorter<'a>>,
    moved_on: Condvar,
}

/// Plays the games with these numbers on `threads` threads; fewer games if it is stopped. Rows go to `rows`, in order.
///
/// # Errors
/// If a game fails: the first of the errors.
pub fn run<'a>(
    experiment: &'a Experiment,
    range: Range<u64>,
    threads: usize,
    watch: &'a Watch<'_>,
    rows: Option<Rows<'a>>,
) -> Result<Tally, LabError> {
    let batch = if experiment.is_random() { BATCH } else { 1 };
    let batches = range.end.saturating_sub(range.start).div_ceil(batch);
    let wants_rows = rows.is_some();
    let sorter = Mutex::new(Sorter { rows, next: 0, last: u64::MAX, waiting: Default::default() });
    let plan = Plan {
        experiment,
        range,
        batch,
        next: AtomicU64::new(0),
        stopped: AtomicBool::new(false),
        watch,
        wants_rows,
        sorter,
        moved_on: Condvar::new(),
    };
    let threads = threads.clamp(1, batches.clamp(1, 256) as usize);
    let parts = if threads == 1 { vec![plan.work()] } else { plan.work_together(threads) };
    let mut whole = Tally::default();
    let mut failures = Vec::new();
    for part in parts {
        match part {
            Ok(tally) => whole.merge(&tally),
            Err(error) => failures.push(error),
        }
    }
    let number = |error: &LabError| if let LabError::Game { number, .. } = error { *number } else { 0 };
    match failures.into_iter().min_by_key(number) {
        Some(error) => Err(error),
        None => {
            whole.covered = experiment.covered();
            Ok(whole)
        }
    }
}

impl Plan<'_, '_> {
    fn work_together(&self, threads: usize) -> Vec<Result<Tally, LabError>> {
        std::thread::scope(|scope| {
            let worker = || std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || self.work());
            let workers: Vec<_> = (0..threads).map(|_| worker()).collect();
            let broken = |why: String| Err(LabError::Write(format!("a thread failed: {why}")));
            let join = |worker: std::io::Result<std::thread::ScopedJoinHandle<'_, _>>| match worker {
                Ok(worker) => worker.join().unwrap_or_else(|_| broken("it panicked".into())),
                Err(error) => broken(error.to_string()),
            };
            workers.into_iter().map(join).collect()
        })
    }

    /// Plays batches until none is left.
    fn work(&self) -> Result<Tally, LabError> {
        let mut worker = Worker::new(self.experiment, self.wants_rows, self.watch.stop);
        let done = self.work_on(&mut worker);
        if done.is_err() {
            self.stop();
        }
        done.map(|()| worker.finish())
    }

    fn work_on(&self, worker: &mut Worker<'_>) -> Result<(), LabError> {
        while !self.stopped.load(Ordering::Relaxed) && !(self.watch.stop)() {
            let batch = self.next.fetch_add(1, Ordering::Relaxed);
            let first = self.range.start.saturating_add(batch.saturating_mul(self.batch));
            if first >= self.range.end {
                return Ok(());
            }
            let last = self.range.end.min(first.saturating_add(self.batch));
            let mut rows = Vec::new();
            for number in first..last {
                let row = match worker.play(number) {
                    Err(error) if error.is_stop() => {
                        self.stop();
                        (self.watch.progress)(number - first);
                        return if self.wants_rows { self.hand_on(batch, rows, true) } else { Ok(()) };
                    }
                    row => row?,
                };
                if self.wants_rows {
                    rows.push(row);
                }
            }
            (self.watch.progress)(last - first);
            if self.wants_rows {
                self.hand_on(batch, rows, false)?;
            }
        }
        self.stop();
        Ok(())
    }

    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.moved_on.notify_all();
    }

    /// Passes rows on in order; waits if they are too far ahead. After an aborted batch it passes on none, so that the
    /// games with rows have no gap.
    fn hand_on(&self, batch: u64, rows: Vec<Row>, is_broken: bool) -> Result<(), LabError> {
        // The waiting rows stay valid if another thread has panicked.
        let mut sorter = self.sorter.lock().unwrap_or_else(PoisonError::into_inner);
        sorter.waiting.insert(batch, rows);
        if is_broken {
            sorter.last = sorter.last.min(batch);
        }
        while sorter.next <= sorter.last {
            let next = sorter.next;
            let Some(rows) = sorter.waiting.remove(&next) else { break };
            if let Some(take) = &mut sorter.rows {
                take(&rows)?;
            }
            sorter.next += 1;
        }
        self.moved_on.notify_all();
        while batch > sorter.next + AHEAD && !self.stopped.load(Ordering::Relaxed) {
            sorter = self.moved_on.wait(sorter).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }
}
