//! The results of a search: lines with their values, and the basis of those values.

use astragal_core::Event;

/// One step of iterative deepening: how many turns are searched, and how many events at each node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Iteration {
    /// The search depth in turns, at least 1: the side's own turn.
    pub(crate) turns: u32,
    /// The maximum number of outcomes of a roll that are searched.
    pub(crate) outcomes: usize,
    /// The maximum number of events searched in later turns, the best by static evaluation (a beam).
    pub(crate) beam: usize,
    /// The maximum number of lines searched at the root.
    pub(crate) root: usize,
}

impl Iteration {
    /// A full-width iteration of this many turns.
    pub(crate) fn full(turns: u32) -> Iteration {
        Iteration { turns, outcomes: usize::MAX, beam: usize::MAX, root: usize::MAX }
    }
}

/// The basis of a value: values with different bases are not comparable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Basis {
    /// The static evaluation of the state that the line leads to.
    Static,
    /// A search of this depth and width.
    Search(Iteration),
    /// The number of games that were played to their end.
    Playouts(u32),
    /// Exact values of all states after the turn.
    Exact,
}

/// A way to continue from the present state, and its value.
#[derive(Clone, Debug)]
pub struct Line {
    /// The events, all in the present turn and by the same player.
    pub events: Vec<Event>,
    /// The value, from -1 to 1 (in points, if the rules award points).
    pub value: f64,
    /// The basis of the value.
    pub(crate) basis: Basis,
    /// Whether the turn is over after it, so that a deeper search of this turn finds nothing more.
    pub(crate) ends_turn: bool,
}

impl Line {
    /// The number of games behind the value; `None` if it has another basis.
    pub fn playouts(&self) -> Option<u32> {
        match self.basis {
            Basis::Playouts(games) => Some(games),
            Basis::Static | Basis::Search(_) | Basis::Exact => None,
        }
    }

    /// Whether the value is exact.
    pub fn is_exact(&self) -> bool {
        self.basis == Basis::Exact
    }
}

/// The result of searching a decision.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// All lines, best first according to the last finished iteration; where games were played to their end, the most tried
    /// first. The compared lines come first, then those that looked worse in an earlier iteration.
    pub lines: Vec<Line>,
    /// The line that a later iteration, cut short by the limits, found better than the first, and its depth in turns.
    pub deeper: Option<(Line, u32)>,
    /// The search depth in turns; `None` if games were played to their end instead.
    pub turns: Option<u32>,
    /// The nodes searched.
    pub nodes: u64,
}

impl SearchResult {
    /// The lines whose values are comparable to that of the first: they have the same basis.
    pub fn compared(&self) -> impl Iterator<Item = &Line> {
        let first = self.lines.first().map(|line| line.basis);
        let same = move |line: &&Line| match (first, line.basis) {
            (Some(Basis::Playouts(_)), Basis::Playouts(_)) => true,
            (first, basis) => first == Some(basis),
        };
        self.lines.iter().filter(same)
    }

    /// The line that the computer plays.
    pub(crate) fn best(self) -> Option<Line> {
        let deeper = self.deeper.map(|(line, _)| line);
        deeper.or_else(|| self.lines.into_iter().next())
    }
}
