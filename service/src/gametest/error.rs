//! The errors of game files that cannot be played to their end.

use super::file::GameFile;
use astragal_dsl::{Diagnostic, Layout, LoadError, Severity};

/// Why a game cannot be played to its end.
#[derive(Clone, Debug)]
pub enum GameTestError {
    /// A problem in the game file.
    Here(Box<Diagnostic>),
    /// A rule of the script fails.
    Rule {
        /// The error in the script, rendered for people.
        shown: String,
        /// The place in the game file.
        here: Box<Diagnostic>,
    },
    /// A problem with the script.
    Script(LoadError),
}

impl GameTestError {
    /// The error for a game file that names no variant, if there is no script next to it, or `several`.
    pub fn no_script(file: &GameFile, several: &[String]) -> GameTestError {
        let message = "the file does not name its variant: add a line such as 'variant: my-game.rhai'";
        let help = (!several.is_empty()).then(|| format!("scripts next to it: {}", several.join(", ")));
        GameTestError::Here(file.wrong(1, 1, message, help))
    }

    /// The error for a named script that is missing or wrong.
    pub fn of_script(file: &GameFile, error: LoadError) -> GameTestError {
        match &file.variant {
            Some(at) if !matches!(error, LoadError::Script(_)) => {
                GameTestError::Here(file.wrong(at.line, at.column, error.to_string(), None))
            }
            _ => GameTestError::Script(error),
        }
    }

    /// The error rendered for people, with the line in question.
    pub fn render(&self, layout: impl Into<Layout>) -> String {
        let layout = layout.into();
        match self {
            GameTestError::Here(diagnostic) => diagnostic.render(layout),
            GameTestError::Rule { shown, here } => {
                let mut here = here.clone();
                here.severity = Severity::Note;
                format!("{}\n{}", shown.trim_end(), here.render(layout))
            }
            GameTestError::Script(error) => error.render(layout),
        }
    }
}
