//! The table of tests: closures that rules have met, by number, and their lifetimes.
//!
//! A test lives as long as trees refer to it. The engine grows its trees in generations. When the trees of a generation
//! refer to many tests, it starts a new generation. When the last tree of a generation is gone, its tests are dropped.
//! Knows nothing of the interpreter: [`super::tested`] runs tests.

use astragal_core::query::Answer;
use astragal_core::rule::{RuleId, SourceLocation};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Rules with lower numbers are hooks.
pub(crate) const FIRST_TEST: u32 = 8;

/// The maximum number of distinct tests of moves or squares that rules may meet for the first time in one event. The same
/// number is kept before another generation begins.
pub(crate) const MAX_TESTS: usize = 5000;

/// A test of moves or squares: how to reach it.
#[derive(Clone, Debug)]
pub(crate) struct TestDef {
    /// The name for people.
    pub name: String,
    /// The rule that met it, the answers that rule had received, and the number of tests it had met before.
    pub parent: RuleId,
    pub answers: Vec<Answer>,
    pub ordinal: usize,
    /// The slots filled when the test starts: those of the parent, and the move or square.
    pub held: usize,
    /// The place where it was met.
    pub place: Option<SourceLocation>,
}

/// The tests that rules have met.
#[derive(Default)]
pub(crate) struct Tests {
    /// By number. Numbers of dropped tests are free.
    entries: Vec<Option<KeptTest>>,
    free: Vec<usize>,
    /// The numbers of tests, by key.
    known: HashMap<Arc<str>, usize>,
    /// The tests of each generation.
    generations: BTreeMap<u32, Vec<usize>>,
    /// The generation of tests that hooks meet.
    generation: u32,
    /// The tests met for the first time in this event.
    pub(crate) new: usize,
}

struct KeptTest {
    def: TestDef,
    key: Arc<str>,
    generation: u32,
}

fn number(index: usize) -> RuleId {
    RuleId(FIRST_TEST + index as u32)
}

impl Tests {
    fn entry(&self, rule: RuleId) -> Option<&KeptTest> {
        self.entries.get(rule.0.checked_sub(FIRST_TEST)? as usize)?.as_ref()
    }

    /// The test with a number, if it is one.
    pub(crate) fn get(&self, rule: RuleId) -> Option<&TestDef> {
        self.entry(rule).map(|entry| &entry.def)
    }

    /// Whether a generation has so many tests that a new generation should start.
    pub(crate) fn is_full(&self, generation: u32) -> bool {
        self.generations.get(&generation).is_some_and(|tests| tests.len() >= MAX_TESTS)
    }

    /// Sets the generation of tests that hooks meet from now on.
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

    /// The number of the test for `key` met in `parent`. If it is new, `make` describes it. `None` if there are too many.
    pub(crate) fn intern(&mut self, parent: RuleId, key: &str, make: impl FnOnce() -> TestDef) -> Option<RuleId> {
        // Tests met by a test last as long as that test.
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
        self.entries[index] = Some(KeptTest { def: make(), key: Arc::clone(&key), generation });
        self.known.insert(key, index);
        self.generations.entry(generation).or_default().push(index);
        Some(number(index))
    }
}
