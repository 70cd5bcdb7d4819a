//! The context of a token in a script with syntax errors: in a condition, among arguments, as a case.
//!
//! It works on words and brackets only, since no syntax tree of such a script exists.

use super::tokens::{KEYWORDS, Sort, Token};

/// The text of tokens, with single spaces where the script has any.
pub(super) fn joined(words: &[Token<'_>]) -> String {
    let glued = |pair: &[Token<'_>]| if pair[0].span.end == pair[1].span.start { "" } else { " " };
    let spaces = words.windows(2).map(glued).chain([""]);
    words.iter().zip(spaces).map(|(word, space)| format!("{}{space}", word.text)).collect()
}

/// The parts of a conditional `a ? b : c`: condition and both values, if each is a few words long.
pub(super) fn three_parts(all: &[Token<'_>], i: usize) -> Option<[String; 3]> {
    let ends = |token: &Token<'_>| matches!(token.text, "=" | ";" | "," | "return" | "=>" | "{" | "}" | ":" | "?");
    let part = |range: std::ops::Range<usize>| joined(&all[range]);
    let outside = |from: usize, forward: bool| {
        let mut depth = 0;
        let mut at = from;
        while let Some(token) = all.get(at) {
            let (opens, closes) =
                if forward { (token.opens(), token.closes()) } else { (token.closes(), token.opens()) };
            if depth == 0 && (closes || ends(token)) {
                break;
            }
            depth += i32::from(opens) - i32::from(closes);
            at = if forward { at + 1 } else { at.checked_sub(1)? };
        }
        Some(at)
    };
    let first = outside(i.checked_sub(1)?, false)? + 1;
    // The body of a closure starts after its parameters.
    let first = match all[first].text {
        "||" => first + 1,
        _ => (first..i).rev().find(|at| closes_parameters(all, *at)).map_or(first, |close| close + 1),
    };
    let colon = outside(i + 1, true).filter(|at| all.get(*at).is_some_and(|token| token.is(":")))?;
    let last = outside(colon + 1, true)?;
    // The last part may be a conditional too.
    let otherwise = match three_parts(all, last).filter(|_| all.get(last).is_some_and(|token| token.is("?"))) {
        Some([asked, then, other]) if other.starts_with("if ") => format!("if {asked} {{ {then} }} else {other}"),
        Some([asked, then, other]) => format!("if {asked} {{ {then} }} else {{ {other} }}"),
        None => part(colon + 1..last),
    };
    let parts = [part(first..i), part(i + 1..colon), otherwise];
    parts.iter().all(|part| !part.is_empty() && part.len() <= 60).then_some(parts)
}

/// Whether a token is the second bar around the parameters of a closure.
fn closes_parameters(all: &[Token<'_>], at: usize) -> bool {
    let names = |token: &Token<'_>| token.is_word() || token.is(",");
    let open = all[..at].iter().rposition(|token| !names(token)).filter(|open| all[at].is("|") && all[*open].is("|"));
    open.is_some_and(|open| open > 0 && matches!(all[open - 1].text, "(" | "," | "=" | ":" | "return"))
}

/// The bracket around a token, as an index.
pub(super) fn innermost(all: &[Token<'_>], i: usize) -> Option<usize> {
    let mut depth = 0;
    all[..i].iter().rposition(|token| {
        depth += i32::from(token.closes()) - i32::from(token.opens());
        depth < 0
    })
}

/// Whether the bracket around a token is this one.
pub(super) fn innermost_is(all: &[Token<'_>], i: usize, bracket: &str) -> bool {
    innermost(all, i).is_some_and(|open| all[open].is(bracket))
}

/// Whether a token is in the condition of `if` or `while`, or in another place that takes a value and allows no assignment.
pub(super) fn in_condition(all: &[Token<'_>], i: usize) -> bool {
    let start = all[..i].iter().rposition(|t| matches!(t.text, ";" | "{" | "}" | "#{" | "=>"));
    let since = &all[start.map_or(0, |start| start + 1)..i];
    // After `let`, such a word was intended as a name.
    let word = |at: usize| matches!(since[at].text, "if" | "while" | "return");
    (0..since.len()).any(|at| word(at) && !(at > 0 && matches!(since[at - 1].text, "let" | "const")))
}

/// Whether a token follows a key of a map.
pub(super) fn key_of_map(all: &[Token<'_>], i: usize) -> bool {
    i > 1 && matches!(all[i - 2].text, "#{" | ",") && all[i - 1].is_word()
}

/// Whether `=` follows a name among the arguments of a call, as named arguments do in other languages.
pub(super) fn named_argument(all: &[Token<'_>], i: usize) -> bool {
    let called = || {
        let mut depth = 0;
        let open = all[..i].iter().rposition(|token| {
            depth += i32::from(token.closes()) - i32::from(token.opens());
            depth < 0
        });
        open.is_some_and(|open| {
            open > 0 && all[open].is("(") && all[open - 1].is_word() && !KEYWORDS.contains(&all[open - 1].text)
        })
    };
    i > 1 && matches!(all[i - 2].text, "(" | ",") && all[i - 1].is_word() && called()
}

/// The end of the argument that contains a token.
pub(super) fn end_of_argument(all: &[Token<'_>], i: usize) -> Option<usize> {
    let mut depth = 0;
    let length = all[i + 1..].iter().position(|token| {
        let ends = depth == 0 && (token.closes() || matches!(token.text, "," | ";"));
        depth += i32::from(token.opens()) - i32::from(token.closes());
        ends
    });
    length.map(|length| i + 1 + length).filter(|end| end - i < 12)
}

/// Whether a token follows a case of a switch.
pub(super) fn case_of_switch(all: &[Token<'_>], i: usize) -> bool {
    let constant = matches!(all[i - 1].sort, Some(Sort::Text | Sort::Number)) || all[i - 1].is("_");
    let first = all[..i].iter().rposition(|t| matches!(t.text, "{" | "," | "}")).map_or(0, |at| at + 1);
    constant && all[..first].iter().rev().take(400).any(|t| t.is("switch"))
}

/// Whether a `;` follows a case within the braces of a switch instead of a `,`: the next case or the end comes after it.
pub(super) fn ends_a_case(all: &[Token<'_>], i: usize) -> bool {
    let mut depth = 0;
    let open = all[..i].iter().rposition(|token| {
        depth += i32::from(token.closes()) - i32::from(token.opens());
        depth < 0
    });
    let ends = |token: &Token<'_>| matches!(token.text, ";" | "{" | "}" | "=>");
    let of_switch = |open: usize| {
        let asked = all[..open].iter().rev().take_while(|token| !ends(token));
        all[open].is("{") && asked.into_iter().any(|token| token.is("switch"))
    };
    if !open.is_some_and(|open| of_switch(open) && all[open..i].iter().any(|token| token.is("=>"))) {
        return false;
    }
    let behind = all[i + 1..].iter().find(|token| matches!(token.text, "=>" | ";" | "{" | "}"));
    behind.is_some_and(|token| token.is("=>")) || all.get(i + 1).is_some_and(|token| token.is("}"))
}

/// Whether a `]` closes a nested list that is followed by a space and another list without a comma. That is parsed as an
/// index of the first.
pub(super) fn list_beside_list(all: &[Token<'_>], i: usize) -> bool {
    let Some(next) = all.get(i + 1).filter(|next| all[i].is("]") && next.is("[") && next.span.start > all[i].span.end)
    else {
        return false;
    };
    let mut depth = 0;
    let open = all[..=i].iter().rposition(|token| {
        depth += i32::from(token.closes()) - i32::from(token.opens());
        depth == 0
    });
    let in_list = open.is_some_and(|open| {
        open > 0 && matches!(all[open - 1].text, "[" | ",") && innermost_is(all, open, "[") && next.is("[")
    });
    // An index is a single number, which is not always a literal.
    let written = |token: &Token<'_>| matches!(token.sort, Some(Sort::Text | Sort::Number)) || token.is("[");
    let rest = &all[i + 2..];
    in_list && (rest.first().is_some_and(written) || rest.get(1).is_some_and(|token| token.is(",")))
}

/// Whether a token follows, in its line, a sign that starts comments in other languages.
pub(super) fn in_foreign_comment(all: &[Token<'_>], i: usize) -> bool {
    let line = all[i].at.0;
    let sign = all[..i].iter().rposition(|token| token.is("#") || token.is("--") || token.at.0 < line);
    sign.is_some_and(|sign| all[sign].at.0 == line)
}

/// Whether a token is among the parameters of a function, or directly after them.
pub(super) fn in_header(all: &[Token<'_>], i: usize) -> bool {
    let start = all[..i].iter().rposition(|token| token.is("fn") || matches!(token.text, ";" | "{" | "}"));
    start.is_some_and(|start| all[start].is("fn") && i > start + 2)
}
