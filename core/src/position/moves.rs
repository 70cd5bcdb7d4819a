//! A move as a value of four bytes, and lists of moves.
//!
//! The effect of a move is up to [`position`](crate::position), its notation to other crates.

use crate::board::piece::Kind;
use crate::board::square::Square;

/// Retains the elements of a list, from index `before` on, that pass a test; an error of the test ends it.
pub(crate) fn retain_from<T: Copy, E>(
    list: &mut Vec<T>,
    before: usize,
    mut test: impl FnMut(T) -> Result<bool, E>,
) -> Result<(), E> {
    let mut kept = before;
    for i in before..list.len() {
        if test(list[i])? {
            list[kept] = list[i];
            kept += 1;
        }
    }
    list.truncate(kept);
    Ok(())
}

/// The tag of a move: its sort. The numbers are stable, since records and hashes may contain them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Tag {
    /// From one square to another, capturing the piece there.
    Plain = 0,
    /// A quiet move whose passed squares may be entered en passant.
    Double = 1,
    /// A capture of the piece that has just passed the target.
    EnPassant = 2,
    /// Castling: `from` and `to` are the king's; `extra` is the index in the variant's list.
    Castle = 3,
    /// From the hand: `extra` is the kind, `from` equals `to`.
    Drop = 4,
    /// A move that pushes the pieces in its way (see [`push`](crate::movegen::push)); it may end where it starts.
    Push = 5,
    /// A move that captures a piece on a square other than its target: `extra` is that square. A piece on the target is
    /// captured too; the move may end where it starts.
    Over = 6,
    /// A move in a game with heaps, of several pieces together or onto others: `extra` holds the number of pieces and the
    /// way to treat the target (see [`Move::carried`] and [`Move::taking`]).
    Heap = 7,
}

/// How a move to an occupied square treats the pieces there, in games with heaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Taking {
    /// They stay, beneath the moved pieces.
    Nothing = 0,
    /// The topmost is captured; the others stay beneath the moved pieces.
    Topmost = 1,
    /// All are captured.
    All = 2,
}

/// The bits of `extra` for the number of pieces that move, or the dropped kind.
const LOW: u8 = 63;

impl Tag {
    /// The tag with this number.
    pub fn numbered(number: u8) -> Option<Tag> {
        let all = [Tag::Plain, Tag::Double, Tag::EnPassant, Tag::Castle, Tag::Drop, Tag::Push, Tag::Over, Tag::Heap];
        all.get(usize::from(number)).copied()
    }

    /// Whether such moves must be distinguished from others between the same squares: castling and drops.
    pub(crate) fn is_special(self) -> bool {
        matches!(self, Tag::Castle | Tag::Drop)
    }
}

/// One move of one piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// The origin (for a drop, the target).
    pub from: Square,
    /// The target.
    pub to: Square,
    /// The sort of move.
    pub tag: Tag,
    /// [`Move::NONE`], or the kind promoted to or dropped, or the index of the castling, or a square, or the treatment of
    /// heaps.
    pub extra: u8,
}

impl Move {
    /// The value of `extra` if it is unused.
    pub const NONE: u8 = 255;

    /// A plain move or capture.
    pub const fn plain(from: Square, to: Square) -> Move {
        Move { from, to, tag: Tag::Plain, extra: Move::NONE }
    }

    /// A move of the topmost `count` pieces of a heap, or of all (from 63 on).
    pub(crate) fn heap(from: Square, to: Square, count: usize, taking: Taking) -> Move {
        Move { from, to, tag: Tag::Heap, extra: count.min(usize::from(LOW)) as u8 | (taking as u8) << 6 }
    }

    /// A drop of a kind, and how it treats the pieces on its target. A piece alone on its square counts as the topmost.
    pub(crate) fn drop(to: Square, kind: Kind, taking: Taking) -> Move {
        // Plain drops predate heaps, and capture the pieces on their target.
        let bits = match taking {
            Taking::Topmost => 0,
            Taking::Nothing => 1,
            Taking::All => 2,
        };
        Move { from: to, to, tag: Tag::Drop, extra: kind.0 | bits << 6 }
    }

    /// The number of pieces that move together: more than one only in games with heaps.
    pub fn carried(self) -> usize {
        match (self.tag, self.extra & LOW) {
            (Tag::Heap, LOW) => usize::MAX,
            (Tag::Heap, count) => count.into(),
            _ => 1,
        }
    }

    /// How it treats the pieces on its target, if it is a move of a heap or a drop.
    pub fn taking(self) -> Taking {
        match (self.tag, self.extra >> 6) {
            (Tag::Heap, 0) | (Tag::Drop, 1) => Taking::Nothing,
            (_, 2) => Taking::All,
            _ => Taking::Topmost,
        }
    }

    /// Whether it changes no kind and captures at most on its target, as most moves do.
    pub(crate) fn is_ordinary(self) -> bool {
        // One comparison: whether the tag is 0 or 1 and `extra` is unused.
        (u16::from(self.extra) << 8 | self.tag as u16) & !1 == u16::from(Move::NONE) << 8
    }

    /// The kind that the piece becomes by this move, if it promotes.
    pub fn promotion(self) -> Option<Kind> {
        (self.extra != Move::NONE && matches!(self.tag, Tag::Plain | Tag::Double | Tag::EnPassant))
            .then_some(Kind(self.extra))
    }

    /// The square whose piece is captured in passing, if it is such a move.
    pub fn over(self) -> Option<Square> {
        (self.tag == Tag::Over).then_some(Square(self.extra))
    }

    /// The kind that is dropped, if it is a drop.
    pub fn dropped(self) -> Option<Kind> {
        (self.tag == Tag::Drop).then_some(Kind(self.extra & LOW))
    }

    /// The castling's index in the variant's list, if it is one.
    pub fn castling(self) -> Option<usize> {
        (self.tag == Tag::Castle).then_some(self.extra as usize)
    }
}
