//! Tracks: routes laid out on the board that pieces follow square by square, and the moves along them.
//!
//! A track is a list of stations, each one square or several (a point where pieces heap up). Permits, not kinds, decide
//! which pieces move along tracks, so no piece attacks anything along a track. On a board with heaps a station has room for
//! any number: if all its squares are taken, a piece stops on the last one.

use crate::board::piece::{Kind, KindMask, Piece};
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::position::Position;
use crate::position::moves::{Move, Tag, Taking};
use crate::variant::Variant;
pub use crate::variant::spec::{MAX_STATIONS, Station, TrackDef};
use crate::variant::tracks::Path;

/// The pieces that may be on the stations that are passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Passing {
    /// Any pieces.
    #[default]
    All,
    /// No pieces.
    Nobody,
    /// Only pieces of the mover and partners.
    Own,
    /// Only enemies.
    Enemies,
    /// Any pieces except two or more of one party.
    Singles,
    /// Any pieces except two or more enemies.
    OwnOrSingles,
    /// Exactly one enemy, which is captured; the piece ends on an empty square.
    Hop,
}

/// What happens when a count leads past the last station.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum End {
    /// There is no move.
    #[default]
    Exact,
    /// The piece goes to the last station.
    Stop,
    /// The piece goes to the last station if no piece of its side is farther from it.
    Last,
    /// The piece goes on to the last station and back from there.
    Back,
}

/// The pieces that may be on the station where a piece stops.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Landing {
    /// At most one enemy, which is captured.
    #[default]
    Hit,
    /// At most one enemy, which stays: the piece stops beside it.
    Pin,
    /// No enemy.
    Own,
    /// Any pieces: the piece stops beside them.
    All,
    /// Any number of enemies, which are all captured; without heaps at most one.
    Take,
}

/// How many pieces of a heap move together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Carry {
    /// Only the topmost.
    #[default]
    One,
    /// This many from the top.
    Number(u8),
    /// Any number from the top.
    Any,
    /// All of them.
    All,
}

impl Carry {
    /// The numbers of pieces that may leave a heap of this height.
    fn counts(self, height: usize) -> std::ops::RangeInclusive<usize> {
        match self {
            Carry::One => 1..=height.min(1),
            // Empty if there are fewer.
            Carry::Number(count) => count.into()..=height.min(count.into()),
            Carry::Any => 1..=height,
            Carry::All => height..=height,
        }
    }

    /// Calls `visit` for the moves of at most `room` pieces from `from` to `to` that treat the pieces there in this way,
    /// until it returns true; returns whether it did.
    #[inline]
    pub(crate) fn each(
        self,
        position: &Position,
        (from, to): (Square, Square),
        (taking, room): (Taking, usize),
        mut visit: impl FnMut(Move) -> bool,
    ) -> bool {
        // Almost always a single piece goes where nothing has to be covered.
        let single = !matches!(self, Carry::Number(_)) && !position.has_covered() && room > 0;
        if single && (taking != Taking::Nothing || position.is_vacant(to)) {
            return visit(Move::plain(from, to));
        }
        self.each_number(position, (from, to), (taking, room), &mut visit)
    }

    #[inline(never)]
    fn each_number(
        self,
        position: &Position,
        (from, to): (Square, Square),
        (taking, room): (Taking, usize),
        visit: &mut dyn FnMut(Move) -> bool,
    ) -> bool {
        let there = position.height(to);
        let plain = match taking {
            Taking::Nothing => there == 0,
            Taking::Topmost => true,
            Taking::All => there <= 1,
        };
        let mv = |count| match count {
            1 if plain => Move::plain(from, to),
            _ => Move::heap(from, to, count, taking),
        };
        self.counts(position.height(from)).filter(|&count| count <= room).any(|count| visit(mv(count)))
    }
}

/// Moves along a track.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Along {
    /// The track's index.
    pub track: u8,
    /// The fewest stations forward (back, if negative).
    pub least: i16,
    /// The most.
    pub most: i16,
    /// The pieces that may be passed.
    pub passing: Passing,
    /// What happens at the end.
    pub end: End,
    /// The pieces that may be where the piece stops.
    pub landing: Landing,
    /// How many pieces move together.
    pub carry: Carry,
    /// The maximum number of pieces of one party on a station, except the last station.
    pub room: Option<u8>,
}

/// A piece of the side to move somewhere on a path, or about to enter it.
#[derive(Clone, Copy)]
struct Runner<'a> {
    variant: &'a Variant,
    position: &'a Position,
    side: Side,
    path: &'a Path,
    closed: bool,
    /// The squares of the side and its partners, and of its enemies; topmost pieces only.
    own: SquareSet,
    enemies: SquareSet,
    /// The kinds that are never captured.
    immune: KindMask,
}

/// Where a count leads to.
struct Arrival {
    to: Square,
    over: Option<Square>,
    taking: Taking,
    /// The number of pieces that fit.
    room: usize,
}

impl Along {
    /// Appends to `out` the moves of pieces on the board, without promotions; the same move once.
    pub(crate) fn moves(&self, variant: &Variant, position: &Position, immune: KindMask, out: &mut Vec<Move>) {
        let before = out.len();
        let once = self.visits_once(variant, position.side());
        self.each(variant, position, immune, |mv| {
            if once {
                out.push(mv)
            } else {
                add(out, before, mv)
            }
            false
        });
    }

    /// Whether [`Along::each`] visits no move twice: every piece has one target.
    fn visits_once(&self, variant: &Variant, side: Side) -> bool {
        let paths = variant.tracks.get(usize::from(self.track)).and_then(|paths| paths.get(side.index()));
        self.least == self.most && paths.is_some_and(|paths| matches!(&paths[..], [path] if path.is_simple()))
    }

    /// Calls `visit` for the moves of pieces on the board, without promotions, until it returns true; perhaps twice for the
    /// same move. Returns whether it returned true.
    pub(crate) fn each(
        &self,
        variant: &Variant,
        position: &Position,
        immune: KindMask,
        mut visit: impl FnMut(Move) -> bool,
    ) -> bool {
        self.each_path(variant, position, immune, |runner| {
            // Of pieces heaped on a station the last one moves.
            runner.path.each_topmost(position.of(runner.side), |i, from| {
                (self.least..=self.most).any(|steps| {
                    let arrival = runner.arrive(self, i as i64, i64::from(steps)).filter(|a| a.to != from);
                    let Some(Arrival { to, over, taking, room }) = arrival else { return false };
                    match over {
                        None if position.has_heaps() => {
                            self.carry.each(position, (from, to), (taking, room), &mut visit)
                        }
                        None => visit(Move::plain(from, to)),
                        Some(over) => visit(Move { from, to, tag: Tag::Over, extra: over.0 }),
                    }
                })
            })
        })
    }

    /// The moves of pieces of the hand that enter: a count of one leads to the first station.
    pub(crate) fn entries(&self, variant: &Variant, position: &Position, immune: KindMask, out: &mut Vec<Move>) {
        let (before, side) = (out.len(), position.side());
        let held = |kind: &Kind| position.in_hand(variant, side, *kind) > 0;
        let kinds = || (0..variant.kinds().len() as u8).map(Kind).filter(held);
        // Most of the time the hand is empty.
        if kinds().next().is_none() {
            return;
        }
        self.each_path(variant, position, immune, |runner| {
            for kind in kinds() {
                for steps in self.least.max(1)..=self.most {
                    let Some(Arrival { to, over: None, taking, .. }) = runner.arrive(self, -1, i64::from(steps)) else {
                        continue;
                    };
                    let taking = if position.is_vacant(to) { Taking::Topmost } else { taking };
                    let room = taking != Taking::Nothing || !position.is_full();
                    if room && position.droppable(variant, Piece::new(side, kind)).contains(to) {
                        add(out, before, Move::drop(to, kind, taking));
                    }
                }
            }
            false
        });
    }

    /// Calls `f` for each path of the side to move until it returns true; returns whether it did.
    #[inline]
    fn each_path(
        &self,
        variant: &Variant,
        position: &Position,
        immune: KindMask,
        mut f: impl FnMut(&Runner<'_>) -> bool,
    ) -> bool {
        let track = usize::from(self.track);
        let (Some(def), Some(paths)) = (variant.spec.tracks.get(track), variant.tracks.get(track)) else {
            return false;
        };
        let side = position.side();
        let (own, enemies) = match variant.rivals[side.index()] {
            Some(rival) => (position.of(side), position.of(rival)),
            None => {
                let others = (0..variant.sides() as u8).map(Side).filter(|&other| variant.allied(side, other));
                let own = others.fold(SquareSet::EMPTY, |all, other| all | position.of(other));
                (own, position.occupied() - own)
            }
        };
        let runner = |path| Runner { variant, position, side, path, closed: def.closed, own, enemies, immune };
        let paths: &[Path] = paths.get(side.index()).map_or(&[], |paths| paths);
        paths.iter().any(|path| f(&runner(path)))
    }
}

/// Adds a move unless it is already present.
fn add(out: &mut Vec<Move>, before: usize, mv: Move) {
    if !out[before..].contains(&mv) {
        out.push(mv);
    }
}

impl Runner<'_> {
    /// The station reached from the one numbered `at` in this many steps, if the way is free.
    #[inline]
    fn arrive(&self, along: &Along, at: i64, steps: i64) -> Option<Arrival> {
        let target = at + steps;
        // Most often there is nothing to check but the station where the piece stops.
        let plain = along.passing == Passing::All && along.room.is_none() && steps != 0;
        if plain && (0..self.path.sets.len() as i64).contains(&target) {
            let (to, taking) = self.land(along.landing, target as usize)?;
            return Some(Arrival { to, over: None, taking, room: usize::MAX });
        }
        self.arrive_by(along, at, steps)
    }

    /// The same for any way, also past the end.
    #[inline(never)]
    fn arrive_by(&self, along: &Along, at: i64, steps: i64) -> Option<Arrival> {
        let len = self.path.sets.len() as i64;
        let mut target = at + steps;
        let mut back_from = None;
        if steps == 0 {
            return None;
        }
        if !self.closed && target >= len {
            match along.end {
                End::Exact => return None,
                End::Last if at >= 0 && self.behind(at) => return None,
                End::Stop | End::Last => target = len - 1,
                End::Back => back_from = Some(len - 1),
            }
        }
        // A station by its distance without an end to turn back from.
        let station = |number: i64| match back_from {
            Some(last) if number > last => 2 * last - number,
            _ => number,
        };
        // Only closed paths continue from their ends.
        let around = |number: i64| if self.closed { number.rem_euclid(len) } else { number };
        if !self.closed && station(target) < 0 || station(target) == at {
            return None;
        }
        let way = steps.signum();
        let mut over = None;
        let mut passed = at + way;
        // If any piece may be passed, there is nothing to check.
        while along.passing != Passing::All && passed != target {
            let number = around(station(passed));
            let (own, enemies) = self.men(number as usize);
            // A piece that returns to its own station does not pass itself.
            let own = own - usize::from(number == at);
            let free = match along.passing {
                Passing::All => true,
                Passing::Nobody => own + enemies == 0,
                Passing::Own => enemies == 0,
                Passing::Enemies => own == 0,
                // A piece on the last station is home.
                Passing::Singles => self.is_home(number) || own < 2 && enemies < 2,
                Passing::OwnOrSingles => self.is_home(number) || enemies < 2,
                Passing::Hop => own == 0 && (enemies == 0 || enemies == 1 && over.is_none()),
            };
            if !free {
                return None;
            }
            if along.passing == Passing::Hop && enemies == 1 {
                over = self.enemy(number as usize);
            }
            passed += way;
        }
        let number = around(station(target));
        let room = self.room(along.room, number).filter(|&room| room > 0)?;
        let (to, taking) = self.land(along.landing, number as usize)?;
        let arrival = Arrival { to, over, taking, room };
        let lands = along.passing != Passing::Hop || over.is_some() && self.position.at(to).is_none();
        lands.then_some(arrival)
    }

    /// Whether a station is the last of a path that ends there.
    fn is_home(&self, number: i64) -> bool {
        !self.closed && number == self.path.sets.len() as i64 - 1
    }

    /// The number of further pieces of the side and its partners that fit on a station with at most `most` pieces.
    fn room(&self, most: Option<u8>, number: i64) -> Option<usize> {
        let Some(most) = most.filter(|_| !self.is_home(number)) else { return Some(usize::MAX) };
        let own = |piece: &Piece| !piece.is_none() && self.variant.allied(self.side, piece.side());
        let on = |&s: &Square| std::iter::once(self.position.at(s)).chain(self.position.beneath(s));
        let there = self.path.stations[number as usize].iter().flat_map(on).filter(own).count();
        usize::from(most).checked_sub(there)
    }

    /// The square where a piece may stop, and how it treats the pieces there: the square of a single enemy that is
    /// captured, or the first empty one. On heaps the only square, or the last if none is empty.
    fn land(&self, landing: Landing, number: usize) -> Option<(Square, Taking)> {
        let station = &self.path.stations[number];
        if let [square] = station[..] {
            let taking = self.land_on(landing, square)?;
            return Some((square, taking));
        }
        match (landing, self.enemies_on(number)) {
            (_, 0) | (Landing::Pin, 1) | (Landing::All, _) => {
                let empty = station.iter().find(|&&s| self.position.is_vacant(s)).map(|&s| (s, Taking::Topmost));
                let last = || Some((*station.last()?, Taking::Nothing));
                empty.or_else(|| last().filter(|_| self.position.has_heaps()))
            }
            (Landing::Hit | Landing::Take, 1) => {
                let enemy = self.enemy(number)?;
                let taken = may_take(self.variant, self.position, (self.side, self.immune), enemy);
                taken.then_some((enemy, Taking::Topmost))
            }
            (Landing::Hit | Landing::Pin | Landing::Own | Landing::Take, _) => None,
        }
    }

    /// How a piece that stops on the only square of a station treats the pieces there; `None` if they block it.
    fn land_on(&self, landing: Landing, square: Square) -> Option<Taking> {
        if self.position.has_heaps() {
            return taking_on_heap(self.variant, self.position, (self.side, self.immune), landing, square);
        }
        let takes = || {
            let takes = matches!(landing, Landing::Hit | Landing::Take) && self.enemies.contains(square);
            takes && may_take(self.variant, self.position, (self.side, self.immune), square)
        };
        (self.position.is_vacant(square) || takes()).then_some(Taking::Topmost)
    }

    /// Whether an own piece is on a station before `at`, even if it is covered.
    fn behind(&self, at: i64) -> bool {
        let before = self.path.between(0, at as usize);
        !(before & self.position.of(self.side)).is_empty() || self.position.has_beneath(before, self.side)
    }

    /// How many pieces of the side and its partners, and how many enemies, are on a station; three means three or more. A
    /// heap belongs to the party of its topmost piece.
    fn men(&self, number: usize) -> (usize, usize) {
        if self.position.has_covered() {
            return self.men_in_heaps(&self.path.stations[number]);
        }
        match &self.path.stations[number][..] {
            [square] => (usize::from(self.own.contains(*square)), usize::from(self.enemies.contains(*square))),
            _ => (few(self.own & self.path.sets[number]), few(self.enemies & self.path.sets[number])),
        }
    }

    /// How many enemies are on a station, as counted by [`Runner::men`]; two means two or more.
    fn enemies_on(&self, number: usize) -> usize {
        match self.position.has_covered() {
            true => self.men(number).1,
            false => up_to_two(self.enemies & self.path.sets[number]),
        }
    }

    #[cold]
    fn men_in_heaps(&self, station: &Station) -> (usize, usize) {
        let own = |&square: &Square| self.variant.allied(self.side, self.position.at(square).side());
        let men = station.iter().filter(|&&s| !self.position.at(s).is_none()).map(|s| (own(s), self.holders(*s)));
        men.fold((0, 0), |(ours, theirs), (own, holders)| match own {
            true => (ours + holders, theirs),
            false => (ours, theirs + holders),
        })
    }

    /// The number of pieces on an occupied square that belong to the topmost piece's party.
    fn holders(&self, square: Square) -> usize {
        let top = self.position.at(square).side();
        1 + self.position.beneath(square).filter(|piece| self.variant.allied(top, piece.side())).count()
    }

    fn enemy(&self, number: usize) -> Option<Square> {
        self.path.stations[number].iter().copied().find(|&square| self.enemies.contains(square))
    }
}

/// The number of squares, or three if there are more: most stations hold few, and counting all words takes longer.
fn few(set: SquareSet) -> usize {
    set.into_iter().take(3).count()
}

/// The number of squares, or two if there are more.
fn up_to_two(set: SquareSet) -> usize {
    let mut found = 0;
    for word in set.0.into_iter().filter(|&word| word != 0) {
        if found > 0 || word & (word - 1) != 0 {
            return 2;
        }
        found = 1;
    }
    found
}

/// How a piece of `side` that stops on a square of a board with heaps treats the pieces there; `None` if they block it. Own
/// pieces never do, even with enemies beneath them.
pub(crate) fn taking_on_heap(
    variant: &Variant,
    position: &Position,
    (side, immune): (Side, KindMask),
    landing: Landing,
    square: Square,
) -> Option<Taking> {
    let top = position.at(square);
    if top.is_none() || variant.allied(side, top.side()) {
        return Some(Taking::Nothing);
    }
    let beneath = || position.beneath(square).filter(|piece| !variant.allied(side, piece.side())).count();
    let taken = may_take(variant, position, (side, immune), square);
    match landing {
        Landing::Hit if beneath() == 0 && taken => Some(Taking::Topmost),
        Landing::Pin if position.height(square) == 1 => Some(Taking::Nothing),
        Landing::All => Some(Taking::Nothing),
        Landing::Take if taken => Some(Taking::All),
        Landing::Hit | Landing::Pin | Landing::Own | Landing::Take => None,
    }
}

/// Whether `side` may capture the pieces on a square, by any kind of move, if pieces of the `immune` kinds are never
/// captured.
pub(crate) fn may_take(
    variant: &Variant,
    position: &Position,
    (side, immune): (Side, KindMask),
    square: Square,
) -> bool {
    let piece = position.at(square);
    !piece.is_none() && !variant.allied(side, piece.side()) && !immune.contains(piece.kind())
}

/// The stations of a side's first path from one number to another, both from 1 and included.
pub(crate) fn stations(variant: &Variant, track: u8, side: Side, first: i16, last: i16) -> SquareSet {
    let path = variant.tracks.get(track as usize).and_then(|paths| paths.get(side.index())?.first());
    let (first, last) = (first.max(1) as usize - 1, last.max(0) as usize);
    path.map_or(SquareSet::EMPTY, |path| path.between(first, last))
}

/// The number, from 1, of the first station of a side's first path that has a square; 0 for none.
pub(crate) fn place(variant: &Variant, track: u8, side: Side, square: Square) -> i64 {
    let path = variant.tracks.get(track as usize).and_then(|paths| paths.get(side.index())?.first());
    path.and_then(|path| path.station_of(square)).map_or(0, |i| i as i64 + 1)
}

/// The total number of stations that the pieces of a side are from the last of its first path; pieces in hand count from
/// before the first. Pieces elsewhere do not count.
pub(crate) fn pips(variant: &Variant, position: &Position, track: u8, side: Side) -> i64 {
    let path = variant.spec.tracks.get(track as usize).and_then(|def| def.paths[side.index()].first());
    let Some(path) = path else { return 0 };
    let kinds = 0..variant.kinds().len() as u8;
    let in_hand: i64 = kinds.map(|kind| i64::from(position.in_hand(variant, side, Kind(kind)))).sum();
    let mut seen = SquareSet::EMPTY;
    let mut sum = in_hand * path.len() as i64;
    for (left, station) in (0..path.len() as i64).rev().zip(path) {
        for &square in station {
            // A square belongs to the first station that has it, as for `place`.
            if !seen.contains(square) {
                seen.insert(square);
                sum += left * position.height_of(square, side) as i64;
            }
        }
    }
    sum
}

/// The squares of a side's pieces that have come farthest on its first path, or least far, including covered ones. Pieces
/// on the last station of a track that ends are home and do not count. For a side with pieces in hand, no piece on the
/// board is the least far.
pub(crate) fn foremost(variant: &Variant, position: &Position, (track, side): (u8, Side), last: bool) -> SquareSet {
    let def = variant.spec.tracks.get(track as usize);
    let in_hand = |kind| position.in_hand(variant, side, Kind(kind)) > 0;
    let none = last && (0..variant.kinds().len() as u8).any(in_hand);
    let path = def.filter(|_| !none).and_then(|def| Some((def.paths[side.index()].first()?, def.closed)));
    let Some((path, closed)) = path else { return SquareSet::EMPTY };
    let mut seen = SquareSet::EMPTY;
    let standing = path[..path.len().saturating_sub(usize::from(!closed))].iter().map(|station| {
        // A square belongs to the first station that has it, as for `place`.
        let own = station.iter().copied().filter(|&s| !seen.contains(s) && position.height_of(s, side) > 0).collect();
        seen |= station.iter().copied().collect();
        own
    });
    let mut standing = standing.filter(|own: &SquareSet| !own.is_empty());
    if last { standing.next() } else { standing.last() }.unwrap_or(SquareSet::EMPTY)
}

/// The squares one station away from some squares along the paths of a side.
pub(crate) fn joined(variant: &Variant, track: u8, side: Side, set: SquareSet) -> SquareSet {
    let track = usize::from(track);
    let (Some(def), Some(paths)) = (variant.spec.tracks.get(track), variant.tracks.get(track)) else {
        return SquareSet::EMPTY;
    };
    let next = paths[side.index()].iter().map(|path| path.after(set, def.closed));
    next.fold(SquareSet::EMPTY, |all, next| all | next) - set
}
