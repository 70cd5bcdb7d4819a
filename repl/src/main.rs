//! The `astragal` program. All of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    astragal::cli::main()
}
