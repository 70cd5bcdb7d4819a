//! Why commands fail, and the messages: a failed rule with its script line and advice, any other error in one line.

use super::args::Color;
use super::theme;
use crate::rule_error::OfRule;
use astragal_dsl::{Layout, Loaded, blame};
use console::Term;
use std::io::{self, IsTerminal};
use thiserror::Error;

/// Why a command fails.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// Reading or writing fails.
    #[error("error: {0}")]
    Io(#[from] io::Error),
    /// The user's input is invalid: exit code 2. The text may have several lines.
    #[error("{0}")]
    Input(String),
    /// Ctrl-C or SIGTERM stopped the command, and it has reported its results so far: exit code 130.
    #[error("stopped")]
    Stopped,
}

impl From<astragal_computer::PlayerError> for Failure {
    fn from(error: astragal_computer::PlayerError) -> Failure {
        input(error)
    }
}

/// Whether the result is positive (exit code 0) or negative (1).
pub(crate) type Answer = Result<bool, Failure>;

/// A failure with a one-line message, marked as an error.
pub(crate) fn input(text: impl std::fmt::Display) -> Failure {
    let text = text.to_string();
    Failure::Input(if text.starts_with("error") || text.contains("error:") { text } else { format!("error: {text}") })
}

/// The layout of script errors on standard error.
pub(super) fn layout() -> Layout {
    theme::laid_out(theme::color(Color::Auto, io::stderr().is_terminal()), &Term::stderr())
}

/// The failure of a loaded variant: a rule error, rendered as in `check`, or another error.
pub(super) fn of_rule<E: OfRule>(loaded: &Loaded) -> impl Fn(E) -> Failure {
    move |error| match error.rule().filter(|rule| !rule.is_stop()) {
        Some(rule) => input(blame(loaded, None, rule).render(layout())),
        None => input(error),
    }
}
