//! Counts how often each line of a script runs, by replaying games in the interpreter, without trees.
//!
//! Owns the set of lines that one game has run. Trees hide that, since a path of a rule is interpreted once and walked from
//! then on.

use crate::experiment::{LabError, Setting, Stop, begin};
use astragal_computer::{PlayerError, apply};
use astragal_core::Event;
use astragal_core::{Mode, Ruleset};
use astragal_dsl::coverage::Coverage;
use astragal_dsl::{Loaded, Source, load_noting};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An event, for replaying.
pub(crate) enum Done {
    Roll(u64),
    Other(Event),
}

/// The games in which a line ran.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LineGames {
    /// The number of games that ran it.
    pub games: u64,
    /// For each answer to one of its questions, the number of games: `true`, `played`, or the chosen text.
    pub answers: BTreeMap<String, u64>,
}

/// By line.
pub type Lines = BTreeMap<usize, LineGames>;

/// Replays games to see which lines they run.
pub(crate) struct LineCounter {
    loaded: Loaded,
    position: Option<String>,
    coverage: Coverage,
}

impl LineCounter {
    /// Loads the script for interpretation.
    ///
    /// # Errors
    /// As [`crate::Experiment::new`].
    pub(crate) fn new(source: &Source, setting: &Setting, stop: Stop) -> Result<LineCounter, LabError> {
        let coverage = Coverage::new();
        let mut loaded = load_noting(source, &setting.options, &coverage)?;
        let set = Arc::into_inner(loaded.set).expect("just loaded, so nothing else refers to it");
        let rules = set.rules.with_mode(Mode::Interpreted);
        rules.stop_when(move || stop());
        loaded.set = Arc::new(Ruleset { variant: set.variant, rules });
        Ok(LineCounter { loaded, position: setting.position.clone(), coverage })
    }

    /// Replays a game from its events, and adds the lines that it has run.
    ///
    /// # Errors
    /// If a rule fails.
    pub(crate) fn count(&self, done: &[Done], lines: &mut Lines) -> Result<(), PlayerError> {
        // Loading has run lines, too; they belong to no game.
        self.coverage.take_marks();
        let game = begin(&self.loaded, self.position.as_deref()).map_err(|_| PlayerError::Nothing)?;
        let mut state = game.state().clone();
        for done in done {
            match done {
                Done::Roll(index) => state.roll(*index)?,
                Done::Other(event) => apply(&mut state, event)?,
            }
        }
        for (line, answers) in self.of_game() {
            let of_line = lines.entry(line).or_default();
            of_line.games += 1;
            answers.into_iter().for_each(|answer| *of_line.answers.entry(answer).or_default() += 1);
        }
        Ok(())
    }

    /// The lines of the script itself that ran, each with the answers to its questions.
    fn of_game(&self) -> BTreeMap<usize, BTreeSet<String>> {
        let mut found: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        for mark in self.coverage.take_marks() {
            let parts: Vec<&str> = mark.splitn(5, '\t').collect();
            let &[sort, script, line, _, ref answer @ ..] = &parts[..] else { continue };
            let Some(line) = line.parse().ok().filter(|_| script == self.loaded.name) else { continue };
            let answers = found.entry(line).or_default();
            let Some(answer) = answer.first() else { continue };
            answers.insert(match (sort, *answer) {
                ("question", "yes") => "true".into(),
                ("question", _) => "false".into(),
                ("choice", choice) => chosen(choice).unwrap_or_default(),
                (_, other) => other.into(),
            });
        }
        found
    }
}

/// The chosen text, from a mark with its number and all texts.
fn chosen(mark: &str) -> Option<String> {
    let (index, texts) = mark.split_once('\t')?;
    texts.split('\t').nth(index.parse().ok()?).map(String::from)
}
