//! When a run stops: breakpoints, steps, and the calls of functions and rules that steps skip.
//!
//! Owns the state of stepping between the visits of the interpreter. Rules run within each other: while `turn` waits
//! for a move, the engine tests moves and resolves captures. Each such activity is an *instance*, which consists of
//! several runs with more and more answers. A step over a statement skips the instances that begin meanwhile. It must
//! never know what a debugger does when a run stops.

use super::shown::Names;
use super::statements::{Statement, Statements, place};
use super::{Cause, Debugger, Frame, Resume, Sight, Stop};
use crate::host::test_table::FIRST_TEST;
use crate::host::trace::Host;
use crate::locked::locked;
use crate::node_place::LineColumn;
use astragal_core::value::View;
use astragal_core::{Hook, RuleId, Ruleset};
use rhai::debugger::{CallStackFrame, DebuggerCommand, DebuggerEvent};
use rhai::{AST, Dynamic, Engine, EvalAltResult, EvalContext, Position, Scope};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use web_time::Instant;

/// Stops the rules of a script for a [`Debugger`]. Clones share their state.
#[derive(Clone)]
pub struct Stepper(Arc<Inner>);

struct Inner {
    debugger: Arc<dyn Debugger>,
    /// The loaded variant, which names squares and sides. It owns the stepper.
    set: OnceLock<Weak<Ruleset>>,
    stepping: Mutex<Stepping>,
}

/// The state between two visits.
#[derive(Default)]
struct Stepping {
    is_quiet: bool,
    mode: Mode,
    /// The statements of each script.
    statements: BTreeMap<String, Statements>,
    /// The activities of rules that have not ended, the innermost last.
    instances: Vec<Instance>,
    /// The number of instances so far.
    begun: u64,
    /// The game as the rule that runs next sees it.
    sight: Option<Sight>,
    /// The last statement of each function that has been called in this run, the innermost last.
    reached: Vec<Reached>,
    /// The calls at which the current run was unwound.
    unwound: Option<Vec<Call>>,
    /// The calls at which a rule failed.
    failed: Vec<Call>,
}

/// Where the next stop is, apart from breakpoints.
#[derive(Clone, Copy, Default)]
enum Mode {
    #[default]
    Nowhere,
    /// At the next statement.
    Anywhere,
    /// At the next statement of an instance at this depth of calls or above, or after the instance.
    Above(Level),
    /// After the end of an instance.
    After(Level),
}

/// A place in the calls of rules and functions.
#[derive(Clone, Copy)]
struct Level {
    /// The number of the instance.
    instance: u64,
    /// Its index among the instances that have not ended.
    index: usize,
    /// As in [`Reached`].
    depth: usize,
}

/// An activity of a rule.
struct Instance {
    number: u64,
    rule: RuleId,
    name: String,
    /// The calls at which it waits for an answer.
    waits: Vec<Call>,
}

/// A statement that a function has reached.
struct Reached {
    /// The number of calls that have not returned, including those of built-in functions.
    depth: usize,
    script: String,
    place: LineColumn,
    variables: Vec<(String, Dynamic)>,
}

/// A call that has not returned.
struct Call {
    /// As in [`Reached`].
    depth: usize,
    function: String,
    script: String,
    place: LineColumn,
    variables: Vec<(String, Dynamic)>,
}

impl Stepper {
    /// A stepper that does not stop except at breakpoints.
    pub fn new(debugger: Arc<dyn Debugger>) -> Stepper {
        Stepper(Arc::new(Inner { debugger, set: OnceLock::new(), stepping: Mutex::default() }))
    }

    /// With `is_quiet`, nothing stops and the debugger is not called.
    pub fn set_quiet(&self, is_quiet: bool) {
        locked(&self.0.stepping).is_quiet = is_quiet;
    }

    /// Sets where rules stop next. For steps, the rule that waits for an answer has stopped.
    pub fn resume(&self, how: Resume) {
        let mut stepping = locked(&self.0.stepping);
        let waits = stepping.instances.last().map(|instance| &instance.waits);
        let depths: Vec<usize> = waits.into_iter().flatten().map(|call| call.depth).collect();
        stepping.resume(how, &depths);
    }

    /// The calls of the rule that waits for an answer, the innermost first. `view` is the game as the rule sees it.
    pub fn waiting(&self, view: &View<'_>) -> Vec<Frame> {
        let stepping = locked(&self.0.stepping);
        let sight = Sight::of(view);
        stepping.instances.last().map_or(Vec::new(), |instance| self.frames(&instance.waits, Some(&sight)))
    }

    /// The calls of the rule that failed last, the innermost first.
    pub fn failed(&self) -> Vec<Frame> {
        let stepping = locked(&self.0.stepping);
        self.frames(&stepping.failed, stepping.sight.as_ref())
    }

    /// The lines of a script on which a run can stop. Empty for scripts that were not loaded.
    pub fn lines(&self, script: &str) -> BTreeSet<usize> {
        locked(&self.0.stepping).statements.get(script).map(Statements::lines).unwrap_or_default()
    }

    /// The scripts that were loaded: the variant's own and those that it imports.
    pub fn scripts(&self) -> Vec<String> {
        locked(&self.0.stepping).statements.keys().cloned().collect()
    }

    /// Remembers the variant.
    pub(crate) fn knows(&self, set: &Arc<Ruleset>) {
        let _ = self.0.set.set(Arc::downgrade(set));
    }

    /// Records the statements of a script.
    pub(crate) fn survey(&self, script: &str, ast: &AST) {
        locked(&self.0.stepping).statements.insert(script.into(), Statements::of(ast));
    }

    /// Receives the game as the rule that runs next sees it.
    pub(crate) fn sees(&self, view: &View<'_>) {
        let mut stepping = locked(&self.0.stepping);
        if !stepping.is_quiet {
            stepping.sight = Some(Sight::of(view));
        }
    }

    /// A run of a rule begins; `is_first` if it has no answers yet.
    pub(crate) fn begins(&self, rule: RuleId, name: &str, is_first: bool) {
        let mut stepping = locked(&self.0.stepping);
        stepping.reached.clear();
        stepping.unwound = None;
        stepping.begin(rule, name, is_first);
        if is_first && !stepping.is_quiet {
            let sight = stepping.sight.clone();
            drop(stepping);
            self.0.debugger.begins(name, sight.as_ref());
        }
    }

    /// The run ends, because it `waits` for an answer or because the rule has ended; it has not failed if it
    /// `succeeds`.
    pub(crate) fn ends(&self, waits: bool, succeeds: bool) {
        let mut stepping = locked(&self.0.stepping);
        let unwound = stepping.unwound.take().unwrap_or_default();
        match (waits, succeeds) {
            (true, _) => {
                if let Some(instance) = stepping.instances.last_mut() {
                    instance.waits = unwound;
                }
            }
            (false, true) => drop(stepping.instances.pop()),
            (false, false) => stepping.failed = unwound,
        }
    }

    /// Calls this stepper whenever an interpreter visits a part of a script.
    pub(crate) fn attach(&self, engine: &mut Engine, host: &Host) {
        let (stepper, host) = (self.clone(), host.clone());
        #[allow(deprecated)]
        engine.register_debugger(
            |_, debugger| debugger,
            move |context, event, _, script, at| stepper.visit(&host, &context, event, script.unwrap_or(""), at),
        );
    }

    fn visit(
        &self,
        host: &Host,
        context: &EvalContext<'_, '_, '_, '_, '_, '_>,
        event: DebuggerEvent<'_>,
        script: &str,
        at: Position,
    ) -> Result<DebuggerCommand, Box<EvalAltResult>> {
        let (is_running, is_new, is_suspended) = {
            let trace = host.trace();
            (trace.is_running() && !trace.only_locates(), trace.is_new(), trace.suspended)
        };
        let calls = context.debugger().map_or(&[][..], |debugger| debugger.call_stack());
        let mut stepping = locked(&self.0.stepping);
        if !is_running || stepping.is_quiet {
            return Ok(DebuggerCommand::StepInto);
        }
        match event {
            DebuggerEvent::FunctionExitWithValue(_) => stepping.returns(calls.len()),
            DebuggerEvent::FunctionExitWithError(_) => {
                if stepping.unwound.is_none() {
                    stepping.unwound = Some(stepping.calls(calls));
                }
                stepping.returns(calls.len());
            }
            _ => {
                let statement = place(at).and_then(|at| stepping.statements.get(script)?.at(at));
                if let Some(statement) = statement.filter(|_| !is_suspended) {
                    stepping.reach(calls.len(), script, statement, context.scope());
                    if is_new && let Some(cause) = self.cause(&stepping, script, statement, calls.len()) {
                        let stop = self.stop(&stepping, cause, calls);
                        drop(stepping);
                        return self.wait(host, stop);
                    }
                }
            }
        }
        Ok(DebuggerCommand::StepInto)
    }

    /// Why a run stops before a statement; `None` if it does not.
    fn cause(&self, stepping: &Stepping, script: &str, statement: Statement, depth: usize) -> Option<Cause> {
        if statement.is_first && self.0.debugger.breaks_at(script, statement.begins.0) {
            return Some(Cause::Breakpoint);
        }
        if self.0.debugger.pauses() {
            return Some(Cause::Pause);
        }
        stepping.ends_step(depth).then_some(Cause::Step)
    }

    fn stop(&self, stepping: &Stepping, cause: Cause, calls: &[CallStackFrame]) -> Stop {
        let rule = stepping.instances.last().map(|instance| instance.name.clone()).unwrap_or_default();
        let sight = stepping.sight.clone();
        Stop { cause, rule, frames: self.frames(&stepping.calls(calls), sight.as_ref()), sight }
    }

    /// Lets the debugger decide how a stopped run continues.
    fn wait(&self, host: &Host, stop: Stop) -> Result<DebuggerCommand, Box<EvalAltResult>> {
        let stopped = Instant::now();
        let how = self.0.debugger.stopped(stop);
        host.guard.leave_out(stopped.elapsed());
        if how == Resume::End {
            host.guard.abandon();
            return Err(Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE)));
        }
        let mut stepping = locked(&self.0.stepping);
        let depths: Vec<usize> = stepping.reached.iter().rev().map(|reached| reached.depth).collect();
        stepping.resume(how, &depths);
        Ok(DebuggerCommand::StepInto)
    }

    /// Calls with their variables as texts.
    fn frames(&self, calls: &[Call], sight: Option<&Sight>) -> Vec<Frame> {
        let set = self.0.set.get().and_then(Weak::upgrade);
        let mut names = Names::new(set.as_ref().map(|set| &set.variant), sight);
        let frame = |call: &Call| Frame {
            function: call.function.clone(),
            script: call.script.clone(),
            place: call.place,
            variables: call.variables.iter().map(|(name, value)| names.variable(name, value)).collect(),
        };
        calls.iter().map(frame).collect()
    }
}

impl Stepping {
    /// Finds or adds the instance to which a run belongs, and drops those that it leaves.
    fn begin(&mut self, rule: RuleId, name: &str, is_first: bool) {
        let known = self.instances.iter().rposition(|instance| instance.rule == rule);
        match known.filter(|_| !is_first) {
            Some(index) => self.instances.truncate(index + 1),
            None => {
                if rule == Hook::Turn.id() || rule == Hook::Prepare.id() {
                    self.instances.clear();
                }
                self.begun += 1;
                let instance = Instance { number: self.begun, rule, name: name.into(), waits: Vec::new() };
                self.instances.push(instance);
            }
        }
    }

    /// Records the statement that a function has reached.
    fn reach(&mut self, depth: usize, script: &str, statement: Statement, scope: &Scope<'_>) {
        self.reached.retain(|reached| reached.depth < depth);
        let mut variables: Vec<(String, Dynamic)> = Vec::new();
        // The newest come first: they hide older ones of the same name.
        for (name, _, value) in scope.iter_raw() {
            if !variables.iter().any(|(known, _)| known == name) {
                variables.push((name.into(), value.flatten_clone()));
            }
        }
        self.reached.push(Reached { depth, script: script.into(), place: statement.begins, variables });
    }

    /// The function at this depth returns.
    fn returns(&mut self, depth: usize) {
        self.reached.retain(|reached| reached.depth < depth);
    }

    /// The calls of the script's functions, the innermost first. Built-in functions have reached no statement.
    fn calls(&self, calls: &[CallStackFrame]) -> Vec<Call> {
        let call = |reached: &Reached| {
            let function = calls.get(reached.depth.checked_sub(1)?)?.fn_name.as_str();
            let function = if function.starts_with("anon$") { "closure" } else { function };
            // The place of the call that has not returned, if there is one.
            let calling = calls.get(reached.depth).and_then(|inner| place(inner.pos));
            Some(Call {
                depth: reached.depth,
                function: function.into(),
                script: reached.script.clone(),
                place: calling.unwrap_or(reached.place),
                variables: reached.variables.clone(),
            })
        };
        self.reached.iter().rev().filter_map(call).collect()
    }

    /// Sets where the next stop is, seen from the current instance with calls at these depths, the innermost first.
    fn resume(&mut self, how: Resume, depths: &[usize]) {
        let index = self.instances.len().saturating_sub(1);
        let instance = self.instances.last().map_or(0, |instance| instance.number);
        let level = |depth| Level { instance, index, depth };
        self.mode = match how {
            Resume::GoOn | Resume::End => Mode::Nowhere,
            Resume::StepIn => Mode::Anywhere,
            Resume::StepOver => Mode::Above(level(depths.first().copied().unwrap_or(0))),
            Resume::StepOut => depths.get(1).map_or(Mode::After(level(0)), |caller| Mode::Above(level(*caller))),
        };
    }

    /// Whether a step ends at a statement at this depth of calls.
    fn ends_step(&self, depth: usize) -> bool {
        let index = self.instances.len().saturating_sub(1);
        let is_hook = self.instances.last().is_some_and(|instance| instance.rule.0 < FIRST_TEST);
        let goes_on = |level: Level| self.instances.get(level.index).is_some_and(|one| one.number == level.instance);
        // After the end of an instance, the one around it continues, or the engine runs the next rule in its place.
        // Tests of other moves are not next.
        let is_after = |level: Level| index < level.index || index == level.index && is_hook;
        match self.mode {
            Mode::Nowhere => false,
            Mode::Anywhere => true,
            Mode::Above(level) if goes_on(level) => index == level.index && depth <= level.depth,
            Mode::After(level) if goes_on(level) => false,
            Mode::Above(level) | Mode::After(level) => is_after(level),
        }
    }
}
