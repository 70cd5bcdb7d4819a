//! The statements of a script or of a block, as ranges of tokens.

use crate::document::{Document, opens};
use std::ops::Range;

/// Words that begin a statement that ends with its block, without a semicolon.
const BLOCKS: [&str; 10] = ["fn", "private", "if", "for", "while", "loop", "do", "switch", "try", "{"];

/// The statements in a range of tokens, each with its semicolon. The range must not separate pairs of brackets; it can
/// be a whole script or the contents of a block.
pub(crate) fn statements(document: &Document, range: Range<usize>) -> Vec<Range<usize>> {
    let (mut found, mut first, mut at) = (Vec::new(), range.start, range.start);
    while at < range.end {
        let word = document.word(at);
        let closed = document.partner(at).filter(|close| opens(word) && *close < range.end);
        let next = closed.unwrap_or(at) + 1;
        let ends_block = word == "{" && closed.is_some() && BLOCKS.contains(&document.word(first));
        let goes_on =
            matches!(document.word(next), "else" | "catch") || document.is(first, "do") && continues_do(document, next);
        if word == ";" || ends_block && !goes_on {
            found.push(first..next);
            first = next;
        }
        at = next;
    }
    if first < range.end {
        found.push(first..range.end);
    }
    found
}

/// Whether the condition of `do { .. } while ..` follows.
fn continues_do(document: &Document, token: usize) -> bool {
    matches!(document.word(token), "while" | "until")
}

/// The tokens between two brackets; up to the end of the script if the bracket is not closed.
pub(crate) fn within(document: &Document, open: usize) -> Range<usize> {
    open + 1..document.partner(open).unwrap_or(document.tokens().len()).max(open + 1)
}

/// The bytes of a range of tokens; `None` if it is empty.
pub(crate) fn bytes(document: &Document, range: &Range<usize>) -> Option<Range<usize>> {
    let first = document.tokens().get(range.start)?;
    let last = document.tokens().get(range.end.checked_sub(1)?)?;
    (range.start < range.end).then_some(first.span.start..last.span.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let document = Document::new(text.into());
        let all = statements(&document, 0..document.tokens().len());
        all.iter().filter_map(|one| bytes(&document, one)).map(|span| text[span].to_string()).collect()
    }

    #[test]
    fn statements_end_with_a_semicolon_or_with_their_block() {
        let text = "let x = if a { 1 } else { 2 }; if a { b(); } else { c(); } fn f() { x; y } f(#{ a: 1 }); \
                    do { x } while y; z";
        let expected = [
            "let x = if a { 1 } else { 2 };",
            "if a { b(); } else { c(); }",
            "fn f() { x; y }",
            "f(#{ a: 1 });",
            "do { x } while y;",
            "z",
        ];
        assert_eq!(texts(text), expected);
    }

    #[test]
    fn incomplete_statements_go_on_to_the_end() {
        assert_eq!(texts("a(; b"), ["a(;", "b"]);
        assert_eq!(texts("fn f() { a; b"), ["fn f() { a;", "b"]);
        assert!(texts("").is_empty());
    }
}
