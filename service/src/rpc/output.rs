//! Answers and notifications as lines of output.

use astragal_dsl::printable::printable;
use serde_json::Value;
use std::io::{self, Write};

/// An answer as text. Control characters are written as JSON escapes.
pub(super) fn text(answer: &Value) -> String {
    printable(&answer.to_string()).into_owned()
}

/// Writes an answer on a line of its own.
///
/// # Errors
/// If writing fails.
pub(super) fn write_line(answer: &Value, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    writeln!(out, "{}", text(answer))?;
    out.flush()
}
