//! Positions in the tokens of a script: a token's index, matching brackets, and the ends of statements.

use super::name_table::LineColumn;
use crate::host::tokens::Token;
use std::ops::Range;

/// The change in bracket depth at a token: 1 for an opening bracket, -1 for a closing one, otherwise 0.
pub(super) fn step(token: &Token<'_>) -> i32 {
    i32::from(token.opens()) - i32::from(token.closes())
}

/// The token that begins at a place.
pub(super) fn index_at(all: &[Token<'_>], place: LineColumn) -> Option<usize> {
    all.binary_search_by_key(&place, |token| token.at).ok()
}

/// The bracket that closes the one at `open`.
pub(super) fn closing(all: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0;
    (open..all.len()).find(|&i| {
        depth += step(&all[i]);
        depth <= 0
    })
}

/// The innermost open bracket around a token.
pub(super) fn around(all: &[Token<'_>], at: usize) -> Option<usize> {
    let mut depth = 0;
    (0..at).rev().find(|&i| {
        depth -= step(&all[i]);
        depth < 0
    })
}

/// The end of the statement that contains a token: its `;`, or the bracket that closes around it.
pub(super) fn statement_end(all: &[Token<'_>], i: usize) -> usize {
    let mut depth = 0;
    let ends = |&i: &usize| {
        depth += step(&all[i]);
        depth < 0 || depth == 0 && all[i].is(";")
    };
    (i..all.len()).find(ends).unwrap_or(all.len())
}

/// The brace that opens the block after the condition or value that begins here.
pub(super) fn block_start(all: &[Token<'_>], from: usize) -> Option<usize> {
    let mut depth = 0;
    let found = (from..all.len()).find(|&i| {
        let here = depth == 0 && all[i].is("{");
        depth += step(&all[i]);
        here || depth < 0
    });
    found.filter(|&open| all[open].is("{"))
}

/// The tokens of the named function that contains a token, including its header; all tokens if no function contains it.
pub(super) fn function_around(all: &[Token<'_>], i: usize) -> Range<usize> {
    let start = all[..i].iter().rposition(|token| token.is("fn"));
    let open = start.and_then(|start| (start..all.len()).find(|at| all[*at].is("{")));
    let end = open.map_or(0, |open| closing(all, open).map_or(all.len(), |close| close + 1));
    start.filter(|_| end > i).map_or(0..all.len(), |start| start..end)
}

/// The top-level statements, including functions.
pub(super) fn statements(all: &[Token<'_>]) -> Vec<Range<usize>> {
    let goes_on =
        |token: &Token<'_>| matches!(token.text, ")" | "]" | "," | "." | ";" | "else" | "+" | "|" | "&" | "-");
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (i, token) in all.iter().enumerate() {
        depth += step(token);
        let closes_body = token.is("}") && !all.get(i + 1).is_some_and(goes_on);
        if depth == 0 && (token.is(";") || closes_body) {
            found.push(start..i + 1);
            start = i + 1;
        }
    }
    found
}
