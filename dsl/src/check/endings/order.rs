//! Ends that never come because of the order in which they are asked for: what stands before has answered already.

use super::super::report::Report;
use super::{Ending, Endings};
use crate::diagnostic::{Code, Severity};

/// Judges the order of the ends.
pub(super) fn check(endings: &Endings, report: &mut Report) {
    endings.all.iter().for_each(|ending| never_comes(ending, report));
}

/// An end whose own condition cannot hold where it is asked.
fn never_comes(ending: &Ending, report: &mut Report) {
    let (before, own) = ending.facts.split_at(ending.own);
    let live = |fact: &&super::Fact| !fact.stale;
    let barred = own.iter().filter(live).find_map(|fact| {
        let first = before.iter().filter(live).find(|first| first.contradicts(fact))?;
        Some((fact, first))
    });
    let Some((fact, first)) = barred else { return };
    let message = format!("`{}` never comes to this: line {} has left nothing of it", ending.name, first.at.0);
    let help = format!("ask for this before line {}, or correct one of the two conditions", first.at.0);
    let others = vec![(first.at.0, first.at.1, "whatever this is true of has gone another way".to_string())];
    report.verdict(Severity::Warning, Code::Unreachable, fact.at, (message, help), others, Vec::new());
}

/// Conditions that what was asked before them has ruled out.
pub(super) fn settled(endings: &Endings, report: &mut Report) {
    for one in &endings.settled {
        if report.found.iter().any(|said| said.line == one.at.0 && said.severity < Severity::Note) {
            continue;
        }
        let line = one.before.0;
        let message = format!("this is never true here: what line {line} asks has settled it");
        let help = format!("ask for this before line {line}, or correct one of the two conditions");
        let others = vec![(one.before.0, one.before.1, "this has been asked before".to_string())];
        report.verdict(Severity::Warning, Code::Unreachable, one.at, (message, help), others, Vec::new());
    }
}
