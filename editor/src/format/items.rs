//! The tokens and comments of a script in one sequence, and the lines on which they are written.

use crate::document::{Document, closes, opens};
use astragal_dsl::syntax::Sort;
use std::ops::Range;

/// The number of columns from one tab stop to the next.
const TAB: usize = 4;

/// The kind of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A token, by its number.
    Token(usize),
    /// A `//` comment. It is the last item of its line.
    LineComment,
    /// A comment between `/*` and `*/`. It can span several lines.
    BlockComment,
}

/// A token or comment.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) kind: Kind,
    /// Its byte range.
    pub(super) span: Range<usize>,
    /// The line on which it begins, among the lines with items.
    pub(super) line: usize,
    /// Its column, from 0.
    pub(super) column: usize,
    /// The number of columns between it and the previous item on its line.
    pub(super) gap: usize,
    /// The number of brackets that are open before it, without one that it closes.
    pub(super) depth: usize,
}

/// A line with items. Line breaks within an item do not end the line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Its items.
    pub(super) items: Range<usize>,
    /// Whether blank lines precede it.
    pub(super) after_blank: bool,
    /// The number of blank lines before it in the script. Consecutive blank lines count as one.
    pub(super) paragraph: usize,
    /// Whether it must stay as it is: a string continues on the next line, and its value depends on its column.
    pub(super) is_fixed: bool,
}

/// The items and lines of a script.
pub(super) struct Items<'a> {
    pub(super) document: &'a Document,
    pub(super) all: Vec<Item>,
    pub(super) lines: Vec<Line>,
    /// For each token, its item.
    pub(super) of_token: Vec<usize>,
    /// Whether the first line ends with `\r\n`; line breaks within tokens and comments do not count.
    pub(super) has_crlf: bool,
}

impl<'a> Items<'a> {
    /// Reads a script without malformed tokens.
    pub(super) fn of(document: &'a Document) -> Items<'a> {
        let tokens = document.tokens().iter().enumerate().map(|(i, token)| (token.span.clone(), Kind::Token(i)));
        let comments = document.comments().iter().map(|span| {
            let is_line = document.text()[span.clone()].starts_with("//");
            (span.clone(), if is_line { Kind::LineComment } else { Kind::BlockComment })
        });
        let mut spans: Vec<(Range<usize>, Kind)> = tokens.chain(comments).collect();
        spans.sort_by_key(|(span, _)| span.start);
        let mut items = Items { document, all: Vec::new(), lines: Vec::new(), of_token: Vec::new(), has_crlf: false };
        let mut first_break = None;
        let (mut end, mut column, mut depth) = (0, 0, 0_usize);
        for (span, kind) in spans {
            let between = &document.text()[end..span.start];
            first_break = first_break.or(between.find('\n').map(|at| end + at));
            let (breaks, here) = blanks(between, column);
            let own = &document.text()[span.clone()];
            let is_sign = matches!(kind, Kind::Token(i) if document.tokens()[i].sort == Some(Sort::Sign));
            depth -= usize::from(is_sign && closes(own)).min(depth);
            items.add(
                Item { kind, span: span.clone(), line: 0, column: here, gap: here - column.min(here), depth },
                breaks,
            );
            depth += usize::from(is_sign && opens(own));
            (end, column) = (span.end, end_column(own, here));
        }
        first_break = first_break.or(document.text()[end..].find('\n').map(|at| end + at));
        items.has_crlf = first_break.is_some_and(|at| document.text()[..at].ends_with('\r'));
        items
    }

    /// Adds an item that follows a number of line breaks.
    fn add(&mut self, mut item: Item, breaks: usize) {
        let at = self.all.len();
        if breaks > 0 || at == 0 {
            let after_blank = breaks > 1 && at > 0;
            let paragraph = self.lines.last().map_or(0, |line| line.paragraph) + usize::from(after_blank);
            self.lines.push(Line { items: at..at, after_blank, paragraph, is_fixed: false });
        }
        item.line = self.lines.len() - 1;
        if let Kind::Token(token) = item.kind {
            self.of_token.push(at);
            let line = &mut self.lines[item.line];
            line.is_fixed |= self.document.is_text(token) && self.document.word(token).contains('\n');
        }
        self.lines[item.line].items.end = at + 1;
        self.all.push(item);
    }

    /// The text of an item.
    pub(super) fn text(&self, item: usize) -> &'a str {
        &self.document.text()[self.all[item].span.clone()]
    }

    /// The token of an item; `None` for comments.
    pub(super) fn token(&self, item: usize) -> Option<usize> {
        match self.all[item].kind {
            Kind::Token(token) => Some(token),
            _ => None,
        }
    }

    /// Whether an item is the first on its line.
    pub(super) fn is_first(&self, item: usize) -> bool {
        self.lines[self.all[item].line].items.start == item
    }

    /// The line on which a token begins.
    pub(super) fn line_of(&self, token: usize) -> usize {
        self.all[self.of_token[token]].line
    }

    /// The first token of a line; `None` if it has only comments.
    pub(super) fn first_token(&self, line: usize) -> Option<usize> {
        self.lines[line].items.clone().find_map(|item| self.token(item))
    }
}

/// The number of line breaks in whitespace that begins at a column, and the column after the whitespace.
fn blanks(text: &str, mut column: usize) -> (usize, usize) {
    let mut breaks = 0;
    for c in text.chars() {
        match c {
            '\r' => {}
            '\n' => (breaks, column) = (breaks + 1, 0),
            '\t' => column = (column / TAB + 1) * TAB,
            _ => column += 1,
        }
    }
    (breaks, column)
}

/// The column after an item that begins at a column.
pub(super) fn end_column(text: &str, start: usize) -> usize {
    match text.rsplit_once('\n') {
        None => start + text.chars().count(),
        Some((_, last)) => last.chars().count(),
    }
}
