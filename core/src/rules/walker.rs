//! Walks rule trees on one thread, both for rules that only look and for running games.
//!
//! Owns the thread's copies of the trees, the meter of the engine's work for rules on this thread, and reusable buffers. A
//! copy differs from its original only by being shorter, so nodes have the same numbers on all threads. The lock of the
//! original is taken only where a copy ends.

mod looking;
mod movement;
mod tester;

pub(crate) use tester::Subject;

use crate::board::side::{MAX_SIDES, Side};
use crate::board::square::Square;
use crate::position::Position;
use crate::position::moves::Move;
use crate::rules::error::{Cause, RuleError};
use crate::rules::hook::{Hook, RuleId};
use crate::rules::meter::Meter;
use crate::rules::original::{Original, Run, Shared};
use crate::rules::query::Answer;
use crate::rules::rule::Used;
use crate::rules::tree::{NodeId, Tree};
use crate::rules::value::{Value, View};
use crate::rules::{Mode, Moment, Rules, Settings};
use std::cell::{Cell, Ref, RefCell};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};

thread_local! {
    /// The walkers of this thread, the last used first.
    static WALKERS: RefCell<Vec<Rc<Walker>>> = const { RefCell::new(Vec::new()) };
}

/// The walker of `rules` on this thread.
pub(super) fn of(rules: &Rules) -> Rc<Walker> {
    WALKERS
        .with(|walkers| match walkers.borrow().first() {
            Some(walker) if walker.number == rules.number => Some(Rc::clone(walker)),
            _ => None,
        })
        .unwrap_or_else(|| find(rules))
}

#[cold]
#[inline(never)]
fn find(rules: &Rules) -> Rc<Walker> {
    WALKERS.with_borrow_mut(|walkers| {
        match walkers.iter().position(|walker| walker.number == rules.number) {
            Some(index) => walkers.swap(0, index),
            None => {
                // Rules may have been dropped on another thread.
                walkers.retain(|walker| walker.shared.strong_count() > 0);
                let meter = Rc::new(Meter::new(Arc::clone(&rules.shared.allowed)));
                walkers.insert(0, Rc::new(Walker::new(rules, meter)));
            }
        }
        Rc::clone(&walkers[0])
    })
}

/// The walker last used on this thread, if it has that serial number and is not outdated.
pub(super) fn last(serial: u64) -> Option<Rc<Walker>> {
    WALKERS.with(|walkers| match walkers.borrow().first() {
        Some(walker) if walker.serial == serial && !walker.is_dated() => Some(Rc::clone(walker)),
        _ => None,
    })
}

/// The walker of `rules` on this thread for a new event of a game. It differs from `before` if a new generation of trees
/// has begun, or begins now.
#[cold]
#[inline(never)]
pub(super) fn anew(rules: &Rules, before: &Walker) -> Rc<Walker> {
    let generation = {
        let mut original = rules.shared.original();
        if before.ran.replace(false) {
            original.begin_generation_if_full(!before.is_watched());
        }
        original.sweep();
        original.lease().0
    };
    if generation == before.lease.number {
        return of(rules);
    }
    let walker = Walker::new(rules, Rc::clone(&before.meter));
    before.tests.swap(&walker.tests);
    walker.dropped.set(before.dropped.get());
    let walker = Rc::new(walker);
    WALKERS.with_borrow_mut(|walkers| walkers[0] = Rc::clone(&walker));
    walker
}

/// Drops this thread's walker of the rules with this number.
pub(super) fn dismiss(number: u64) {
    // When a thread ends, its walkers may be dropped before its other data.
    let _ = WALKERS.try_with(|walkers| {
        let mut walkers = walkers.try_borrow_mut().ok()?;
        let index = walkers.iter().position(|walker| walker.number == number)?;
        Some(walkers.remove(index))
    });
}

/// The tree of a test on this thread.
type LocalTree = Rc<RefCell<Tree>>;

/// Keeps the tests of a generation.
pub(crate) struct Lease {
    number: u32,
    /// The token whose owners the original counts.
    _home: Arc<()>,
}

/// The tree that a running rule walks. Any thread may continue with it.
pub(crate) struct TreeRef {
    /// The lease of the tree's generation.
    lease: Arc<Lease>,
    /// The tree, if it belongs to this run alone.
    own: Option<Arc<Tree>>,
}

impl Clone for TreeRef {
    fn clone(&self) -> TreeRef {
        TreeRef { lease: Arc::clone(&self.lease), own: self.own.clone() }
    }

    fn clone_from(&mut self, source: &TreeRef) {
        if !Arc::ptr_eq(&self.lease, &source.lease) {
            self.lease = Arc::clone(&source.lease);
        }
        self.own.clone_from(&source.own);
    }
}

impl TreeRef {
    /// Whether the walkers keep the tree, and it grows with an original.
    pub(crate) fn is_kept(&self) -> bool {
        self.own.is_none()
    }

    /// The tree, if it belongs to one run alone.
    pub(crate) fn own(&self) -> Option<Arc<Tree>> {
        self.own.clone()
    }

    /// Continues with a tree for this run alone.
    pub(crate) fn part(&mut self, tree: Tree) {
        self.own = Some(Arc::new(tree));
    }
}

/// A borrowed tree of a running rule.
pub(crate) enum Grown<'a> {
    Kept(Ref<'a, Tree>),
    Own(Arc<Tree>),
}

impl Deref for Grown<'_> {
    type Target = Tree;

    fn deref(&self) -> &Tree {
        match self {
            Grown::Kept(tree) => tree,
            Grown::Own(tree) => tree,
        }
    }
}

/// The tree of a rule that only looks.
enum Walked<'a> {
    Hook(&'a RefCell<Tree>),
    Test(LocalTree),
}

impl Deref for Walked<'_> {
    type Target = RefCell<Tree>;

    fn deref(&self) -> &RefCell<Tree> {
        match self {
            Walked::Hook(tree) => tree,
            Walked::Test(tree) => tree,
        }
    }
}

/// An empty copy of the tree of a test.
fn looking() -> LocalTree {
    Rc::new(RefCell::new(Tree::default().kept()))
}

/// Walks the trees of one variant's rules on one thread, as long as they belong to one generation. See the [module](self).
pub struct Walker {
    /// The number of the rules.
    number: u64,
    /// Unique among all walkers on all threads.
    serial: u64,
    settings: Settings,
    shared: Weak<Shared>,
    /// Keeps the tests of the generation.
    lease: Arc<Lease>,
    /// The number of that generation, for quick access at every event.
    born: u32,
    /// The number of the original's current generation.
    generation: Arc<AtomicU32>,
    /// The trees of hooks.
    hooks: [RefCell<Tree>; Hook::ALL.len()],
    /// The trees of all other rules.
    tests: RefCell<Vec<LocalTree>>,
    /// How often tests had been dropped at this thread's last check.
    dropped: Cell<u64>,
    /// Whether a rule may have run and found new tests since the last check.
    ran: Cell<bool>,
    /// The resources used by runs of the source for the current event.
    used: Cell<Used>,
    /// Whether these are zero.
    rested: Cell<bool>,
    meter: Rc<Meter>,
    /// Empty lists for the values of rules that only look, kept to reuse their memory.
    spare: RefCell<Vec<Vec<Value>>>,
    /// Whether the moves or attacks of the pieces are being computed.
    attacking: Cell<bool>,
    /// A spare position for trying things out.
    spare_position: Cell<Option<Box<Position>>>,
    /// For each side two moves that it had at the last checks, the later one first.
    witnesses: [[Cell<Move>; 2]; MAX_SIDES],
}

impl Walker {
    /// A walker in the current generation.
    fn new(rules: &Rules, meter: Rc<Meter>) -> Walker {
        let original = rules.shared.original();
        let (number, home) = original.lease();
        Walker {
            number: rules.number,
            serial: super::fresh(),
            settings: rules.settings.clone(),
            shared: Arc::downgrade(&rules.shared),
            lease: Arc::new(Lease { number, _home: home }),
            born: number,
            generation: Arc::clone(&rules.shared.generation),
            hooks: Hook::ALL.map(|hook| RefCell::new(Tree::of_hook(hook, number).kept())),
            tests: RefCell::default(),
            dropped: Cell::new(original.dropped()),
            ran: Cell::new(false),
            used: Cell::default(),
            rested: Cell::new(true),
            meter,
            spare: RefCell::default(),
            attacking: Cell::default(),
            spare_position: Cell::default(),
            witnesses: [const { [const { Cell::new(Move::plain(Square(0), Square(0))) }; 2] }; MAX_SIDES],
        }
    }

    /// Two moves that a side had in earlier checked positions, the later one first.
    pub(crate) fn witnesses(&self, side: Side) -> &[Cell<Move>; 2] {
        &self.witnesses[side.index()]
    }

    /// Whether a watcher observes the rules.
    pub(crate) fn is_watched(&self) -> bool {
        self.settings.watch.is_some()
    }

    pub(crate) fn tell(&self, rule: RuleId, moment: Moment) {
        if let Some(watch) = &self.settings.watch {
            watch(rule, moment);
        }
    }

    /// Passes what a rule can see to the viewer, if there is one. The rule's source is about to run.
    #[inline]
    pub(crate) fn show(&self, view: &View<'_>) {
        if let Some(viewer) = &self.settings.viewer {
            viewer(view);
        }
    }

    /// The same for a rule that only looks at a view and holds these values. Cold, to stay out of the loops of rules.
    #[cold]
    pub(crate) fn show_held(&self, view: &View<'_>, env: &[Value]) {
        self.show(&View { env, ..*view });
    }

    /// The number of slots that are filled when a rule that only looks begins, if there is a viewer.
    fn held_for_viewer(&self, rule: RuleId) -> Option<usize> {
        self.settings.viewer.as_ref()?;
        Some(self.shared.upgrade()?.original().source().held(rule))
    }

    /// Whether there is a rule for a hook.
    pub(crate) fn has(&self, hook: Hook) -> bool {
        self.settings.has[hook.id().0 as usize]
    }

    /// The position that games begin with, if known.
    pub(crate) fn start(&self) -> Option<&Position> {
        self.settings.start.as_deref()
    }

    /// Counts the engine's work for the rules.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Starts a new event of a game.
    pub(crate) fn rest(&self) {
        if !self.rested.replace(true) {
            self.used.set(Used::default());
        }
        self.meter.rest();
    }

    /// Whether another walker may have to replace it before the next event: trees are dropped if they refer to too many
    /// tests.
    pub(crate) fn is_dated(&self) -> bool {
        self.ran.get() || self.generation.load(Ordering::Relaxed) != self.born
    }

    /// Checks whether test numbers have been reassigned, before a game goes on that refers to tests which this thread may
    /// not know.
    #[cold]
    #[inline(never)]
    pub(crate) fn refresh(&self) {
        if let Some(shared) = self.shared.upgrade() {
            self.forget(&shared.original());
        }
    }

    /// Removes the tests whose numbers have been reassigned.
    fn forget(&self, original: &Original) {
        let since = self.dropped.replace(original.dropped());
        if since == original.dropped() {
            return;
        }
        let mut tests = self.tests.borrow_mut();
        for index in original.given_anew(since) {
            if let Some(tree) = tests.get_mut(index) {
                *tree = looking();
            }
        }
    }

    /// The tree for a new run of a hook's rule.
    pub(crate) fn tree(&self, hook: Hook) -> TreeRef {
        self.tell(hook.id(), Moment::Begins);
        let lease = Arc::clone(&self.lease);
        let kept = self.settings.mode == Mode::Trees && !self.hooks[hook as usize].borrow().is_full(self.settings.cap);
        let own = (!kept).then(|| Arc::new(Tree::of_hook(hook, lease.number)));
        TreeRef { lease, own }
    }

    /// Turns `tree`, which the last run of a hook's rule has walked, into what [`Walker::tree`] would return for a new run;
    /// returns whether it has grown.
    pub(crate) fn reuse_tree(&self, hook: Hook, tree: &mut TreeRef) -> bool {
        let is_present = tree.own.is_none() && Arc::ptr_eq(&self.lease, &tree.lease) && {
            let tree = self.hooks[hook as usize].borrow();
            !tree.is_empty() && !tree.is_full(self.settings.cap)
        };
        if is_present {
            self.tell(hook.id(), Moment::Begins);
            return true;
        }
        *tree = self.tree(hook);
        tree.own.is_none() && !self.hooks[hook as usize].borrow().is_empty()
    }

    /// A number that is unique among all walkers on all threads.
    pub(crate) fn serial(&self) -> u64 {
        self.serial
    }

    /// Whether this thread has the tree of a running rule, at least as far as `node`.
    pub(crate) fn has_tree(&self, rule: RuleId, tree: &TreeRef, node: NodeId) -> bool {
        tree.own.is_some()
            || tree.lease.number == self.born && (node.0 as usize) < self.hooks[rule.0 as usize].borrow().len()
    }

    /// The tree of a hook's rule that grows with an original.
    pub(crate) fn kept(&self, rule: RuleId) -> Ref<'_, Tree> {
        self.hooks[rule.0 as usize].borrow()
    }

    /// The tree of a running rule, if this thread [has](Walker::has_tree) it.
    pub(crate) fn grown(&self, rule: RuleId, tree: &TreeRef) -> Grown<'_> {
        match &tree.own {
            None => Grown::Kept(self.kept(rule)),
            Some(own) => Grown::Own(Arc::clone(own)),
        }
    }

    /// The tree of a running rule, whether or not this thread has it.
    pub(crate) fn looked_at(&self, rule: RuleId, tree: &TreeRef, node: NodeId) -> Grown<'_> {
        if self.has_tree(rule, tree, node) { self.grown(rule, tree) } else { self.fetched(rule, tree) }
    }

    /// The same, for a tree that another thread has extended, or of another generation.
    #[cold]
    #[inline(never)]
    fn fetched(&self, rule: RuleId, tree: &TreeRef) -> Grown<'_> {
        if tree.lease.number == self.born {
            self.fetch(rule);
            return self.grown(rule, tree);
        }
        let shared = self.shared.upgrade();
        let tree = shared.and_then(|shared| shared.original().tree_in(rule, tree.lease.number).cloned());
        Grown::Own(tree.unwrap_or_default())
    }

    /// Copies the nodes that other threads have added.
    #[cold]
    #[inline(never)]
    pub(crate) fn fetch(&self, rule: RuleId) {
        let Some(shared) = self.shared.upgrade() else { return };
        let original = shared.original();
        self.forget(&original);
        original.copy(rule, &mut self.hooks[rule.0 as usize].borrow_mut());
    }

    /// Moves a running rule that walks a tree of another generation to a tree of its own; returns its node there.
    #[cold]
    #[inline(never)]
    pub(crate) fn part(&self, rule: RuleId, tree: &mut TreeRef, node: NodeId) -> Result<NodeId, RuleError> {
        let before = self.looked_at(rule, tree, node);
        let answers = if (node.0 as usize) < before.len() { before.path(node) } else { Vec::new() };
        drop(before);
        let mut own = Tree::of_hook(Hook::ALL[rule.0 as usize], tree.lease.number);
        self.extend(rule, &mut own, &answers)?;
        let node = own.last();
        tree.part(own);
        Ok(node)
    }

    /// Begins to walk a tree; grows it if it is empty.
    pub(crate) fn begin_tree(&self, rule: RuleId, tree: &mut TreeRef) -> Result<(), RuleError> {
        match &mut tree.own {
            None => self.extend_local(rule, &self.hooks[rule.0 as usize], &[]),
            Some(own) if own.is_empty() => self.extend(rule, Arc::make_mut(own), &[]),
            Some(_) => Ok(()),
        }
    }

    /// Where an answer leads a running rule; grows the tree if the answer is new there.
    pub(crate) fn follow(
        &self,
        rule: RuleId,
        tree: &mut TreeRef,
        node: NodeId,
        answer: Answer,
    ) -> Result<NodeId, RuleError> {
        match &mut tree.own {
            None => self.next(rule, &self.hooks[rule.0 as usize], node, answer),
            Some(own) => {
                let known = own.next(node, answer);
                if known != NodeId::NONE {
                    return Ok(known);
                }
                let answers = answers(own, node, answer);
                self.extend(rule, Arc::make_mut(own), &answers)?;
                self.arrived(rule, own.next(node, answer))
            }
        }
    }

    /// The tree of a rule that only looks.
    fn tree_of(&self, rule: RuleId) -> Walked<'_> {
        let index = rule.0 as usize;
        if let Some(&hook) = Hook::ALL.get(index) {
            return match self.tree(hook).own {
                None => Walked::Hook(&self.hooks[index]),
                Some(own) => Walked::Test(Rc::new(RefCell::new(Arc::unwrap_or_clone(own)))),
            };
        }
        self.tell(rule, Moment::Begins);
        if self.settings.mode == Mode::Interpreted {
            return Walked::Test(LocalTree::default());
        }
        let index = index - Hook::ALL.len();
        let mut tests = self.tests.borrow_mut();
        if tests.len() <= index {
            tests.resize_with(index + 1, looking);
        }
        let capped = tests[index].borrow().is_full(self.settings.cap);
        Walked::Test(if capped { LocalTree::default() } else { tests[index].clone() })
    }

    /// The root of a tree; grows the tree if it is empty.
    fn root(&self, rule: RuleId, tree: &RefCell<Tree>) -> Result<NodeId, RuleError> {
        if tree.borrow().is_empty() {
            self.extend_local(rule, tree, &[])?;
        }
        Ok(NodeId::ROOT)
    }

    /// Where an answer leads; grows the tree if the answer is new there.
    #[inline(always)]
    fn next(&self, rule: RuleId, tree: &RefCell<Tree>, node: NodeId, answer: Answer) -> Result<NodeId, RuleError> {
        let next = tree.borrow().next(node, answer);
        if next != NodeId::NONE {
            return Ok(next);
        }
        self.further(rule, tree, node, answer)
    }

    /// As [`Walker::next`], for an answer that is new at its node.
    #[cold]
    #[inline(never)]
    fn further(&self, rule: RuleId, tree: &RefCell<Tree>, node: NodeId, answer: Answer) -> Result<NodeId, RuleError> {
        let answers = answers(&tree.borrow(), node, answer);
        self.extend_local(rule, tree, &answers)?;
        let next = tree.borrow().next(node, answer);
        self.arrived(rule, next)
    }

    fn arrived(&self, rule: RuleId, next: NodeId) -> Result<NodeId, RuleError> {
        match next {
            NodeId::NONE => Err(self.blame(rule, RuleError::new("the rule ended without a result"))),
            next => Ok(next),
        }
    }

    fn extend_local(&self, rule: RuleId, tree: &RefCell<Tree>, answers: &[Answer]) -> Result<(), RuleError> {
        let mut tree =
            tree.try_borrow_mut().map_err(|_| self.blame(rule, RuleError::new("the rule calls itself endlessly")))?;
        self.extend(rule, &mut tree, answers)
    }

    /// Extends a tree along these answers.
    fn extend(&self, rule: RuleId, tree: &mut Tree, answers: &[Answer]) -> Result<(), RuleError> {
        let Some(shared) = self.shared.upgrade() else { return Err(RuleError::new("the rules no longer exist")) };
        let mut original = shared.original();
        self.forget(&original);
        self.ran.set(true);
        self.rested.set(false);
        let mut used = self.used.get();
        let told = || self.tell(rule, Moment::Runs);
        let run = &mut Run { used: &mut used, meter: &self.meter, told: &told, cap: self.settings.cap };
        let extended = original.extend(rule, tree, answers, run);
        self.used.set(used);
        extended
    }

    /// Runs `work`, during which the source of the rules may run.
    pub(super) fn run_meanwhile<T>(&self, work: impl FnOnce() -> T) -> T {
        super::meter::during(&self.meter, work)
    }

    /// Adds the rule's name to an error that has none.
    pub(crate) fn blame(&self, rule: RuleId, error: RuleError) -> RuleError {
        match self.shared.upgrade() {
            Some(shared) if error.rule.is_none() => shared.original().blame(rule, error),
            _ => error,
        }
    }

    /// Completes an error about too much work or too many held values with the name of the rule that caused it, and the
    /// place in its text that it had reached after these answers. Errors of other rules stay unchanged.
    #[cold]
    pub(crate) fn blame_at(&self, rule: RuleId, answers: Option<Vec<Answer>>, error: RuleError) -> RuleError {
        let Some(shared) = self.shared.upgrade() else { return error };
        let original = shared.original();
        let other = error.rule.as_ref().is_some_and(|name| *name != original.source().name(rule));
        if other || error.place.is_some() || error.cause == Cause::Rule {
            return error;
        }
        let mut error = original.blame(rule, error);
        if let (Cause::Work(_) | Cause::Held, Some(answers)) = (error.cause, answers)
            && let Some(at) = self.run_meanwhile(|| original.source().place(rule, &answers))
        {
            error.place = Some((at.line, at.column));
            error.file = at.file.map(|name| format!("{name}.rhai"));
        }
        error
    }
}

/// The answers on the way to the target of `answer` at a node.
fn answers(tree: &Tree, node: NodeId, answer: Answer) -> Vec<Answer> {
    let mut answers = tree.path(node);
    if tree.step(node).branches() {
        answers.push(answer);
    }
    answers
}
