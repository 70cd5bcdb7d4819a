//! Names in pictures: of files and ranks, of squares, of the stations of a track, and labels and captions from the script.

use super::figures;
use super::square_center::SquareCenter;
use super::svg::{CELL, LINE, MARGIN, Svg, escaped};
use astragal_core::board::Cells;
use astragal_core::variant::Pattern;
use astragal_core::{Side, Square};
use astragal_dsl::notation::stations;
use unicode_width::UnicodeWidthStr;

/// Texts on a table around triangles.
const ON_TABLE: &str = "#ecd9b8";

impl Svg<'_> {
    /// Draws the names under the pieces: of hexagons and stretched squares, and labels.
    pub(super) fn names_of_squares(&mut self) {
        let (variant, position) = (self.drawing.variant, self.drawing.position);
        let (board, look) = (variant.board(), &variant.spec().look);
        let size = match (board.cells(), look.outlines.is_empty()) {
            (Cells::Hex, _) => Some(9),
            (Cells::Square, false) if !board.drawing().points => Some(8),
            (Cells::Square, _) => None,
        };
        for SquareCenter { square, x, y, .. } in self.places() {
            if let Some(size) = size.filter(|_| !look.is_nameless) {
                let (name, low) = (board.name(square), y + CELL * 28 / 60);
                self.line(format!("<text x=\"{x}\" y=\"{low}\" font-size=\"{size}\" fill=\"{LINE}\">{name}</text>"));
            }
            let label = look.labels.iter().find(|(known, _)| *known == square && position.at(square).is_none());
            if let Some((_, label)) = label {
                let size = if label.chars().count() > 2 { CELL * 11 / 60 } else { CELL * 22 / 60 };
                self.text(label, x, y, size, LINE);
            }
        }
    }

    /// Draws the texts across areas, each as large as it fits into the middle of the rectangle around its squares.
    pub(super) fn captions(&mut self) {
        let places = self.places();
        for (squares, caption) in &self.drawing.variant.spec().look.captions {
            let area = || places.iter().filter(|place| squares.contains(place.square));
            let (Some(left), Some(right)) = (area().map(|p| p.x).min(), area().map(|p| p.x).max()) else { continue };
            let (top, bottom) = (area().map(|p| p.y).min().unwrap_or(0), area().map(|p| p.y).max().unwrap_or(0));
            // A column of a fixed-width font is a little more than half as wide as the font is high.
            let fitting = (right - left + CELL) * 10 / (6 * caption.width().max(1) as i64);
            let (size, ink) = (fitting.min(CELL * 26 / 60), LINE);
            self.out.push_str("<g opacity=\"0.6\">\n");
            let (x, y) = ((left + right) / 2, (top + bottom) / 2);
            let shapes: Option<Vec<&str>> = caption.chars().map(figures::strokes).collect();
            match shapes {
                None => self.text(caption, x, y, size, ink),
                Some(shapes) => {
                    let (size, gap) = (size * 5 / 4, (right - left + CELL) / shapes.len().max(1) as i64);
                    for (path, i) in shapes.iter().zip(0..) {
                        let x = left - CELL / 2 + gap / 2 + i * gap;
                        self.strokes(path, (x, y), size as f64, ink);
                    }
                }
            }
            self.out.push_str("</g>\n");
        }
    }

    /// Draws the names of files and ranks, or the numbers of stations if moves are written by these.
    pub(super) fn names(&mut self) {
        let look = &self.drawing.variant.spec().look;
        if !look.is_nameless && look.stations.is_none() && !self.has_triangles() {
            self.files_and_ranks();
        }
        // Each side counts from its own end: the numbers are those of the side that plays upward.
        let side = if self.theme.flipped && self.drawing.variant.sides() > 1 { Side(1) } else { Side::FIRST };
        let places = self.places();
        let mut seen: Vec<Square> = Vec::new();
        for (squares, name) in stations::numbered(self.drawing.variant, side) {
            let first = squares.first().filter(|square| !seen.contains(square));
            let Some(place) = places.iter().find(|place| Some(&place.square) == first) else { continue };
            seen.push(place.square);
            self.station(place, &name);
        }
    }

    /// Draws the number of a station.
    fn station(&mut self, place: &SquareCenter, name: &str) {
        let (name, height) = (escaped(name), self.square_height());
        let is_bare = self.drawing.position.at(place.square).is_none()
            && self.drawing.variant.board().drawing().sign(place.square).is_none();
        let (x, y, size, ink, opacity) = if self.has_triangles() {
            let bottom = MARGIN + self.ranks.len() as i64 * height;
            let y = if place.y * 2 > bottom + MARGIN { bottom + MARGIN * 17 / 30 } else { MARGIN * 22 / 30 };
            (place.x, y, MARGIN * 15 / 30, ON_TABLE, "1")
        } else if self.drawing.variant.spec().look.pattern == Pattern::Circles {
            if !self.drawing.position.at(place.square).is_none() {
                return;
            }
            // Below a sign there is room for a small number.
            let (down, size) = if is_bare { (5, 14) } else { (23, 10) };
            (place.x, place.y + CELL * down / 60, CELL * size / 60, LINE, "0.75")
        } else {
            let left = place.x - place.width / 2 + 4 + 3 * name.chars().count() as i64;
            (left, place.y - place.height / 2 + CELL * 13 / 60, CELL * 11 / 60, LINE, "0.75")
        };
        self.line(format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{ink}\" opacity=\"{opacity}\">{name}</text>"
        ));
    }

    fn files_and_ranks(&mut self) {
        let (height, size) = (self.square_height(), MARGIN / 2);
        let bottom = MARGIN + self.ranks.len() as i64 * height + MARGIN * 2 / 3;
        for column in 0..self.files.len() {
            let (name, x) = ((b'a' + self.files[column]) as char, self.across(column));
            self.line(format!(
                "<text class=\"rim\" x=\"{x}\" y=\"{bottom}\" font-size=\"{size}\" fill=\"{LINE}\">{name}</text>"
            ));
        }
        for row in 0..self.ranks.len() {
            let name = self.drawing.rank_name(self.ranks[row]);
            let (x, y) = (MARGIN / 2, self.down(row) + size * 7 / 20);
            self.line(format!(
                "<text class=\"rim\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{LINE}\">{name}</text>"
            ));
        }
    }
}
