//! Monte Carlo tree search, for games whose positions predict winners poorly, such as races: plays random games to their
//! end and prefers events with good results.
//!
//! Upper confidence bounds for trees (L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning", 2006) over the
//! nodes of the engine: rolls are drawn, decisions chosen, each player for its own benefit. Games that take too long are
//! evaluated at the cutoff. The result follows from the seed and the limits.

use crate::evaluation::Evaluation;
use crate::events::{apply, legal_events, step_randomly};
use crate::limits::{Budget, Limits};
use crate::line::{Basis, Line};
use astragal_core::rule::RuleError;
use astragal_core::{MAX_SIDES, Side, State, Status, Stream};
use std::sync::Arc;

/// The weight of exploration: the preference for events that have been tried little.
const EXPLORATION: f64 = 0.9;
/// After this many events a game is cut off and evaluated.
const MAX_PLAYOUT: u32 = 400;
/// The maximum number of nodes of the tree.
const MAX_NODES: usize = 400_000;
/// The maximum number of events that all of them list together.
const MAX_LISTED: usize = 20_000_000;

/// The value of a game for each side, from -1 to 1.
type Rewards = [f64; MAX_SIDES];

/// A visited decision or chance node.
#[derive(Default)]
struct Node {
    visits: u32,
    /// The sum of the rewards of the side that led here.
    reward_sum: f64,
    /// The children tried here: the number of the event or outcome, and its node.
    children: Vec<(u64, usize)>,
    /// Events not tried yet, in the order in which they will be tried.
    untried: Option<Vec<u32>>,
}

/// A tree search for one decision.
pub(crate) struct Mcts {
    evaluation: Arc<Evaluation>,
    nodes: Vec<Node>,
    /// The number of events that the nodes have listed.
    listed: usize,
    random: Stream,
    budget: Budget,
    /// The work that the rules had done at the start of the search.
    work_before: u64,
    /// The side that decides without knowing which of several worlds it is in, if any.
    unsure: Option<Side>,
    /// The largest difference of points so far; 1 if the rules award none.
    scale: f64,
}

impl Mcts {
    /// A search whose dice come from `seed`.
    pub(crate) fn new(evaluation: Arc<Evaluation>, seed: u64) -> Mcts {
        let random = Stream::new(seed, 0x73_616d_706c);
        Mcts {
            evaluation,
            nodes: vec![Node::default()],
            listed: 0,
            random,
            budget: Limits::default().start(),
            work_before: 0,
            unsure: None,
            scale: 1.0,
        }
    }

    /// The nodes searched.
    pub(crate) fn nodes_searched(&self) -> u64 {
        self.budget.nodes()
    }

    /// Tries the events of `state` until a limit is reached. Returns the most tried first, with their values for the
    /// chooser.
    ///
    /// # Errors
    /// If a rule fails.
    pub(crate) fn rank(&mut self, state: &State, limits: &Limits) -> Result<Vec<Line>, RuleError> {
        self.rank_in(state, &[], limits)
    }

    /// The same when the chooser of `state` only knows that it is one of these worlds, which offer the same events. The
    /// worlds are tried in turn, and events are chosen by their results over all worlds. Secret choices of other sides are
    /// drawn, since those sides do not know what they would respond to.
    ///
    /// # Errors
    /// If a rule fails.
    pub(crate) fn rank_in(
        &mut self,
        state: &State,
        worlds: &[&State],
        limits: &Limits,
    ) -> Result<Vec<Line>, RuleError> {
        self.unsure = (!worlds.is_empty()).then(|| state.chooser());
        self.budget = limits.start();
        self.work_before = self.evaluation.ruleset().rules.walker().meter().total();
        let options = legal_events(state);
        // Tries each option at least once, however few the nodes; but not if the rules take too much time or work.
        let mut games = 0;
        while games < options.len() || !self.budget.is_spent() {
            let played = match worlds {
                [] => self.simulate(state, None),
                worlds => {
                    let world = games % worlds.len();
                    self.simulate(worlds[world], Some(world as u64))
                }
            };
            match played {
                Err(error) if error.is_stop() => break,
                played => played?,
            }
            games += 1;
        }
        let mut found: Vec<(u32, Line)> = Vec::new();
        for &(option, node) in &self.nodes[0].children {
            let Node { visits, reward_sum, .. } = self.nodes[node];
            let value = reward_sum / f64::from(visits.max(1));
            let events = vec![options[option as usize].clone()];
            found.push((visits, Line { events, value, basis: Basis::Playouts(visits), ends_turn: false }));
        }
        found.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.value.total_cmp(&a.1.value)));
        if found.is_empty() {
            let untried = |event| Line { events: vec![event], value: 0.0, basis: Basis::Playouts(0), ends_turn: false };
            found = options.into_iter().map(|event| (0, untried(event))).collect();
        }
        Ok(found.into_iter().map(|(_, line)| line).collect())
    }

    /// Counts a node.
    ///
    /// # Errors
    /// If the rules have done more work than is allowed for all nodes.
    fn count_node(&mut self) -> Result<(), RuleError> {
        self.budget.count_node();
        let work = self.evaluation.ruleset().rules.walker().meter().total() - self.work_before;
        if self.budget.charge_work(work) { Err(RuleError::stopped()) } else { Ok(()) }
    }

    /// Plays one game through the tree and on to its end, and adds one node. Below the first event, each world has its own
    /// tree.
    fn simulate(&mut self, from: &State, world: Option<u64>) -> Result<(), RuleError> {
        let mut state = from.clone();
        let (mut at, mut path) = (0, vec![(0, from.chooser())]);
        let mut length = 0;
        while state.status() != Status::Over && length < MAX_PLAYOUT {
            length += 1;
            self.count_node()?;
            let (chooser, number) = (state.chooser(), self.select(at, &state));
            if state.status() == Status::Chance {
                state.roll(number)?;
            } else {
                let event = legal_events(&state).swap_remove(number as usize);
                apply(&mut state, &event)?;
            }
            let child = self.nodes[at].children.iter().find(|child| child.0 == number).map(|child| child.1);
            at = child.unwrap_or_else(|| self.expand(at, number));
            path.push((at, chooser));
            if child.is_none() {
                break;
            }
            if let Some(world) = world.filter(|_| path.len() == 2) {
                let child = self.nodes[at].children.iter().find(|child| child.0 == world).map(|child| child.1);
                at = child.unwrap_or_else(|| self.expand(at, world));
            }
        }
        while state.status() != Status::Over && length < MAX_PLAYOUT {
            length += 1;
            self.count_node()?;
            step_randomly(&mut state, &mut self.random)?;
        }
        let rewards = self.rewards(&state);
        for (node, side) in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.reward_sum += rewards[side.index()];
        }
        Ok(())
    }

    fn expand(&mut self, at: usize, number: u64) -> usize {
        if self.nodes.len() >= MAX_NODES || self.listed >= MAX_LISTED {
            // The tree is full: further events of this game get no nodes.
            return at;
        }
        self.nodes.push(Node::default());
        let new = self.nodes.len() - 1;
        self.nodes[at].children.push((number, new));
        new
    }

    /// The number of the outcome or event to try next: of events, the one with the highest upper confidence bound.
    fn select(&mut self, at: usize, state: &State) -> u64 {
        if state.dice().is_some() {
            return state.draw(&mut self.random);
        }
        let count = state.moves().len() + state.choices().len() + usize::from(state.can_pass());
        if self.unsure.is_some_and(|side| side != state.chooser()) && state.decides_in_secret() {
            return self.random.below(count as u64);
        }
        if self.nodes[at].untried.is_none() {
            let mut order: Vec<u32> = (0..count as u32).collect();
            for i in (1..count).rev() {
                order.swap(i, self.random.below(i as u64 + 1) as usize);
            }
            self.listed += count;
            self.nodes[at].untried = Some(order);
        }
        if let Some(first) = self.nodes[at].untried.as_mut().and_then(Vec::pop) {
            return u64::from(first);
        }
        let node = &self.nodes[at];
        let reach = f64::from(node.visits.max(1)).ln();
        let rated = node.children.iter().map(|&(number, child)| {
            let child = &self.nodes[child];
            let visits = f64::from(child.visits.max(1));
            (number, child.reward_sum / visits + EXPLORATION * (reach / visits).sqrt())
        });
        let best = rated.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map_or_else(|| self.random.below(count as u64), |(number, _)| number)
    }

    fn rewards(&mut self, state: &State) -> Rewards {
        let sides = self.evaluation.ruleset().variant.sides();
        let mut rewards: Rewards = [0.0; MAX_SIDES];
        for (i, reward) in rewards.iter_mut().enumerate().take(sides) {
            *reward = self.evaluation.evaluate(state, Side(i as u8));
            self.scale = self.scale.max(reward.abs());
        }
        rewards.map(|reward| reward / self.scale)
    }
}
