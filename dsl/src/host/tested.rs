//! Tests: closures that judge the moves of a permit, or the squares of a set, one by one.
//!
//! A test is a rule with a tree of its own. The rule around it only hands its number on, so that one step
//! of that rule's tree stands for all moves and squares; see [`super::trace`] for how a test is run.
//!
//! A test lasts as long as trees speak of it. The engine grows its trees in generations: once those of a generation speak
//! of many tests it begins another, and when the last of them is gone the generation's tests go, too.

use super::kind::words_for;
use super::live::captured;
use super::trace::{FIRST_TEST, Host, Outcome, Phase, TestDef, caller, fail, fail_help};
use super::values::{MoveV, SquareV, identity};
use astragal_core::rule::{Place, RuleId, Step};
use astragal_core::value::{Slot, SquareRef};
use rhai::{Dynamic, FnPtr, NativeCallContext};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The most different tests of moves or squares that rules may meet for the first time in one event. As many are kept
/// before another generation begins.
pub(crate) const MAX_TESTS: usize = 5000;

/// The tests that rules have met.
#[derive(Default)]
pub(crate) struct Tests {
    /// By number. Numbers of tests that are gone are free.
    entries: Vec<Option<Entry>>,
    free: Vec<usize>,
    /// The numbers by what the tests do.
    known: HashMap<Arc<str>, usize>,
    /// The tests of each generation.
    generations: BTreeMap<u32, Vec<usize>>,
    /// Of which generation the tests are that hooks meet.
    generation: u32,
    /// The tests met for the first time in this event.
    pub(super) new: usize,
}

struct Entry {
    def: TestDef,
    key: Arc<str>,
    generation: u32,
}

fn number(index: usize) -> RuleId {
    RuleId(FIRST_TEST + index as u32)
}

impl Tests {
    fn entry(&self, rule: RuleId) -> Option<&Entry> {
        self.entries.get(rule.0.checked_sub(FIRST_TEST)? as usize)?.as_ref()
    }

    /// The test with a number, if it is one.
    pub(crate) fn get(&self, rule: RuleId) -> Option<&TestDef> {
        self.entry(rule).map(|entry| &entry.def)
    }

    /// Whether so many tests of a generation are kept that another had better begin.
    pub(crate) fn is_full(&self, generation: u32) -> bool {
        self.generations.get(&generation).is_some_and(|tests| tests.len() >= MAX_TESTS)
    }

    /// From now on the tests that hooks meet are of this generation.
    pub(crate) fn meet_in(&mut self, generation: u32) {
        self.generation = generation;
    }

    /// Drops the tests of a generation and frees their numbers.
    pub(crate) fn forget(&mut self, generation: u32) -> Vec<RuleId> {
        let gone = self.generations.remove(&generation).unwrap_or_default();
        for &index in &gone {
            if let Some(entry) = self.entries[index].take() {
                self.known.remove(&entry.key);
            }
        }
        self.free.extend(&gone);
        gone.into_iter().map(number).collect()
    }

    /// The number of the test that does what `key` says where `parent` meets it; `make` describes it, if it is new.
    /// `None` if there are too many.
    fn intern(&mut self, parent: RuleId, key: &str, make: impl FnOnce() -> TestDef) -> Option<RuleId> {
        // What a test meets lasts as long as the test.
        let generation = self.entry(parent).map_or(self.generation, |around| around.generation);
        let key: Arc<str> = format!("{generation} {key}").into();
        if let Some(&known) = self.known.get(&key) {
            return Some(number(known));
        }
        if self.new >= MAX_TESTS {
            return None;
        }
        self.new += 1;
        let index = self.free.pop().unwrap_or(self.entries.len());
        if index == self.entries.len() {
            self.entries.push(None);
        }
        self.entries[index] = Some(Entry { def: make(), key: Arc::clone(&key), generation });
        self.known.insert(key, index);
        self.generations.entry(generation).or_default().push(index);
        Some(number(index))
    }
}

/// What a test is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    Move,
    Square,
}

impl Subject {
    /// What stands in a slot, as scripts hold it.
    fn value(self, slot: Slot) -> Dynamic {
        match self {
            Subject::Move => Dynamic::from(MoveV(slot)),
            Subject::Square => Dynamic::from(SquareV::place(SquareRef::Slot(slot))),
        }
    }
}

impl Host {
    /// The number of a test; runs it instead, if this run is about it.
    pub(crate) fn test(&self, ctx: &NativeCallContext<'_>, test: &FnPtr, subject: Subject) -> Outcome<RuleId> {
        // Squares are tested at once, moves when they are looked for: perhaps after effects, or after each of them.
        match subject {
            Subject::Square => self.settle(),
            Subject::Move => self.bind_captured(test),
        }
        let slot = {
            let mut trace = self.trace();
            if trace.phase != Phase::Running {
                drop(trace);
                return fail("tests of moves and squares are for rules, not for the top level of a script");
            }
            let ordinal = trace.tests_met;
            trace.tests_met += 1;
            let level = &trace.levels[trace.level];
            if level.enter != Some(ordinal) {
                return intern(&mut trace, test, subject, ordinal, caller(ctx));
            }
            trace.slots as Slot
        };
        self.descend(captured(test));
        let result = test.call_within_context::<Dynamic>(ctx, (subject.value(slot),))?;
        if self.trace().suspended {
            return self.suspend();
        }
        let Ok(yes) = result.as_bool() else {
            return fail(format!("a test answers true or false, not {}", words_for(&result)));
        };
        self.trace().steps.push(Step::Return(i64::from(yes)));
        self.suspend()
    }
}

/// Finds or makes the entry of a test. Tests that do the same (same function, same captured values,
/// same number of slots, all about moves or all about squares) are one rule, wherever they were built.
fn intern(
    trace: &mut super::trace::Trace,
    test: &FnPtr,
    subject: Subject,
    ordinal: usize,
    place: Option<Place>,
) -> Outcome<RuleId> {
    let captured: Vec<String> = test.curry().iter().map(identity).collect();
    let key = format!("{subject:?} {} {captured:?} {}", test.fn_name(), trace.slots);
    let level = &trace.levels[trace.level];
    let (parent, held) = (RuleId(level.rule), trace.slots + 1);
    let answers = &level.answers[..trace.used.min(level.answers.len())];
    let name = || if test.is_anonymous() { "a test".to_string() } else { test.fn_name().to_string() };
    let def = || TestDef { name: name(), parent, answers: answers.to_vec(), ordinal, held, place };
    match trace.tests.intern(parent, &key, def) {
        Some(rule) => Ok(rule),
        None => fail_help(
            format!("rules meet more than {MAX_TESTS} new tests of moves and squares in one event (limit 9)"),
            Some("a test is another for each value that it captures: capture fewer, or ask about a whole set".into()),
        ),
    }
}
