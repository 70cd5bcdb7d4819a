//! Conversions of values between Rust and Python.

use crate::errors;
use astragal_core::{Ratio, Side, State, Status, Stream};
use astragal_dsl::game_text;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use serde_json::Value;

/// The current player at a chance node, as in OpenSpiel.
pub(crate) const CHANCE: i32 = -1;
/// The current player after the end of the game.
pub(crate) const TERMINAL: i32 = -4;

/// An exact fraction.
pub(crate) fn fraction<'py>(py: Python<'py>, ratio: Ratio) -> PyResult<Bound<'py, PyAny>> {
    static FRACTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    FRACTION.import(py, "fractions", "Fraction")?.call1((ratio.numerator(), ratio.denominator()))
}

/// A JSON value as the result of `json.loads`.
pub(crate) fn json<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}

/// An integer in range. For one out of range, Python would raise an overflow instead of a wrong argument.
pub(crate) fn whole<T: TryFrom<i128>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    let number: i128 = match value.extract::<i64>() {
        Ok(number) => number.into(),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            value.extract::<u64>().map_err(|_| does_not_fit(value))?.into()
        }
        Err(error) => return Err(error),
    };
    T::try_from(number).map_err(|_| does_not_fit(value))
}

fn does_not_fit(value: &Bound<'_, PyAny>) -> PyErr {
    let why = if value.lt(0).unwrap_or(false) { "it is below 0" } else { "it is too large" };
    errors::value(format!("{value} is not allowed here: {why}"))
}

/// The same for an optional argument.
pub(crate) fn optional<T: TryFrom<i128>>(value: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { whole(value).map(Some) }
}

/// An integer of at least 1, for threads or moves.
pub(crate) fn at_least_one<T: TryFrom<i128> + PartialEq + Default>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    match whole::<T>(value)? {
        none if none == T::default() => Err(errors::value("threads and plies must be at least 1")),
        number => Ok(number),
    }
}

/// The current player: a side's number, [`CHANCE`] or [`TERMINAL`].
pub(crate) fn player(state: &State) -> i32 {
    match state.status() {
        Status::Chance => CHANCE,
        Status::Over => TERMINAL,
        Status::Move | Status::Choice => state.chooser().index() as i32,
    }
}

/// The outcome of the dice of a game with this seed after this many events.
pub(crate) fn drawn(state: &State, seed: u64, events: u64) -> u64 {
    state.draw(&mut Stream::new(seed, events))
}

/// The value of the result for each side: its points (1 for a win, half for a draw, or the script's points) minus the mean
/// of the others' points. The values add up to zero, and are zeros before the end.
pub(crate) fn returns(state: &State, out: &mut [f32]) {
    out.fill(0.0);
    let Some(over) = state.over() else { return };
    let sides = out.len();
    let winners = game_text::winners(state);
    for (side, points) in out.iter_mut().enumerate() {
        *points = match over.points {
            Some(points) => points[side] as f32 / 2.0,
            None if winners.is_empty() => 0.5,
            None => f32::from(u8::from(winners.contains(&Side(side as u8)))),
        };
    }
    let total: f32 = out.iter().sum();
    if sides > 1 {
        for points in out {
            *points -= (total - *points) / (sides - 1) as f32;
        }
    }
}
