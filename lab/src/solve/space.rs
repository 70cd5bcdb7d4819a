//! The states of a game or an ending, and the turns between them.
//!
//! Owns the search for all states that can be reached. A state is a position at the start of a turn: the moves before it do
//! not count, and neither do repetitions and quiet moves. Knows no values.
//!
//! Invariants: the numbers of the states and their turns do not depend on the number of threads. A state whose turn is not
//! listed yet is in the frontier.

use super::code::{Node, write};
use super::limits::{Limits, SolveError};
use super::parallel;
use super::progress::{Step, Watch};
use super::turn::{Numbers, fresh, list};
use astragal_core::{Position, Ruleset, State};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// The states whose turns are listed together, before the new ones get numbers.
const BATCH: usize = 2048;

/// Bytes that a state takes besides its turn: in the tables, and for its values.
const OF_STATE: usize = 16 + 8 + 9 + 1 + 16 + 16;

/// The states and their turns.
pub(super) struct Space {
    set: Arc<Ruleset>,
    /// The number of each state, by the hash of its position.
    pub(super) numbers: FxHashMap<u64, u32>,
    /// The hash of each state's position.
    pub(super) keys: Vec<u64>,
    /// The side to move of each state.
    pub(super) sides: Vec<u8>,
    /// Where the turn of each state ends in `code`; it begins where the one before ends.
    pub(super) ends: Vec<u64>,
    pub(super) code: Vec<u8>,
    /// The positions of the states whose turns are not listed, in order.
    pub(super) frontier: VecDeque<Position>,
    /// The worst and the best result that a turn has led to; a draw is one of them.
    pub(super) range: (i32, i32),
}

/// New states of a batch get preliminary numbers from the top.
struct Found<'a> {
    known: &'a FxHashMap<u64, u32>,
    new: Vec<Position>,
    numbers: FxHashMap<u64, u32>,
}

impl Numbers for Found<'_> {
    fn number(&mut self, position: &Position) -> Result<u32, SolveError> {
        let key = position.hash();
        if let Some(&number) = self.known.get(&key).or_else(|| self.numbers.get(&key)) {
            return Ok(number);
        }
        let number = u32::MAX - self.new.len() as u32;
        self.numbers.insert(key, number);
        self.new.push(fresh(position));
        Ok(number)
    }
}

/// The turn of a state, and the positions that it leads to for the first time.
struct Listed {
    nodes: Vec<Node>,
    new: Vec<Position>,
}

impl Space {
    pub(super) fn new(set: Arc<Ruleset>) -> Space {
        Space {
            set,
            numbers: FxHashMap::default(),
            keys: Vec::new(),
            sides: Vec::new(),
            ends: Vec::new(),
            code: Vec::new(),
            frontier: VecDeque::new(),
            range: (-2, 2),
        }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The number of states whose turns are listed: the first ones.
    pub(super) fn listed(&self) -> usize {
        self.ends.len()
    }

    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.len() * OF_STATE + self.code.len() + self.frontier.len() * size_of::<Position>()
    }

    /// The bytes of the turns.
    pub(super) fn turn_bytes(&self) -> usize {
        self.code.len()
    }

    /// The turn of a state whose turn is listed.
    pub(super) fn turn(&self, state: usize) -> &[u8] {
        let start = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.code[start as usize..self.ends[state] as usize]
    }

    /// The number of the state that begins with `position`; a new one if it is new.
    ///
    /// # Errors
    /// If there are too many.
    pub(super) fn add(&mut self, position: &Position) -> Result<u32, SolveError> {
        let next = self.keys.len() as u32;
        let key = position.hash();
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        if next as usize >= Limits::MOST_STATES {
            return Err(SolveError::TooMany);
        }
        self.numbers.insert(key, next);
        self.keys.push(key);
        self.sides.push(position.side().0);
        self.frontier.push_back(fresh(position));
        Ok(next)
    }

    /// The number of the state that begins with `position`, if it is known.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.numbers.get(&key).copied()
    }

    /// Lists turns until every state has its turn, a limit is reached or the watch stops it. True if every state has its
    /// turn.
    ///
    /// # Errors
    /// If a turn cannot be listed.
    pub(super) fn explore(&mut self, limits: &Limits, watch: &Watch<'_>) -> Result<bool, SolveError> {
        while !self.frontier.is_empty() {
            let is_full = self.len() >= limits.states || self.bytes() >= limits.memory;
            if is_full || (watch.stop)() {
                return Ok(false);
            }
            let count = self.frontier.len().min(BATCH);
            let batch: Vec<Position> = self.frontier.drain(..count).collect();
            let listed = parallel::each(&batch, limits.threads, watch.stop, |position| self.list(position))?;
            let done = listed.len();
            batch.into_iter().skip(done).rev().for_each(|position| self.frontier.push_front(position));
            listed.into_iter().try_for_each(|listed| self.take(listed))?;
            (watch.progress)(Step::Explored { states: self.len(), listed: self.listed() });
        }
        Ok(true)
    }

    fn list(&self, position: &Position) -> Result<Listed, SolveError> {
        let state = State::new(Arc::clone(&self.set), position.clone())?;
        let mut found = Found { known: &self.numbers, new: Vec::new(), numbers: FxHashMap::default() };
        let nodes = list(&state, &mut found)?;
        Ok(Listed { nodes, new: found.new })
    }

    /// Gives new states their numbers, and writes the turn.
    fn take(&mut self, Listed { mut nodes, new }: Listed) -> Result<(), SolveError> {
        if !new.is_empty() {
            let numbers = new.iter().map(|position| self.add(position)).collect::<Result<Vec<_>, _>>()?;
            let first = u32::MAX - (numbers.len() as u32 - 1);
            let final_number = |number: &mut u32| {
                if *number >= first {
                    *number = numbers[(u32::MAX - *number) as usize];
                }
            };
            for node in &mut nodes {
                node.states_mut(final_number);
            }
        }
        for payoff in nodes.iter().flat_map(Node::payoffs) {
            self.range = (self.range.0.min(payoff), self.range.1.max(payoff));
        }
        write(&nodes, &mut self.code);
        self.ends.push(self.code.len() as u64);
        Ok(())
    }
}
