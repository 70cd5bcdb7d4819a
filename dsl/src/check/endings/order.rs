//! Endings that never happen because of their order: an earlier condition has already decided the result.

use super::super::report::Report;
use super::calls::{Ending, Endings};
use super::phrase::Fact;
use crate::diagnostic::{Code, Severity};

/// Checks the order of the endings.
pub(super) fn check(endings: &Endings, report: &mut Report) {
    endings.all.iter().for_each(|ending| never_comes(ending, report));
}

/// Warns about an ending whose own condition cannot hold where it is tested.
fn never_comes(ending: &Ending, report: &mut Report) {
    let (before, own) = ending.facts.split_at(ending.own);
    let live = |fact: &&Fact| !fact.stale;
    let barred = own.iter().filter(live).find_map(|fact| {
        let first = before.iter().filter(live).find(|first| first.contradicts(fact))?;
        Some((fact, first))
    });
    let Some((fact, first)) = barred else { return };
    let message = format!("`{}` never runs here: line {} already handles every such case", ending.name, first.at.0);
    let help = format!("move this test before line {}, or correct one of the two conditions", first.at.0);
    let others = vec![(first.at.0, first.at.1, "these cases are handled here".to_string())];
    report.verdict(Severity::Warning, Code::Unreachable, fact.at, (message, help), others, Vec::new());
}

/// Reports conditions that earlier conditions have ruled out.
pub(super) fn settled(endings: &Endings, report: &mut Report) {
    for one in &endings.settled {
        if report.found.iter().any(|said| said.line == one.at.0 && said.severity < Severity::Note) {
            continue;
        }
        let line = one.before.0;
        let message = format!("this is never true here: line {line} already handles every such case");
        let help = format!("move this test before line {line}, or correct one of the two conditions");
        let others = vec![(one.before.0, one.before.1, "this is tested first".to_string())];
        report.verdict(Severity::Warning, Code::Unreachable, one.at, (message, help), others, Vec::new());
    }
}
