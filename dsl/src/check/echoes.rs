//! Drops findings that only follow from another one.

use super::name_table::LineColumn;
use super::report::Report;
use crate::diagnostic::Diagnostic;
use crate::host::tokens::{Token, arguments, tokens};
use std::ops::Range;

/// Words of a finding, and of another one on the same line that follows from it.
const ON_A_LINE: [(&str, &str); 2] = [
    (" takes two numbers, but `", " takes 2 arguments, not 1"),
    (" wins here, although ", " wins here, and also when "),
];

/// Words before a name in a finding, and words after the same name in one that follows from it.
const ABOUT_A_NAME: [(&str, &str); 2] =
    [(" reads the entries of `", "a number, which has no entries"), ("write `", "the new value of `")];

/// The end of a message about arguments in the wrong order.
const SWAPPED: &str = "the arguments are swapped";

/// Drops the findings of a script that follow from others in it.
pub(super) fn dropped(report: &mut Report) {
    let text = report.text.clone();
    let all = tokens(&text);
    let own = report.file().to_string();
    let found: Vec<Diagnostic> = report.found.iter().filter(|said| said.file == own).cloned().collect();
    let calls: Vec<_> =
        found.iter().filter(|said| said.message.ends_with(SWAPPED)).filter_map(|said| call(&all, said)).collect();
    let begins: Vec<usize> = all.iter().filter(|token| token.is("fn")).map(|token| token.at.0).collect();
    let function = |said: &Diagnostic| begins.iter().filter(|line| **line <= said.line).count();
    let follows = |said: &Diagnostic| {
        let inside = calls.iter().any(|call| call.contains(&(said.line, said.column)));
        inside && !said.message.ends_with(SWAPPED)
            || found.iter().any(|cause| {
                let line = |(words, then): &(&str, &str)| {
                    cause.line == said.line && cause.message.contains(words) && said.message.contains(then)
                };
                // Without its parameters, a rule uses names that do not exist.
                let rule = cause.message.starts_with("the rule `")
                    && cause.message.contains(" takes ")
                    && said.message.starts_with("there is no variable");
                ON_A_LINE.iter().any(line)
                    || twice(cause, said)
                    || ABOUT_A_NAME.iter().any(|pair| about_a_name(cause, said, *pair))
                    || rule && function(cause) == function(said)
            })
    };
    report.found.retain(|said| said.file != own || !follows(said));
}

/// Whether a name is missing because another declaration has a name that exists already.
fn twice(cause: &Diagnostic, said: &Diagnostic) -> bool {
    let Some(sort) = cause.message.strip_prefix("there is already a ").and_then(|rest| rest.split_once(" called "))
    else {
        return false;
    };
    said.message.starts_with(&format!("there is no {} called ", sort.0))
        || said.message.contains("expected the name of a counter, trait or mark")
}

/// Whether a finding is about the name in another one's message or help.
fn about_a_name(cause: &Diagnostic, said: &Diagnostic, (before, after): (&str, &str)) -> bool {
    let texts = [Some(cause.message.as_str()), cause.help.as_deref()];
    said.message.ends_with(after)
        && texts.into_iter().flatten().filter_map(|text| text.split_once(before)?.1.split('`').next()).any(|name| {
            said.message
                .strip_prefix('`')
                .and_then(|rest| rest.strip_prefix(name))
                .is_some_and(|rest| rest.starts_with('`'))
        })
}

/// The call that a message about swapped arguments names, from its name to its closing bracket.
fn call(all: &[Token<'_>], said: &Diagnostic) -> Option<Range<LineColumn>> {
    let name = said.message.split('`').nth(1)?;
    let here = all.iter().rposition(|token| token.at <= (said.line, said.column) && token.is(name))?;
    let end = arguments(all, here + 1).last()?.end;
    Some(all[here].at..all.get(end)?.at)
}
