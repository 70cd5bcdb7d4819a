//! Diagnostics as people see them: quoted lines of the script with carets below, drawn by `annotate-snippets`.
//!
//! Columns of a diagnostic count characters; the library wants bytes, and knows how wide characters and tabs are. What
//! steers a terminal is shown by a sign of the same number of characters, so that places stay what they are.

use super::{Diagnostic, Severity};
use crate::printable::{in_a_line, printable, steers};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// No line is longer on the screen; what is longer is cut around the place.
const WIDEST: usize = 120;

/// The diagnostic over several lines.
pub(super) fn render(diagnostic: &Diagnostic, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let (message, file) = (printable(&diagnostic.message), in_a_line(&diagnostic.file));
    let text = visible(&diagnostic.text);
    let title = level.primary_title(message.as_ref());
    let title = match diagnostic.code {
        Some(code) => title.id(code.name()),
        None => title,
    };
    let mut group = match (diagnostic.line, text.is_empty()) {
        (0, _) | (_, true) => title.element(Origin::path(file.as_ref())),
        (line, false) => {
            let place = (line, diagnostic.column, diagnostic.length);
            let snippet = Snippet::source(text.as_str()).path(file.as_ref());
            let others = diagnostic.others.iter().map(|(line, column, words)| {
                let length = Diagnostic::error("", &diagnostic.text, *line, *column, "").length;
                AnnotationKind::Context
                    .span(bytes(&text, (*line, *column, length)))
                    .label(printable(words).into_owned())
            });
            title.element(snippet.annotation(AnnotationKind::Primary.span(bytes(&text, place))).annotations(others))
        }
    };
    let help = diagnostic.help.iter().map(|help| Level::HELP.message(printable(help).into_owned()));
    let notes = diagnostic.notes.iter().map(|note| Level::NOTE.message(printable(note).into_owned()));
    let reference = diagnostic.reference.iter().map(|link| Level::NOTE.with_name("see").message(link.as_str()));
    group = group.elements(help.chain(notes).chain(reference));
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let groups: &[Group<'_>] = &[group];
    renderer.term_width(WIDEST).render(groups) + "\n"
}

/// The text with a sign for each character that steers a terminal.
fn visible(text: &str) -> String {
    let sign = |c: char| match u32::from(c) {
        _ if c == '\n' || c == '\r' || c == '\t' || !steers(c) => c,
        // Unicode has pictures of these.
        low @ 0..0x20 => char::from_u32(0x2400 + low).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(sign).collect()
}

/// The bytes of a line's characters: from a column on as many as `length`, or as the line has.
pub(super) fn bytes(text: &str, (line, column, length): (usize, usize, usize)) -> Range<usize> {
    let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let own = text[before..].split('\n').next().unwrap_or_default().trim_end_matches('\r');
    let at = |column: usize| own.char_indices().nth(column).map_or(own.len(), |(at, _)| at);
    let first = column.saturating_sub(1);
    before + at(first)..before + at(first + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown of a place, without the title and the file.
    fn shown(text: &str, line: usize, column: usize, length: usize) -> String {
        let mut error = Diagnostic::error("a.rhai", &text.into(), line, column, "wrong");
        error.length = length;
        error.render(false).lines().skip(3).map(|line| format!("{}\n", line.trim_end())).collect()
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = format!("{}here{}", "a".repeat(30_000), "b".repeat(30_000));
        let cut = shown(&line, 1, 30_001, 4);
        let lines: Vec<&str> = cut.lines().collect();
        let (quote, carets) = (lines[0], lines[1]);
        assert!(quote.contains("aahereb") && quote.chars().count() <= WIDEST + 8, "{cut}");
        assert_eq!(quote.find("here"), carets.find("^^^^"), "{cut}");
        // Not more carets than there is room for.
        assert!(shown(&line, 1, 30_001, 20_000).lines().all(|line| line.chars().count() <= WIDEST + 8));
        assert_eq!(shown("short", 1, 3, 1), "1 | short\n  |   ^\n");
    }

    #[test]
    fn carets_stand_under_what_is_meant_whatever_stands_before_it() {
        assert_eq!(shown("\tlet x = 1;", 1, 6, 1), "1 |     let x = 1;\n  |         ^\n");
        assert_eq!(shown("a\r\nbcd\r\n", 2, 2, 2), "2 | bcd\n  |  ^^\n");
        // Two cells wide each.
        assert_eq!(shown("日本 x", 1, 4, 1), "1 | 日本 x\n  |      ^\n");
        // A letter and an accent are one cell.
        assert_eq!(shown("e\u{301} x", 1, 4, 1), "1 | e\u{301} x\n  |   ^\n");
        assert_eq!(shown("ab", 1, 3, 1), "1 | ab\n  |   ^\n");
    }

    #[test]
    fn what_steers_a_terminal_is_shown_by_a_sign() {
        let text = shown("a\x1b[2Jb\u{202e}c\td", 1, 7, 1);
        assert!(text.starts_with("1 | a\u{241b}[2Jb\u{fffd}c") && !text.contains(['\x1b', '\u{202e}']), "{text:?}");
        assert!(text.ends_with("  |       ^\n"), "{text:?}");
    }

    #[test]
    fn both_places_are_shown() {
        let text: std::sync::Arc<str> = "board(8, 8);\n\n\n\n\n\nboard(9, 9);\n".into();
        let error = Diagnostic::error("a.rhai", &text, 7, 1, "again").also_at((1, 1), "the first");
        let shown = error.render(false);
        assert!(shown.contains("1 | board(8, 8);\n  | ----- the first\n"), "{shown}");
        assert!(shown.contains("7 | board(9, 9);\n  | ^^^^^\n"), "{shown}");
    }
}
