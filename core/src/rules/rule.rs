//! The protocol between a rule and the engine: ask, find, roll, choose, act; and the rule tree.
//!
//! A rule is a function of the answers it gets: run twice with the same answers it takes the same
//! steps. All its runs together form a [`Tree`], which is grown by running the rule and then walked
//! without it. Whoever supplies rules implements [`RuleSource`]; the engine never sees how.

mod code;
mod size;

use crate::dice::{Dice, mix};
use crate::rules::amount::Amount;
use crate::rules::effect::Effect;
use crate::rules::meter::{Meter, Task};
use crate::rules::permit::Permit;
use crate::rules::plan::Plan;
use crate::rules::query::{Answer, Find, Query};
use crate::rules::value::{SetExpr, SideRef, Slot, View};
use std::rc::Rc;
use thiserror::Error;

/// The number of a rule. The first few are the hooks of [`Hook`]; the source numbers others (tests
/// of moves and squares) as it meets them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuleId(pub u32);

/// The rules that the engine calls by itself. All may be missing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u16)]
pub enum Hook {
    /// A turn, from its roll to its last move. Default: one free move.
    Turn = 0,
    /// How a capture is resolved: slot 0 holds the move. Default: the capture succeeds.
    Capture = 1,
    /// Who has won; run between turns and whenever a turn goes on after a move. Default: nobody.
    Outcome = 2,
    /// What comes before the first turn, in games that begin from the array. Default: nothing.
    Prepare = 3,
}

impl Hook {
    /// All hooks, in the order of their numbers.
    pub const ALL: [Hook; 4] = [Hook::Turn, Hook::Capture, Hook::Outcome, Hook::Prepare];

    /// The hook's rule number.
    pub fn id(self) -> RuleId {
        RuleId(self as u32)
    }
}

/// A choice that a player makes.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// One move that the permit admits; with `pass`, or none. The outcome is 1 for a move (held in the
    /// next slot) and 0 for none, also if none can be made.
    Play {
        /// Who decides.
        by: SideRef,
        /// What may be played.
        permit: Permit,
        /// Whether the player may decline.
        pass: bool,
    },
    /// Several moves, each paid with dice. The outcome is the number of moves made; the last is held.
    PlayEach(Rc<Plan>),
    /// One of several texts or squares. The outcome is the text's index, or the number of texts if a
    /// square was chosen, which is held in the next slot.
    Choose {
        /// Who chooses.
        by: SideRef,
        /// The texts.
        labels: Vec<String>,
        /// The squares.
        squares: Option<SetExpr>,
    },
    /// A number from a least to a most. The outcome is 0; the number is held in the next slot (none, if
    /// there is nothing to choose from).
    Number {
        /// Who chooses.
        by: SideRef,
        /// The least.
        least: Amount,
        /// The most.
        most: Amount,
    },
    /// One of several texts, or one of the faces that a counter with places holds. The outcome is the
    /// face, -1 for the first text, -2 for the second and so on, 0 if there is nothing to choose from; the
    /// face is held in the next slot.
    Held {
        /// Who chooses.
        by: SideRef,
        /// The counter.
        counter: u8,
        /// Whose.
        side: SideRef,
        /// The texts.
        labels: Vec<String>,
    },
    /// Which of the dice in a slot to keep. The outcome is 1 if some are to be rolled again, else 0; the
    /// numbers of those kept are held in the next slot.
    Keep {
        /// Who chooses.
        by: SideRef,
        /// The dice.
        faces: Slot,
    },
    /// The same, but only the chooser knows the answer.
    Secret(Box<Decision>),
}

impl Decision {
    /// The decision without the veil of secrecy.
    pub fn bare(&self) -> &Decision {
        match self {
            Decision::Secret(decision) => decision.bare(),
            open => open,
        }
    }

    /// Who decides; `None` in a turn of several moves, which is the business of whoever is to move.
    pub fn by(&self) -> Option<SideRef> {
        match self.bare() {
            Decision::Play { by, .. }
            | Decision::Choose { by, .. }
            | Decision::Number { by, .. }
            | Decision::Held { by, .. }
            | Decision::Keep { by, .. } => Some(*by),
            Decision::PlayEach(_) | Decision::Secret(_) => None,
        }
    }
}

/// A chance point: what may come up.
#[derive(Clone, PartialEq, Debug)]
pub enum Chance {
    /// Dice; the outcome is [`Dice::index_of`] the faces.
    Roll(Rc<Dice>),
    /// Dice of which only those outcomes can come up whose permit (one for each outcome) admits a move
    /// now; their chances are those of rolling again until one does. -1 if there is none.
    Playable(Rc<Dice>, Rc<Vec<Permit>>),
    /// Dice of which only some outcomes count (true); the others are rolled again.
    Only(Rc<Dice>, Rc<Vec<bool>>),
    /// Dice whose faces are held in the next slot, to be reckoned with; the outcome is 0.
    Held(Rc<Dice>),
    /// One die for each piece on some squares, the dice by kind of piece: set after set, the squares of
    /// a set in order, each square once. The faces are held in the next slot; the outcome is 0.
    Each {
        /// The squares.
        sets: Vec<SetExpr>,
        /// The die of each kind, by index.
        dice: Rc<Vec<Option<crate::dice::Die>>>,
    },
    /// Those of the dice in a slot that are not among the kept (by number, in another slot) are rolled
    /// again; all faces are held in the next slot, the outcome is 0.
    Again {
        /// What the dice are.
        dice: Rc<Dice>,
        /// Their faces so far.
        faces: Slot,
        /// The numbers of those kept.
        kept: Slot,
    },
    /// One of the faces that a counter with places holds, each as likely as there are of it. It is held in
    /// the next slot; the outcome is 0, or -1 if there is none.
    Draw(u8, SideRef),
    /// One of some squares, all equally likely. It is held in the next slot; the outcome is 0, or -1 if
    /// there is none.
    Pick(SetExpr),
    /// The same, but only one side sees what comes up.
    Secret(Box<Chance>, SideRef),
}

impl Chance {
    /// The dice of a plain roll, secret or not: the same whatever the position.
    pub(crate) fn plain(&self) -> Option<&Rc<Dice>> {
        match self {
            Chance::Roll(dice) => Some(dice),
            Chance::Secret(chance, _) => chance.plain(),
            _ => None,
        }
    }

    /// Whether the faces are held in the next slot.
    pub fn holds(&self) -> bool {
        match self {
            Chance::Secret(chance, _) => chance.holds(),
            Chance::Held(_) | Chance::Each { .. } | Chance::Again { .. } | Chance::Draw(..) | Chance::Pick(_) => true,
            Chance::Roll(_) | Chance::Playable(..) | Chance::Only(..) => false,
        }
    }
}

/// Refuses dice whose outcomes cannot be numbered and weighed.
pub(crate) fn countable(dice: &Dice) -> Result<(), RuleError> {
    if dice.is_countable() {
        return Ok(());
    }
    let count = dice.dice.len();
    Err(RuleError::new(format!("{count} dice rolled at once have more outcomes than can be counted")))
}

/// One step of a rule's run.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Asks; goes on according to the answer.
    Ask(Query),
    /// Finds something and holds it in the next slot.
    Find(Find),
    /// Comes to a chance point; goes on according to the outcome.
    Roll(Chance),
    /// Comes to a decision; goes on according to the outcome.
    Decide(Decision),
    /// Changes the game.
    Act(Effect),
    /// Ends with a result: 0 and 1 are no and yes for a test, other rules' results mean nothing.
    Return(Answer),
}

impl Step {
    /// Whether the run branches here: whether it needs an answer to go on.
    pub fn branches(&self) -> bool {
        matches!(self, Step::Ask(_) | Step::Roll(_) | Step::Decide(_))
    }
}

/// What went wrong in a rule. It is one word wide, since results with it travel through every step of every rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{}", .0.rule.as_ref().map(|r| format!("in rule `{r}`: ")).unwrap_or_default(), .0.message)]
pub struct RuleError(Box<Failure>);

/// What is known of a [`RuleError`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Failure {
    /// The rule's name, if known.
    pub rule: Option<String>,
    /// What went wrong.
    pub message: String,
    /// The line and column (from 1) in the rule's text, if known.
    pub place: Option<(usize, usize)>,
    /// The file, if it is not the variant's own.
    pub file: Option<String>,
    /// What sort of error it is.
    pub cause: Cause,
}

/// The sorts of errors of rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cause {
    /// The rule is wrong, or over a limit of its own.
    #[default]
    Rule,
    /// It makes the engine do more than it may for one event, most lately this.
    Work(Task),
    /// Whoever waits for it has no more time, or wants it no more: the rule itself may be right.
    Stopped,
}

impl RuleError {
    /// An error without a place.
    pub fn new(message: impl Into<String>) -> RuleError {
        Failure { message: message.into(), ..Failure::default() }.into()
    }

    /// The error of work that somebody has stopped.
    pub fn stopped() -> RuleError {
        Failure { message: "stopped before it was done".into(), cause: Cause::Stopped, ..Failure::default() }.into()
    }

    /// Whether somebody has stopped what was done: the rule itself may be right.
    pub fn is_stop(&self) -> bool {
        self.cause == Cause::Stopped
    }
}

impl From<Failure> for RuleError {
    #[cold]
    fn from(failure: Failure) -> RuleError {
        RuleError(Box::new(failure))
    }
}

impl std::ops::Deref for RuleError {
    type Target = Failure;

    fn deref(&self) -> &Failure {
        &self.0
    }
}

impl std::ops::DerefMut for RuleError {
    fn deref_mut(&mut self) -> &mut Failure {
        &mut self.0
    }
}

/// Supplies the rules of a variant.
pub trait RuleSource {
    /// Whether there is a rule for this hook.
    fn has(&self, hook: Hook) -> bool;

    /// A rule's name, for messages.
    fn name(&self, rule: RuleId) -> String;

    /// The number of slots that are filled when the rule starts: 0 for `turn` and `outcome`, 1 for
    /// `capture` (the move). A test of moves or squares sees what the rule around it held where it
    /// was met, then the move or square in question.
    fn held(&self, rule: RuleId) -> usize;

    /// A new event of a game begins: whatever limits the runs for one event together starts anew.
    fn rest(&self) {}

    /// Whether so many tests of a generation are kept that the next had better begin.
    fn is_full(&self, _generation: u32) -> bool {
        false
    }

    /// From now on the tests that hooks meet are of this generation, and so are the tests that those meet.
    fn meet_in(&self, _generation: u32) {}

    /// Drops all tests of a generation: nothing refers to them. Returns their numbers, which others may be given.
    fn forget(&self, _generation: u32) -> Vec<RuleId> {
        Vec::new()
    }

    /// Hands over the meter of the rules, which says whether to stop.
    fn attach(&self, _meter: &Rc<Meter>) {}

    /// Runs a rule from its start; `answers` are for its branching steps, in order. Returns its steps
    /// up to and including the first branching step beyond the answers, or its [`Step::Return`].
    ///
    /// # Errors
    /// Whatever the rule does wrong.
    fn run(&self, rule: RuleId, answers: &[Answer]) -> Result<Vec<Step>, RuleError>;

    /// Where in its text a rule asks for the answer after `answers`, if that is known.
    fn place(&self, _rule: RuleId, _answers: &[Answer]) -> Option<Place> {
        None
    }

    /// Where a rule stands, in its text and with all that it has in hand, when it asks for the answer after
    /// `answers`, if that is known: two runs that stand alike, and what of the values held by then is spoken of,
    /// go on alike.
    fn standing(&self, _rule: RuleId, _answers: &[Answer]) -> Option<Standing> {
        None
    }

    /// Where a test of moves or squares is written, if that is known.
    fn test_place(&self, _rule: RuleId) -> Option<Place> {
        None
    }
}

/// Where a rule stands in its text, and with what in hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    /// The same text means that it stands there again.
    pub text: String,
    /// Whether one run may come back to it.
    pub again: bool,
}

/// A place in a rule's text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file, if it is not the variant's own.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// The number of a node; [`NodeId::NONE`] where the tree has not grown yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Not grown yet.
    pub const NONE: NodeId = NodeId(u32::MAX);
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
    #[inline]
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
}

/// All runs of one rule that have been seen, merged: inner nodes are steps, edges are answers.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The nodes in short, in trees of rules that only look.
    lines: Option<Vec<code::Line>>,
    runs: u64,
    roots: Option<Roots>,
}

/// To which generation of trees one belongs.
#[derive(Clone, Debug)]
struct Roots {
    generation: u32,
    /// Whether the numbers of its nodes are those by which the rule's places have always been known.
    numbered: bool,
    /// As long as anybody has it, the tests of the generation are kept.
    _lease: Rc<()>,
}

impl Tree {
    /// An empty tree for a rule that only looks: it can be [hurried](Tree::hurry) through.
    pub(crate) fn of_looking() -> Tree {
        Tree { lines: Some(Vec::new()), ..Tree::default() }
    }

    /// The same tree, of a generation of which it holds the lease. That of a hook which is kept from the first on is
    /// `numbered`.
    pub(crate) fn of_generation(self, generation: u32, lease: &Rc<()>, numbered: bool) -> Tree {
        Tree { roots: Some(Roots { generation, numbered, _lease: Rc::clone(lease) }), ..self }
    }

    /// The generation that the tests belong to which the tree speaks of.
    pub(crate) fn generation(&self) -> u32 {
        self.roots.as_ref().map_or(0, |roots| roots.generation)
    }

    /// A number for a place in the rule: nodes of two trees share it only (but for chance) if the rule has got the
    /// same answers there.
    pub(crate) fn mark(&self, node: NodeId) -> u64 {
        if self.roots.as_ref().is_some_and(|roots| roots.numbered) {
            return node.0.into();
        }
        let mut way = Vec::new();
        let mut here = node;
        while here != NodeId::ROOT {
            let at = &self.nodes[here.0 as usize];
            way.push(at.answer as u64);
            here = at.parent;
        }
        way.into_iter().rev().fold(1, |key, answer| mix(mix(key) ^ answer)) | 1 << 63
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
    pub fn bytes(&self) -> usize {
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
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The step at a node.
    ///
    /// # Panics
    /// If the node is [`NodeId::NONE`].
    #[inline]
    pub fn step(&self, node: NodeId) -> &Step {
        &self.nodes[node.0 as usize].step
    }

    /// Where an answer leads from a node (any answer, for a step that does not branch).
    #[inline]
    pub fn next(&self, node: NodeId, answer: Answer) -> NodeId {
        self.nodes[node.0 as usize].edges.get(answer)
    }

    /// Goes on from `node` as long as there are common questions whose answers have been met: the rule's
    /// result, if it ends there.
    #[inline]
    pub(crate) fn hurry(&self, node: &mut NodeId, view: &View<'_>) -> Option<Answer> {
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
    pub fn graft(&mut self, steps: Vec<Step>, answers: &[Answer]) -> Result<(), RuleError> {
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
        self.nodes.push(Node { step, edges, parent, answer });
        if parent != NodeId::NONE {
            self.nodes[parent.0 as usize].edges.set(answer, id);
        }
        id
    }
}
