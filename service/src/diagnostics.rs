//! Problems of a script as data: the lines of `astragal check --json` and the result of the method `check`.

use astragal_dsl::{Code, Diagnostic, Fix};
use schemars::JsonSchema;
use serde::Serialize;

/// One problem of a script.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiagnosticData {
    /// The version of this format: 1.
    version: u32,
    /// `error`, `warning` or `note`.
    severity: &'static str,
    /// The code for `astragal check --explain`.
    code: Option<&'static str>,
    /// A description of the problem.
    message: String,
    /// How to fix it.
    help: Option<String>,
    /// Further explanations.
    notes: Vec<String>,
    /// The script.
    file: String,
    /// The line, from 1; 0 if the diagnostic is about the whole script.
    line: usize,
    /// The column in characters, from 1.
    column: usize,
    /// The column after the last character.
    end_column: usize,
    /// The same range in bytes of the text.
    span: Option<Span>,
    /// Other places that belong to the problem.
    related: Vec<Related>,
    /// A replacement that is certainly correct.
    fix: Option<FixData>,
    /// A likely replacement, to be offered to the author.
    suggestion: Option<FixData>,
    /// The function in the reference that the problem is about.
    reference: Option<String>,
}

/// A range of a text, in bytes.
#[derive(Debug, Serialize, JsonSchema)]
struct Span {
    /// The first byte.
    start: usize,
    /// The byte after the last.
    end: usize,
}

/// A related place.
#[derive(Debug, Serialize, JsonSchema)]
struct Related {
    /// The line, from 1.
    line: usize,
    /// The column in characters, from 1.
    column: usize,
    /// A description of this place.
    message: String,
}

/// A range of a text, in bytes, and its replacement.
#[derive(Debug, Serialize, JsonSchema)]
struct FixData {
    /// The first byte.
    start: usize,
    /// The byte after the last.
    end: usize,
    /// The replacement.
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
