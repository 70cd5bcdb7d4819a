//! Ctrl-C while the computer thinks: it stops thinking, and the program goes on.

use crate::interrupt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// While this lives, somebody thinks who is to stop at Ctrl-C.
pub struct Thinking {
    terminal: bool,
}

impl Thinking {
    /// Begins; without a terminal, Ctrl-C keeps its usual meaning.
    pub fn begin(terminal: bool) -> Thinking {
        if terminal {
            interrupt::listen();
            interrupt::forget();
        }
        Thinking { terminal }
    }

    /// The flag that says to stop.
    pub fn flag(&self) -> Option<Arc<AtomicBool>> {
        self.terminal.then(interrupt::flag)
    }

    /// Whether to stop.
    pub fn is_over(&self) -> bool {
        self.terminal && interrupt::asked()
    }
}
