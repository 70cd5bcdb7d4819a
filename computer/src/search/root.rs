//! The root of the search: the lines that can be chosen, and their ranking.

use super::successors::{Seen, Successor};
use super::{Depth, Search, SearchError};
use crate::events::after_line;
use crate::line::{Basis, Iteration, Line};
use astragal_core::State;
use astragal_core::rule::RuleError;

impl Search {
    /// The lines of a decision, best first by static evaluation: one event, or all moves of a turn. If a limit is reached
    /// early, those found so far.
    ///
    /// # Errors
    /// If a limit is reached before any is found, or a rule fails.
    pub(crate) fn lines(&mut self, state: &State) -> Result<Vec<Line>, SearchError> {
        let mut found = Vec::new();
        match self.collect(state, &[], &mut Seen::default(), &mut found) {
            // Some of the many ends of a turn suffice, but single moves must all be listed.
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

    /// Searches the lines in order and gives them values; best first. The values of the best `exact` lines (at least one)
    /// are exact, those of the others may be too high. If a limit ends this early, unsearched lines keep their places
    /// behind the others, and the second result is false.
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
                // A deeper search would find nothing more or is not allowed.
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
                    // Of lines with equal values, the one that was better before stays in front.
                    let better = |other: &Line| if maximizes { other.value < value } else { other.value > value };
                    let place = ranked.iter().position(better).unwrap_or(ranked.len());
                    ranked.insert(place, line);
                    // The values of lines below those to be compared do not matter.
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
            // All values have the same basis: the end of this turn.
            let order = |a: &Line, b: &Line| a.value.total_cmp(&b.value);
            ranked.sort_by(|a, b| if maximizes { order(b, a) } else { order(a, b) });
        }
        Ok((ranked, complete))
    }
}
