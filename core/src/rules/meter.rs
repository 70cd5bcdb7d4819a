//! What the engine does for a script, counted where it is done: moves listed, tests run, positions copied,
//! turns that pass by themselves.
//!
//! The interpreter's limits bound what a script does itself; the meter bounds what it makes the engine do. Work is
//! counted in units, so that the same script fails at the same point on every machine; only a [stop][Rules::stop_when]
//! depends on clocks and keys. Each event of a game has a budget of its own. A unit takes about 20 to 200 nanoseconds.
//!
//! Charges are coarse: one for a list of moves, a test, a position. Where no error can be returned, work is
//! [added](Meter::add), and the next charge notices.
//!
//! [Rules]: crate::rules::Rules
//! [Rules::stop_when]: crate::rules::Rules::stop_when

use crate::rules::rule::{Cause, Failure, RuleError};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The most units of work for one event of a game: a roll, a move, a choice, or the beginning.
pub const BUDGET: u64 = 5_000_000;

/// So many units pass before somebody looks at the budget and asks whether to stop.
const STRIDE: u64 = 4096;

/// A list of moves costs this beside its moves.
pub(crate) const LIST: u64 = 4;
/// A position that is copied, and perhaps a move made in it.
pub(crate) const COPY: u64 = 8;
/// The search for one move that can be made.
pub(crate) const SEARCH: u64 = 16;
/// A look at all squares.
pub(crate) const BOARD: u64 = 16;
/// A turn that begins and ends.
pub(crate) const TURN: u64 = 200;

/// Says whether to stop: a time is over, a key was pressed.
pub type Stop = Rc<dyn Fn() -> bool>;

/// What the engine is doing for a script.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Task {
    /// Listing the moves of a permit.
    Listing,
    /// Testing moves or squares one by one.
    Testing,
    /// Looking ahead over a turn of several moves.
    Planning,
    /// Following the steps of a rule: questions, searches, effects.
    Running,
    /// Turns in which nobody is asked anything.
    Turning,
}

impl Task {
    /// What is being done, and what would help.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Task::Listing => (
                "listing the moves of a permit",
                "let fewer pieces or squares take part, or build the permit of fewer parts",
            ),
            Task::Testing => (
                "testing moves or squares one by one",
                "nest tests less deeply, and narrow the permit or set by pieces(..), from(..) or to(..) before `where`",
            ),
            Task::Planning => (
                "looking ahead over a turn of several moves",
                "roll fewer dice, let each pay for fewer moves, or leave `spend` at \"each\"",
            ),
            Task::Running => {
                ("following the steps of a rule", "ask about whole sets rather than about one square after another")
            }
            Task::Turning => (
                "passing turns in which nobody is asked anything",
                "end the game when nobody can move, for example by draw(..) in `outcome`",
            ),
        }
    }
}

/// Counts work. See the [module](self).
pub struct Meter {
    /// What has been charged so far.
    total: Cell<u64>,
    /// When more than this has been charged, somebody looks.
    limit: Cell<u64>,
    /// What had been charged when the event under way began.
    start: Cell<u64>,
    /// The most that an event before was charged.
    most: Cell<u64>,
    budget: Cell<u64>,
    /// Whether there is no budget at the moment.
    free: Cell<bool>,
    stop: RefCell<Option<Stop>>,
}

impl Default for Meter {
    fn default() -> Meter {
        Meter {
            total: Cell::new(0),
            limit: Cell::new(STRIDE),
            start: Cell::new(0),
            most: Cell::new(0),
            budget: Cell::new(BUDGET),
            free: Cell::new(false),
            stop: RefCell::new(None),
        }
    }
}

impl Meter {
    /// Counts work that cannot fail here.
    #[inline]
    pub(crate) fn add(&self, units: u64) {
        self.total.set(self.total.get().wrapping_add(units));
    }

    /// Counts work.
    ///
    /// # Errors
    /// If the budget is used up, or to stop has been asked for.
    #[inline]
    pub(crate) fn charge(&self, task: Task, units: u64) -> Result<(), RuleError> {
        self.add(units);
        if self.total.get() > self.limit.get() { self.look(task) } else { Ok(()) }
    }

    /// Whether several events together may take so many units.
    ///
    /// # Errors
    /// If that is more than one may take, or to stop has been asked for.
    pub(crate) fn allow(&self, task: Task, units: u64) -> Result<(), RuleError> {
        match () {
            () if self.is_stopped() => Err(RuleError::stopped()),
            () if units > self.budget.get() => Err(self.error(task)),
            () => Ok(()),
        }
    }

    #[cold]
    #[inline(never)]
    fn look(&self, task: Task) -> Result<(), RuleError> {
        let used = self.of_event();
        let over = used > self.budget.get() && !self.free.get();
        let stopped = self.is_stopped();
        self.limit.set(match () {
            // What has failed fails again, as long as nothing else begins.
            () if over || stopped => 0,
            () if self.free.get() => self.total.get() + STRIDE,
            () => self.total.get() + (self.budget.get() - used).min(STRIDE),
        });
        match () {
            () if stopped => Err(RuleError::stopped()),
            () if over => Err(self.error(task)),
            () => Ok(()),
        }
    }

    /// The units charged for the event under way.
    pub fn of_event(&self) -> u64 {
        self.total.get() - self.start.get()
    }

    /// The units charged so far, for all events together.
    pub fn total(&self) -> u64 {
        self.total.get()
    }

    /// The most units charged for one event so far.
    pub fn most(&self) -> u64 {
        self.most.get().max(self.of_event())
    }

    /// A new event begins, with a full budget. Many small events are as long as a large one: to stop is asked about
    /// after as many units.
    #[inline]
    pub(crate) fn rest(&self) {
        self.most.set(self.most());
        self.start.set(self.total.get());
    }

    /// Does something that is counted but cannot fail.
    pub(crate) fn freely<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = (self.free.replace(true), self.stop.take());
        let result = work();
        self.free.set(before.0);
        self.stop.replace(before.1);
        result
    }

    /// Whether to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.borrow().as_ref().is_some_and(|stop| stop())
    }

    /// From now on this is asked whether to stop; returns what was asked before.
    pub(crate) fn stop_when(&self, stop: Option<Stop>) -> Option<Stop> {
        self.stop.replace(stop)
    }

    /// Has another budget for each event.
    pub(crate) fn set_budget(&self, units: u64) {
        self.budget.set(units);
        self.limit.set(0);
    }

    /// The error of an event that takes too much work, which was used up by this.
    pub(crate) fn error(&self, task: Task) -> RuleError {
        let (doing, help) = task.words();
        let message = format!(
            "more than {} units of work for one event, while {doing} (limit 1); {help}",
            thousands(self.budget.get())
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

    #[test]
    fn a_budget_is_for_one_event_and_counts_every_unit() {
        let meter = Meter::default();
        for _ in 0..BUDGET / 1000 {
            meter.charge(Task::Listing, 1000).expect("within the budget");
        }
        let error = meter.charge(Task::Listing, 1).expect_err("over it");
        assert_eq!(error.cause, Cause::Work(Task::Listing));
        assert!(error.message.contains("5,000,000 units") && error.message.contains("(limit 1)"), "{error}");
        assert_eq!(meter.charge(Task::Listing, 1), Err(error), "what has failed fails again");
        assert_eq!(meter.of_event(), BUDGET + 2);
        meter.rest();
        assert_eq!((meter.of_event(), meter.total(), meter.most()), (0, BUDGET + 2, BUDGET + 2));
        assert_eq!(meter.charge(Task::Listing, 5), Ok(()));
    }

    #[test]
    fn a_stop_is_heeded_within_a_stride_and_forgotten_with_its_cause() {
        let meter = Meter::default();
        let asked = Rc::new(Cell::new(false));
        let seen = Rc::clone(&asked);
        meter.stop_when(Some(Rc::new(move || seen.get())));
        assert_eq!(meter.charge(Task::Running, 10 * STRIDE), Ok(()));
        asked.set(true);
        assert_eq!(meter.charge(Task::Running, 1), Ok(()), "nobody looks at every unit");
        let error = meter.charge(Task::Running, STRIDE + 1).expect_err("stopped");
        assert_eq!(error.cause, Cause::Stopped);
        assert_eq!(meter.freely(|| meter.charge(Task::Running, 5)), Ok(()));
        asked.set(false);
        assert_eq!(meter.charge(Task::Running, 1), Ok(()));
        assert_eq!(meter.of_event(), 11 * STRIDE + 8);
        asked.set(true);
        let small = |_| {
            meter.rest();
            meter.charge(Task::Running, 1)
        };
        assert!((0..2 * STRIDE).map(small).any(|charged| charged.is_err()), "small events are stopped, too");
    }
}
