//! How far something long has come: a line on standard error that is written over, only at a terminal.

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The line is written anew so often.
const EVERY: Duration = Duration::from_millis(200);

/// The line. See the [module](self).
pub(super) struct Progress {
    shown: bool,
    last: Cell<Option<Instant>>,
}

impl Progress {
    /// Nothing is shown yet, and nothing ever is where no terminal is.
    pub(super) fn new() -> Progress {
        Progress { shown: io::stderr().is_terminal(), last: Cell::new(None) }
    }

    /// Shows a text if the last one has stood for a while.
    pub(super) fn show(&self, text: impl FnOnce() -> String) {
        if !self.shown || self.last.get().is_some_and(|last| last.elapsed() < EVERY) {
            return;
        }
        self.last.set(Some(Instant::now()));
        let _ = write!(io::stderr(), "\r\x1b[K{}", text());
        let _ = io::stderr().flush();
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        if self.last.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
