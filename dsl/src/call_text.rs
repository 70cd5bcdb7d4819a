//! Reads a script's text: the call at a position, and the function that contains it.
//!
//! It works on tokens alone and knows nothing about running scripts.

use crate::host::tokens::{Token, tokens};
use crate::node_place::LineColumn;

/// Keywords that can come before a bracket without calling anything.
const BEFORE_BRACKETS: [&str; 7] = ["if", "while", "until", "return", "in", "switch", "throw"];

/// The call whose name is at `place`, on one line, from its receiver to its last bracket: `attacker.is("pawn")`. `None`
/// unless a name starts there.
pub fn call_at(text: &str, place: LineColumn) -> Option<String> {
    let all = tokens(text);
    let here = all.iter().position(|token| token.at == place).filter(|here| all[*here].is_word())?;
    let mut first = here;
    while first > 1 && matches!(all[first - 1].text, "." | "::") {
        first = receiver(&all, first - 2)?;
    }
    let open = here + 1;
    let last = match all.get(open) {
        Some(next) if next.is("(") => closing(&all, open)?,
        _ => here,
    };
    let call = &text[all[first].span.start..all[last].span.end];
    Some(call.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The name of the function that contains a position.
pub fn function_at(text: &str, place: LineColumn) -> Option<String> {
    let all = tokens(text);
    let before = all.windows(2).take_while(|pair| pair[0].at <= place);
    before.filter(|pair| pair[0].is("fn")).last().map(|pair| pair[1].text.to_owned())
}

/// The first token of the expression that ends at `end`: a name, or a call with its brackets.
fn receiver(all: &[Token<'_>], end: usize) -> Option<usize> {
    if !all[end].closes() {
        return Some(end);
    }
    let mut depth = 0;
    let open = (0..=end).rev().find(|at| {
        depth += i32::from(all[*at].closes()) - i32::from(all[*at].opens());
        depth == 0
    })?;
    let called = open > 0 && all[open - 1].is_word() && !BEFORE_BRACKETS.contains(&all[open - 1].text);
    Some(if called { open - 1 } else { open })
}

/// The token that closes the bracket at `open`.
fn closing(all: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0;
    (open..all.len()).find(|at| {
        depth += i32::from(all[*at].opens()) - i32::from(all[*at].closes());
        depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_their_receiver_and_their_brackets() {
        let text =
            "fn turn() {\n  if !has(side(), \"king\") { a::b(x).any(|s| s.is(\n  1)) }\n}\nfn other() { 1 + f() }";
        assert_eq!(call_at(text, (2, 7)).as_deref(), Some("has(side(), \"king\")"));
        assert_eq!(call_at(text, (2, 11)).as_deref(), Some("side()"));
        assert_eq!(call_at(text, (2, 37)).as_deref(), Some("a::b(x).any(|s| s.is( 1))"));
        assert_eq!(call_at(text, (5, 16)), None, "an operator is no call");
        assert_eq!(function_at(text, (2, 7)).as_deref(), Some("turn"));
        assert_eq!(function_at(text, (5, 18)).as_deref(), Some("other"));
        assert_eq!(function_at("f();", (1, 1)), None);
        assert_eq!(call_at("if (a & b).count() == 0 {}", (1, 12)).as_deref(), Some("(a & b).count()"));
    }
}
