//! One run of a rule: the answers it is given, the steps it takes, and where it stops.
//!
//! A run is a replay: questions are answered from the list until that ends; then the run is unwound
//! with an error that scripts cannot catch, and `suspended` says that this was no failure. A test of moves
//! or squares (a closure) is run by replaying the rule around it up to the place where the test was met,
//! and calling the closure there, so that it sees all that it captured.

use super::answer::QUESTION;
use super::binding::{Kept, PendingEffect, PossibleChanges};
use super::compared::Compared;
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
use astragal_core::rule::{Chance, Decision, Place, Standing, Step, Used};
use astragal_core::rules::MAX_STEP_BYTES;
use astragal_core::value::{MAX_SLOTS, Part, Slot};
use astragal_core::{Hook, RuleId};
use rhai::{Dynamic, EvalAltResult, NativeCallContext, Position};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};

/// Where a function is called from: the script and the place in it.
pub(crate) fn caller(ctx: &NativeCallContext<'_>) -> Option<Place> {
    let at = ctx.call_position();
    let (line, column) = (at.line()?, at.position().unwrap_or(1));
    Some(Place { file: ctx.call_source().map(String::from), line, column })
}

/// What the host is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Phase {
    /// The script's top level runs and builds the variant.
    #[default]
    Declaring,
    /// An imported script's top level runs: its declarations are not ours.
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
    /// The memory that the steps take beside their own size.
    bytes: usize,
    pub slots: usize,
    pub tests_met: usize,
    pub last_roll: Vec<i16>,
    /// Where the last decision was asked for.
    pub place: Option<Place>,
    /// The supposed effects under which questions are asked, if any, and whether more are being collected.
    pub supposed: Vec<Effect>,
    pub supposing: bool,
    pub suspended: bool,
    /// Whether the rule runs that says how the pieces move.
    pub in_movement: bool,
    /// The functions that the script calls, and what they say that its rules may change.
    pub calls: BTreeSet<String>,
    pub reach: PossibleChanges,
    /// The calls whose answers scripts only compare with constants.
    pub compared: Compared,
    /// The values to be bound when the game changes, and the effect that has not been followed up.
    pub kept: Vec<Kept>,
    pub pending: Option<PendingEffect>,
    /// Whether there was no slot left for a value.
    pub overfull: bool,
    /// Whether runs note where they were suspended, and where the last one was.
    pub locating: bool,
    pub located: Option<Place>,
    /// Whether runs note where they stand when they roll dice, and where the last one did, if that can be said.
    pub standing: bool,
    pub stands: Option<Standing>,
    /// The answer that a question has come to, in words.
    pub answer: Option<String>,
    /// What key functions that know nothing but faces have made of dice.
    pub keyed: KeyTables,
    /// What scripts make of the faces that they roll, and what came of that.
    pub face_uses: FaceUses,
    pub lazy: LazyTables,
}

impl Trace {
    /// Whether a rule runs.
    pub(crate) fn is_running(&self) -> bool {
        self.phase == Phase::Running
    }

    /// Makes a new stage begin with nothing done; `kept` are values that it has from the one before.
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

    /// Whether the rule that runs is one that decides nothing and changes nothing: who has won, a test of moves or squares. What
    /// is asked at the prompt says so itself.
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

    /// How far the run has come: two moments with the same are those between which nothing was asked or done.
    pub(crate) fn progress(&self) -> [usize; 5] {
        [self.steps.len(), self.used, self.slots, self.tests_met, self.supposed.len()]
    }

    /// Notes an effect, already among the steps or the supposed effects, to be followed up.
    pub(crate) fn await_effect(&mut self, effect: Effect) {
        let (at, supposed) = match self.supposing {
            true => (self.steps.len(), self.supposed.len() - 1),
            false => (self.steps.len() - 1, 0),
        };
        self.pending = Some(PendingEffect { effect, at, supposed });
    }

    /// Binds values that were made under a supposition, from its effect number `first` on, and are taken out of it.
    pub(crate) fn bind_supposed(&mut self, first: usize) {
        let (at, supposed) = (self.steps.len(), self.supposed.len());
        let effects = self.supposed[first.min(supposed)..].to_vec();
        self.bind_kept(at, supposed, &|part| effects.iter().any(|effect| effect.concerns(part)));
    }

    /// Binds what the script still has of what it kept.
    fn bind_kept(&mut self, at: usize, supposed: usize, concerned: &dyn Fn(Part) -> bool) {
        let kept = std::mem::take(&mut self.kept);
        self.kept = self.bind_all(kept, at, supposed, concerned);
    }

    /// Binds what reads a part that is `concerned`, by steps that go to index `at`, under so many of the supposed
    /// effects; returns what may have to be bound later.
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
    fail(format!(
        "one run of a rule may hold {MAX_SLOTS} sets, squares, moves and values asked before a change at most"
    ))
}

/// Refuses in the rule `movement` what is more than a question.
fn only_looks<T>(what: &str) -> ScriptResult<T> {
    let help = "it says what the pieces of the side to move can do; dice, choices and changes stand in `fn turn()`, and \
                what they come to in a counter or a trait that `movement` asks for";
    fail_help(format!("`movement` only looks: {what} does not belong there"), Some(help.into()))
}

/// The host, shared by all functions that scripts call.
#[derive(Clone, Default)]
pub(crate) struct Host {
    trace: Arc<Mutex<Trace>>,
    pub guard: ExecutionBudget,
    /// Where visits are noted, if anybody wants to know.
    pub watch: Option<Coverage>,
}

impl Host {
    pub(crate) fn trace(&self) -> MutexGuard<'_, Trace> {
        locked(&self.trace)
    }

    /// Starts a run through the given stages; runs for the same event have used so much.
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

    /// Ends a run, and notes what it has used.
    pub(crate) fn end(&self, limits: &Limits, used: &mut Used) {
        self.guard.pause(limits, used);
        used.tests = self.trace().tests.new;
    }

    /// Enters the next stage: the test that the run is really about, which has captured `kept`.
    pub(crate) fn descend(&self, kept: Vec<Kept>) {
        let mut trace = self.trace();
        trace.level += 1;
        // A supposition around the test is made once, by the question that asks it.
        trace.clear(kept);
        trace.slots = trace.levels[trace.level].held;
    }

    /// Ends the run here and now; nothing that the script does afterwards counts.
    pub(crate) fn suspend<T>(&self) -> ScriptResult<T> {
        self.trace().suspended = true;
        if self.trace().locating {
            // Only ordinary errors are traced to their place.
            return fail("a question without an answer");
        }
        self.guard.stop();
        Err(Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE)))
    }

    /// Follows up the last effect: binds what it concerns.
    pub(crate) fn settle(&self) {
        let mut trace = self.trace();
        let Some(PendingEffect { effect, at, supposed }) = trace.pending.take() else { return };
        trace.bind_kept(at, supposed, &|part| effect.concerns(part));
    }

    /// Binds what a move may concern.
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
                format!("{what} is for rules, not for the top level of a script"),
                Some(
                    "put it into a function such as `fn turn() { ... }`: the top level runs once, before any game"
                        .into(),
                ),
            );
        }
        if trace.steps.len() >= astragal_core::rules::MAX_STEPS {
            drop(trace);
            return fail("this rule takes too many steps");
        }
        if trace.bytes > MAX_STEP_BYTES {
            drop(trace);
            return fail_help(
                format!("the steps of one run of this rule take more than {MAX_STEP_BYTES} bytes (limit 29)"),
                Some("offer fewer or shorter texts at each choice, or build smaller permits and sets".into()),
            );
        }
        Ok(trace)
    }

    fn branch(&self, what: &str, step: Step) -> ScriptResult<Answer> {
        let mut trace = self.running(what)?;
        if !matches!(step, Step::Ask(_)) {
            if !trace.supposed.is_empty() {
                drop(trace);
                return fail("a supposition only asks: it cannot roll or choose");
            }
            if trace.in_movement {
                drop(trace);
                return only_looks(what);
            }
            if trace.only_looks() {
                drop(trace);
                return fail_help(
                    "this rule may not roll or choose",
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
        self.branch("a question about the position", Step::Ask(query))
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
        let mut trace = self.running("looking at the board")?;
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
            return fail("a supposition only asks: changes stand in the first function of suppose()");
        } else if trace.in_movement {
            drop(trace);
            return only_looks("a change of the game");
        } else if trace.only_looks() && !effect.is_verdict() {
            drop(trace);
            let help = "change it in `turn`, `capture` or `prepare`, or ask as if it were changed: `suppose(|| effects, || question)`";
            return fail_help("this rule may only look, not change the game", Some(help.into()));
        } else {
            trace.push(Step::Act(effect.clone()));
            trace.await_effect(effect);
        }
        Ok(())
    }

    /// Makes a move that the script has. Where captures are resolved by a rule it may change whatever that may.
    pub(crate) fn make(&self, slot: Slot) -> ScriptResult<()> {
        if !self.trace().supposing {
            self.before_moves();
        }
        self.act(Effect::Make(slot))
    }

    /// Runs `change` without effect on the game, then `test` as if its changes had been made.
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

    /// Comes to a chance point.
    pub(crate) fn roll(&self, chance: Chance) -> ScriptResult<(Answer, Option<Slot>)> {
        let holds = chance.holds();
        let answer = self.branch("rolling dice", Step::Roll(chance))?;
        let slot = if holds { Some(Self::slot(&mut self.trace())?) } else { None };
        Ok((answer, slot))
    }

    /// Comes to a decision.
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
