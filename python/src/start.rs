//! The states and vectors that a game starts.

use crate::convert;
use crate::game::Game;
use crate::state::{Inside, State};
use crate::vector::Vector;
use pyo3::prelude::*;
use std::sync::Arc;

#[pymethods]
impl Game {
    /// Starts a game and returns its first state.
    #[pyo3(signature = (*, seed=1, position=None))]
    fn new_initial_state(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::whole)] seed: u64,
        position: Option<String>,
    ) -> PyResult<State> {
        let played = self.shared.begin(py, position.as_deref(), seed)?;
        Ok(State::new(Arc::clone(&self.shared), Inside::new(played, position)))
    }

    fn deserialize_state(&self, py: Python<'_>, text: &str) -> PyResult<State> {
        State::deserialize(py, Arc::clone(&self.shared), text)
    }

    #[pyo3(signature = (n, *, seed=1, max_plies=2000, threads=1))]
    fn vector(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::whole)] n: usize,
        #[pyo3(from_py_with = convert::whole)] seed: u64,
        #[pyo3(from_py_with = convert::at_least_one)] max_plies: u32,
        #[pyo3(from_py_with = convert::at_least_one)] threads: usize,
    ) -> PyResult<Vector> {
        Vector::new(py, Arc::clone(&self.shared), n, seed, max_plies, threads)
    }
}
