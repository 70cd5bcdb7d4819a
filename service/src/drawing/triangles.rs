//! Boards with triangles, as in backgammon: the table, its triangles, and the bars.

use super::colors;
use super::square_center::SquareCenter;
use super::svg::{CELL, LINE, MARGIN, Svg};
use astragal_core::{Kind, Piece, Side};

/// The table around the playing field, and the ground of the field.
const TABLE: &str = "#7a4f2b";
const FELT: &str = "#e9dcc3";
/// How far the table extends beyond the field.
const FRAME: i64 = MARGIN - 4;

impl Svg<'_> {
    /// Draws the table, the field and its triangles. Marks are disks under the pieces.
    pub(super) fn table(&mut self) {
        let places = self.places();
        let (right, bottom) = self.extent(&places);
        let (left, width, height) = (MARGIN - FRAME, right - MARGIN + 2 * FRAME, bottom - MARGIN + 2 * FRAME);
        self.line(format!(
            "<rect x=\"{left}\" y=\"{left}\" width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{TABLE}\"/>"
        ));
        for SquareCenter { square, x, y, width, height, .. } in &places {
            let own = self.drawing.variant.spec().look.square(*square).map_or(FELT.to_owned(), colors::hex);
            let (x, y) = (x - width / 2, y - height / 2);
            // Without anti-aliasing, no lines appear between squares.
            self.line(format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{own}\" \
                 shape-rendering=\"crispEdges\"/>"
            ));
        }
        for triangle in &self.drawing.variant.spec().look.triangles {
            let at = |square| places.iter().find(|place| Some(&place.square) == square);
            let (Some(base), Some(tip)) = (at(triangle.squares.first()), at(triangle.squares.last())) else { continue };
            // A triangle of one square rises to the middle of the board.
            let is_rising = if base.y == tip.y { base.y * 2 > bottom + MARGIN } else { tip.y < base.y };
            let up = if is_rising { -1 } else { 1 };
            let (low, high) = (base.y - up * base.height / 2, tip.y + up * tip.height / 2);
            let (left, right, fill) = (base.x - CELL / 2 + 2, base.x + CELL / 2 - 2, colors::hex(triangle.color));
            self.line(format!("<polygon points=\"{left},{low} {right},{low} {},{high}\" fill=\"{fill}\"/>", base.x));
        }
        self.touched_points();
    }

    /// Draws the bars between files and between ranks. Those beside triangles are gaps through which the table shows.
    pub(super) fn bars(&mut self) {
        if self.has_triangles() {
            return;
        }
        let drawing = self.drawing.variant.board().drawing();
        let (wide, height) = (self.files.len() as i64 * CELL, self.square_height());
        let high = self.ranks.len() as i64 * height;
        let mut path = String::new();
        for column in (0..self.files.len()).filter(|column| self.has_bar_after(*column)) {
            path.push_str(&format!("M{} {}v{high}", self.across(column) + CELL / 2, self.down(0) - height / 2));
        }
        for (i, pair) in self.ranks.windows(2).enumerate() {
            if drawing.has_rank_bar(pair[0], pair[1]) {
                path.push_str(&format!("M{} {}h{wide}", self.across(0) - CELL / 2, self.down(i) + height / 2));
            }
        }
        if !path.is_empty() {
            self.line(format!("<path d=\"{path}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"6\"/>"));
        }
    }

    /// Draws pieces in hand on the bar, from its middle outward: those of the side that plays upward below. Returns whether
    /// the board has such a bar.
    pub(super) fn hands_on_bar(&mut self) -> bool {
        let Some(column) = self.holding_bar() else { return false };
        let (variant, position) = (self.drawing.variant, self.drawing.position);
        let x = self.across(column) + CELL;
        let middle = MARGIN + self.ranks.len() as i64 * self.square_height() / 2;
        for side in [Side(0), Side(1)] {
            let down = if (side == Side(0)) == self.theme.flipped { -1 } else { 1 };
            let all =
                (0..variant.kinds().len() as u8).map(|kind| (Kind(kind), position.in_hand(variant, side, Kind(kind))));
            for ((kind, count), place) in all.filter(|(_, count)| *count > 0).zip(0..) {
                let y = middle + down * (CELL * 40 / 60 + place * CELL);
                self.held_piece(Piece::new(side, kind), i32::from(count), (x, y), CELL);
                if count > 1 {
                    let ink = if colors::of(variant, side).light { "#222222" } else { "#f4ead6" };
                    self.text(&count.to_string(), x, y, CELL * 20 / 60, ink);
                }
            }
        }
        true
    }
}
