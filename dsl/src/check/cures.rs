//! Tests code suggestions before they are shown.
//!
//! Each suggested fix is applied to the script, and the script is checked again, without trial games. If the message
//! remains at its place, or an error appears there, the fix is removed from the help text. A fix that works becomes the
//! diagnostic's suggestion.

use super::report::call_around;
use crate::diagnostic::{Code, Diagnostic, Fix, Severity, cures, without};
use crate::host::tokens::{arguments, tokens};
use crate::library::Source;

/// The maximum number of re-checks of a script; fixes left after that are shown untested.
const MOST_TRIES: usize = 60;

/// Tests the fixes of the findings. `look` checks a script without playing.
pub(super) fn tried(source: &Source, found: &mut [Diagnostic], look: impl Fn(&Source) -> Vec<Diagnostic>) {
    // If the script has an endless loop, each re-check would take as long as the first one.
    if found.iter().any(|one| one.code == Some(Code::Endless) && one.severity == Severity::Error) {
        return;
    }
    let mut trial = Trial { source, before: found.to_vec(), look, left: MOST_TRIES };
    let file = source.file();
    for one in found.iter_mut().filter(|one| one.file == file && one.line > 0) {
        if let Some(fix) = one.fix.clone() {
            if !trial.works(one, &fix) && trial.left > 0 {
                one.fix = None;
            }
            continue;
        }
        let (Some(help), all) = (one.help.clone(), cures(one)) else { continue };
        let mut failed = Vec::new();
        for cure in &all {
            let working = cure.fixes.iter().find(|fix| trial.works(one, fix));
            // A check without trial games cannot test a fix for an error found in one.
            if one.suggested.is_none() && one.code != Some(Code::Play) {
                one.suggested = working.cloned();
            }
            failed.push(working.is_none() && cure.certain && trial.left > 0);
        }
        if failed.contains(&true) {
            let is = if help.starts_with("it is a function") { "it is a function: " } else { "" };
            one.help = without(&help, &all, &failed).or_else(|| signature(one).map(|said| format!("{is}{said}")));
        }
    }
}

/// The signature of the function that the message is about, as in the reference.
fn signature(one: &Diagnostic) -> Option<String> {
    let all = tokens(&one.text);
    let here = (one.line, one.column);
    let name = match one.code {
        Some(Code::Arguments) => call_around(&all, here)?,
        _ => here,
    };
    let at = all.iter().position(|token| token.at == name && token.is_word())?;
    let own = all.windows(2).any(|pair| pair[0].is("fn") && pair[1].is(all[at].text));
    let is_call = all.get(at + 1).is_some_and(|next| next.is("("));
    let count = if is_call { arguments(&all, at + 1).len() } else { 0 };
    let signature = crate::manual::fitting_signature(all[at].text, count, |_, _| true).filter(|_| !own)?;
    Some(crate::manual::signature_advice(&signature))
}

/// The script with a fix applied.
pub(super) fn applied(source: &Source, fix: &Fix) -> Source {
    let mut text = source.text.clone();
    text.replace_range(fix.span.clone(), &fix.text);
    Source { text, ..source.clone() }
}

struct Trial<'a, L> {
    source: &'a Source,
    before: Vec<Diagnostic>,
    look: L,
    left: usize,
}

impl<L: Fn(&Source) -> Vec<Diagnostic>> Trial<'_, L> {
    /// Whether a fix removes the message and causes no error at its place.
    fn works(&mut self, one: &Diagnostic, fix: &Fix) -> bool {
        if self.left == 0 || self.source.text.get(fix.span.clone()).is_none() {
            return false;
        }
        self.left -= 1;
        let after = (self.look)(&applied(self.source, fix));
        let same = |all: &[Diagnostic]| {
            all.iter().filter(|d| d.message == one.message && (d.line, d.severity) == (one.line, one.severity)).count()
        };
        let known = |d: &Diagnostic| self.before.iter().any(|old| old.message == d.message);
        let there = |d: &Diagnostic| {
            let new = fix.span.start..fix.span.start + fix.text.len();
            d.span()
                .is_some_and(|span| span.start < new.end.max(new.start + 1) && new.start < span.end.max(span.start + 1))
        };
        let worse = |d: &Diagnostic| {
            d.severity == Severity::Error
                && !known(d)
                && (there(d) || matches!(d.code, Some(Code::Syntax | Code::UnknownName)))
        };
        same(&after) < same(&self.before) && !after.iter().any(worse)
    }
}
