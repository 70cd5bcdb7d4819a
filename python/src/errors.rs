//! Errors as Python exceptions.

use astragal_computer::PlayerError;
use astragal_core::GameError;
use astragal_core::rule::RuleError;
use astragal_dsl::LoadError;
use astragal_lab::LabError;
use astragal_lab::learning::LearnError;
use astragal_service::analysis::AnalysisError;
use astragal_service::encoding::ActionError;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::fmt;

pyo3::create_exception!(astragal, AstragalError, PyException, "The base class of all Astragal errors.");
pyo3::create_exception!(
    astragal,
    ScriptError,
    AstragalError,
    "A script cannot be found or has an error. `line` and `column` count from 1, and are None if the location is \
     unknown; `report` shows the lines."
);
pyo3::create_exception!(
    astragal,
    RuleError_,
    AstragalError,
    "A rule of a script failed during a game. `line` and `column` have the same meaning as in ScriptError."
);
pyo3::create_exception!(astragal, PositionError, AstragalError, "A text is not a valid position of the game.");
pyo3::create_exception!(astragal, IllegalAction, AstragalError, "The game does not allow this action now.");

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("AstragalError", py.get_type::<AstragalError>())?;
    module.add("ScriptError", py.get_type::<ScriptError>())?;
    module.add("RuleError", py.get_type::<RuleError_>())?;
    module.add("PositionError", py.get_type::<PositionError>())?;
    module.add("IllegalAction", py.get_type::<IllegalAction>())
}

/// An exception with the place in a script as attributes.
fn placed(py: Python<'_>, error: PyErr, place: Option<(usize, usize)>, report: Option<String>) -> PyErr {
    let value = error.value(py);
    // Exceptions take attributes.
    let _ = value.setattr("line", place.map(|place| place.0));
    let _ = value.setattr("column", place.map(|place| place.1));
    if let Some(report) = report {
        let _ = value.setattr("report", report);
    }
    error
}

pub(crate) fn of_load(py: Python<'_>, error: &LoadError) -> PyErr {
    let place = match error {
        LoadError::Script(all) => all.first().filter(|one| one.line > 0).map(|one| (one.line, one.column)),
        _ => None,
    };
    placed(py, ScriptError::new_err(error.to_string()), place, Some(error.render(false)))
}

pub(crate) fn of_rule(py: Python<'_>, error: &RuleError) -> PyErr {
    if error.is_stop() {
        return PyKeyboardInterrupt::new_err(());
    }
    placed(py, RuleError_::new_err(error.to_string()), error.place, None)
}

pub(crate) fn of_game(py: Python<'_>, error: &GameError) -> PyErr {
    match error {
        GameError::Rule(error) => of_rule(py, error),
        other => IllegalAction::new_err(other.to_string()),
    }
}

pub(crate) fn of_analysis(py: Python<'_>, error: &AnalysisError) -> PyErr {
    match error {
        AnalysisError::Game(error) => of_game(py, error),
        other => IllegalAction::new_err(other.to_string()),
    }
}

pub(crate) fn of_lab(py: Python<'_>, error: &LabError) -> PyErr {
    match error {
        LabError::Load(error) => of_load(py, error),
        LabError::Rule(error) => of_rule(py, error),
        other if other.is_stop() => PyKeyboardInterrupt::new_err(()),
        LabError::Game { error: inner, .. } => match &**inner {
            PlayerError::Rule(rule) => placed(py, RuleError_::new_err(error.to_string()), rule.place, None),
            _ => value(error),
        },
        other => value(other),
    }
}

pub(crate) fn of_learn(py: Python<'_>, error: &LearnError) -> PyErr {
    match error {
        LearnError::Rule(error) => of_rule(py, error),
        other => value(other),
    }
}

pub(crate) fn of_action(error: ActionError) -> PyErr {
    IllegalAction::new_err(error.to_string())
}

/// A wrong argument.
pub(crate) fn value(error: impl fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A file that cannot be written.
pub(crate) fn io(error: impl fmt::Display) -> PyErr {
    PyOSError::new_err(error.to_string())
}
