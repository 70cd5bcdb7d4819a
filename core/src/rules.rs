//! The rules of a variant, ready for any number of threads.
//!
//! Owns how rules run and the [original] trees: the source of the rules, and one tree for each rule. A tree grows when a
//! path is taken for the first time. Each thread has a [`Walker`], which walks copies of the trees, so a path that has been
//! walked before needs no lock. A tree that has reached its cap stops growing, and its rule runs anew each time (correct,
//! but slow).

pub mod amount;
mod apart;
pub mod effect;
pub(crate) mod error;
pub(crate) mod faces;
pub(crate) mod history;
pub(crate) mod hook;
pub mod meter;
pub(crate) mod movement;
mod original;
pub(crate) mod parts;
pub mod permit;
pub mod plan;
pub mod query;
pub mod rule;
pub(crate) mod tree;
pub mod value;
pub(crate) mod walker;

use crate::position::Position;
use crate::rules::error::SourceLocation;
use crate::rules::hook::{Hook, RuleId};
use crate::rules::original::Shared;
use crate::rules::permit::Permit;
use crate::rules::query::Answer;
use crate::rules::rule::{Decision, RuleSource, Standing, Step, Tree};
use crate::rules::value::View;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use walker::Walker;

/// Rules may call rules, which call rules; deeper nesting than this counts as an endless loop.
pub const MAX_DEPTH: u8 = 8;

/// A tree with more nodes than this stops growing.
pub const TREE_CAP: usize = 20_000;

/// A tree that takes more memory than this stops growing, even with few nodes: texts of choices may be long.
pub const TREE_BYTES: usize = 16_777_216;

/// The maximum number of steps that one run of a rule may take.
pub const MAX_STEPS: usize = 20_000;

/// The maximum memory of the steps of one run of a rule, beside their own size: texts of choices, parts of permits, sets
/// and numbers.
pub const MAX_STEP_BYTES: usize = 8_388_608;

/// How rules are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// With trees that are kept.
    #[default]
    Trees,
    /// By running the source for every run: the reference that trees are tested against.
    Interpreted,
}

/// An event in the use of rules, for a [watcher](Rules::watch).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// A run of the rule begins.
    Begins,
    /// The engine begins to work on the rule: on its steps, or on its source if its tree ends. It may enter other rules
    /// before it leaves.
    Enters,
    /// The engine leaves the rule it entered last.
    Leaves,
    /// The rule's source is run.
    Runs,
}

/// A watcher of the rules in use, called on any thread. It must not use the rules.
type Watch = Arc<dyn Fn(RuleId, Moment) + Send + Sync>;

/// Receives what a rule can see, whenever its source is about to run. It must not use the rules.
type Viewer = Arc<dyn Fn(&View<'_>) + Send + Sync>;

/// The size and growth of one rule's tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeReport {
    /// The rule's number.
    pub id: RuleId,
    /// The rule.
    pub rule: String,
    /// The number of nodes.
    pub nodes: usize,
    /// The approximate memory of the tree.
    pub bytes: usize,
    /// How often the source was run.
    pub(crate) runs: u64,
    /// Whether the tree has reached the cap.
    pub capped: bool,
}

/// Settings that are the same for all threads and do not change while rules run.
#[derive(Clone)]
struct Settings {
    /// Whether there is a rule for each hook.
    has: [bool; Hook::ALL.len()],
    mode: Mode,
    cap: usize,
    /// The position that games begin with, if it is known.
    start: Option<Arc<Position>>,
    watch: Option<Watch>,
    viewer: Option<Viewer>,
}

/// The rules of one variant. See the [module](self).
pub struct Rules {
    /// A number that no other rules have, nor these under other settings.
    number: u64,
    settings: Settings,
    shared: Arc<Shared>,
}

impl Rules {
    /// Rules from a source, with empty trees.
    pub fn new(source: Box<dyn RuleSource>) -> Rules {
        let has = Hook::ALL.map(|hook| source.has(hook));
        Rules {
            number: fresh(),
            settings: Settings { has, mode: Mode::Trees, cap: TREE_CAP, start: None, watch: None, viewer: None },
            shared: Arc::new(Shared::new(source, has)),
        }
    }

    /// Changes the settings: existing walkers do not have them, so new ones replace them.
    fn set_up(&mut self, change: impl FnOnce(&mut Settings)) {
        change(&mut self.settings);
        self.number = fresh();
    }

    /// The same rules, for games that begin with `start`, which [`Effect::Restart`](effect::Effect::Restart) returns to.
    pub fn starting_from(mut self, start: Position) -> Rules {
        self.set_up(|settings| settings.start = Some(Arc::new(start)));
        self
    }

    /// The same rules, run in another mode.
    pub fn with_mode(mut self, mode: Mode) -> Rules {
        self.set_up(|settings| settings.mode = mode);
        self
    }

    /// The same rules with another cap on the nodes of each tree.
    pub fn with_cap(mut self, nodes: usize) -> Rules {
        self.set_cap(nodes);
        self
    }

    /// Sets another cap on the nodes of each tree.
    pub fn set_cap(&mut self, nodes: usize) {
        self.set_up(|settings| settings.cap = nodes);
    }

    /// Sets a watcher of the steps of rules. It is called on any thread and must not use the rules. Without one, steps are
    /// not reported.
    pub fn watch(&mut self, watch: impl Fn(RuleId, Moment) + Send + Sync + 'static) {
        self.set_up(|settings| settings.watch = Some(Arc::new(watch)));
    }

    /// Sets a viewer that receives what a rule can see whenever its source is about to run. It is called on any thread
    /// and must not use the rules.
    pub fn show_to(&mut self, viewer: impl Fn(&View<'_>) + Send + Sync + 'static) {
        self.set_up(|settings| settings.viewer = Some(Arc::new(viewer)));
    }

    /// The walker of these rules on the current thread.
    pub fn walker(&self) -> Rc<Walker> {
        walker::of(self)
    }

    /// The same, for a new event of a game, after which only a state uses the walker's tests; most likely the walker with
    /// this serial number.
    pub(crate) fn walker_anew(&self, likely: u64) -> Rc<Walker> {
        let walker = walker::last(likely).unwrap_or_else(|| {
            let walker = self.walker();
            if walker.is_dated() { walker::anew(self, &walker) } else { walker }
        });
        walker.rest();
        walker
    }

    /// The result of `look` on the tree of a rule; `None` if there is no tree yet.
    pub fn look<T>(&self, rule: RuleId, look: impl FnOnce(&Tree) -> T) -> Option<T> {
        let tree = self.shared.original().tree(rule).filter(|tree| !tree.is_empty()).cloned();
        tree.map(|tree| look(&tree))
    }

    /// Whether there is a rule for a hook.
    pub fn has(&self, hook: Hook) -> bool {
        self.settings.has[hook.id().0 as usize]
    }

    /// From now on `stop` is called repeatedly while rules run, on any thread; if it returns true, they fail with
    /// [`Cause::Stopped`](rule::Cause::Stopped).
    pub fn stop_when(&self, stop: impl Fn() -> bool + Send + Sync + 'static) {
        self.shared.allowed.stop_when(Arc::new(stop));
    }

    /// Runs `work`, during which rules on this thread also stop if `stop` returns true.
    pub fn stopping<T>(&self, stop: impl Fn() -> bool + 'static, work: impl FnOnce() -> T) -> T {
        self.walker().meter().stopping(stop, work)
    }

    /// How often the source has been run so far.
    pub fn runs(&self) -> u64 {
        self.shared.original().runs()
    }

    /// The state of every tree that has grown.
    pub fn report(&self) -> Vec<TreeReport> {
        self.shared.original().report(self.settings.cap)
    }

    /// The known decisions about moves: the rule, the answers before, the permits.
    pub fn decisions(&self) -> Vec<(RuleId, Vec<Answer>, Vec<Permit>)> {
        let original = self.shared.original();
        let mut found = Vec::new();
        for hook in Hook::ALL {
            let Some(tree) = original.tree(hook.id()) else { continue };
            for node in tree.nodes() {
                let decision = match tree.step(node) {
                    Step::Decide(decision) => decision,
                    _ => continue,
                };
                let permits = match decision.bare() {
                    Decision::Play { permit, .. } => vec![Permit::clone(permit)],
                    Decision::PlayEach(plan) => plan
                        .permits
                        .iter()
                        .chain(plan.combinations.iter().map(|combination| &combination.permit))
                        .cloned()
                        .collect(),
                    _ => continue,
                };
                found.push((hook.id(), tree.path(node), permits));
            }
        }
        found
    }

    /// The place in the text where a rule requests the answer after `answers`, if known.
    pub fn place(&self, rule: RuleId, answers: &[Answer]) -> Option<SourceLocation> {
        self.walker().run_meanwhile(|| self.shared.original().source().place(rule, answers))
    }

    /// The place and values of a rule when it requests the answer after `answers`: see [`RuleSource::standing`].
    pub(crate) fn standing(&self, rule: RuleId, answers: &[Answer]) -> Option<Standing> {
        self.walker().run_meanwhile(|| self.shared.original().source().standing(rule, answers))
    }

    /// The place of a test of moves or squares in the text, if known.
    pub fn test_place(&self, rule: RuleId) -> Option<SourceLocation> {
        self.shared.original().source().test_place(rule)
    }
}

impl Drop for Rules {
    fn drop(&mut self) {
        walker::dismiss(self.number);
    }
}

/// A number that has not been used for rules.
fn fresh() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
