//! What of a script has never been run, without what belongs to options that were not chosen.

use crate::experiment::Experiment;
use crate::tally::Tally;
use astragal_dsl::Source;
use astragal_dsl::coverage_report::{self, Finding};

/// What none of the games has run or answered, in the order of the script.
pub(super) fn findings(experiment: &Experiment, tally: &Tally) -> Vec<Finding> {
    let source = &experiment.loaded().source;
    let coverage = experiment.unvisited();
    coverage.absorb(tally.covered.iter().map(String::as_str));
    let options = option_constants(source);
    let lines: Vec<&str> = source.text.lines().collect();
    let depends = |finding: &Finding| {
        let line = lines.get(finding.lines.start() - 1).unwrap_or(&"");
        words(line).any(|word| options.contains(&word))
    };
    let mut found = coverage_report::findings(source, &coverage);
    found.retain(|finding| !depends(finding));
    found
}

/// The constants that hold options: code that asks for them is not expected to be run whatever they are.
fn option_constants(source: &Source) -> Vec<&str> {
    source
        .text
        .lines()
        .filter_map(|line| {
            let (name, value) = line.trim().strip_prefix("const ")?.split_once('=')?;
            value.trim_start().starts_with("option(").then(|| name.trim())
        })
        .collect()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
