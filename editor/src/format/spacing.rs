//! The spaces between two items on a line.

use super::items::{Items, Kind};
use crate::document::{Document, is_keyword};
use astragal_dsl::syntax::{self, Sort};

/// The relation of a token to the tokens next to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A word, number or string.
    Value,
    /// A bracket, comma, semicolon or colon.
    Bracket,
    /// An operator between two values.
    Binary,
    /// An operator before a value.
    Prefix,
    /// A dot or `::`.
    Joins,
    /// `..` or `..=`.
    Range,
    /// The first `|` of an anonymous function.
    OpensParameters,
    /// The second `|` of an anonymous function.
    ClosesParameters,
    /// `||` of an anonymous function without parameters.
    NoParameters,
    /// A sign of unknown meaning: the spaces around it stay.
    Unknown,
}

/// The roles of all tokens.
pub(super) fn roles(document: &Document) -> Vec<Role> {
    let mut roles: Vec<Role> = (0..document.tokens().len()).map(|at| role(document, at)).collect();
    for at in 0..roles.len() {
        if roles[at] == Role::OpensParameters {
            let close = (at + 1..roles.len()).find(|&i| !document.is_name(i) && !document.is(i, ","));
            match close.filter(|&close| document.is(close, "|")) {
                Some(close) => roles[close] = Role::ClosesParameters,
                None => roles[at] = Role::Unknown,
            }
        }
    }
    roles
}

fn role(document: &Document, at: usize) -> Role {
    if document.tokens()[at].sort != Some(Sort::Sign) {
        return Role::Value;
    }
    let begins = document.begins_value(at);
    match document.word(at) {
        "(" | "[" | "{" | "#{" | "?[" | ")" | "]" | "}" | "," | ";" | ":" => Role::Bracket,
        "." | "?." | "::" => Role::Joins,
        ".." | "..=" => Role::Range,
        // As in `eval!(x)`.
        "!" if at > 0 && document.is_name(at - 1) && is_glued(document, at) && document.is(at + 1, "(") => {
            Role::Unknown
        }
        "!" => Role::Prefix,
        // After a block, the interpreter also reads ` -1` as a new value.
        "-" | "+" if begins || document.is(at.wrapping_sub(1), "}") && is_glued(document, at + 1) => Role::Prefix,
        "|" if begins => Role::OpensParameters,
        "||" if begins => Role::NoParameters,
        "&" | "*" if begins => Role::Unknown,
        "@" | "#" | "$" | "\\" | "~" | "?" | "++" | "--" | "..." => Role::Unknown,
        _ => Role::Binary,
    }
}

/// Whether no space separates a token from the one before it.
fn is_glued(document: &Document, at: usize) -> bool {
    let tokens = document.tokens();
    at > 0 && at < tokens.len() && tokens[at - 1].span.end == tokens[at].span.start
}

/// Whether a token follows a block. There, only the author knows whether it begins a value or continues one.
pub(super) fn follows_block(document: &Document, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|&before| document.is(before, "}"));
    before.and_then(|close| document.partner(close)).is_some_and(|open| document.is(open, "{"))
}

/// The spaces between two tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blanks {
    None,
    One,
    /// None or one, as the author wrote it.
    Kept,
}

/// The number of spaces before an item that is neither the first on its line nor aligned.
pub(super) fn before(items: &Items<'_>, roles: &[Role], item: usize) -> usize {
    let gap = items.all[item].gap;
    let (Kind::Token(left), Kind::Token(right)) = (items.all[item - 1].kind, items.all[item].kind) else {
        let is_apart = items.all[item].kind == Kind::LineComment || matches!(items.text(item - 1), "," | ";");
        return if is_apart { 1 } else { gap.min(1) };
    };
    let blanks = match between(items.document, roles, left, right) {
        Blanks::None => 0,
        Blanks::One => 1,
        Blanks::Kept => return gap.min(1),
    };
    let is_sure = matches!((roles[left], roles[right]), (Role::Bracket, Role::Value) | (Role::Value, Role::Bracket));
    // A space can change the meaning: `- 1.abs()` is -1, but `-1.abs()` is 1.
    if blanks != gap.min(1) && !is_sure && merge(items.text(item - 1), items.text(item)) { gap.min(1) } else { blanks }
}

/// Whether removing the space between two tokens would change them.
fn merge(left: &str, right: &str) -> bool {
    !syntax::same_code(&format!("{left}{right}"), &format!("{left} {right}"))
}

fn between(document: &Document, roles: &[Role], l: usize, r: usize) -> Blanks {
    let (left, right) = (document.word(l), document.word(r));
    match (left, right) {
        (_, "," | ";" | ")" | "]") | ("(" | "[" | "?[", _) | ("{" | "#{", "}") => return Blanks::None,
        ("{" | "#{", _) | (_, "}") => return Blanks::One,
        _ => {}
    }
    let is_number = |at: usize| document.tokens()[at].sort == Some(Sort::Number);
    match (roles[l], roles[r]) {
        // Without the spaces, `1 . 1` is one number.
        (Role::Joins, _) | (_, Role::Joins) if is_number(l) || is_number(r) => return Blanks::Kept,
        (Role::Joins | Role::Prefix | Role::OpensParameters, _) | (_, Role::Joins | Role::ClosesParameters) => {
            return Blanks::None;
        }
        (Role::Unknown, _) | (_, Role::Unknown) => return Blanks::Kept,
        (_, Role::Range) if !document.begins_value(r) => return Blanks::None,
        (Role::Range, role) if role != Role::Binary && right != "{" => return Blanks::None,
        _ => {}
    }
    match (left, right) {
        (_, ":") => Blanks::None,
        ("," | ";" | ":", _) | (_, "{") => Blanks::One,
        _ if roles[l] == Role::Binary || roles[r] == Role::Binary => Blanks::One,
        _ if matches!(roles[l], Role::ClosesParameters | Role::NoParameters) => Blanks::One,
        (_, "(" | "[" | "?[") => before_bracket(document, l, r),
        // The interpreter may read both as one token.
        _ if roles[l] == Role::Value && roles[r] == Role::Value && is_glued(document, r) => Blanks::Kept,
        _ => Blanks::One,
    }
}

/// The spaces before a bracket that may belong to the value before it: a call or an index.
fn before_bracket(document: &Document, l: usize, r: usize) -> Blanks {
    let is_call = document.is(r, "(");
    let is_word = document.tokens()[l].sort == Some(Sort::Word);
    let is_keyword = is_keyword(document.word(l)) && !document.is_member(l);
    let is_value = matches!(document.word(l), "this" | "true" | "false" | "global");
    match document.word(l) {
        _ if is_word && is_keyword && !is_value => Blanks::One,
        _ if is_word => Blanks::None,
        "}" if follows_block(document, r) => Blanks::Kept,
        _ if is_call => Blanks::Kept,
        _ => Blanks::None,
    }
}
