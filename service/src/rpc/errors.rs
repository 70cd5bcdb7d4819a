//! Errors of requests about a game: the codes of the protocol, and errors of scripts, notations and games as responses.

use super::message::{INTERNAL, RpcError};
use super::status::pending_json;
use crate::analysis::AnalysisError;
use astragal_core::rule::{Cause, RuleError};
use astragal_core::{GameError, State};
use astragal_dsl::game_text::{self, AnswerError};
use astragal_dsl::notation::NotationError;
use astragal_dsl::printable::printable;
use astragal_dsl::{LoadError, Loaded, blame};

/// There is no such variant.
pub(super) const NO_VARIANT: i64 = -32000;
/// The script is wrong, or failed.
pub(super) const SCRIPT: i64 = -32001;
/// There is no such option, or it has no such value.
pub(super) const OPTION: i64 = -32002;
/// The position's text is wrong.
pub(super) const POSITION: i64 = -32003;
/// A roll is missing, or not one that the rules ask for.
pub(super) const ROLL: i64 = -32004;
/// The move or choice is not legal.
pub(super) const NOT_PERMITTED: i64 = -32005;
/// The game waits for something else.
pub(super) const NOT_NOW: i64 = -32006;
/// The answer would take too long to compute.
pub(super) const TOO_LARGE: i64 = -32007;
/// There is no open game of this number.
pub(super) const NO_SESSION: i64 = -32008;
/// It was taken back.
pub(super) const CANCELLED: i64 = -32009;

/// The error for a roll that should have been given.
pub(super) fn roll_missing(state: &State) -> RpcError {
    let (dice, count) = state.dice().map_or((String::new(), 0), |d| (d.to_string(), d.dice.len()));
    let numbers = if count == 1 { "1 number".into() } else { format!("{count} numbers") };
    RpcError::new(ROLL, format!("the rules wait for a roll of {dice}: pass 'roll', a list of {numbers}"))
        .with("field", "roll")
        .with("dice", dice)
        .with("pending", pending_json(state))
}

/// The error for a text that is not in its notation, about the parameter `field`.
pub(super) fn notation_error(code: i64, field: &str, error: &NotationError) -> RpcError {
    let answer = RpcError::new(code, error.to_string())
        .with("field", field)
        .with("column", error.column())
        .with("expected", error.expected.clone())
        .with("found", error.found.clone());
    match &error.help {
        Some(help) => answer.with("help", help.clone()),
        None => answer,
    }
}

/// The error for a text that is no answer to what the game waits for.
pub(super) fn word_error(state: &State, field: &str, error: &AnswerError) -> RpcError {
    let answer = match error {
        AnswerError::Notation(error) => notation_error(NOT_PERMITTED, field, error),
        AnswerError::NotNow { .. } => RpcError::new(NOT_NOW, error.to_string()).with("field", field),
        AnswerError::Die { dice, .. } | AnswerError::Price { dice, .. } => {
            RpcError::new(NOT_PERMITTED, error.to_string()).with("field", "die").with("dice", dice.clone())
        }
        AnswerError::Two { .. } => RpcError::new(NOT_PERMITTED, error.to_string()).with("field", "die"),
        AnswerError::Draw { .. } => RpcError::new(ROLL, error.to_string()).with("field", field),
        AnswerError::Choice { .. } | AnswerError::Both { .. } => {
            RpcError::new(NOT_PERMITTED, error.to_string()).with("field", field)
        }
    };
    answer.with("reason", error.to_string()).with("pending", pending_json(state))
}

/// The error for an event that a game in `state` refused.
pub(super) fn game_error(loaded: &Loaded, state: &State, error: &GameError) -> RpcError {
    let code = match error {
        GameError::Rule(error) => return rule_error(loaded, error),
        GameError::NotNow { .. } => NOT_NOW,
        GameError::Roll { .. } | GameError::Rest { .. } | GameError::Rerolled(_) => ROLL,
        GameError::Move | GameError::Choice(_) => NOT_PERMITTED,
    };
    let message = match error {
        GameError::NotNow { offered, .. } => game_text::not_now(state, offered),
        _ => error.to_string(),
    };
    RpcError::new(code, message.clone()).with("reason", message).with("pending", pending_json(state))
}

/// The error for a rule that failed during play.
pub(super) fn rule_error(loaded: &Loaded, error: &RuleError) -> RpcError {
    if error.is_stop() {
        return out_of_time();
    }
    let answer = RpcError::new(SCRIPT, error.to_string());
    let answer = match error.cause {
        Cause::Work(_) => answer.with("limit", 1),
        _ => answer,
    };
    // The same place that `check` shows: for an error in a base script, the line in the script itself.
    let shown = blame(loaded, None, error);
    let answer = answer.with("file", shown.file.clone());
    let answer = match shown.line {
        0 => answer,
        line => answer.with("line", line).with("column", shown.column),
    };
    let answer = answer.with("reason", &*printable(&shown.message)).with("rendered", shown.render(false));
    shown.help.into_iter().fold(answer, |answer, help| answer.with("help", help))
}

/// The error of a request that has reached its time limit.
pub(super) fn out_of_time() -> RpcError {
    RpcError::new(TOO_LARGE, "the request took longer than its time limit")
}

/// The error of a cancelled request.
pub(super) fn cancelled() -> RpcError {
    RpcError::new(CANCELLED, "cancelled")
}

/// The error for a variant that cannot be loaded.
pub(super) fn load_error(name: &str, error: &LoadError) -> RpcError {
    match error {
        LoadError::NotFound { nearest, .. } => {
            let answer = RpcError::new(NO_VARIANT, error.to_string()).with("field", "variant").with("variant", name);
            nearest.iter().fold(answer, |answer, near| answer.with("nearest", near.clone()))
        }
        LoadError::Script(found) => {
            let answer = RpcError::new(SCRIPT, error.to_string());
            let Some(first) = found.first() else { return answer };
            let answer = answer.with("file", first.file.clone()).with("line", first.line).with("column", first.column);
            let answer = answer.with("reason", &*printable(&first.message)).with("rendered", error.render(false));
            first.help.iter().fold(answer, |answer, help| answer.with("help", help.clone()))
        }
        LoadError::Option(_) => RpcError::new(OPTION, error.to_string()).with("field", "options"),
        other => RpcError::new(NO_VARIANT, other.to_string()).with("variant", name),
    }
}

/// The error for something that cannot be computed, about the parameter `field`.
pub(super) fn analysis_error(loaded: &Loaded, state: &State, field: &str, error: &AnalysisError) -> RpcError {
    match error {
        AnalysisError::Word(error) => word_error(state, field, error),
        AnalysisError::Game(error) => game_error(loaded, state, error),
        AnalysisError::TooLarge(_) => RpcError::new(TOO_LARGE, error.to_string()),
        AnalysisError::Stopped => out_of_time(),
    }
}

/// The answer to a panic.
pub(super) fn internal() -> RpcError {
    RpcError::new(INTERNAL, "internal error in this request; the server keeps running")
}
