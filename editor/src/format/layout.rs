//! The column of every item, and the formatted text.

use super::align::{self, Columns};
use super::indent::{Indent, Nesting};
use super::items::{Items, Kind, end_column};
use super::spacing;
use crate::document::{closes, opens};
use std::borrow::Cow;

/// The limit of the indentation, in columns. Without it, thousands of open brackets would exhaust the memory.
const WIDEST: usize = 200;

/// The layout of a script in columns.
pub(super) struct Layout<'a> {
    items: &'a Items<'a>,
    indents: Vec<Indent>,
    columns: Columns,
    /// The number of spaces before each item if nothing is aligned.
    normal: Vec<usize>,
    /// The column of each item, once it is known.
    starts: Vec<Option<usize>>,
    /// Whether the column of an item is being determined.
    is_open: Vec<bool>,
    /// The indentation of all lines of code before this line is known.
    next_line: usize,
    line_end: &'static str,
}

impl<'a> Layout<'a> {
    pub(super) fn of(items: &'a Items<'a>) -> Layout<'a> {
        let roles = spacing::roles(items.document);
        let nesting = Nesting::of(items, &roles);
        let blanks = |item: usize| if items.is_first(item) { 0 } else { spacing::before(items, &roles, item) };
        let normal: Vec<usize> = (0..items.all.len()).map(blanks).collect();
        let columns = align::columns(items, &roles, &nesting, &normal);
        let count = items.all.len();
        let line_end = if items.has_crlf { "\r\n" } else { "\n" };
        let indents = nesting.indents(items);
        let (starts, is_open) = (vec![None; count], vec![false; count]);
        Layout { items, indents, columns, normal, starts, is_open, next_line: 0, line_end }
    }

    /// The formatted text.
    pub(super) fn write(mut self) -> String {
        let mut out = String::with_capacity(self.items.document.text().len());
        for line in 0..self.items.lines.len() {
            if self.has_blank_before(line) {
                out.push_str(self.line_end);
            }
            self.write_line(line, &mut out);
            out.push_str(self.line_end);
        }
        out
    }

    /// Whether a line keeps the blank line before it. Blank lines next to the enclosing brackets are removed.
    fn has_blank_before(&self, line: usize) -> bool {
        let about = &self.items.lines[line];
        let is = |item: usize, test: fn(&str) -> bool| self.items.token(item).is_some() && test(self.items.text(item));
        let first = about.items.start;
        about.after_blank && !is(first, closes) && !is(first - 1, opens)
    }

    fn write_line(&mut self, line: usize, out: &mut String) {
        let (items, range) = (self.items, self.items.lines[line].items.clone());
        if items.lines[line].is_fixed {
            let text = items.document.text();
            let start = text[..items.all[range.start].span.start].rfind('\n').map_or(0, |end| end + 1);
            out.push_str(text[start..items.all[range.end - 1].span.end].trim_end());
            return;
        }
        let mut column = 0;
        for item in range {
            let start = self.start(item);
            out.push_str(&" ".repeat(start.saturating_sub(column)));
            let text = self.shown(item, start);
            out.push_str(&text);
            column = end_column(&text, start);
        }
    }

    /// The column of an item.
    fn start(&mut self, item: usize) -> usize {
        if let Some(start) = self.starts[item] {
            return start;
        }
        let items = self.items;
        let about = &items.all[item];
        // Columns never depend on one another in a cycle. If they did, the column that the author chose would be kept.
        if items.lines[about.line].is_fixed || std::mem::replace(&mut self.is_open[item], true) {
            return about.column;
        }
        let start = match self.columns.group_of[item] {
            Some(group) => self.column_of(group, item),
            None if items.is_first(item) => self.indent(about.line),
            None => self.end(item - 1) + self.normal[item],
        };
        self.starts[item] = Some(start);
        start
    }

    /// The column of a member of a group.
    fn column_of(&mut self, group: usize, member: usize) -> usize {
        let group = self.columns.groups[group].clone();
        let mut column = 0;
        for &item in &group.members {
            if self.items.is_first(item) {
                continue;
            }
            let width = if group.at_end { self.width(item) } else { 0 };
            self.indent_until(self.items.all[item].line);
            // From left to right, so that the previous item always has a column.
            let line = self.items.lines[self.items.all[item].line].items.start;
            let known = (line..item).rev().find(|&before| self.starts[before].is_some());
            for before in known.unwrap_or(line)..item {
                self.start(before);
            }
            column = column.max(self.end(item - 1) + group.gap.max(self.normal[item]) + width);
        }
        for &item in &group.members {
            let width = if group.at_end { self.width(item) } else { 0 };
            self.starts[item] = Some(column - width);
        }
        self.starts[member].unwrap_or(column)
    }

    /// Indents the lines of code up to a line, in order, so that the line that each depends on is known.
    fn indent_until(&mut self, line: usize) {
        while self.next_line <= line {
            let next = self.next_line;
            self.next_line += 1;
            if self.items.first_token(next).is_some() {
                self.start(self.items.lines[next].items.start);
            }
        }
    }

    /// The width of a number with its sign.
    fn width(&self, item: usize) -> usize {
        let is_sign = self.items.text(item) == "-" || self.items.text(item) == "+";
        let number = if is_sign { item + 1 } else { item };
        self.items.all[number].span.end - self.items.all[item].span.start
    }

    fn end(&mut self, item: usize) -> usize {
        let start = self.start(item);
        end_column(&self.shown(item, start), start)
    }

    fn indent(&mut self, line: usize) -> usize {
        let Indent { line, more } = self.indents[line];
        let start = line.map_or(0, |line| self.start(self.items.lines[line].items.start));
        if start < WIDEST { start + more } else { start }
    }

    /// An item as it is written at a column. Comments lose trailing whitespace, and their later lines move with the
    /// first.
    fn shown(&self, item: usize, start: usize) -> Cow<'a, str> {
        let text = self.items.text(item);
        match self.items.all[item].kind {
            Kind::Token(_) => text.into(),
            Kind::LineComment => text.trim_end().into(),
            Kind::BlockComment if !text.contains('\n') => text.into(),
            Kind::BlockComment => {
                let column = self.items.all[item].column;
                let lines = text.split('\n').enumerate();
                let moved =
                    lines.map(|(i, line)| if i == 0 { line.trim_end().into() } else { moved(line, column, start) });
                moved.collect::<Vec<_>>().join(self.line_end).into()
            }
        }
    }
}

/// A line of a comment, moved from one column to another.
fn moved(line: &str, from: usize, to: usize) -> Cow<'_, str> {
    let line = line.trim_end();
    let blanks = line.len() - line.trim_start_matches(' ').len();
    if to <= from || line.is_empty() {
        return line[blanks.min(from.saturating_sub(to))..].into();
    }
    if line.starts_with('\t') { line.into() } else { format!("{}{line}", " ".repeat(to - from)).into() }
}
