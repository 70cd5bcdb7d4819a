//! The comments that describe statements: on the lines above, or after the code on the same line.

use crate::document::Document;
use crate::markdown::without_pictures;
use std::ops::Range;

/// The text of the comment that describes the statement at a token: on the lines directly above, or else after it on
/// its line. Empty if there is none.
pub(crate) fn about(document: &Document, token: usize) -> String {
    let Some(token) = document.tokens().get(token) else { return String::new() };
    let line = document.lines().line_of(token.span.start);
    let above = above(document, line);
    if above.is_empty() { behind(document, line) } else { above }
}

/// The same as Markdown. Comments are often written in it.
pub(crate) fn markdown(document: &Document, token: usize) -> String {
    without_pictures(&about(document, token))
}

/// The comment on the lines directly above a line.
fn above(document: &Document, line: usize) -> String {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut next = line;
    let before = document.comments().partition_point(|comment| document.lines().line_of(comment.start) < line);
    for comment in document.comments()[..before].iter().rev() {
        let first = document.lines().line_of(comment.start);
        let last = document.lines().line_of(comment.end);
        let start = document.lines().range(document.text(), first).start;
        let is_alone = document.text()[start..comment.start].trim().is_empty();
        if !is_alone || last + 1 != next {
            break;
        }
        found.push(comment.clone());
        next = first;
    }
    found.reverse();
    text_of(document, &found)
}

/// The comment at the end of a line, after code.
fn behind(document: &Document, line: usize) -> String {
    let range = document.lines().range(document.text(), line);
    let ends = |comment: &&Range<usize>| range.start < comment.start && comment.end == range.end;
    match document.comments().iter().find(ends) {
        Some(comment) => text_of(document, std::slice::from_ref(comment)),
        None => String::new(),
    }
}

/// The text of comments without comment markers.
fn text_of(document: &Document, comments: &[Range<usize>]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for comment in comments {
        let text = &document.text()[comment.clone()];
        match text.strip_prefix("/*") {
            None => lines.push(text.trim_start_matches('/').trim_start_matches('!')),
            Some(block) => {
                let block = block.strip_suffix("*/").unwrap_or(block).trim_start_matches(['*', '!']);
                lines.extend(block.lines().map(|line| line.trim().trim_start_matches('*')));
            }
        }
    }
    // One space separates the marker from the text. More spaces indent a list or a table.
    let plain = |line: &&str| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned();
    lines.iter().map(plain).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, word: &str) -> String {
        let document = Document::new(text.into());
        let token = (0..document.tokens().len()).find(|&at| document.is(at, word)).expect("the word");
        about(&document, token)
    }

    #[test]
    fn a_comment_belongs_to_the_line_below_or_to_its_own() {
        assert_eq!(of("// One.\n// Two.\nfn f() {}", "f"), "One.\nTwo.");
        assert_eq!(of("// One.\n\nfn f() {}", "f"), "");
        assert_eq!(of("/* One,\n * two. */\nfn f() {}", "f"), "One,\ntwo.");
        assert_eq!(of("a(); // of a\nf(); // of f", "f"), "of f");
        assert_eq!(of("a(); // of a\nf();", "f"), "");
        assert_eq!(of("// above\nf(); // behind", "f"), "above");
        assert_eq!(of("f(/* within */); g();", "f"), "");
    }
}
