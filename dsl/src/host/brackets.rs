//! Brackets: which is never closed, which closes nothing, which closes too early.
//!
//! Where several could be meant the lines decide: what is closed in another line than it was opened in is closed by the
//! first sign of a line, under the beginning of that which opened it.

use super::tokens::{Sort, Token};
use crate::diagnostic::{Code, Diagnostic, Fix};
use std::sync::Arc;

/// A closing bracket without an opening one.
pub(super) fn surplus(file: &str, text: &Arc<str>, tokens: &[Token<'_>]) -> Option<Diagnostic> {
    let mut open: Vec<&Token<'_>> = Vec::new();
    for token in tokens {
        if token.opens() {
            open.push(token);
            continue;
        }
        if !token.closes() {
            continue;
        }
        match open.last() {
            Some(opener) if closing(opener) == token.text => drop(open.pop()),
            // Within braces a round or square one is the one that is too much.
            Some(opener) if token.is("}") || closing(opener) != "}" => drop(open.pop()),
            _ => return Some(closes_nothing(file, text, token)),
        }
    }
    None
}

fn closes_nothing(file: &str, text: &Arc<str>, token: &Token<'_>) -> Diagnostic {
    let message = format!("this `{}` closes nothing", token.text);
    Diagnostic::error(file, text, token.at.0, token.at.1, message)
        .of(Code::Syntax)
        .with_help(Some("remove it, or open the bracket before".into()))
}

/// A brace that closes what was opened in a line before, while the lines behind it still belong to that.
pub(super) fn too_early(
    file: &str,
    text: &Arc<str>,
    tokens: &[Token<'_>],
    before: (usize, usize),
) -> Option<Diagnostic> {
    let mut open: Vec<&Token<'_>> = Vec::new();
    for (i, token) in tokens.iter().enumerate().take_while(|(_, token)| token.at < before) {
        if token.opens() {
            open.push(token);
            continue;
        }
        if !token.closes() {
            continue;
        }
        let opener = open.pop()?;
        if closing(opener) != token.text {
            return None;
        }
        let next = tokens[i + 1..].iter().find(|next| next.at.0 > token.at.0);
        let column = indent(text, opener.at.0);
        let first = token.at.1 == indent(text, token.at.0);
        let inside = next.is_some_and(|next| next.at.1 > column || next.is("}") && next.at.1 == column);
        let ends_line = tokens.get(i + 1).is_none_or(|next| next.at.0 > token.at.0 || next.is(";") || next.is("}"));
        if opener.is("{") && opener.at.0 < token.at.0 && !first && inside && ends_line {
            let message =
                format!("this `}}` closes the `{{` of line {}, and more of that stands behind it", opener.at.0);
            let mut diagnostic = Diagnostic::error(file, text, token.at.0, token.at.1, message)
                .of(Code::Syntax)
                .with_help(Some("remove it: there is one `}` too many".into()))
                .also_at(opener.at, "this is closed by it");
            diagnostic.fix = Some(Fix { span: token.span.clone(), text: String::new() });
            return Some(diagnostic);
        }
    }
    None
}

/// A bracket that is opened and never closed, or closed by another. A closing brace that stands
/// further left than the line of its opening one belongs to an earlier one.
pub(super) fn unclosed(file: &str, text: &Arc<str>, tokens: &[Token<'_>]) -> Option<Diagnostic> {
    if tokens.iter().any(|token| token.sort == Some(Sort::OpenText)) {
        // What closes it may stand behind what cannot be read.
        return None;
    }
    let mut open: Vec<&Token<'_>> = Vec::new();
    let mut suspect = None;
    for token in tokens {
        if token.opens() {
            open.push(token);
            continue;
        }
        if !token.closes() {
            continue;
        }
        let Some(opener) = open.last() else { continue };
        if closing(opener) != token.text {
            break;
        }
        let first = token.at.1 == indent(text, token.at.0);
        if suspect.is_none() && first && token.at.0 > opener.at.0 && token.at.1 < indent(text, opener.at.0) {
            suspect = Some(*opener);
        }
        open.pop();
    }
    let last = open.pop()?;
    Some(never_closed(file, text, if closing(last) == "}" { suspect.unwrap_or(last) } else { last }))
}

/// What closes a bracket.
pub(super) fn closing(opener: &Token<'_>) -> &'static str {
    match opener.text {
        "(" => ")",
        "[" | "?[" => "]",
        _ => "}",
    }
}

pub(super) fn never_closed(file: &str, text: &Arc<str>, opener: &Token<'_>) -> Diagnostic {
    let closing = closing(opener);
    let sign = if opener.is("#{") { "{" } else { opener.text };
    let message = format!("this `{sign}` is never closed: expected `{closing}`");
    let mut diagnostic = Diagnostic::error(file, text, opener.at.0, opener.at.1, message).of(Code::Syntax);
    diagnostic.length = opener.text.len();
    diagnostic.with_help(Some(format!("close it with `{closing}`")))
}

/// The column of the first character of a line that is not blank.
fn indent(text: &str, line: usize) -> usize {
    let line = text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
    line.chars().take_while(|c| c.is_whitespace()).count() + 1
}
