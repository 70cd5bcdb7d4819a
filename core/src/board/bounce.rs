//! How pieces bounce off the edge of a board, as a billiard ball off a cushion.
//!
//! Each step is a number of files and a number of ranks. If a step would leave the board, its offending component (files or
//! ranks) is reversed for this step and all later ones. In a corner both components are reversed, and the piece returns the
//! way it came. For pieces that move one cell per step, a hole is an edge, too. Longer steps are folded at the outermost
//! files and ranks: a target that lies some distance beyond the edge is reflected to the same distance inside it. This
//! module does not know which pieces bounce or how their lines end.

use super::Board;
use super::offset::Offset;
use crate::board::links::{Links, Standing};
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};

/// How the pieces of a kind bounce.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounces {
    /// The maximum number of bounces of a move; `None` for any number.
    pub most: Option<u8>,
    /// The edges that it bounces off.
    pub off: Cushions,
    /// Where the edge lies.
    pub at: EdgeLine,
}

/// The edges that a piece bounces off.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Cushions {
    /// All of them.
    #[default]
    All,
    /// The left and the right edge.
    Files,
    /// The lower and the upper edge.
    Ranks,
    /// The edges of the squares of a region, as the side of the piece sees it.
    Region(String),
}

/// The position of the edge, for a piece that bounces off it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EdgeLine {
    /// In the middle of the outermost squares: from there a piece returns at an angle, on squares of the same color.
    #[default]
    Squares,
    /// Around the outermost squares: a piece re-enters on the adjacent square, which has the other color.
    Border,
}

/// The reversed components of a step: the files, the ranks.
pub(crate) type Turned = (bool, bool);

impl Bounces {
    /// The components of a step from a square that may be reversed.
    fn allowed(&self, board: &Board, side: Side, from: Square) -> Turned {
        match &self.off {
            Cushions::All => (true, true),
            Cushions::Files => (true, false),
            Cushions::Ranks => (false, true),
            Cushions::Region(name) => {
                let squares = board.region(name).map_or(SquareSet::EMPTY, |region| region.squares[side.index()]);
                (squares.contains(from), squares.contains(from))
            }
        }
    }
}

/// Whether a step leads to a neighbor.
fn is_near((dx, dy): Offset) -> bool {
    dx.abs() <= 1 && dy.abs() <= 1
}

/// One component of a step, zero or not, of a bouncing piece: what remains of it when it is reversed.
fn rest(part: i8, turned: bool, at: EdgeLine) -> i8 {
    match (turned, at) {
        (false, _) => part,
        (true, EdgeLine::Squares) => -part,
        (true, EdgeLine::Border) => 0,
    }
}

impl Board {
    /// The square of a piece whose next `step` leads off a board of squares, and which components of its steps are reversed
    /// from there on; `None` if it does not bounce there. `round`: the left edge is joined to the right one.
    pub(crate) fn bounce(
        &self,
        bounces: &Bounces,
        side: Side,
        from: Square,
        step: Offset,
        round: bool,
    ) -> Option<(Square, Turned)> {
        let go = |step| if round { self.offset_round(from, step) } else { self.offset(from, step) };
        let place = [i16::from(self.file(from)), i16::from(self.rank(from))];
        let sizes = [i16::from(self.width()), i16::from(self.height())];
        let joined = [self.wraps().0 || round, self.wraps().1];
        let parts = [step.0, step.1];
        // A component of the step leaves the board if it would do so alone.
        let leaves = |i: usize| match is_near(step) {
            true => parts[i] != 0 && go(if i == 0 { (step.0, 0) } else { (0, step.1) }).is_none(),
            false => !joined[i] && !(0..sizes[i]).contains(&(place[i] + i16::from(parts[i]))),
        };
        let turned = (leaves(0), leaves(1));
        let allowed = bounces.allowed(self, side, from);
        if turned == (false, false) || turned.0 && !allowed.0 || turned.1 && !allowed.1 {
            return None;
        }
        let folded = |i: usize, turned: bool| {
            if is_near(step) || !turned {
                return Some(rest(parts[i], turned, bounces.at));
            }
            let beyond = place[i] + i16::from(parts[i]);
            let mirror = if beyond < 0 { 0 } else { 2 * (sizes[i] - 1) };
            let gap = if bounces.at == EdgeLine::Squares { 0 } else { parts[i].signum().into() };
            i8::try_from(mirror + gap - beyond - place[i]).ok()
        };
        let to = go((folded(0, turned.0)?, folded(1, turned.1)?))?;
        (to != from).then_some((to, turned))
    }
}

impl Links {
    /// The same on a board with declared adjacency, for steps to neighbors: the standings of a bouncing piece, with its own
    /// right and ahead mirrored. More than one only where ways fork.
    pub(crate) fn bounce(
        &self,
        board: &Board,
        bounces: &Bounces,
        side: Side,
        at: Standing,
        step: Offset,
    ) -> Vec<Standing> {
        let leaves = |part: Offset| part != (0, 0) && self.ends(at, part).is_empty();
        let turned = (leaves((step.0, 0)), leaves((0, step.1)));
        let (files, ranks) = bounces.allowed(board, side, at.square);
        let allowed = if at.frame.lies_across() { (files, ranks) } else { (ranks, files) };
        if !is_near(step) || turned == (false, false) || turned.0 && !allowed.0 || turned.1 && !allowed.1 {
            return Vec::new();
        }
        let mirrored = Standing { square: at.square, frame: at.frame.mirrored(turned) };
        let inward = |part: i8, turned: bool| if turned && bounces.at == EdgeLine::Border { 0 } else { part };
        let mut ends = self.ends(mirrored, (inward(step.0, turned.0), inward(step.1, turned.1)));
        ends.retain(|end| end.square != at.square);
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Bounces = Bounces { most: None, off: Cushions::All, at: EdgeLine::Squares };

    fn bounced(board: &Board, bounces: &Bounces, from: &str, step: Offset) -> Option<(String, Turned)> {
        let from = board.parse(from).unwrap();
        assert_eq!(board.offset(from, step), None, "the step leads off the board");
        let side = Side::FIRST;
        board.bounce(bounces, side, from, step, false).map(|(to, turned)| (board.name(to), turned))
    }

    fn to(name: &str, turned: Turned) -> Option<(String, Turned)> {
        Some((name.into(), turned))
    }

    #[test]
    fn what_would_leave_is_turned_round() {
        let board = Board::new(8, 8, 1).unwrap();
        assert_eq!(bounced(&board, &PLAIN, "h4", (1, 1)), to("g5", (true, false)));
        assert_eq!(bounced(&board, &PLAIN, "e8", (1, 1)), to("f7", (false, true)));
        assert_eq!(bounced(&board, &PLAIN, "h8", (1, 1)), to("g7", (true, true)));
        assert_eq!(bounced(&board, &PLAIN, "a1", (-1, 1)), to("b2", (true, false)));
        assert_eq!(bounced(&board, &PLAIN, "e8", (0, 1)), to("e7", (false, true)));
    }

    #[test]
    fn at_the_border_it_comes_in_on_the_square_beside() {
        let board = Board::new(8, 8, 1).unwrap();
        let border = Bounces { at: EdgeLine::Border, ..PLAIN };
        assert_eq!(bounced(&board, &border, "h4", (1, 1)), to("h5", (true, false)));
        assert_eq!(bounced(&board, &border, "a3", (-1, -1)), to("a2", (true, false)));
        assert_eq!(bounced(&board, &border, "h8", (1, 1)), None);
        // g7 and two files on is i8, one file beyond the line; h8 is as far inside it.
        assert_eq!(bounced(&board, &border, "g7", (2, 1)), to("h8", (true, false)));
    }

    /// Leaps end as far inside the middle of the outermost squares as they would end beyond: from g1, i2 becomes g2.
    #[test]
    fn leaps_are_folded() {
        let board = Board::new(8, 8, 1).unwrap();
        assert_eq!(bounced(&board, &PLAIN, "g1", (2, 1)), to("g2", (true, false)));
        assert_eq!(bounced(&board, &PLAIN, "d7", (1, 2)), to("e7", (false, true)));
        assert_eq!(bounced(&board, &PLAIN, "a2", (-2, -1)), to("c1", (true, false)));
        let narrow = Board::new(2, 8, 1).unwrap();
        assert_eq!(bounced(&narrow, &PLAIN, "b2", (3, 1)), None);
    }

    #[test]
    fn edges_may_be_some_of_them() {
        let board = Board::new(8, 8, 1).unwrap();
        let files = Bounces { off: Cushions::Files, ..PLAIN };
        assert_eq!(bounced(&board, &files, "h4", (1, 1)), to("g5", (true, false)));
        assert_eq!(bounced(&board, &files, "e8", (1, 1)), None);
        assert_eq!(bounced(&board, &files, "h8", (1, 1)), None);
        let nowhere = Bounces { off: Cushions::Region("nowhere".into()), ..PLAIN };
        assert_eq!(bounced(&board, &nowhere, "h4", (1, 1)), None);
    }

    #[test]
    fn holes_are_edges_and_joined_edges_are_none() {
        let mut board = Board::new(8, 8, 1).unwrap();
        let holes = ["d5", "e5", "f5"].map(|name| board.parse(name).unwrap());
        board.cut(holes.into_iter().collect());
        assert_eq!(bounced(&board, &PLAIN, "d4", (1, 1)), to("e3", (false, true)));
        // The point of a corner: neither component leaves alone.
        assert_eq!(bounced(&board, &PLAIN, "c4", (1, 1)), None);
        board.wrap(true, false);
        assert_eq!(bounced(&board, &PLAIN, "h8", (1, 1)), to("a7", (false, true)));
    }
}
