//! Tests: closures that judge the moves of a permit, or the squares of a set, one by one.
//!
//! A test is a rule with a tree of its own. The rule around it only hands its number on, so that one step
//! of that rule's tree stands for all moves and squares; see [`super::trace`] for how a test is run.

use super::live::captured;
use super::trace::{FIRST_TEST, Host, Outcome, Phase, TestDef, caller, fail};
use super::values::{MoveV, SquareV, identity};
use astragal_core::rule::{Place, RuleId, Step};
use astragal_core::value::{Slot, SquareRef};
use rhai::{Dynamic, FnPtr, NativeCallContext};

/// The most different tests of moves or squares that the rules of one script may have.
pub(crate) const MAX_TESTS: usize = 5000;

/// What a test is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    Move,
    Square,
}

impl Subject {
    /// What stands in a slot, as scripts hold it.
    fn value(self, slot: Slot) -> Dynamic {
        match self {
            Subject::Move => Dynamic::from(MoveV(slot)),
            Subject::Square => Dynamic::from(SquareV::place(SquareRef::Slot(slot))),
        }
    }
}

impl Host {
    /// The number of a test; runs it instead, if this run is about it.
    pub(crate) fn test(&self, ctx: &NativeCallContext<'_>, test: &FnPtr, subject: Subject) -> Outcome<RuleId> {
        // Squares are tested at once, moves when they are looked for: perhaps after effects, or after each of them.
        match subject {
            Subject::Square => self.settle(),
            Subject::Move => self.bind_captured(test),
        }
        let slot = {
            let mut trace = self.trace();
            if trace.phase != Phase::Running {
                drop(trace);
                return fail("tests of moves and squares are for rules, not for the top level of a script");
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
            return fail(format!("a test answers true or false, not {}", super::convert::type_name(&result)));
        };
        self.trace().steps.push(Step::Return(i64::from(yes)));
        self.suspend()
    }
}

/// Finds or makes the entry of a test. Tests that do the same (same function, same captured values,
/// same number of slots, all about moves or all about squares) are one rule, wherever they were built.
fn intern(
    trace: &mut super::trace::Trace,
    test: &FnPtr,
    subject: Subject,
    ordinal: usize,
    place: Option<Place>,
) -> Outcome<RuleId> {
    let captured: Vec<String> = test.curry().iter().map(identity).collect();
    let key = format!("{subject:?} {} {captured:?} {}", test.fn_name(), trace.slots);
    if let Some(i) = trace.tests.iter().position(|t| t.key == key) {
        return Ok(RuleId(FIRST_TEST + i as u16));
    }
    if trace.tests.len() >= MAX_TESTS {
        return fail(format!(
            "the rules of a script may have {MAX_TESTS} different tests: a test is another for each value that it captures"
        ));
    }
    let level = &trace.levels[trace.level];
    let name = if test.is_anonymous() { "a test".to_string() } else { test.fn_name().to_string() };
    let def = TestDef {
        key,
        name,
        parent: RuleId(level.rule),
        answers: level.answers[..trace.used.min(level.answers.len())].to_vec(),
        ordinal,
        held: trace.slots + 1,
        place,
    };
    trace.tests.push(def);
    Ok(RuleId(FIRST_TEST + (trace.tests.len() - 1) as u16))
}
