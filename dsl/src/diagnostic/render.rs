//! Renders diagnostics for people: quoted lines of the script with carets below, drawn by `annotate-snippets`.
//!
//! A diagnostic's columns count characters; the library expects bytes, and handles wide characters and tabs. Terminal
//! control characters are replaced by the same number of visible characters, so that columns stay correct. Sentences are
//! wrapped at the line width; long script lines are truncated around the place.

use super::layout::{Layout, wrapped};
use super::{Code, Diagnostic, Severity};
use crate::printable::{in_a_line, printable, steers};
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns that the library leaves free on each side of a place in a truncated line.
const MARGIN: usize = 6;

/// The layout of the labels of other places.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labels {
    /// After the place, with all script lines truncated alike.
    Together,
    /// After the place, with each line truncated separately.
    Apart,
    /// In a sentence below the line.
    Below,
}

/// The diagnostic over several lines.
pub(super) fn render(diagnostic: &Diagnostic, layout: Layout) -> String {
    let plain = Layout { color: false, ..layout };
    let labels = [Labels::Together, Labels::Apart, Labels::Below];
    let overlong = |labels: &Labels| {
        let drawn = draw(diagnostic, plain, *labels);
        drawn.lines().filter(|line| line.trim_end().width() > layout.width()).count()
    };
    let best = if diagnostic.others.is_empty() { None } else { labels.into_iter().min_by_key(overlong) };
    draw(diagnostic, layout, best.unwrap_or(Labels::Together))
}

fn draw(diagnostic: &Diagnostic, layout: Layout, labels: Labels) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let file = in_a_line(&diagnostic.file);
    let text = visible(&diagnostic.text);
    // The width after the label, as in `error[syntax]: `.
    let code = diagnostic.code.map_or(0, |code| code.name().len() + 2);
    let label = diagnostic.severity.name().len() + code + 2;
    let title = level.primary_title(wrapped(&printable(&diagnostic.message), room(layout, label)));
    let title = match diagnostic.code {
        Some(code) => title.id(code.name()),
        None => title,
    };
    let last = diagnostic.others.iter().map(|(line, ..)| *line).chain([diagnostic.line]).max().unwrap_or(0);
    // The number of the line, and the bar.
    let gutter = last.max(1).to_string().len() + 3;
    let below = |level: Level<'static>, name: &str, words: &str| -> Element<'_> {
        level.message(wrapped(&printable(words), room(layout, gutter + name.len() + 2))).into()
    };
    let mut elements: Vec<Element<'_>> = Vec::new();
    if diagnostic.line == 0 || text.is_empty() {
        elements.push(Origin::path(file.as_ref()).into());
    } else {
        let snippet = || Snippet::source(text.as_str()).path(file.as_ref());
        let clipped = |place| clipped(&text, place, room(layout, gutter));
        let place = (diagnostic.line, diagnostic.column, diagnostic.length);
        let primary = snippet().annotation(AnnotationKind::Primary.span(clipped(place)));
        let others = diagnostic.others.iter().map(|(line, column, words)| {
            let length = Diagnostic::error("", &diagnostic.text, *line, *column, "").length;
            (*line, AnnotationKind::Context.span(clipped((*line, *column, length))), words)
        });
        let labeled = |(_, annotation, words): (usize, Annotation<'static>, &String)| {
            annotation.label(printable(words).into_owned())
        };
        match labels {
            Labels::Together => elements.push(primary.annotations(others.map(labeled)).into()),
            Labels::Apart => {
                elements.push(primary.into());
                elements.extend(others.map(|other| snippet().annotation(labeled(other)).into()));
            }
            Labels::Below => {
                elements.push(primary.into());
                for (line, annotation, words) in others {
                    elements.push(snippet().annotation(annotation).into());
                    // The message already names these lines.
                    if diagnostic.code != Some(Code::NotPlayed) {
                        elements.push(below(Level::NOTE, "note", &format!("line {line}: {words}")));
                    }
                }
            }
        }
    }
    elements.extend(diagnostic.help.iter().map(|help| below(Level::HELP, "help", help)));
    elements.extend(diagnostic.notes.iter().map(|note| below(Level::NOTE, "note", note)));
    // An installed program has no documentation pages, so it prints their text.
    let names = diagnostic.reference.iter().filter_map(|link| link.split_once('#'));
    let commands = names.map(|(_, name)| format!("astragal reference {name}"));
    elements.extend(commands.map(|command| below(Level::NOTE.with_name("see"), "see", &command)));
    let renderer = if layout.color { Renderer::styled() } else { Renderer::plain() };
    let groups: &[Group<'_>] = &[title.elements(elements)];
    renderer.term_width(layout.width()).render(groups) + "\n"
}

/// The columns that remain after the first `taken`.
fn room(layout: Layout, taken: usize) -> usize {
    layout.width().saturating_sub(taken)
}

/// The bytes of a place, limited to the visible part of a truncated line.
fn clipped(text: &str, place: (usize, usize, usize), room: usize) -> Range<usize> {
    let span = bytes(text, place);
    let line = text.split('\n').nth(place.0.saturating_sub(1)).unwrap_or_default();
    if line.width() <= room {
        return span;
    }
    let (mut end, mut taken) = (span.start, 0);
    for c in text[span.clone()].chars() {
        taken += c.width().unwrap_or(1);
        if taken + 2 * MARGIN > room {
            break;
        }
        end += c.len_utf8();
    }
    span.start..end
}

/// The text with a visible sign for each terminal control character.
fn visible(text: &str) -> String {
    let sign = |c: char| match u32::from(c) {
        _ if c == '\n' || c == '\r' || c == '\t' || !steers(c) => c,
        // Unicode has a visible symbol for each of these.
        low @ 0..0x20 => char::from_u32(0x2400 + low).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(sign).collect()
}

/// The bytes of up to `length` characters of a line, from a column on.
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

    /// The rendered place, without the title and the file.
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
        assert!(quote.contains("aahereb") && quote.chars().count() <= Layout::COLUMNS, "{cut}");
        assert_eq!(quote.find("here"), carets.find("^^^^"), "{cut}");
        // No more carets than there is room for.
        assert!(shown(&line, 1, 30_001, 20_000).lines().all(|line| line.chars().count() <= Layout::COLUMNS));
        assert_eq!(shown("short", 1, 3, 1), "1 | short\n  |   ^\n");
    }

    #[test]
    fn carets_stand_under_what_is_meant_whatever_stands_before_it() {
        assert_eq!(shown("\tlet x = 1;", 1, 6, 1), "1 |     let x = 1;\n  |         ^\n");
        assert_eq!(shown("a\r\nbcd\r\n", 2, 2, 2), "2 | bcd\n  |  ^^\n");
        // Each character is two cells wide.
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
    fn sentences_are_broken_where_a_line_ends() {
        let text: std::sync::Arc<str> = "board(8, 8);\n".into();
        let words = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
        let mut error = Diagnostic::error("a.rhai", &text, 1, 1, words).of(crate::Code::Syntax);
        (error.help, error.notes) = (Some(format!("write `a b c`: {words}")), vec![words.into()]);
        let narrow = error.render(Layout { color: false, columns: 40 });
        assert_eq!(
            narrow,
            "error[syntax]: a b c d e f g h i j k l m\n               n o p q r s t u v w x y z\n --> a.rhai:1:1\n  |\n\
             1 | board(8, 8);\n  | ^^^^^\n  |\n  = help: write `a b c`: a b c d e f g h\n          i j k l m n o p q r s t \
             u v w\n          x y z\n  = note: a b c d e f g h i j k l m n o\n          p q r s t u v w x y z\n"
        );
        let styled = error.render(Layout { color: true, columns: 40 });
        assert_eq!(styled.lines().count(), narrow.lines().count(), "{styled}");
        // The width of the terminal, or 80 columns without a terminal.
        assert!(error.render(Layout { color: false, columns: 200 }).contains(&format!("`a b c`: {words}\n")));
        assert_eq!(error.render(false), error.render(Layout { color: false, columns: 80 }));
    }

    #[test]
    fn places_far_apart_fit_into_the_width() {
        let line = format!("{}here{}there{}", "a".repeat(30), "b".repeat(300), "c".repeat(300));
        let words =
            "this is what is meant by it: a sentence that is far too long for the line, whatever is cut from it";
        for words in ["short", words] {
            let error = Diagnostic::error("a.rhai", &line.as_str().into(), 1, 31, "wrong").also_at((1, 335), words);
            let shown = error.render(false);
            assert!(shown.lines().all(|line| line.trim_end().width() <= Layout::COLUMNS), "{shown}");
            assert!(shown.contains("aherebb") && shown.contains("btherec"), "{shown}");
            assert!(shown.contains('^') && shown.contains("--"), "{shown}");
        }
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
