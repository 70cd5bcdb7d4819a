//! Pushes: a piece moves and shoves the lines of pieces in its way ahead of it.
//!
//! A push goes toward one of the neighbors of a cell and bears that neighbor's number. It moves the piece directly ahead,
//! of any side, and all pieces adjoining it in line. It captures nothing except pieces pushed over the edge.

use crate::board::Offset;
use crate::board::piece::Piece;
use crate::board::square::{MAX_SQUARES, Square, SquareSet};
use crate::position::Position;
use crate::position::moves::{Move, Tag, Taking};
use crate::variant::Variant;

/// Set in a push's number if pieces may be pushed over the edge.
const OVER: u8 = 8;

/// How far a push goes and what happens at the edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reach {
    /// The number of steps; a push that is stopped by the edge goes as far as it can.
    pub steps: i16,
    /// Whether fewer steps may be made.
    pub fewer: bool,
    /// Whether pieces pushed over the edge are captured; otherwise the edge stops the push.
    pub over_edge: bool,
    /// The maximum number of pieces that are pushed at once; a longer line stops the push.
    pub line: i16,
}

/// Appends to `out` the pushes of the piece on `from` along the directions of its own movement. A push that is stopped
/// immediately is a move that ends where it starts. A push that meets no piece is a plain move, since it has the same
/// effect.
pub(crate) fn moves(variant: &Variant, position: &Position, from: Square, reach: Reach, out: &mut Vec<Move>) {
    let piece = position.at(from);
    let before = out.len();
    let neighbors = variant.board().cells().neighbors();
    for (number, &direction) in neighbors.iter().enumerate().filter(|&(_, &d)| goes(variant, piece, from, d)) {
        let ahead = ray(variant, from, direction);
        let most = room(position, &ahead, reach);
        let least = if reach.fewer { most.min(1) } else { most };
        for steps in least..=most {
            let mv = match steps {
                0 => Move { from, to: from, tag: Tag::Push, extra: Move::NONE },
                _ if ahead[..steps].iter().all(|&s| position.at(s).is_none()) => Move::plain(from, ahead[steps - 1]),
                _ => {
                    let over = if falls(position, &ahead, steps) { OVER } else { 0 };
                    Move { from, to: ahead[steps - 1], tag: Tag::Push, extra: number as u8 | over }
                }
            };
            if !out[before..].contains(&mv) {
                out.push(mv);
            }
        }
    }
}

/// The number of possible steps of a push, within its reach. At each step the pusher takes the next square, and the line
/// before it takes the one beyond its last piece.
fn room(position: &Position, ahead: &[Square], reach: Reach) -> usize {
    let men: Vec<bool> = ahead.iter().map(|&s| !position.at(s).is_none()).collect();
    let (mut pushed, mut end, mut steps) = (0, 0, 0);
    // `end` is the number of squares ahead taken up by the pusher's way and the line; adjoining pieces join the line.
    while steps < reach.steps.max(0) as usize {
        while end < men.len() && men[end] {
            (pushed, end) = (pushed + 1, end + 1);
        }
        if pushed > i32::from(reach.line) {
            break;
        }
        if end == men.len() {
            if pushed == 0 || !reach.over_edge {
                break;
            }
            pushed -= 1;
        } else {
            end += 1;
        }
        steps += 1;
    }
    steps
}

/// Whether a push of this many steps takes more squares than there are: then pieces go over the edge.
fn falls(position: &Position, ahead: &[Square], steps: usize) -> bool {
    let pushed = ahead[..steps].iter().filter(|&&s| !position.at(s).is_none()).count();
    // The line picks up the pieces it is pushed against, and those adjoining them.
    let free = ahead[steps..].iter().filter(|&&s| position.at(s).is_none()).count();
    pushed > free
}

/// Whether the movement of a piece has this direction.
fn goes(variant: &Variant, piece: Piece, from: Square, direction: Offset) -> bool {
    let kind = variant.kind(piece.kind());
    let turn = kind.facing.unwrap_or(variant.spec().sides[piece.side().index()].forward_at(from));
    kind.atoms.iter().flat_map(|atom| &atom.steps).any(|&step| variant.board().turn(step, turn) == direction)
}

/// The squares ahead, nearest first, up to the edge or a hole; once round on a board that wraps.
fn ray(variant: &Variant, from: Square, direction: Offset) -> Vec<Square> {
    let next =
        |&(square, onward): &(Square, Offset)| variant.board().onward(square, onward).filter(|(s, _)| *s != from);
    std::iter::successors(next(&(from, direction)), next).map(|(square, _)| square).take(MAX_SQUARES).collect()
}

impl Position {
    /// Makes a push; returns the square where the farthest piece moved by it ends.
    pub(crate) fn make_push(&mut self, variant: &Variant, mv: Move) -> Square {
        if mv.extra == Move::NONE {
            return mv.to;
        }
        let mut direction = variant.board().cells().neighbors()[(mv.extra & 7) as usize];
        let mut at = mv.from;
        let mut end = mv.to;
        while at != mv.to {
            let Some((next, onward)) = variant.board().onward(at, direction) else { break };
            direction = onward;
            let pushed = self.shove(variant, next, direction, mv.extra & OVER != 0);
            self.touch(variant, at);
            self.shift(variant, at, next, self.at(at));
            at = next;
            end = pushed.unwrap_or(next);
        }
        end
    }

    /// Moves the line of pieces that begins on `first` one step on; returns the square where its last one ends. `None` if
    /// there is no line or no room (then no piece moves).
    pub(crate) fn shove(&mut self, variant: &Variant, first: Square, direction: Offset, over: bool) -> Option<Square> {
        if self.at(first).is_none() {
            return None;
        }
        let ahead = ray(variant, first, direction);
        let mut line = vec![first];
        line.extend(ahead.iter().copied().take_while(|&s| !self.at(s).is_none()));
        let last = *line.last()?;
        let mut free = ahead.get(line.len() - 1).copied();
        if free.is_none() {
            if !over {
                return None;
            }
            self.capture_heap(variant, last, Taking::All, self.side());
            line.pop();
            if line.is_empty() {
                return None;
            }
            free = Some(last);
        }
        let end = free;
        for &square in line.iter().rev() {
            let to = free?;
            self.touch(variant, square);
            self.shift_heap(variant, square, to);
            free = Some(square);
        }
        end
    }
}

/// The squares of the pieces that a push moved: from its target to the end of the line.
pub(crate) fn moved(variant: &Variant, mv: Move, end: Square) -> SquareSet {
    if mv.extra == Move::NONE {
        return SquareSet::EMPTY;
    }
    let direction = variant.board().cells().neighbors()[(mv.extra & 7) as usize];
    let mut moved = SquareSet::from(mv.to);
    let ahead = ray(variant, mv.to, direction);
    if let Some(last) = ahead.iter().position(|&s| s == end) {
        moved |= ahead[..=last].iter().copied().collect();
    }
    moved
}
