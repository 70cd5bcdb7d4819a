//! The engine as a Python module, `astragal._native`. People import `python/astragal`, which re-exports its contents.
//!
//! This crate converts values and errors between the two languages, and decides when the interpreter's lock is
//! released. It contains no game rules, and nothing that another interface would need: that is in `service`.

#![allow(missing_docs, reason = "public items here are visible only from Python, and are documented there")]

mod convert;
mod errors;
mod game;
mod lab;
mod learning;
mod outcomes;
mod shared;
mod start;
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
    module.add_class::<outcomes::Outcome>()?;
    module.add_class::<outcomes::Turn>()?;
    module.add_class::<lab::Part>()?;
    module.add_class::<learning::Network>()?;
    module.add_class::<learning::Training>()?;
    module.add_class::<state::State>()?;
    module.add_class::<vector::Vector>()?;
    module.add_function(wrap_pyfunction!(game::load, module)?)?;
    module.add_function(wrap_pyfunction!(game::names, module)?)?;
    module.add_function(wrap_pyfunction!(game::check, module)?)?;
    module.add_function(wrap_pyfunction!(lab::merge, module)?)?;
    module.add_function(wrap_pyfunction!(learning::interval, module)?)?;
    Ok(())
}
