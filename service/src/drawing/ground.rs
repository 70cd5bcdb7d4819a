//! The ground that pieces stand on: squares, hexagons, circles along tracks, and the lines of boards with points.
//!
//! Triangles and bars are in `triangles.rs`, the names of squares in `names.rs`.

use super::board_drawing::Mark;
use super::colors;
use super::layout::HEX;
use super::square_center::SquareCenter;
use super::svg::{CELL, LINE, MARGIN, Svg};
use astragal_core::board::Cells;
use astragal_core::variant::Pattern;
use astragal_core::{Side, Square};
use std::collections::BTreeSet;

/// Light and dark squares: plain, touched by the last move, and with pieces that can move.
const SQUARES: [[&str; 2]; 3] = [["#f0d9b5", "#b58863"], ["#f4e08a", "#d3ac4e"], ["#cfdfb0", "#8fae6e"]];
const HEXAGONS: [&str; 3] = ["#f0d9b5", "#dcbb8f", "#c39a6b"];
/// Boards in one color, and circles on them.
const PLAIN: &str = "#ecd3a4";
const CIRCLE: &str = "#fbf3e0";
/// How far a board extends beyond its squares.
const RIM: i64 = CELL * 5 / 60;

impl Svg<'_> {
    /// Draws the ground of all squares.
    pub(super) fn ground(&mut self) {
        let (board, look) = (self.drawing.variant.board(), &self.drawing.variant.spec().look);
        let stretched = !look.outlines.is_empty();
        let in_rows = board.cells() == Cells::Square && (!stretched || board.drawing().points);
        if in_rows && (board.drawing().points || look.pattern == Pattern::Circles) {
            self.panel();
        }
        match board.cells() {
            _ if look.pattern == Pattern::Circles => self.circles(),
            _ if stretched && !board.drawing().points => self.stretched(),
            Cells::Hex => self.hexagons(),
            Cells::Square if board.has_drawn_lines() => self.drawn_lines(),
            Cells::Square if board.drawing().points => self.lines(),
            Cells::Square if self.has_triangles() => self.table(),
            Cells::Square => self.squares(),
        }
    }

    /// Draws the board under squares that do not cover it.
    fn panel(&mut self) {
        let (right, bottom) = self.extent(&self.places());
        let (edge, width, height) = (MARGIN - RIM, right - MARGIN + 2 * RIM, bottom - MARGIN + 2 * RIM);
        self.line(format!(
            "<rect x=\"{edge}\" y=\"{edge}\" width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{PLAIN}\" \
             stroke=\"{LINE}\"/>"
        ));
    }

    /// The color of a square, with its mark.
    fn fill(&self, square: Square) -> String {
        let variant = self.drawing.variant;
        let (board, look) = (variant.board(), &variant.spec().look);
        let is_hex = board.cells() == Cells::Hex;
        let dark = usize::from(!is_hex && look.pattern == Pattern::Checkered && board.is_dark(square));
        match (self.drawing.mark(square), look.square(square)) {
            (Mark::From | Mark::To, _) => SQUARES[1][dark].into(),
            (Mark::Movable, _) => SQUARES[2][dark].into(),
            (Mark::None, Some(own)) => colors::hex(own),
            (Mark::None, None) if look.pattern == Pattern::Plain => PLAIN.into(),
            (Mark::None, None) if look.pattern == Pattern::Circles => CIRCLE.into(),
            // Three colors, so that no two neighbors have the same.
            (Mark::None, None) if is_hex => HEXAGONS[usize::from(board.file(square) + board.rank(square)) % 3].into(),
            (Mark::None, None) => SQUARES[0][dark].into(),
        }
    }

    /// Draws squares with their own outlines.
    fn stretched(&mut self) {
        for (SquareCenter { square, .. }, corners) in self.outlines().unwrap_or_default() {
            self.polygon(square, &corners);
        }
    }

    fn polygon(&mut self, square: Square, corners: &[(i64, i64)]) {
        let corners: Vec<String> = corners.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let fill = self.fill(square);
        self.line(format!("<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{LINE}\"/>", corners.join(" ")));
    }

    fn squares(&mut self) {
        self.holes();
        let plain = self.drawing.variant.spec().look.pattern == Pattern::Plain;
        let stroke = if plain { format!(" stroke=\"{LINE}\"") } else { String::new() };
        for SquareCenter { square, x, y, width, height, .. } in self.places() {
            let (x, y, fill) = (x - width / 2, y - height / 2, self.fill(square));
            self.line(format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"{stroke}/>"
            ));
        }
    }

    /// Draws the holes of the board, if they have a color.
    fn holes(&mut self) {
        let Some(color) = self.drawing.variant.spec().look.holes.map(colors::hex) else { return };
        let height = self.square_height();
        for row in 0..self.ranks.len() {
            for column in (0..self.files.len()).filter(|column| self.at(row, *column).is_none()).collect::<Vec<_>>() {
                let (x, y) = (self.across(column) - CELL / 2, self.down(row) - height / 2);
                self.line(format!("<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{height}\" fill=\"{color}\"/>"));
            }
        }
    }

    fn hexagons(&mut self) {
        for SquareCenter { square, x, y, .. } in self.places() {
            let (half, up) = (HEX / 2, CELL / 2);
            let corners = [(-HEX, 0), (-half, -up), (half, -up), (HEX, 0), (half, up), (-half, up)];
            self.polygon(square, &corners.map(|(dx, dy)| (x + dx, y + dy)));
        }
    }

    /// Draws squares as circles, and lines from station to station.
    fn circles(&mut self) {
        let places = self.places();
        let mut path = String::new();
        for (a, b) in self.joined() {
            let at = |square| places.iter().find(|place| place.square == square);
            if let (Some(a), Some(b)) = (at(a), at(b)) {
                path.push_str(&format!("M{} {}L{} {}", a.x, a.y, b.x, b.y));
            }
        }
        self.line(format!("<path d=\"{path}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"5\" opacity=\"0.55\"/>"));
        for SquareCenter { square, x, y, .. } in places {
            let (fill, radius) = (self.fill(square), CELL * 26 / 60);
            self.line(format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{LINE}\" stroke-width=\"2\"/>"
            ));
        }
    }

    /// The pairs of stations that follow one another on a track, each pair once.
    fn joined(&self) -> BTreeSet<(Square, Square)> {
        let spec = self.drawing.variant.spec();
        let sides = (0..spec.sides.len()).map(|side| Side(side as u8));
        let mut all = BTreeSet::new();
        for (side, track) in sides.flat_map(|side| spec.tracks.iter().map(move |track| (side, track))) {
            for path in &track.paths[side.index()] {
                let firsts: Vec<Square> = path.iter().filter_map(|station| station.first().copied()).collect();
                let around = firsts.first().filter(|_| track.closed).copied();
                let next = firsts.iter().skip(1).copied().chain(around);
                all.extend(firsts.iter().zip(next).map(|(a, b)| (b.min(*a), b.max(*a))));
            }
        }
        all
    }

    /// Draws the lines of a board whose steps they are, wherever its points are.
    fn drawn_lines(&mut self) {
        let board = self.drawing.variant.board();
        let places = self.places();
        let mut path = String::new();
        for place in &places {
            for to in board.lines_from(place.square) {
                let Some(end) = places.iter().find(|other| other.square == to) else { continue };
                path.push_str(&format!("M{} {}L{} {}", place.x, place.y, end.x, end.y));
            }
        }
        self.line(format!("<path d=\"{path}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"2\"/>"));
        for SquareCenter { x, y, .. } in places {
            self.line(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{LINE}\"/>"));
        }
        self.touched_points();
    }

    /// Draws the lines of a board with pieces on their crossings.
    fn lines(&mut self) {
        let drawing = self.drawing.variant.board().drawing();
        let mut path = String::new();
        for SquareCenter { square, row, column, x, y, .. } in self.places() {
            if self.at(row, column + 1).is_some() {
                path.push_str(&format!("M{x} {y}h{CELL}"));
            }
            let river = row + 1 < self.ranks.len() && drawing.river == Some(self.ranks[row].min(self.ranks[row + 1]));
            let edge = column == 0 || column + 1 == self.files.len();
            if self.at(row + 1, column).is_some() && (edge || !river) {
                path.push_str(&format!("M{x} {y}v{CELL}"));
            }
            if drawing.crosses.contains(square) {
                let (left, top, both) = (x - CELL, y - CELL, 2 * CELL);
                path.push_str(&format!("M{left} {top}l{both} {both}M{left} {}l{both} -{both}", y + CELL));
            }
        }
        self.line(format!("<path d=\"{path}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"1.5\"/>"));
        self.touched_points();
    }

    /// Draws disks on the points of the last move and of pieces that can move.
    pub(super) fn touched_points(&mut self) {
        for SquareCenter { square, x, y, height, .. } in self.places() {
            let fill = match self.drawing.mark(square) {
                Mark::None => continue,
                Mark::From | Mark::To => SQUARES[1][1],
                Mark::Movable => SQUARES[2][1],
            };
            let y = self.levels(square, y, height).last().copied().unwrap_or(y);
            self.line(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\"/>", CELL * 29 / 60));
        }
    }
}

#[cfg(test)]
#[path = "ground_tests.rs"]
mod tests;
