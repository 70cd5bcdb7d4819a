//! A variant: everything about a game that is data, validated and compiled once.
//!
//! [`Spec`] is what a script declares; [`Variant`] is what the engine uses. Rules that act during play (`turn`, `capture`,
//! ...) belong to [`rule`](crate::rules::rule). Nothing here examines a position.

mod look;
mod neighbors;
pub(crate) mod spec;
pub(crate) mod tables;
pub(crate) mod tracks;
pub(crate) mod zobrist;

pub use look::{Color, Look, Outline, Pattern, StationNotation, Triangle};
pub(crate) use spec::SQUARES_OF_CELL;
pub use spec::{
    CELLS, Captives, Castle, CellCounts, CounterDef, MarkDef, RoyalCapture, RoyalPolicy, Spec, SpecError, TraitDef,
};

use crate::board::Board;
use crate::board::piece::{Kind, KindDef, KindMask, MAX_KINDS, PIECES, Piece};
use crate::board::side::{MAX_SIDES, Side};
use crate::board::square::{MAX_SQUARES, SquareSet};
use neighbors::Neighbors;
use tables::Tables;
use zobrist::Zobrist;

/// Bits with the properties of a piece that matter when it moves.
pub(crate) mod mark {
    /// It is royal.
    pub(crate) const ROYAL: u8 = 1;
    /// Its moves restart the count of quiet plies.
    pub(crate) const RESTARTS: u8 = 2;
}

/// The squares that must be empty for a castling, except those of the two castling pieces.
fn castle_way(castle: &Castle) -> SquareSet {
    let mut way = castle.empty;
    way.insert(castle.king.1);
    way.insert(castle.rook.1);
    way.remove(castle.king.0);
    way.remove(castle.rook.0);
    way
}

/// For each side its only enemy, if it has exactly one.
fn rivals(spec: &Spec) -> [Option<Side>; MAX_SIDES] {
    match (spec.sides.len(), spec.teams) {
        (2, None) => std::array::from_fn(|side| (side < 2).then(|| Side(1 - side as u8))),
        _ => [None; MAX_SIDES],
    }
}

/// The marks of every piece.
fn marks(royals: KindMask, restarts: KindMask) -> [u8; PIECES] {
    let mut marks = [0; PIECES];
    for side in (0..MAX_SIDES as u8).map(Side) {
        for kind in (0..MAX_KINDS as u8).map(Kind) {
            let bit = |kinds: KindMask, bit| if kinds.contains(kind) { bit } else { 0 };
            marks[Piece::new(side, kind).index()] = bit(royals, mark::ROYAL) | bit(restarts, mark::RESTARTS);
        }
    }
    marks
}

/// A variant, checked and compiled. Immutable; share it through an `Arc`.
#[derive(Clone, Debug)]
pub struct Variant {
    pub(crate) spec: Spec,
    pub(crate) tables: Tables,
    pub(crate) zobrist: Zobrist,
    /// The adjacency of squares.
    pub(crate) neighbors: Neighbors,
    /// The squares of each file, and of each rank.
    pub(crate) files: Vec<SquareSet>,
    pub(crate) ranks: Vec<SquareSet>,
    /// The tracks, in order of declaration.
    pub(crate) tracks: Vec<tracks::Track>,
    pub(crate) royals: KindMask,
    /// For each side its only enemy, if it has exactly one.
    pub(crate) rivals: [Option<Side>; MAX_SIDES],
    /// The properties of each piece that matter when it moves: bits of [`mark`].
    pub(crate) marks: [u8; PIECES],
    /// The kinds that promote.
    pub(crate) promoters: KindMask,
    /// Whether some kind captures en passant; otherwise passed squares are not recorded.
    passing: bool,
    /// For each square, the castling rights (bits) that end when a piece leaves it or is captured there.
    pub(crate) rights_lost: [u16; MAX_SQUARES],
    /// For each castling the squares that must be empty, except those of the two castling pieces.
    pub(crate) castle_ways: Vec<SquareSet>,
    /// Where each piece may be dropped, by piece.
    drop_zones: Vec<SquareSet>,
    /// The number of cells: hands (side-major, one for each kind), then counters, then marks.
    pub(crate) cells: usize,
    /// The first cell of each counter.
    pub(crate) counter_base: Vec<usize>,
    /// The first cell of each mark on squares.
    pub(crate) mark_base: Vec<usize>,
}

impl Variant {
    /// Checks and compiles a declaration.
    ///
    /// # Errors
    /// A [`SpecError`] that names the problem.
    pub fn new(spec: Spec) -> Result<Variant, SpecError> {
        spec::check(&spec)?;
        let counts = spec.cells();
        let cells = counts.total();
        if cells > CELLS {
            return Err(SpecError::Cells(cells));
        }
        let bases = |first: usize, sizes: &[usize]| -> Vec<usize> {
            sizes.iter().scan(first, |next, size| Some(std::mem::replace(next, *next + size))).collect()
        };
        let counter_base = bases(counts.hands, &counts.counters);
        let mark_base = bases(counts.hands + counts.counters.iter().sum::<usize>(), &counts.marks);
        let mut rights_lost = [0; MAX_SQUARES];
        for (i, castle) in spec.castles.iter().enumerate() {
            rights_lost[castle.king.0.index()] |= 1 << i;
            rights_lost[castle.rook.0.index()] |= 1 << i;
        }
        let marked = |mark: fn(&KindDef) -> bool| -> KindMask {
            spec.kinds.iter().enumerate().filter(|(_, k)| mark(k)).map(|(i, _)| Kind(i as u8)).collect()
        };
        let (royals, restarts) = (marked(|k| k.royal), marked(|k| k.restarts_clock));
        let promoters = marked(|k| k.promotion.is_some());
        let passing = spec.kinds.iter().any(|kind| kind.atoms.iter().any(|atom| atom.en_passant));
        let drop_zones = drop_zones(&spec);
        let tables = Tables::new(&spec)?;
        let zobrist = Zobrist::new(&spec);
        Ok(Variant {
            tables,
            zobrist,
            neighbors: Neighbors::of(&spec.board),
            files: (0..spec.board.width()).map(|file| spec.board.file_set(file)).collect(),
            ranks: (0..spec.board.height()).map(|rank| spec.board.rank_set(rank)).collect(),
            tracks: spec.tracks.iter().map(|track| tracks::compile(track, spec.sides.len())).collect(),
            royals,
            rivals: rivals(&spec),
            marks: marks(royals, restarts),
            promoters,
            passing,
            rights_lost,
            castle_ways: spec.castles.iter().map(castle_way).collect(),
            drop_zones,
            cells,
            counter_base,
            mark_base,
            spec,
        })
    }

    /// The declaration of this variant.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.spec.board
    }

    /// Whether any kind captures en passant.
    pub fn captures_en_passant(&self) -> bool {
        self.passing
    }

    /// The kinds, in order of declaration.
    pub fn kinds(&self) -> &[KindDef] {
        &self.spec.kinds
    }

    /// The definition of a kind.
    ///
    /// # Panics
    /// If `kind` is not of this variant.
    pub fn kind(&self, kind: Kind) -> &KindDef {
        &self.spec.kinds[kind.index()]
    }

    /// The kind called `name`.
    pub fn kind_named(&self, name: &str) -> Option<Kind> {
        self.spec.kinds.iter().position(|k| k.name == name).map(|i| Kind(i as u8))
    }

    /// The kind written with `letter` (upper case).
    pub fn kind_lettered(&self, letter: &str) -> Option<Kind> {
        self.spec.kinds.iter().position(|k| k.letter == letter).map(|i| Kind(i as u8))
    }

    /// The number of sides.
    pub fn sides(&self) -> usize {
        self.spec.sides.len()
    }

    /// The side after `side` in turn order.
    pub(crate) fn after(&self, side: Side) -> Side {
        let next = side.0 + 1;
        Side(if usize::from(next) < self.spec.sides.len() { next } else { 0 })
    }

    /// Whether two sides are the same or partners.
    pub fn allied(&self, a: Side, b: Side) -> bool {
        a == b || self.spec.teams.is_some_and(|teams| teams[a.index()] == teams[b.index()])
    }

    /// The kinds that are royal.
    pub fn royals(&self) -> KindMask {
        self.royals
    }

    /// The squares where the declaration allows `piece` to be dropped.
    pub(crate) fn drop_zone(&self, piece: Piece) -> SquareSet {
        self.drop_zones[piece.index()]
    }

    /// The kinds that are never captured.
    pub(crate) fn immune(&self) -> KindMask {
        let never = self.spec.royal_policy == RoyalPolicy::Protected && self.spec.royal_capture == RoyalCapture::Never;
        if never { self.royals } else { KindMask::NONE }
    }

    /// Whether a move may change the number of pieces of these kinds, apart from capturing one on its target: by promotion,
    /// en passant, over a square, or from the hand.
    pub(crate) fn numbers_change(&self, kinds: KindMask) -> bool {
        let touched = |(i, def): (usize, &KindDef)| {
            let itself = kinds.contains(Kind(i as u8));
            let promotes = def.promotion.as_ref().is_some_and(|p| itself || p.to.0 & kinds.0 != 0);
            promotes || (itself && def.atoms.iter().any(|atom| atom.double))
        };
        self.spec.hands
            || self.spec.heaps
            || self.tables.passes_over()
            || self.spec.kinds.iter().enumerate().any(touched)
    }

    /// The counter called `name`, as an index into [`Spec::counters`].
    pub fn counter_named(&self, name: &str) -> Option<usize> {
        self.spec.counters.iter().position(|c| c.name == name)
    }

    /// The mark on squares called `name`, as an index into [`Spec::marks`].
    pub fn mark_named(&self, name: &str) -> Option<usize> {
        self.spec.marks.iter().position(|mark| mark.name == name)
    }

    /// The number of places of a counter; 0 if there is no such counter.
    pub fn places(&self, counter: usize) -> u8 {
        self.spec.counters.get(counter).map_or(0, |def| def.size)
    }

    /// Whether there are counters or traits that are hidden from some side.
    pub fn has_secrets(&self) -> bool {
        self.spec.counters.iter().any(|c| c.secret) || self.spec.traits.iter().any(|t| t.secret)
    }

    /// The trait of pieces called `name`, as an index into [`Spec::traits`].
    pub fn trait_named(&self, name: &str) -> Option<usize> {
        self.spec.traits.iter().position(|c| c.name == name)
    }
}

/// The squares where each piece may be dropped. The regions have been checked.
fn drop_zones(spec: &Spec) -> Vec<SquareSet> {
    let mut zones = vec![spec.board.squares(); Piece::indices(spec.sides.len(), spec.kinds.len())];
    for (i, kind) in spec.kinds.iter().enumerate() {
        let Some(region) = kind.drops_to.as_ref().and_then(|name| spec.board.region(name)) else { continue };
        for side in (0..spec.sides.len() as u8).map(Side) {
            zones[Piece::new(side, Kind(i as u8)).index()] = region.squares[side.index()];
        }
    }
    zones
}
