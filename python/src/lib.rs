//! The engine as a Python module, `astragal._native`. What people import is `python/astragal`, which names it all.
//!
//! Owns how values and errors cross between the two languages and when the interpreter's lock is let go. It contains no rule
//! of any game and nothing that another door would need: that is in `service`.

#![allow(missing_docs, reason = "what is public here is seen from Python only, where its documentation is")]

mod convert;
mod errors;
mod game;
mod lab;
mod state;
mod vector;

use pyo3::prelude::*;

/// The engine of Astragal.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add_to(module)?;
    module.add_class::<game::Game>()?;
    module.add_class::<game::Diagnostic>()?;
    module.add_class::<game::Outcome>()?;
    module.add_class::<game::Turn>()?;
    module.add_class::<lab::Part>()?;
    module.add_class::<state::State>()?;
    module.add_class::<vector::Vector>()?;
    module.add_function(wrap_pyfunction!(game::load, module)?)?;
    module.add_function(wrap_pyfunction!(game::names, module)?)?;
    module.add_function(wrap_pyfunction!(game::check, module)?)?;
    module.add_function(wrap_pyfunction!(lab::merge, module)?)?;
    Ok(())
}
