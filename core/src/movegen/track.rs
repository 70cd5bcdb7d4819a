//! Tracks: ways laid out on the board that pieces follow square by square, and the moves along them.
//!
//! A track is a list of stations, each one square or several (a point where pieces heap up). What moves
//! along tracks are is said by a permit, not by kinds: no piece attacks anything along a track.

use crate::board::piece::{Kind, Piece, Side};
use crate::board::square::{Square, SquareSet};
use crate::position::Position;
use crate::position::moves::{Move, Tag};
use crate::variant::Variant;
pub use crate::variant::spec::{MAX_STATIONS, Station, TrackDef};

/// Who may stand on the stations that are passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Passing {
    /// Anybody.
    #[default]
    All,
    /// Nobody.
    Nobody,
    /// Only pieces of the mover and his partners.
    Own,
    /// Only enemies.
    Enemies,
    /// Exactly one enemy, who is captured; the piece ends on an empty square.
    Hop,
}

/// What happens when a count leads past the last station.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum End {
    /// There is no such move.
    #[default]
    Exact,
    /// The piece goes to the last station.
    Stop,
    /// The piece goes to the last station if no piece of his side stands farther from it.
    Last,
    /// The piece goes on to the last station and back from there.
    Back,
}

/// Who may stand on the station where a piece stops.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Landing {
    /// One enemy at most, who is captured.
    #[default]
    Hit,
    /// One enemy at most, who stays: the piece stands beside him.
    Pin,
    /// No enemy.
    Own,
    /// Anybody: the piece stands beside them.
    All,
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
    /// Who may be passed.
    pub passing: Passing,
    /// What happens at the end.
    pub end: End,
    /// Who may stand where the piece stops.
    pub landing: Landing,
}

/// A piece of the side to move somewhere on a path, or about to enter it.
#[derive(Clone, Copy)]
struct Runner<'a> {
    variant: &'a Variant,
    position: &'a Position,
    side: Side,
    path: &'a [Station],
    closed: bool,
}

/// Where a count leads.
struct Arrival {
    to: Square,
    over: Option<Square>,
}

impl Along {
    /// The moves of pieces on the board, appended to `out`, promotions apart; the same move once.
    pub(crate) fn moves(&self, variant: &Variant, position: &Position, out: &mut Vec<Move>) {
        let before = out.len();
        self.each_path(variant, position, |runner| {
            for (i, station) in runner.path.iter().enumerate() {
                // Of pieces heaped on a station the last one moves.
                let Some(&from) = station.iter().rev().find(|&&s| position.at(s).belongs_to(runner.side)) else {
                    continue;
                };
                for steps in self.least..=self.most {
                    if let Some(arrival) = runner.arrive(self, i as i64, i64::from(steps)).filter(|a| a.to != from) {
                        let (tag, extra) = arrival.over.map_or((Tag::Plain, Move::NONE), |s| (Tag::Over, s.0));
                        add(out, before, Move { from, to: arrival.to, tag, extra });
                    }
                }
            }
        });
    }

    /// The moves of pieces of the hand that enter: a count of one leads to the first station.
    pub(crate) fn entries(&self, variant: &Variant, position: &Position, out: &mut Vec<Move>) {
        let before = out.len();
        self.each_path(variant, position, |runner| {
            for kind in (0..variant.kinds().len() as u8).map(Kind) {
                if position.in_hand(variant, runner.side, kind) <= 0 {
                    continue;
                }
                let within = position.droppable(variant, Piece::new(runner.side, kind));
                for steps in self.least.max(1)..=self.most {
                    let arrival = runner.arrive(self, -1, i64::from(steps));
                    if let Some(to) = arrival.filter(|a| a.over.is_none() && within.contains(a.to)).map(|a| a.to) {
                        add(out, before, Move { from: to, to, tag: Tag::Drop, extra: kind.0 });
                    }
                }
            }
        });
    }

    fn each_path(&self, variant: &Variant, position: &Position, mut f: impl FnMut(Runner<'_>)) {
        let Some(def) = variant.spec.tracks.get(self.track as usize) else { return };
        let side = position.side();
        for path in &def.paths[side.index()] {
            f(Runner { variant, position, side, path, closed: def.closed });
            if def.both_ways {
                let back: Vec<Station> = path.iter().rev().cloned().collect();
                f(Runner { variant, position, side, path: &back, closed: def.closed });
            }
        }
    }
}

/// Adds a move that is not yet there.
fn add(out: &mut Vec<Move>, before: usize, mv: Move) {
    if !out[before..].contains(&mv) {
        out.push(mv);
    }
}

impl Runner<'_> {
    /// Where so many stations from the one numbered `at` lead, if the way is free.
    fn arrive(&self, along: &Along, at: i64, steps: i64) -> Option<Arrival> {
        let len = self.path.len() as i64;
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
        // A station by how far it would be without an end to turn back from.
        let station = |number: i64| match back_from {
            Some(last) if number > last => 2 * last - number,
            _ => number,
        };
        if !self.closed && station(target) < 0 || station(target) == at {
            return None;
        }
        let way = steps.signum();
        let mut over = None;
        let mut passed = at + way;
        while passed != target {
            let number = station(passed).rem_euclid(len);
            let station = &self.path[number as usize];
            let (own, enemies) = self.men(station);
            // Who comes back to where he stood does not pass himself.
            let own = own - usize::from(number == at);
            let free = match along.passing {
                Passing::All => true,
                Passing::Nobody => own + enemies == 0,
                Passing::Own => enemies == 0,
                Passing::Enemies => own == 0,
                Passing::Hop => own == 0 && (enemies == 0 || enemies == 1 && over.is_none()),
            };
            if !free {
                return None;
            }
            if along.passing == Passing::Hop && enemies == 1 {
                over = self.enemy(station);
            }
            passed += way;
        }
        let to = self.land(along.landing, &self.path[station(target).rem_euclid(len) as usize])?;
        match along.passing {
            Passing::Hop => (over.is_some() && self.position.at(to).is_none()).then_some(Arrival { to, over }),
            _ => Some(Arrival { to, over: None }),
        }
    }

    /// The square where a piece may stop: that of a single enemy who is captured, or the first empty one.
    fn land(&self, landing: Landing, station: &Station) -> Option<Square> {
        let empty = || station.iter().copied().find(|&s| self.position.at(s).is_none());
        match (landing, self.men(station).1) {
            (_, 0) | (Landing::Pin, 1) | (Landing::All, _) => empty(),
            (Landing::Hit, 1) => self.enemy(station).filter(|&s| may_take(self.variant, self.position, self.side, s)),
            (Landing::Hit | Landing::Pin | Landing::Own, _) => None,
        }
    }

    /// Whether an own piece stands before the station numbered `at`.
    fn behind(&self, at: i64) -> bool {
        self.path[..at as usize].iter().flatten().any(|&s| self.position.at(s).belongs_to(self.side))
    }

    /// How many pieces of the side and its partners, and how many enemies stand on a station.
    fn men(&self, station: &Station) -> (usize, usize) {
        let men = station.iter().map(|&s| self.position.at(s)).filter(|p| !p.is_none());
        men.fold((0, 0), |(own, enemies), piece| match self.variant.allied(self.side, piece.side()) {
            true => (own + 1, enemies),
            false => (own, enemies + 1),
        })
    }

    fn enemy(&self, station: &Station) -> Option<Square> {
        station.iter().copied().find(|&s| {
            let piece = self.position.at(s);
            !piece.is_none() && !self.variant.allied(self.side, piece.side())
        })
    }
}

/// Whether `side` may capture what stands on a square, whatever gets it there.
pub(crate) fn may_take(variant: &Variant, position: &Position, side: Side, square: Square) -> bool {
    let piece = position.at(square);
    !piece.is_none() && !variant.allied(side, piece.side()) && !variant.immune().contains(piece.kind())
}

/// The stations of a side's first path from one number to another, both from 1 and included.
pub(crate) fn stations(variant: &Variant, track: u8, side: Side, first: i16, last: i16) -> SquareSet {
    let Some(path) = variant.spec.tracks.get(track as usize).and_then(|def| def.paths[side.index()].first()) else {
        return SquareSet::EMPTY;
    };
    let (first, last) = (first.max(1) as usize - 1, last.max(0) as usize);
    path.iter().take(last).skip(first).flatten().copied().collect()
}

/// The number, from 1, of the first station of a side's first path that has a square; 0 for none.
pub(crate) fn place(variant: &Variant, track: u8, side: Side, square: Square) -> i64 {
    let path = variant.spec.tracks.get(track as usize).and_then(|def| def.paths[side.index()].first());
    let found = path.and_then(|path| path.iter().position(|station| station.contains(&square)));
    found.map_or(0, |i| i as i64 + 1)
}

/// The squares one station from some squares along the paths of a side.
pub(crate) fn joined(variant: &Variant, track: u8, side: Side, set: SquareSet) -> SquareSet {
    let Some(def) = variant.spec.tracks.get(track as usize) else { return SquareSet::EMPTY };
    let mut found = SquareSet::EMPTY;
    for path in &def.paths[side.index()] {
        let closing = if def.closed { path.last().zip(path.first()) } else { None };
        for (a, b) in path.iter().zip(path.iter().skip(1)).chain(closing) {
            if a.iter().any(|&s| set.contains(s)) {
                found |= b.iter().copied().collect();
            }
            if def.both_ways && b.iter().any(|&s| set.contains(s)) {
                found |= a.iter().copied().collect();
            }
        }
    }
    found - set
}
