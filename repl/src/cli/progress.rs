//! The progress of long work: a line on standard error that is overwritten, only at a terminal.

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The time between updates of the line.
const EVERY: Duration = Duration::from_millis(200);

/// The line. See the [module](self).
pub(super) struct Progress {
    shown: bool,
    last: Cell<Option<Instant>>,
}

impl Progress {
    /// A progress line that is still empty. Without a terminal, it stays empty.
    pub(super) fn new() -> Progress {
        Progress { shown: io::stderr().is_terminal(), last: Cell::new(None) }
    }

    /// Shows a text if the last one has been visible for long enough.
    pub(super) fn show(&self, text: impl FnOnce() -> String) {
        if !self.shown || self.last.get().is_some_and(|last| last.elapsed() < EVERY) {
            return;
        }
        self.last.set(Some(Instant::now()));
        let _ = write!(io::stderr(), "\r\x1b[K{}", text());
        let _ = io::stderr().flush();
    }

    /// Clears the line.
    pub(super) fn clear(&self) {
        if self.last.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
