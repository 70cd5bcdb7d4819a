//! The parts of a script that never ran, except those that belong to options that were not chosen.

use crate::experiment::Experiment;
use crate::tally::Tally;
use astragal_dsl::coverage_report::{self, Finding};

/// The parts that no game has run and the answers that no game has given, in the order of the script.
pub(super) fn findings(experiment: &Experiment, tally: &Tally) -> Vec<Finding> {
    let coverage = experiment.unvisited();
    coverage.absorb(tally.covered.iter().map(String::as_str));
    coverage_report::findings(&experiment.loaded().source, &coverage)
}
