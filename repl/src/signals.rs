//! Ctrl-C while a command runs: the command is asked to stop, and the program continues. Commands that can report partial
//! results handle SIGTERM as well.
//!
//! A process has one terminal, so Ctrl-C belongs to the token that listened last. If the work does not check its token, a
//! second Ctrl-C ends the program; by then, the game is on disk.

use astragal_service::interrupt::StopToken;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};

static HANDLER: Once = Once::new();

/// The token that Ctrl-C requests to stop.
static ASKED: Mutex<Option<StopToken>> = Mutex::new(None);

/// The exit code of a stopped command, as shells report a program ended by Ctrl-C.
pub(crate) const EXIT_CODE: u8 = 130;

/// Whether no token listens: a request to end then ends the program.
static RELEASED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Stops listening: Ctrl-C and SIGTERM end the program again, as they do before the first token listens.
pub(crate) fn release() {
    *ASKED.lock().unwrap_or_else(PoisonError::into_inner) = None;
    RELEASED.store(true, Ordering::SeqCst);
}

/// From now on, Ctrl-C requests `stop` instead of ending the program. If the system does not allow that, nothing changes.
pub(crate) fn listen(stop: &StopToken) {
    RELEASED.store(false, Ordering::SeqCst);
    *ASKED.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop.clone());
    HANDLER.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            let asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
            if asked.as_ref().is_none_or(StopToken::request) {
                std::process::exit(EXIT_CODE.into());
            }
        });
    });
}

/// From now on, Ctrl-C and SIGTERM request `stop`: for commands that run without interaction and report their results so
/// far when they are stopped. A second request ends the program at once.
pub(crate) fn listen_for_end(stop: &StopToken) {
    listen(stop);
    #[cfg(unix)]
    {
        use signal_hook::{consts::SIGTERM, flag};
        static RELEASE: Once = Once::new();
        RELEASE.call_once(|| {
            let _ = flag::register_conditional_shutdown(SIGTERM, EXIT_CODE.into(), Arc::clone(&RELEASED));
        });
        // The order matters: at the first request, the flag is still unset.
        let _ = flag::register_conditional_shutdown(SIGTERM, EXIT_CODE.into(), stop.flag());
        let _ = flag::register(SIGTERM, stop.flag());
    }
}

/// Work that Ctrl-C can stop.
pub(crate) struct Thinking {
    /// Without a terminal, Ctrl-C keeps its usual meaning.
    stop: Option<StopToken>,
}

impl Thinking {
    /// Starts; at a terminal, Ctrl-C requests `stop`.
    pub(crate) fn begin(terminal: bool, stop: &StopToken) -> Thinking {
        if terminal {
            listen(stop);
        }
        Thinking { stop: terminal.then(|| stop.clone()) }
    }

    /// The flag that is set by a stop request.
    pub(crate) fn flag(&self) -> Option<Arc<AtomicBool>> {
        self.stop.as_ref().map(StopToken::flag)
    }

    /// Whether a stop has been requested.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.as_ref().is_some_and(StopToken::is_requested)
    }
}
