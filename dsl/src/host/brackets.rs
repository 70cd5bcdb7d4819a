//! Unbalanced brackets: brackets never closed, closing brackets without an opening one, and brackets closed too early.
//!
//! Where several could be wrong, the layout decides. A bracket closed on a later line is expected to be closed by the first
//! character of a line, at the indentation of the line that opened it.

use super::tokens::{Sort, Token};
use crate::diagnostic::{Code, Diagnostic, Fix};
use std::sync::Arc;

/// Whether every bracket is closed by one of its kind.
pub(super) fn is_balanced(tokens: &[Token<'_>]) -> bool {
    let mut open: Vec<&Token<'_>> = Vec::new();
    for token in tokens {
        if token.opens() {
            open.push(token);
        } else if token.closes() && open.pop().is_none_or(|opener| closing(opener) != token.text) {
            return false;
        }
    }
    open.is_empty()
}

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
            // Within braces, an unmatched parenthesis or square bracket is the surplus one.
            Some(opener) if token.is("}") || closing(opener) != "}" => drop(open.pop()),
            _ => return Some(closes_nothing(file, text, token)),
        }
    }
    None
}

fn closes_nothing(file: &str, text: &Arc<str>, token: &Token<'_>) -> Diagnostic {
    let message = format!("this `{}` closes nothing", token.text);
    let opening = match token.text {
        "}" => "{",
        "]" => "[",
        _ => "(",
    };
    Diagnostic::error(file, text, token.at.0, token.at.1, message)
        .of(Code::Syntax)
        .with_help(Some(format!("remove it, or add the missing `{opening}`")))
}

/// A brace that closes a block opened on an earlier line, although the lines after it are still indented as part of the
/// block.
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
            let message = format!("this `}}` closes the `{{` on line {}, but more of that block follows", opener.at.0);
            let mut diagnostic = Diagnostic::error(file, text, token.at.0, token.at.1, message)
                .of(Code::Syntax)
                .with_help(Some("remove it: there is one `}` too many".into()))
                .also_at(opener.at, "the block starts here");
            diagnostic.fix = Some(Fix { span: token.span.clone(), text: String::new() });
            return Some(diagnostic);
        }
    }
    None
}

/// A bracket that is never closed, or is closed by another kind. A closing brace with less indentation than the line of its
/// opening brace belongs to an earlier one.
pub(super) fn unclosed(file: &str, text: &Arc<str>, tokens: &[Token<'_>]) -> Option<Diagnostic> {
    if tokens.iter().any(|token| token.sort == Some(Sort::OpenText)) {
        // The closing bracket may be in the text that cannot be tokenized.
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

/// The closing counterpart of a bracket.
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
    let message = format!("this `{sign}` is never closed");
    let mut diagnostic = Diagnostic::error(file, text, opener.at.0, opener.at.1, message).of(Code::Syntax);
    diagnostic.length = opener.text.len();
    diagnostic.with_help(Some(format!("close it with `{closing}`")))
}

/// The column of the first character of a line that is not blank.
fn indent(text: &str, line: usize) -> usize {
    let line = text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
    line.chars().take_while(|c| c.is_whitespace()).count() + 1
}
