//! Constructs of other languages with several tokens: closures, named entries, texts with embedded values, and types before
//! parameters.

use super::around::{in_condition, in_header, innermost_is, joined, key_of_map};
use super::slip::Slip;
use super::tokens::{Sort, Token};

/// At most this many tokens are searched for the end of a name or of parameters.
const NEAR: usize = 8;

/// The slip at a token, if it belongs to such a construct.
pub(super) fn at(all: &[Token<'_>], i: usize) -> Option<Slip> {
    let token = all.get(i)?;
    let text = |at: Option<usize>| at.and_then(|at| all.get(at)).map_or("", |token| token.text);
    let (before, after) = (text(i.checked_sub(1)), text(Some(i + 1)));
    let begins_value = matches!(before, "(" | "," | "=" | ":" | "return");
    match token.text {
        "=>" | "->" if parameters_before(all, i).is_some() => {
            let message = format!("an anonymous function has its parameters between bars, without `{}`", token.text);
            Some(Slip::new(i, message, format!("write `{} ..`", parameters_before(all, i)?)))
        }
        "lambda" if begins_value => {
            let colon = (i + 1..all.len().min(i + NEAR)).find(|at| all[*at].is(":"))?;
            let message =
                "`lambda` is not part of this language: an anonymous function has its parameters between bars";
            Some(Slip::new(i, message, format!("write `{} ..`", between_bars(&all[i + 1..colon])?)))
        }
        "fn" | "function" | "func" | "def" if after == "(" && begins_value => {
            let close = (i + 2..all.len().min(i + NEAR)).find(|at| all[*at].is(")"))?;
            let message = "an anonymous function has its parameters between bars, without a keyword";
            Some(Slip::new(i, message, format!("write `{} {{ .. }}`", between_bars(&all[i + 2..close])?)))
        }
        "=" if of_second_value(all, i) => {
            let lone = all[i - 1].is_word() && matches!(text(i.checked_sub(2)), "=");
            let help = "compare with `==`";
            let message = "`=` assigns a value; it does not compare values";
            Some(match lone {
                // The author may have intended two variables with the same value.
                true => Slip::new(i, message, format!("{help}, or assign `{before}` in a separate statement")),
                false => Slip::new(i, message, help).instead("=="),
            })
        }
        ":" if in_condition(all, i)
            && !["(", "[", "#{"].iter().any(|bracket| innermost_is(all, i, bracket))
            && !asked(all, i) =>
        {
            let message = "no `:` is needed after a condition";
            Some(match after {
                "{" => Slip::new(i, message, "remove it").instead(""),
                _ => Slip::new(i, message, "remove it, and put the statements in `{ .. }`"),
            })
        }
        _ if key_of_map(all, i) && innermost_is(all, i, "#{") && (token.is_word() || token.is("-")) => {
            let colon = (i + 1..all.len().min(i + NEAR)).find(|at| !all[*at].is_word() && !all[*at].is("-"))?;
            let name = joined(&all[i - 1..colon]);
            let message = format!("`{name}` needs quotes: the name of an entry without quotes must be a single word");
            all[colon].is(":").then(|| Slip::new(i - 1, message, format!("write `\"{name}\": ..`")))
        }
        _ if token.sort == Some(Sort::Number)
            && matches!(before, "#{" | ",")
            && after == ":"
            && innermost_is(all, i, "#{") =>
        {
            let text = format!("\"{}\"", token.text);
            let message = "the name of an entry must be a word or a string, not a number";
            Some(Slip::new(i, message, format!("write `{text}: ..`")).instead(text))
        }
        _ if token.sort == Some(Sort::Number) && before == "." && i > 1 && all[i - 2].is_word() => {
            let list = all[i - 2].text;
            let help = format!("write `{list}[{}]`", token.text);
            Some(Slip::new(i, "the index of a list must be in square brackets", help))
        }
        "f" if glued_text(all, i + 1) => {
            let message = "`f` before a string is not supported";
            let inner = after.trim_matches('"').replace('{', "${");
            Some(Slip::new(i, message, format!("put the string between backquotes instead of quotes: `{inner}`")))
        }
        "\"\"" if glued_text(all, i + 1) => {
            let message = "triple quotes are not supported";
            Some(Slip::new(i, message, "comments start with `//`, and a string has one quote at each end"))
        }
        word if token.is_word() && glued_text(all, i + 1) && i > 0 && ends_at(all, i - 1, i) => {
            let whole = format!("{}\\\"{word}\\\"{}", before.trim_end_matches('"'), after.trim_start_matches('"'));
            Some(Slip::new(
                i,
                "this quote ends the string",
                format!("write a quote inside a string as `\\\"`: {whole}"),
            ))
        }
        word if token.is_word()
            && matches!(before, "(" | ",")
            && in_header(all, i)
            && all.get(i + 1).is_some_and(Token::is_word) =>
        {
            let message = format!("`{word}` looks like a type, but parameters have no types");
            Some(Slip::new(i, message, format!("remove `{word}`: parameters are only names")))
        }
        _ => None,
    }
}

/// Names as the parameter list of a closure.
fn between_bars(names: &[Token<'_>]) -> Option<String> {
    let parts = names.split(|token| token.is(","));
    let names: Option<Vec<&str>> = match names.is_empty() {
        true => Some(Vec::new()),
        false => parts.map(|part| if let [name] = part { name.is_word().then_some(name.text) } else { None }).collect(),
    };
    names.map(|names| if names.is_empty() { "||".to_string() } else { format!("|{}|", names.join(", ")) })
}

/// The parameters of a closure that is written with an arrow, as in other languages.
fn parameters_before(all: &[Token<'_>], i: usize) -> Option<String> {
    if !innermost_is(all, i, "(") {
        return None;
    }
    let last = i.checked_sub(1)?;
    let (first, names) = match all[last].text {
        ")" => {
            let open = all[..last].iter().rposition(|token| token.is("("))?;
            (open, &all[open + 1..last])
        }
        _ if all[last].is_word() => (last, &all[last..i]),
        _ => return None,
    };
    let begins = first.checked_sub(1).is_some_and(|before| matches!(all[before].text, "(" | ","));
    between_bars(names).filter(|_| begins)
}

/// Whether an `=` is in the value of a `let`, outside brackets.
fn of_second_value(all: &[Token<'_>], i: usize) -> bool {
    let start = all[..i].iter().rposition(|token| matches!(token.text, ";" | "{" | "}" | "#{"));
    let since = &all[start.map_or(0, |start| start + 1)..i];
    let depth: i32 = since.iter().map(|token| i32::from(token.opens()) - i32::from(token.closes())).sum();
    depth == 0
        && since.len() > 3
        && matches!(since[0].text, "let" | "const")
        && since[2].is("=")
        && !since.iter().any(|token| token.is("if") || token.is("switch"))
}

/// Whether a `?` comes before a token in its statement.
fn asked(all: &[Token<'_>], i: usize) -> bool {
    let since = all[..i].iter().rev().take_while(|token| !matches!(token.text, ";" | "{" | "}"));
    since.into_iter().any(|token| token.is("?"))
}

/// Whether the token is a text directly after the previous token.
fn glued_text(all: &[Token<'_>], i: usize) -> bool {
    let is_text = |token: &Token<'_>| token.sort == Some(Sort::Text);
    all.get(i).is_some_and(is_text) && all[i - 1].span.end == all[i].span.start
}

/// Whether a text ends directly before a token.
fn ends_at(all: &[Token<'_>], text: usize, i: usize) -> bool {
    all[text].sort == Some(Sort::Text) && all[text].span.end == all[i].span.start
}
