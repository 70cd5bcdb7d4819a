//! What a diagnostic's help says is perhaps meant, as a change of the text.
//!
//! It knows the words in which help says so, and nothing of what was wrong.

use super::{Diagnostic, Fix};
use crate::host::tokens::{Sort, Token, arguments, tokens};
use std::ops::Range;

/// How help begins to say what is perhaps meant.
const MEANT: &str = "did you mean ";

/// The change that the help of a diagnostic speaks of: a name or text for another, or a call for one of that name.
pub(super) fn of(one: &Diagnostic) -> Option<Fix> {
    let said = one.help.as_deref()?.split_once(MEANT)?.1;
    let span = one.span()?;
    let fix = match said.strip_prefix('`').and_then(|code| code.split_once('`')) {
        Some((code, _)) => {
            let code = code.strip_prefix("fn ").unwrap_or(code);
            Fix { span: place_of(one, span, code)?, text: code.into() }
        }
        None => text_for(one, span, said.strip_prefix('"')?.split_once('"')?.0)?,
    };
    (one.text.get(fix.span.clone())? != fix.text).then_some(fix)
}

/// What code takes the place of: a name that of the name which stands there, a call that of the call around it.
fn place_of(one: &Diagnostic, span: Range<usize>, code: &str) -> Option<Range<usize>> {
    let meant = tokens(code);
    let all = tokens(&one.text);
    match meant.as_slice() {
        [name] if name.is_word() => {
            let here = all.iter().find(|token| token.span.start == span.start && token.is_word())?;
            Some(here.span.clone())
        }
        // What is left out in the help cannot be put into the script.
        _ if code.contains("..") => None,
        [name, open, .., close] if name.is_word() && open.is("(") && close.is(")") => {
            call_around(&all, name.text, &span)
        }
        _ => None,
    }
}

/// The call of a function around a place, or the one that begins there.
fn call_around(all: &[Token<'_>], name: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let calls = all.windows(2).enumerate().filter(|(_, pair)| pair[0].is(name) && pair[1].is("("));
    let ends = |open: usize| {
        let after = arguments(all, open).last().map_or(open + 1, |last| last.end);
        all.get(after).filter(|close| close.is(")")).map(|close| close.span.end)
    };
    let mut ranges = calls.filter_map(|(at, _)| Some(all[at].span.start..ends(at + 1)?));
    ranges.rfind(|range| range.start <= span.start && span.start < range.end)
}

/// A text put in the place of that which stands there, or of the name that is complained of, as one before a colon.
fn text_for(one: &Diagnostic, span: Range<usize>, text: &str) -> Option<Fix> {
    let all = tokens(&one.text);
    let here = all.iter().find(|token| token.span.contains(&span.start))?;
    match here.sort {
        Some(Sort::Text) => Some(Fix { span: here.span.clone(), text: format!("\"{text}\"") }),
        Some(Sort::Word) if one.message.contains(&format!("\"{}\"", here.text)) => {
            Some(Fix { span: here.span.clone(), text: text.into() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The script with what is suggested about a word of it.
    fn mended(text: &str, word: &str, message: &str, help: &str) -> Option<String> {
        let column = text.find(word)? + 1;
        let one = Diagnostic::error("a.rhai", &text.into(), 1, column, message).with_help(Some(help.into()));
        let fix = one.suggestion()?;
        let mut text = text.to_owned();
        text.replace_range(fix.span, &fix.text);
        Some(text)
    }

    #[test]
    fn what_is_perhaps_meant_takes_the_place_of_what_stands_there() {
        let of = |text, word, help| mended(text, word, "there is no \"royall\"", help);
        assert_eq!(of("baord(5);", "baord", "did you mean `board`?").as_deref(), Some("board(5);"));
        assert_eq!(of("fn trun() {}", "trun", "did you mean `fn turn`?").as_deref(), Some("fn turn() {}"));
        assert_eq!(of("side(\"Whit\")", "\"Whit", "did you mean \"White\"?").as_deref(), Some("side(\"White\")"));
        assert_eq!(of("#{ royall: 1 }", "royall", "did you mean \"royal\"?").as_deref(), Some("#{ royal: 1 }"));
        let swapped = "its arguments are swapped: did you mean `has(mover(), \"man\")`?";
        let call = of("if has(\"man\", mover()) {}", "\"man", swapped);
        assert_eq!(call.as_deref(), Some("if has(mover(), \"man\") {}"));
        assert_eq!(of("f(1, 2);", "f", "did you mean `g(...)`?"), None, "what is left out is not known");
        assert_eq!(of("x + 1;", "+", "did you mean `- 1`?"), None);
        assert_eq!(of("baord(5);", "baord", "write `board`"), None);
    }
}
