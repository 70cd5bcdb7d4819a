//! Ctrl-C while the computer thinks: it stops thinking, and the program goes on.
//!
//! At all other times Ctrl-C ends the program as it always does (the line editor sees it as a key, not
//! as a signal).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// What the exit code says of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// Whether somebody thinks, and whether that is to stop.
#[derive(Default)]
struct Signals {
    thinking: AtomicBool,
    stop: Arc<AtomicBool>,
}

static SIGNALS: OnceLock<Signals> = OnceLock::new();

/// While this lives, Ctrl-C only sets its flag.
pub struct Thinking(Option<&'static Signals>);

impl Thinking {
    /// Begins; without a terminal, Ctrl-C keeps its usual meaning.
    pub fn begin(terminal: bool) -> Thinking {
        if !terminal {
            return Thinking(None);
        }
        let signals = SIGNALS.get_or_init(|| {
            // Without a handler Ctrl-C ends the program, which is no harm.
            let _ = ctrlc::set_handler(|| match SIGNALS.get() {
                Some(signals) if signals.thinking.load(Ordering::SeqCst) => signals.stop.store(true, Ordering::SeqCst),
                _ => std::process::exit(INTERRUPTED),
            });
            Signals::default()
        });
        signals.stop.store(false, Ordering::SeqCst);
        signals.thinking.store(true, Ordering::SeqCst);
        Thinking(Some(signals))
    }

    /// The flag that says to stop.
    pub fn flag(&self) -> Option<Arc<AtomicBool>> {
        self.0.map(|signals| Arc::clone(&signals.stop))
    }

    /// Whether to stop.
    pub fn is_over(&self) -> bool {
        self.0.is_some_and(|signals| signals.stop.load(Ordering::SeqCst))
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        if let Some(signals) = self.0 {
            signals.thinking.store(false, Ordering::SeqCst);
        }
    }
}
