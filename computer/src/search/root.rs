//! The root of the search: the lines that can be chosen, and their ranking.

use super::successors::{Seen, Successor};
use super::{Depth, Search, SearchError};
use crate::events::after_line;
use crate::line::{Basis, Iteration, Line};
use astragal_core::State;
use astragal_core::rule::RuleError;

impl Search {
    /// The lines of a decision, best first by static evaluation: one event, or all moves of a turn.
    /// If a limit is reached before all are found, those that have been.
    ///
    /// # Errors
    /// If a limit is reached before any is found, or a rule fails.
    pub(crate) fn lines(&mut self, state: &State) -> Result<Vec<Line>, SearchError> {
        let mut found = Vec::new();
        match self.collect(state, &[], &mut Seen::default(), &mut found) {
            // A part of the many ends of a turn will do; of single moves all are to be listed.
            Err(SearchError::OutOfBudget) if !found.is_empty() && state.plan().is_some() => {}
            done => done?,
        }
        self.sort(state, &mut found);
        let ends = |next: &State| next.turn() != state.turn() || next.over().is_some();
        let line = |c: Successor| Line {
            ends_turn: ends(&c.state),
            events: c.events,
            value: c.static_value,
            basis: Basis::Static,
        };
        Ok(found.into_iter().map(line).collect())
    }

    /// Searches the lines in order and gives them values; best first. The values of the best `exact` (at least
    /// one) are those of the lines themselves, the others' may be too good. A limit ends this early: what has not
    /// been searched then keeps its place behind, and the second result is false.
    ///
    /// # Errors
    /// If a rule fails.
    pub(crate) fn rank(
        &mut self,
        state: &State,
        iteration: Iteration,
        mut lines: Vec<Line>,
        exact: usize,
    ) -> Result<(Vec<Line>, bool), RuleError> {
        self.iteration = iteration;
        let maximizes = self.is_friend(state.chooser());
        let later = lines.split_off(lines.len().min(iteration.root));
        let mut window = self.window(maximizes, -self.value_bound, self.value_bound);
        let (mut ranked, mut complete): (Vec<Line>, bool) = (Vec::new(), true);
        let mut rest = Vec::new();
        for mut line in lines {
            if !complete || iteration.turns == 1 && line.ends_turn {
                // Nothing more is to be found, or no more may be searched.
                if iteration.turns == 1 && line.ends_turn {
                    line.basis = Basis::Search(iteration);
                }
                rest.push(line);
                continue;
            }
            let next = match after_line(state, &line.events) {
                Err(error) if error.is_stop() => {
                    complete = false;
                    rest.push(line);
                    continue;
                }
                next => next?,
            };
            let depth =
                Depth { turn: state.turn(), turns_left: iteration.turns, events: line.events.len() as u32, rolls: 0 };
            match self.value_after(&next, depth, window.alpha, window.beta) {
                Ok(value) => {
                    (line.value, line.basis) = (value, Basis::Search(iteration));
                    // Of equals the one that looked better before stays in front.
                    let better = |other: &Line| if maximizes { other.value < value } else { other.value > value };
                    let place = ranked.iter().position(better).unwrap_or(ranked.len());
                    ranked.insert(place, line);
                    // What is worse than those that are to be compared does not matter.
                    if let Some(last) = ranked.get(exact.max(1) - 1) {
                        window.take(last.value);
                    }
                }
                Err(SearchError::OutOfBudget) => {
                    complete = false;
                    rest.push(line);
                }
                Err(SearchError::Rule(error)) => return Err(error),
            }
        }
        ranked.extend(rest);
        ranked.extend(later);
        if iteration.turns == 1 {
            // All values are of one sort: of the end of this turn.
            let order = |a: &Line, b: &Line| a.value.total_cmp(&b.value);
            ranked.sort_by(|a, b| if maximizes { order(b, a) } else { order(a, b) });
        }
        Ok((ranked, complete))
    }
}
