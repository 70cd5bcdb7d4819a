//! Errors of functions that scripts call, before anybody knows where in the script they happened.

use rhai::{Dynamic, EvalAltResult, Position};

/// The result of a function that scripts call.
pub(crate) type ScriptResult<T> = Result<T, Box<EvalAltResult>>;

/// What went wrong in a call, before its place is known.
#[derive(Clone, Debug)]
pub(crate) struct HostError {
    /// What went wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The text that was misread and the bytes of it to blame.
    pub blamed: Option<(String, std::ops::Range<usize>)>,
}

/// An error with a message.
pub(crate) fn fail<T>(message: impl Into<String>) -> ScriptResult<T> {
    Err(error(HostError { message: message.into(), help: None, blamed: None }))
}

/// An error with a message and advice.
pub(crate) fn fail_help<T>(message: impl Into<String>, help: Option<String>) -> ScriptResult<T> {
    Err(error(HostError { message: message.into(), help, blamed: None }))
}

/// The interpreter's form of an error.
pub(crate) fn error(error: HostError) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(error), Position::NONE))
}
