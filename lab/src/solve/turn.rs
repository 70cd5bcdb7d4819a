//! One turn of a state: everything that it can lead to, until the next turn.
//!
//! Owns the walk of a turn by the engine's rules. States with the same continuation are visited once. For turns in which dice
//! pay for moves in any order, the sets of dice are walked instead of the rolls, which gives the same result and is several
//! times faster. Knows no values.

use super::code::{Best, Node, Ref};
use super::limits::SolveError;
use astragal_computer::half_points;
use astragal_core::rule::RuleError;
use astragal_core::turns::ends_of_rolls;
use astragal_core::{Position, Reply, Side, State, Status};
use rustc_hash::{FxHashMap, FxHashSet};

/// A turn with more states in between is not solved.
const MOST_STATES: usize = 1 << 18;

/// The numbers of states at the start of turns.
pub(super) trait Numbers {
    /// The number of the state that begins with this position.
    ///
    /// # Errors
    /// If there is no room for another.
    fn number(&mut self, position: &Position) -> Result<u32, SolveError>;
}

/// Lists the turn that begins with `state`. The last node is the turn.
///
/// # Errors
/// If a rule fails, the turn hides something from a player, is too large, or can return to the same state.
pub(super) fn list(state: &State, numbers: &mut dyn Numbers) -> Result<Vec<Node>, SolveError> {
    let mut turn = Turn {
        start: state.turn(),
        nodes: Vec::new(),
        known: FxHashMap::default(),
        places: FxHashMap::default(),
        states: 0,
        numbers,
    };
    match turn.of_sets(state)? {
        Some(root) => turn.root(root),
        None => {
            let root = turn.follow(state)?;
            turn.root(root)
        }
    }
    Ok(turn.nodes)
}

struct Turn<'a> {
    start: u32,
    nodes: Vec<Node>,
    /// Equal nodes are listed once.
    known: FxHashMap<Node, u32>,
    /// The nodes of states in the middle of the turn; `None` while a node is being made.
    places: FxHashMap<u64, Option<Ref>>,
    states: usize,
    numbers: &'a mut dyn Numbers,
}

impl Turn<'_> {
    /// Makes `root` the last node.
    fn root(&mut self, root: Ref) {
        match root {
            Ref::Node(node) if node as usize + 1 == self.nodes.len() => {}
            root => self.nodes.push(Node::Chance(vec![(1, root)])),
        }
    }

    fn add(&mut self, node: Node) -> Ref {
        let Turn { nodes, known, .. } = self;
        Ref::Node(*known.entry(node).or_insert_with_key(|node| {
            nodes.push(node.clone());
            nodes.len() as u32 - 1
        }))
    }

    /// A chance node; outcomes that lead to the same are one.
    fn chance(&mut self, outcomes: Vec<(u64, Ref)>) -> Ref {
        let (mut merged, mut places): (Vec<(u64, Ref)>, FxHashMap<Ref, usize>) = Default::default();
        for (weight, to) in outcomes {
            match places.get(&to) {
                Some(&at) => merged[at].0 += weight,
                None => {
                    places.insert(to, merged.len());
                    merged.push((weight, to));
                }
            }
        }
        match merged.as_slice() {
            [(_, only)] => *only,
            _ => self.add(Node::Chance(merged)),
        }
    }

    fn best(&mut self, mut best: Best) -> Ref {
        best.states.sort_unstable();
        best.states.dedup();
        best.nodes.sort_unstable();
        best.nodes.dedup();
        match (best.payoff, best.nodes.as_slice(), best.states.as_slice()) {
            (Some(payoff), [], []) => Ref::Payoff(payoff),
            (None, [node], []) => Ref::Node(*node),
            (None, [], [state]) => Ref::State(*state),
            _ => self.add(Node::Best(best)),
        }
    }

    /// A turn in which dice pay for moves in any order; `None` if it is another one.
    fn of_sets(&mut self, state: &State) -> Result<Option<Ref>, SolveError> {
        if state.status() != Status::Chance || state.secret().is_some() {
            return Ok(None);
        }
        let Some(ends) = ends_of_rolls(state)? else { return Ok(None) };
        let is_first = state.mover() == Side::FIRST;
        let (mut next, mut over) = (Vec::new(), Vec::new());
        for set in &ends.sets {
            let states = set.next.iter().map(|position| self.numbers.number(position)).collect::<Result<_, _>>()?;
            next.push(match set.next.is_empty() {
                true => None,
                false => Some(self.best(Best { is_first, states, ..Best::default() })),
            });
            let mut ended = Best { is_first, ..Best::default() };
            set.over.iter().for_each(|over| ended.end(half_points(over)));
            over.push(ended.payoff);
        }
        let mut outcomes = Vec::with_capacity(ends.rolls.len());
        for roll in &ends.rolls {
            let mut best = Best { is_first, ..Best::default() };
            for to in roll.full.iter().filter_map(|&set| next[set]) {
                collect(&mut best, to);
            }
            roll.within.iter().filter_map(|&set| over[set]).for_each(|payoff| best.end(payoff));
            let best = self.best(best);
            outcomes.push((roll.weight, best));
        }
        Ok(Some(self.chance(outcomes)))
    }

    /// The node of a state.
    fn follow(&mut self, state: &State) -> Result<Ref, SolveError> {
        if let Some(over) = state.over() {
            return Ok(Ref::Payoff(half_points(over)));
        }
        if state.turn() != self.start {
            return Ok(Ref::State(self.numbers.number(state.turn_start())?));
        }
        let place = state.place_in_turn();
        match self.places.get(&place) {
            Some(Some(known)) => return Ok(*known),
            Some(None) => return Err(SolveError::Endless),
            None => self.places.insert(place, None),
        };
        self.enter(state)?;
        let found = match state.status() {
            Status::Chance => {
                let mut outcomes = Vec::new();
                for (index, weight) in state.outcomes_apart() {
                    outcomes.push((weight, self.follow(&state.after(Reply::Roll(index))?)?));
                }
                self.chance(outcomes)
            }
            _ => {
                let mut best = Best { is_first: state.chooser() == Side::FIRST, ..Best::default() };
                self.decide(state, &mut FxHashSet::default(), &mut best)?;
                self.best(best)
            }
        };
        self.places.insert(place, Some(found));
        Ok(found)
    }

    /// Adds what a decision, and further decisions of the same side, can lead to.
    fn decide(&mut self, state: &State, seen: &mut FxHashSet<u64>, best: &mut Best) -> Result<(), SolveError> {
        for reply in (0..state.replies()).filter_map(|index| state.nth_reply(index)) {
            let next = state.after(reply)?;
            let goes_on = next.over().is_none()
                && next.turn() == self.start
                && next.status() != Status::Chance
                && next.chooser() == state.chooser();
            if !goes_on {
                let to = self.follow(&next)?;
                collect(best, to);
            } else if seen.insert(next.place_in_turn()) {
                self.enter(&next)?;
                self.decide(&next, seen, best)?;
            }
        }
        Ok(())
    }

    /// Counts a state, and checks that it has no secrets.
    fn enter(&mut self, state: &State) -> Result<(), SolveError> {
        self.states += 1;
        if self.states > MOST_STATES {
            return Err(SolveError::Rule(RuleError::new(format!("a turn has more than {MOST_STATES} states"))));
        }
        match state.secret().is_some() || state.rolled_in_secret() {
            true => Err(SolveError::Secret),
            false => Ok(()),
        }
    }
}

/// Adds what an answer leads to.
fn collect(best: &mut Best, to: Ref) {
    match to {
        Ref::Payoff(payoff) => best.end(payoff),
        Ref::Node(node) => best.nodes.push(node),
        Ref::State(state) => best.states.push(state),
    }
}

/// A position without its past.
pub(super) fn fresh(position: &Position) -> Position {
    let mut position = position.clone();
    position.set_clock(0);
    position.set_number(1);
    position
}
