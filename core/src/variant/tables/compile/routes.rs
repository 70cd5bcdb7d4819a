//! Compiles routes into tables: each route is one way from each square, perhaps with a victim on it.

use super::{Compiler, MAX_ENTRIES, Subject, Way, modes_of};
use crate::board::links::{Frame, Links, Standing};
use crate::board::piece::{Atom, Collision, Route};
use crate::board::square::{Square, SquareSet};
use crate::board::{Board, Offset};
use crate::variant::tables::Locust;

/// The maximum number of courses of one route, as a limit for hostile scripts.
const MOST_WAYS: usize = 64;

/// The squares of the last route followed from some square, as far as they are on the board. Routes of one atom mostly
/// begin like the previous one: a bent rider has one for each length of each leg.
#[derive(Default)]
struct Followed {
    squares: Vec<Square>,
}

/// For each route, the number of first steps that it shares with the previous route.
pub(super) fn shared_steps(routes: &[Route]) -> Vec<usize> {
    let before = std::iter::once(&[][..]).chain(routes.iter().map(|route| &route.steps[..]));
    let shared = |(before, route): (&[(Offset, Collision)], &Route)| {
        before.iter().zip(&route.steps).take_while(|(old, new)| old.0 == new.0).count()
    };
    before.zip(routes).map(shared).collect()
}

/// The target of a route from some square, its conditions and its victim.
struct RouteTarget {
    way: Way,
    victim: Option<Square>,
}

impl Followed {
    /// Follows a route on a board without seams whose first `shared` steps have been followed; returns whether it stays on
    /// the board.
    fn follow(&mut self, board: &Board, turn: u8, (atom, route, shared): (&Atom, &Route, usize), from: Square) -> bool {
        self.squares.truncate(shared);
        for &(step, _) in &route.steps[shared..] {
            let at = self.squares.last().copied().unwrap_or(from);
            let step = board.turn(step, turn);
            let next = if atom.round { board.offset_round(at, step) } else { board.offset(at, step) };
            let Some(next) = next else { return false };
            self.squares.push(next);
        }
        true
    }
}

impl Compiler<'_> {
    /// Compiles the routes of an atom; returns whether a target had been reached before, or `None` if the tables are full.
    /// `first_leap` is where the leaps of this square begin; `shared` is the result of [`shared_steps`].
    pub(super) fn routes(
        &mut self,
        subject: &Subject,
        (atom, shared): (&Atom, &[usize]),
        from: Square,
        first_leap: usize,
    ) -> Option<bool> {
        let (spec, turn) = (self.spec, subject.turn(from));
        let (mut followed, mut overlap) = (Followed::default(), false);
        for (route, &shared) in atom.routes.iter().zip(shared) {
            self.entries += route.steps.len();
            if self.entries > MAX_ENTRIES {
                return None;
            }
            if let Some(links) = spec.board.links() {
                for course in Compiler::linked_courses(links, turn, atom, route, from) {
                    overlap |= self.add_course(subject, atom, from, course, first_leap)?;
                }
            // Most routes leave the board at the same step as the previous one.
            } else if followed.squares.len() >= shared
                && followed.follow(&spec.board, turn, (atom, route, shared), from)
                && let Some(course) = Compiler::course(atom, route, from, &followed.squares)
            {
                overlap |= self.add_course(subject, atom, from, course, first_leap)?;
            }
        }
        Some(overlap)
    }

    /// Compiles the course of a route; as [`routes`](Compiler::routes).
    fn add_course(
        &mut self,
        subject: &Subject,
        atom: &Atom,
        from: Square,
        RouteTarget { way, victim }: RouteTarget,
        first_leap: usize,
    ) -> Option<bool> {
        if !subject.within.contains(way.to) {
            return Some(false);
        }
        let modes = modes_of(atom);
        let victims = self.victims(atom.victims)?;
        if let Some(over) = victim {
            let path = self.path_of(&way)?;
            self.tables.locusts.push(Locust { to: way.to, over, modes, victims, path });
            self.reverse_locust(subject, atom, way, over, from)?;
            return Some(false);
        }
        self.single(&way, modes, victims, first_leap)?;
        if atom.capture {
            self.reverse(subject.piece, from, &way, atom.victims)?;
        }
        self.cell.promotes |= subject.promotes(from, way.to);
        Some(self.mark(way.to, modes))
    }

    /// Follows a route over a board with declared adjacency; it has several courses where ways fork.
    fn linked_courses(links: &Links, turn: u8, atom: &Atom, route: &Route, from: Square) -> Vec<RouteTarget> {
        let start = Standing { square: from, frame: Frame::turned(turn) };
        let mut ways = vec![(start, Vec::new())];
        for (step, _) in &route.steps {
            let further = |(at, way): (Standing, Vec<Square>)| {
                let ends = links.ends(at, *step).into_iter();
                ends.map(move |end| (end, [&way[..], &[end.square]].concat())).collect::<Vec<_>>()
            };
            ways = ways.into_iter().flat_map(further).take(MOST_WAYS).collect();
        }
        ways.iter().filter_map(|(_, way)| Compiler::course(atom, route, from, way)).collect()
    }

    /// The course of a route over these squares: its way and its victim.
    fn course(atom: &Atom, route: &Route, from: Square, squares: &[Square]) -> Option<RouteTarget> {
        let (mut at, mut clear, mut hop, mut victim) = (from, SquareSet::EMPTY, SquareSet::EMPTY, None);
        for (i, (&square, (_, meet))) in squares.iter().zip(&route.steps).enumerate() {
            at = square;
            if i + 1 == route.steps.len() {
                break;
            }
            match meet {
                // The piece has left its origin empty.
                Collision::Nothing if at == from => {}
                Collision::Nothing => clear.insert(at),
                Collision::Hurdle => hop.insert(at),
                Collision::Victim => victim = Some(at),
            }
        }
        let special = victim.into_iter().collect::<SquareSet>() | hop;
        let contradicts =
            special.contains(from) || !(special & clear).is_empty() || victim.is_some_and(|s| hop.contains(s));
        let idle = at == from && (victim.is_none() || !atom.quiet);
        (!contradicts && !idle && victim != Some(at)).then_some(RouteTarget { way: Way { to: at, clear, hop }, victim })
    }

    /// Adds the captures of a locust to the reverse table. An own piece on a target where the locust might
    /// capture does not count as an obstacle there.
    fn reverse_locust(&mut self, subject: &Subject, atom: &Atom, way: Way, over: Square, from: Square) -> Option<()> {
        let mut clear = way.clear;
        if !atom.capture && way.to != from {
            clear.insert(way.to);
        }
        self.reverse(subject.piece, from, &Way { to: over, clear, hop: way.hop }, atom.victims)?;
        if atom.capture && way.hop.is_empty() {
            self.reverse(subject.piece, from, &Way { hop: over.into(), ..way }, atom.victims)?;
        }
        Some(())
    }
}
