//! The problems of a `.game` file: lines that cannot be parsed or played, and output that differs from the accepted
//! output. The messages are those of `astragal test`.

use super::differences::{Difference, differences};
use super::document::GameDocument;
use crate::gametest::GameTestError;
use crate::gametest::attempt::{Attempt, attempt_line};
use crate::gametest::file::{Act, HEADERS, Line, Question};
use crate::gametest::loader::Loader;
use crate::gametest::play::Playthrough;
use crate::input;
use astragal_core::Game;
use astragal_dsl::notation::nearest;
use astragal_dsl::{Diagnostic, Fix, LoadError, Loaded, Severity, game_text};
use std::ops::Range;
use std::sync::Arc;

/// A problem of a `.game` file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameProblem {
    /// The byte range concerned.
    pub span: Range<usize>,
    /// Whether the test fails (an error), its output differs (a warning), or there is no accepted output yet (a note).
    pub severity: Severity,
    /// The message.
    pub message: String,
    /// Advice, or the differing lines of the output.
    pub help: Option<String>,
    /// Possible fixes.
    pub fixes: Vec<GameFix>,
}

/// A fix for a problem of a `.game` file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameFix {
    /// An edit of the text.
    Edit {
        /// Its title, in the imperative.
        title: String,
        /// The edit.
        edit: Fix,
    },
    /// The output of the game is correct: store it as the accepted output.
    Accept,
}

/// All problems of a file, in order. `loaded` is the script it names, and `accepted` its accepted output, if there is
/// any.
pub fn problems(document: &GameDocument, loaded: &Arc<Loaded>, accepted: Option<&str>) -> Vec<GameProblem> {
    let mut found: Vec<GameProblem> = document.mistakes().iter().map(|mistake| unread(document, mistake)).collect();
    let file = document.file().before_line(document.unread().unwrap_or(usize::MAX));
    let mut loader = Loader::of_loaded(Arc::clone(loaded));
    let mut sections = Vec::new();
    match Playthrough::begin(&file, &mut loader) {
        Err(error) => found.push(of_error(document, &error)),
        Ok(mut play) => match in_sections(&mut play, &mut sections) {
            Err(error) => {
                let fixes = fixes(document, loaded, &error, play.game());
                found.push(GameProblem { fixes, ..of_error(document, &error) });
            }
            Ok(()) => {
                let before = play.text().len();
                sections.push(play.finish().split_off(before));
                // A file with mistakes has no output.
                if found.is_empty() {
                    found = compared(document, &sections, accepted);
                }
            }
        },
    }
    found.sort_by_key(|problem| problem.span.start);
    found
}

/// The problem of a file whose script cannot be loaded.
pub fn script_problem(document: &GameDocument, error: &LoadError) -> GameProblem {
    let near = match error {
        LoadError::NotFound { nearest, .. } => nearest.clone(),
        _ => None,
    };
    let error = match (error, &document.file().options_at) {
        (LoadError::Option(message), Some(at)) => {
            GameTestError::Here(document.file().wrong(at.line, at.column, message.clone(), None))
        }
        _ => GameTestError::of_script(document.file(), error.clone()),
    };
    let problem = of_error(document, &error);
    let edit = near.zip(document.header("variant")).map(|(near, span)| replace(span, near));
    GameProblem { fixes: edit.into_iter().collect(), ..problem }
}

/// The problem of a file that names no script and whose folder does not contain exactly one. `several` has the names of
/// the scripts in the folder.
pub fn no_script_problem(document: &GameDocument, several: &[String]) -> GameProblem {
    of_error(document, &GameTestError::no_script(document.file(), several))
}

/// Plays all lines, and collects their output in sections. The first section is the output before the first line.
fn in_sections(play: &mut Playthrough<'_>, sections: &mut Vec<String>) -> Result<(), GameTestError> {
    sections.push(play.text().to_string());
    let mut before = play.text().len();
    while play.play_line()? {
        sections.push(play.text().get(before..).unwrap_or_default().to_string());
        before = play.text().len();
    }
    Ok(())
}

/// The problem of a mistake in the syntax of the file.
fn unread(document: &GameDocument, mistake: &Diagnostic) -> GameProblem {
    let span = document.span_of(mistake);
    let word = document.text().get(span.clone()).and_then(|text| text.strip_suffix(':'));
    let meant = word.and_then(|word| nearest(word, HEADERS.into_iter().filter(|known| *known != word)));
    let fix = meant.map(|name| replace(span.start..span.end - 1, name.into()));
    GameProblem { fixes: fix.into_iter().collect(), ..of_diagnostic(document, mistake) }
}

fn of_error(document: &GameDocument, error: &GameTestError) -> GameProblem {
    match error {
        GameTestError::Here(diagnostic) => of_diagnostic(document, diagnostic),
        GameTestError::Rule { shown, here } => {
            GameProblem { help: Some(shown.trim_end().to_string()), ..of_diagnostic(document, here) }
        }
        GameTestError::Script(error) => {
            let span = document.header("variant").filter(|value| !value.is_empty());
            let (message, help) = (error.to_string(), None);
            let span = span.unwrap_or_else(|| document.line(1));
            GameProblem { span, severity: Severity::Error, message, help, fixes: Vec::new() }
        }
    }
}

fn of_diagnostic(document: &GameDocument, diagnostic: &Diagnostic) -> GameProblem {
    GameProblem {
        span: document.span_of(diagnostic),
        severity: Severity::Error,
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        fixes: Vec::new(),
    }
}

/// The differences from the accepted output.
fn compared(document: &GameDocument, sections: &[String], accepted: Option<&str>) -> Vec<GameProblem> {
    let lines = &document.file().lines;
    let of_line = |line: Option<&Line>| line.map_or_else(|| document.line(1), |line| play_of(document, line.number));
    let Some(accepted) = accepted else {
        let message = "the output of this test has not been accepted yet".to_string();
        let span = of_line(lines.first());
        return vec![GameProblem { span, severity: Severity::Note, message, help: None, fixes: vec![GameFix::Accept] }];
    };
    let problem = |one: Difference| {
        let (line, what) = match one.section {
            0 => (lines.first(), "the start of the game"),
            number if number <= lines.len() => (lines.get(number - 1), "the output of this line"),
            _ => (lines.last(), "the end of the game"),
        };
        GameProblem {
            span: of_line(line),
            severity: Severity::Warning,
            message: format!("{what} differs from the accepted output"),
            help: Some(one.lines.join("\n")),
            fixes: vec![GameFix::Accept],
        }
    };
    differences(sections, accepted).into_iter().map(problem).collect()
}

/// The bytes of a line of play, without its comment.
fn play_of(document: &GameDocument, number: usize) -> Range<usize> {
    match document.content(number) {
        super::document::Content::Play(span) => span,
        _ => document.line(number),
    }
}

/// The fixes for an error in a line of play. `game` is the game at the error.
fn fixes(document: &GameDocument, loaded: &Arc<Loaded>, error: &GameTestError, game: &Game) -> Vec<GameFix> {
    let GameTestError::Here(diagnostic) = error else { return Vec::new() };
    let Some(line) = document.file().lines.iter().find(|line| line.number == diagnostic.line) else {
        return Vec::new();
    };
    let play = play_of(document, line.number);
    if let Act::Ask(question) = &line.act {
        let Question::Refused(_, rest, act) = question else { return Vec::new() };
        let asked = Line { act: (**act).clone(), text: rest.clone(), ..line.clone() };
        if attempt_line(loaded, &mut game.clone(), &asked) != Attempt::Done {
            return Vec::new();
        }
        let span = play.start..play.end - rest.len();
        let title = "Remove 'refused': this event is legal".to_string();
        return vec![GameFix::Edit { title, edit: Fix { span, text: String::new() } }];
    }
    let mut fixes: Vec<GameFix> = meant(document, diagnostic, game).into_iter().collect();
    let before = document.game_before(loaded, line.number).ok();
    let attempted = before.map(|mut game| attempt_line(loaded, &mut game, line));
    if matches!(attempted, Some(Attempt::Refused(_))) {
        let title = "Expect this line to be refused: insert 'refused'".to_string();
        fixes.push(GameFix::Edit { title, edit: Fix { span: play.start..play.start, text: "refused ".into() } });
    }
    fixes
}

/// The legal move or choice that is most similar to the word at an error.
fn meant(document: &GameDocument, diagnostic: &Diagnostic, game: &Game) -> Option<GameFix> {
    let span = document.span_of(diagnostic);
    let word = document.text().get(span.clone())?;
    let legal = [input::moves(game), game_text::choices(game.state())].concat();
    nearest(word, legal.iter().map(String::as_str)).map(|near| replace(span, near.to_string()))
}

fn replace(span: Range<usize>, text: String) -> GameFix {
    GameFix::Edit { title: format!("Change to '{text}'"), edit: Fix { span, text } }
}

#[cfg(test)]
#[path = "problems_tests.rs"]
mod tests;
