//! A decision in several worlds that the side cannot distinguish: the mean value of each event.
//!
//! Determinization: every world is searched with full knowledge of its state, and the means are compared (M. L. Ginsberg,
//! "GIB: Imperfect information in a computationally challenging game", 2001). The possible answers are the same in all
//! worlds. Knows nothing of where worlds come from.

use crate::evaluation::Evaluation;
use crate::events::legal_events;
use crate::limits::Limits;
use crate::line::{Basis, Iteration, Line, SearchResult};
use crate::mcts::Mcts;
use crate::player::{PlayerError, Random};
use crate::search::{Search, SearchError};
use astragal_core::dice::mix;
use astragal_core::rule::RuleError;
use astragal_core::{Event, State};
use std::sync::Arc;

/// The number of worlds in which a decision is searched.
pub(crate) const WORLDS: usize = 16;

/// The value of an event, summed over worlds.
struct Sum {
    event: Event,
    value: f64,
    worlds: u32,
}

impl Sum {
    fn mean(&self) -> f64 {
        self.value / f64::from(self.worlds.max(1))
    }

    fn line(&self, basis: Basis) -> Line {
        Line { events: vec![self.event.clone()], value: self.mean(), basis, ends_turn: false }
    }
}

fn sums(events: impl IntoIterator<Item = Event>) -> Vec<Sum> {
    events.into_iter().map(|event| Sum { event, value: 0.0, worlds: 0 }).collect()
}

/// The possible events, for a search that had no time at all.
pub(crate) fn unsearched(state: &State) -> SearchResult {
    let lines = sums(legal_events(state)).iter().map(|sum| sum.line(Basis::Static)).collect();
    SearchResult { lines, deeper: None, turns: Some(0), nodes: 0 }
}

/// A random possible event, for use when no world is known.
pub(crate) fn any(state: &State, seed: u64) -> SearchResult {
    let mut found = unsearched(state);
    if let Ok(event) = Random::new(mix(seed ^ found.lines.len() as u64)).pick(legal_events(state)) {
        found.lines.sort_by_key(|line| line.events.first() != Some(&event));
    }
    found
}

/// Searches all worlds, one iteration after another. An iteration that did not finish in all of them does not count, except
/// the first. Each further iteration examines only the best events of the one before, up to its width.
///
/// # Errors
/// If a rule fails.
pub(crate) fn search(
    mut search: Search,
    state: &State,
    worlds: &[&State],
    limits: &Limits,
    iterations: &[Iteration],
) -> Result<SearchResult, PlayerError> {
    search.start(limits);
    let mut found = unsearched(state);
    for (done, iteration) in iterations.iter().enumerate() {
        let width = found.lines.len().min(iteration.root);
        let mut sums = sums(found.lines[..width].iter().filter_map(|line| line.events.first().cloned()));
        let looked_at = add_worlds(&mut search, worlds, *iteration, &mut sums)?;
        if looked_at < worlds.len() && (done > 0 || looked_at == 0) {
            break;
        }
        sums.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
        let rest = found.lines.split_off(width);
        found.lines = sums.iter().map(|sum| sum.line(Basis::Search(*iteration))).chain(rest).collect();
        found.turns = Some(iteration.turns);
        if looked_at < worlds.len() || sums.len() < 2 || sums[0].mean() >= 1.0 {
            break;
        }
    }
    found.nodes = search.nodes();
    Ok(found)
}

/// Adds the values of events in each world, and returns the number of worlds that the time sufficed for.
fn add_worlds(
    search: &mut Search,
    worlds: &[&State],
    iteration: Iteration,
    sums: &mut [Sum],
) -> Result<usize, RuleError> {
    for (number, world) in worlds.iter().enumerate() {
        search.enter_world(number as u64 + 1);
        let lines = match search.lines(world) {
            Err(SearchError::OutOfBudget) => return Ok(number),
            Err(SearchError::Rule(error)) => return Err(error),
            Ok(lines) => lines,
        };
        let wanted = |line: &Line| sums.iter().any(|sum| line.events.first() == Some(&sum.event));
        let lines: Vec<Line> = lines.into_iter().filter(wanted).collect();
        let iteration = Iteration { root: usize::MAX, ..iteration };
        let (ranked, complete) = search.rank(world, iteration, lines, usize::MAX)?;
        if !complete && number > 0 {
            return Ok(number);
        }
        for sum in sums.iter_mut() {
            let of_event = ranked.iter().filter(|line| line.events.first() == Some(&sum.event)).map(|line| line.value);
            if let Some(best) = of_event.reduce(f64::max) {
                (sum.value, sum.worlds) = (sum.value + best, sum.worlds + 1);
            }
        }
        if !complete {
            return Ok(1);
        }
    }
    Ok(worlds.len())
}

/// Plays games to their end in all worlds in turn.
///
/// # Errors
/// If a rule fails.
pub(crate) fn play_out(
    evaluation: &Arc<Evaluation>,
    seed: u64,
    state: &State,
    worlds: &[&State],
    limits: &Limits,
) -> Result<SearchResult, PlayerError> {
    let mut playouts = Mcts::new(Arc::clone(evaluation), seed);
    let lines = playouts.rank_in(state, worlds, limits)?;
    Ok(SearchResult { lines, deeper: None, turns: None, nodes: playouts.nodes_searched() })
}
