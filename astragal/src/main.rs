//! The `astragal` program. All of it is in the crate `astragal-repl`, but for what has to be asked before anything else runs.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether standard output was closed when the program began.
static CLOSED: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    astragal_repl::cli::main(CLOSED.load(Ordering::Relaxed))
}

/// The standard library opens `/dev/null` in the place of a closed standard output before `main`, so that nobody
/// would learn that what is printed is lost. So it is looked at earlier.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[allow(unsafe_code)]
mod before_main {
    use super::{CLOSED, Ordering};

    extern "C" fn look() {
        // SAFETY: it asks for the flags of a descriptor, which need not be open; no memory is involved.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    // SAFETY: functions in this section are called once, before `main`; this one needs nothing of the standard
    // library that would not be there yet.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    static LOOK: extern "C" fn() = look;
}
