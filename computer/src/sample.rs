//! Playing games to their end by chance and keeping to what turned out well: for games whose positions
//! tell little about who wins, such as races.
//!
//! Upper confidence bounds for trees (L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning",
//! 2006) over the nodes of the engine: rolls are drawn, decisions chosen, each player for itself. Games
//! that take too long are judged where they stand. Everything follows from the seed and the limits.

use crate::knowledge::Knowledge;
use crate::limits::{Limits, Meter};
use crate::player;
use crate::search::{Basis, Line, apply, events};
use astragal_core::rule::RuleError;
use astragal_core::{Side, State, Status, Stream};
use std::sync::Arc;

/// How much is given to what has been tried little.
const CURIOSITY: f64 = 0.9;
/// After so many events a game is judged where it stands.
const LONGEST: u32 = 400;
/// The most nodes of the tree that are kept.
const TREE: usize = 400_000;

/// What each side makes of a game, from -1 to 1.
type Shares = [f64; 4];

/// A decision or roll that has been met.
#[derive(Default)]
struct Node {
    visits: u32,
    /// The sum of what the one who led here has made of it.
    sum: f64,
    /// What has been tried here: the number of the decision or outcome, and where it leads.
    tried: Vec<(u64, usize)>,
    /// Decisions not tried yet, in the order in which they will be.
    untried: Option<Vec<u32>>,
}

/// A sampling search for one decision.
pub struct Sampling {
    known: Arc<Knowledge>,
    nodes: Vec<Node>,
    random: Stream,
    meter: Meter,
    /// The work that the rules had done when it began.
    begun: u64,
    /// The largest difference of points so far; 1 where none are named.
    most: f64,
}

impl Sampling {
    /// A search whose dice come from `seed`.
    pub fn new(known: Arc<Knowledge>, seed: u64) -> Sampling {
        let random = Stream::new(seed, 0x73_616d_706c);
        Sampling { known, nodes: vec![Node::default()], random, meter: Limits::default().start(), begun: 0, most: 1.0 }
    }

    /// The nodes looked at.
    pub fn count(&self) -> u64 {
        self.meter.count()
    }

    /// Tries the decisions of `state` until a limit is reached; the most tried first, with what the
    /// chooser made of them.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn rank(&mut self, state: &State, limits: &Limits) -> Result<Vec<Line>, RuleError> {
        self.meter = limits.start();
        self.begun = self.known.set().rules.walker().meter().total();
        let options = events(state);
        // Each option at least once, however few the nodes; but not if the rules take too much time or work.
        let mut games = 0;
        while games < options.len() || !self.meter.is_spent() {
            match self.play(state) {
                Err(error) if error.is_stop() => break,
                played => played?,
            }
            games += 1;
        }
        let mut found: Vec<(u32, Line)> = Vec::new();
        for &(option, node) in &self.nodes[0].tried {
            let Node { visits, sum, .. } = self.nodes[node];
            let value = sum / f64::from(visits.max(1));
            let events = vec![options[option as usize].clone()];
            found.push((visits, Line { events, value, basis: Basis::Games(visits), ends: false }));
        }
        found.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.value.total_cmp(&a.1.value)));
        if found.is_empty() {
            let untried = |event| Line { events: vec![event], value: 0.0, basis: Basis::Games(0), ends: false };
            found = options.into_iter().map(|event| (0, untried(event))).collect();
        }
        Ok(found.into_iter().map(|(_, line)| line).collect())
    }

    /// Counts a node.
    ///
    /// # Errors
    /// If the rules have taken more work than all nodes may.
    fn tick(&mut self) -> Result<(), RuleError> {
        self.meter.tick();
        let work = self.known.set().rules.walker().meter().total() - self.begun;
        if self.meter.note(work) { Err(RuleError::stopped()) } else { Ok(()) }
    }

    /// Plays one game through the tree and on to its end; remembers one node more.
    fn play(&mut self, from: &State) -> Result<(), RuleError> {
        let mut state = from.clone();
        let (mut at, mut path) = (0, vec![(0, from.chooser())]);
        let mut length = 0;
        while state.status() != Status::Over && length < LONGEST {
            length += 1;
            self.tick()?;
            let (chooser, number) = (state.chooser(), self.choose(at, &state));
            if state.status() == Status::Chance {
                state.roll(number)?;
            } else {
                let event = events(&state).swap_remove(number as usize);
                apply(&mut state, &event)?;
            }
            let known = self.nodes[at].tried.iter().find(|tried| tried.0 == number).map(|tried| tried.1);
            at = known.unwrap_or_else(|| self.add(at, number));
            path.push((at, chooser));
            if known.is_none() {
                break;
            }
        }
        while state.status() != Status::Over && length < LONGEST {
            length += 1;
            self.tick()?;
            player::step_randomly(&mut state, &mut self.random)?;
        }
        let shares = self.shares(&state);
        for (node, side) in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.sum += shares[side.index()];
        }
        Ok(())
    }

    fn add(&mut self, at: usize, number: u64) -> usize {
        if self.nodes.len() >= TREE {
            // The tree is full: what is played from here on is not told apart.
            return at;
        }
        self.nodes.push(Node::default());
        let new = self.nodes.len() - 1;
        self.nodes[at].tried.push((number, new));
        new
    }

    /// The number of the outcome or decision to try next.
    fn choose(&mut self, at: usize, state: &State) -> u64 {
        if state.dice().is_some() {
            return state.draw(&mut self.random);
        }
        let count = state.moves().len() + state.choices().len() + usize::from(state.can_pass());
        if self.nodes[at].untried.is_none() {
            let mut order: Vec<u32> = (0..count as u32).collect();
            for i in (1..count).rev() {
                order.swap(i, self.random.below(i as u64 + 1) as usize);
            }
            self.nodes[at].untried = Some(order);
        }
        if let Some(first) = self.nodes[at].untried.as_mut().and_then(Vec::pop) {
            return u64::from(first);
        }
        let node = &self.nodes[at];
        let reach = f64::from(node.visits.max(1)).ln();
        let rated = node.tried.iter().map(|&(number, child)| {
            let child = &self.nodes[child];
            let visits = f64::from(child.visits.max(1));
            (number, child.sum / visits + CURIOSITY * (reach / visits).sqrt())
        });
        let best = rated.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map_or_else(|| self.random.below(count as u64), |(number, _)| number)
    }

    fn shares(&mut self, state: &State) -> Shares {
        let sides = self.known.set().variant.sides();
        let mut shares: Shares = [0.0; 4];
        for (i, share) in shares.iter_mut().enumerate().take(sides) {
            *share = self.known.judge(state, Side(i as u8));
            self.most = self.most.max(share.abs());
        }
        shares.map(|share| share / self.most)
    }
}
