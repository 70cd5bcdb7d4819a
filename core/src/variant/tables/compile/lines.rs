//! The squares along a direction, one step after another: until the edge, or on from there for pieces that bounce.
//!
//! What is done with a line is for the [tables](super); this knows no position and no piece in the way.

use crate::board::bounce::Bounces;
use crate::board::links::{Frame, Links, Standing};
use crate::board::piece::{Atom, KindDef, Side, Travel};
use crate::board::square::{Square, SquareSet};
use crate::board::{Board, Offset};

/// The longest line, unless the piece bounces: as many squares as the largest board has, but one.
const LONGEST: usize = 255;
/// More steps than any piece makes that bounces, before it comes to its own square again.
const LONGEST_BOUNCING: usize = 1024;

/// One square along a direction: where a step leads and what must be empty for it.
pub(crate) struct Stop {
    pub(crate) to: Square,
    pub(super) legs: SquareSet,
}

/// Where lines begin, their step by the names of squares, whether their traveller's right is a file, and their most steps.
/// Over boards that say what is next to what, lines that are alike in this are alike, of whatever piece and side: a
/// half turn changes the names of all steps, but neither which ways there are nor which of them is tried first.
pub(super) type LineKey = (Square, Offset, u8, u8);

/// Whose lines are followed, and where.
pub(crate) struct Course<'a> {
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

impl Course<'_> {
    /// The squares along a direction of an atom: until its limit, the edge, a hole, or the origin itself on a board that
    /// wraps around. One line, unless the board says what is next to what and ways part on it. `turn` is how far the
    /// forward direction is turned on `from`.
    pub(crate) fn follow(&self, atom: &Atom, direction: usize, turn: u8, from: Square) -> Vec<Vec<Stop>> {
        // A single step has no way on which it could be turned.
        let bounces = self.def.bounces.as_ref().filter(|_| atom.max != 1);
        // Who passes over pieces, or only between them, asks something of each square that it passes: these must differ.
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

    /// What the lines along a direction depend on, over a board that says what is next to what; `None` where it is more than
    /// their first step.
    pub(super) fn key(&self, atom: &Atom, direction: usize, turn: u8, from: Square) -> Option<LineKey> {
        let steps = Steps::of(atom, direction, LONGEST);
        let plain = steps.bend.is_empty() && steps.legs.is_empty() && self.def.bounces.is_none();
        let first = Frame::turned(turn).apply(steps.first);
        (plain && self.board.links().is_some()).then_some((from, first, turn % 2, atom.max))
    }

    /// The only line along a direction, in the room of another one, on boards without seams for pieces that do not bounce;
    /// whether it is so simple.
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

    /// The lines over a board that says what is next to what. A lame leap whose leg is at several squares there, as a way to
    /// it parts, may be stopped at any of them.
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

/// A line that may come to a square again, with each square once: who goes over empty squares alone finds nothing new there
/// and goes on (`crosses`), for others it ends.
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
