//! Counts the engine's work for a script where the work is done: moves listed, tests run, positions copied, automatic
//! turns.
//!
//! The interpreter's limits bound the script's own work; the meter bounds the work that the script requests from the
//! engine. Work is counted in units, so that the same script fails at the same point on every machine; only a
//! [stop][Rules::stop_when] depends on clocks and keys. A unit takes about 20 to 200 nanoseconds. Each event of a game has
//! its own budget, and since one thread handles an event, each thread has its own meter for the rules that it uses.
//!
//! Charges are coarse: one for a list of moves, a test, a position. Where no error can be returned, work is
//! [added](Meter::add), and the next charge checks the total.
//!
//! [Rules]: crate::rules::Rules
//! [Rules::stop_when]: crate::rules::Rules::stop_when

pub use crate::rules::error::Task;

use crate::rules::error::{Cause, Failure, RuleError};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, PoisonError, RwLock};

/// The maximum number of units of work for one event of a game: a roll, a move, a choice, or the beginning.
pub const BUDGET: u64 = 5_000_000;

/// This many units pass between checks of the budget and the stop signal.
const STRIDE: u64 = 4096;

/// The cost of a list of moves, beside its moves.
pub(crate) const LIST: u64 = 4;
/// The cost of copying a position, perhaps with a move.
pub(crate) const COPY: u64 = 8;
/// The cost of searching for one possible move.
pub(crate) const SEARCH: u64 = 16;
/// The cost of examining all squares.
pub(crate) const BOARD: u64 = 16;
/// The cost of beginning and ending a turn.
pub(crate) const TURN: u64 = 200;

/// Returns whether to stop, on any thread: a key was pressed.
pub(crate) type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// Limits shared by all threads that use some rules.
#[derive(Default)]
pub(crate) struct Allowed {
    stop: RwLock<Option<Stop>>,
}

impl Allowed {
    /// From now on `stop` is called to check whether to stop.
    pub(crate) fn stop_when(&self, stop: Stop) {
        *self.stop.write().unwrap_or_else(PoisonError::into_inner) = Some(stop);
    }

    fn is_stopped(&self) -> bool {
        self.stop.read().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(|stop| stop())
    }
}

thread_local! {
    /// The meter of the rules whose source runs.
    static RUNNING: RefCell<Option<Rc<Meter>>> = const { RefCell::new(None) };
}

/// Runs `work`, during which this thread runs the source of the rules that `meter` belongs to.
pub(crate) fn during<T>(meter: &Rc<Meter>, work: impl FnOnce() -> T) -> T {
    let before = RUNNING.replace(Some(Rc::clone(meter)));
    let result = work();
    RUNNING.set(before);
    result
}

/// Whether the current run of a rule's source on this thread must stop: time is up, or a key was pressed.
pub fn is_stopped() -> bool {
    let meter = RUNNING.with_borrow(Clone::clone);
    meter.is_some_and(|meter| meter.is_stopped())
}

/// Counts work. See the [module](self).
pub struct Meter {
    /// The units charged so far.
    total: Cell<u64>,
    /// The total at which the budget is checked next.
    limit: Cell<u64>,
    /// The total when the current event began.
    start: Cell<u64>,
    /// The maximum number of units charged for an earlier event.
    most: Cell<u64>,
    /// Whether the budget is suspended.
    free: Cell<bool>,
    /// A further stop condition, besides that of all threads.
    stop: RefCell<Option<Rc<dyn Fn() -> bool>>>,
    allowed: Arc<Allowed>,
}

impl Meter {
    pub(crate) fn new(allowed: Arc<Allowed>) -> Meter {
        Meter {
            total: Cell::new(0),
            limit: Cell::new(STRIDE),
            start: Cell::new(0),
            most: Cell::new(0),
            free: Cell::new(false),
            stop: RefCell::new(None),
            allowed,
        }
    }

    /// Counts work where no error can be returned.
    pub(crate) fn add(&self, units: u64) {
        self.total.set(self.total.get().wrapping_add(units));
    }

    /// Counts work.
    ///
    /// # Errors
    /// If the budget is used up, or a stop has been requested.
    pub(crate) fn charge(&self, task: Task, units: u64) -> Result<(), RuleError> {
        self.add(units);
        if self.total.get() > self.limit.get() { self.look(task) } else { Ok(()) }
    }

    /// Whether several events together may take `units` units.
    ///
    /// # Errors
    /// If that exceeds the budget of a single event, or a stop has been requested.
    pub(crate) fn allow(&self, task: Task, units: u64) -> Result<(), RuleError> {
        match () {
            () if self.is_stopped() => Err(RuleError::stopped()),
            () if units > BUDGET => Err(self.error(task)),
            () => Ok(()),
        }
    }

    #[cold]
    #[inline(never)]
    fn look(&self, task: Task) -> Result<(), RuleError> {
        let used = self.of_event();
        let over = used > BUDGET && !self.free.get();
        let stopped = self.is_stopped();
        self.limit.set(match () {
            // A failure repeats until a new event begins.
            () if over || stopped => 0,
            () if self.free.get() => self.total.get() + STRIDE,
            () => self.total.get() + (BUDGET - used).min(STRIDE),
        });
        match () {
            () if stopped => Err(RuleError::stopped()),
            () if over => Err(self.error(task)),
            () => Ok(()),
        }
    }

    /// The units charged for the current event.
    pub(crate) fn of_event(&self) -> u64 {
        self.total.get() - self.start.get()
    }

    /// The units charged so far, for all events together.
    pub fn total(&self) -> u64 {
        self.total.get()
    }

    /// The maximum number of units charged for one event so far.
    pub fn most(&self) -> u64 {
        self.most.get().max(self.of_event())
    }

    /// Begins a new event, with a full budget. Stop conditions are checked after the same number of units, whether in many
    /// small events or a large one.
    pub(crate) fn rest(&self) {
        self.most.set(self.most());
        self.start.set(self.total.get());
    }

    /// Runs work that is counted but cannot fail.
    pub(crate) fn freely<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.free.replace(true);
        let result = work();
        self.free.set(before);
        result
    }

    /// Whether to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        let own = || self.stop.borrow().as_ref().is_some_and(|stop| stop());
        !self.free.get() && (own() || self.allowed.is_stopped())
    }

    /// Runs work that also stops if `stop` returns true.
    pub(crate) fn stopping<T>(&self, stop: impl Fn() -> bool + 'static, work: impl FnOnce() -> T) -> T {
        let before = self.stop.take();
        let outer = before.clone();
        self.stop.replace(Some(Rc::new(move || stop() || outer.as_ref().is_some_and(|outer| outer()))));
        let result = work();
        self.stop.replace(before);
        result
    }

    /// The error of an event that takes too much work, with the task that used up the budget.
    pub(crate) fn error(&self, task: Task) -> RuleError {
        let (doing, help) = task.words();
        let message = format!(
            "{doing} exceeds the limit of {} units of work per event (see limit 1 in docs/limits.md); {help}",
            thousands(BUDGET)
        );
        Failure { message, cause: Cause::Work(task), ..Failure::default() }.into()
    }
}

/// A number with commas between thousands.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_budget_is_for_one_event_and_counts_every_unit() {
        let meter = Meter::new(Arc::default());
        for _ in 0..BUDGET / 1000 {
            meter.charge(Task::Listing, 1000).expect("within the budget");
        }
        let error = meter.charge(Task::Listing, 1).expect_err("over it");
        assert_eq!(error.cause, Cause::Work(Task::Listing));
        assert!(error.message.contains("5,000,000 units") && error.message.contains("(see limit 1 in"), "{error}");
        assert_eq!(meter.charge(Task::Listing, 1), Err(error), "what has failed fails again");
        assert_eq!(meter.of_event(), BUDGET + 2);
        meter.rest();
        assert_eq!((meter.of_event(), meter.total(), meter.most()), (0, BUDGET + 2, BUDGET + 2));
        assert_eq!(meter.charge(Task::Listing, 5), Ok(()));
    }

    #[test]
    fn a_stop_is_heeded_within_a_stride_and_forgotten_with_its_cause() {
        let meter = Meter::new(Arc::default());
        let asked = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&asked);
        meter.allowed.stop_when(Arc::new(move || seen.load(Ordering::Relaxed)));
        assert_eq!(meter.charge(Task::Running, 10 * STRIDE), Ok(()));
        asked.store(true, Ordering::Relaxed);
        assert_eq!(meter.charge(Task::Running, 1), Ok(()), "nobody looks at every unit");
        let error = meter.charge(Task::Running, STRIDE + 1).expect_err("stopped");
        assert_eq!(error.cause, Cause::Stopped);
        assert_eq!(meter.freely(|| meter.charge(Task::Running, 5)), Ok(()));
        asked.store(false, Ordering::Relaxed);
        assert_eq!(meter.charge(Task::Running, 1), Ok(()));
        assert_eq!(meter.of_event(), 11 * STRIDE + 8);
        asked.store(true, Ordering::Relaxed);
        let small = |_| {
            meter.rest();
            meter.charge(Task::Running, 1)
        };
        assert!((0..2 * STRIDE).map(small).any(|charged| charged.is_err()), "small events are stopped, too");
    }
}
