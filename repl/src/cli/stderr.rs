//! Standard error, for messages that are separate from the results.

use crate::screen::SanitizingWriter;
use std::io::{self, Write};
use std::sync::OnceLock;

/// Whether standard error may have colors.
pub(super) static COLORED: OnceLock<bool> = OnceLock::new();

/// Standard error, for texts that may contain those of scripts and files.
pub(super) fn errors() -> impl Write {
    io::LineWriter::new(SanitizingWriter::new(io::stderr(), COLORED.get().copied().unwrap_or(false)))
}

/// Prints a message to standard error, separate from the results.
pub(super) fn tell(text: &str) {
    let _ = writeln!(errors(), "{text}");
}
