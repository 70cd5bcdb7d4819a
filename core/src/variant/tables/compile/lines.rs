//! The squares along a direction, one step after another: up to the edge or, for pieces that bounce, on from there.
//!
//! The [tables](super) decide how a line is used; this module knows no position and no blocking pieces.

use crate::board::bounce::Bounces;
use crate::board::links::{Frame, Links, Standing};
use crate::board::piece::{Atom, KindDef, Travel};
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::board::{Board, Offset};

/// The longest line, unless the piece bounces: one less than the number of squares of the largest board.
const LONGEST: usize = 255;
/// More steps than any bouncing piece makes before it returns to its own square.
const LONGEST_BOUNCING: usize = 1024;

/// One square along a direction: where a step leads and what must be empty for it.
pub(crate) struct Stop {
    pub(crate) to: Square,
    pub(super) legs: SquareSet,
}

/// The start of lines, their step in terms of names, whether the piece's right is a file, and the most steps. On boards
/// with declared adjacency, lines with equal keys are equal for all pieces and sides: a half turn changes the names of all
/// steps, but neither the ways nor their order.
pub(super) type LineKey = (Square, Offset, u8, u8);

/// The piece whose lines are followed, and the board.
pub(crate) struct LineContext<'a> {
    pub(crate) board: &'a Board,
    pub(crate) def: &'a KindDef,
    pub(crate) side: Side,
}

/// The steps of one direction of an atom, each with the squares that must be empty for it.
struct Steps<'a> {
    first: Offset,
    bend: &'a [Offset],
    legs: &'a [Offset],
    limit: usize,
}

impl Steps<'_> {
    fn of(atom: &Atom, direction: usize, longest: usize) -> Steps<'_> {
        Steps {
            first: atom.steps[direction],
            bend: atom.bends.get(direction).map_or(&[], Vec::as_slice),
            legs: atom.legs.get(direction).map_or(&[], Vec::as_slice),
            limit: if atom.max == 0 { longest } else { usize::from(atom.max) },
        }
    }

    /// The offset of a step, from 0.
    fn step(&self, n: usize) -> Offset {
        if n == 0 || self.bend.is_empty() { self.first } else { self.bend[(n - 1) % self.bend.len()] }
    }
}

impl LineContext<'_> {
    /// The squares along a direction of an atom: up to its limit, the edge, a hole, or the origin itself on a board that
    /// wraps around. There is one line, unless the board declares its adjacency and ways fork. `turn` is how far the
    /// forward direction is turned on `from`.
    pub(crate) fn follow(&self, atom: &Atom, direction: usize, turn: u8, from: Square) -> Vec<Vec<Stop>> {
        // A single step has no line on which it could bounce.
        let bounces = self.def.bounces.as_ref().filter(|_| atom.max != 1);
        // A piece that jumps over pieces, or only moves between them, depends on each square that it passes, so these must
        // differ.
        let crosses = atom.travel == Travel::Clear && atom.legs.iter().all(Vec::is_empty);
        let longest = if bounces.is_some() && crosses { LONGEST_BOUNCING } else { LONGEST };
        let steps = Steps::of(atom, direction, longest);
        let lines = match self.board.links() {
            Some(links) => self.linked(links, bounces, &steps, turn, from),
            None => {
                let mut line = Vec::new();
                self.straight(atom, bounces, &steps, turn, from, &mut line);
                vec![line]
            }
        };
        match bounces {
            None => lines,
            Some(_) => lines.into_iter().map(|line| once_each(line, crosses)).collect(),
        }
    }

    /// The key of the lines along a direction over a board with declared adjacency; `None` if they depend on more than
    /// their first step.
    pub(super) fn key(&self, atom: &Atom, direction: usize, turn: u8, from: Square) -> Option<LineKey> {
        let steps = Steps::of(atom, direction, LONGEST);
        let plain = steps.bend.is_empty() && steps.legs.is_empty() && self.def.bounces.is_none();
        let first = Frame::turned(turn).apply(steps.first);
        (plain && self.board.links().is_some()).then_some((from, first, turn % 2, atom.max))
    }

    /// The only line along a direction, reusing a list, on boards without seams for pieces that do not bounce; returns
    /// whether this simple case applies.
    pub(super) fn follow_straight(
        &self,
        atom: &Atom,
        direction: usize,
        turn: u8,
        from: Square,
        line: &mut Vec<Stop>,
    ) -> bool {
        if self.board.links().is_some() || self.def.bounces.is_some() {
            return false;
        }
        line.clear();
        self.straight(atom, None, &Steps::of(atom, direction, LONGEST), turn, from, line);
        true
    }

    /// The line on a board without seams, into an empty list.
    fn straight(
        &self,
        atom: &Atom,
        bounces: Option<&Bounces>,
        steps: &Steps<'_>,
        turn: u8,
        from: Square,
        stops: &mut Vec<Stop>,
    ) {
        let (board, mut turned) = (self.board, (false, false));
        let mut left = bounces.map_or(0, |bounces| bounces.most.unwrap_or(u8::MAX));
        let go = |at, step| if atom.round { board.offset_round(at, step) } else { board.offset(at, step) };
        let seen = |(across, along): (bool, bool), step: Offset| {
            let (x, y) = board.turn(step, turn);
            (if across { -x } else { x }, if along { -y } else { y })
        };
        let mut at = from;
        while stops.len() < steps.limit {
            let step = seen(turned, steps.step(stops.len()));
            let legs = || steps.legs.iter().map(|&leg| go(at, seen(turned, leg))).collect::<Option<SquareSet>>();
            let (to, legs) = match (go(at, step), bounces) {
                (Some(to), _) => (to, legs()),
                (None, Some(bounces)) if left > 0 => {
                    let Some((to, flips)) = board.bounce(bounces, self.side, at, step, atom.round) else { break };
                    left -= 1;
                    turned = (turned.0 != flips.0, turned.1 != flips.1);
                    let legs = steps.legs.iter().map(|&leg| go(at, seen(turned, leg))).collect();
                    (to, legs)
                }
                (None, _) => break,
            };
            let Some(legs) = legs.filter(|_| to != from) else { break };
            stops.push(Stop { to, legs });
            at = to;
        }
    }

    /// The lines over a board with declared adjacency. If the way to the leg of a lame leap forks, the leg is at several
    /// squares, and a piece on any of them blocks the leap.
    fn linked(
        &self,
        links: &Links,
        bounces: Option<&Bounces>,
        steps: &Steps<'_>,
        turn: u8,
        from: Square,
    ) -> Vec<Vec<Stop>> {
        let start = Standing { square: from, frame: Frame::turned(turn) };
        let most = bounces.map_or(0, |bounces| bounces.most.unwrap_or(u8::MAX));
        let edge =
            |at, step| bounces.map_or(Vec::new(), |bounces| links.bounce(self.board, bounces, self.side, at, step));
        let stops = |line: Vec<Standing>| {
            let before = std::iter::once(&start).chain(&line);
            let stop = |(at, end): (&Standing, &Standing)| {
                let legs = steps.legs.iter().flat_map(|&leg| links.ends(*at, leg)).map(|leg| leg.square).collect();
                Stop { to: end.square, legs }
            };
            before.zip(&line).map(stop).collect()
        };
        let lines = links.rides_off(start, steps.limit, |n| steps.step(n), most, edge);
        lines.into_iter().map(stops).collect()
    }
}

/// A line that may revisit squares, reduced to each square once. A piece that only crosses empty squares goes on after a
/// repeated square (`crosses`); for others the line ends there.
fn once_each(line: Vec<Stop>, crosses: bool) -> Vec<Stop> {
    let (mut seen, mut once) = (SquareSet::EMPTY, Vec::new());
    for stop in line {
        match seen.contains(stop.to) {
            true if crosses => continue,
            true => break,
            false => {}
        }
        seen.insert(stop.to);
        once.push(stop);
    }
    once
}
