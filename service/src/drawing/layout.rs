//! Where the squares of a picture are: in rows and columns, as hexagons, or with outlines from the script.

use super::outlines::{self, Corners};
use super::square_center::SquareCenter;
use super::svg::{CELL, MARGIN, Svg};
use astragal_core::Square;
use astragal_core::board::Cells;

/// Half the width of a hexagon that is as high as a square.
pub(super) const HEX: i64 = 34;
/// The width of a bar beside triangles, unless pieces in hand stand on it.
const RAIL: i64 = CELL * 24 / 60;

impl Svg<'_> {
    pub(super) fn at(&self, row: usize, column: usize) -> Option<Square> {
        let (file, rank) = (self.files.get(column)?, self.ranks.get(row)?);
        self.drawing.variant.board().at(i64::from(*file), i64::from(*rank))
    }

    /// The height of squares in rows and columns; their width is `CELL`.
    pub(super) fn square_height(&self) -> i64 {
        self.drawing.variant.spec().look.square_height.map_or(CELL, |percent| CELL * i64::from(percent) / 100)
    }

    /// Whether pieces are on triangles, as in backgammon.
    pub(super) fn has_triangles(&self) -> bool {
        !self.drawing.variant.spec().look.triangles.is_empty()
    }

    /// Whether there is a bar to the right of a column.
    pub(super) fn has_bar_after(&self, column: usize) -> bool {
        let pair = self.files.get(column).zip(self.files.get(column + 1));
        pair.is_some_and(|(a, b)| self.drawing.variant.board().drawing().has_file_bar(*a, *b))
    }

    /// The column to the left of the bar on which pieces in hand stand: the bar after the lowest file.
    pub(super) fn holding_bar(&self) -> Option<usize> {
        let spec = self.drawing.variant.spec();
        let holds = self.has_triangles() && spec.hands && spec.sides.len() == 2;
        let all = (0..self.files.len()).filter(|column| holds && self.has_bar_after(*column));
        all.min_by_key(|column| self.files[*column])
    }

    /// The width of the gap to the right of a column.
    pub(super) fn gap_after(&self, column: usize) -> i64 {
        match self.has_triangles() && self.has_bar_after(column) {
            true if self.holding_bar() == Some(column) => CELL,
            true => RAIL,
            false => 0,
        }
    }

    /// The middle of a column.
    pub(super) fn across(&self, column: usize) -> i64 {
        MARGIN + CELL / 2 + column as i64 * CELL + (0..column).map(|before| self.gap_after(before)).sum::<i64>()
    }

    /// The middle of a row.
    pub(super) fn down(&self, row: usize) -> i64 {
        let height = self.square_height();
        MARGIN + height / 2 + row as i64 * height
    }

    /// All squares, rank by rank from the top.
    pub(super) fn places(&self) -> Vec<SquareCenter> {
        if let Some(all) = self.outlines() {
            return all.into_iter().map(|(place, _)| place).collect();
        }
        let board = self.drawing.variant.board();
        let hex = board.cells() == Cells::Hex;
        let (width, height) = if hex { (2 * HEX, CELL) } else { (CELL, self.square_height()) };
        let heights = || board.squares().into_iter().map(|square| self.drawing.height(square));
        let (low, high) = (heights().min().unwrap_or(0), heights().max().unwrap_or(0));
        let all = (0..self.ranks.len()).flat_map(|row| (0..self.files.len()).map(move |column| (row, column)));
        let place = |(row, column): (usize, usize)| {
            let square = self.at(row, column)?;
            let down = match self.theme.flipped {
                true => self.drawing.height(square) - low,
                false => high - self.drawing.height(square),
            };
            let (x, y) = match hex {
                true => (MARGIN + HEX + column as i64 * HEX * 3 / 2, MARGIN + CELL / 2 + i64::from(down) * CELL / 2),
                false => (self.across(column), self.down(row)),
            };
            Some(SquareCenter { square, row, column, x, y, width, height })
        };
        all.filter_map(place).collect()
    }

    /// How far to the right and down the squares extend.
    pub(super) fn extent(&self, places: &[SquareCenter]) -> (i64, i64) {
        let corners = self.outlines().into_iter().flatten().flat_map(|(_, corners)| corners);
        // A hexagon is a little wider.
        let edges = places.iter().map(|place| (place.x + CELL / 2, place.y + place.height / 2));
        corners.chain(edges).fold((0, 0), |(right, bottom), (x, y)| (right.max(x), bottom.max(y)))
    }

    /// Squares with their own outline, lower ranks last as everywhere, each with its corners.
    pub(super) fn outlines(&self) -> Option<Vec<(SquareCenter, Corners)>> {
        let drawn = outlines::fitted(&self.drawing.variant.spec().look.outlines, CELL, MARGIN, self.theme.flipped)?;
        let all = (0..self.ranks.len()).flat_map(|row| (0..self.files.len()).map(move |column| (row, column)));
        let one = |(row, column): (usize, usize)| {
            let square = self.at(row, column)?;
            let (_, corners) = *drawn.iter().find(|(known, _)| *known == square)?;
            let (x, y) = outlines::middle(&corners);
            Some((SquareCenter { square, row, column, x, y, width: CELL, height: CELL }, corners))
        };
        Some(all.filter_map(one).collect())
    }
}
