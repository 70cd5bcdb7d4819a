//! Plays all tests of a script, and collects their results and the parts of the script that each test reached.
//!
//! Each test loads the script again, because a variant that has been played does not run its script again for paths
//! that it has already recorded. This takes time, so run it in the background.

use crate::gametest::diff;
use crate::gametest::file::GameFile;
use crate::gametest::loader::Loader;
use crate::gametest::{GameTestError, play};
use crate::interrupt;
use astragal_dsl::Source;
use astragal_dsl::coverage::LineColumn;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A test of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Test<'a> {
    /// The path of the `.game` file.
    pub path: &'a Path,
    /// Its text.
    pub text: &'a str,
    /// Its accepted output, if there is any.
    pub accepted: Option<&'a str>,
}

/// The result of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The output matches the accepted output.
    Passed,
    /// The output differs from the accepted output.
    Differs,
    /// No output has been accepted yet.
    New,
    /// The game cannot be played to its end.
    Failed,
}

impl Outcome {
    /// Whether there is output that can be accepted.
    pub(super) fn can_be_accepted(&self) -> bool {
        matches!(self, Outcome::Differs | Outcome::New)
    }
}

/// A test with its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestResult {
    /// The path of the `.game` file, as a string.
    pub name: String,
    /// The result.
    pub outcome: Outcome,
    /// The places of the script that ran.
    pub(super) reached: BTreeSet<LineColumn>,
}

/// The results of all tests of a script.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestRun {
    /// The results, in the order of the tests.
    pub results: Vec<TestResult>,
    /// The text of the script that was tested.
    pub(super) script: String,
    /// The places of the script that can run.
    pub(super) places: BTreeSet<LineColumn>,
}

impl TestRun {
    /// The number of tests that passed.
    pub fn passed(&self) -> usize {
        self.results.iter().filter(|result| result.outcome == Outcome::Passed).count()
    }
}

/// Plays tests with a script, even if they name another script. `None` if this was [interrupted](crate::interrupt).
pub fn run_tests(source: &Source, tests: &[Test<'_>]) -> Option<TestRun> {
    let mut run = TestRun { script: source.text.clone(), ..TestRun::default() };
    for test in tests {
        let named = source.clone();
        let mut loader = Loader::new().finding(move |_| Ok(named.clone())).watching();
        let played = GameFile::parse(test.path, test.text)
            .map_err(GameTestError::Here)
            .and_then(|file| play::transcript(&file, &mut loader));
        if interrupt::stop_requested() {
            return None;
        }
        let outcome = match (played, test.accepted) {
            (Err(_), _) => Outcome::Failed,
            (Ok(output), Some(accepted)) if diff::is_accepted(&output, accepted) => Outcome::Passed,
            (Ok(_), Some(_)) => Outcome::Differs,
            (Ok(_), None) => Outcome::New,
        };
        let places: BTreeMap<LineColumn, bool> = loader
            .coverage()
            .filter(|(watched, _)| watched.name == source.name)
            .flat_map(|(watched, coverage)| coverage.places(&watched.name))
            .collect();
        run.places.extend(places.keys());
        let reached = places.into_iter().filter(|(_, ran)| *ran).map(|(place, _)| place).collect();
        run.results.push(TestResult { name: test.path.display().to_string(), outcome, reached });
    }
    Some(run)
}
