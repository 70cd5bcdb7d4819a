//! What is wrong with a script, as data: the lines of `astragal check --json` and the answer of the method `check`.

use astragal_dsl::{Code, Diagnostic, Fix};
use schemars::JsonSchema;
use serde::Serialize;

/// One thing that is wrong.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiagnosticData {
    /// The version of this form: 1.
    version: u32,
    /// `error`, `warning` or `note`.
    severity: &'static str,
    /// What `astragal check --explain` explains.
    code: Option<&'static str>,
    /// What is wrong.
    message: String,
    /// What to do about it.
    help: Option<String>,
    /// What else helps to understand it.
    notes: Vec<String>,
    /// The script.
    file: String,
    /// The line, from 1; 0 if the whole script is meant.
    line: usize,
    /// The column in characters, from 1.
    column: usize,
    /// The column behind it.
    end_column: usize,
    /// The same as bytes of the text.
    span: Option<Span>,
    /// Other places that belong to it.
    related: Vec<Related>,
    /// What puts it right, if that cannot be wrong.
    fix: Option<FixData>,
    /// What is perhaps meant instead, to be offered.
    suggestion: Option<FixData>,
    /// The function that it is about, in the reference.
    reference: Option<String>,
}

/// A part of a text, in bytes.
#[derive(Debug, Serialize, JsonSchema)]
struct Span {
    /// The first byte.
    start: usize,
    /// The byte behind it.
    end: usize,
}

/// Another place.
#[derive(Debug, Serialize, JsonSchema)]
struct Related {
    /// The line, from 1.
    line: usize,
    /// The column in characters, from 1.
    column: usize,
    /// What is to be said of it.
    message: String,
}

/// A part of a text, in bytes, and what it should be.
#[derive(Debug, Serialize, JsonSchema)]
struct FixData {
    /// The first byte.
    start: usize,
    /// The byte behind it.
    end: usize,
    /// What belongs there.
    text: String,
}

impl FixData {
    fn of(fix: &Fix) -> FixData {
        FixData { start: fix.span.start, end: fix.span.end, text: fix.text.clone() }
    }
}

impl DiagnosticData {
    /// A diagnostic as data.
    pub fn of(diagnostic: &Diagnostic) -> DiagnosticData {
        let others = diagnostic.others.iter();
        DiagnosticData {
            version: 1,
            severity: diagnostic.severity.name(),
            code: diagnostic.code.map(Code::name),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            notes: diagnostic.notes.clone(),
            file: diagnostic.file.clone(),
            line: diagnostic.line,
            column: diagnostic.column,
            end_column: diagnostic.column + diagnostic.length,
            span: diagnostic.span().map(|span| Span { start: span.start, end: span.end }),
            related: others
                .map(|(line, column, message)| Related { line: *line, column: *column, message: message.clone() })
                .collect(),
            fix: diagnostic.fix.as_ref().map(FixData::of),
            suggestion: diagnostic.suggestion().as_ref().map(FixData::of),
            reference: diagnostic.reference.clone(),
        }
    }
}
