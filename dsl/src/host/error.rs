//! Errors of functions that scripts call, before their place in the script is known.

use rhai::{Dynamic, EvalAltResult, Position};

/// The result of a function that scripts call.
pub(crate) type ScriptResult<T> = Result<T, Box<EvalAltResult>>;

/// An error in a call, before its place is known.
#[derive(Clone, Debug)]
pub(crate) struct HostError {
    /// The error message.
    pub message: String,
    /// The advice.
    pub help: Option<String>,
    /// The misread text, and the range of its bytes that is wrong.
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
