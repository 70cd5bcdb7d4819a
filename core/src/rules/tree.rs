//! The tree of a rule: all its runs that have been seen, merged.
//!
//! Grows by [runs that are inserted](Tree::insert_run); nodes are only ever added, and keep their numbers. Knows nothing of where
//! runs come from.

mod code;
mod size;

use crate::dice::mix;
use crate::rules::query::Answer;
use crate::rules::rule::{Hook, RuleError, Step, countable};
use crate::rules::value::View;

/// The number of a node; [`NodeId::NONE`] where the tree has not grown yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Not grown yet.
    pub(crate) const NONE: NodeId = NodeId(u32::MAX);
    /// The root of every tree that has grown.
    pub const ROOT: NodeId = NodeId(0);
}

/// Where a node's edges lead, by answer.
#[derive(Clone, Debug)]
enum Edges {
    /// One way on.
    One(NodeId),
    /// Answers from 0 up, densely.
    Dense(Vec<NodeId>),
    /// Other answers, in the order in which they were met.
    Sparse(Vec<(Answer, NodeId)>),
}

/// Answers below this are looked up directly.
const DENSE: Answer = 512;

impl Edges {
    fn get(&self, answer: Answer) -> NodeId {
        match self {
            Edges::One(next) => *next,
            Edges::Dense(list) => list.get(answer as usize).copied().unwrap_or(NodeId::NONE),
            Edges::Sparse(list) => list.iter().find(|(a, _)| *a == answer).map_or(NodeId::NONE, |&(_, n)| n),
        }
    }

    fn len(&self) -> usize {
        match self {
            Edges::One(_) => 1,
            Edges::Dense(list) => list.iter().filter(|next| **next != NodeId::NONE).count(),
            Edges::Sparse(list) => list.len(),
        }
    }

    /// The memory beside the edges' own.
    fn bytes(&self) -> usize {
        match self {
            Edges::One(_) => 0,
            Edges::Dense(list) => list.capacity() * size_of::<NodeId>(),
            Edges::Sparse(list) => list.capacity() * size_of::<(Answer, NodeId)>(),
        }
    }

    fn set(&mut self, answer: Answer, node: NodeId) {
        match self {
            Edges::One(next) => *next = node,
            Edges::Dense(list) if (0..DENSE).contains(&answer) => {
                if list.len() <= answer as usize {
                    list.resize(answer as usize + 1, NodeId::NONE);
                }
                list[answer as usize] = node;
            }
            Edges::Dense(list) => {
                let known = list.iter().enumerate().filter(|(_, n)| **n != NodeId::NONE);
                let mut sparse: Vec<_> = known.map(|(a, &n)| (a as Answer, n)).collect();
                sparse.push((answer, node));
                *self = Edges::Sparse(sparse);
            }
            Edges::Sparse(list) => list.push((answer, node)),
        }
    }
}

#[derive(Clone, Debug)]
struct Node {
    step: Step,
    edges: Edges,
    parent: NodeId,
    answer: Answer,
    /// Made of the answers on the way here.
    mark: u64,
}

/// All runs of one rule that have been seen, merged: inner nodes are steps, edges are answers.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The nodes in short, in trees of rules that only look.
    lines: Option<Vec<code::Line>>,
    runs: u64,
    /// To which generation the tests belong that the tree speaks of.
    generation: u32,
    /// The number of slots that are filled when a run begins.
    held: usize,
    /// Whether it grows with an original that all threads share; else it is for one run.
    kept: bool,
}

impl Tree {
    /// An empty tree for a run of a hook's rule whose tests are of this generation.
    pub(crate) fn of_hook(hook: Hook, generation: u32) -> Tree {
        let lines = (hook == Hook::Outcome).then(Vec::new);
        Tree { lines, generation, held: hook.held(), ..Tree::default() }
    }

    /// An empty tree for a rule that only looks: it has [short cuts](Tree::shortcut).
    pub(crate) fn of_looking() -> Tree {
        Tree { lines: Some(Vec::new()), ..Tree::default() }
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
        for node in &original.nodes[self.nodes.len()..] {
            self.push(node.step.apart(), node.parent, node.answer);
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

    /// The memory that the tree takes, near enough: dice and plans that several nodes share are counted
    /// each time.
    pub(crate) fn bytes(&self) -> usize {
        let beside = |node: &Node| node.edges.bytes() + size::of_step(&node.step);
        let lines = self.lines.as_ref().map_or(0, |lines| lines.capacity() * size_of::<code::Line>());
        self.nodes.capacity() * size_of::<Node>() + lines + self.nodes.iter().map(beside).sum::<usize>()
    }

    /// The number of ways on from a node that have been met.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn ways(&self, node: NodeId) -> usize {
        self.nodes[node.0 as usize].edges.len()
    }

    /// The nodes that the known ways on from a node lead to.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn ways_on(&self, node: NodeId) -> Vec<NodeId> {
        let known = |nodes: &[NodeId]| nodes.iter().copied().filter(|next| *next != NodeId::NONE).collect();
        match &self.nodes[node.0 as usize].edges {
            Edges::One(next) => known(&[*next]),
            Edges::Dense(list) => known(list),
            Edges::Sparse(list) => list.iter().map(|&(_, next)| next).collect(),
        }
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

    /// Where an answer leads from a node (any answer, for a step that does not branch).
    pub(crate) fn next(&self, node: NodeId, answer: Answer) -> NodeId {
        self.nodes[node.0 as usize].edges.get(answer)
    }

    /// Goes on from `node` as long as there are common questions whose answers have been met: the rule's
    /// result, if it ends there.
    pub(crate) fn shortcut(&self, node: &mut NodeId, view: &View<'_>) -> Option<Answer> {
        self.lines.as_ref().and_then(|lines| code::follow(lines, node, view))
    }

    /// The answers on the way from the root to `node`, `node`'s own not included.
    pub fn path(&self, mut node: NodeId) -> Vec<Answer> {
        let mut answers = Vec::new();
        while node != NodeId::ROOT {
            let here = &self.nodes[node.0 as usize];
            if self.step(here.parent).branches() {
                answers.push(here.answer);
            }
            node = here.parent;
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

    fn push(&mut self, step: Step, parent: NodeId, answer: Answer) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let edges = if step.branches() { Edges::Dense(Vec::new()) } else { Edges::One(NodeId::NONE) };
        if let Some(lines) = &mut self.lines {
            lines.push(code::Line::of(&step));
            if parent != NodeId::NONE {
                lines[parent.0 as usize].set(answer, id);
            }
        }
        let mark = match parent {
            NodeId::NONE => 1 << 63 | 1,
            parent => mix(mix(self.mark(parent)) ^ answer as u64) | 1 << 63,
        };
        self.nodes.push(Node { step, edges, parent, answer, mark });
        if parent != NodeId::NONE {
            self.nodes[parent.0 as usize].edges.set(answer, id);
        }
        id
    }
}
