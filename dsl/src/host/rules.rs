//! Makes the functions of a script rules of the engine.
//!
//! A run replays a hook with the answers so far. A test inside a permit runs through the rule that contains it.

use super::engine::STOPPED;
use super::kind::words_for;
use super::locate::{calls, diagnose, place_of_function};
use super::script::{MODULE, Script};
use super::test_table::FIRST_TEST;
use super::trace::{Level, QUESTION};
use super::values::{MoveV, PermitV, SquareV};
use crate::diagnostic::{Code, Diagnostic};
use astragal_core::query::Answer;
use astragal_core::rule::{Cause, Decision, Failure, SourceLocation, Standing, Step, Used};
use astragal_core::value::{SideRef, SquareRef};
use astragal_core::{Hook, RuleError, RuleId, RuleSource};
use rhai::{Dynamic, EvalAltResult, Scope};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// At most this many calls are listed for an error.
const MOST_CALLS: usize = 4;

/// The functions of a script as rules of the engine.
pub(crate) struct ScriptRules(pub Script);

impl ScriptRules {
    /// The stages of a run; none if there is no such rule.
    fn levels(&self, rule: RuleId, answers: &[Answer]) -> Vec<Level> {
        if rule.0 < FIRST_TEST {
            return vec![Level { rule: rule.0, answers: answers.to_vec(), enter: None, held: self.held(rule) }];
        }
        let Some(def) = self.0.host.trace().tests.get(rule).cloned() else { return Vec::new() };
        let mut levels = self.levels(def.parent, &def.answers);
        if let Some(last) = levels.last_mut() {
            last.enter = Some(def.ordinal);
        }
        levels.push(Level { rule: rule.0, answers: answers.to_vec(), enter: None, held: def.held });
        levels
    }

    /// The place where a rule failed. If a budget ran out, the interpreter gives no place, and the rule is blamed.
    fn place(&self, rule: RuleId, error: &EvalAltResult, diagnostic: &Diagnostic) -> Option<(usize, usize)> {
        let is_loop = diagnostic.code == Some(Code::Endless);
        let known = is_loop || !error.is_system_exception() && self.0.host.guard.spent().is_none();
        if known && diagnostic.line > 0 {
            return Some((diagnostic.line, diagnostic.column));
        }
        self.hook_place(rule)
    }

    /// The calls that led to an error, without the call of the rule and the place of the error.
    fn calls(&self, error: &EvalAltResult, diagnostic: &Diagnostic) -> Vec<(String, SourceLocation)> {
        let mut calls = calls(error, MODULE);
        calls.retain(|(_, place)| {
            place.file.as_deref() != Some(MODULE) && (place.line, place.column) != (diagnostic.line, diagnostic.column)
        });
        calls.truncate(MOST_CALLS);
        calls
    }

    /// The start of the function of a rule, or of the rule around a test.
    fn hook_place(&self, rule: RuleId) -> Option<(usize, usize)> {
        let hook = self.levels(rule, &[]).first().map_or(0, |level| level.rule);
        let place = place_of_function(&self.0.source.text, &self.name(RuleId(hook)));
        (place.0 > 0).then_some(place)
    }

    fn error(&self, rule: RuleId, error: &EvalAltResult) -> RuleError {
        let diagnostic = diagnose(error, &self.0.source, &self.0.host.guard);
        let message = match &diagnostic.help {
            Some(help) => format!("{}; {help}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        Failure {
            rule: Some(self.name(rule)),
            message,
            place: self.place(rule, error, &diagnostic),
            calls: self.calls(error, &diagnostic),
            file: Some(diagnostic.file),
            cause: Cause::Rule,
        }
        .into()
    }
}

impl RuleSource for ScriptRules {
    fn has(&self, hook: Hook) -> bool {
        self.0.has(hook)
    }

    fn name(&self, rule: RuleId) -> String {
        match rule.0 {
            0 => "turn".into(),
            1 => "capture".into(),
            2 => "outcome".into(),
            3 => "prepare".into(),
            4 => "movement".into(),
            QUESTION => "question".into(),
            _ => self.0.host.trace().tests.get(rule).map_or("a test".into(), |t| t.name.clone()),
        }
    }

    fn held(&self, rule: RuleId) -> usize {
        match rule.0 {
            0 | 2 | 3 | 4 => 0,
            1 | QUESTION => 1,
            _ => self.0.host.trace().tests.get(rule).map_or(1, |t| t.held),
        }
    }

    fn is_full(&self, generation: u32) -> bool {
        self.0.host.trace().tests.is_full(generation)
    }

    fn meet_in(&self, generation: u32) {
        self.0.host.trace().tests.meet_in(generation);
    }

    fn forget(&self, generation: u32) -> Vec<RuleId> {
        self.0.host.trace().tests.forget(generation)
    }

    fn run(&self, rule: RuleId, answers: &[Answer], used: &mut Used) -> Result<Vec<Step>, RuleError> {
        let levels = self.levels(rule, answers);
        let hook = levels.first().map(|level| level.rule as usize);
        let Some(Some(call)) = hook.and_then(|hook| self.0.hooks.get(hook)) else {
            return Err(RuleError::new("there is no such rule"));
        };
        let host = &self.0.host;
        if answers.len() > self.0.limits.questions {
            let message =
                format!("the rule reads the game more than {} times in a single run", self.0.limits.questions);
            let asked = self.place_of_question(rule, &answers[..self.0.limits.questions]);
            let found = asked.and_then(|at| super::endless::around(&self.0.source.text, &[at]));
            let message = match &found {
                Some(found) => format!("{} ({message}); {}", found.message, found.help),
                None => format!("{message}; make sure that every loop ends"),
            };
            let place = found.map(|found| found.at).or_else(|| self.hook_place(rule));
            return Err(Failure { rule: Some(self.name(rule)), place, message, ..Failure::default() }.into());
        }
        let by_movement = self.is_by_movement(hook);
        host.begin(levels, used);
        host.trace().in_movement = by_movement;
        if let Some(watch) = &host.watch {
            watch.begins(|| self.name(rule));
        }
        let stepper = self.0.stepper.as_ref().filter(|_| !host.trace().only_locates());
        if let Some(stepper) = stepper {
            stepper.begins(rule, &self.name(rule), answers.is_empty());
        }
        let mut scope = Scope::new();
        scope.push("attacker", SquareV::place(SquareRef::From(0)));
        scope.push("defender", SquareV::place(SquareRef::Captured(0)));
        scope.push("mv", MoveV(0));
        let run = AssertUnwindSafe(|| self.0.engine.eval_ast_with_scope::<Dynamic>(&mut scope, call));
        let result = catch_unwind(run);
        host.end(&self.0.limits, used);
        if let Some(stepper) = stepper {
            let waits = host.trace().suspended;
            stepper.ends(waits, waits || host.guard.spent().is_none() && matches!(result, Ok(Ok(_))));
        }
        if let Some(spent) = host.guard.spent() {
            let mut plain = RuleError::new(spent);
            plain.rule = Some(self.name(rule));
            if spent == STOPPED {
                plain.cause = Cause::Stopped;
                return Err(plain);
            }
            return Err(match &result {
                Ok(Err(error)) => self.error(rule, error),
                _ => plain,
            });
        }
        let mut trace = host.trace();
        let mut steps = std::mem::take(&mut trace.steps);
        if trace.suspended {
            if trace.locating {
                drop(trace);
                self.locate(&result, &steps);
            }
            return Ok(steps);
        }
        drop(trace);
        match result {
            Ok(Ok(value)) => {
                if by_movement {
                    steps.push(Step::Decide(self.offered(rule, &value)?));
                }
                steps.push(Step::Return(0));
                Ok(steps)
            }
            Ok(Err(error)) => Err(self.error(rule, &error)),
            Err(_) => Err(RuleError::new("internal error in the interpreter")),
        }
    }

    fn place(&self, rule: RuleId, answers: &[Answer]) -> Option<SourceLocation> {
        self.0.host.trace().locating = true;
        let run = self.run(rule, answers, &mut Used::default());
        let mut trace = self.0.host.trace();
        trace.locating = false;
        let place = trace.located.take().filter(|_| run.is_ok())?;
        drop(trace);
        Some(self.elsewhere(place))
    }

    fn standing(&self, rule: RuleId, answers: &[Answer]) -> Option<Standing> {
        if !self.0.stands || rule.0 >= FIRST_TEST {
            return None;
        }
        {
            let mut trace = self.0.host.trace();
            (trace.standing, trace.stands) = (true, None);
        }
        let run = self.run(rule, answers, &mut Used::default());
        let mut trace = self.0.host.trace();
        trace.standing = false;
        let mut stands = trace.stands.take()?;
        // Only the call recorded last can have led to this roll.
        let run = run.ok()?;
        let Some(Step::Roll(chance)) = run.last() else { return None };
        // New visible faces replace the last ones, which only `play_each()` uses.
        if chance.holds() && trace.calls.contains("play_each") {
            stands.text.push_str(&format!("{:?}", trace.last_roll));
        }
        (!trace.supposing && trace.supposed.is_empty()).then_some(stands)
    }

    fn test_place(&self, rule: RuleId) -> Option<SourceLocation> {
        let place = self.0.host.trace().tests.get(rule)?.place.clone()?;
        Some(self.elsewhere(place))
    }
}

impl ScriptRules {
    /// Whether a hook runs the rule that defines how pieces move.
    fn is_by_movement(&self, hook: Option<usize>) -> bool {
        hook == Some(Hook::Movement as usize) || hook == Some(Hook::Turn as usize) && self.0.turns_by_movement
    }

    /// The moves permitted by the result of the rule that defines how pieces move.
    fn offered(&self, rule: RuleId, value: &Dynamic) -> Result<Decision, RuleError> {
        if let Some(permit) = value.read_lock::<PermitV>() {
            return Ok(Decision::Play { by: SideRef::ToMove, permit: permit.0.now().into(), pass: false, or: None });
        }
        let found = if value.is_unit() { "nothing" } else { words_for(value) };
        let message = format!(
            "the rule `movement` must return a permit, but it returns {found}; end it with a permit, as in \
             `any() | moves_like(\"knight\", squares)`"
        );
        Err(Failure {
            rule: Some(self.name(rule)),
            place: self.hook_place(Hook::Movement.id()),
            message,
            ..Failure::default()
        }
        .into())
    }

    /// The place in the script where a run with these answers stops.
    fn place_of_question(&self, rule: RuleId, answers: &[Answer]) -> Option<(usize, usize)> {
        let place = RuleSource::place(self, rule, answers).filter(|place| place.file.is_none())?;
        Some((place.line, place.column))
    }

    /// Records the place where a run was suspended: at a decision, or at a question without an answer yet.
    fn locate(&self, result: &std::thread::Result<Result<Dynamic, Box<EvalAltResult>>>, steps: &[Step]) {
        // Only decisions about moves record their place.
        let moves = |decision: &Decision| matches!(decision.bare(), Decision::Play { .. } | Decision::PlayEach(_));
        let moved = matches!(steps.last(), Some(Step::Decide(decision)) if moves(decision));
        let known = self.0.host.trace().place.clone().filter(|_| moved);
        let asked = || {
            let Ok(Err(error)) = result else { return None };
            let at = diagnose(error, &self.0.source, &self.0.host.guard);
            let file = at.file.strip_suffix(".rhai").filter(|_| at.file != self.0.source.file()).map(String::from);
            (at.line > 0).then_some(SourceLocation { file, line: at.line, column: at.column })
        };
        let place = known.or_else(asked);
        self.0.host.trace().located = place;
    }

    /// The place, without the script's name if it is the variant's own script.
    fn elsewhere(&self, mut place: SourceLocation) -> SourceLocation {
        place.file = place.file.filter(|name| *name != self.0.source.name && name != MODULE);
        place
    }
}
