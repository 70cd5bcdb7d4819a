//! Ctrl-C while a command works: the command is asked to stop, and the program goes on.
//!
//! Whatever may take long looks at [`asked`] now and then. Who does not is ended by a second Ctrl-C;
//! the game is on disk then.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Once};

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static HANDLER: Once = Once::new();

/// Takes Ctrl-C from now on, instead of being ended by it. Where that is impossible nothing changes.
pub fn listen() {
    HANDLER.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::SeqCst) {
                // As a shell reports a program that Ctrl-C has ended.
                std::process::exit(130);
            }
        });
    });
}

/// Whether Ctrl-C was pressed since [`forget`].
pub fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// The flag itself, for those who look at it in their own way.
pub fn flag() -> Arc<AtomicBool> {
    Arc::clone(&ASKED)
}

/// Another command begins.
pub fn forget() {
    ASKED.store(false, Ordering::SeqCst);
}
