//! The adjacency of a board: its declaration, and where offsets and rides lead, on flat grids and on linked boards.

use super::Board;
use super::links::{Contradiction, DIRECTIONS, Frame, Link, Links, Patched, Standing};
use super::offset::Offset;
use crate::board::square::{Square, SquareSet};

impl Board {
    /// Covers the board with patches; squares that belong to none become holes.
    ///
    /// # Errors
    /// If two patches contradict each other.
    pub fn sew(&mut self, patches: &[Vec<Patched>]) -> Result<(), Contradiction> {
        let mut links = Links::new(self.len(), false);
        for patch in patches {
            for here in patch {
                let frame = Frame { right: here.right, ahead: here.up };
                for (step, direction) in [((1, 0), here.right), ((0, 1), here.up)] {
                    let beside = |p: &&Patched| (p.column - here.column, p.row - here.row) == step;
                    let Some(there) = patch.iter().find(beside) else { continue };
                    let other = Frame { right: there.right, ahead: there.up };
                    let back = if step == (1, 0) { there.right } else { there.up };
                    links.join(here.square, direction, Link { to: there.square, frame: frame.to(other) })?;
                    let link = Link { to: here.square, frame: other.to(frame) };
                    links.join(there.square, (-back.0, -back.1), link)?;
                }
            }
        }
        self.cut(!patches.iter().flatten().map(|p| p.square).collect::<SquareSet>());
        self.links = Some(Box::new(links.finish()));
        Ok(())
    }

    /// Draws lines of squares, the only ways for pieces; squares on no line become holes.
    ///
    /// # Errors
    /// If two lines lead the same way from one square to different ones.
    pub fn draw_lines(&mut self, lines: &[Vec<Square>]) -> Result<(), Contradiction> {
        let mut links = Links::new(self.len(), true);
        for pair in lines.iter().flat_map(|line| line.windows(2)) {
            let (x, y) = self.difference(pair[0], pair[1]);
            let way = (x.signum() as i8, y.signum() as i8);
            links.join(pair[0], way, Link { to: pair[1], frame: Frame::NAMES })?;
            links.join(pair[1], (-way.0, -way.1), Link { to: pair[0], frame: Frame::NAMES })?;
        }
        self.cut(!lines.iter().flatten().copied().collect::<SquareSet>());
        self.links = Some(Box::new(links.finish()));
        Ok(())
    }

    /// The declared adjacency; `None` if it follows from the names.
    pub fn links(&self) -> Option<&Links> {
        self.links.as_deref()
    }

    /// Whether a board's steps are the lines drawn on it.
    pub fn has_drawn_lines(&self) -> bool {
        self.links().is_some_and(|links| links.drawn)
    }

    /// Pairs of squares on a board made of patches: neighbors that are not adjacent by name, and squares adjacent by name
    /// that are not neighbors. For displays that show the rectangle of names.
    pub fn seams(&self) -> (Vec<[Square; 2]>, Vec<[Square; 2]>) {
        let (mut joined, mut parted) = (Vec::new(), Vec::new());
        let Some(links) = self.links().filter(|links| !links.drawn) else { return (joined, parted) };
        for from in self.squares() {
            for (number, &direction) in DIRECTIONS.iter().enumerate().step_by(2) {
                let link = links.links[from.index()][number].map(|link| link.to);
                let (dx, dy) = (i64::from(direction.0), i64::from(direction.1));
                let beside = self.at(i64::from(self.file(from)) + dx, i64::from(self.rank(from)) + dy);
                if link != beside {
                    joined.extend(link.filter(|to| *to > from).map(|to| [from, to]));
                    parted.extend(beside.filter(|to| *to > from).map(|to| [from, to]));
                }
            }
        }
        (joined, parted)
    }

    /// The squares joined to one by drawn lines, each line from its end with the lower number.
    pub fn lines_from(&self, square: Square) -> impl Iterator<Item = Square> + '_ {
        self.links().into_iter().flat_map(move |links| links.drawn_from(square))
    }

    /// All squares that an offset leads to: more than one only where ways fork.
    pub fn offsets(&self, from: Square, offset: Offset) -> SquareSet {
        match &self.links {
            None => self.offset(from, offset).into_iter().collect(),
            Some(links) => {
                let at = Standing { square: from, frame: Frame::NAMES };
                links.ends(at, offset).into_iter().map(|end| end.square).collect()
            }
        }
    }

    /// The lines of equal steps, nearest squares first: up to the edge, or once round. More than one only where ways fork.
    pub fn rides(&self, from: Square, step: Offset) -> Vec<Vec<Square>> {
        let squares = |line: Vec<Standing>| line.into_iter().map(|at| at.square).collect();
        match &self.links {
            None => {
                let next = |&at: &Square| self.offset(at, step).filter(|to| *to != from);
                vec![std::iter::successors(next(&from), next).collect()]
            }
            Some(links) => {
                let at = Standing { square: from, frame: Frame::NAMES };
                links.rides(at, usize::from(u8::MAX), |_| step).into_iter().map(squares).collect()
            }
        }
    }

    /// A step, and the direction of the next one, which changes at a seam.
    pub(crate) fn onward(&self, from: Square, direction: Offset) -> Option<(Square, Offset)> {
        match &self.links {
            None => self.offset(from, direction).map(|to| (to, direction)),
            Some(links) => {
                let ends = links.ends(Standing { square: from, frame: Frame::NAMES }, direction);
                ends.first().map(|end| (end.square, end.frame.apply(direction)))
            }
        }
    }

    /// Whether a square is drawn dark, of two colors.
    pub fn is_dark(&self, square: Square) -> bool {
        match &self.links {
            Some(links) => links.is_dark(square),
            None => (self.file(square) + self.rank(square)).is_multiple_of(2),
        }
    }
}
