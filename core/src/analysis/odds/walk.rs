//! Builds the graph of all chance nodes that a turn can reach, round by round.
//!
//! Each round rolls once at every point reached. Walks share a log of the questions that rules asked about held dice, with
//! the last round of each question. A walk that finds a new question is unreliable and is repeated.

use super::found::{Halt, MOST_ROLLS, NEGLIGIBLE};
use crate::analysis::memory_limit::{MemoryLimit, Share};
use crate::play::state::{State, Status};
use crate::rules::effect::{GameFlow, Over};
use crate::rules::faces::{self, Asked, Log};
use crate::rules::hook::RuleId;
use crate::rules::rule::Standing;
use crate::rules::value::Value;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// An unreliable walk goes on for at most this many more rounds to find further questions. Without taking account of the
/// questions already found, it may never end.
const LEARNING: usize = 16;

/// All walks together may examine this many times the rolls allowed for one.
const WALKS: u64 = 3;

/// Where a roll leads.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// To another chance point, by number.
    ChanceNode(usize),
    /// To an outcome, by number.
    Leaf(usize),
}

/// A chance point.
#[derive(Default)]
pub(super) struct ChanceNode {
    /// The targets of its rolls, in the order of the dice, each with its weight; empty if it was not followed.
    pub(crate) ways: Vec<(u64, Target)>,
    /// The sum of the weights.
    pub(crate) total: u64,
    /// Roughly the chance to reach this point, ignoring cycles.
    mass: f64,
}

/// All chance points and outcomes. The first point is the start. Edges lead to points with higher numbers, except those
/// that close a cycle.
#[derive(Default)]
pub(super) struct Graph {
    pub(crate) points: Vec<ChanceNode>,
    pub(crate) leaves: Vec<State>,
    /// Whether a question was asked that the walk has not taken into account.
    stale: bool,
    /// The chance that was not followed, if the walk was cut short.
    pub(crate) open: Option<f64>,
}

/// Identifies a chance point.
type PointKey = (u64, u64, GameFlow);

/// Identifies an outcome.
pub(super) type LeafKey = (u64, u64, Status, Option<String>, Option<Over>);

/// The place of a rule.
#[derive(Clone, Copy)]
struct Stand {
    /// The place's number.
    number: u64,
    /// The number of held values that the rule may still use.
    held: usize,
    /// Whether a run may return to the place.
    again: bool,
}

/// Knowledge about the rules that is kept from walk to walk.
pub(super) struct Walk<'a> {
    pub(crate) turn: u32,
    stop: &'a dyn Fn() -> bool,
    log: Log,
    /// The numbers of the places where held dice were rolled.
    sites: FxHashMap<(RuleId, u64), u32>,
    /// The questions about each place's dice, each with the last round in which it was asked.
    asked: Vec<Vec<(Asked, usize)>>,
    /// Places of rules, with as many values as the rule held when it first reached the place.
    standing: FxHashMap<(RuleId, Standing), Stand>,
    /// The same by place in a rule's tree, as far as known.
    stands: FxHashMap<(RuleId, u64), Option<Stand>>,
    rolls: u64,
}

/// Knowledge that is valid within one walk.
struct WalkMemory<'r> {
    /// The memory of the stored states, and whether it ran out.
    share: Share<'r>,
    full: bool,
    graph: Graph,
    /// Points that cycles may lead back to.
    heads: FxHashMap<PointKey, usize>,
    /// The other points of the next round.
    round: FxHashMap<PointKey, usize>,
    leaves: FxHashMap<LeafKey, usize>,
    /// The points of the next round and their states.
    next: Vec<(usize, State)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(turn: u32, stop: &'a dyn Fn() -> bool) -> Walk<'a> {
        Walk {
            turn,
            stop,
            log: Log::default(),
            sites: FxHashMap::default(),
            asked: Vec::new(),
            standing: FxHashMap::default(),
            stands: FxHashMap::default(),
            rolls: 0,
        }
    }

    /// The graph of all outcomes of dice from `start` on; `None` if it is too large.
    pub(super) fn graph(&mut self, start: &State) -> Result<Option<Graph>, Halt> {
        loop {
            let graph = self.walk(start)?;
            match graph.stale {
                false => return Ok(Some(graph)),
                true if self.rolls > WALKS * MOST_ROLLS => return Ok(None),
                true => {}
            }
        }
    }

    fn walk(&mut self, start: &State) -> Result<Graph, Halt> {
        let memory_limit = MemoryLimit::default();
        let mut known = WalkMemory {
            share: memory_limit.share(),
            full: false,
            graph: Graph::default(),
            heads: FxHashMap::default(),
            round: FxHashMap::default(),
            leaves: FxHashMap::default(),
            next: Vec::new(),
        };
        let mut left = MOST_ROLLS;
        self.arrive(start.clone(), 0, 1.0, &mut known);
        let mut last = usize::MAX;
        for round in 0.. {
            let points = std::mem::take(&mut known.next);
            known.round.clear();
            let mass: f64 = points.iter().map(|(point, _)| known.graph.points[*point].mass).sum();
            if points.is_empty() || round > last || round > 0 && mass < NEGLIGIBLE {
                break;
            }
            // All are counted before any is made: a round that cannot be completed is not started.
            let Some(rounds) = self.rolls_of(&points, left) else {
                if (self.stop)() {
                    return Err(Halt::Stopped);
                }
                known.graph.open = Some(mass);
                return Ok(known.graph);
            };
            for ((point, state), rolls) in points.into_iter().zip(rounds) {
                left -= rolls.len() as u64;
                self.roll(point, &state, &rolls, round, &mut known)?;
                if known.full {
                    known.graph.open = Some(1.0);
                    return Ok(known.graph);
                }
            }
            if known.graph.stale {
                last = last.min(round + LEARNING);
            }
        }
        Ok(known.graph)
    }

    /// The rolls to examine at each point; `None` if they exceed `most` in total.
    fn rolls_of(&self, points: &[(usize, State)], mut most: u64) -> Option<Vec<Vec<faces::Class>>> {
        let mut all = Vec::with_capacity(points.len());
        for (_, state) in points {
            let rolls = self.classes(state, most)?;
            most -= rolls.len() as u64;
            all.push(rolls);
        }
        Some(all)
    }

    /// The rolls to examine and their weights; `None` if they exceed `most`.
    fn classes(&self, state: &State, most: u64) -> Option<Vec<faces::Class>> {
        let dice = state.dice()?;
        if let Some(unseen) = state.unseen_dice() {
            let asked = self.site_of(state).and_then(|site| self.asked.get(site as usize));
            let asked: Vec<Asked> = asked.into_iter().flatten().map(|(asked, _)| asked.clone()).collect();
            return faces::classes(&unseen, &asked, self.stop).filter(|classes| classes.len() as u64 <= most);
        }
        if dice.outcomes() > most && !state.is_told_keys() {
            return None;
        }
        Some(state.outcomes_apart()).filter(|apart| apart.len() as u64 <= most)
    }

    fn site_of(&self, state: &State) -> Option<u32> {
        let (rule, node, _) = state.standing()?;
        self.sites.get(&(rule, node)).copied()
    }

    /// Makes all rolls at a point.
    fn roll(
        &mut self,
        point: usize,
        state: &State,
        rolls: &[faces::Class],
        round: usize,
        known: &mut WalkMemory<'_>,
    ) -> Result<(), Halt> {
        let total: u64 = rolls.iter().map(|(_, weight)| weight).sum();
        let mass = known.graph.points[point].mass;
        let mut ways = Vec::with_capacity(rolls.len());
        for &(index, weight) in rolls {
            if known.full {
                break;
            }
            let next = self.rolled(state, index)?;
            known.graph.stale |= self.learn(round);
            let share = mass * weight as f64 / total as f64;
            let target = match self.waits_for_dice(&next) {
                true => Target::ChanceNode(self.arrive(next, round + 1, share, known)),
                false => Target::Leaf(self.leave(next, round, known)),
            };
            ways.push((weight, target));
        }
        let point = &mut known.graph.points[point];
        (point.ways, point.total) = (ways, total);
        Ok(())
    }

    /// Whether dice decide the continuation of the turn.
    pub(super) fn waits_for_dice(&self, state: &State) -> bool {
        state.status() == Status::Chance && state.turn() == self.turn
    }

    /// The state after an outcome of the dice.
    pub(super) fn rolled(&mut self, state: &State, index: u64) -> Result<State, Halt> {
        if (self.stop)() {
            return Err(Halt::Stopped);
        }
        self.rolls += 1;
        let mut next = state.clone();
        let place = state.standing().map_or((RuleId(0), u64::MAX), |(rule, node, _)| (rule, node));
        let number = self.asked.len() as u32;
        let site = match self.sites.entry(place) {
            Entry::Occupied(site) => *site.get(),
            Entry::Vacant(site) => {
                self.asked.push(Vec::new());
                *site.insert(number)
            }
        };
        next.roll_watched(index, site, &self.log)?;
        Ok(next)
    }

    /// Records the questions of a round; true if some are new.
    pub(super) fn learn(&mut self, round: usize) -> bool {
        let mut new = false;
        for (site, asked) in faces::taken(&self.log) {
            let known = &mut self.asked[site as usize];
            match known.iter_mut().find(|(other, _)| *other == asked) {
                Some((_, last)) if *last >= round => {}
                Some((_, last)) => (*last, new) = (round, true),
                None => {
                    known.push((asked, round));
                    new = true;
                }
            }
        }
        new
    }

    /// Mixes a held value into a key; of watched faces only the answers to questions of this round or later.
    fn mark(&self, value: &Value, key: u64, round: usize) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let Value::Watched(watched) = value else { return value.mark(key) };
        let asked = self.asked[watched.site() as usize].iter().filter(|(_, last)| *last >= round);
        let mut hasher = DefaultHasher::new();
        (key, watched.site(), watched.answers(asked.map(|(asked, _)| asked))).hash(&mut hasher);
        hasher.finish()
    }

    /// Records a chance point; returns its number, or that of an equivalent one.
    fn arrive(&mut self, state: State, round: usize, mass: f64, known: &mut WalkMemory<'_>) -> usize {
        let stand = self.stand(&state);
        let again = stand.is_some_and(|stand| stand.again);
        let round = if again { 0 } else { round };
        let place = stand.map(|stand| (stand.number, stand.held));
        let key = state.fingerprint_by(place, |value, key| self.mark(value, key, round));
        let (circumstances, course) = state.circumstances();
        let key = (key, circumstances, course.clone());
        let map = if again { &mut known.heads } else { &mut known.round };
        let number = known.graph.points.len();
        let point = *map.entry(key).or_insert(number);
        if point == number {
            known.full |= !known.share.take(state.bytes());
            known.graph.points.push(ChanceNode::default());
            known.next.push((point, state));
        }
        known.graph.points[point].mass += mass;
        point
    }

    /// The place of the state's rule, if it is known.
    fn stand(&mut self, state: &State) -> Option<Stand> {
        let (rule, node, held) = state.standing()?;
        if let Some(known) = self.stands.get(&(rule, node)) {
            return *known;
        }
        let place = state.ruleset().rules.standing(rule, &state.answers());
        let number = self.standing.len() as u64 | 1 << 40;
        let stand = place.map(|place| {
            let again = place.again;
            *self.standing.entry((rule, place)).or_insert(Stand { number, held, again })
        });
        // A rule that holds fewer values than when it first reached this place is not at the same place.
        let stand = stand.filter(|stand| stand.held <= held);
        self.stands.insert((rule, node), stand);
        stand
    }

    /// Records an outcome; returns its number, or that of an equal one.
    fn leave(&mut self, mut state: State, round: usize, known: &mut WalkMemory<'_>) -> usize {
        let key = self.leaf_key(&state, round);
        let number = known.graph.leaves.len();
        let leaf = *known.leaves.entry(key).or_insert(number);
        if leaf == number {
            state.unwatch();
            known.full |= !known.share.take(state.bytes());
            known.graph.leaves.push(state);
        }
        leaf
    }

    pub(super) fn leaf_key(&self, state: &State, round: usize) -> LeafKey {
        let key = state.fingerprint_by(None, |value, key| self.mark(value, key, round));
        let (circumstances, _) = state.circumstances();
        (key, circumstances, state.status(), state.label().map(String::from), state.over().cloned())
    }
}
