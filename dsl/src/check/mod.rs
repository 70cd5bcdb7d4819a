//! Checks a script and reports its problems: from its text, from loading it, and from a few plies of random play.
//!
//! [`name_table`] lists the contents of the script. [`names`], [`literals`], [`options`] and [`rules`] check that list;
//! [`declared`] and [`regions`] check the resulting declarations; [`trial_games`] plays. [`stages`] reports what is known
//! before the games. No check keeps its own list of names. The interpreter and the loaded variant define which names exist;
//! the rows of [`crate::functions`] define what functions take and do. A check reports only what cannot be right.

mod behind;
mod brackets;
mod causes;
mod counted;
mod cures;
mod declared;
mod definitions;
mod die_faces;
mod disjoint;
mod echoes;
mod endings;
mod findings;
mod frozen;
mod given_away;
mod heap_counts;
mod hidden_values;
mod infer;
mod literals;
mod looks;
mod moved_up;
mod name_table;
mod names;
mod never_true;
mod no_difference;
mod offers;
mod options;
mod parallel;
mod permits;
mod populated;
mod recovery;
mod recursion;
mod regions;
mod repair;
mod report;
mod rules;
mod shapes;
mod shown;
mod signatures;
mod spelled_keys;
mod stages;
mod stores;
mod summary;
mod tracks;
mod trait_values;
mod trial_games;
mod unused;
mod verdicts;

pub use parallel::limit_threads;
pub use repair::repaired;
pub use stages::check_in_stages;
pub use summary::{awards_points, counts_history, summary};
pub(crate) use summary::{dice_of, endings_of, functions_run_by, only_tracks};
pub use trial_games::blame;

use crate::diagnostic::{Diagnostic, LoadError, Severity};
use crate::library::Source;

/// Everything wrong with a script that trial games and its text show: errors, then warnings, then notes, each in text
/// order; empty if there are no problems.
pub fn check(source: &Source) -> Vec<Diagnostic> {
    check_under(source, &[])
}

/// Like [`check`], with options set (names and values): checks these, alone and combined with every value of every other
/// option. Invalid values are reported as errors of the whole script.
pub fn check_under(source: &Source, given: &[(String, String)]) -> Vec<Diagnostic> {
    stages::whole(source, given)
}

/// The reasons why a script cannot be loaded with the given options: all errors that [`check_under`] reports. If it reports
/// none, the original error.
pub(crate) fn with_cure(source: &Source, given: &[(String, String)], error: LoadError) -> LoadError {
    let LoadError::Script(found) = error else { return error };
    let errors: Vec<_> = check_under(source, given).into_iter().filter(|d| d.severity == Severity::Error).collect();
    LoadError::Script(if errors.is_empty() { found } else { errors })
}
