//! Kinds of pieces and pieces, as declared: names, letters, royalty, movement, promotion.
//!
//! Movement is data here ([`Atom`]); [`tables`](crate::variant::tables) compiles it for a board.

use crate::board::bounce::Bounces;
use crate::board::offset::Offset;
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use std::fmt;

/// The maximum number of kinds of pieces that a game may have.
pub const MAX_KINDS: usize = 63;

/// A kind of piece: an index into the variant's list, below [`MAX_KINDS`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind(pub u8);

impl Kind {
    /// The index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of kinds, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct KindMask(pub u64);

impl KindMask {
    /// Every kind.
    pub const ALL: KindMask = KindMask(u64::MAX);
    /// No kind.
    pub const NONE: KindMask = KindMask(0);

    /// Whether `kind` belongs to the set.
    pub fn contains(self, kind: Kind) -> bool {
        self.0 >> (kind.0 & 63) & 1 != 0
    }
}

impl From<Kind> for KindMask {
    fn from(kind: Kind) -> Self {
        KindMask(1 << (kind.0 & 63))
    }
}

impl FromIterator<Kind> for KindMask {
    fn from_iter<T: IntoIterator<Item = Kind>>(iter: T) -> Self {
        KindMask(iter.into_iter().fold(0, |mask, kind| mask | 1 << kind.0))
    }
}

/// The content of a square: empty, or a kind of some side.
///
/// Two numbers in one. The lower nine bits are its [index](Piece::index): the kind counted from 1, with the side's lower
/// two bits below it and its highest bit above. So games with at most four sides use only the lower indices, and their
/// tables stay small. The bits above repeat the side, for fast access.
///
/// Eight of the nine bits distinguish pieces of the first four sides: positions store that [byte](Piece::low_byte).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Piece(u16);

/// The number of sides whose pieces have an index below [`BEYOND`].
const LOW_SIDES: usize = 4;
/// The first index of pieces of the other sides.
const BEYOND: usize = (MAX_KINDS + 1) * LOW_SIDES;
/// Greater than the index of any piece.
pub(crate) const PIECES: usize = 2 * BEYOND;
/// The bits of the index.
const INDEX_BITS: u32 = PIECES.trailing_zeros();

impl Piece {
    /// An empty square.
    pub const NONE: Piece = Piece(0);

    /// A piece of `side`.
    pub fn new(side: Side, kind: Kind) -> Piece {
        let (side, kind) = (side.index() as u16, u16::from(kind.0));
        Piece(side << INDEX_BITS | (side & 4) << 6 | (kind + 1) << 2 | (side & 3))
    }

    /// The piece of one of the first four sides with this [byte](Piece::low_byte).
    pub(crate) fn of_byte(byte: u8) -> Piece {
        let index = u16::from(byte);
        Piece((index & 3) << INDEX_BITS | index)
    }

    /// The piece of a side with this [byte](Piece::low_byte), which is not 0.
    pub(crate) fn of_side(side: Side, byte: u8) -> Piece {
        let side = side.index() as u16;
        Piece(side << INDEX_BITS | (side & 4) << 6 | u16::from(byte))
    }

    /// The kind of a piece with this [byte](Piece::low_byte). Meaningless (a wrapped value) for [`Piece::NONE`].
    pub(crate) fn kind_of_byte(byte: u8) -> Kind {
        Kind((byte >> 2).wrapping_sub(1))
    }

    /// Whether a piece with this [byte](Piece::low_byte) may belong to `side`; certain with at most four sides.
    pub(crate) fn byte_suits(byte: u8, side: Side) -> bool {
        (byte ^ side.0) & 3 == 0
    }

    /// Whether the pieces of `side` have the bit of the index that the [byte](Piece::low_byte) leaves out.
    pub(crate) fn has_high_bit(side: Side) -> bool {
        side.index() >= LOW_SIDES
    }

    /// The piece of one of the last four sides with this [byte](Piece::low_byte).
    pub(crate) fn of_byte_beyond(byte: u8) -> Piece {
        match byte {
            0 => Piece::NONE,
            _ => Piece(Piece::of_byte(byte).0 | 4 << INDEX_BITS | BEYOND as u16),
        }
    }

    /// The index without its highest bit, which distinguishes the last four sides from the first; 0 for [`Piece::NONE`]
    /// alone.
    pub(crate) fn low_byte(self) -> u8 {
        self.0 as u8
    }

    /// The piece with this index; [`Piece::NONE`] if no piece has it.
    pub(crate) fn numbered(index: i16) -> Piece {
        let index = usize::try_from(index).ok().filter(|&index| index < PIECES && index % BEYOND >= LOW_SIDES);
        index.map_or(Piece::NONE, |index| {
            let side = index % LOW_SIDES + index / BEYOND * LOW_SIDES;
            Piece::new(Side(side as u8), Kind((index % BEYOND / LOW_SIDES - 1) as u8))
        })
    }

    /// Whether the square is empty.
    pub fn is_none(self) -> bool {
        self.low_byte() == 0
    }

    /// The owner. Meaningless for [`Piece::NONE`].
    pub fn side(self) -> Side {
        Side((self.0 >> INDEX_BITS) as u8)
    }

    /// The kind. Meaningless (a wrapped value) for [`Piece::NONE`].
    pub fn kind(self) -> Kind {
        Piece::kind_of_byte(self.low_byte())
    }

    /// Whether a piece of `side` stands here.
    pub fn belongs_to(self, side: Side) -> bool {
        !self.is_none() && self.side() == side
    }

    /// A number for tables: 0 for none, below [`Piece::indices`].
    pub fn index(self) -> usize {
        usize::from(self.0) % PIECES
    }

    /// The length of a table by [`Piece::index`] in a game with this many sides and kinds.
    pub fn indices(sides: usize, kinds: usize) -> usize {
        (kinds + 1) * LOW_SIDES + if sides > LOW_SIDES { BEYOND } else { 0 }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() { f.write_str("-") } else { write!(f, "{}:{}", self.side().0, self.kind().0) }
    }
}

/// How an atom treats the pieces between origin and target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Travel {
    /// Every square passed must be empty (for a plain one-step leap there is none).
    #[default]
    Clear,
    /// Exactly one piece, of any side, is jumped on the way; all other squares passed are empty
    /// (the cannon's capture).
    Hop,
    /// As [`Travel::Hop`], but the target is the square directly behind the jumped piece (the grasshopper).
    Land,
}

/// The required content of the square where a step of a [`Route`] ends, unless the route ends there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Collision {
    /// Empty.
    Nothing,
    /// A piece of any side, which stays.
    Hurdle,
    /// An enemy, which is captured.
    Victim,
}

/// A way of several steps that may turn, jump and capture before it ends. The atom determines the content of its last
/// square; the [`Collision`] of its last step is ignored.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Route {
    /// The steps in order. At most one meets a victim, and at most one a hurdle.
    pub steps: Vec<(Offset, Collision)>,
}

/// One way of moving: a set of directions and the rules along them. Directions are as seen by the first side; for other
/// sides they are turned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The step of each direction: `(0, 1)` is one rank forward.
    pub steps: Vec<Offset>,
    /// For each direction, the squares (offsets from the origin) that must be empty for a lame leap;
    /// empty lists for all others.
    pub legs: Vec<Vec<Offset>>,
    /// For each direction, the steps that follow the first one, repeated: for riders that turn. Empty for straight riders.
    pub bends: Vec<Vec<Offset>>,
    /// Separate routes, besides the directions.
    pub routes: Vec<Route>,
    /// Whether the left edge is joined to the right one for this way of moving.
    pub round: bool,
    /// The fewest steps.
    pub min: u8,
    /// The maximum number of steps; 0 for no limit.
    pub max: u8,
    /// Which pieces may be in between.
    pub travel: Travel,
    /// May go to an empty square.
    pub quiet: bool,
    /// May capture an enemy.
    pub capture: bool,
    /// May capture a piece of its own side.
    pub friendly: bool,
    /// Whether it is only possible from the kind's home squares.
    pub initial: bool,
    /// Whether the squares passed may be entered en passant in the next turn.
    pub double: bool,
    /// May capture en passant.
    pub en_passant: bool,
    /// The kinds that it may capture.
    pub victims: KindMask,
}

impl Default for Atom {
    fn default() -> Self {
        Atom {
            steps: Vec::new(),
            legs: Vec::new(),
            bends: Vec::new(),
            routes: Vec::new(),
            round: false,
            min: 1,
            max: 1,
            travel: Travel::Clear,
            quiet: true,
            capture: true,
            friendly: false,
            initial: false,
            double: false,
            en_passant: false,
            victims: KindMask::ALL,
        }
    }
}

/// When a kind promotes, and to which kinds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Promotion {
    /// The name of the region (as each side sees it) where promotion happens.
    pub zone: String,
    /// The kinds to choose from.
    pub to: KindMask,
    /// Whether the piece must promote on arrival.
    pub forced: bool,
    /// Whether leaving the zone (not only arriving in it) promotes.
    pub on_leaving: bool,
}

/// A kind of piece, as declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KindDef {
    /// The name used in scripts, lower case.
    pub name: String,
    /// The letter in positions and moves, upper case for the first side, perhaps after a `+`.
    pub letter: String,
    /// A picture (Unicode) by side; empty for none.
    pub glyphs: Vec<String>,
    /// Its ways of moving.
    pub atoms: Vec<Atom>,
    /// How it bounces off the edges, for movement along lines: single steps and routes end at the edge.
    pub bounces: Option<Bounces>,
    /// The region (as its side sees it) that it never leaves.
    pub within: Option<String>,
    /// The region where initial moves are allowed; without one, the squares of this kind and side in the starting position.
    pub home: Option<String>,
    /// Whether check, mate and royal capture concern it.
    pub royal: bool,
    /// Its promotion.
    pub promotion: Option<Promotion>,
    /// A forward direction of its own (quarter turns clockwise from up the board), for every owner.
    pub facing: Option<u8>,
    /// The kind it becomes in the hand of its captor; the same kind if `None`.
    pub in_hand: Option<Kind>,
    /// The region (as its side sees it) where it may be dropped; anywhere without one.
    pub drops_to: Option<String>,
    /// Whether it may not be dropped on a file where its side has one of its kind.
    pub drops_apart: bool,
    /// Whether its moves restart the count of quiet plies (the pawn's do in chess).
    pub restarts_clock: bool,
    /// Whether its moves are written without its letter, like those of the orthodox pawn: `e4`.
    pub unlettered: bool,
}

impl KindDef {
    /// A kind without movement, to be filled in.
    pub fn new(name: &str, letter: &str) -> KindDef {
        KindDef {
            name: name.into(),
            letter: letter.into(),
            glyphs: Vec::new(),
            atoms: Vec::new(),
            bounces: None,
            within: None,
            home: None,
            royal: false,
            promotion: None,
            facing: None,
            in_hand: None,
            drops_to: None,
            drops_apart: false,
            restarts_clock: false,
            unlettered: false,
        }
    }
}

/// A side, as declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideDef {
    /// The name shown to people, such as "White".
    pub name: String,
    /// The letter in position texts: `w`, `b`.
    pub letter: char,
    /// Its forward direction, in quarter turns clockwise from up the board.
    pub forward: u8,
    /// Squares on which its forward direction differs; each square once.
    pub elsewhere: Vec<(SquareSet, u8)>,
}

impl SideDef {
    /// Its forward direction on a square.
    pub fn forward_at(&self, square: Square) -> u8 {
        self.elsewhere.iter().find(|(squares, _)| squares.contains(square)).map_or(self.forward, |(_, turns)| *turns)
    }
}
