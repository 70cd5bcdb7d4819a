//! The sandboxed interpreter: the parts of Rhai that a script may use, and every limit.
//!
//! Built from chosen packages, never with `Engine::new`, whose standard library can sleep, exit and
//! read files. `eval` and `curry` are off because they escape the limits on depth and size; `try` is
//! off because a rule must not catch the host's unwinding.

use crate::locked::locked;
use astragal_core::meter;
use astragal_core::rule::Used;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, Module, NativeCallContext, OptimizationLevel, Shared};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;
use web_time::Instant;

/// The limits of a script, in one place, so that tests and documentation agree.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Operations per run of a rule, or for loading.
    pub operations: u64,
    /// Depth of calls.
    pub call_levels: usize,
    /// Depth of expressions, at top level and in functions.
    pub expression_depth: (usize, usize),
    /// Bytes of a string.
    pub string: usize,
    /// Items of an array.
    pub array: usize,
    /// Entries of a map.
    pub map: usize,
    /// Variables at a time.
    pub variables: usize,
    /// Functions of a script.
    pub functions: usize,
    /// Imports of a script.
    pub modules: usize,
    /// Bytes of a script's text.
    pub source: usize,
    /// Answers that one run of a rule may ask for. Each is followed by a run from the start, so the time grows
    /// quadratically.
    pub questions: usize,
    /// Processor time of loading, or of all runs for one event of a game: a last resort, since it is not
    /// deterministic.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            operations: 200_000,
            call_levels: 24,
            expression_depth: (32, 24),
            string: 4096,
            array: 1024,
            map: 256,
            variables: 96,
            functions: 200,
            modules: 8,
            source: 64 * 1024,
            questions: 2000,
            time: Duration::from_millis(1200),
        }
    }
}

/// Functions of the language that no interpreter lists.
pub(crate) const LANGUAGE_FUNCTIONS: [&str; 8] =
    ["print", "debug", "type_of", "is_def_var", "is_def_fn", "is_shared", "Fn", "call"];

const TOO_SLOW: &str = "the script exceeds the time limit";

/// The error of a run with too many operations.
pub(crate) const TOO_LONG: &str = "the script exceeds the operation limit";

/// The error of a run that was stopped from outside.
pub(crate) const STOPPED: &str = "stopped before it finished";

/// Counts the resources that a run uses. Rhai's own counter restarts inside callbacks of native functions; this one
/// continues. It is checked after each run, because errors inside some callbacks get lost.
#[derive(Clone, Default)]
pub(crate) struct ExecutionBudget(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    used: u64,
    started: Option<Instant>,
    spent: Option<&'static str>,
    stop: bool,
    /// The operations of all runs, since most runs are short.
    ticks: u64,
    /// The time of the runs so far that share it.
    shared: Duration,
    /// The thread's processor time when the runs sharing the limit had used its first part.
    processor: Option<Duration>,
}

/// Measures processor time where the system reports it, and wall-clock time elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Clock(Instant, Option<Duration>);

impl Clock {
    /// A clock that starts now.
    pub(crate) fn start() -> Clock {
        Clock(Instant::now(), processor_time())
    }

    /// The time since the start.
    pub(crate) fn spent(self) -> Duration {
        let spent = match (self.1, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.0.elapsed(),
        };
        spent / STRETCH.load(Ordering::Relaxed)
    }

    /// Whether more than `limit` has been spent. Processor time is read only after that much wall-clock time: a thread
    /// cannot use more.
    pub(crate) fn is_past(self, limit: Duration) -> bool {
        self.0.elapsed() > limit && self.spent() > limit
    }
}

/// The factor of all limits in seconds.
static STRETCH: AtomicU32 = AtomicU32::new(1);

/// Multiplies every limit in seconds, for the whole program. Use it under instruments that make the program many times
/// slower. Limits on operations and sizes, which decide what a script may do, do not change.
pub fn stretch_time(factor: NonZeroU32) {
    STRETCH.store(factor.get(), Ordering::Relaxed);
}

/// The processor time that this thread has used, where the system reports it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

impl ExecutionBudget {
    /// Starts a new run, with the time left by earlier runs.
    pub(crate) fn reset(&self, used: &Used) {
        let mut counts = locked(&self.0);
        let now = Instant::now();
        *counts = Counts {
            started: Some(now.checked_sub(used.time).unwrap_or(now)),
            shared: used.time,
            processor: used.processor,
            ticks: counts.ticks,
            ..Counts::default()
        };
    }

    /// Ends a run and records its time.
    pub(crate) fn pause(&self, limits: &Limits, used: &mut Used) {
        let mut counts = locked(&self.0);
        let shared = counts.started.map_or(Duration::ZERO, |start| start.elapsed());
        counts.shared = shared;
        if counts.spent.is_none() && counts.is_late(limits) {
            counts.spent = Some(TOO_SLOW);
        }
        (used.time, used.processor) = (shared, counts.processor);
    }

    /// Leaves out time in which a debugger has stopped the run.
    pub(crate) fn leave_out(&self, time: Duration) {
        let mut counts = locked(&self.0);
        counts.started = counts.started.map(|started| started + time);
    }

    /// Makes the run fail, because a debugger ends it.
    pub(crate) fn abandon(&self) {
        locked(&self.0).spent = Some(STOPPED);
    }

    /// Makes the run end at its next operation, because it waits for an answer.
    pub(crate) fn stop(&self) {
        locked(&self.0).stop = true;
    }

    /// The budget that was used up, if any.
    pub(crate) fn spent(&self) -> Option<&'static str> {
        locked(&self.0).spent
    }
}

impl Counts {
    /// Whether the time is used up. Wall-clock time would include other processes on a busy machine, and reading the
    /// processor time takes longer than most runs. So only long runs read it.
    fn is_late(&mut self, limits: &Limits) -> bool {
        let passed = self.started.map_or(Duration::ZERO, |start| start.elapsed());
        let time = limits.time * STRETCH.load(Ordering::Relaxed);
        let first = time / 8;
        if passed <= first {
            return false;
        }
        let Some(now) = processor_time() else { return passed > time };
        let before = *self.processor.get_or_insert(now);
        now.saturating_sub(before) > time - first
    }

    /// Counts an operation. Returns whether the run has to end.
    fn tick(&mut self, limits: &Limits) -> bool {
        self.used += 1;
        if self.used > limits.operations {
            self.spent = Some(TOO_LONG);
        } else if self.used.is_multiple_of(256) && self.is_late(limits) {
            self.spent = Some(TOO_SLOW);
        }
        self.ticks += 1;
        if self.ticks.is_multiple_of(256) && self.spent.is_none() && meter::is_stopped() {
            self.spent = Some(STOPPED);
        }
        self.stop || self.spent.is_some()
    }
}

/// The functions of the language, shared by all interpreters, since collecting them takes longer than parsing a short
/// script.
static PACKAGES: LazyLock<[Shared<Module>; 9]> = LazyLock::new(|| {
    [
        ArithmeticPackage::new().as_shared_module(),
        LogicPackage::new().as_shared_module(),
        BasicStringPackage::new().as_shared_module(),
        MoreStringPackage::new().as_shared_module(),
        BasicIteratorPackage::new().as_shared_module(),
        BasicArrayPackage::new().as_shared_module(),
        BasicMapPackage::new().as_shared_module(),
        BasicMathPackage::new().as_shared_module(),
        BasicFnPackage::new().as_shared_module(),
    ]
});

/// Parses texts without checking names. It cannot run anything.
pub(crate) fn reader() -> &'static Engine {
    static READER: LazyLock<Engine> = LazyLock::new(|| {
        let mut engine = sandbox(&Limits::default(), &ExecutionBudget::default());
        engine.set_strict_variables(false);
        engine
    });
    &READER
}

/// An interpreter without any function of the game.
pub(crate) fn sandbox(limits: &Limits, guard: &ExecutionBudget) -> Engine {
    let mut engine = Engine::new_raw();
    for package in PACKAGES.iter() {
        engine.register_global_module(Shared::clone(package));
    }
    for symbol in ["eval", "curry", "debug", "try", "this"] {
        engine.disable_symbol(symbol);
    }
    engine
        .set_optimization_level(OptimizationLevel::None)
        .set_strict_variables(true)
        .set_max_operations(0)
        .set_max_call_levels(limits.call_levels)
        .set_max_expr_depths(limits.expression_depth.0, limits.expression_depth.1)
        .set_max_string_size(limits.string)
        .set_max_array_size(limits.array)
        .set_max_map_size(limits.map)
        .set_max_variables(limits.variables)
        .set_max_functions(limits.functions)
        .set_max_modules(limits.modules);
    engine.register_fn("sort", sort).register_fn("sort_by", sort);
    engine.on_print(|_| {});
    let (limits, guard) = (limits.clone(), guard.clone());
    engine.on_progress(move |_| locked(&guard.0).tick(&limits).then_some(Dynamic::UNIT));
    engine
}

/// Sorts by a function of two items that returns a negative number, 0 or a positive number. The interpreter's own `sort`
/// drops the errors of the function, and with them the host's unwinding.
fn sort(ctx: NativeCallContext<'_>, array: &mut Array, order: FnPtr) -> Result<(), Box<EvalAltResult>> {
    let mut failed = None;
    let items = std::mem::take(array);
    let mut sorted: Vec<Dynamic> = Vec::with_capacity(items.len());
    for item in items {
        let before = |other: &Dynamic| -> bool {
            if failed.is_some() {
                return true;
            }
            match order.call_within_context::<Dynamic>(&ctx, (other.clone(), item.clone())) {
                Ok(answer) => answer.as_int().map_or_else(|_| answer.as_bool().unwrap_or(true), |n| n <= 0),
                Err(error) => {
                    failed = Some(error);
                    true
                }
            }
        };
        let at = sorted.partition_point(before);
        sorted.insert(at, item);
    }
    *array = sorted.into_iter().collect();
    failed.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::Limits;
    use crate::host::{size_limit, test_table};
    use crate::notation::dice;
    use astragal_core::position::MOST_BENEATH;
    use astragal_core::{MAX_KINDS, MAX_SIDES, MAX_SQUARES, memory_limit, meter, odds, plan, rules, turns, value};

    /// The page on limits lists the values that the program uses.
    #[test]
    fn the_page_names_every_limit_with_its_value() {
        let Limits { operations, call_levels, expression_depth, string, array, map, .. } = Limits::default();
        let Limits { variables, functions, modules, source, questions, time, .. } = Limits::default();
        let values = [
            meter::BUDGET,
            operations,
            time.as_millis() as u64,
            questions as u64,
            rules::MAX_STEPS as u64,
            value::MAX_SLOTS as u64,
            size_limit::PARTS as u64,
            size_limit::DEPTH as u64,
            test_table::MAX_TESTS as u64,
            u64::from(rules::MAX_DEPTH),
            plan::MAX_DICE as u64,
            rules::TREE_CAP as u64,
            source as u64,
            functions as u64,
            modules as u64,
            variables as u64,
            call_levels as u64,
            expression_depth.0 as u64,
            expression_depth.1 as u64,
            string as u64,
            array as u64,
            map as u64,
            MAX_SQUARES as u64,
            MAX_SIDES as u64,
            MAX_KINDS as u64,
            dice::MAX_DICE as u64,
            dice::MAX_FACES as u64,
            MOST_BENEATH as u64,
            rules::MAX_STEP_BYTES as u64,
            rules::TREE_BYTES as u64,
            memory_limit::MOST_BYTES as u64,
            turns::MOST_STATES as u64,
            odds::MOST_ROLLS,
            odds::MOST_CLASSES as u64,
        ];
        let page = include_str!("../../../docs/limits.md");
        let rows: Vec<Vec<&str>> = page
            .lines()
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>())
            .filter(|row| row.len() >= 3 && row[0].parse::<usize>().is_ok())
            .collect();
        let said: Vec<String> = rows.iter().map(|row| format!("{} {}", row[0], row[2].replace(',', ""))).collect();
        let meant: Vec<String> = (1..).zip(values).map(|(number, value)| format!("{number} {value}")).collect();
        assert_eq!(said, meant);
    }
}
