//! The declarations of a script: sides, kinds, castling, hands, counters, traits, tracks; and whether they are consistent.
//!
//! Data only. [`Variant`](super::Variant) compiles it; rules that act during play are not here.

use super::look::Look;
use crate::board::piece::{Kind, KindDef, MAX_KINDS, Piece, SideDef};
use crate::board::side::{MAX_SIDES, Side};
use crate::board::square::{Square, SquareSet};
use crate::board::{Board, Cells, Cushions};
use thiserror::Error;

/// The maximum number of stations of a track.
pub const MAX_STATIONS: usize = 1024;

/// The squares of one station, in the order in which they fill.
pub type Station = Vec<Square>;

/// A track as declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrackDef {
    /// The name used in scripts.
    pub name: String,
    /// The paths of each side, from first station to last.
    pub paths: [Vec<Vec<Station>>; MAX_SIDES],
    /// Whether the last station is followed by the first.
    pub closed: bool,
    /// Whether it may be followed in either direction.
    pub both_ways: bool,
}

/// How the safety of royal pieces restricts the moves of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RoyalPolicy {
    /// No move may leave a royal piece of the mover attacked.
    #[default]
    Protected,
    /// Royal pieces may be left attacked, and captured like others.
    Capturable,
}

/// Under [`RoyalPolicy::Protected`]: whether an attacked enemy royal may be captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RoyalCapture {
    /// By any piece, even one whose move leaves the mover's royal attacked: the game ends first.
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
    /// The castling side.
    pub side: Side,
    /// The letter that stands for the right in position texts.
    pub letter: char,
    /// The king's squares, before and after.
    pub king: (Square, Square),
    /// The partner's squares, before and after.
    pub rook: (Square, Square),
    /// The kinds required on the king's origin and on the partner's.
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
    /// The number of its places (for example one for each face of a die): 1 for a plain number.
    pub size: u8,
    /// Whether only its own side knows it; if it belongs to no side, no side knows it.
    pub secret: bool,
    /// Whether the others see at least the number of items in a secret pool.
    pub counted: bool,
}

/// A mark on squares that a script keeps in the position. It stays on its square regardless of the pieces there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MarkDef {
    /// Its name.
    pub name: String,
    /// Whether each side has its own.
    pub per_side: bool,
}

/// A number or flag that travels with a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraitDef {
    /// Its name.
    pub name: String,
    /// Its value on a piece when it is placed, by kind; the last value applies to further kinds.
    pub initial: Vec<i16>,
    /// Whether only the piece's owner knows it.
    pub secret: bool,
    /// Whether the others see at least how many pieces of a side have each value of a secret trait.
    pub counted: bool,
    /// Whether it is drawn on every piece, not only listed for pieces whose value differs from their kind's.
    pub shown: bool,
    /// Names of values, for people; no rule and no position reads them.
    pub names: Vec<(i16, String)>,
}

impl TraitDef {
    /// The name of a value, if it has one.
    pub fn name_of(&self, value: i16) -> Option<&str> {
        self.names.iter().find(|(known, _)| *known == value).map(|(_, name)| name.as_str())
    }

    /// A value for people: its name, or the number.
    pub fn text(&self, value: i16) -> String {
        self.name_of(value).map_or_else(|| value.to_string(), str::to_owned)
    }
}

/// Who gets captured pieces, in games with hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Captives {
    /// The captor: they may be dropped as the captor's pieces.
    #[default]
    Captor,
    /// Their owner: they may enter again.
    Owner,
    /// Neither: hands only hold pieces put there by rules.
    Nobody,
}

/// A variant as declared, not yet checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// The name shown to people.
    pub title: String,
    /// The board with its regions.
    pub board: Board,
    /// The sides in turn order, 1 to 8.
    pub sides: Vec<SideDef>,
    /// The team of each side, if some are partners: they neither capture nor check each other.
    pub teams: Option<[u8; MAX_SIDES]>,
    /// The kinds of pieces.
    pub kinds: Vec<KindDef>,
    /// The ways of castling, at most 16.
    pub castles: Vec<Castle>,
    /// The safety of royal pieces.
    pub royal_policy: RoyalPolicy,
    /// The capture of royal pieces under [`RoyalPolicy::Protected`].
    pub royal_capture: RoyalCapture,
    /// The squares of each kind at the start (for initial moves without a declared home).
    pub array: Vec<(Square, Piece)>,
    /// Tracks on the board.
    pub tracks: Vec<TrackDef>,
    /// Numbers kept in the position.
    pub counters: Vec<CounterDef>,
    /// Marks on squares.
    pub marks: Vec<MarkDef>,
    /// Numbers kept with each piece.
    pub traits: Vec<TraitDef>,
    /// Whether pieces may be stacked.
    pub heaps: bool,
    /// Whether players have pieces in hand.
    pub hands: bool,
    /// Who gets captured pieces, if there are hands.
    pub captives: Captives,
    /// Whether the history records which moves gave check (for perpetual check).
    pub track_checks: bool,
    /// Whether the rules count how often a position has occurred.
    pub counts_repetitions: bool,
    /// The counter that is 1 until the game has been prepared, if the rules prepare it.
    pub unprepared: Option<u8>,
    /// The counter that holds the last move of each side, if the rules use it: each side has its own, with
    /// [`MOVE_PLACES`](crate::position::MOVE_PLACES) places.
    pub last_moves: Option<u8>,
    /// Whether a rule determines how pieces move, so that kinds do not determine attacks.
    pub ruled_movement: bool,
    /// Its appearance.
    pub look: Look,
}

impl Spec {
    /// A variant with two sides (White, Black) and no pieces on `board`.
    pub fn new(title: &str, board: Board) -> Spec {
        Spec {
            title: title.into(),
            board,
            sides: vec![
                SideDef { name: "White".into(), letter: 'w', forward: 0, elsewhere: Vec::new() },
                SideDef { name: "Black".into(), letter: 'b', forward: 2, elsewhere: Vec::new() },
            ],
            teams: None,
            kinds: Vec::new(),
            castles: Vec::new(),
            royal_policy: RoyalPolicy::default(),
            royal_capture: RoyalCapture::default(),
            array: Vec::new(),
            tracks: Vec::new(),
            counters: Vec::new(),
            marks: Vec::new(),
            traits: Vec::new(),
            heaps: false,
            hands: false,
            captives: Captives::default(),
            track_checks: false,
            counts_repetitions: false,
            unprepared: None,
            last_moves: None,
            ruled_movement: false,
            look: Look::default(),
        }
    }
}

/// The reason why a [`Spec`] is not a valid variant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// Too many or no sides.
    #[error("a game can have 1 to {MAX_SIDES} sides, not {0}")]
    Sides(usize),
    /// Too many kinds.
    #[error("a game can have at most {MAX_KINDS} kinds of pieces, not {0}")]
    Kinds(usize),
    /// Too many castlings.
    #[error("a game can have at most 16 castling moves, not {0}")]
    Castles(usize),
    /// Two kinds share a name or a letter.
    #[error("two kinds of pieces are called {0:?}")]
    Duplicate(String),
    /// A region that is not declared.
    #[error("there is no region called {region:?} (used by the {by})")]
    Region {
        /// The missing name.
        region: String,
        /// The declaration that refers to it.
        by: String,
    },
    /// More hands, counters and marks than a position can hold: see [`Spec::cells`].
    #[error("hands, counters and marks need {0} cells, but a position has only {CELLS}")]
    Cells(usize),
    /// A feature that pieces in heaps cannot have.
    #[error("a game with `heaps: true` cannot have {0}: remove `heaps: true` or {0}")]
    Heaps(&'static str),
    /// A bouncing piece on a board without straight edges.
    #[error("{0:?} cannot bounce: bouncing needs a board of squares, not of hexagons or drawn lines")]
    Bounces(String),
    /// Movement that does not fit the tables.
    #[error("the movement of {0:?} has too many different paths on this board")]
    Paths(String),
}

/// The number of cells (small numbers) of a position: hands, counters, and one for every 16 squares of a mark.
pub const CELLS: usize = 96;

/// The squares whose marks one cell holds, a bit each.
pub(crate) const SQUARES_OF_CELL: usize = 16;

/// The numbers of cells that a declaration takes, in their order in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellCounts {
    /// All hands together.
    pub hands: usize,
    /// Each counter, in order of declaration.
    pub counters: Vec<usize>,
    /// Each sort of mark, in order of declaration.
    pub marks: Vec<usize>,
}

impl CellCounts {
    /// The total.
    pub fn total(&self) -> usize {
        self.hands + self.counters.iter().chain(&self.marks).sum::<usize>()
    }
}

impl Spec {
    /// The cells that each part takes; a position has [`CELLS`].
    pub fn cells(&self) -> CellCounts {
        let owners = |per_side: bool| if per_side { self.sides.len() } else { 1 };
        let mark = self.board.len().div_ceil(SQUARES_OF_CELL);
        CellCounts {
            hands: if self.hands { self.sides.len() * self.kinds.len() } else { 0 },
            counters: self.counters.iter().map(|one| usize::from(one.size) * owners(one.per_side)).collect(),
            marks: self.marks.iter().map(|one| mark * owners(one.per_side)).collect(),
        }
    }
}

/// Checks whether the parts of a declaration are consistent.
///
/// # Errors
/// The first inconsistency.
pub(super) fn check(spec: &Spec) -> Result<(), SpecError> {
    if spec.sides.is_empty() || spec.sides.len() > MAX_SIDES {
        return Err(SpecError::Sides(spec.sides.len()));
    }
    if spec.kinds.len() > MAX_KINDS {
        return Err(SpecError::Kinds(spec.kinds.len()));
    }
    if spec.castles.len() > 16 {
        return Err(SpecError::Castles(spec.castles.len()));
    }
    if spec.heaps && !spec.traits.is_empty() {
        return Err(SpecError::Heaps("traits"));
    }
    if spec.heaps && spec.kinds.iter().any(|kind| kind.royal) {
        return Err(SpecError::Heaps("royal kind"));
    }
    for (i, kind) in spec.kinds.iter().enumerate() {
        if spec.kinds[..i].iter().any(|k| k.name == kind.name || k.letter == kind.letter) {
            return Err(SpecError::Duplicate(kind.name.clone()));
        }
        let zone = kind.promotion.as_ref().map(|p| &p.zone);
        let cushions = match kind.bounces.as_ref().map(|bounces| &bounces.off) {
            Some(Cushions::Region(name)) => Some(name),
            _ => None,
        };
        if kind.bounces.is_some() && (spec.board.cells() != Cells::Square || spec.board.has_drawn_lines()) {
            return Err(SpecError::Bounces(kind.name.clone()));
        }
        let regions = [kind.within.as_ref(), kind.home.as_ref(), kind.drops_to.as_ref(), zone, cushions];
        for region in regions.into_iter().flatten() {
            if spec.board.region(region).is_none() {
                return Err(SpecError::Region { region: region.clone(), by: kind.name.clone() });
            }
        }
    }
    Ok(())
}
