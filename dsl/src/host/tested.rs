//! Tests: closures that filter the moves of a permit, or the squares of a set, one by one.
//!
//! A test is a rule with its own tree. The enclosing rule only passes on the test's number, so that one step of that rule's
//! tree covers all moves and squares. See [`super::trace`] for how a test runs.

use super::error::{ScriptResult, fail, fail_help};
use super::kind::words_for;
use super::test_table::{MAX_TESTS, TestDef};
use super::trace::{Host, Phase, Trace, caller};
use super::values::{MoveV, SquareV, captured, identity};
use astragal_core::rule::{RuleId, SourceLocation, Step};
use astragal_core::value::{Slot, SquareRef};
use rhai::{Dynamic, FnPtr, NativeCallContext};

/// The subject of a test.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    Move,
    Square,
}

impl Subject {
    /// The content of a slot, as a script value.
    fn value(self, slot: Slot) -> Dynamic {
        match self {
            Subject::Move => Dynamic::from(MoveV(slot)),
            Subject::Square => Dynamic::from(SquareV::place(SquareRef::Slot(slot))),
        }
    }
}

impl Host {
    /// Returns the number of a test. If this run is for that test, runs it instead.
    pub(crate) fn test(&self, ctx: &NativeCallContext<'_>, test: &FnPtr, subject: Subject) -> ScriptResult<RuleId> {
        // Squares are tested immediately. Moves are tested when they are generated, perhaps after effects, or after each of
        // them.
        match subject {
            Subject::Square => self.settle(),
            Subject::Move => self.bind_captured(test),
        }
        let slot = {
            let mut trace = self.trace();
            if trace.phase != Phase::Running {
                drop(trace);
                return fail_help(
                    "moves and squares can only be tested in rules, not at the top level of a script",
                    Some("move the test to a function such as `fn turn() { ... }`".into()),
                );
            }
            let ordinal = trace.tests_met;
            trace.tests_met += 1;
            let level = &trace.levels[trace.level];
            if level.enter != Some(ordinal) {
                return intern(&mut trace, test, subject, ordinal, caller(ctx));
            }
            trace.slots as Slot
        };
        self.descend(captured(test));
        let result = test.call_within_context::<Dynamic>(ctx, (subject.value(slot),))?;
        if self.trace().suspended {
            return self.suspend();
        }
        let Ok(yes) = result.as_bool() else {
            return fail(format!("a test must return true or false, not {}", words_for(&result)));
        };
        self.trace().steps.push(Step::Return(i64::from(yes)));
        self.suspend()
    }
}

/// Finds or creates the entry of a test. Tests with the same function, the same captured values, the same number of slots
/// and the same subject (moves or squares) are one rule, wherever they were created.
fn intern(
    trace: &mut Trace,
    test: &FnPtr,
    subject: Subject,
    ordinal: usize,
    place: Option<SourceLocation>,
) -> ScriptResult<RuleId> {
    let captured: Vec<String> = test.curry().iter().map(identity).collect();
    let key = format!("{subject:?} {} {captured:?} {}", test.fn_name(), trace.slots);
    let level = &trace.levels[trace.level];
    let (parent, held) = (RuleId(level.rule), trace.slots + 1);
    let answers = &level.answers[..trace.used.min(level.answers.len())];
    let name = || if test.is_anonymous() { "a test".to_string() } else { test.fn_name().to_string() };
    let def = || TestDef { name: name(), parent, answers: answers.to_vec(), ordinal, held, place };
    match trace.tests.intern(parent, &key, def) {
        Some(rule) => Ok(rule),
        None => fail_help(
            format!(
                "rules create more than {MAX_TESTS} new tests of moves and squares in one event (see limit 9 in \
                 docs/limits.md)"
            ),
            Some(
                "each value of a variable from outside a test makes a new test: use fewer values, or test a whole set \
                 at once"
                    .into(),
            ),
        ),
    }
}
