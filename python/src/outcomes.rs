//! What moves and turns can lead to, with probabilities.

use pyo3::prelude::*;

/// One outcome of a move.
#[pyclass(module = "astragal", frozen, get_all)]
pub(crate) struct Outcome {
    pub(crate) probability: Py<PyAny>,
    pub(crate) exact: bool,
    pub(crate) effect: String,
    pub(crate) position: String,
}

#[pymethods]
impl Outcome {
    fn __repr__(&self) -> String {
        format!("Outcome({}, {:?}, {:?})", self.probability, self.effect, self.position)
    }
}

/// One way to finish a turn.
#[pyclass(module = "astragal", frozen, get_all)]
pub(crate) struct Turn {
    pub(crate) moves: Vec<String>,
    pub(crate) probability: Py<PyAny>,
    pub(crate) position: String,
    pub(crate) ends_game: bool,
}

#[pymethods]
impl Turn {
    fn __repr__(&self) -> String {
        format!("Turn({:?}, {:?})", self.moves.join(" "), self.position)
    }
}
