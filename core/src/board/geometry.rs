//! Directions on a board: turns, distances and what lies between squares, on squares and on hexagons ([`super::cells`]). A
//! hexagonal area is a rectangle of hexagons without the corners.

use super::Board;
use super::cells::Cells;
use super::offset::{Offset, turn_offset};
use crate::board::square::{Square, SquareSet};

impl Board {
    /// The shape of the cells.
    pub fn cells(&self) -> Cells {
        self.cells
    }

    /// Makes the cells squares or hexagons.
    pub fn set_cells(&mut self, cells: Cells) {
        self.cells = cells;
    }

    /// An offset for a side whose forward direction is turned by `by`; see [`Cells::turn`].
    pub fn turn(&self, offset: Offset, by: u8) -> Offset {
        self.cells.turn(offset, by)
    }

    /// Files and ranks from one square to another: the shorter way, if edges are joined (the rising one of two equally
    /// short ways).
    pub(crate) fn difference(&self, from: Square, to: Square) -> (i16, i16) {
        let plain = (
            i16::from(self.file(to)) - i16::from(self.file(from)),
            i16::from(self.rank(to)) - i16::from(self.rank(from)),
        );
        let (w, h) = (i16::from(self.width), i16::from(self.height));
        let ways = |d: i16, size: i16, wraps: bool| match wraps {
            true => [d, if d > 0 { d - size } else { d + size }],
            false => [d, d],
        };
        let mut best = plain;
        for x in ways(plain.0, w, self.wrap.0) {
            for y in ways(plain.1, h, self.wrap.1) {
                let (new, old) = (self.cells.length((x, y)), self.cells.length(best));
                if (new, x.abs() + y.abs(), -x, -y) < (old, best.0.abs() + best.1.abs(), -best.0, -best.1) {
                    best = (x, y);
                }
            }
        }
        best
    }

    /// The number of steps from neighbor to neighbor (king's moves on squares) between two squares, ignoring holes and
    /// pieces.
    pub fn distance(&self, from: Square, to: Square) -> i16 {
        if let Some(links) = self.links() {
            return links.distance(from, to);
        }
        self.cells.length(self.difference(from, to))
    }

    /// The direction from one square to another; see [`Cells::heading`]. `(0, 0)` if a board declares its adjacency and no
    /// line leads there.
    pub(crate) fn heading(&self, from: Square, to: Square) -> (i16, i16) {
        if let Some(links) = self.links() {
            return links.straight(from, to).map_or((0, 0), |((x, y), _)| (i16::from(x), i16::from(y)));
        }
        self.cells.heading(self.difference(from, to))
    }

    /// The squares strictly between two on a common line (of neighbors), in order from the first; empty if they share none
    /// or a hole interrupts it.
    pub fn between(&self, from: Square, to: Square) -> Vec<Square> {
        if let Some(links) = self.links() {
            return links.straight(from, to).map(|(_, passed)| passed).unwrap_or_default();
        }
        let (dx, dy) = self.difference(from, to);
        let step = self.cells.heading((dx, dy));
        let step = (step.0 as i8, step.1 as i8);
        let steps = self.cells.length((dx, dy));
        let straight = (i16::from(step.0) * steps, i16::from(step.1) * steps) == (dx, dy);
        if !straight || !self.cells.neighbors().contains(&step) {
            return Vec::new();
        }
        let line = std::iter::successors(self.offset(from, step), |&s| self.offset(s, step));
        let passed: Vec<Square> = line.take_while(|&s| s != to).take(usize::from(u8::MAX)).collect();
        if passed.len() as i16 == steps - 1 { passed } else { Vec::new() }
    }

    /// The neighbors of a square.
    pub(crate) fn around(&self, square: Square) -> SquareSet {
        match self.links() {
            Some(links) => links.around(square),
            None => self.cells.neighbors().iter().filter_map(|&step| self.offset(square, step)).collect(),
        }
    }

    /// How far forward a square is, from 0 at the side's own edge, for a side whose forward direction is turned by
    /// `forward`.
    pub(crate) fn advance(&self, square: Square, forward: u8) -> i64 {
        if self.links().is_some() {
            let lines = self.rides(square, turn_offset((0, -1), forward));
            return lines.iter().map(|line| line.len() as i64).max().unwrap_or(0);
        }
        let (x, y) = (i64::from(self.file(square)), i64::from(self.rank(square)));
        let (w, h) = (i64::from(self.width) - 1, i64::from(self.height) - 1);
        match self.cells {
            Cells::Square => match forward % 4 {
                0 => y,
                1 => x,
                2 => h - y,
                _ => w - x,
            },
            Cells::Hex => {
                let (_, up) = self.spun((x, y), (6 - forward % 6) % 6);
                up
            }
        }
    }

    /// The square with the same place on its file when the board is turned over from edge to edge; `None` if there is a
    /// hole, and on boards made of patches, whose names do not determine it.
    pub fn mirrored(&self, square: Square) -> Option<Square> {
        if self.links().is_some() && !self.has_drawn_lines() {
            return None;
        }
        let (x, y) = (i64::from(self.file(square)), i64::from(self.rank(square)));
        let (w, h) = (i64::from(self.width) - 1, i64::from(self.height) - 1);
        match self.cells {
            Cells::Square => self.at(x, h - y),
            // About the center, in half steps: corresponds to (dx, dx - dy) of an offset.
            Cells::Hex => {
                let twice = (2 * x - w) - (2 * y - h) + h;
                if twice % 2 == 0 { self.at(x, twice / 2) } else { None }
            }
        }
    }

    /// Coordinates turned about the center by `sixths` sixths of a full turn; meaningful on hexagons, exact if the center
    /// is a cell.
    pub(super) fn spun(&self, (x, y): (i64, i64), sixths: u8) -> (i64, i64) {
        let (w, h) = (i64::from(self.width) - 1, i64::from(self.height) - 1);
        let turned = (0..sixths % 6).fold((2 * x - w, 2 * y - h), |(dx, dy), _| (dy, dy - dx));
        ((turned.0 + w).div_euclid(2), (turned.1 + h).div_euclid(2))
    }

    /// The target of `offset` with the left edge joined to the right one, for a piece that moves round the board.
    pub(crate) fn offset_round(&self, from: Square, (dx, dy): Offset) -> Option<Square> {
        let width = i16::from(self.width);
        let file = i16::from(self.file(from));
        let round = (file + i16::from(dx)).rem_euclid(width) - file;
        self.offset(from, (round as i8, dy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixths_of_a_turn_lead_from_neighbour_to_neighbour_and_back() {
        let six = Cells::Hex.neighbors();
        for (i, &step) in six.iter().enumerate() {
            assert_eq!(Cells::Hex.turn(step, 1), six[(i + 1) % 6]);
            assert_eq!(Cells::Hex.turn(step, 6), step);
            assert_eq!(Cells::Hex.length((step.0.into(), step.1.into())), 1);
        }
    }

    /// Distances agree with a search from neighbor to neighbor on boards without holes.
    #[test]
    fn distances_are_those_of_a_search() {
        for cells in [Cells::Square, Cells::Hex] {
            for wrap in [(false, false), (true, false), (true, true)] {
                let mut board = Board::new(6, 5, 1).unwrap();
                board.set_cells(cells);
                board.wrap(wrap.0, wrap.1);
                for from in board.squares() {
                    let (mut seen, mut edge, mut steps) = (SquareSet::from(from), vec![from], 0);
                    while !edge.is_empty() {
                        for &to in &edge {
                            // A sheared rectangle has corners that a straight way leaves.
                            let found = board.distance(from, to);
                            assert!(found <= steps, "{cells:?} {wrap:?} {from:?} {to:?}");
                            assert!(found == steps || cells == Cells::Hex && wrap != (true, true));
                        }
                        let next = edge.iter().flat_map(|&s| cells.neighbors().iter().map(move |&d| (s, d)));
                        edge = next
                            .filter_map(|(s, d)| board.offset(s, d))
                            .filter(|&s| {
                                let new = !seen.contains(s);
                                seen.insert(s);
                                new
                            })
                            .collect();
                        steps += 1;
                    }
                    assert_eq!(seen, board.squares());
                }
            }
        }
    }

    #[test]
    fn lines_between_go_the_short_way_round() {
        let mut board = Board::new(8, 4, 1).unwrap();
        board.wrap(true, false);
        let at = |name: &str| board.parse(name).unwrap();
        assert_eq!(board.between(at("g1"), at("b1")), [at("h1"), at("a1")]);
        assert_eq!(board.between(at("g1"), at("b4")), [at("h2"), at("a3")]);
        assert_eq!(board.between(at("g1"), at("b3")), []);
        assert_eq!(board.between(at("g1"), at("a3")), [at("h2")]);
        assert_eq!(board.offset_round(at("h1"), (2, 1)), Some(at("b2")));
    }

    #[test]
    fn hexagons_turn_about_their_centre() {
        let mut board = Board::new(5, 5, 1).unwrap();
        board.set_cells(Cells::Hex);
        let far: SquareSet = board.squares().into_iter().filter(|&s| board.distance(s, Square(12)) > 2).collect();
        board.cut(far);
        assert_eq!(board.squares().len(), 19);
        for square in board.squares() {
            let turned = board.turned(square, 1).unwrap();
            assert_eq!(board.distance(turned, Square(12)), board.distance(square, Square(12)));
            assert_eq!(board.advance(turned, 1), board.advance(square, 0));
            assert_eq!((0..6).try_fold(square, |s, _| board.turned(s, 1)), Some(square));
        }
        let at = |name: &str| board.parse(name).unwrap();
        // The lower left edge becomes the left edge: five of its cells in order.
        assert_eq!(board.turned(at("a1"), 1), Some(at("a3")));
        assert_eq!(board.turned(at("c1"), 1), Some(at("a1")));
    }
}
