//! The report as text for a terminal.

use super::Report;
use super::sections::{Section, WARNING};
use std::fmt::Write;

/// The maximum number of rows of a section; the other forms of the report have all.
const MOST: usize = 24;

/// The least width of the column that names rows.
const NAMES: usize = 28;

impl Report<'_> {
    /// The report for people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to memory does not fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "{}", self.headline())?;
        if let Some(position) = &self.experiment.setting().position {
            writeln!(out, "from {position}")?;
        }
        if self.experiment.knows_values() {
            writeln!(out, "with exact values from tables")?;
        }
        writeln!(out, "{}", self.resolution_text())?;
        for section in self.sections() {
            writeln!(out)?;
            write_section(&section, out)?;
        }
        writeln!(out, "\n{WARNING}\nDigest of all games: {}.", self.tally.digest_text())
    }
}

/// A table: the first column and text columns are aligned left, numbers right.
fn write_section(section: &Section, out: &mut String) -> std::fmt::Result {
    let rows = &section.rows[..section.rows.len().min(MOST)];
    let empty = String::new();
    let cell = |row: &[String], column: usize| row.get(column).unwrap_or(&empty).chars().count();
    let head: Vec<String> = [section.title.clone()].into_iter().chain(section.columns.iter().cloned()).collect();
    let least = |column: usize| if column == 0 && section.columns.len() > 2 { NAMES } else { 0 };
    let of_rows = |column: usize| rows.iter().map(|row| cell(row, column)).max().unwrap_or(0).max(least(column));
    let titled = |column: usize| section.columns.len() > 2 || column > 0;
    let width = |column: usize| of_rows(column).max(if titled(column) { cell(&head, column) } else { 0 });
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    // Text columns do not require a title: they explain themselves.
    let is_text = |column: usize| column == 0 || head[column].ends_with(' ');
    let mut write = |cells: &[String], is_head: bool| {
        let mut line = String::new();
        for (column, cell) in cells.iter().enumerate() {
            let (width, gap) = (widths[column], if column == 0 { "" } else { "  " });
            let cell = if is_head && column > 0 && is_text(column) { "" } else { cell.as_str() };
            let _ = match is_text(column) {
                true => write!(line, "{gap}{cell:<width$}"),
                false => write!(line, "{gap}{cell:>width$}"),
            };
        }
        writeln!(out, "{}", line.trim_end())
    };
    write(&head, true)?;
    rows.iter().try_for_each(|row| write(row, false))?;
    if section.rows.len() > MOST {
        writeln!(out, "and {} more: see --json", section.rows.len() - MOST)?;
    }
    section.remarks.iter().try_for_each(|remark| writeln!(out, "{remark}"))
}
