//! Movement, compiled: for each kind, side and square the list of what a piece may do there.
//!
//! Forward tables (for generating moves) hold [`Leap`]s, [`Ray`]s and [`Exact`] ways; the reverse
//! table gives for a piece, a target and an origin the [`Path`]s of its captures. Both are made from
//! the same list of ways (see `compile`), so they cannot disagree. Nothing here looks at a position.

mod compile;

use crate::army::{Kind, KindMask, Piece, Side, Travel};
use crate::square::{Square, SquareSet};
use crate::variant::{Spec, SpecError};

/// Bits that say what may be done on a target, and how it is reached.
pub(crate) mod mode {
    /// May go to an empty square.
    pub const QUIET: u8 = 1;
    /// May capture an enemy.
    pub const CAPTURE: u8 = 2;
    /// May capture a piece of its own side.
    pub const FRIENDLY: u8 = 4;
    /// May capture en passant.
    pub const EN_PASSANT: u8 = 8;
    /// Going to an empty square leaves en passant rights on the squares passed.
    pub const DOUBLE: u8 = 16;
    /// The leg must be empty.
    pub const LAME: u8 = 32;
}

/// A leap to one square, lame if its modes say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leap {
    pub to: Square,
    /// The square that must be empty; the target where there is none.
    pub leg: Square,
    pub modes: u8,
    /// Index into [`Tables::victims`].
    pub victims: u8,
}

/// A slide or hop along a list of squares, each of them a target from step `min` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    start: u32,
    len: u8,
    /// The first step that may be a target, from 1.
    pub min: u8,
    pub travel: Travel,
    pub modes: u8,
    /// Index into [`Tables::victims`].
    pub victims: u8,
}

/// Any other way to one square: along a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exact {
    pub to: Square,
    pub modes: u8,
    /// Index into [`Tables::victims`].
    pub victims: u8,
    pub path: PathId,
}

/// A number of a [`Path`]; 0 is none.
pub(crate) type PathId = u16;

/// What a move from one square to another asks of the squares between.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Path {
    /// These must all be empty.
    pub clear: SquareSet,
    /// Of these exactly one must be occupied, if there are any.
    pub hop: SquareSet,
    /// The kinds that may be captured along it.
    pub victims: KindMask,
    /// Whether `hop` has squares.
    pub hops: bool,
    /// Another path between the same squares.
    pub next: PathId,
}

impl Path {
    /// Whether the path can be used when `occupied` squares have pieces.
    #[inline]
    pub fn open(&self, occupied: SquareSet) -> bool {
        (self.clear & occupied).is_empty() && (!self.hops || (self.hop & occupied).len() == 1)
    }

    /// Whether the path can be open once at most `removed` pieces between have gone and perhaps one
    /// has come.
    #[inline]
    pub fn may_open(&self, occupied: SquareSet, removed: u32) -> bool {
        (self.clear & occupied).len() <= removed && (!self.hops || (self.hop & occupied).len() <= 1 + removed)
    }
}

/// Where the entries of one piece on one square stand in the tables.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    leaps: u32,
    rays: u32,
    exacts: u32,
    leap_count: u16,
    ray_count: u16,
    exact_count: u16,
    /// Two entries may lead to the same target: the generator has to look for repetitions.
    pub overlap: bool,
}

impl Span {
    /// Whether there is no entry: the piece could never move from here.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.leap_count == 0 && self.ray_count == 0 && self.exact_count == 0
    }
}

/// When and into what a kind of a side promotes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PromotionTable {
    pub zone: SquareSet,
    pub to: KindMask,
    pub forced: bool,
    pub on_leaving: bool,
}

/// The movement of all pieces of a variant on its board.
#[derive(Clone, Debug)]
pub struct Tables {
    squares: usize,
    /// By piece and square.
    spans: Vec<Span>,
    leaps: Vec<Leap>,
    rays: Vec<Ray>,
    ray_squares: Vec<Square>,
    exacts: Vec<Exact>,
    victims: Vec<KindMask>,
    paths: Vec<Path>,
    /// By piece, target and origin.
    codes: Vec<PathId>,
    /// By side and target.
    reach: Vec<SquareSet>,
    /// By piece.
    promotions: Vec<Option<PromotionTable>>,
}

impl Tables {
    /// Compiles the movement that `spec` declares.
    ///
    /// # Errors
    /// [`SpecError::Paths`] if a kind's movement does not fit, [`SpecError::Region`] if it names a
    /// region that the board does not have.
    pub fn new(spec: &Spec) -> Result<Tables, SpecError> {
        compile::compile(spec)
    }

    /// The squares that `piece` passes when it goes from `from` to `to` by an atom marked `double`;
    /// none if it has no such atom.
    pub fn passed(&self, piece: Piece, from: Square, to: Square) -> impl Iterator<Item = Square> + use<> {
        let span = self.span(piece, from);
        let mut set = SquareSet::EMPTY;
        for leap in self.leaps(span).iter().filter(|l| l.to == to && l.modes & mode::DOUBLE != 0) {
            if leap.modes & mode::LAME != 0 {
                set.insert(leap.leg);
            }
        }
        for exact in self.exacts(span).iter().filter(|e| e.to == to && e.modes & mode::DOUBLE != 0) {
            set |= self.path(exact.path).clear;
        }
        set.into_iter()
    }

    #[inline]
    pub(crate) fn span(&self, piece: Piece, from: Square) -> &Span {
        &self.spans[piece.index() * self.squares + from.index()]
    }

    #[inline]
    pub(crate) fn leaps(&self, span: &Span) -> &[Leap] {
        &self.leaps[span.leaps as usize..][..span.leap_count as usize]
    }

    #[inline]
    pub(crate) fn rays(&self, span: &Span) -> &[Ray] {
        &self.rays[span.rays as usize..][..span.ray_count as usize]
    }

    #[inline]
    pub(crate) fn exacts(&self, span: &Span) -> &[Exact] {
        &self.exacts[span.exacts as usize..][..span.exact_count as usize]
    }

    /// The squares along a ray, nearest first.
    #[inline]
    pub(crate) fn along(&self, ray: &Ray) -> &[Square] {
        &self.ray_squares[ray.start as usize..][..ray.len as usize]
    }

    #[inline]
    pub(crate) fn victims(&self, index: u8) -> KindMask {
        self.victims[index as usize]
    }

    #[inline]
    pub(crate) fn path(&self, id: PathId) -> &Path {
        &self.paths[id as usize]
    }

    /// The first path by which `piece` on `from` captures on `to`, or 0.
    #[inline]
    pub(crate) fn code(&self, piece: Piece, from: Square, to: Square) -> PathId {
        self.codes[(piece.index() * self.squares + to.index()) * self.squares + from.index()]
    }

    /// The squares from which some piece of `side` captures on `to` under some occupancy.
    #[inline]
    pub(crate) fn reach(&self, side: Side, to: Square) -> SquareSet {
        self.reach[side.index() * self.squares + to.index()]
    }

    #[inline]
    pub(crate) fn promotion(&self, piece: Piece) -> Option<&PromotionTable> {
        self.promotions[piece.index()].as_ref()
    }

    /// Whether `piece` on `from` has an open path to a `victim` on `to`; with `None`, to a piece of
    /// any kind.
    #[inline]
    pub(crate) fn hits(
        &self,
        piece: Piece,
        from: Square,
        to: Square,
        victim: Option<Kind>,
        occupied: SquareSet,
    ) -> bool {
        let mut id = self.code(piece, from, to);
        while id != 0 {
            let path = self.path(id);
            let takes = victim.map_or(path.victims == KindMask::ALL, |kind| path.victims.contains(kind));
            if takes && path.open(occupied) {
                return true;
            }
            id = path.next;
        }
        false
    }
}
