//! What a search finds: lines with their values, and what those values rest on.

use astragal_core::Event;

/// One step of iterative deepening: how many turns are searched, and how many events at each node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Iteration {
    /// The turns looked ahead, at least 1: the own turn.
    pub(crate) turns: u32,
    /// The most outcomes of a roll that are searched.
    pub(crate) outcomes: usize,
    /// The most events searched in later turns, the best by static evaluation (a beam).
    pub(crate) beam: usize,
    /// The most lines searched at the root.
    pub(crate) root: usize,
}

impl Iteration {
    /// Everything, so many turns ahead.
    pub(crate) fn full(turns: u32) -> Iteration {
        Iteration { turns, outcomes: usize::MAX, beam: usize::MAX, root: usize::MAX }
    }
}

/// What a value rests on: values of different sorts cannot be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Basis {
    /// The static evaluation of the state that the line leads to.
    Static,
    /// A search so deep and so wide.
    Search(Iteration),
    /// So many games that were played to their end.
    Playouts(u32),
}

/// A way to go on from the present state and what it is worth.
#[derive(Clone, Debug)]
pub struct Line {
    /// The events, all in the present turn and by the same player.
    pub events: Vec<Event>,
    /// The value, from -1 to 1 (in points, where the rules name some).
    pub value: f64,
    /// What the value rests on.
    pub(crate) basis: Basis,
    /// Whether the turn is over after it, so that no more is to be seen of this turn.
    pub(crate) ends_turn: bool,
}

impl Line {
    /// How many games played to their end the value rests on; none if it rests on something else.
    pub fn playouts(&self) -> Option<u32> {
        match self.basis {
            Basis::Playouts(games) => Some(games),
            Basis::Static | Basis::Search(_) => None,
        }
    }
}

/// What the search for a decision has found.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// All lines, best first as the last iteration that was finished has shown; where games were played to their end,
    /// the most tried first. Behind those that were compared come those that look worse at an earlier iteration.
    pub lines: Vec<Line>,
    /// The line that a further iteration, ended by the limits, found better than the first, and its depth in turns.
    pub deeper: Option<(Line, u32)>,
    /// The turns looked ahead; none if games were played to their end instead.
    pub turns: Option<u32>,
    /// The nodes searched.
    pub nodes: u64,
}

impl SearchResult {
    /// The lines whose values can be compared with that of the first: they rest on the same.
    pub fn compared(&self) -> impl Iterator<Item = &Line> {
        let first = self.lines.first().map(|line| line.basis);
        let same = move |line: &&Line| match (first, line.basis) {
            (Some(Basis::Playouts(_)), Basis::Playouts(_)) => true,
            (first, basis) => first == Some(basis),
        };
        self.lines.iter().filter(same)
    }

    /// The line that the computer would play.
    pub(crate) fn best(self) -> Option<Line> {
        let deeper = self.deeper.map(|(line, _)| line);
        deeper.or_else(|| self.lines.into_iter().next())
    }
}
