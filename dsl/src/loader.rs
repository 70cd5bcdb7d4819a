//! Loads a script completely, for every program that plays it. Scripts with errors are rejected with the messages of
//! [`check`].
//!
//! [`crate::load`] turns a script into a variant; this module does the steps before and after.

use crate::check;
use crate::coverage::Coverage;
use crate::debugger::Stepper;
use crate::diagnostic::LoadError;
use crate::host::script;
use crate::library::{self, Source};
use crate::load::{self, Loaded};
use astragal_core::Mode;
use std::sync::Arc;

/// Loads a script with options as given (names and values); others have their defaults.
///
/// # Errors
/// If the script is wrong, or an option or value does not exist.
pub fn load(source: &Source, options: &[(String, String)]) -> Result<Loaded, LoadError> {
    load_with(source, options, Mode::Trees)
}

/// As [`load`], with the rules run in the given `mode`.
///
/// # Errors
/// As [`load`].
pub fn load_with(source: &Source, options: &[(String, String)], mode: Mode) -> Result<Loaded, LoadError> {
    load_watched(source, options, mode, None)
}

/// As [`load`], and records the runs of the script in `coverage`.
///
/// # Errors
/// As [`load`].
pub fn load_noting(source: &Source, options: &[(String, String)], coverage: &Coverage) -> Result<Loaded, LoadError> {
    load_watched(source, options, Mode::Trees, Some(coverage))
}

/// As [`load`], for a debugger: its [`Stepper`] stops the rules on their lines. Every run of a rule really runs the script,
/// so rules are much slower. All results stay the same.
///
/// # Errors
/// As [`load`].
pub fn load_debugging(source: &Source, options: &[(String, String)], stepper: &Stepper) -> Result<Loaded, LoadError> {
    let loaded =
        script::open_stepped(source, options, stepper).and_then(|script| load::finish(script, Mode::Interpreted));
    let mut loaded = loaded.map_err(|error| check::with_cure(source, options, error))?;
    if let Some(set) = Arc::get_mut(&mut loaded.set) {
        let viewer = stepper.clone();
        set.rules.show_to(move |view| viewer.sees(view));
    }
    stepper.knows(&loaded.set);
    Ok(loaded)
}

pub(crate) fn load_watched(
    source: &Source,
    options: &[(String, String)],
    mode: Mode,
    watch: Option<&Coverage>,
) -> Result<Loaded, LoadError> {
    let loaded = script::open_watched(source, options, watch).and_then(|script| load::finish(script, mode));
    loaded.map_err(|error| check::with_cure(source, options, error))
}

/// Loads a variant by name or path.
///
/// # Errors
/// As [`load`], and if there is no such script.
pub fn load_named(name: &str, options: &[(String, String)]) -> Result<Loaded, LoadError> {
    load(&library::resolve(name)?, options)
}
