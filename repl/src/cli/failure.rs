//! What has failed, as the program tells it: a rule of a script with its line and what to do, all else in one line.

use super::{Failure, args, input, theme};
use astragal_computer::PlayerError;
use astragal_core::{GameError, RuleError};
use astragal_dsl::profile::ProfileError;
use astragal_dsl::{Loaded, blame};
use astragal_lab::LabError;
use astragal_lab::analyse::AnalysisError as GameAnalysisError;
use astragal_service::analysis::AnalysisError;
use std::fmt::Display;
use std::io::{self, IsTerminal};

/// An error behind which a rule of a script may stand.
pub(super) trait OfRule: Display {
    /// The rule's error, if one has failed.
    fn rule(&self) -> Option<&RuleError>;
}

impl OfRule for RuleError {
    fn rule(&self) -> Option<&RuleError> {
        Some(self)
    }
}

impl OfRule for GameError {
    fn rule(&self) -> Option<&RuleError> {
        match self {
            GameError::Rule(error) => Some(error),
            _ => None,
        }
    }
}

impl OfRule for PlayerError {
    fn rule(&self) -> Option<&RuleError> {
        match self {
            PlayerError::Rule(error) => Some(error),
            _ => None,
        }
    }
}

impl OfRule for AnalysisError {
    fn rule(&self) -> Option<&RuleError> {
        match self {
            AnalysisError::Game(error) => error.rule(),
            _ => None,
        }
    }
}

impl OfRule for GameAnalysisError {
    fn rule(&self) -> Option<&RuleError> {
        match self {
            GameAnalysisError::Player(error) => error.rule(),
            GameAnalysisError::Game(error) => error.rule(),
        }
    }
}

impl OfRule for LabError {
    fn rule(&self) -> Option<&RuleError> {
        match self {
            LabError::Rule(error) => Some(error),
            LabError::Game { error, .. } => error.rule(),
            LabError::Player(error) => error.rule(),
            _ => None,
        }
    }
}

impl OfRule for ProfileError {
    fn rule(&self) -> Option<&RuleError> {
        match self {
            ProfileError::Rule(error) => Some(error),
            ProfileError::Load(_) => None,
        }
    }
}

/// Whether colours may stand in what is told on standard error.
pub(super) fn colored() -> bool {
    theme::color(args::Color::Auto, io::stderr().is_terminal())
}

/// What has failed with a loaded variant: a rule, as `check` shows it, or something else.
pub(super) fn of_rule<E: OfRule>(loaded: &Loaded) -> impl Fn(E) -> Failure {
    move |error| match error.rule().filter(|rule| !rule.is_stop()) {
        Some(rule) => input(blame(loaded, None, rule).render(colored())),
        None => input(error),
    }
}
