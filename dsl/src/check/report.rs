//! Collects the findings of a check.

use super::causes;
use super::name_table::{LineColumn, NameTable};
use super::signatures::signature_of;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::host::kind::ValueKind;
use crate::host::pointing::one_of;
use crate::host::slips::looks_alike;
use crate::host::tokens::{Token, tokens};
use crate::library::Source;
use crate::notation::nearest;
use std::sync::Arc;

/// Maximum number of findings reported.
pub(super) const MOST: usize = 20;

/// The findings so far.
#[derive(Clone)]
pub(super) struct Report {
    file: String,
    pub(super) text: Arc<str>,
    pub(super) found: Vec<Diagnostic>,
    /// Places where an expression may produce no value, with a message.
    pub(super) doubts: Vec<(LineColumn, String)>,
}

impl Report {
    /// An empty report.
    pub(super) fn new(source: &Source) -> Report {
        Report { file: source.file(), text: source.text.as_str().into(), found: Vec::new(), doubts: Vec::new() }
    }

    /// The script's file name in messages.
    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// Adds a diagnostic. Each place keeps one, and an error replaces a warning.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        let place = |d: &Diagnostic| (d.file.clone(), d.line, d.column);
        let known = self.found.iter_mut().find(|d| diagnostic.line > 0 && place(d) == place(&diagnostic));
        match known {
            None => self.found.push(diagnostic),
            Some(known) if diagnostic.severity < known.severity => *known = diagnostic,
            // Prefer the more informative advice.
            Some(known)
                if diagnostic.severity == known.severity && understanding(&diagnostic) > understanding(known) =>
            {
                *known = diagnostic;
            }
            Some(_) => {}
        }
    }

    fn diagnostic(&self, code: Code, at: LineColumn, message: String, help: Option<String>) -> Diagnostic {
        Diagnostic::error(&self.file, &self.text, at.0, at.1, message).with_help(help).of(code)
    }

    pub(super) fn error(&mut self, code: Code, at: LineColumn, message: String, help: Option<String>) {
        self.push(self.diagnostic(code, at, message, help));
    }

    /// An error at the place where a value is written, which also points to its use if that is on another line.
    pub(super) fn error_of_value(
        &mut self,
        code: Code,
        at: LineColumn,
        (used, words): (LineColumn, &str),
        message: String,
        help: Option<String>,
    ) {
        let diagnostic = self.diagnostic(code, at, message, help);
        self.push(if used.0 == at.0 || used.0 == 0 { diagnostic } else { diagnostic.also_at(used, words) });
    }

    /// The same for an error with a given length in characters; `used` is the call that takes the value.
    pub(super) fn error_of_length(
        &mut self,
        code: Code,
        at: LineColumn,
        length: usize,
        used: LineColumn,
        message: String,
        help: Option<String>,
    ) {
        let mut diagnostic = self.diagnostic(code, at, message, help);
        diagnostic.length = length;
        // A place after the call belongs to one of its own arguments.
        let own = used.0 == at.0 || used < at;
        self.push(if own { diagnostic } else { diagnostic.also_at(used, "it is used here") });
    }

    pub(super) fn warning(&mut self, code: Code, at: LineColumn, message: String, help: Option<String>) {
        let mut diagnostic = self.diagnostic(code, at, message, help);
        diagnostic.severity = Severity::Warning;
        self.push(diagnostic);
    }

    pub(super) fn note(&mut self, code: Code, at: LineColumn, message: String, help: Option<String>) {
        let mut diagnostic = self.diagnostic(code, at, message, help);
        diagnostic.severity = Severity::Note;
        self.push(diagnostic);
    }

    /// A warning or note with further notes and related places.
    pub(super) fn verdict(
        &mut self,
        severity: Severity,
        code: Code,
        at: LineColumn,
        (message, help): (String, String),
        others: Vec<(usize, usize, String)>,
        notes: impl IntoIterator<Item = String>,
    ) {
        let mut diagnostic = self.diagnostic(code, at, message, Some(help));
        diagnostic.severity = severity;
        diagnostic.others = others;
        diagnostic.notes.extend(notes);
        self.push(diagnostic);
    }

    pub(super) fn has_errors(&self) -> bool {
        self.found.iter().any(|d| d.severity == Severity::Error)
    }

    /// Adds the signature from the reference to findings about a call that have no advice.
    pub(super) fn with_cures(mut self, table: &NameTable) -> Report {
        let own_words =
            |d: &Diagnostic| d.message.contains("the script says") || d.message.contains("the script threw");
        let silent = |d: &&mut Diagnostic| d.help.is_none() && d.line > 0 && d.file == self.file && !own_words(d);
        let all = tokens(&self.text);
        for diagnostic in self.found.iter_mut().filter(silent) {
            diagnostic.help = one_of(&diagnostic.message);
            // A missing property has nothing to do with the call around it.
            let property = [" has no property ", " no property called ", " does not work on "];
            if diagnostic.help.is_some() || property.iter().any(|words| diagnostic.message.contains(words)) {
                continue;
            }
            // The signature does not show which values are possible.
            if diagnostic.code == Some(Code::Declaration) && !diagnostic.message.contains("expected ") {
                continue;
            }
            let place = (diagnostic.line, diagnostic.column);
            let Some(name) = call_around(&all, place) else { continue };
            let Some(call) = table.calls.iter().find(|call| call.module.is_none() && call.at == name) else { continue };
            diagnostic.help = signature_of(call);
        }
        self
    }

    /// Moves trial-game errors about a missing value to the expression that produced none, if only one place is possible in
    /// that function and those it calls.
    pub(super) fn at_their_cause(&mut self) {
        let all = tokens(&self.text);
        let starts: Vec<usize> = (0..all.len()).filter(|i| all[*i].is("fn")).collect();
        let function = |line: usize| starts.iter().rposition(|start| all[*start].at.0 <= line);
        let body = |f: usize| &all[starts[f]..starts.get(f + 1).copied().unwrap_or(all.len())];
        let calls = |f: usize, of: usize| {
            let name = all.get(starts[of] + 1).map_or("", |name| name.text);
            body(f).windows(2).skip(2).any(|two| two[0].is(name) && two[1].is("("))
        };
        let nothing = ValueKind::Nothing.words();
        for failed in self.found.iter_mut().filter(|d| d.code == Some(Code::Play) && d.message.contains(nothing)) {
            let Some(here) = function(failed.line).filter(|_| failed.file == self.file) else { continue };
            let near = |place: &LineColumn| function(place.0).is_some_and(|f| f == here || calls(here, f));
            let all: Vec<&(LineColumn, String)> = self.doubts.iter().filter(|(at, _)| near(at)).collect();
            let [((line, column), message)] = all[..] else { continue };
            failed.others.push((failed.line, failed.column, "it is used here".into()));
            (failed.line, failed.column) = (*line, *column);
            failed.length = "switch".len();
            failed.message = format!("{message}: a trial game reached a value without a case");
            failed.help = Some("add the missing case, or `_ => ...` for all other values".into());
            failed.code = Some(Code::Switch);
        }
        // The earlier doubts at these places are now certain.
        let certain = |d: &Diagnostic| d.code == Some(Code::Switch) && d.severity == Severity::Error;
        let places: Vec<LineColumn> = self.found.iter().filter(|d| certain(d)).map(|d| (d.line, d.column)).collect();
        self.found.retain(|d| certain(d) || !places.contains(&(d.line, d.column)));
    }

    /// At most [`MOST`] findings: errors, then warnings, then notes, each in text order; findings about the whole script
    /// come last in each group.
    pub(super) fn sorted(mut self) -> Vec<Diagnostic> {
        let own = self.file.clone();
        let all = tokens(&self.text);
        let order = |d: &Diagnostic| (d.severity, d.file != own, d.line == 0, d.line, d.column);
        self.found.sort_by_key(order);
        causes::gathered(&mut self.found, &own, &all);
        self.found.sort_by_key(order);
        self.found.truncate(MOST);
        self.found.iter_mut().filter(|d| d.file == own).for_each(|found| name_strangers(found, &all));
        self.found.iter_mut().for_each(|found| found.reference = reference(found));
        self.found
    }
}

/// Names letters in an unknown name that look like other letters.
fn name_strangers(found: &mut Diagnostic, all: &[Token<'_>]) {
    let place = (found.line, found.column);
    let Some(token) = all.iter().find(|token| token.at == place && token.text.starts_with('"')) else { return };
    let inner = token.text.trim_matches('"');
    let Some((said, meant)) = looks_alike(inner).filter(|_| found.message.contains(inner)) else { return };
    found.message = format!("{}: {said}", found.message);
    found.help = Some(format!("write \"{meant}\""));
}

/// Suggests the most similar name, or else lists all names after these words.
pub(super) fn did_you_mean<'n>(text: &str, names: impl Iterator<Item = &'n str> + Clone, words: &str) -> String {
    match nearest(text, names.clone()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("{words}: {}", names.collect::<Vec<_>>().join(", ")),
    }
}

/// Rank of a finding's advice: lists of names and signatures can be given for any mistake, so they rank low.
fn understanding(diagnostic: &Diagnostic) -> usize {
    match diagnostic.help.as_deref() {
        None => 0,
        Some(help) if help.starts_with("known names") || help.starts_with("the script declares no ") => 1,
        Some(help) if help.starts_with("it is a trait") => 4,
        // Advice about a known property is more specific.
        Some(help)
            if help.starts_with("did you mean") && diagnostic.message.starts_with("there is no property called") =>
        {
            2
        }
        Some(help) if crate::manual::is_signature_advice(help) || help.starts_with("write dice as in") => 2,
        Some(_) => 3,
    }
}

/// The place of the name of the call that begins at a place, or else of the innermost call with the place among its
/// arguments.
pub(super) fn call_around(all: &[Token<'_>], place: LineColumn) -> Option<LineColumn> {
    let here = all.iter().position(|token| token.at >= place)?;
    let is_call = |at: usize| all[at].is_word() && all.get(at + 1).is_some_and(|next| next.is("("));
    if all[here].at == place && is_call(here) {
        return Some(place);
    }
    let mut depth = 0;
    for at in (0..here).rev() {
        depth += i32::from(all[at].closes()) - i32::from(all[at].opens());
        if depth < 0 && all[at].is("(") && at > 0 && is_call(at - 1) {
            return Some(all[at - 1].at);
        }
        if depth < 0 && all[at].is("{") || depth == 0 && all[at].is(";") {
            return None;
        }
        depth = depth.max(0);
    }
    None
}

/// The link to the reference for the function that a message or its advice names first.
fn reference(found: &Diagnostic) -> Option<String> {
    let names = [found.message.split('`').nth(1), found.help.as_deref().and_then(crate::manual::advised_function)];
    names.into_iter().flatten().find_map(crate::manual::link)
}
