//! All that is wrong with a script, without playing it.

use crate::diagnostic::{Diagnostic, LoadError, Severity};
use crate::library::Source;
use std::sync::Arc;

/// Everything wrong with a script that can be told without playing it; empty if nothing is.
pub fn check(source: &Source) -> Vec<Diagnostic> {
    match crate::load(source, &[]) {
        Ok(_) => Vec::new(),
        Err(LoadError::Script(all)) => all,
        Err(other) => {
            let text: Arc<str> = source.text.as_str().into();
            let mut diagnostic = Diagnostic::error(&source.file(), &text, 0, 0, other.to_string());
            diagnostic.severity = Severity::Error;
            vec![diagnostic]
        }
    }
}
