//! The original rule trees, which the walkers of all threads copy.
//!
//! Owns the rule source and one tree for each rule, behind one lock. The trees of hooks grow in generations. A new
//! generation begins when the trees of the current one refer to many tests of moves and squares, or a tree has reached its
//! cap. The tests of an old generation are dropped when no thread walks its trees any more. Knows nothing of games or
//! positions. A thread that holds the lock must not request it again.

use crate::rules::error::RuleError;
use crate::rules::hook::{Hook, RuleId};
use crate::rules::meter::{self, Allowed, Meter};
use crate::rules::permit::Permit;
use crate::rules::query::Answer;
use crate::rules::rule::{Decision, RuleSource, Step, Used};
use crate::rules::tree::Tree;
use crate::rules::value::SideRef;
use crate::rules::{MAX_STEPS, TreeReport};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// With fewer generations than this in use, a full tree may start a new one.
const MOST_GENERATIONS: usize = 3;

/// Data shared by all threads.
pub(super) struct Shared {
    original: Mutex<Original>,
    /// The generation in which the trees of hooks currently grow.
    pub(crate) generation: Arc<AtomicU32>,
    /// The limits on the engine's work for rules.
    pub(crate) allowed: Arc<Allowed>,
}

impl Shared {
    pub(crate) fn new(source: Box<dyn RuleSource>, has: [bool; Hook::ALL.len()]) -> Shared {
        let (home, generation) = (Arc::new(()), Arc::new(AtomicU32::new(0)));
        let original = Original {
            source,
            has,
            generations: vec![Generation::new(0, &home)],
            home,
            tests: Vec::new(),
            dropped: 0,
            runs: 0,
            full: false,
            overgrown: [false; Hook::ALL.len()],
            generation: Arc::clone(&generation),
        };
        Shared { original: Mutex::new(original), generation, allowed: Arc::default() }
    }

    /// Locks the original. It stays valid after a panic, since trees are changed last.
    pub(crate) fn original(&self) -> MutexGuard<'_, Original> {
        self.original.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Trees of hooks that are dropped together, and the tests that they refer to.
struct Generation {
    number: u32,
    /// Held by everyone who may walk these trees.
    home: Weak<()>,
    hooks: [Arc<Tree>; Hook::ALL.len()],
}

impl Generation {
    fn new(number: u32, home: &Arc<()>) -> Generation {
        let hooks = Hook::ALL.map(|hook| Arc::new(Tree::of_hook(hook, number).kept()));
        Generation { number, home: Arc::downgrade(home), hooks }
    }
}

/// The tree of a test of moves or squares.
struct Test {
    tree: Arc<Tree>,
    /// How often tests had been dropped when this number was last reassigned.
    since: u64,
}

/// The source of rules and all trees that have grown from it.
pub(super) struct Original {
    source: Box<dyn RuleSource>,
    has: [bool; Hook::ALL.len()],
    /// The generations in use; the last is the current one.
    generations: Vec<Generation>,
    /// The token of the current generation.
    home: Arc<()>,
    /// The trees of all rules that are not hooks.
    tests: Vec<Test>,
    /// How often tests have been dropped.
    dropped: u64,
    runs: u64,
    /// Whether a tree of the current generation has reached its cap.
    full: bool,
    /// The hooks whose tree in any generation has reached its cap.
    overgrown: [bool; Hook::ALL.len()],
    generation: Arc<AtomicU32>,
}

impl Original {
    /// The source.
    pub(crate) fn source(&self) -> &dyn RuleSource {
        &*self.source
    }

    /// How often the source has been run.
    pub(crate) fn runs(&self) -> u64 {
        self.runs
    }

    fn present(&self) -> &Generation {
        self.generations.last().expect("there is always a current generation")
    }

    /// The number of the current generation, and the token that walkers of its trees must hold.
    pub(crate) fn lease(&self) -> (u32, Arc<()>) {
        (self.present().number, Arc::clone(&self.home))
    }

    /// The tree of a rule in the current generation; `None` if there is none.
    pub(crate) fn tree(&self, rule: RuleId) -> Option<&Arc<Tree>> {
        self.tree_in(rule, self.present().number)
    }

    /// The tree of a hook in a generation that is in use, or of a test.
    pub(crate) fn tree_in(&self, rule: RuleId, generation: u32) -> Option<&Arc<Tree>> {
        let index = rule.0 as usize;
        if index < Hook::ALL.len() {
            return self.generations.iter().find(|g| g.number == generation)?.hooks.get(index);
        }
        self.tests.get(index - Hook::ALL.len()).map(|test| &test.tree)
    }

    /// The state of every tree that has grown.
    pub(crate) fn report(&self, cap: usize) -> Vec<TreeReport> {
        let trees = self.present().hooks.iter().chain(self.tests.iter().map(|test| &test.tree));
        let overgrown = |id: RuleId| self.overgrown.get(id.0 as usize).is_some_and(|over| *over);
        let grown = (0..).map(RuleId).zip(trees).filter(|(id, tree)| !tree.is_empty() || overgrown(*id));
        let report = grown.map(|(id, tree)| TreeReport {
            id,
            rule: self.source.name(id),
            nodes: tree.len(),
            bytes: tree.bytes(),
            runs: tree.runs(),
            capped: tree.is_full(cap) || overgrown(id),
        });
        report.collect()
    }

    /// Begins another generation if the current one refers to many tests or, with `full_trees`, if one of its trees has
    /// reached its cap. The parts still in use soon grow again, while a rule whose tree is full would be interpreted
    /// forever.
    pub(crate) fn begin_generation_if_full(&mut self, full_trees: bool) {
        let number = self.present().number;
        let outgrown = full_trees && self.full && {
            self.sweep();
            self.generations.len() < MOST_GENERATIONS
        };
        if !outgrown && !self.source.is_full(number) {
            return;
        }
        self.full = false;
        self.home = Arc::new(());
        self.generations.push(Generation::new(number + 1, &self.home));
        self.generation.store(number + 1, Ordering::Relaxed);
    }

    /// Drops the generations that are no longer in use, with their tests, whose numbers become available.
    pub(crate) fn sweep(&mut self) {
        let gone: Vec<u32> = self.generations.iter().filter(|g| g.home.strong_count() == 0).map(|g| g.number).collect();
        self.generations.retain(|generation| generation.home.strong_count() > 0);
        for number in gone {
            self.dropped += 1;
            for rule in self.source.forget(number) {
                if let Some(test) = self.tests.get_mut(rule.0 as usize - Hook::ALL.len()) {
                    *test = Test { tree: Arc::new(Tree::default().kept()), since: self.dropped };
                }
            }
        }
    }

    /// How often tests have been dropped.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The numbers that were reassigned to other tests after tests had been dropped `since` times.
    pub(crate) fn given_anew(&self, since: u64) -> impl Iterator<Item = usize> {
        let anew = self.tests.iter().enumerate().filter(move |(_, test)| test.since > since);
        anew.map(|(index, _)| index)
    }

    /// As [`Original::tree_in`], for changes; creates the tree of a test.
    fn tree_mut(&mut self, rule: RuleId, generation: u32) -> Option<&mut Tree> {
        let index = rule.0 as usize;
        if index < Hook::ALL.len() {
            let generation = self.generations.iter_mut().find(|g| g.number == generation)?;
            return generation.hooks.get_mut(index).map(Arc::make_mut);
        }
        let index = index - Hook::ALL.len();
        if self.tests.len() <= index {
            self.tests.resize_with(index + 1, || Test { tree: Arc::new(Tree::default().kept()), since: 0 });
        }
        self.tests.get_mut(index).map(|test| Arc::make_mut(&mut test.tree))
    }

    /// Extends `copy`, which is at most as large as its original, along `answers`.
    pub(crate) fn extend(
        &mut self,
        rule: RuleId,
        copy: &mut Tree,
        answers: &[Answer],
        run: &mut Run<'_>,
    ) -> Result<(), RuleError> {
        let held = self.source.held(rule);
        if !copy.is_kept() {
            let steps = self.run(rule, copy.generation(), answers, run)?;
            copy.hold(held);
            return copy.insert_run(steps, answers).map_err(|error| self.blame(rule, error));
        }
        let known = self.tree_in(rule, copy.generation()).is_some_and(|tree| tree.knows(answers));
        if !known {
            let steps = self.run(rule, copy.generation(), answers, run)?;
            let Some(tree) = self.tree_mut(rule, copy.generation()) else { return Ok(()) };
            tree.hold(held);
            let inserted = tree.insert_run(steps, answers);
            let full = tree.is_full(run.cap);
            inserted.map_err(|error| self.blame(rule, error))?;
            if full {
                self.has_filled(rule, copy.generation());
            }
        }
        self.copy(rule, copy);
        Ok(())
    }

    /// Records that the tree of a rule has reached its cap.
    fn has_filled(&mut self, rule: RuleId, generation: u32) {
        let hook = self.overgrown.get_mut(rule.0 as usize);
        self.full |= hook.is_none() || generation == self.generations.last().map_or(0, |present| present.number);
        if let Some(hook) = hook {
            *hook = true;
        }
    }

    /// Extends a copy of a tree to match its original.
    pub(crate) fn copy(&self, rule: RuleId, copy: &mut Tree) {
        if let Some(tree) = self.tree_in(rule, copy.generation()) {
            copy.catch_up(tree);
        }
    }

    /// Runs the source for a tree of the given generation.
    fn run(
        &mut self,
        rule: RuleId,
        generation: u32,
        answers: &[Answer],
        run: &mut Run<'_>,
    ) -> Result<Vec<Step>, RuleError> {
        self.runs += 1;
        (run.told)();
        if rule == Hook::Turn.id() && !self.has[Hook::Turn as usize] {
            return Ok(free_move());
        }
        let hook = (rule.0 as usize) < Hook::ALL.len();
        self.source.meet_in(if hook { generation } else { self.present().number });
        let steps = meter::during(run.meter, || self.source.run(rule, answers, run.used))?;
        if steps.len() > MAX_STEPS {
            return Err(self.blame(rule, RuleError::new(format!("the rule takes more than {MAX_STEPS} steps"))));
        }
        Ok(steps)
    }

    /// Adds the rule's name to an error that has none.
    pub(crate) fn blame(&self, rule: RuleId, mut error: RuleError) -> RuleError {
        error.rule.get_or_insert_with(|| self.source.name(rule));
        error
    }
}

/// The context of a run of the source.
pub(super) struct Run<'a> {
    /// The resources used by runs for the same event.
    pub(crate) used: &'a mut Used,
    /// Checks whether to stop.
    pub(crate) meter: &'a Rc<Meter>,
    /// The maximum number of nodes of a tree.
    pub(crate) cap: usize,
    /// Called when the source is run.
    pub(crate) told: &'a dyn Fn(),
}

/// The turn of games whose script has no `turn` rule: any one move.
fn free_move() -> Vec<Step> {
    vec![
        Step::Decide(Decision::Play { by: SideRef::ToMove, permit: Permit::Any.into(), pass: false, or: None }),
        Step::Return(0),
    ]
}
