//! `astragal-bindgen WASM FOLDER`: writes to FOLDER the JavaScript and WebAssembly that a page imports from a compiled
//! crate.
//!
//! It replaces the command line of wasm-bindgen, so that the lock file fixes its version and nothing has to be installed.

use std::env::args;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let [_, wasm, folder] = &args().collect::<Vec<_>>()[..] else {
        eprintln!("usage: astragal-bindgen WASM FOLDER");
        return ExitCode::from(2);
    };
    let made = Bindgen::new().input_path(wasm).web(true).and_then(|bindgen| {
        bindgen.typescript(true).remove_name_section(true).remove_producers_section(true).generate(folder)
    });
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
