//! The tree of a rule: all its known runs, merged.
//!
//! Grows by [inserting runs](Tree::insert_run); nodes are only ever added, and keep their numbers. Knows nothing of where
//! runs come from.

mod common;
mod size;
#[cfg(test)]
mod tests;

use crate::dice::mix;
use crate::rules::TREE_BYTES;
use crate::rules::error::RuleError;
use crate::rules::hook::Hook;
use crate::rules::meter::LIST;
use crate::rules::query::Answer;
use crate::rules::rule::{Step, countable};
use crate::rules::value::View;
use common::Common;
use rustc_hash::FxHashSet;
use std::num::NonZeroU32;
use std::sync::Arc;

/// The number of a node; [`NodeId::NONE`] if the tree has not grown there yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Not grown yet.
    pub(crate) const NONE: NodeId = NodeId(u32::MAX);
    /// The root of every nonempty tree.
    pub const ROOT: NodeId = NodeId(0);
}

/// The targets of answers other than 0 and 1 from a node.
#[derive(Clone, Debug)]
enum Others {
    /// Answers from 0 up, densely.
    Dense(Vec<NodeId>),
    /// Other answers, in the order of their first occurrence.
    Sparse(Vec<(Answer, NodeId)>),
}

/// The memory of an entry of the set of steps.
const OF_ENTRY: usize = size_of::<Arc<Step>>() + 1;

/// Answers below this are looked up directly.
const DENSE: Answer = 512;

impl Others {
    fn get(&self, answer: Answer) -> NodeId {
        match self {
            Others::Dense(list) => list.get(answer as usize).copied().unwrap_or(NodeId::NONE),
            Others::Sparse(list) => list.iter().find(|(a, _)| *a == answer).map_or(NodeId::NONE, |&(_, n)| n),
        }
    }

    /// The known answers and their targets.
    fn known(&self) -> impl Iterator<Item = (Answer, NodeId)> + '_ {
        let (dense, sparse): (&[NodeId], &[(Answer, NodeId)]) = match self {
            Others::Dense(list) => (list, &[]),
            Others::Sparse(list) => (&[], list),
        };
        let dense = dense.iter().enumerate().map(|(answer, &node)| (answer as Answer, node));
        dense.filter(|&(_, node)| node != NodeId::NONE).chain(sparse.iter().copied())
    }

    /// The memory beside the list's own size.
    fn bytes(&self) -> usize {
        match self {
            Others::Dense(list) => list.capacity() * size_of::<NodeId>(),
            Others::Sparse(list) => list.capacity() * size_of::<(Answer, NodeId)>(),
        }
    }

    fn set(&mut self, answer: Answer, node: NodeId) {
        match self {
            Others::Dense(list) if (0..DENSE).contains(&answer) => {
                let length = answer as usize + 1;
                if list.len() < length {
                    make_room(list, length - list.len());
                    list.resize(length, NodeId::NONE);
                }
                list[answer as usize] = node;
            }
            Others::Dense(_) => {
                *self = Others::Sparse(self.known().chain([(answer, node)]).collect());
            }
            Others::Sparse(list) => {
                make_room(list, 1);
                list.push((answer, node));
            }
        }
    }
}

/// Reserves `more` entries. Lists grow by an eighth: doubling would leave a third of all trees empty.
fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 8));
    }
}

/// A place in a rule's runs. There are many, so it holds only the data that every walk needs at once.
#[derive(Clone, Debug)]
struct Node {
    /// The step, if it is one of the most common questions.
    common: Option<Common>,
    step: Arc<Step>,
    /// A hash of the answers on the way here.
    mark: u64,
    /// The targets of the answers 0 and 1 (no and yes); steps that do not branch continue by 0.
    ways: [NodeId; 2],
    parent: NodeId,
    /// The index, from 1, of the tree's list with the targets of all other answers.
    others: Option<NonZeroU32>,
}

/// All known runs of one rule, merged: inner nodes are steps, edges are answers.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The further targets of some nodes.
    others: Vec<Others>,
    /// The steps of all nodes, each once, since a rule does the same in many places.
    steps: FxHashSet<Arc<Step>>,
    runs: u64,
    /// The generation of the tests that the tree refers to.
    generation: u32,
    /// The number of slots that are filled when a run begins.
    held: usize,
    /// Whether it grows with an original shared by all threads; otherwise it belongs to a single run.
    kept: bool,
    /// The approximate memory of nodes and steps at the time they were added.
    grown: usize,
}

impl Tree {
    /// An empty tree for a run of a hook's rule with tests of this generation.
    pub(crate) fn of_hook(hook: Hook, generation: u32) -> Tree {
        Tree { generation, held: hook.held(), ..Tree::default() }
    }

    /// The same tree, to grow with an original.
    pub(crate) fn kept(self) -> Tree {
        Tree { kept: true, ..self }
    }

    /// Whether it grows with an original.
    pub(crate) fn is_kept(&self) -> bool {
        self.kept
    }

    /// The generation of the tests that the tree refers to.
    pub(crate) fn generation(&self) -> u32 {
        self.generation
    }

    /// The number of slots that are filled when a run begins; known once the tree has grown.
    pub(crate) fn held(&self) -> usize {
        self.held
    }

    /// Sets the number of slots that are filled when a run begins.
    pub(crate) fn hold(&mut self, slots: usize) {
        self.held = slots;
    }

    /// A hash of a place in the rule: in all trees, two places share it (almost certainly) only if the rule has received
    /// the same answers there.
    pub(crate) fn mark(&self, node: NodeId) -> u64 {
        self.nodes[node.0 as usize].mark
    }

    /// The node added last.
    pub(crate) fn last(&self) -> NodeId {
        NodeId(self.nodes.len().saturating_sub(1) as u32)
    }

    /// Whether the tree has grown along all these answers.
    pub(crate) fn knows(&self, answers: &[Answer]) -> bool {
        let mut answers = answers.iter();
        let mut node = if self.is_empty() { NodeId::NONE } else { NodeId::ROOT };
        while node != NodeId::NONE {
            let answer = match self.step(node) {
                Step::Return(_) => return true,
                step if step.branches() => match answers.next() {
                    Some(answer) => *answer,
                    None => return true,
                },
                _ => 0,
            };
            node = self.next(node, answer);
        }
        false
    }

    /// Takes over the nodes that `original` has gained since this copy was made.
    pub(crate) fn catch_up(&mut self, original: &Tree) {
        self.held = original.held;
        for (number, node) in original.nodes.iter().enumerate().skip(self.nodes.len()) {
            let known = self.steps.get(&node.step).cloned();
            let step = known.unwrap_or_else(|| self.keep(node.step.apart()));
            let answer = match node.parent {
                NodeId::NONE => 0,
                parent => original.answer(parent, NodeId(number as u32)),
            };
            self.push(step, node.parent, answer);
        }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the rule has never been run.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The approximate memory of the tree; dice and plans that several steps share count each time.
    pub(crate) fn bytes(&self) -> usize {
        let lists = self.others.capacity() * size_of::<Others>() + self.others.iter().map(Others::bytes).sum::<usize>();
        let steps = self.steps.capacity() * OF_ENTRY + self.steps.iter().map(|step| size::of_kept(step)).sum::<usize>();
        self.nodes.capacity() * size_of::<Node>() + lists + steps
    }

    /// The memory of the tree without later additions to nodes and steps. Unlike [`Tree::bytes`], it does not examine every
    /// node.
    pub(crate) fn grown_bytes(&self) -> usize {
        self.grown + (self.nodes.capacity() - self.nodes.len()) * size_of::<Node>()
    }

    /// Whether the tree has reached its limit: this many nodes, or [`TREE_BYTES`].
    pub(crate) fn is_full(&self, cap: usize) -> bool {
        self.nodes.len() >= cap || self.grown >= TREE_BYTES
    }

    /// The number of known answers at a node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn ways(&self, node: NodeId) -> usize {
        self.known(node).count()
    }

    /// The targets of the known answers at a node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn ways_on(&self, node: NodeId) -> Vec<NodeId> {
        self.known(node).map(|(_, node)| node).collect()
    }

    /// How often the rule has been run to grow the tree.
    pub(crate) fn runs(&self) -> u64 {
        self.runs
    }

    /// The step at a node.
    ///
    /// # Panics
    /// If the node is [`NodeId::NONE`].
    pub fn step(&self, node: NodeId) -> &Step {
        &self.nodes[node.0 as usize].step
    }

    /// The target of an answer at a node; 0 for a step that does not branch.
    pub(crate) fn next(&self, node: NodeId, answer: Answer) -> NodeId {
        let here = &self.nodes[node.0 as usize];
        debug_assert!(answer == 0 || here.step.branches(), "a step that does not branch has no answer but 0");
        match (answer, here.others) {
            (0 | 1, _) => here.ways[answer as usize],
            (_, Some(others)) => self.others[others.get() as usize - 1].get(answer),
            (_, None) => NodeId::NONE,
        }
    }

    /// Sets where an answer leads.
    fn lead(&mut self, from: NodeId, answer: Answer, to: NodeId) {
        let here = &mut self.nodes[from.0 as usize];
        match (answer, here.others) {
            (0 | 1, _) => here.ways[answer as usize] = to,
            (_, Some(others)) => self.others[others.get() as usize - 1].set(answer, to),
            (_, None) => {
                make_room(&mut self.others, 1);
                let mut others = Others::Dense(Vec::new());
                others.set(answer, to);
                self.others.push(others);
                here.others = NonZeroU32::new(self.others.len() as u32);
            }
        }
    }

    /// The known answers at a node, with their targets.
    fn known(&self, node: NodeId) -> impl Iterator<Item = (Answer, NodeId)> + '_ {
        let here = &self.nodes[node.0 as usize];
        let ways = (0..).zip(here.ways).filter(|(_, node)| *node != NodeId::NONE);
        let others = here.others.map(|others| &self.others[others.get() as usize - 1]);
        ways.chain(others.into_iter().flat_map(Others::known))
    }

    /// The answer that leads from a node to one of its children.
    fn answer(&self, from: NodeId, to: NodeId) -> Answer {
        self.known(from).find(|(_, node)| *node == to).map_or(0, |(answer, _)| answer)
    }

    /// Follows [common questions](common) with known answers from `node` on. Returns the rule's result, if it ends there.
    pub(crate) fn follow(&self, node: &mut NodeId, view: &View<'_>) -> Option<Answer> {
        let mut here = &self.nodes[node.0 as usize];
        // Counts as one step of a rule, for any number of questions.
        view.rules.meter().add(LIST);
        // Most walks reach questions that are not common, and skip the setup for those that are.
        here.common?;
        let asked = common::Asked::of(view);
        loop {
            let yes = match here.common? {
                Common::Return(answer) => return Some(answer),
                Common::Ask(test) => test.holds(&asked)?,
            };
            match here.ways[usize::from(yes)] {
                NodeId::NONE => return None,
                next => *node = next,
            }
            here = &self.nodes[node.0 as usize];
        }
    }

    /// The answers on the way from the root to `node`, excluding the answer at `node`.
    pub fn path(&self, mut node: NodeId) -> Vec<Answer> {
        let mut answers = Vec::new();
        while node != NodeId::ROOT {
            let parent = self.nodes[node.0 as usize].parent;
            if self.step(parent).branches() {
                answers.push(self.answer(parent, node));
            }
            node = parent;
        }
        answers.reverse();
        answers
    }

    /// All nodes that have grown.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Merges a run into the tree.
    ///
    /// # Errors
    /// If the run differs from an earlier one with the same answers: the rule is not a function of its answers.
    pub(crate) fn insert_run(&mut self, steps: Vec<Step>, answers: &[Answer]) -> Result<(), RuleError> {
        self.runs += 1;
        let mut answers = answers.iter().copied();
        let mut from = NodeId::NONE;
        let mut edge = 0;
        for step in steps {
            let known = match from {
                NodeId::NONE if self.nodes.is_empty() => NodeId::NONE,
                NodeId::NONE => NodeId::ROOT,
                from => self.next(from, edge),
            };
            let node = if known == NodeId::NONE {
                if let Step::Roll(chance) = &step {
                    chance.plain().map_or(Ok(()), |dice| countable(dice))?;
                }
                let known = self.steps.get(&step).cloned();
                let step = known.unwrap_or_else(|| self.keep(step));
                self.push(step, from, edge)
            } else if *self.step(known) == step {
                known
            } else {
                return Err(RuleError::new("the rule does different things for the same answers"));
            };
            from = node;
            edge = 0;
            if self.step(node).branches() {
                match answers.next() {
                    Some(answer) => edge = answer,
                    None => break,
                }
            }
        }
        Ok(())
    }

    /// Stores a step that is not in any node yet.
    fn keep(&mut self, step: Step) -> Arc<Step> {
        let step = Arc::new(step);
        self.grown += size::of_kept(&step);
        self.steps.insert(Arc::clone(&step));
        step
    }

    fn push(&mut self, step: Arc<Step>, parent: NodeId, answer: Answer) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let mark = match parent {
            NodeId::NONE => 1 << 63 | 1,
            parent => mix(mix(self.mark(parent)) ^ answer as u64) | 1 << 63,
        };
        self.grown += size_of::<Node>();
        make_room(&mut self.nodes, 1);
        let (common, ways) = (Common::of(&step), [NodeId::NONE; 2]);
        self.nodes.push(Node { common, step, mark, ways, parent, others: None });
        if parent != NodeId::NONE {
            self.lead(parent, answer, id);
        }
        id
    }
}
