//! A run of a rule: the answers it receives, the steps it takes, and where it stops.
//!
//! A run is a replay. Questions are answered from the list; when the list ends, the run is unwound with an error that
//! scripts cannot catch, and `suspended` marks that it did not fail. A test of moves or squares (a closure) is run by
//! replaying its rule up to the place where the test was met, and calling the closure there. So it sees all captured
//! values.

use super::binding::{Kept, PendingEffect, PossibleChanges};
use super::compared::{Compared, Comparison};
use super::declare::Declaration;
use super::engine::{ExecutionBudget, Limits};
use super::error::{ScriptResult, fail, fail_help};
use super::face_uses::FaceUses;
use super::key_table::{KeyTables, LazyTables};
use super::test_table::Tests;
use crate::coverage::Coverage;
use crate::locked::locked;
use astragal_core::effect::Effect;
use astragal_core::query::{Answer, Find, Query};
use astragal_core::rule::{Chance, Decision, SourceLocation, Standing, Step, Used};
use astragal_core::rules::MAX_STEP_BYTES;
use astragal_core::value::{MAX_SLOTS, Part, Slot};
use astragal_core::{Hook, RuleId};
use rhai::{Dynamic, EvalAltResult, NativeCallContext, Position};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};

/// The place of a function call: the script and the position in it.
pub(crate) fn caller(ctx: &NativeCallContext<'_>) -> Option<SourceLocation> {
    let at = ctx.call_position();
    let (line, column) = (at.line()?, at.position().unwrap_or(1));
    Some(SourceLocation { file: ctx.call_source().map(String::from), line, column })
}

/// The number of the rule that wraps the question.
pub(crate) const QUESTION: u32 = 5;

/// The current activity of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Phase {
    /// The script's top level runs and builds the variant.
    #[default]
    Declaring,
    /// An imported script's top level runs; its declarations do not count.
    Importing,
    /// A rule runs.
    Running,
}

/// One stage of a run: the answers of a rule, and the test to enter in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    pub rule: u32,
    pub answers: Vec<Answer>,
    pub enter: Option<usize>,
    pub held: usize,
}

/// The state of one run.
#[derive(Default)]
pub(crate) struct Trace {
    pub phase: Phase,
    pub declaration: Declaration,
    pub tests: Tests,
    pub levels: Vec<Level>,
    pub level: usize,
    pub(crate) used: usize,
    pub steps: Vec<Step>,
    /// The heap memory of the steps, in bytes.
    bytes: usize,
    pub slots: usize,
    pub tests_met: usize,
    pub last_roll: Vec<i16>,
    /// The place that requested the last decision.
    pub place: Option<SourceLocation>,
    /// The supposed effects under which questions are asked, if any, and whether more are currently collected.
    pub supposed: Vec<Effect>,
    pub supposing: bool,
    pub suspended: bool,
    /// Whether the running rule defines how pieces move.
    pub in_movement: bool,
    /// The functions that the script calls, and the changes that its rules may therefore make.
    pub calls: BTreeSet<String>,
    pub reach: PossibleChanges,
    /// The calls whose answers scripts only compare with constants.
    pub compared: Compared,
    /// The values to be bound when the game changes, and the effect that has not been followed up.
    pub kept: Vec<Kept>,
    pub pending: Option<PendingEffect>,
    /// Whether the slots were not enough for all values.
    pub overfull: bool,
    /// Whether runs record where they were suspended, and the last such place.
    pub locating: bool,
    pub located: Option<SourceLocation>,
    /// Whether runs record their state when they roll dice, and the last such state, if it is known.
    pub standing: bool,
    pub stands: Option<Standing>,
    /// The answer to a question at the prompt, as text.
    pub answer: Option<String>,
    /// The results of key functions that depend on faces alone.
    pub keyed: KeyTables,
    /// The script's uses of rolled faces, and the tables computed from them.
    pub face_uses: FaceUses,
    pub lazy: LazyTables,
}

impl Trace {
    /// Whether a rule runs.
    pub(crate) fn is_running(&self) -> bool {
        self.phase == Phase::Running
    }

    /// Clears the state for a new stage; `kept` holds the values from the previous stage.
    fn clear(&mut self, kept: Vec<Kept>) {
        self.used = 0;
        self.steps.clear();
        self.bytes = 0;
        self.tests_met = 0;
        self.supposed.clear();
        self.supposing = false;
        self.kept = kept;
        self.pending = None;
        self.overfull = false;
    }

    /// Whether the run only looks for a place or a state.
    pub(crate) fn only_locates(&self) -> bool {
        self.locating || self.standing
    }

    /// Whether the run has received all its answers, so that the script does something new. Runs that only look for a place
    /// or a state never do.
    pub(crate) fn is_new(&self) -> bool {
        let level = self.levels.get(self.level).filter(|_| self.level + 1 == self.levels.len());
        self.is_running() && !self.only_locates() && level.is_some_and(|level| self.used == level.answers.len())
    }

    /// Whether the running rule decides and changes nothing: outcome rules and tests of moves or squares. Questions at the
    /// prompt check this on their own.
    fn only_looks(&self) -> bool {
        let rule = self.levels.get(self.level).map(|level| RuleId(level.rule));
        let changes = [Hook::Turn, Hook::Capture, Hook::Prepare];
        rule.is_some_and(|rule| rule.0 != QUESTION && !changes.iter().any(|hook| hook.id() == rule))
    }

    /// Takes a step.
    fn push(&mut self, step: Step) {
        self.bytes += step.heap_bytes();
        self.steps.push(step);
    }

    /// The progress of the run. If it is equal at two moments, nothing was asked or done between them.
    pub(crate) fn progress(&self) -> [usize; 5] {
        [self.steps.len(), self.used, self.slots, self.tests_met, self.supposed.len()]
    }

    /// Records an effect, already among the steps or the supposed effects, to be followed up.
    pub(crate) fn await_effect(&mut self, effect: Effect) {
        let (at, supposed) = match self.supposing {
            true => (self.steps.len(), self.supposed.len() - 1),
            false => (self.steps.len() - 1, 0),
        };
        self.pending = Some(PendingEffect { effect, at, supposed });
    }

    /// Binds values made under a supposition, from its effect number `first` on, that outlive the supposition.
    pub(crate) fn bind_supposed(&mut self, first: usize) {
        let (at, supposed) = (self.steps.len(), self.supposed.len());
        let effects = self.supposed[first.min(supposed)..].to_vec();
        self.bind_kept(at, supposed, &|part| effects.iter().any(|effect| effect.concerns(part)));
    }

    /// Binds the kept values that the script still holds.
    fn bind_kept(&mut self, at: usize, supposed: usize, concerned: &dyn Fn(Part) -> bool) {
        let kept = std::mem::take(&mut self.kept);
        self.kept = self.bind_all(kept, at, supposed, concerned);
    }

    /// Binds values that read a `concerned` part, with steps inserted at index `at`, under the first `supposed` supposed
    /// effects. Returns the values that may have to be bound later.
    pub(crate) fn bind_all(
        &mut self,
        mut kept: Vec<Kept>,
        at: usize,
        supposed: usize,
        concerned: &dyn Fn(Part) -> bool,
    ) -> Vec<Kept> {
        if kept.is_empty() {
            return kept;
        }
        let first = self.slots;
        let mut found: Vec<Find> = Vec::new();
        let mut overfull = false;
        let mut hold = |find: Find| {
            let index = found.iter().position(|known| *known == find).unwrap_or(found.len());
            if first + index >= MAX_SLOTS {
                overfull = true;
                return None;
            }
            if index == found.len() {
                found.push(find);
            }
            Some((first + index) as Slot)
        };
        kept.retain(|value| value.bind(concerned, &mut hold));
        self.overfull |= overfull;
        self.slots += found.len();
        let effects = &self.supposed[..supposed];
        let step = |find| match effects {
            [] => Step::Find(find),
            _ => Step::Find(Find::Suppose(Arc::new(effects.to_vec()), Box::new(find))),
        };
        self.steps.splice(at..at, found.into_iter().map(step));
        kept
    }
}

fn full<T>() -> ScriptResult<T> {
    fail_help(
        format!("a rule can hold at most {MAX_SLOTS} values per run (sets, squares, moves and others)"),
        Some("loop over fewer items, or use sets instead of single squares".into()),
    )
}

/// The error for anything but questions in the rule `movement`.
fn only_looks<T>(what: &str) -> ScriptResult<T> {
    let help = "put dice, choices and changes in `fn turn()`, and store their results in a counter or trait \
         that `movement` reads";
    fail_help(format!("`movement` can only read the game: {what} is not allowed in it"), Some(help.into()))
}

/// The host, shared by all functions that scripts call.
#[derive(Clone, Default)]
pub(crate) struct Host {
    trace: Arc<Mutex<Trace>>,
    pub guard: ExecutionBudget,
    /// The coverage record, if coverage recording is on.
    pub watch: Option<Coverage>,
}

impl Host {
    /// The comparison that is the only use of a call's answer, if there is one. With coverage recording on, the answer
    /// itself is needed.
    pub(crate) fn comparison(&self, context: &NativeCallContext<'_>) -> Option<Comparison> {
        self.watch.is_none().then(|| self.trace().compared.of_call(context))?
    }

    pub(crate) fn trace(&self) -> MutexGuard<'_, Trace> {
        locked(&self.trace)
    }

    /// Starts a run through the given stages. `used` is the budget that runs for the same event have used.
    pub(crate) fn begin(&self, levels: Vec<Level>, used: &Used) {
        let mut trace = self.trace();
        trace.tests.new = used.tests;
        trace.phase = Phase::Running;
        trace.slots = levels.first().map_or(0, |level| level.held);
        trace.levels = levels;
        trace.level = 0;
        trace.clear(Vec::new());
        trace.last_roll.clear();
        trace.place = None;
        trace.suspended = false;
        self.guard.reset(used);
    }

    /// Ends a run, and records the budget it has used.
    pub(crate) fn end(&self, limits: &Limits, used: &mut Used) {
        self.guard.pause(limits, used);
        used.tests = self.trace().tests.new;
    }

    /// Enters the next stage: the test that the run is really about, which has captured `kept`.
    pub(crate) fn descend(&self, kept: Vec<Kept>) {
        let mut trace = self.trace();
        trace.level += 1;
        // A supposition around the test is applied once, by the question that asks it.
        trace.clear(kept);
        trace.slots = trace.levels[trace.level].held;
    }

    /// Ends the run immediately; later actions of the script do not count.
    pub(crate) fn suspend<T>(&self) -> ScriptResult<T> {
        self.trace().suspended = true;
        if self.trace().locating {
            // Only ordinary errors carry their place.
            return fail("a question without an answer");
        }
        self.guard.stop();
        Err(Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE)))
    }

    /// Follows up the last effect: binds the values it affects.
    pub(crate) fn settle(&self) {
        let mut trace = self.trace();
        let Some(PendingEffect { effect, at, supposed }) = trace.pending.take() else { return };
        trace.bind_kept(at, supposed, &|part| effect.concerns(part));
    }

    /// Binds the values that a move may affect.
    pub(crate) fn before_moves(&self) {
        self.settle();
        let mut trace = self.trace();
        let (at, reach) = (trace.steps.len(), trace.reach);
        trace.bind_kept(at, 0, &|part| reach.of_move(part));
    }

    fn running(&self, what: &str) -> ScriptResult<MutexGuard<'_, Trace>> {
        self.settle();
        let trace = self.trace();
        if trace.overfull {
            drop(trace);
            return full();
        }
        if trace.suspended {
            return Err(Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE)));
        }
        if trace.phase != Phase::Running {
            drop(trace);
            return fail_help(
                format!("{what} is only allowed in rules, not at the top level of a script"),
                Some(
                    "move this call to a function such as `fn turn() { ... }`: the top level runs once, before any game"
                        .into(),
                ),
            );
        }
        if trace.steps.len() >= astragal_core::rules::MAX_STEPS {
            drop(trace);
            return fail_help(
                "this rule takes too many steps",
                Some("make sure that every loop ends, and do less in a single run of the rule".into()),
            );
        }
        if trace.bytes > MAX_STEP_BYTES {
            drop(trace);
            return fail_help(
                format!(
                    "the steps of this rule take more than {MAX_STEP_BYTES} bytes in one run (see limit 29 in \
                     docs/limits.md)"
                ),
                Some("offer fewer or shorter strings in each choice, or build smaller permits and sets".into()),
            );
        }
        Ok(trace)
    }

    fn branch(&self, what: &str, step: Step) -> ScriptResult<Answer> {
        let mut trace = self.running(what)?;
        if !matches!(step, Step::Ask(_)) {
            if !trace.supposed.is_empty() {
                drop(trace);
                return fail_help(
                    "`suppose` can only read the game: it cannot roll dice or ask for choices",
                    Some("roll or ask before you call `suppose`".into()),
                );
            }
            if trace.in_movement {
                drop(trace);
                return only_looks(what);
            }
            if trace.only_looks() {
                drop(trace);
                return fail_help(
                    "this rule cannot roll or ask for choices",
                    Some("do that in `turn`, `capture` or `prepare`".into()),
                );
            }
        }
        let answer = trace.levels[trace.level].answers.get(trace.used).copied();
        if let (Some(watch), Some(answer)) = (&self.watch, answer) {
            watch.answered(&step, answer);
        }
        trace.push(step);
        match answer {
            Some(answer) => {
                trace.used += 1;
                Ok(answer)
            }
            None => {
                drop(trace);
                self.suspend()
            }
        }
    }

    /// Asks the position.
    pub(crate) fn ask(&self, query: Query) -> ScriptResult<Answer> {
        let supposed = self.trace().supposed.clone();
        let query = if supposed.is_empty() { query } else { Query::Suppose(Arc::new(supposed), Box::new(query)) };
        self.branch("asking about the position", Step::Ask(query))
    }

    /// Asks for a yes or no.
    pub(crate) fn ask_truth(&self, query: Query) -> ScriptResult<bool> {
        self.ask(query).map(|answer| answer != 0)
    }

    fn slot(trace: &mut Trace) -> ScriptResult<Slot> {
        if trace.slots >= MAX_SLOTS {
            return full();
        }
        trace.slots += 1;
        Ok((trace.slots - 1) as Slot)
    }

    /// Finds something and holds it.
    pub(crate) fn find(&self, find: Find) -> ScriptResult<Slot> {
        let mut trace = self.running("reading the board")?;
        let slot = Self::slot(&mut trace)?;
        let supposed = trace.supposed.clone();
        let find = if supposed.is_empty() { find } else { Find::Suppose(Arc::new(supposed), Box::new(find)) };
        trace.push(Step::Find(find));
        Ok(slot)
    }

    /// Changes the game.
    pub(crate) fn act(&self, effect: Effect) -> ScriptResult<()> {
        let mut trace = self.running("changing the game")?;
        if trace.supposing {
            trace.supposed.push(effect.clone());
            trace.await_effect(effect);
        } else if !trace.supposed.is_empty() {
            drop(trace);
            return fail("the second function of `suppose` can only read the game: make changes in the first");
        } else if trace.in_movement {
            drop(trace);
            return only_looks("changing the game");
        } else if trace.only_looks() && !effect.is_verdict() {
            drop(trace);
            let help =
                "make changes in `turn`, `capture` or `prepare`, or look ahead with `suppose(|| effects, || question)`";
            return fail_help("this rule can only read the game, not change it", Some(help.into()));
        } else {
            trace.push(Step::Act(effect.clone()));
            trace.await_effect(effect);
        }
        Ok(())
    }

    /// Makes a move that the script holds. If a rule resolves captures, the move can change everything that the rule can.
    pub(crate) fn make(&self, slot: Slot) -> ScriptResult<()> {
        if !self.trace().supposing {
            self.before_moves();
        }
        self.act(Effect::Make(slot))
    }

    /// Runs `change` without effect on the game, then `test` with its changes applied.
    pub(crate) fn suppose(
        &self,
        change: impl FnOnce() -> ScriptResult<Dynamic>,
        test: impl FnOnce() -> ScriptResult<Dynamic>,
    ) -> ScriptResult<Dynamic> {
        let outer = {
            let mut trace = self.running("supposing")?;
            trace.supposing = true;
            trace.supposed.clone()
        };
        let changed = change();
        self.trace().supposing = false;
        let result = changed.and_then(|_| test());
        self.settle();
        let mut trace = self.trace();
        if !trace.suspended {
            trace.bind_supposed(outer.len());
        }
        trace.supposed = outer;
        result
    }

    /// Reaches a chance node.
    pub(crate) fn roll(&self, chance: Chance) -> ScriptResult<(Answer, Option<Slot>)> {
        let holds = chance.holds();
        let answer = self.branch("rolling dice", Step::Roll(chance))?;
        let slot = if holds { Some(Self::slot(&mut self.trace())?) } else { None };
        Ok((answer, slot))
    }

    /// Reaches a decision.
    pub(crate) fn decide(&self, decision: Decision) -> ScriptResult<(Answer, Slot)> {
        let moves = matches!(decision.bare(), Decision::Play { .. } | Decision::PlayEach(_));
        if moves && !decision.names() {
            self.before_moves();
        }
        let answer = self.branch("a decision", Step::Decide(decision))?;
        let slot = Self::slot(&mut self.trace())?;
        Ok((answer, slot))
    }
}
