//! The `astragal` program. The crate `astragal-repl` contains all of it, except for a check that must run before anything
//! else.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether standard output was closed when the program started.
static CLOSED: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    astragal_repl::cli::main(CLOSED.load(Ordering::Relaxed))
}

/// Before `main`, the standard library replaces a closed standard output with `/dev/null`, and the loss of output would go
/// unnoticed. So this check runs earlier.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[allow(unsafe_code)]
mod before_main {
    use super::{CLOSED, Ordering};

    extern "C" fn look() {
        // SAFETY: it reads the flags of a descriptor, open or not; no memory is involved.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    // SAFETY: functions in this section are called once, before `main`; this one uses nothing of the standard library that
    // is not yet initialized.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    static LOOK: extern "C" fn() = look;
}
