//! Finds declarations that depend on a base call further down, by testing the script with that call moved up.

use super::brackets::statements;
use super::cures::applied;
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::host::tokens::{Token, tokens};
use crate::library::Source;

/// The maximum number of base calls that are tested.
const MOST: usize = 3;

/// Suggests which base call to move up for a piece name that is still unknown. `look` checks a script without playing.
pub(super) fn tried(source: &Source, found: &mut [Diagnostic], look: impl Fn(&Source) -> Vec<Diagnostic>) {
    let all = tokens(&source.text);
    let top = statements(&all);
    let file = source.file();
    let holds = |one: &Diagnostic| {
        let at = (one.line, one.column);
        top.iter().position(|range| all[range.clone()].iter().any(|token| token.at == at))
    };
    let unknown = |one: &Diagnostic| {
        let error = one.severity == Severity::Error && one.file == file;
        error && one.message.starts_with("there is no piece called")
    };
    let errors = |all: &[Diagnostic]| all.iter().filter(|one| one.severity == Severity::Error).count();
    let before = errors(found);
    let wrong = found.iter_mut().filter(|one| unknown(one)).find_map(|one| Some((holds(one)?, one)));
    let Some((here, one)) = wrong.filter(|(here, _)| !all[top[*here].start].is("fn")) else { return };
    for call in top[here + 1..].iter().filter(|range| of_base(&all[(*range).clone()])).take(MOST) {
        let [first, moved] = [&top[here], call].map(|range| all[range.start].span.start..all[range.end - 1].span.end);
        let statement = &source.text[moved.clone()];
        let text = format!("{statement}\n{}", source.text[first.start..moved.start].trim_end());
        let fix = Fix { span: first.start..moved.end, text };
        let after = look(&applied(source, &fix));
        if errors(&after) < before && !after.iter().any(|left| left.message == one.message) {
            let (line, call) = (all[call.start].at.0, statement.trim_end_matches(';'));
            one.help = Some(format!("move `{call}` (line {line}) before this line"));
            one.suggested = Some(fix);
            return;
        }
    }
}

/// Whether a statement only calls a function of a base.
fn of_base(statement: &[Token<'_>]) -> bool {
    matches!(statement, [base, of, name, open, .., end]
        if base.is_word() && of.is("::") && name.is_word() && open.is("(") && end.is(";"))
}
