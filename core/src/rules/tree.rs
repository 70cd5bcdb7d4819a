//! The tree of a rule: all its runs that have been seen, merged.
//!
//! Grows by [runs that are inserted](Tree::insert_run); nodes are only ever added, and keep their numbers. Knows nothing of where
//! runs come from.

mod common;
mod size;
#[cfg(test)]
mod tests;

use crate::dice::mix;
use crate::rules::TREE_BYTES;
use crate::rules::meter::LIST;
use crate::rules::query::Answer;
use crate::rules::rule::{Hook, RuleError, Step, countable};
use crate::rules::value::View;
use common::Common;
use rustc_hash::FxHashSet;
use std::num::NonZeroU32;
use std::sync::Arc;

/// The number of a node; [`NodeId::NONE`] where the tree has not grown yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Not grown yet.
    pub(crate) const NONE: NodeId = NodeId(u32::MAX);
    /// The root of every tree that has grown.
    pub const ROOT: NodeId = NodeId(0);
}

/// Where answers lead from a node that are neither 0 nor 1.
#[derive(Clone, Debug)]
enum Others {
    /// Answers from 0 up, densely.
    Dense(Vec<NodeId>),
    /// Other answers, in the order in which they were met.
    Sparse(Vec<(Answer, NodeId)>),
}

/// What an entry of the set of steps takes.
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

    /// The ways that are known.
    fn known(&self) -> impl Iterator<Item = (Answer, NodeId)> + '_ {
        let (dense, sparse): (&[NodeId], &[(Answer, NodeId)]) = match self {
            Others::Dense(list) => (list, &[]),
            Others::Sparse(list) => (&[], list),
        };
        let dense = dense.iter().enumerate().map(|(answer, &node)| (answer as Answer, node));
        dense.filter(|&(_, node)| node != NodeId::NONE).chain(sparse.iter().copied())
    }

    /// The memory beside the list's own.
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

/// Makes room for `more` entries. Lists grow by an eighth: doubling would leave a third of all trees empty.
fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 8));
    }
}

/// A place in a rule's runs. There are many, so it holds what a walk needs at once, and nothing that is rare.
#[derive(Clone, Debug)]
struct Node {
    /// The step, if it is one of the commonest questions.
    common: Option<Common>,
    step: Arc<Step>,
    /// Made of the answers on the way here.
    mark: u64,
    /// Where no and yes lead, the answers 0 and 1; steps that do not branch lead on by 0.
    ways: [NodeId; 2],
    parent: NodeId,
    /// Which of the tree's lists says where all other answers lead, counted from 1.
    others: Option<NonZeroU32>,
}

/// All runs of one rule that have been seen, merged: inner nodes are steps, edges are answers.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Where answers lead from some nodes.
    others: Vec<Others>,
    /// The steps of all nodes, each once: a rule does the same in many places.
    steps: FxHashSet<Arc<Step>>,
    runs: u64,
    /// To which generation the tests belong that the tree speaks of.
    generation: u32,
    /// The number of slots that are filled when a run begins.
    held: usize,
    /// Whether it grows with an original that all threads share; else it is for one run.
    kept: bool,
    /// The memory that nodes and steps took when they were added, near enough.
    grown: usize,
}

impl Tree {
    /// An empty tree for a run of a hook's rule whose tests are of this generation.
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

    /// The generation that the tests belong to which the tree speaks of.
    pub(crate) fn generation(&self) -> u32 {
        self.generation
    }

    /// The number of slots that are filled when a run begins; known once the tree has grown.
    pub(crate) fn held(&self) -> usize {
        self.held
    }

    /// Says how many slots are filled when a run begins.
    pub(crate) fn hold(&mut self, slots: usize) {
        self.held = slots;
    }

    /// A number for a place in the rule: two places share it only (but for chance) if the rule has got the
    /// same answers there, in whatever tree.
    pub(crate) fn mark(&self, node: NodeId) -> u64 {
        self.nodes[node.0 as usize].mark
    }

    /// The node added last.
    pub(crate) fn last(&self) -> NodeId {
        NodeId(self.nodes.len().saturating_sub(1) as u32)
    }

    /// Whether the tree has grown as far as these answers lead.
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

    /// Takes over what `original`, of which this is an earlier state, has grown since.
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

    /// The memory that the tree takes, near enough: dice and plans that several steps share are counted
    /// each time.
    pub(crate) fn bytes(&self) -> usize {
        let lists = self.others.capacity() * size_of::<Others>() + self.others.iter().map(Others::bytes).sum::<usize>();
        let steps = self.steps.capacity() * OF_ENTRY + self.steps.iter().map(|step| size::of_kept(step)).sum::<usize>();
        self.nodes.capacity() * size_of::<Node>() + lists + steps
    }

    /// The memory that the tree takes without what was added to nodes and steps later, and without a look at all of them
    /// as [`Tree::bytes`] takes.
    pub(crate) fn grown_bytes(&self) -> usize {
        self.grown + (self.nodes.capacity() - self.nodes.len()) * size_of::<Node>()
    }

    /// Whether the tree has grown as far as it may: to so many nodes, or to [`TREE_BYTES`].
    pub(crate) fn is_full(&self, cap: usize) -> bool {
        self.nodes.len() >= cap || self.grown >= TREE_BYTES
    }

    /// The number of ways on from a node that have been met.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn ways(&self, node: NodeId) -> usize {
        self.known(node).count()
    }

    /// The nodes that the known ways on from a node lead to.
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

    /// Where an answer leads from a node; 0 from a step that does not branch.
    pub(crate) fn next(&self, node: NodeId, answer: Answer) -> NodeId {
        let here = &self.nodes[node.0 as usize];
        debug_assert!(answer == 0 || here.step.branches(), "a step that does not branch has no answer but 0");
        match (answer, here.others) {
            (0 | 1, _) => here.ways[answer as usize],
            (_, Some(others)) => self.others[others.get() as usize - 1].get(answer),
            (_, None) => NodeId::NONE,
        }
    }

    /// Says where an answer leads.
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

    /// The known ways on from a node: answers, and where they lead.
    fn known(&self, node: NodeId) -> impl Iterator<Item = (Answer, NodeId)> + '_ {
        let here = &self.nodes[node.0 as usize];
        let ways = (0..).zip(here.ways).filter(|(_, node)| *node != NodeId::NONE);
        let others = here.others.map(|others| &self.others[others.get() as usize - 1]);
        ways.chain(others.into_iter().flat_map(Others::known))
    }

    /// The answer that leads from a node to one behind it.
    fn answer(&self, from: NodeId, to: NodeId) -> Answer {
        self.known(from).find(|(_, node)| *node == to).map_or(0, |(answer, _)| answer)
    }

    /// Goes on from `node` as long as there are [common questions](common) whose answers have been met: the rule's
    /// result, if it ends there.
    pub(crate) fn follow(&self, node: &mut NodeId, view: &View<'_>) -> Option<Answer> {
        let mut here = &self.nodes[node.0 as usize];
        // Counts as one step of a rule, however many questions follow.
        view.rules.meter().add(LIST);
        // Most walks come to questions that are not common, and need not be made ready for those that are.
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

    /// The answers on the way from the root to `node`, `node`'s own not included.
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
    /// If the run differs from an earlier one with the same answers: the rule is not a function of
    /// its answers.
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

    /// Keeps a step that no node has yet.
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
