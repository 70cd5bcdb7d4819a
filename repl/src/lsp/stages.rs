//! The findings of a script in two stages: those of its text, and later those of trial games.
//!
//! While an author types, the games are stopped again and again. So the findings of the last games remain next to those of
//! the current text, as far as they fit it. Invariant: after complete games, all findings depend on the current text only.

use astragal_dsl::{Diagnostic, Severity, Source};
use astragal_editor::keep;

/// The stages of the checks of one script.
#[derive(Default)]
pub(super) struct Stages {
    /// The findings of the last text whose games have begun.
    begun: Option<(u64, Vec<Diagnostic>)>,
    /// The last text whose games are complete, and their findings.
    played: Option<(String, Vec<Diagnostic>)>,
}

impl Stages {
    /// Stores the findings of a text, whose trial games begin. Returns the findings to show until they end.
    pub(super) fn begin(&mut self, serial: u64, source: &Source, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let older = self.played.as_ref().map(|(text, older)| keep::kept(&source.file(), (text, older), &source.text));
        self.begun = Some((serial, found.clone()));
        keep::joined(found, older.unwrap_or_default())
    }

    /// Stores the complete findings of a text.
    pub(super) fn end(&mut self, serial: u64, source: &Source, found: &[Diagnostic]) {
        match self.begun.take().filter(|(begun, _)| *begun == serial) {
            Some((_, of_text)) => {
                let of_games = found.iter().filter(|one| !of_text.contains(one)).cloned().collect();
                self.played = Some((source.text.clone(), of_games));
            }
            // A script with errors is not played, often only for a moment.
            None if found.iter().any(|one| one.severity == Severity::Error) => {}
            None => self.played = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn source(text: &str) -> Source {
        Source { name: "own".into(), path: None, text: text.into() }
    }

    fn at(source: &Source, line: usize, severity: Severity, message: &str) -> Diagnostic {
        let text: Arc<str> = source.text.as_str().into();
        let mut one = Diagnostic::error(&source.file(), &text, line, 1, message);
        one.severity = severity;
        one
    }

    fn messages(found: &[Diagnostic]) -> Vec<&str> {
        found.iter().map(|one| one.message.as_str()).collect()
    }

    #[test]
    fn findings_of_games_stay_while_the_next_games_are_played() {
        let (mut stages, old) = (Stages::default(), source("one\ntwo"));
        let (unused, slow) = (at(&old, 1, Severity::Warning, "unused"), at(&old, 2, Severity::Note, "slow"));
        assert_eq!(messages(&stages.begin(1, &old, vec![unused.clone()])), ["unused"]);
        stages.end(1, &old, &[unused, slow]);
        let new = source("one!\ntwo");
        assert_eq!(messages(&stages.begin(2, &new, Vec::new())), ["slow"]);
        // A moment with an error in between.
        let wrong = source("one!(\ntwo");
        stages.end(3, &wrong, &[at(&wrong, 1, Severity::Error, "syntax")]);
        assert_eq!(messages(&stages.begin(4, &new, Vec::new())), ["slow"]);
        stages.end(4, &new, &[]);
        assert_eq!(messages(&stages.begin(5, &old, Vec::new())), [""; 0]);
    }

    #[test]
    fn findings_of_games_go_when_their_line_changes() {
        let (mut stages, old) = (Stages::default(), source("one\ntwo"));
        stages.begin(1, &old, Vec::new());
        stages.end(1, &old, &[at(&old, 2, Severity::Note, "slow")]);
        assert_eq!(messages(&stages.begin(2, &source("one\ntwo!"), Vec::new())), [""; 0]);
    }
}
