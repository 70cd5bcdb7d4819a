//! The rules of a variant, ready to be used: their source, and the trees grown from it.
//!
//! Trees grow when a path is taken for the first time; a tree that has reached the cap grows no more,
//! and its rule is run anew each time (correct, but slow). One `Rules` serves one thread.

pub mod amount;
pub mod effect;
pub mod faces;
pub mod meter;
pub mod permit;
pub mod plan;
pub mod query;
pub mod rule;
pub mod value;

use crate::board::piece::KindMask;
use crate::position::Position;
use crate::rules::effect::{Course, Effect, Over};
use crate::rules::meter::{Meter, Stop, Task};
use crate::rules::permit::Permit;
use crate::rules::query::{Answer, Query};
use crate::rules::rule::{Cause, Decision, Hook, NodeId, Place, RuleError, RuleId, RuleSource, Standing, Step, Tree};
use crate::rules::value::{MAX_SLOTS, SideRef, Value, View};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// Rules may ask rules which ask rules; deeper than this is a loop.
pub const MAX_DEPTH: u8 = 8;

/// A tree with more nodes than this grows no more.
pub const TREE_CAP: usize = 20_000;

/// The most steps that one run of a rule may take.
pub const MAX_STEPS: usize = 20_000;

/// How rules are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// By trees that are kept.
    #[default]
    Trees,
    /// By running the source anew for every run: the reference that trees are tested against.
    Interpreted,
}

/// What happens while rules are used, for those who [watch](Rules::watch).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// A run of the rule begins.
    Begins,
    /// The engine turns to the rule: to its steps, or to the rule itself where its tree ends. Another rule
    /// may be turned to in between.
    Enters,
    /// The engine leaves what it entered last.
    Leaves,
    /// The rule's source is run.
    Runs,
}

/// Someone who watches rules being used.
pub type Watch = Box<dyn Fn(RuleId, Moment)>;

/// The size and growth of one rule's tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeReport {
    /// The rule's number.
    pub id: RuleId,
    /// The rule.
    pub rule: String,
    /// The number of nodes.
    pub nodes: usize,
    /// The memory that the tree takes, near enough.
    pub bytes: usize,
    /// How often the source was run.
    pub runs: u64,
    /// Whether the tree has reached the cap.
    pub capped: bool,
}

pub(crate) type SharedTree = Rc<RefCell<Tree>>;

/// An empty tree for a rule that only looks.
fn looking() -> SharedTree {
    Rc::new(RefCell::new(Tree::of_looking()))
}

/// Trees that are dropped together, and the tests of which they speak: trees are only kept to save time.
#[derive(Default)]
struct Generation {
    number: u32,
    /// Every tree of a hook holds it, whoever walks it.
    lease: Rc<()>,
}

impl Generation {
    /// An empty tree for a hook, to be kept or not.
    fn tree(&self, hook: Hook, kept: bool) -> SharedTree {
        let tree = if kept && hook == Hook::Outcome { Tree::of_looking() } else { Tree::default() };
        Rc::new(RefCell::new(tree.of_generation(self.number, &self.lease, kept && self.number == 0)))
    }
}

/// The rules of one variant. See the [module](self).
pub struct Rules {
    source: Box<dyn RuleSource>,
    /// The position that games begin with, if it has been said.
    start: Option<Box<Position>>,
    /// Whether there is a rule for each hook.
    has: [bool; Hook::ALL.len()],
    hooks: RefCell<[SharedTree; Hook::ALL.len()]>,
    generation: RefCell<Generation>,
    /// Whether a rule has been run, and so may have met new tests, since that was last asked.
    ran: Cell<bool>,
    /// Earlier generations of which trees may be in use.
    earlier: RefCell<Vec<(u32, Weak<()>)>>,
    /// The trees of all other rules.
    tests: RefCell<Vec<SharedTree>>,
    mode: Mode,
    cap: usize,
    runs: Cell<u64>,
    watch: Option<Watch>,
    meter: Rc<Meter>,
    /// Empty: room for what the next rule that only looks will hold.
    spare: Cell<Vec<Value>>,
    /// Room for a position that is tried out.
    spare_position: Cell<Option<Box<Position>>>,
}

impl Rules {
    /// Rules from a source, with empty trees.
    pub fn new(source: Box<dyn RuleSource>) -> Rules {
        let meter = Rc::new(Meter::default());
        source.attach(&meter);
        let generation = Generation::default();
        Rules {
            has: Hook::ALL.map(|hook| source.has(hook)),
            source,
            start: None,
            hooks: RefCell::new(Hook::ALL.map(|hook| generation.tree(hook, true))),
            generation: RefCell::new(generation),
            ran: Cell::new(false),
            earlier: RefCell::default(),
            tests: RefCell::default(),
            mode: Mode::Trees,
            cap: TREE_CAP,
            runs: Cell::new(0),
            watch: None,
            meter,
            spare: Cell::default(),
            spare_position: Cell::default(),
        }
    }

    /// The same rules, for games that begin with `start`: what [`Effect::Restart`] goes back to.
    pub fn starting_from(mut self, start: Position) -> Rules {
        self.start = Some(Box::new(start));
        self
    }

    /// The position that games begin with, if [`Rules::starting_from`] has said so.
    pub(crate) fn start(&self) -> Option<&Position> {
        self.start.as_deref()
    }

    /// The same rules, run in another way.
    pub fn with_mode(mut self, mode: Mode) -> Rules {
        self.mode = mode;
        self
    }

    /// The same rules with another cap on the nodes of each tree.
    pub fn with_cap(mut self, nodes: usize) -> Rules {
        self.cap = nodes;
        self
    }

    /// Puts another cap on the nodes of each tree.
    pub fn set_cap(&mut self, nodes: usize) {
        self.cap = nodes;
    }

    /// Has someone watch from now on. Nobody is told of the steps of rules otherwise.
    pub fn watch(&mut self, watch: Watch) {
        self.watch = Some(watch);
    }

    /// Whether someone is told of what rules do.
    #[inline]
    pub(crate) fn is_watched(&self) -> bool {
        self.watch.is_some()
    }

    #[inline]
    pub(crate) fn tell(&self, rule: RuleId, moment: Moment) {
        if let Some(watch) = &self.watch {
            watch(rule, moment);
        }
    }

    /// What `look` finds in the tree that a rule has grown; `None` if it has none yet.
    pub fn look<T>(&self, rule: RuleId, look: impl FnOnce(&Tree) -> T) -> Option<T> {
        let (hooks, tests) = (self.hooks.borrow(), self.tests.borrow());
        let tree = hooks.iter().chain(tests.iter()).nth(rule.0 as usize)?.borrow();
        (!tree.is_empty()).then(|| look(&tree))
    }

    /// Whether there is a rule for a hook.
    #[inline]
    pub fn has(&self, hook: Hook) -> bool {
        self.has[hook.id().0 as usize]
    }

    /// Says that a new event of a game begins.
    #[inline]
    pub(crate) fn rest(&self) {
        self.source.rest();
        self.meter.rest();
    }

    /// The same, for an event after which nobody asks for tests but through a state: trees are dropped if they speak
    /// of too many.
    #[inline]
    pub(crate) fn begin_event(&self) {
        self.rest();
        if self.ran.replace(false) && self.source.is_full(self.generation.borrow().number) {
            self.begin_generation();
        }
    }

    /// Has the trees of all hooks grow anew. Rules under way keep those that they walk; the tests of earlier
    /// generations are dropped as soon as nobody does.
    #[cold]
    fn begin_generation(&self) {
        let mut generation = self.generation.borrow_mut();
        let mut earlier = self.earlier.borrow_mut();
        earlier.push((generation.number, Rc::downgrade(&generation.lease)));
        *generation = Generation { number: generation.number + 1, lease: Rc::default() };
        *self.hooks.borrow_mut() = Hook::ALL.map(|hook| generation.tree(hook, true));
        self.source.meet_in(generation.number);
        let mut tests = self.tests.borrow_mut();
        earlier.retain(|(number, lease)| {
            let used = lease.strong_count() > 0;
            for gone in if used { Vec::new() } else { self.source.forget(*number) } {
                if let Some(tree) = tests.get_mut(gone.0 as usize - Hook::ALL.len()) {
                    *tree = looking();
                }
            }
            used
        });
    }

    /// Counts what the rules make the engine do.
    #[inline]
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Has other units of work for each event than [`BUDGET`](crate::rules::meter::BUDGET).
    pub fn set_budget(&self, units: u64) {
        self.meter.set_budget(units);
    }

    /// From now on `stop` is asked again and again while rules are run; if it says so, they fail with
    /// [`Cause::Stopped`].
    pub fn stop_when(&self, stop: impl Fn() -> bool + 'static) {
        self.meter.stop_when(Some(Rc::new(stop)));
    }

    /// Does something during which rules are stopped as well if `stop` says so.
    pub fn stopping<T>(&self, stop: impl Fn() -> bool + 'static, work: impl FnOnce() -> T) -> T {
        let before = self.meter.stop_when(None);
        let outer: Option<Stop> = before.clone();
        self.meter.stop_when(Some(Rc::new(move || stop() || outer.as_ref().is_some_and(|outer| outer()))));
        let result = work();
        self.meter.stop_when(before);
        result
    }

    /// How often the source has been run so far.
    pub fn runs(&self) -> u64 {
        self.runs.get()
    }

    /// The state of every tree that has grown.
    pub fn report(&self) -> Vec<TreeReport> {
        let (hooks, tests) = (self.hooks.borrow(), self.tests.borrow());
        let grown = hooks.iter().chain(tests.iter()).enumerate().filter(|(_, tree)| !tree.borrow().is_empty());
        let report = grown.map(|(i, tree)| {
            let tree = tree.borrow();
            let rule = self.source.name(RuleId(i as u32));
            TreeReport {
                id: RuleId(i as u32),
                rule,
                nodes: tree.len(),
                bytes: tree.bytes(),
                runs: tree.runs(),
                capped: tree.len() >= self.cap,
            }
        });
        report.collect()
    }

    /// The tree that a new run of `rule` is to walk.
    #[inline]
    pub(crate) fn tree(&self, rule: RuleId) -> SharedTree {
        self.tell(rule, Moment::Begins);
        match self.hooks.borrow().get(rule.0 as usize) {
            Some(tree) if self.mode == Mode::Trees && tree.borrow().len() < self.cap => Rc::clone(tree),
            Some(_) => self.generation.borrow().tree(Hook::ALL[rule.0 as usize], false),
            None => self.tree_of_test(rule),
        }
    }

    /// Makes `tree`, that the last run of a hook's rule has walked, what [`Rules::tree`] would give for a
    /// new run; whether it has grown.
    #[inline]
    pub(crate) fn renew(&self, hook: Hook, tree: &mut SharedTree) -> bool {
        let is_own = {
            let own = &self.hooks.borrow()[hook.id().0 as usize];
            Rc::ptr_eq(own, tree) && (1..self.cap).contains(&own.borrow().len())
        };
        if is_own {
            self.tell(hook.id(), Moment::Begins);
            return true;
        }
        *tree = self.tree(hook.id());
        !tree.borrow().is_empty()
    }

    fn tree_of_test(&self, rule: RuleId) -> SharedTree {
        if self.mode == Mode::Interpreted {
            return SharedTree::default();
        }
        let mut tests = self.tests.borrow_mut();
        let index = rule.0 as usize - Hook::ALL.len();
        if tests.len() <= index {
            tests.resize_with(index + 1, looking);
        }
        if tests[index].borrow().len() >= self.cap { SharedTree::default() } else { tests[index].clone() }
    }

    /// Where a tree begins; grows it if it is empty.
    pub(crate) fn root(&self, rule: RuleId, tree: &SharedTree) -> Result<NodeId, RuleError> {
        if tree.borrow().is_empty() {
            self.grow(rule, tree, &[])?;
        }
        Ok(NodeId::ROOT)
    }

    /// Where an answer leads; grows the tree if nobody has been there.
    #[inline(always)]
    pub(crate) fn next(
        &self,
        rule: RuleId,
        tree: &SharedTree,
        node: NodeId,
        answer: Answer,
    ) -> Result<NodeId, RuleError> {
        let next = tree.borrow().next(node, answer);
        if next != NodeId::NONE {
            return Ok(next);
        }
        self.further(rule, tree, node, answer)
    }

    /// As [`Rules::next`], where nobody has been.
    #[cold]
    #[inline(never)]
    fn further(&self, rule: RuleId, tree: &SharedTree, node: NodeId, answer: Answer) -> Result<NodeId, RuleError> {
        let answers = {
            let tree = tree.borrow();
            let mut answers = tree.path(node);
            if tree.step(node).branches() {
                answers.push(answer);
            }
            answers
        };
        self.grow(rule, tree, &answers)?;
        let next = tree.borrow().next(node, answer);
        if next == NodeId::NONE {
            Err(self.blame(rule, RuleError::new("the rule ended without a result")))
        } else {
            Ok(next)
        }
    }

    fn grow(&self, rule: RuleId, tree: &SharedTree, answers: &[Answer]) -> Result<(), RuleError> {
        self.runs.set(self.runs.get() + 1);
        self.tell(rule, Moment::Runs);
        let steps =
            if rule == Hook::Turn.id() && !self.has(Hook::Turn) { free_move() } else { self.run(rule, tree, answers)? };
        if steps.len() > MAX_STEPS {
            return Err(self.blame(rule, RuleError::new(format!("the rule takes more than {MAX_STEPS} steps"))));
        }
        let mut tree =
            tree.try_borrow_mut().map_err(|_| self.blame(rule, RuleError::new("the rule asks itself without end")))?;
        tree.graft(steps, answers).map_err(|error| self.blame(rule, error))
    }

    /// Runs the source to grow a tree: what it meets belongs to the tree's generation.
    fn run(&self, rule: RuleId, tree: &SharedTree, answers: &[Answer]) -> Result<Vec<Step>, RuleError> {
        self.ran.set(true);
        let now = self.generation.borrow().number;
        let own = if (rule.0 as usize) < Hook::ALL.len() { tree.borrow().generation() } else { now };
        if own == now {
            return self.source.run(rule, answers);
        }
        self.source.meet_in(own);
        let steps = self.source.run(rule, answers);
        self.source.meet_in(now);
        steps
    }

    /// The decisions about moves that have been met so far: the rule, the answers before, the permits.
    pub fn decisions(&self) -> Vec<(RuleId, Vec<Answer>, Vec<Permit>)> {
        let mut found = Vec::new();
        for (rule, tree) in self.hooks.borrow().iter().enumerate() {
            let tree = tree.borrow();
            for node in tree.nodes() {
                let permits = match tree.step(node) {
                    Step::Decide(Decision::Play { permit, .. }) => vec![permit.clone()],
                    Step::Decide(Decision::PlayEach(plan)) => {
                        plan.permits.iter().chain(plan.bundles.iter().map(|bundle| &bundle.permit)).cloned().collect()
                    }
                    _ => continue,
                };
                found.push((RuleId(rule as u32), tree.path(node), permits));
            }
        }
        found
    }

    /// Where in its text a rule asks for the answer after `answers`, if that is known.
    pub fn place(&self, rule: RuleId, answers: &[Answer]) -> Option<Place> {
        self.source.place(rule, answers)
    }

    /// Where a rule stands when it asks for the answer after `answers`: see [`RuleSource::standing`].
    pub(crate) fn standing(&self, rule: RuleId, answers: &[Answer]) -> Option<Standing> {
        self.source.standing(rule, answers)
    }

    /// Where a test of moves or squares is written, if that is known.
    pub fn test_place(&self, rule: RuleId) -> Option<Place> {
        self.source.test_place(rule)
    }

    /// Adds the rule's name to an error that has none.
    pub(crate) fn blame(&self, rule: RuleId, mut error: RuleError) -> RuleError {
        error.rule.get_or_insert_with(|| self.source.name(rule));
        error
    }

    /// Adds to an error that the meter has made what is known of the rule that it belongs to: its name, and where
    /// in its text it had come to. Errors of other rules stay as they are.
    #[cold]
    pub(crate) fn blame_at(&self, rule: RuleId, tree: &SharedTree, node: NodeId, error: RuleError) -> RuleError {
        let other = error.rule.as_ref().is_some_and(|name| *name != self.source.name(rule));
        if other || error.place.is_some() || error.cause == Cause::Rule {
            return error;
        }
        let mut error = self.blame(rule, error);
        let answers = tree.try_borrow().ok().filter(|tree| !tree.is_empty()).map(|tree| tree.path(node));
        if let (Cause::Work(_), Some(answers)) = (error.cause, answers)
            && let Some(at) = self.source.place(rule, &answers)
        {
            error.place = Some((at.line, at.column));
            error.file = at.file.map(|name| format!("{name}.rhai"));
        }
        error
    }

    /// Whether a test answers yes for `value`.
    ///
    /// # Errors
    /// If the rule fails, rolls, chooses or changes the game.
    pub fn holds(&self, rule: RuleId, view: &View<'_>, value: Value) -> Result<bool, RuleError> {
        self.holds_for(rule, view, || value)
    }

    /// [`Rules::holds`], where the value is made only if it is looked at: common questions never do.
    #[inline]
    pub(crate) fn holds_for(
        &self,
        rule: RuleId,
        view: &View<'_>,
        value: impl FnOnce() -> Value,
    ) -> Result<bool, RuleError> {
        let hurried = self.hurry(rule, view);
        self.meter.charge(Task::Testing, 1)?;
        match hurried {
            Hurry::Ended(answer) => Ok(answer != 0),
            Hurry::At(node) => self.holds_from(rule, node, view, value()),
        }
    }

    #[inline(never)]
    fn holds_from(&self, rule: RuleId, start: NodeId, view: &View<'_>, value: Value) -> Result<bool, RuleError> {
        let held = self.source.held(rule).saturating_sub(1).min(view.env.len());
        let mut env = self.spare.take();
        env.extend_from_slice(&view.env[..held]);
        env.push(value);
        self.judge(rule, start, view, env, &mut None).map(|answer| answer != 0)
    }

    /// The verdict of the `outcome` rule; `None` if the game goes on.
    ///
    /// # Errors
    /// If the rule fails, rolls, chooses or changes the board.
    pub fn outcome(&self, view: &View<'_>) -> Result<Option<Over>, RuleError> {
        let mut over = None;
        self.judge_into(view, &mut over)?;
        Ok(over)
    }

    /// Puts the verdict of the `outcome` rule into `over`, if it comes to one.
    #[inline]
    pub(crate) fn judge_into(&self, view: &View<'_>, over: &mut Option<Over>) -> Result<(), RuleError> {
        if !self.has(Hook::Outcome) {
            return Ok(());
        }
        match self.hurry(Hook::Outcome.id(), view) {
            Hurry::Ended(_) => Ok(()),
            Hurry::At(node) => self.judge_from(node, view, over),
        }
    }

    #[inline(never)]
    fn judge_from(&self, start: NodeId, view: &View<'_>, over: &mut Option<Over>) -> Result<(), RuleError> {
        let mut verdict = None;
        self.judge(Hook::Outcome.id(), start, view, self.spare.take(), &mut verdict)?;
        if let Some(course) = verdict {
            *over = course.over;
        }
        Ok(())
    }

    /// A copy of a position, to try something out. To be [given back](Rules::give_back): it is quicker to copy
    /// into room that is there.
    pub(crate) fn lend(&self, position: &Position) -> Box<Position> {
        match self.spare_position.take() {
            Some(mut room) => {
                Position::clone_from(&mut room, position);
                room
            }
            None => Box::new(position.clone()),
        }
    }

    pub(crate) fn give_back(&self, position: Box<Position>) {
        self.spare_position.set(Some(position));
    }

    /// Runs a rule that only looks as far as its tree has common questions, if nobody watches.
    #[inline]
    fn hurry(&self, rule: RuleId, view: &View<'_>) -> Hurry {
        let mut node = NodeId::ROOT;
        if self.watch.is_none() && self.mode == Mode::Trees {
            let view = View { env: &[], depth: view.depth + 1, ..*view };
            let mut follow = |tree: &SharedTree| {
                let tree = tree.borrow();
                if (1..self.cap).contains(&tree.len()) { tree.hurry(&mut node, &view) } else { None }
            };
            let index = rule.0 as usize;
            let answer = match self.hooks.borrow().get(index) {
                Some(tree) => follow(tree),
                None => self.tests.borrow().get(index - Hook::ALL.len()).and_then(follow),
            };
            if let Some(answer) = answer {
                return Hurry::Ended(answer);
            }
        }
        Hurry::At(node)
    }

    /// Whether the `outcome` rule ends the game here.
    ///
    /// # Errors
    /// As [`Rules::outcome`].
    pub fn ends(&self, view: &View<'_>) -> Result<bool, RuleError> {
        self.outcome(view).map(|over| over.is_some())
    }

    /// The kinds by whose numbers alone the `outcome` rule sees that the game goes on here, whether within a
    /// turn or after it; `None` if it is over or more is asked about.
    ///
    /// # Errors
    /// As [`Rules::outcome`].
    pub(crate) fn counted(&self, view: &View<'_>) -> Result<Option<KindMask>, RuleError> {
        if !self.has(Hook::Outcome) {
            return Ok(Some(KindMask::NONE));
        }
        let rule = Hook::Outcome.id();
        let tree = self.tree(rule);
        let (mut node, mut kinds) = (self.root(rule, &tree)?, KindMask::NONE);
        let view = View { env: &[], depth: view.depth + 1, ..*view };
        loop {
            let answer = match tree.borrow().step(node) {
                Step::Ask(question) => {
                    let inner = if let Query::AtLeast(inner, _) = question { inner } else { question };
                    match inner {
                        Query::Pieces(None | Some(SideRef::Is(_) | SideRef::Mover | SideRef::Opponent), asked) => {
                            kinds.0 |= asked.0;
                        }
                        _ => return Ok(None),
                    }
                    query::answer(question, &view)?
                }
                Step::Return(_) => return Ok(Some(kinds)),
                _ => return Ok(None),
            };
            node = self.next(rule, &tree, node, answer)?;
        }
    }

    /// Runs a rule that only looks, from a node before which nothing is found: its result; its verdict, if
    /// it comes to one, goes to `verdict`.
    fn judge(
        &self,
        rule: RuleId,
        start: NodeId,
        view: &View<'_>,
        mut env: Vec<Value>,
        verdict: &mut Option<Course>,
    ) -> Result<Answer, RuleError> {
        if view.depth >= MAX_DEPTH {
            return Err(self.blame(rule, RuleError::new("rules ask each other without end")));
        }
        let tree = self.tree(rule);
        self.tell(rule, Moment::Enters);
        let mut node = start;
        let result = self.judge_by(rule, &tree, &mut node, view, &mut env, verdict);
        self.tell(rule, Moment::Leaves);
        let result = result.map_err(|error| self.blame_at(rule, &tree, node, error));
        env.clear();
        self.spare.set(env);
        result
    }

    fn judge_by(
        &self,
        rule: RuleId,
        tree: &SharedTree,
        node: &mut NodeId,
        view: &View<'_>,
        env: &mut Vec<Value>,
        verdict: &mut Option<Course>,
    ) -> Result<Answer, RuleError> {
        self.root(rule, tree)?;
        loop {
            let answer = match self.walk(rule, &tree.borrow(), node, view, env, verdict)? {
                Walk::Done(answer) => return Ok(answer),
                Walk::Unknown(answer) => answer,
            };
            *node = self.next(rule, tree, *node, answer)?;
        }
    }

    /// Walks a tree from `node` until the rule ends or nobody has been there.
    fn walk(
        &self,
        rule: RuleId,
        tree: &Tree,
        node: &mut NodeId,
        view: &View<'_>,
        env: &mut Vec<Value>,
        verdict: &mut Option<Course>,
    ) -> Result<Walk, RuleError> {
        loop {
            let inner = View { env, depth: view.depth + 1, ..*view };
            // Questions change nothing: as long as they follow each other, they are asked of one view.
            let (found, answer) = loop {
                if let Some(answer) = tree.hurry(node, &inner) {
                    return Ok(Walk::Done(answer));
                }
                let step = tree.step(*node);
                if !matches!(step, Step::Return(_)) {
                    self.meter.charge(Task::Running, 1)?;
                }
                let answer = match step {
                    Step::Ask(query) => query::answer(query, &inner)?,
                    Step::Find(find) => break (Some(query::find(find, &inner)?), 0),
                    Step::Act(effect @ (Effect::Win(..) | Effect::Draw(_) | Effect::Award(..))) => {
                        let course = verdict.get_or_insert_default();
                        effect::apply(effect, &inner, &mut view.position.clone(), course)
                            .map_err(|error| self.blame(rule, error))?;
                        0
                    }
                    Step::Act(_) => {
                        return Err(self.blame(rule, RuleError::new("this rule may only look, not change the game")));
                    }
                    Step::Roll(_) | Step::Decide(_) => {
                        return Err(self.blame(rule, RuleError::new("this rule may not roll or choose")));
                    }
                    Step::Return(answer) => return Ok(Walk::Done(*answer)),
                };
                match tree.next(*node, answer) {
                    NodeId::NONE => break (None, answer),
                    next => *node = next,
                }
            };
            if let Some(value) = found {
                self.hold(rule, env, value)?;
            }
            match tree.next(*node, answer) {
                NodeId::NONE => return Ok(Walk::Unknown(answer)),
                next => *node = next,
            }
        }
    }

    /// Puts a value into the next slot.
    #[inline(always)]
    pub(crate) fn hold(&self, rule: RuleId, env: &mut Vec<Value>, value: Value) -> Result<(), RuleError> {
        if env.len() >= MAX_SLOTS {
            return Err(self.overfull(rule));
        }
        env.push(value);
        Ok(())
    }

    #[cold]
    fn overfull(&self, rule: RuleId) -> RuleError {
        self.blame(rule, RuleError::new(format!("one run of a rule may hold {MAX_SLOTS} values at most")))
    }
}

/// How far common questions have led.
enum Hurry {
    /// To the end of the rule, with this result.
    Ended(Answer),
    /// To this node.
    At(NodeId),
}

/// How far a walk has come.
enum Walk {
    /// The rule has ended with this result.
    Done(Answer),
    /// The tree has not grown where this answer leads.
    Unknown(Answer),
}

/// The turn of games whose script says nothing about it: any one move.
fn free_move() -> Vec<Step> {
    vec![Step::Decide(Decision::Play { by: SideRef::ToMove, permit: Permit::Any, pass: false }), Step::Return(0)]
}
