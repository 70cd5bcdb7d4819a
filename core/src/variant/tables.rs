//! Compiled movement: for each kind, side and square, the list of possible moves of a piece there.
//!
//! Forward tables (for generating moves) hold whole sets of targets where possible (`Cell`, with `Slide`s), and lists of
//! `Leap`s, `Ray`s and `Exact` ways for special moves. The reverse table gives, for a piece, a target and an origin, the
//! `Path`s of its captures. Both are made from the same list of ways (see `compile`), so they cannot disagree. Nothing here
//! examines a position.

mod compile;

pub(crate) use compile::lines::LineContext;

use crate::board::bits::Bits;
use crate::board::piece::{KindMask, Piece, Travel};
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::variant::{Spec, SpecError};

/// Bits for the permitted actions on a target, and how it is reached.
pub(crate) mod mode {
    /// May go to an empty square.
    pub(crate) const QUIET: u8 = 1;
    /// May capture an enemy.
    pub(crate) const CAPTURE: u8 = 2;
    /// May capture a piece of its own side.
    pub(crate) const FRIENDLY: u8 = 4;
    /// Going to an empty square leaves en passant rights on the squares passed.
    pub(crate) const DOUBLE: u8 = 8;
    /// The leg must be empty.
    pub(crate) const LAME: u8 = 16;
}

/// The targets of a piece on a square, as sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell<B> {
    /// Targets of plain leaps to empty squares.
    pub(crate) quiet: B,
    /// Targets of plain leaps that capture.
    pub(crate) takes: B,
    /// The first squares of all ways: with own pieces on all of them, no way here is open.
    gate: B,
    /// The targets of a double step to empty squares; the target and all passed squares must be empty.
    pub(crate) stride: B,
    stride_way: B,
    lines: u32,
    slides: u32,
    rising: u8,
    falling: u8,
    slide_count: u16,
    /// Whether the lists of the square's [`SpecialRanges`] have entries.
    pub(crate) special: bool,
    /// Whether own pieces may be captured or jumped, so that the gate is meaningless.
    eager: bool,
    /// Whether some move from here may promote.
    pub(crate) promotes: bool,
    /// Whether there are other entries than leaps, rides and a stride: slides, special ways or promotions.
    pub(crate) odd: bool,
}

impl<B: Bits> Cell<B> {
    /// Whether a piece boxed in by `own` pieces has no move from here, apart from en passant. Fast: many pieces have none.
    pub(crate) fn boxed_in(&self, own: B) -> bool {
        (self.gate & !own).is_none() && !self.eager
    }

    /// The targets of the double step, if its way is free.
    pub(crate) fn strides(&self, occupied: B) -> B {
        if (self.stride_way & occupied).is_none() { self.stride } else { B::NONE }
    }
}

/// A slide or hop along squares of ascending or descending numbers, other than plain rides (all squares are targets, quiet
/// or capture).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Slide<B> {
    line: B,
    /// The squares of the line that are targets.
    targets: B,
    /// Whether numbers rise along the line.
    rising: bool,
    travel: Travel,
    pub(crate) modes: u8,
}

impl<B: Bits> Slide<B> {
    /// The squares where the slide may end, regardless of the piece there.
    pub(crate) fn ends(&self, occupied: B) -> B {
        let ends = match self.travel {
            Travel::Clear => self.line & self.through(self.line & occupied),
            Travel::Hop => {
                let beyond = self.beyond(occupied);
                beyond & self.through(beyond & occupied)
            }
            Travel::Land => {
                let beyond = self.beyond(occupied);
                beyond & self.through(beyond)
            }
        };
        ends & self.targets
    }

    /// The line beyond its first piece.
    fn beyond(&self, occupied: B) -> B {
        self.line & !self.through(self.line & occupied)
    }

    /// All squares up to and including the first of `stops`.
    fn through(&self, stops: B) -> B {
        if self.rising { stops.through_lowest() } else { stops.through_highest() }
    }
}

/// The set tables at one width.
#[derive(Clone, Debug)]
pub(crate) struct Sets<B> {
    squares: usize,
    /// By piece and square.
    cells: Vec<Cell<B>>,
    lines: Vec<B>,
    slides: Vec<Slide<B>>,
    paths: Vec<Path<B>>,
    /// By side and target.
    reach: Vec<B>,
}

impl<B: Bits> Sets<B> {
    pub(crate) fn cell(&self, piece: Piece, from: Square) -> &Cell<B> {
        &self.cells[piece.index() * self.squares + from.index()]
    }

    /// The squares that plain rides reach, including the first pieces in the way.
    pub(crate) fn rides(&self, cell: &Cell<B>, occupied: B) -> B {
        let count = usize::from(cell.rising) + usize::from(cell.falling);
        if count == 0 {
            return B::NONE;
        }
        let (rising, falling) = self.lines[cell.lines as usize..][..count].split_at(usize::from(cell.rising));
        let mut rides = B::NONE;
        for &line in rising {
            rides |= line & (line & occupied).through_lowest();
        }
        for &line in falling {
            rides |= line & (line & occupied).through_highest();
        }
        rides
    }

    pub(crate) fn path(&self, id: PathId) -> &Path<B> {
        &self.paths[id as usize]
    }

    /// Whether one of the paths from `id` on is open to a capture of pieces of all these kinds. Separate from the calling
    /// loops, since most pieces have no path at all.
    #[inline(never)]
    pub(crate) fn lets_through(&self, mut id: PathId, victims: KindMask, occupied: B) -> bool {
        while id != 0 {
            let path = self.path(id);
            if path.victims.0 & victims.0 == victims.0 && path.open(occupied) {
                return true;
            }
            id = path.next;
        }
        false
    }

    /// The squares from which some piece of `side` captures on `to` under some occupancy.
    pub(crate) fn reach(&self, side: Side, to: Square) -> B {
        self.reach[side.index() * self.squares + to.index()]
    }

    pub(crate) fn slides(&self, cell: &Cell<B>) -> &[Slide<B>] {
        &self.slides[cell.slides as usize..][..cell.slide_count as usize]
    }
}

/// Evaluates an expression with the set tables at the width that the board needs.
macro_rules! at_width {
    ($tables:expr, $sets:ident => $body:expr) => {
        match $tables.sets() {
            $crate::variant::tables::AnySets::Narrow($sets) => $body,
            #[cfg(not(target_family = "wasm"))]
            $crate::variant::tables::AnySets::Middle($sets) => $body,
            $crate::variant::tables::AnySets::Wide($sets) => $body,
        }
    };
}
pub(crate) use at_width;

/// The set tables at the width that the board needs.
#[derive(Clone, Debug)]
pub(crate) enum AnySets {
    Narrow(Sets<u64>),
    #[cfg(not(target_family = "wasm"))]
    Middle(Sets<u128>),
    Wide(Sets<SquareSet>),
}

/// A leap to one square, lame if its modes say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leap {
    pub(crate) to: Square,
    /// The square that must be empty; the target if there is none.
    pub(crate) leg: Square,
    pub(crate) modes: u8,
    /// Index into [`Tables::victims`].
    pub(crate) victims: u8,
}

/// A slide or hop along a list of squares, each of them a target from step `min` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    start: u32,
    len: u8,
    /// The first step that may be a target, from 1.
    pub(crate) min: u8,
    pub(crate) travel: Travel,
    pub(crate) modes: u8,
    /// Index into [`Tables::victims`].
    pub(crate) victims: u8,
}

/// A way that captures on a square other than its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Locust {
    pub(crate) to: Square,
    /// The square of the captured piece.
    pub(crate) over: Square,
    /// The permitted contents of the target.
    pub(crate) modes: u8,
    /// Index into [`Tables::victims`].
    pub(crate) victims: u8,
    pub(crate) path: PathId,
}

/// Any other way to one square: along a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exact {
    pub(crate) to: Square,
    pub(crate) modes: u8,
    /// Index into [`Tables::victims`].
    pub(crate) victims: u8,
    pub(crate) path: PathId,
}

/// A way that leaves en passant rights behind, and the squares that it passes.
#[derive(Clone, Copy, Debug)]
struct Double {
    to: Square,
    start: u32,
    end: u32,
}

/// A number of a [`Path`]; 0 is none.
pub(crate) type PathId = u16;

/// The conditions of a move on the squares between origin and target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Path<B> {
    /// These must all be empty.
    pub(crate) clear: B,
    /// If it has squares, exactly one of these must be occupied.
    pub(crate) hop: B,
    /// The kinds that may be captured along it.
    pub(crate) victims: KindMask,
    /// Whether `hop` has squares.
    pub(crate) hops: bool,
    /// Another path between the same squares.
    pub(crate) next: PathId,
}

impl<B: Bits> Path<B> {
    /// Whether the path can be used when `occupied` squares have pieces.
    pub(crate) fn open(&self, occupied: B) -> bool {
        (self.clear & occupied).is_none() && (!self.hops || (self.hop & occupied).count() == 1)
    }

    /// Whether the path can be open after at most `removed` pieces on it have left and perhaps one has arrived.
    pub(crate) fn may_open(&self, occupied: B, removed: u32) -> bool {
        !(self.clear & occupied).more_than(removed) && (!self.hops || !(self.hop & occupied).more_than(1 + removed))
    }
}

/// The positions of the special entries of one piece on one square in the lists.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpecialRanges {
    leaps: u32,
    rays: u32,
    exacts: u32,
    passing: u32,
    doubles: u32,
    locusts: u32,
    leap_count: u16,
    ray_count: u16,
    exact_count: u16,
    passing_count: u16,
    double_count: u16,
    locust_count: u16,
    /// Two entries may lead to the same target, so the generator has to check for repetitions.
    pub(crate) overlap: bool,
    /// The piece could never move from here.
    pub(crate) stuck: bool,
}

/// When a kind of a side promotes, and to which kinds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PromotionTable {
    pub(crate) zone: SquareSet,
    pub(crate) to: KindMask,
    pub(crate) forced: bool,
    pub(crate) on_leaving: bool,
}

/// The movement of all pieces of a variant on its board.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    squares: usize,
    sets: AnySets,
    /// By piece and square.
    spans: Vec<SpecialRanges>,
    /// Lame leaps, and all others that do not fit into sets.
    leaps: Vec<Leap>,
    /// The ways to capture en passant.
    passing: Vec<Exact>,
    /// By side and target, the squares from which some piece captures en passant.
    passers: Vec<SquareSet>,
    doubles: Vec<Double>,
    /// The ways to capture on a square other than the target.
    locusts: Vec<Locust>,
    /// The squares passed by all doubles.
    passed: Vec<Square>,
    rays: Vec<Ray>,
    ray_squares: Vec<Square>,
    exacts: Vec<Exact>,
    victims: Vec<KindMask>,
    /// By target, piece and origin.
    codes: Vec<PathId>,
    /// By piece.
    promotions: Vec<Option<PromotionTable>>,
}

impl Tables {
    /// Compiles the movement that `spec` declares.
    ///
    /// # Errors
    /// [`SpecError::Paths`] if a kind's movement does not fit, [`SpecError::Region`] if it names a
    /// region that the board does not have.
    pub(crate) fn new(spec: &Spec) -> Result<Tables, SpecError> {
        compile::compile(spec)
    }

    /// The squares that `piece` passes when it goes from `from` to `to` by an atom marked `double`; empty if it has no such
    /// atom.
    #[inline(always)]
    pub(crate) fn passed(&self, piece: Piece, from: Square, to: Square) -> &[Square] {
        let span = self.span(piece, from);
        let doubles = &self.doubles[span.doubles as usize..][..span.double_count as usize];
        doubles.iter().find(|d| d.to == to).map_or(&[][..], |d| &self.passed[d.start as usize..d.end as usize])
    }

    pub(crate) fn span(&self, piece: Piece, from: Square) -> &SpecialRanges {
        &self.spans[piece.index() * self.squares + from.index()]
    }

    pub(crate) fn sets(&self) -> &AnySets {
        &self.sets
    }

    /// The squares from which some piece of `side` captures en passant on `to`.
    pub(crate) fn passers(&self, side: Side, to: Square) -> SquareSet {
        self.passers[side.index() * self.squares + to.index()]
    }

    /// The captures en passant of one square.
    pub(crate) fn passing(&self, span: &SpecialRanges) -> &[Exact] {
        &self.passing[span.passing as usize..][..span.passing_count as usize]
    }

    /// The captures from one square that end on another square than the victim's.
    pub(crate) fn locusts(&self, span: &SpecialRanges) -> &[Locust] {
        &self.locusts[span.locusts as usize..][..span.locust_count as usize]
    }

    /// Whether any piece captures on a square other than its target.
    pub(crate) fn passes_over(&self) -> bool {
        !self.locusts.is_empty()
    }

    pub(crate) fn leaps(&self, span: &SpecialRanges) -> &[Leap] {
        &self.leaps[span.leaps as usize..][..span.leap_count as usize]
    }

    pub(crate) fn rays(&self, span: &SpecialRanges) -> &[Ray] {
        &self.rays[span.rays as usize..][..span.ray_count as usize]
    }

    pub(crate) fn exacts(&self, span: &SpecialRanges) -> &[Exact] {
        &self.exacts[span.exacts as usize..][..span.exact_count as usize]
    }

    /// The squares along a ray, nearest first.
    pub(crate) fn along(&self, ray: &Ray) -> &[Square] {
        &self.ray_squares[ray.start as usize..][..ray.len as usize]
    }

    pub(crate) fn victims(&self, index: u8) -> KindMask {
        self.victims[index as usize]
    }

    /// The paths by which pieces capture on `to`.
    pub(crate) fn codes(&self, to: Square) -> Codes<'_> {
        let len = self.promotions.len() * self.squares;
        Codes { row: &self.codes[to.index() * len..][..len], squares: self.squares }
    }

    pub(crate) fn promotion(&self, piece: Piece) -> Option<&PromotionTable> {
        self.promotions[piece.index()].as_ref()
    }
}

/// The start of the paths by which pieces capture on one square.
#[derive(Clone, Copy)]
pub(crate) struct Codes<'a> {
    row: &'a [PathId],
    squares: usize,
}

impl Codes<'_> {
    /// The first path of `piece` on `from`, or 0.
    pub(crate) fn first(self, piece: Piece, from: Square) -> PathId {
        self.row[piece.index() * self.squares + from.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::piece::{Atom, Kind, KindDef, Promotion};
    use crate::board::side::MAX_SIDES;
    use crate::board::{Board, Region};

    /// The names of the squares in the set, in order.
    fn names(board: &Board, set: impl IntoIterator<Item = Square>) -> String {
        set.into_iter().map(|s| board.name(s)).collect::<Vec<_>>().join(" ")
    }

    fn compiled(board: Board, kinds: Vec<KindDef>) -> (Board, Tables) {
        let spec = Spec { kinds, ..Spec::new("", board) };
        (spec.board.clone(), Tables::new(&spec).unwrap())
    }

    fn kind(atom: Atom) -> KindDef {
        KindDef { atoms: vec![atom], ..KindDef::new("piece", "P") }
    }

    /// The squares where the first kind on `from` captures with pieces on `occupied`.
    fn hits(board: &Board, tables: &Tables, side: u8, from: &str, occupied: &[&str]) -> String {
        let square = |name: &str| board.parse(name).unwrap();
        let occupied: SquareSet = occupied.iter().map(|name| square(name)).collect();
        let piece = Piece::new(Side(side), Kind(0));
        let hit = |to: &Square| {
            let id = tables.codes(*to).first(piece, square(from));
            at_width!(tables, sets => sets.lets_through(id, KindMask::ALL, Bits::of(occupied)))
        };
        names(board, board.squares().into_iter().filter(hit))
    }

    #[test]
    fn lame_leaps_turn_with_their_side() {
        let horse = Atom { steps: vec![(1, 2)], legs: vec![vec![(0, 1)]], ..Atom::default() };
        let (board, tables) = compiled(Board::new(5, 5, 1).unwrap(), vec![kind(horse)]);
        assert_eq!(hits(&board, &tables, 0, "c3", &[]), "d5");
        assert_eq!(hits(&board, &tables, 1, "c3", &[]), "b1");
        assert_eq!(hits(&board, &tables, 0, "c3", &["c4"]), "");
        assert_eq!(hits(&board, &tables, 1, "c3", &["c4"]), "b1");
        assert_eq!(hits(&board, &tables, 1, "c3", &["c2"]), "");
    }

    #[test]
    fn hops_need_their_hurdle() {
        let line = |travel| kind(Atom { steps: vec![(1, 0)], max: 0, travel, ..Atom::default() });
        let (board, tables) = compiled(Board::new(6, 1, 1).unwrap(), vec![line(Travel::Hop)]);
        assert_eq!(hits(&board, &tables, 0, "a1", &[]), "");
        assert_eq!(hits(&board, &tables, 0, "a1", &["c1"]), "d1 e1 f1");
        assert_eq!(hits(&board, &tables, 0, "a1", &["c1", "e1"]), "d1 e1");
        let (board, tables) = compiled(Board::new(6, 1, 1).unwrap(), vec![line(Travel::Land)]);
        assert_eq!(hits(&board, &tables, 0, "a1", &["c1"]), "d1");
        assert_eq!(hits(&board, &tables, 0, "a1", &["c1", "e1"]), "d1");
    }

    #[test]
    fn men_hemmed_in_by_their_own_have_no_moves_unless_they_pass_over_them() {
        let hemmed = |atom: Atom, own: &[&str]| {
            let (board, tables) = compiled(Board::new(5, 5, 1).unwrap(), vec![kind(atom)]);
            let own: SquareSet = own.iter().map(|name| board.parse(name).unwrap()).collect();
            let corner = board.parse("a1").unwrap();
            at_width!(tables, sets => sets.cell(Piece::new(Side(0), Kind(0)), corner).boxed_in(Bits::of(own)))
        };
        let rook = Atom { steps: vec![(1, 0), (0, 1)], max: 0, ..Atom::default() };
        assert!(hemmed(rook.clone(), &["b1", "a2"]));
        assert!(!hemmed(rook.clone(), &["b1", "a3"]));
        assert!(!hemmed(Atom { friendly: true, ..rook.clone() }, &["b1", "a2"]));
        assert!(!hemmed(Atom { travel: Travel::Hop, ..rook }, &["b1", "a2"]));
        let knight = Atom { steps: vec![(1, 2), (2, 1)], ..Atom::default() };
        assert!(hemmed(knight.clone(), &["b3", "c2"]));
        assert!(!hemmed(knight, &["b3", "b2"]));
        let stride = Atom { min: 2, max: 2, double: true, steps: vec![(0, 1)], ..Atom::default() };
        assert!(!hemmed(stride, &["a2"]), "the gate says only what is sure");
    }

    #[test]
    fn rides_do_not_come_back_round_the_board() {
        let mut board = Board::new(4, 1, 1).unwrap();
        board.wrap(true, false);
        let (board, tables) = compiled(board, vec![kind(Atom { steps: vec![(1, 0)], max: 0, ..Atom::default() })]);
        assert_eq!(hits(&board, &tables, 0, "c1", &[]), "a1 b1 d1");
        assert_eq!(hits(&board, &tables, 0, "c1", &["d1"]), "d1");
    }

    #[test]
    fn double_steps_tell_what_they_pass() {
        let stride = Atom { min: 2, max: 3, double: true, capture: false, steps: vec![(0, 1)], ..Atom::default() };
        let (board, tables) = compiled(Board::new(1, 6, 1).unwrap(), vec![kind(stride)]);
        let passed = |from: &str, to: &str| {
            let squares =
                tables.passed(Piece::new(Side(0), Kind(0)), board.parse(from).unwrap(), board.parse(to).unwrap());
            names(&board, squares.iter().copied())
        };
        assert_eq!(passed("a1", "a3"), "a2");
        assert_eq!(passed("a1", "a4"), "a2 a3");
        assert_eq!(passed("a1", "a2"), "");
    }

    #[test]
    fn a_declaration_that_does_not_fit_is_refused() {
        let missing = KindDef { within: Some("nowhere".into()), ..kind(Atom::default()) };
        let spec = Spec { kinds: vec![missing], ..Spec::new("", Board::new(3, 3, 1).unwrap()) };
        assert!(matches!(Tables::new(&spec), Err(SpecError::Region { region, .. }) if region == "nowhere"));
        let steps = (0..40_000).map(|_| (0, 1)).collect();
        let huge = kind(Atom { steps, max: 0, ..Atom::default() });
        let spec = Spec { kinds: vec![huge], ..Spec::new("", Board::new(16, 16, 1).unwrap()) };
        assert_eq!(Tables::new(&spec).unwrap_err(), SpecError::Paths("piece".into()));
    }

    #[test]
    fn pieces_at_the_end_of_their_way_are_stuck() {
        let mut board = Board::new(1, 3, 1).unwrap();
        board.add_region(Region { name: "last".into(), squares: [board.rank_set(2); MAX_SIDES] });
        let promotion = Promotion { zone: "last".into(), to: Kind(0).into(), forced: false, on_leaving: false };
        let pawn = KindDef { promotion: Some(promotion), ..kind(Atom { steps: vec![(0, 1)], ..Atom::default() }) };
        let (board, tables) = compiled(board, vec![pawn]);
        let stuck = |s: &Square| tables.span(Piece::new(Side(0), Kind(0)), *s).stuck;
        assert_eq!(names(&board, board.squares().into_iter().filter(stuck)), "a3");
    }
}
