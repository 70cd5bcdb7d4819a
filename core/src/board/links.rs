//! Boards that are not a flat grid: adjacency is declared square by square instead of derived from square names.
//!
//! Squares keep the names of a rectangle with holes, so that positions, notation and tables work unchanged. Only the
//! targets of steps differ. There are two kinds of declarations, and both produce [`Links`]:
//!
//! * *patches*: flat pieces that overlap and together cover the board. Squares that are adjacent in a patch are neighbors.
//!   A diagonal step is one step ahead and one aside, in either order. Where more than four squares meet in a corner, the
//!   two orders lead to different squares, and a slider continues on both.
//! * *lines*: drawn lines, the only ways for pieces. Diagonals, too, exist only where they are drawn.
//!
//! Directions follow the names of squares (right is the next letter, up the next number). Crossing a seam may rotate or
//! mirror them, so a moving piece has a [`Standing`]: its square, and its current right and ahead. Everything else follows
//! from single steps. A straight or diagonal offset is that many single steps; any other offset goes round both corners of
//! its rectangle (a knight: two ahead and one aside, or one aside and two ahead). A step may have several ends.

use super::offset::{Offset, turn_offset};
use crate::board::square::{Square, SquareSet};

/// The maximum number of ends of a step, and of lines of a slider: more are cut off, as a limit for hostile scripts.
const MOST: usize = 64;

/// A rotated or mirrored set of directions: where the right and ahead of a moving piece point, in terms of square names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(super) right: Offset,
    pub(super) ahead: Offset,
}

impl Frame {
    /// Right and up according to the names.
    pub(crate) const NAMES: Frame = Frame { right: (1, 0), ahead: (0, 1) };

    /// Turned clockwise by quarters.
    pub(crate) fn turned(quarters: u8) -> Frame {
        Frame { right: turn_offset((1, 0), quarters), ahead: turn_offset((0, 1), quarters) }
    }

    /// An offset of a piece with this frame, in terms of names.
    pub(crate) fn apply(self, (x, y): Offset) -> Offset {
        (x * self.right.0 + y * self.ahead.0, x * self.right.1 + y * self.ahead.1)
    }

    /// This frame seen through another one.
    pub(super) fn then(self, other: Frame) -> Frame {
        Frame { right: other.apply(self.right), ahead: other.apply(self.ahead) }
    }

    /// With right and left exchanged, or ahead and back.
    pub(crate) fn mirrored(self, (across, along): (bool, bool)) -> Frame {
        let flip = |(x, y): Offset, turned: bool| if turned { (-x, -y) } else { (x, y) };
        Frame { right: flip(self.right, across), ahead: flip(self.ahead, along) }
    }

    /// Whether the piece's right and left are files in terms of names, not ranks.
    pub(crate) fn lies_across(self) -> bool {
        self.right.0 != 0
    }

    /// The frame that leads from `self` to `other`.
    pub(super) fn to(self, other: Frame) -> Frame {
        // Both are rotations or reflections, so the inverse is the transposed matrix.
        let inverse = Frame { right: (self.right.0, self.ahead.0), ahead: (self.right.1, self.ahead.1) };
        inverse.then(other)
    }
}

/// A moving piece: its square, and its transformed directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Standing {
    pub(crate) square: Square,
    pub(crate) frame: Frame,
}

/// Where a step to a neighbor leads, and how it changes directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Link {
    pub(super) to: Square,
    pub(super) frame: Frame,
}

/// The adjacency of a board that declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Links {
    /// By square and direction, the eight clockwise from up.
    pub(super) links: Vec<[Option<Link>; 8]>,
    /// Whether diagonals are separate lines, instead of steps ahead and aside.
    pub(super) drawn: bool,
    /// By pairs of squares, the number of king's steps between them; 255 if unreachable.
    distances: Vec<u8>,
    /// Squares whose orthogonal neighbors are light, if two colors suffice.
    dark: SquareSet,
}

/// A square in a patch: its place there, and the directions of the patch's right and up in terms of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patched {
    /// The square.
    pub square: Square,
    /// Its column in the patch, from the left.
    pub column: i16,
    /// Its row in the patch, from below.
    pub row: i16,
    /// The patch's right, in terms of names.
    pub right: Offset,
    /// The patch's up, in terms of names.
    pub up: Offset,
}

/// Two patches or lines that contradict each other about a neighbor of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The square.
    pub square: Square,
    /// The two squares that would be next to it in one direction.
    pub neighbors: [Square; 2],
}

pub(super) const DIRECTIONS: [Offset; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The numbers of directions: rows by offset to the right, columns by offset ahead, both from -1.
const NUMBERS: [[u8; 3]; 3] = {
    let (mut numbers, mut number) = ([[0; 3]; 3], 0);
    while number < DIRECTIONS.len() {
        let (x, y) = DIRECTIONS[number];
        numbers[(x + 1) as usize][(y + 1) as usize] = number as u8;
        number += 1;
    }
    numbers
};

/// The number of a direction; 0 for any other offset. Called for each step of each piece from each square.
fn number((x, y): Offset) -> usize {
    let at = |offset: i8| usize::try_from(i16::from(offset) + 1).unwrap_or(usize::MAX);
    NUMBERS.get(at(x)).and_then(|row| row.get(at(y))).map_or(0, |number| usize::from(*number))
}

impl Links {
    /// No links yet on a board with this many squares, holes included.
    pub(super) fn new(squares: usize, drawn: bool) -> Links {
        let links = vec![[None; 8]; squares];
        Links { links, drawn, distances: Vec::new(), dark: SquareSet::EMPTY }
    }

    /// Links two squares, in one direction.
    pub(super) fn join(&mut self, from: Square, direction: Offset, link: Link) -> Result<(), Contradiction> {
        let known = &mut self.links[from.index()][number(direction)];
        match known {
            Some(old) if *old != link => Err(Contradiction { square: from, neighbors: [old.to, link.to] }),
            _ => {
                *known = Some(link);
                Ok(())
            }
        }
    }

    /// The neighbor one step away, in terms of names.
    pub(super) fn link(&self, from: Square, direction: Offset) -> Option<Link> {
        self.links[from.index()][number(direction)]
    }

    /// Where one step to a neighbor leads: at most two ends.
    fn step(&self, at: Standing, step: Offset) -> impl Iterator<Item = Standing> + use<> {
        let through = |at: Standing, step: Offset| {
            let link = self.link(at.square, at.frame.apply(step))?;
            Some(Standing { square: link.to, frame: at.frame.then(link.frame) })
        };
        if self.drawn || step.0 == 0 || step.1 == 0 {
            return [through(at, step), None].into_iter().flatten();
        }
        let halves = [(step.0, 0), (0, step.1)];
        let first = halves.map(|half| through(at, half));
        // Where three squares meet in a corner, no diagonal leads through it.
        let is_beside =
            |end: &Standing| end.square == at.square || first.iter().flatten().any(|near| near.square == end.square);
        let onward = |by: Option<Standing>, half| through(by?, half).filter(|end| !is_beside(end));
        let ends = [onward(first[0], halves[1]), onward(first[1], halves[0])];
        let ends = if ends[0] == ends[1] { [ends[0], None] } else { ends };
        ends.into_iter().flatten()
    }

    /// The ends of equal steps one after another.
    fn repeated(&self, from: Vec<Standing>, step: Offset, times: u8) -> Vec<Standing> {
        let (mut all, mut next) = (from, Vec::new());
        for _ in 0..times {
            for end in all.drain(..).flat_map(|at| self.step(at, step)) {
                if !next.contains(&end) && next.len() < MOST {
                    next.push(end);
                }
            }
            std::mem::swap(&mut all, &mut next);
        }
        all
    }

    /// The ends of an offset, as seen by the moving piece.
    pub(crate) fn ends(&self, from: Standing, (x, y): Offset) -> Vec<Standing> {
        let (across, along) = ((x.signum(), 0), (0, y.signum()));
        let (wide, high) = (x.unsigned_abs(), y.unsigned_abs());
        if wide.max(high) == 1 {
            return self.step(from, (x, y)).collect();
        }
        if x == 0 || y == 0 || wide == high {
            return self.repeated(vec![from], (x.signum(), y.signum()), wide.max(high));
        }
        let corner = |first, n, second, m| self.repeated(self.repeated(vec![from], first, n), second, m);
        let mut ends = corner(across, wide, along, high);
        for end in corner(along, high, across, wide) {
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        ends.retain(|end| end.square != from.square);
        ends
    }

    /// The lines of repeated steps: each ends where no step follows, at the origin, or where the line repeats. `steps`
    /// returns the offset of each step, from 0.
    pub(crate) fn rides(&self, from: Standing, limit: usize, steps: impl Fn(usize) -> Offset) -> Vec<Vec<Standing>> {
        self.rides_off(from, limit, steps, 0, |_, _| Vec::new())
    }

    /// The same, but a step off the board may be followed at most `most` times with the edge's transformation of it.
    pub(crate) fn rides_off(
        &self,
        from: Standing,
        limit: usize,
        steps: impl Fn(usize) -> Offset,
        most: u8,
        edge: impl Fn(Standing, Offset) -> Vec<Standing>,
    ) -> Vec<Vec<Standing>> {
        let mut lines = Vec::new();
        let mut open = vec![(Vec::new(), most)];
        while let Some((mut line, mut left)) = open.pop() {
            let at = line.last().copied().unwrap_or(from);
            let mut ends = if line.len() < limit { self.ends(at, steps(line.len())) } else { Vec::new() };
            if ends.is_empty() && left > 0 && line.len() < limit {
                ends = edge(at, steps(line.len()));
                left -= 1;
            }
            ends.retain(|end| end.square != from.square && !line.contains(end));
            if ends.is_empty() || lines.len() + open.len() >= MOST {
                lines.push(line);
                continue;
            }
            if let [end] = ends[..] {
                line.push(end);
                open.push((line, left));
                continue;
            }
            // Taken from the back, so that the first way comes first.
            open.extend(ends.into_iter().rev().map(|end| ([&line[..], &[end]].concat(), left)));
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    /// Computes distances and square colors from the links.
    pub(super) fn finish(mut self) -> Links {
        let size = self.links.len();
        let squares = || (0..size).map(|index| Square(index as u8));
        let around: Vec<SquareSet> = squares().map(|square| self.around(square)).collect();
        let mut distances = vec![u8::MAX; size * size];
        for (from, row) in squares().zip(distances.chunks_mut(size)) {
            row[from.index()] = 0;
            let mut edge = SquareSet::from(from);
            let mut reached = edge;
            for steps in 1..u8::MAX {
                edge = edge.into_iter().fold(SquareSet::EMPTY, |all, square| all | around[square.index()]) - reached;
                edge.into_iter().for_each(|square| row[square.index()] = steps);
                reached |= edge;
                if edge.is_empty() {
                    break;
                }
            }
        }
        self.distances = distances;
        self.dark = self.colors();
        self
    }

    /// The squares of one color: that of the first square of each connected part.
    fn colors(&self) -> SquareSet {
        let (mut seen, mut dark) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for start in (0..self.links.len()).map(|i| Square(i as u8)) {
            let mut open = if seen.contains(start) { Vec::new() } else { vec![(start, true)] };
            while let Some((square, is_dark)) = open.pop() {
                if seen.contains(square) {
                    continue;
                }
                seen.insert(square);
                if is_dark {
                    dark.insert(square);
                }
                let orthogonal = self.links[square.index()].iter().step_by(2).flatten();
                open.extend(orthogonal.map(|link| (link.to, !is_dark)));
            }
        }
        dark
    }

    /// The neighbors of a square.
    pub(crate) fn around(&self, square: Square) -> SquareSet {
        let at = Standing { square, frame: Frame::NAMES };
        DIRECTIONS.iter().flat_map(|&step| self.step(at, step)).map(|end| end.square).collect()
    }

    /// The shortest line of neighbors from one square to another: its direction and the squares it passes.
    pub(crate) fn straight(&self, from: Square, to: Square) -> Option<(Offset, Vec<Square>)> {
        let start = Standing { square: from, frame: Frame::NAMES };
        let mut best: Option<(Offset, Vec<Square>)> = None;
        for &step in &DIRECTIONS {
            for line in self.rides(start, usize::from(u8::MAX), |_| step) {
                let Some(at) = line.iter().position(|s| s.square == to) else { continue };
                if best.as_ref().is_none_or(|(_, passed)| at < passed.len()) {
                    best = Some((step, line[..at].iter().map(|s| s.square).collect()));
                }
            }
        }
        best
    }

    /// The steps of a king between two squares.
    pub(crate) fn distance(&self, from: Square, to: Square) -> i16 {
        i16::from(self.distances[from.index() * self.links.len() + to.index()])
    }

    /// Whether the square is one of the dark ones.
    pub(crate) fn is_dark(&self, square: Square) -> bool {
        self.dark.contains(square)
    }

    /// The squares that lines are drawn to from one, each line from its end with the lower number.
    pub(crate) fn drawn_from(&self, square: Square) -> impl Iterator<Item = Square> + '_ {
        self.links[square.index()].iter().flatten().map(|link| link.to).filter(move |to| *to > square)
    }
}
