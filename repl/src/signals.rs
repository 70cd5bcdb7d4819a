//! Ctrl-C while a command works: the command is asked to stop, and the program goes on. Commands that have found
//! something by then ask for SIGTERM as well.
//!
//! A process has one terminal, so Ctrl-C belongs to the token that listened last. Who does not look whether he is asked to
//! stop is ended by a second Ctrl-C; the game is on disk then.

use astragal_service::interrupt::StopToken;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};

static HANDLER: Once = Once::new();

/// Whom Ctrl-C asks to stop.
static ASKED: Mutex<Option<StopToken>> = Mutex::new(None);

/// The exit code of a command that was stopped: as a shell reports a program that Ctrl-C has ended.
pub(crate) const EXIT_CODE: u8 = 130;

/// Whether nobody listens to requests to end: they end the program then.
static RELEASED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Nobody listens any longer: Ctrl-C and SIGTERM end the program, as they do before anybody listens.
pub(crate) fn release() {
    *ASKED.lock().unwrap_or_else(PoisonError::into_inner) = None;
    RELEASED.store(true, Ordering::SeqCst);
}

/// Takes Ctrl-C from now on for `stop`, instead of being ended by it. Where that is impossible nothing changes.
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

/// Takes Ctrl-C and the request to end (SIGTERM) from now on, for a command that works without asking anybody and
/// tells what it has found when it is stopped. A second request ends the program at once.
pub(crate) fn listen_for_end(stop: &StopToken) {
    listen(stop);
    #[cfg(unix)]
    {
        use signal_hook::{consts::SIGTERM, flag};
        static RELEASE: Once = Once::new();
        RELEASE.call_once(|| {
            let _ = flag::register_conditional_shutdown(SIGTERM, EXIT_CODE.into(), Arc::clone(&RELEASED));
        });
        // In this order: the first request finds the flag down.
        let _ = flag::register_conditional_shutdown(SIGTERM, EXIT_CODE.into(), stop.flag());
        let _ = flag::register(SIGTERM, stop.flag());
    }
}

/// Somebody thinks, who is to stop at Ctrl-C.
pub(crate) struct Thinking {
    /// Without a terminal, Ctrl-C keeps its usual meaning.
    stop: Option<StopToken>,
}

impl Thinking {
    /// Begins; `stop` is asked by Ctrl-C if this is at a terminal.
    pub(crate) fn begin(terminal: bool, stop: &StopToken) -> Thinking {
        if terminal {
            listen(stop);
        }
        Thinking { stop: terminal.then(|| stop.clone()) }
    }

    /// The flag that says to stop.
    pub(crate) fn flag(&self) -> Option<Arc<AtomicBool>> {
        self.stop.as_ref().map(StopToken::flag)
    }

    /// Whether to stop.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.as_ref().is_some_and(StopToken::is_requested)
    }
}
