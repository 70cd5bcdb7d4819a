//! A variant: everything about a game that is data, validated and compiled once.
//!
//! [`Spec`] is what a script declares; [`Variant`] is what the engine uses. Rules that decide things
//! during play (`turn`, `capture`, ...) are not here but in [`rule`](crate::rule).

use crate::army::{Kind, KindDef, KindMask, MAX_KINDS, MAX_SIDES, Piece, Side, SideDef};
use crate::board::Board;
use crate::movement::Tables;
use crate::position::Position;
use crate::square::{MAX_SQUARES, Square, SquareSet};
use crate::track::TrackDef;
use crate::zobrist::Zobrist;
use thiserror::Error;

/// What the safety of royal pieces means for the moves that a player may make.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RoyalPolicy {
    /// No move may leave an own royal piece attacked.
    #[default]
    Protected,
    /// Royal pieces may be left attacked and taken like others.
    Capturable,
}

/// Under [`RoyalPolicy::Protected`]: whether an attacked enemy royal may be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RoyalCapture {
    /// By any piece, even one whose move leaves the own royal attacked: the game ends first.
    #[default]
    Free,
    /// Only by a move that is otherwise legal.
    Safe,
    /// Never.
    Never,
}

/// One way of castling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Castle {
    /// Who may do it.
    pub side: Side,
    /// The letter that stands for the right in position texts.
    pub letter: char,
    /// The king's squares, before and after.
    pub king: (Square, Square),
    /// The partner's squares, before and after.
    pub rook: (Square, Square),
    /// What must stand on the king's origin and on the partner's.
    pub kinds: (Kind, Kind),
    /// Squares that must be empty.
    pub empty: SquareSet,
    /// Squares that no enemy may attack (including the king's origin and target).
    pub safe: SquareSet,
}

/// A number that a script keeps in the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CounterDef {
    /// Its name.
    pub name: String,
    /// Whether each side has its own.
    pub per_side: bool,
    /// Its value at the start.
    pub initial: i16,
    /// How many places it has (of dice, say, one for each face): 1 for a plain number.
    pub size: u8,
    /// Whether only the side whose it is knows it; nobody, if it is no side's own.
    pub secret: bool,
    /// Whether the others see at least how many a secret pool holds.
    pub counted: bool,
}

/// A number or flag that travels with a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraitDef {
    /// Its name.
    pub name: String,
    /// Its value on a piece that is placed, by kind; the last value holds for further kinds.
    pub initial: Vec<i16>,
    /// Whether only the piece's owner knows it.
    pub secret: bool,
}

/// Who gets captured pieces, in games with hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Captives {
    /// The captor: they may be dropped as his.
    #[default]
    Captor,
    /// Their owner: they may enter again.
    Owner,
    /// Nobody: hands hold what was put there.
    Nobody,
}

/// A variant as declared, not yet checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// The name shown to people.
    pub title: String,
    /// The board with its regions.
    pub board: Board,
    /// The sides in order of moving, 1 to 4.
    pub sides: Vec<SideDef>,
    /// The team of each side, where some are partners: they neither capture nor check each other.
    pub teams: Option<[u8; 4]>,
    /// The kinds of pieces.
    pub kinds: Vec<KindDef>,
    /// The ways of castling, at most 16.
    pub castles: Vec<Castle>,
    /// The safety of royal pieces.
    pub royal_policy: RoyalPolicy,
    /// The capture of royal pieces under [`RoyalPolicy::Protected`].
    pub royal_capture: RoyalCapture,
    /// Where each kind stands at the start (for initial moves without a declared home).
    pub array: Vec<(Square, Piece)>,
    /// Ways laid out on the board.
    pub tracks: Vec<TrackDef>,
    /// Numbers kept in the position.
    pub counters: Vec<CounterDef>,
    /// Numbers kept with each piece.
    pub traits: Vec<TraitDef>,
    /// Whether players hold pieces in hand.
    pub hands: bool,
    /// Who gets captured pieces, if there are hands.
    pub captives: Captives,
    /// Whether the history notes which moves gave check (perpetual check is judged by it).
    pub track_checks: bool,
    /// The counter that is 1 while the game is still to be prepared, if the rules prepare it.
    pub unprepared: Option<u8>,
}

impl Spec {
    /// A variant with two sides (White, Black) and no pieces on `board`.
    pub fn new(title: &str, board: Board) -> Spec {
        Spec {
            title: title.into(),
            board,
            sides: vec![
                SideDef { name: "White".into(), letter: 'w', forward: 0 },
                SideDef { name: "Black".into(), letter: 'b', forward: 2 },
            ],
            teams: None,
            kinds: Vec::new(),
            castles: Vec::new(),
            royal_policy: RoyalPolicy::default(),
            royal_capture: RoyalCapture::default(),
            array: Vec::new(),
            tracks: Vec::new(),
            counters: Vec::new(),
            traits: Vec::new(),
            hands: false,
            captives: Captives::default(),
            track_checks: false,
            unprepared: None,
        }
    }
}

/// Why a [`Spec`] is not a variant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// Too many or no sides.
    #[error("a game has 1 to {MAX_SIDES} sides, not {0}")]
    Sides(usize),
    /// Too many kinds.
    #[error("a game has at most {MAX_KINDS} kinds of pieces, not {0}")]
    Kinds(usize),
    /// Too many castlings.
    #[error("a game has at most 16 ways of castling, not {0}")]
    Castles(usize),
    /// Two kinds share a name or a letter.
    #[error("two kinds of pieces are called {0:?}")]
    Duplicate(String),
    /// A region that no one declared.
    #[error("there is no region called {region:?} (named by {by})")]
    Region {
        /// The name looked for.
        region: String,
        /// What names it.
        by: String,
    },
    /// More hands, counters and scores than a position holds.
    #[error("hands and counters need {0} cells; a position has {CELLS}")]
    Cells(usize),
    /// Movement that does not fit the tables.
    #[error("the movement of {0:?} needs too many different paths on this board")]
    Paths(String),
}

/// The number of small numbers (hands, counters) that a position holds.
pub const CELLS: usize = 96;

/// Bits that say what matters of a piece when it moves.
pub(crate) mod mark {
    /// It is royal.
    pub const ROYAL: u8 = 1;
    /// Its moves restart the count of quiet half-moves.
    pub const RESTARTS: u8 = 2;
}

/// The squares that must be empty for a castling, but for the two who castle.
fn castle_way(castle: &Castle) -> SquareSet {
    let mut way = castle.empty;
    way.insert(castle.king.1);
    way.insert(castle.rook.1);
    way.remove(castle.king.0);
    way.remove(castle.rook.0);
    way
}

/// For each side its only enemy, if there is just one.
fn rivals(spec: &Spec) -> [Option<Side>; 4] {
    match (spec.sides.len(), spec.teams) {
        (2, None) => [Some(Side(1)), Some(Side(0)), None, None],
        _ => [None; 4],
    }
}

/// The marks of every piece.
fn marks(royals: KindMask, restarts: KindMask) -> [u8; 256] {
    let mut marks = [0; 256];
    for side in (0..4).map(Side) {
        for kind in (0..63).map(Kind) {
            let bit = |kinds: KindMask, bit| if kinds.contains(kind) { bit } else { 0 };
            marks[Piece::new(side, kind).index()] = bit(royals, mark::ROYAL) | bit(restarts, mark::RESTARTS);
        }
    }
    marks
}

/// A variant, checked and compiled. Immutable; share it by `Arc`.
#[derive(Clone, Debug)]
pub struct Variant {
    pub(crate) spec: Spec,
    pub(crate) tables: Tables,
    pub(crate) zobrist: Zobrist,
    pub(crate) royals: KindMask,
    /// For each side its only enemy, if there is just one.
    pub(crate) rivals: [Option<Side>; 4],
    /// What matters of each piece when it moves: bits of [`mark`].
    pub(crate) marks: [u8; 256],
    /// The kinds that promote.
    pub(crate) promoters: KindMask,
    /// Whether some kind captures en passant: else nothing is noted of squares that are passed.
    passing: bool,
    /// For each square, the castling rights (bits) that end when a piece leaves or is taken there.
    pub(crate) rights_lost: [u16; MAX_SQUARES],
    /// For each castling the squares that must be empty, but for the two who castle.
    pub(crate) castle_ways: Vec<SquareSet>,
    /// Where each piece may be dropped, by piece.
    drop_zones: Vec<SquareSet>,
    /// The number of cells: hands (side-major, one for each kind), then counters.
    pub(crate) cells: usize,
    /// The first cell of each counter.
    pub(crate) counter_base: Vec<usize>,
    /// The position that games begin with, if it has been said.
    start: Option<Box<Position>>,
}

impl Variant {
    /// Checks and compiles a declaration.
    ///
    /// # Errors
    /// A [`SpecError`] that names what does not fit.
    pub fn new(spec: Spec) -> Result<Variant, SpecError> {
        check(&spec)?;
        let sides = spec.sides.len();
        let mut cells = if spec.hands { sides * spec.kinds.len() } else { 0 };
        let mut counter_base = Vec::new();
        for counter in &spec.counters {
            counter_base.push(cells);
            cells += usize::from(counter.size) * if counter.per_side { sides } else { 1 };
        }
        if cells > CELLS {
            return Err(SpecError::Cells(cells));
        }
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
            start: None,
            spec,
        })
    }

    /// The position that games begin with, if [`Variant::set_start`] has said so.
    pub fn start(&self) -> Option<&Position> {
        self.start.as_deref()
    }

    /// Says what position games begin with: what [`crate::effect::Effect::Restart`] goes back to.
    pub fn set_start(&mut self, start: Position) {
        self.start = Some(Box::new(start));
    }

    /// The declaration that this was made from.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.spec.board
    }

    /// Whether any kind captures en passant.
    #[inline]
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

    /// The side after `side` in the order of moving.
    #[inline]
    pub fn after(&self, side: Side) -> Side {
        let next = side.0 + 1;
        Side(if usize::from(next) < self.spec.sides.len() { next } else { 0 })
    }

    /// Whether two sides are the same or partners.
    #[inline]
    pub fn allied(&self, a: Side, b: Side) -> bool {
        a == b || self.spec.teams.is_some_and(|teams| teams[a.index()] == teams[b.index()])
    }

    /// The kinds that are royal.
    pub fn royals(&self) -> KindMask {
        self.royals
    }

    /// Where the declaration lets `piece` be dropped.
    #[inline]
    pub fn drop_zone(&self, piece: Piece) -> SquareSet {
        self.drop_zones[piece.index()]
    }

    /// The kinds that are never captured.
    pub fn immune(&self) -> KindMask {
        let never = self.spec.royal_policy == RoyalPolicy::Protected && self.spec.royal_capture == RoyalCapture::Never;
        if never { self.royals } else { KindMask::NONE }
    }

    /// Whether a move may change how many men of these kinds there are otherwise than by taking one where
    /// it ends: by promotion, en passant, over a square, or from the hand.
    pub(crate) fn numbers_change(&self, kinds: KindMask) -> bool {
        let touched = |(i, def): (usize, &KindDef)| {
            let itself = kinds.contains(Kind(i as u8));
            let promotes = def.promotion.as_ref().is_some_and(|p| itself || p.to.0 & kinds.0 != 0);
            promotes || (itself && def.atoms.iter().any(|atom| atom.double))
        };
        self.spec.hands || self.tables.passes_over() || self.spec.kinds.iter().enumerate().any(touched)
    }

    /// The counter called `name`, as an index into [`Spec::counters`].
    pub fn counter_named(&self, name: &str) -> Option<usize> {
        self.spec.counters.iter().position(|c| c.name == name)
    }

    /// The number of places of a counter; 0 if there is no such counter.
    pub fn places(&self, counter: usize) -> u8 {
        self.spec.counters.get(counter).map_or(0, |def| def.size)
    }

    /// The square of a piece of `side` that may have passed `target` by a double step: one that stands
    /// where such a step over `target` ends. Where there are several, one whose origin is empty.
    pub fn passer(&self, position: &Position, target: Square, side: Side) -> Option<Square> {
        let mut found = None;
        for victim in position.of(side) {
            let piece = position.at(victim);
            if !self.spec.kinds[piece.kind().index()].atoms.iter().any(|atom| atom.double) {
                continue;
            }
            for from in self.spec.board.squares() {
                if self.tables.passed(piece, from, victim).any(|passed| passed == target) {
                    if position.at(from).is_none() {
                        return Some(victim);
                    }
                    found = found.or(Some(victim));
                }
            }
        }
        found
    }

    /// Whether there are counters or traits that not everybody knows.
    pub fn has_secrets(&self) -> bool {
        self.spec.counters.iter().any(|c| c.secret) || self.spec.traits.iter().any(|t| t.secret)
    }

    /// The trait of pieces called `name`, as an index into [`Spec::traits`].
    pub fn trait_named(&self, name: &str) -> Option<usize> {
        self.spec.traits.iter().position(|c| c.name == name)
    }
}

/// Where each piece may be dropped. The regions have been checked.
fn drop_zones(spec: &Spec) -> Vec<SquareSet> {
    let mut zones = vec![spec.board.squares(); (spec.kinds.len() + 1) * MAX_SIDES];
    for (i, kind) in spec.kinds.iter().enumerate() {
        let Some(region) = kind.drops_to.as_ref().and_then(|name| spec.board.region(name)) else { continue };
        for side in (0..MAX_SIDES as u8).map(Side) {
            zones[Piece::new(side, Kind(i as u8)).index()] = region.squares[side.index()];
        }
    }
    zones
}

fn check(spec: &Spec) -> Result<(), SpecError> {
    if spec.sides.is_empty() || spec.sides.len() > MAX_SIDES {
        return Err(SpecError::Sides(spec.sides.len()));
    }
    if spec.kinds.len() > MAX_KINDS {
        return Err(SpecError::Kinds(spec.kinds.len()));
    }
    if spec.castles.len() > 16 {
        return Err(SpecError::Castles(spec.castles.len()));
    }
    for (i, kind) in spec.kinds.iter().enumerate() {
        if spec.kinds[..i].iter().any(|k| k.name == kind.name || k.letter == kind.letter) {
            return Err(SpecError::Duplicate(kind.name.clone()));
        }
        let zone = kind.promotion.as_ref().map(|p| &p.zone);
        for region in [kind.within.as_ref(), kind.home.as_ref(), kind.drops_to.as_ref(), zone].into_iter().flatten() {
            if spec.board.region(region).is_none() {
                return Err(SpecError::Region { region: region.clone(), by: kind.name.clone() });
            }
        }
    }
    Ok(())
}
