//! Boards with pieces on crossing lines: points, lines between them, rivers and palaces.
//!
//! Each point takes four columns; a Chinese character fills two of them. Ranks are two lines apart.

use super::board_drawing::{BoardDrawing, Mark};
use super::colors;
use super::theme::Theme;
use astragal_core::{Piece, Square, Variant};
use unicode_width::UnicodeWidthStr;

/// The directions in which lines lead from a point: up, down, left, right.
type Arms = [bool; 4];

/// The lines of the drawing, as [`super::board::rows`].
pub(super) fn rows(drawing: &BoardDrawing, theme: Theme) -> Vec<String> {
    let (files, ranks) = drawing.order(theme.flipped);
    let grid = Grid { drawing, theme, files: &files, ranks: &ranks };
    let margin = drawing.margin();
    let mut rows = Vec::new();
    for row in 0..ranks.len() {
        let name = theme.paint("2", &format!("{:>margin$}", drawing.rank_name(ranks[row])));
        rows.push(name + grid.points(row).as_str());
        if row + 1 < ranks.len() {
            rows.push(" ".repeat(margin) + theme.paint("2", &grid.between(row)).as_str());
        }
    }
    let names: String = files.iter().map(|&file| format!(" {}  ", (b'a' + file) as char)).collect();
    rows.push(theme.paint("2", &format!("{}{}", " ".repeat(margin), names.trim_end())));
    rows
}

struct Grid<'a> {
    drawing: &'a BoardDrawing<'a>,
    theme: Theme,
    files: &'a [u8],
    ranks: &'a [u8],
}

impl Grid<'_> {
    /// The square in a row and column of the drawing.
    fn at(&self, row: usize, column: usize) -> Option<Square> {
        let (file, rank) = (self.files.get(column)?, self.ranks.get(row)?);
        self.drawing.variant.board().at(i64::from(*file), i64::from(*rank))
    }

    /// Whether a line leads down from a point.
    fn down(&self, row: usize, column: usize) -> bool {
        if self.drawing.variant.board().has_drawn_lines() {
            let file = self.files[column];
            return row + 1 < self.ranks.len() && self.spans((file, self.ranks[row]), (file, self.ranks[row + 1]));
        }
        let ends = self.at(row, column).is_some() && self.at(row + 1, column).is_some();
        let edge = column == 0 || column + 1 == self.files.len();
        ends && (edge || !self.is_river(row))
    }

    fn right(&self, row: usize, column: usize) -> bool {
        if self.drawing.variant.board().has_drawn_lines() {
            let rank = self.ranks[row];
            return column + 1 < self.files.len()
                && self.spans((self.files[column], rank), (self.files[column + 1], rank));
        }
        self.at(row, column).is_some() && self.at(row, column + 1).is_some()
    }

    /// Whether a drawn line along a file or rank passes over both of two adjacent places, whether or not they are points.
    fn spans(&self, a: (u8, u8), b: (u8, u8)) -> bool {
        let board = self.drawing.variant.board();
        let over = |from: Square, to: Square| {
            let (files, ranks) = ((board.file(from), board.file(to)), (board.rank(from), board.rank(to)));
            let within = |(one, other): (u8, u8), at: u8| (one.min(other)..=one.max(other)).contains(&at);
            let straight = files.0 == files.1 || ranks.0 == ranks.1;
            straight && [a, b].iter().all(|&(file, rank)| within(files, file) && within(ranks, rank))
        };
        board.squares().into_iter().any(|from| board.lines_from(from).any(|to| over(from, to)))
    }

    /// Whether the river flows below a row.
    fn is_river(&self, row: usize) -> bool {
        let lower = self.ranks[row].min(self.ranks[row + 1]);
        self.drawing.variant.board().drawing().river == Some(lower)
    }

    fn points(&self, row: usize) -> String {
        (0..self.files.len()).map(|column| self.point(row, column)).collect()
    }

    /// The four columns of a point.
    fn point(&self, row: usize, column: usize) -> String {
        let Some(square) = self.at(row, column) else { return self.passed(row, column) };
        let (left, right) = (column > 0 && self.right(row, column - 1), self.right(row, column));
        let line = |there: bool| match there {
            true if self.theme.boxes => "─",
            true => "-",
            false => " ",
        };
        let dim = |text: &str| if text.trim().is_empty() { text.into() } else { self.theme.paint("2", text) };
        let (open, close) = match self.drawing.mark(square) {
            Mark::To => ("[", "]"),
            Mark::From => ("(", ")"),
            Mark::None | Mark::Movable => ("", ""),
        };
        let piece = self.drawing.position.at(square);
        if piece.is_none() {
            let arms = [row > 0 && self.down(row - 1, column), self.down(row, column), left, right];
            let before = if open.is_empty() { dim(line(left)) } else { open.into() };
            let after = if close.is_empty() { dim(line(right)) } else { close.into() };
            let sign = self.drawing.sign(square, self.theme).map(String::from);
            let cross = sign.unwrap_or_else(|| self.cross(arms).into());
            return format!("{before}{}{after}{}", dim(&cross), dim(line(right)));
        }
        let text = self.drawing.text(square, self.theme);
        let wide = text.width() > 1;
        let (open, close) = match (open, self.theme.color && !wide) {
            ("", true) => (" ", " "),
            _ => (open, close),
        };
        let before = if open.is_empty() { dim(line(left)) } else { String::new() };
        let after = if close.is_empty() { dim(line(right)) } else { String::new() };
        let disc = self
            .theme
            .paint(&disc(self.drawing.variant, piece, self.drawing.mark(square)), &format!("{open}{text}{close}"));
        let rest = if wide { String::new() } else { dim(line(right)) };
        format!("{before}{disc}{after}{rest}")
    }

    /// The four columns of a place without a point, with the line that passes over it, if there is one.
    fn passed(&self, row: usize, column: usize) -> String {
        if !self.drawing.variant.board().has_drawn_lines() {
            return " ".repeat(4);
        }
        let (across, along) = if self.theme.boxes { ("────", " │  ") } else { ("----", " |  ") };
        let line = match (self.right(row, column), self.down(row, column)) {
            (true, _) if column > 0 && self.right(row, column - 1) => across,
            (_, true) if row > 0 && self.down(row - 1, column) => along,
            _ => return " ".repeat(4),
        };
        self.theme.paint("2", line)
    }

    /// The sign for an empty point.
    fn cross(&self, arms: Arms) -> &'static str {
        if !self.theme.boxes {
            return "+";
        }
        match arms {
            [false, true, false, true] => "┌",
            [false, true, true, false] => "┐",
            [true, false, false, true] => "└",
            [true, false, true, false] => "┘",
            [false, true, true, true] => "┬",
            [true, false, true, true] => "┴",
            [true, true, false, true] => "├",
            [true, true, true, false] => "┤",
            [true, true, false, false] => "│",
            [false, false, true, true] => "─",
            _ => "┼",
        }
    }

    /// The line between a row and the next one.
    fn between(&self, row: usize) -> String {
        let (bar, wave) = if self.theme.boxes { ("│", "≈") } else { ("|", "~") };
        let mut out = String::from(" ");
        for column in 0..self.files.len() {
            out.push_str(if self.down(row, column) { bar } else { " " });
            let inner = self.right(row, column) || self.right(row + 1, column);
            out.push_str(&match () {
                () if self.is_river(row) && inner => format!(" {wave} "),
                () => format!(" {} ", self.diagonal(row, column)),
            });
        }
        out.trim_end().to_owned() + "   "
    }

    fn diagonal(&self, row: usize, column: usize) -> &'static str {
        let board = self.drawing.variant.board();
        let crosses = board.drawing().crosses;
        let joined = |a: Option<Square>, b: Option<Square>| match (a, b) {
            (Some(a), Some(b)) => board.lines_from(a.min(b)).any(|to| to == a.max(b)),
            _ => false,
        };
        let on = |row, column| self.at(row, column).is_some_and(|square| crosses.contains(square));
        let corner = |down, right| self.at(row + down, column + right);
        let falling = on(row, column) || on(row + 1, column + 1) || joined(corner(0, 0), corner(1, 1));
        let rising = on(row, column + 1) || on(row + 1, column) || joined(corner(0, 1), corner(1, 0));
        match (falling, rising, self.theme.boxes) {
            (true, true, _) => "X",
            (true, false, true) => "╲",
            (true, false, false) => "\\",
            (false, true, true) => "╱",
            (false, true, false) => "/",
            (false, false, _) => " ",
        }
    }
}

/// The style of a piece: a disk in its side's color.
pub(super) fn disc(variant: &Variant, piece: Piece, mark: Mark) -> String {
    let color = colors::of(variant, piece.side());
    let (front, back) = match color.code {
        231 => (16, 255),
        16 => (231, 236),
        other => (if color.light { 16 } else { 231 }, other),
    };
    let line = if mark == Mark::Movable { "4;" } else { "" };
    format!("1;{line}38;5;{front};48;5;{back}")
}
