//! What a check has found so far.

use super::name_table::Place;
use crate::diagnostic::{Diagnostic, Severity};
use crate::library::Source;
use std::sync::Arc;

/// More than this helps nobody.
pub(super) const MOST: usize = 20;

/// What has been found so far.
pub(super) struct Report {
    file: String,
    pub(super) text: Arc<str>,
    pub(super) found: Vec<Diagnostic>,
}

impl Report {
    /// Nothing found yet.
    pub(super) fn new(source: &Source) -> Report {
        Report { file: source.file(), text: source.text.as_str().into(), found: Vec::new() }
    }

    /// One diagnostic for each place, an error before a warning.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        let place = |d: &Diagnostic| (d.file.clone(), d.line, d.column);
        let known = self.found.iter_mut().find(|d| diagnostic.line > 0 && place(d) == place(&diagnostic));
        match known {
            None => self.found.push(diagnostic),
            Some(known) if diagnostic.severity < known.severity => *known = diagnostic,
            Some(_) => {}
        }
    }

    pub(super) fn error(&mut self, at: Place, message: String, help: Option<String>) {
        self.push(Diagnostic::error(&self.file, &self.text, at.0, at.1, message).with_help(help));
    }

    pub(super) fn error_of_length(&mut self, at: Place, length: usize, message: String, help: Option<String>) {
        let mut diagnostic = Diagnostic::error(&self.file, &self.text, at.0, at.1, message).with_help(help);
        diagnostic.length = length;
        self.push(diagnostic);
    }

    pub(super) fn warning(&mut self, at: Place, message: String, help: Option<String>) {
        let mut diagnostic = Diagnostic::error(&self.file, &self.text, at.0, at.1, message).with_help(help);
        diagnostic.severity = Severity::Warning;
        self.push(diagnostic);
    }

    pub(super) fn note(&mut self, at: Place, message: String, help: Option<String>) {
        let mut diagnostic = Diagnostic::error(&self.file, &self.text, at.0, at.1, message).with_help(help);
        diagnostic.severity = Severity::Note;
        self.push(diagnostic);
    }

    pub(super) fn has_errors(&self) -> bool {
        self.found.iter().any(|d| d.severity == Severity::Error)
    }

    /// All that was found, in the order of the text; what concerns the whole script comes last.
    pub(super) fn sorted(mut self) -> Vec<Diagnostic> {
        let own = self.file.clone();
        self.found.sort_by_key(|d| (d.file != own, d.line == 0, d.line, d.column));
        self.found.truncate(MOST);
        self.found
    }
}
