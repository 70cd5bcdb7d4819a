//! The search of one side: the lines of a decision and their values, one iteration after another.
//!
//! Depth is counted in turns; contests and choices within a turn come on top. Values are from -1 to 1 for the side that
//! searches and its partners, who maximize. All others are assumed to minimize, so with more than two parties the search is
//! paranoid. [`root`] ranks the lines, [`expectiminimax`] visits the nodes below, [`successors`] orders them,
//! [`transposition`] remembers turns.

mod expectiminimax;
mod root;
mod successors;
#[cfg(test)]
mod tests;
mod transposition;

use self::transposition::TranspositionTable;
use crate::evaluation::Evaluation;
use crate::events::{after, become_after};
use crate::limits::{Budget, Limits};
use crate::line::Iteration;
use crate::outcome_groups::OutcomeGroups;
use crate::piece_sums::PieceSums;
use astragal_core::rule::RuleError;
use astragal_core::{Event, Side, State};
use std::sync::Arc;

/// If the rules award points, values are unbounded.
const UNBOUNDED: f64 = 1e6;

/// Why a search has no result.
#[derive(Debug)]
pub(crate) enum SearchError {
    /// A limit is reached.
    OutOfBudget,
    /// A rule failed.
    Rule(RuleError),
}

impl From<RuleError> for SearchError {
    fn from(error: RuleError) -> SearchError {
        if error.is_stop() { SearchError::OutOfBudget } else { SearchError::Rule(error) }
    }
}

/// The depth of a node.
#[derive(Clone, Copy)]
struct Depth {
    turn: u32,
    /// The turns left, this one included.
    turns_left: u32,
    /// The events before it in its turn.
    events: u32,
    /// The rolls among them.
    rolls: u32,
}

/// A search for one side; its knowledge about rolls and turns is kept from one decision to the next.
pub(crate) struct Search {
    evaluation: Arc<Evaluation>,
    side: Side,
    outcome_groups: OutcomeGroups,
    table: TranspositionTable,
    budget: Budget,
    /// The work that the rules had done at the start of the search.
    work_before: u64,
    iteration: Iteration,
    /// The greatest absolute value.
    value_bound: f64,
    prunes: bool,
    uses_table: bool,
    optimism: f64,
    /// The number of the world that is searched, if it is one of several.
    world: Option<u64>,
    /// The sums of the position that was evaluated last.
    sums: PieceSums,
    /// Unused states, kept to reuse their memory. Boxed, since they are large and move often.
    #[allow(clippy::vec_box)]
    pool: Vec<Box<State>>,
}

/// The maximum number of unused states kept in the pool.
const POOL: usize = 256;

impl Search {
    /// A search for `side`.
    pub(crate) fn new(evaluation: Arc<Evaluation>, side: Side) -> Search {
        let value_bound = if evaluation.training().points { UNBOUNDED } else { 1.0 };
        Search {
            sums: PieceSums::empty(),
            evaluation,
            side,
            outcome_groups: OutcomeGroups::default(),
            table: TranspositionTable::default(),
            budget: Limits::default().start(),
            work_before: 0,
            iteration: Iteration::full(1),
            value_bound,
            prunes: true,
            uses_table: true,
            optimism: 0.0,
            world: None,
            pool: Vec::new(),
        }
    }

    /// The state after an event, in memory of the pool. Its moves are not listed until it is [expanded](Search::expand).
    fn after(&mut self, state: &State, event: &Event) -> Result<Box<State>, RuleError> {
        let Some(mut room) = self.pool.pop() else { return after(state, event).map(Box::new) };
        become_after(&mut room, state, event)?;
        Ok(room)
    }

    /// Lists the moves of a state that is about to be searched; a state that is only evaluated requires no list.
    fn expand(&self, next: &mut State, from: Depth) -> Result<(), RuleError> {
        if next.turn() == from.turn || from.turns_left > 1 { next.list_moves() } else { Ok(()) }
    }

    /// Takes back a state that is no longer used.
    fn discard(&mut self, state: Box<State>) {
        if self.pool.len() < POOL {
            self.pool.push(state);
        }
    }

    /// The side's optimism about undecided games, from 0 (as pessimistic as its enemies) to 1: the fraction by which the
    /// value of an unfinished game moves toward that of a won one. An optimist does not stake the game on an unnecessary
    /// roll. No effect if the rules award points.
    pub(crate) fn with_optimism(mut self, optimism: f64) -> Search {
        let points = self.evaluation.training().points;
        self.optimism = if points { 0.0 } else { optimism.clamp(0.0, 1.0) };
        self
    }

    /// The static evaluation, with optimism.
    fn evaluate(&mut self, state: &State) -> f64 {
        let value = self.evaluation.evaluate_by(&mut self.sums, state, self.side);
        if state.over().is_some() { value } else { value + self.optimism * (1.0 - value) }
    }

    /// Whether nodes are cut off, and whether the transposition table is used: the values are the same without, but more
    /// nodes are searched.
    #[cfg(test)]
    pub(crate) fn with_shortcuts(mut self, prunes: bool, uses_table: bool) -> Search {
        (self.prunes, self.uses_table) = (prunes, uses_table);
        self
    }

    /// The side that it searches for.
    pub(crate) fn side(&self) -> Side {
        self.side
    }

    /// From now on searches a world, one of several that the side cannot distinguish. Secret choices of other sides are
    /// drawn there, seeded by the number of the world, since those sides do not know what they would respond to.
    pub(crate) fn enter_world(&mut self, world: u64) {
        self.world = Some(world);
    }

    /// Sets the limits for the decisions from now on and begins to count.
    pub(crate) fn start(&mut self, limits: &Limits) {
        self.budget = limits.start();
        self.work_before = self.evaluation.ruleset().rules.walker().meter().total();
    }

    /// The nodes searched since [`Search::start`].
    pub(crate) fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    /// The value of a state that one iteration finds.
    ///
    /// # Errors
    /// If a limit is reached or a rule fails.
    pub(crate) fn value(&mut self, state: &State, iteration: Iteration) -> Result<f64, SearchError> {
        self.iteration = iteration;
        if state.over().is_some() {
            return Ok(self.evaluate(state));
        }
        let depth = Depth { turn: state.turn(), turns_left: iteration.turns, events: 0, rolls: 0 };
        self.node(state, depth, -self.value_bound, self.value_bound)
    }

    /// Whether a side is the one that searches, or its partner.
    fn is_friend(&self, side: Side) -> bool {
        self.evaluation.ruleset().variant.allied(self.side, side)
    }

    /// Counts a node and what the rules have done for it.
    fn count_node(&mut self) -> Result<(), SearchError> {
        let work = self.evaluation.ruleset().rules.walker().meter().total() - self.work_before;
        if self.budget.charge_work(work) | self.budget.count_node() { Err(SearchError::OutOfBudget) } else { Ok(()) }
    }
}
