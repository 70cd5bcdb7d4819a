//! Errors that may come from a rule of a script: they are shown as in `check`, with the line and advice.

use astragal_computer::PlayerError;
use astragal_core::{GameError, RuleError, State};
use astragal_dsl::profile::ProfileError;
use astragal_dsl::{Loaded, blame};
use astragal_lab::LabError;
use astragal_lab::analyse::AnalysisError as GameAnalysisError;
use astragal_lab::learning::LearnError;
use astragal_lab::solve::SolveError;
use astragal_lab::solve::verify::VerifyError;
use astragal_service::analysis::AnalysisError;
use std::fmt::Display;

/// An error that may come from a rule of a script.
pub(crate) trait OfRule: Display {
    /// The error of the rule, if a rule has failed.
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
            PlayerError::Refused(error) => error.rule(),
            _ => None,
        }
    }
}

impl OfRule for LearnError {
    fn rule(&self) -> Option<&RuleError> {
        match self {
            LearnError::Rule(error) => Some(error),
            _ => None,
        }
    }
}

impl OfRule for SolveError {
    fn rule(&self) -> Option<&RuleError> {
        match self {
            SolveError::Rule(error) => Some(error),
            _ => None,
        }
    }
}

impl OfRule for VerifyError {
    fn rule(&self) -> Option<&RuleError> {
        match self {
            VerifyError::Turn(error) => error.rule(),
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

/// The text for an error at the prompt: a rule error with its line and the position, or another error in one line.
pub(crate) fn shown(loaded: &Loaded, state: &State, error: &impl OfRule) -> String {
    match error.rule().filter(|rule| !rule.is_stop()) {
        Some(rule) => blame(loaded, Some(state.position()), rule).render(false),
        None => error.to_string(),
    }
}
