//! Ctrl-C while a command works: the command is asked to stop, and the program goes on. Commands that have found
//! something by then ask for SIGTERM as well.
//!
//! Who does not look whether he is [asked](interrupt::stop_requested) to stop is ended by a second Ctrl-C; the game is on disk then.

use astragal_service::interrupt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

static HANDLER: Once = Once::new();

/// The exit code of a command that was stopped: as a shell reports a program that Ctrl-C has ended.
pub(crate) const EXIT_CODE: u8 = 130;

/// Takes Ctrl-C from now on, instead of being ended by it. Where that is impossible nothing changes.
pub(crate) fn listen() {
    HANDLER.call_once(|| {
        let asked = interrupt::flag();
        let _ = ctrlc::set_handler(move || {
            if asked.swap(true, Ordering::SeqCst) {
                std::process::exit(EXIT_CODE.into());
            }
        });
    });
}

/// Takes Ctrl-C and the request to end (SIGTERM) from now on, for a command that works without asking anybody and
/// tells what it has found when it is stopped. A second request ends the program at once.
pub(crate) fn listen_for_end() {
    listen();
    #[cfg(unix)]
    {
        use signal_hook::{consts::SIGTERM, flag};
        // In this order: the first request finds the flag down.
        let _ = flag::register_conditional_shutdown(SIGTERM, EXIT_CODE.into(), interrupt::flag());
        let _ = flag::register(SIGTERM, interrupt::flag());
    }
}

/// Somebody thinks, who is to stop at Ctrl-C.
pub(crate) struct Thinking {
    terminal: bool,
}

impl Thinking {
    /// Begins; without a terminal, Ctrl-C keeps its usual meaning.
    pub(crate) fn begin(terminal: bool) -> Thinking {
        if terminal {
            listen();
        }
        Thinking { terminal }
    }

    /// The flag that says to stop.
    pub(crate) fn flag(&self) -> Option<Arc<AtomicBool>> {
        self.terminal.then(interrupt::flag)
    }

    /// Whether to stop.
    pub(crate) fn is_over(&self) -> bool {
        self.terminal && interrupt::stop_requested()
    }
}
