//! Compiles atoms into tables.
//!
//! Every atom is followed from every square into a list of ways, one for each target. Each way becomes the cheapest table
//! entry that can hold it; ways that capture also become paths of the reverse table.

pub(crate) mod lines;
mod routes;

use super::{
    AnySets, Cell, Double, Exact, Leap, Path, PathId, PromotionTable, Ray, Sets, Slide, SpecialRanges, Tables, mode,
};
use crate::board::bits::{self, Bits};
use crate::board::piece::{Atom, Kind, KindDef, KindMask, Piece, SideDef, Travel};
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::variant::{Spec, SpecError};
use lines::{LineContext, LineKey, Stop};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, Hash};
use std::rc::Rc;

/// The maximum number of entries (targets of leaps, squares of rays) of all tables together: enough for 63 kinds that move
/// like queens on the largest board, and few enough to stop a hostile declaration early.
const MAX_ENTRIES: usize = 1 << 23;

const TARGET_MODES: u8 = mode::QUIET | mode::CAPTURE | mode::FRIENDLY;

const NO_CELL: Cell<SquareSet> = Cell {
    quiet: SquareSet::EMPTY,
    takes: SquareSet::EMPTY,
    gate: SquareSet::EMPTY,
    stride: SquareSet::EMPTY,
    stride_way: SquareSet::EMPTY,
    lines: 0,
    slides: 0,
    rising: 0,
    falling: 0,
    slide_count: 0,
    special: false,
    eager: false,
    promotes: false,
    odd: false,
};

/// One target of one direction.
#[derive(Clone, Copy)]
struct Way {
    to: Square,
    clear: SquareSet,
    hop: SquareSet,
}

/// The subject of the compilation: a kind of a side, and its regions.
struct Subject<'a> {
    def: &'a KindDef,
    piece: Piece,
    owner: &'a SideDef,
    within: SquareSet,
    home: SquareSet,
    promotion: Option<PromotionTable>,
    /// For each atom the result of [`routes::shared_steps`] for its routes.
    shared_steps: Vec<Vec<usize>>,
}

impl Subject<'_> {
    /// How far its forward direction is turned on a square.
    fn turn(&self, square: Square) -> u8 {
        self.def.facing.unwrap_or_else(|| self.owner.forward_at(square))
    }

    /// Whether the piece may promote by going from one square to another.
    fn promotes(&self, from: Square, to: Square) -> bool {
        let arrives = |p: PromotionTable| p.zone.contains(to) || (p.on_leaving && p.zone.contains(from));
        self.promotion.is_some_and(arrives)
    }
}

struct Compiler<'a> {
    spec: &'a Spec,
    tables: Tables,
    sets: Sets<SquareSet>,
    /// The number of each path, by its hash; a path whose hash is taken has the next free one. With the paths themselves as
    /// keys, each would be stored twice.
    ids: FxHashMap<u64, PathId>,
    /// The position of each list in the tables, so that pieces that slide alike share them.
    line_lists: FxHashMap<Vec<SquareSet>, u32>,
    slide_lists: FxHashMap<Vec<Slide<SquareSet>>, u32>,
    /// The cells by kind, side and square.
    cells: Vec<Cell<SquareSet>>,
    /// The cell and the slides of the current square.
    cell: Cell<SquareSet>,
    rising: Vec<SquareSet>,
    falling: Vec<SquareSet>,
    slides: Vec<Slide<SquareSet>>,
    /// The lines of a board with declared adjacency: they take long to follow, and many pieces share them.
    linked_lines: FxHashMap<LineKey, Rc<[Vec<Stop>]>>,
    /// Reusable lists, one use for each direction from each square.
    line_room: Vec<Stop>,
    way_room: Vec<Way>,
    /// The last path looked up: a way and its capture are often the same.
    last_path: Option<(Path<SquareSet>, PathId)>,
    /// For each target of the current square, the modes of the entries that lead there.
    seen: [u8; 256],
    entries: usize,
}

/// Compiles all movement of `spec`; errors as for [`Tables::new`].
pub(super) fn compile(spec: &Spec) -> Result<Tables, SpecError> {
    let squares = spec.board.len();
    let sides = spec.sides.len();
    let pieces = Piece::indices(sides, spec.kinds.len());
    let no_path =
        Path { clear: SquareSet::EMPTY, hop: SquareSet::EMPTY, victims: KindMask::NONE, hops: false, next: 0 };
    let nothing = Sets {
        squares,
        cells: Vec::new(),
        lines: Vec::new(),
        slides: Vec::new(),
        paths: Vec::new(),
        reach: Vec::new(),
    };
    let sets = Sets { paths: vec![no_path], reach: vec![SquareSet::EMPTY; sides * squares], ..nothing.clone() };
    let tables = Tables {
        squares,
        sets: AnySets::Wide(nothing),
        spans: vec![SpecialRanges::default(); pieces * squares],
        leaps: Vec::new(),
        passing: Vec::new(),
        passers: vec![SquareSet::EMPTY; sides * squares],
        doubles: Vec::new(),
        locusts: Vec::new(),
        passed: Vec::new(),
        rays: Vec::new(),
        ray_squares: Vec::new(),
        exacts: Vec::new(),
        victims: vec![KindMask::ALL],
        codes: vec![0; pieces * squares * squares],
        promotions: vec![None; pieces],
    };
    let mut compiler = Compiler {
        spec,
        tables,
        sets,
        ids: FxHashMap::default(),
        line_lists: FxHashMap::default(),
        slide_lists: FxHashMap::default(),
        cells: vec![NO_CELL; spec.kinds.len() * sides * squares],
        cell: NO_CELL,
        rising: Vec::new(),
        falling: Vec::new(),
        slides: Vec::new(),
        linked_lines: FxHashMap::default(),
        line_room: Vec::new(),
        way_room: Vec::new(),
        last_path: None,
        seen: [0; 256],
        entries: 0,
    };
    for (i, def) in spec.kinds.iter().enumerate() {
        for (s, side) in spec.sides.iter().enumerate() {
            let piece = Piece::new(Side(s as u8), Kind(i as u8));
            compiler.piece(def, piece, side)?;
        }
    }
    compiler.tables.sets = match bits::words(squares) {
        1 => AnySets::Narrow(compiler.sets_at_width()),
        #[cfg(not(target_family = "wasm"))]
        2 => AnySets::Middle(compiler.sets_at_width()),
        _ => AnySets::Wide(compiler.sets_at_width()),
    };
    Ok(compiler.tables)
}

impl Cell<SquareSet> {
    /// The same cell for a board that fits into `B`.
    fn at_width<B: Bits>(&self) -> Cell<B> {
        Cell {
            quiet: B::of(self.quiet),
            takes: B::of(self.takes),
            gate: B::of(self.gate),
            stride: B::of(self.stride),
            stride_way: B::of(self.stride_way),
            lines: self.lines,
            slides: self.slides,
            rising: self.rising,
            falling: self.falling,
            slide_count: self.slide_count,
            special: self.special,
            eager: self.eager,
            promotes: self.promotes,
            odd: self.odd,
        }
    }
}

impl Compiler<'_> {
    /// The compiled sets for a board that fits into `B`, with the cells by the index of their piece.
    fn sets_at_width<B: Bits>(&self) -> Sets<B> {
        let Sets { squares, lines, slides, paths, reach, .. } = &self.sets;
        let sides = self.spec.sides.len();
        let mut cells = vec![NO_CELL.at_width(); Piece::indices(sides, self.spec.kinds.len()) * squares];
        for (number, row) in self.cells.chunks_exact(*squares).enumerate() {
            let piece = Piece::new(Side((number % sides) as u8), Kind((number / sides) as u8));
            let row = row.iter().map(Cell::at_width);
            cells[piece.index() * squares..].iter_mut().zip(row).for_each(|(at, cell)| *at = cell);
        }
        let slide = |s: &Slide<SquareSet>| Slide {
            line: B::of(s.line),
            targets: B::of(s.targets),
            rising: s.rising,
            travel: s.travel,
            modes: s.modes,
        };
        let path = |p: &Path<SquareSet>| Path {
            clear: B::of(p.clear),
            hop: B::of(p.hop),
            victims: p.victims,
            hops: p.hops,
            next: p.next,
        };
        Sets {
            squares: *squares,
            cells,
            lines: lines.iter().map(|&line| B::of(line)).collect(),
            slides: slides.iter().map(slide).collect(),
            paths: paths.iter().map(path).collect(),
            reach: reach.iter().map(|&from| B::of(from)).collect(),
        }
    }

    fn piece(&mut self, def: &KindDef, piece: Piece, owner: &SideDef) -> Result<(), SpecError> {
        let within = self.region(def, def.within.as_deref(), piece.side())?.unwrap_or(self.spec.board.squares());
        let array = self.spec.array.iter().filter(|(_, p)| *p == piece).map(|(s, _)| *s).collect();
        let home = self.region(def, def.home.as_deref(), piece.side())?.unwrap_or(array);
        if let Some(promotion) = def.promotion.as_ref().filter(|p| p.to != KindMask::NONE) {
            let zone = self.region(def, Some(&promotion.zone), piece.side())?.unwrap_or_default();
            let (to, forced, on_leaving) = (promotion.to, promotion.forced, promotion.on_leaving);
            self.tables.promotions[piece.index()] = Some(PromotionTable { zone, to, forced, on_leaving });
        }
        let promotion = self.tables.promotions[piece.index()];
        let shared_steps = def.atoms.iter().map(|atom| routes::shared_steps(&atom.routes)).collect();
        let subject = Subject { def, piece, owner, within, home, promotion, shared_steps };
        for from in self.spec.board.squares() {
            self.square(&subject, from)?;
        }
        Ok(())
    }

    fn region(&self, def: &KindDef, name: Option<&str>, side: Side) -> Result<Option<SquareSet>, SpecError> {
        let Some(name) = name else { return Ok(None) };
        match self.spec.board.region(name) {
            Some(region) => Ok(Some(region.squares[side.index()])),
            None => Err(SpecError::Region { region: name.into(), by: def.name.clone() }),
        }
    }

    /// Compiles all entries of a piece on one square.
    fn square(&mut self, subject: &Subject, from: Square) -> Result<(), SpecError> {
        let too_many = || SpecError::Paths(subject.def.name.clone());
        let tables = &self.tables;
        let mut span = SpecialRanges {
            leaps: tables.leaps.len() as u32,
            rays: tables.rays.len() as u32,
            exacts: tables.exacts.len() as u32,
            passing: tables.passing.len() as u32,
            doubles: tables.doubles.len() as u32,
            locusts: tables.locusts.len() as u32,
            ..SpecialRanges::default()
        };
        self.seen.fill(0);
        self.cell = NO_CELL;
        self.rising.clear();
        self.falling.clear();
        self.slides.clear();
        let atoms = subject.def.atoms.iter().zip(&subject.shared_steps);
        for (atom, shared_steps) in atoms.filter(|(atom, _)| !atom.initial || subject.home.contains(from)) {
            let victims = self.victims(atom.victims).ok_or_else(too_many)?;
            for direction in 0..atom.steps.len() {
                let first_leap = span.leaps as usize;
                let overlap = self.direction(subject, atom, direction, from, first_leap, victims);
                span.overlap |= overlap.ok_or_else(too_many)?;
            }
            let overlap = self.routes(subject, (atom, shared_steps), from, span.leaps as usize);
            span.overlap |= overlap.ok_or_else(too_many)?;
        }
        let count = |len: usize, start: u32| u16::try_from(len - start as usize).map_err(|_| too_many());
        let tables = &mut self.tables;
        span.leap_count = count(tables.leaps.len(), span.leaps)?;
        span.ray_count = count(tables.rays.len(), span.rays)?;
        span.exact_count = count(tables.exacts.len(), span.exacts)?;
        span.passing_count = count(tables.passing.len(), span.passing)?;
        span.double_count = count(tables.doubles.len(), span.doubles)?;
        span.locust_count = count(tables.locusts.len(), span.locusts)?;
        self.cell.special =
            span.leap_count != 0 || span.ray_count != 0 || span.exact_count != 0 || span.locust_count != 0;
        let over_own = |slide: &Slide<_>| slide.travel != Travel::Clear || slide.modes & mode::FRIENDLY != 0;
        self.cell.eager = self.cell.special || self.slides.iter().any(over_own);
        self.cell.gate |= self.cell.quiet | self.cell.takes;
        self.cell.slide_count = count(self.slides.len(), 0)?;
        let lines = |list: &[SquareSet]| u8::try_from(list.len()).map_err(|_| too_many());
        (self.cell.rising, self.cell.falling) = (lines(&self.rising)?, lines(&self.falling)?);
        let Cell { quiet, takes, stride, special, slide_count, rising, falling, .. } = self.cell;
        self.cell.odd = special || slide_count != 0 || self.cell.promotes;
        let slides = slide_count != 0 || rising != 0 || falling != 0 || !stride.is_empty();
        span.stuck = !special && !slides && span.passing_count == 0 && (quiet | takes).is_empty();
        self.rising.extend(&self.falling);
        self.cell.lines = share(&mut self.line_lists, &mut self.sets.lines, &self.rising);
        self.cell.slides = share(&mut self.slide_lists, &mut self.sets.slides, &self.slides);
        let (kind, side) = (subject.piece.kind().index(), subject.piece.side().index());
        self.cells[(kind * self.spec.sides.len() + side) * self.sets.squares + from.index()] = self.cell;
        self.tables.spans[subject.piece.index() * self.sets.squares + from.index()] = span;
        Ok(())
    }

    /// Compiles one direction of an atom; returns whether a target had been reached before, or `None` if the tables are
    /// full. `first_leap` is where the leaps of this square begin.
    fn direction(
        &mut self,
        subject: &Subject,
        atom: &Atom,
        direction: usize,
        from: Square,
        first_leap: usize,
        victims: u8,
    ) -> Option<bool> {
        let course = LineContext { board: &self.spec.board, def: subject.def, side: subject.piece.side() };
        let mut line = std::mem::take(&mut self.line_room);
        if course.follow_straight(atom, direction, subject.turn(from), from, &mut line) {
            let overlap = self.along(subject, atom, from, &line, first_leap, victims);
            self.line_room = line;
            return overlap;
        }
        let follow = || Rc::from(course.follow(atom, direction, subject.turn(from), from));
        let lines = match course.key(atom, direction, subject.turn(from), from) {
            Some(key) => Rc::clone(self.linked_lines.entry(key).or_insert_with(follow)),
            None => follow(),
        };
        let mut overlap = false;
        for stops in lines.iter() {
            overlap |= self.along(subject, atom, from, stops, first_leap, victims)?;
        }
        Some(overlap)
    }

    /// Compiles the line that one direction of an atom leads along; as [`direction`](Compiler::direction).
    fn along(
        &mut self,
        subject: &Subject,
        atom: &Atom,
        from: Square,
        stops: &[Stop],
        first_leap: usize,
        victims: u8,
    ) -> Option<bool> {
        // Confinement does not apply to atoms restricted to certain victims: they look across the board.
        let allowed = |to| subject.within.contains(to) || atom.victims != KindMask::ALL;
        let nearest = if atom.travel == Travel::Clear { 1 } else { 2 };
        let min = usize::from(atom.min).max(nearest);
        let Some(last) = (min - 1..stops.len()).rev().find(|&i| allowed(stops[i].to)) else { return Some(false) };
        let stops = &stops[..=last];
        self.entries += stops.len();
        if self.entries > MAX_ENTRIES {
            return None;
        }
        let mut ways = std::mem::take(&mut self.way_room);
        fill_ways(&mut ways, atom.travel, stops, min);
        ways.retain(|way| allowed(way.to));
        let whole = ways.len() == stops.len() + 1 - min && stops.iter().all(|s| s.legs.is_empty());
        let modes = modes_of(atom);
        if whole && !atom.double && (ways.len() > 1 || atom.travel != Travel::Clear) {
            self.line(stops, min, atom.travel, modes, victims);
        } else {
            for way in &ways {
                self.single(way, modes, victims, first_leap)?;
            }
        }
        let mut overlap = false;
        for way in &ways {
            overlap |= self.mark(way.to, modes);
            if atom.capture {
                self.reverse(subject.piece, from, way, atom.victims)?;
            }
            self.cell.promotes |= subject.promotes(from, way.to);
            if atom.en_passant {
                let path = self.path_of(way)?;
                let at = subject.piece.side().index() * self.tables.squares + way.to.index();
                self.tables.passers[at].insert(from);
                self.tables.passing.push(Exact { to: way.to, modes: mode::CAPTURE, victims, path });
            }
        }
        self.way_room = ways;
        Some(overlap)
    }

    /// Adds the entry for a line of squares, all of them targets from step `min` on.
    fn line(&mut self, stops: &[Stop], min: usize, travel: Travel, modes: u8, victims: u8) {
        let rising = stops.is_sorted_by(|a, b| a.to < b.to);
        if victims == 0 && (rising || stops.is_sorted_by(|a, b| a.to > b.to)) {
            let line = stops.iter().map(|s| s.to).collect();
            self.cell.gate.insert(stops[0].to);
            if travel == Travel::Clear && min == 1 && modes == mode::QUIET | mode::CAPTURE {
                if rising {
                    self.rising.push(line)
                } else {
                    self.falling.push(line)
                }
                return;
            }
            let targets = stops[min - 1..].iter().map(|s| s.to).collect();
            self.slides.push(Slide { line, targets, rising, travel, modes });
        } else {
            let start = self.tables.ray_squares.len() as u32;
            self.tables.ray_squares.extend(stops.iter().map(|s| s.to));
            self.tables.rays.push(Ray { start, len: stops.len() as u8, min: min as u8, travel, modes, victims });
        }
    }

    /// Adds the entry for a way that is not part of a line.
    fn single(&mut self, way: &Way, modes: u8, victims: u8, first_leap: usize) -> Option<()> {
        if modes & mode::DOUBLE != 0 {
            let start = self.tables.passed.len() as u32;
            self.tables.passed.extend(way.clear);
            self.tables.doubles.push(Double { to: way.to, start, end: self.tables.passed.len() as u32 });
            // Pawns are many, so their double steps are computed on sets if possible: as strides or, if that does not
            // suffice, as slides with their end as the only target.
            let rising = way.clear.into_iter().all(|s| s < way.to);
            if way.hop.is_empty() && victims == 0 && (rising || way.clear.into_iter().all(|s| s > way.to)) {
                let targets = way.to.into();
                self.cell.gate |= way.clear | targets;
                if modes == mode::QUIET | mode::DOUBLE && self.cell.stride.is_empty() {
                    self.cell.stride = targets;
                    self.cell.stride_way = way.clear | targets;
                    return Some(());
                }
                self.slides.push(Slide { line: way.clear | targets, targets, rising, travel: Travel::Clear, modes });
                return Some(());
            }
        }
        let mut obstacles = way.clear.into_iter();
        let leg = obstacles.next();
        if !way.hop.is_empty() || obstacles.next().is_some() {
            let path = self.path_of(way)?;
            self.tables.exacts.push(Exact { to: way.to, modes, victims, path });
            return Some(());
        }
        if leg.is_none() && victims == 0 && modes & (mode::FRIENDLY | mode::DOUBLE) == 0 {
            if modes & mode::QUIET != 0 {
                self.cell.quiet.insert(way.to);
            }
            if modes & mode::CAPTURE != 0 {
                self.cell.takes.insert(way.to);
            }
            return Some(());
        }
        let lame = if leg.is_some() { mode::LAME } else { 0 };
        let leap = Leap { to: way.to, leg: leg.unwrap_or(way.to), modes: modes | lame, victims };
        let manner = mode::DOUBLE | mode::LAME;
        let same = |l: &&mut Leap| {
            l.to == leap.to && l.leg == leap.leg && l.victims == victims && (l.modes ^ leap.modes) & manner == 0
        };
        match self.tables.leaps[first_leap..].iter_mut().find(same) {
            Some(old) => old.modes |= leap.modes,
            None => self.tables.leaps.push(leap),
        }
        Some(())
    }

    /// Records that an entry leads to `to`; true if another entry already does in the same case.
    fn mark(&mut self, to: Square, modes: u8) -> bool {
        let targets = modes & TARGET_MODES;
        let seen = &mut self.seen[to.index()];
        let again = *seen & targets != 0;
        *seen |= targets;
        again
    }

    /// Adds a capture to the reverse table.
    fn reverse(&mut self, piece: Piece, from: Square, way: &Way, victims: KindMask) -> Option<()> {
        let squares = self.tables.squares;
        let pieces = self.tables.promotions.len();
        let at = (way.to.index() * pieces + piece.index()) * squares + from.index();
        let next = self.tables.codes[at];
        let mut id = next;
        while id != 0 {
            let path = &self.sets.paths[id as usize];
            if path.clear == way.clear && path.hop == way.hop && path.victims.0 | victims.0 == path.victims.0 {
                return Some(());
            }
            id = path.next;
        }
        self.tables.codes[at] =
            self.path(Path { clear: way.clear, hop: way.hop, victims, hops: !way.hop.is_empty(), next })?;
        self.sets.reach[piece.side().index() * squares + way.to.index()].insert(from);
        Some(())
    }

    /// The number of the path of a way, for any victim.
    fn path_of(&mut self, way: &Way) -> Option<PathId> {
        self.path(Path { clear: way.clear, hop: way.hop, victims: KindMask::ALL, hops: !way.hop.is_empty(), next: 0 })
    }

    /// The number of a path, new or known; `None` if there are too many.
    fn path(&mut self, path: Path<SquareSet>) -> Option<PathId> {
        if let Some((_, id)) = self.last_path.filter(|(last, _)| *last == path) {
            return Some(id);
        }
        let mut hash = FxBuildHasher.hash_one(path);
        let id = loop {
            match self.ids.entry(hash) {
                Entry::Occupied(known) if self.sets.paths[*known.get() as usize] == path => break *known.get(),
                Entry::Occupied(_) => hash = hash.wrapping_add(1),
                Entry::Vacant(new) => {
                    let id = PathId::try_from(self.sets.paths.len()).ok()?;
                    self.sets.paths.push(path);
                    break *new.insert(id);
                }
            }
        };
        self.last_path = Some((path, id));
        Some(id)
    }

    fn victims(&mut self, victims: KindMask) -> Option<u8> {
        let known = self.tables.victims.iter().position(|&v| v == victims);
        let index = known.unwrap_or_else(|| {
            self.tables.victims.push(victims);
            self.tables.victims.len() - 1
        });
        u8::try_from(index).ok()
    }
}

/// The position of `list` in `all`; adds the list if it is new.
fn share<T: Copy + Eq + Hash>(known: &mut FxHashMap<Vec<T>, u32>, all: &mut Vec<T>, list: &[T]) -> u32 {
    if let Some(&start) = known.get(list) {
        return start;
    }
    let start = all.len() as u32;
    all.extend(list);
    known.insert(list.to_vec(), start);
    start
}

/// The conditions of the ways to all `stops` on the squares before them, from stop number `min` on.
fn fill_ways(ways: &mut Vec<Way>, travel: Travel, stops: &[Stop], min: usize) {
    let (mut passed, mut legs, mut before) = (SquareSet::EMPTY, SquareSet::EMPTY, SquareSet::EMPTY);
    ways.clear();
    for (number, stop) in (1..).zip(stops) {
        legs |= stop.legs;
        let hop = match travel {
            Travel::Clear => SquareSet::EMPTY,
            Travel::Hop => passed,
            Travel::Land => before,
        };
        if number >= min {
            ways.push(Way { to: stop.to, clear: (passed - hop) | legs, hop });
        }
        passed.insert(stop.to);
        before = stop.to.into();
    }
}

fn modes_of(atom: &Atom) -> u8 {
    let bit = |on: bool, bit: u8| if on { bit } else { 0 };
    bit(atom.quiet, mode::QUIET)
        | bit(atom.capture, mode::CAPTURE)
        | bit(atom.friendly, mode::FRIENDLY)
        | bit(atom.double, mode::DOUBLE)
}
