//! What of a script has never been run, without what belongs to options that were not chosen.

use crate::experiment::Experiment;
use crate::tally::Tally;
use astragal_dsl::coverage_report::{self, Finding};

/// What none of the games has run or answered, in the order of the script.
pub(super) fn findings(experiment: &Experiment, tally: &Tally) -> Vec<Finding> {
    let coverage = experiment.unvisited();
    coverage.absorb(tally.covered.iter().map(String::as_str));
    coverage_report::findings(&experiment.loaded().source, &coverage)
}
