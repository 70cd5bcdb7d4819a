//! Infers the range of counters from their initial values and the literals in rules that set or add to them.
//!
//! A counter is excluded as soon as one rule changes it by an unknown amount.

use super::super::name_table::{Call, NameTable, Value};
use super::super::unused::all_told;
use super::numbers::decided;
use super::{Walker, start};
use crate::diagnostic::Code;
use crate::functions::{Cost, costs, position_of};
use crate::host::kind::ParamKind;
use astragal_core::{Position, Side, Variant};
use rhai::{Expr, Token as Op};
use std::collections::BTreeMap;

/// The values that a counter can take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reach {
    /// The least initial or assigned value.
    least: i64,
    /// The greatest initial or assigned value.
    most: i64,
    /// Whether a rule adds to it.
    grows: bool,
    /// Whether a rule subtracts from it.
    falls: bool,
}

/// The result of a comparison, if it is the same for every number in a range.
fn holds(reach: Reach, op: &Op, n: i64) -> Option<bool> {
    let (least, most) =
        (if reach.falls { i64::MIN } else { reach.least }, if reach.grows { i64::MAX } else { reach.most });
    let (below, above) = (most < n, least > n);
    match op {
        Op::EqualsTo if below || above => Some(false),
        Op::NotEqualsTo if below || above => Some(true),
        Op::LessThan => decided(below, least >= n),
        Op::LessThanEqualsTo => decided(most <= n, above),
        Op::GreaterThan => decided(above, most <= n),
        Op::GreaterThanEqualsTo => decided(least >= n, below),
        _ => None,
    }
}

/// The range of every counter that is a single number and changes only by literals.
pub(super) fn of_counters(variant: &Variant, first: &Position, table: &NameTable) -> BTreeMap<String, Reach> {
    let counters = variant.spec().counters.iter().enumerate().filter(|(_, def)| def.size == 1);
    if !all_told(table, ParamKind::CounterName) || !table.imports.is_empty() {
        return BTreeMap::new();
    }
    let reach = |(i, name): (usize, &str)| {
        let begin = (0..variant.sides()).map(|side| first.counter_at(variant, i, 0, Side(side as u8)));
        let begin: Vec<i64> = begin.map(i64::from).collect();
        let (least, most) = (*begin.iter().min()?, *begin.iter().max()?);
        let own = table.calls.iter().filter(|call| names(call, name) && changes(call) && !of_trait(call, variant));
        own.into_iter().try_fold(Reach { least, most, grows: false, falls: false }, changed)
    };
    let all = counters.filter_map(|(i, def)| Some((def.name.clone(), reach((i, &def.name))?)));
    all.collect()
}

/// Whether a call names a counter, or may name it.
fn names(call: &Call, counter: &str) -> bool {
    let at = position_of(&call.name, ParamKind::CounterName);
    at.and_then(|at| call.args.get(at)).is_some_and(|arg| could_be(arg, counter))
}

/// Whether a call concerns a trait of pieces, whose name follows their squares.
fn of_trait(call: &Call, variant: &Variant) -> bool {
    let traits = &variant.spec().traits;
    matches!(call.args.get(1), Some(Value::Text(name, _)) if traits.iter().any(|def| def.name == *name))
}

fn could_be(value: &Value, counter: &str) -> bool {
    match value {
        Value::Text(text, _) => text == counter,
        Value::Number(..) | Value::Truth(_) | Value::Function => false,
        Value::OneOf(all) => all.iter().any(|one| could_be(one, counter)),
        _ => true,
    }
}

/// Whether a call changes a counter. Reads and the declaration do not count.
fn changes(call: &Call) -> bool {
    let asks = [Cost::Question, Cost::Value, Cost::Search].into_iter().any(|cost| costs(&call.name, cost));
    call.name != "counter" && !asks
}

/// The range after one more call that changes the counter, if the call uses a literal.
fn changed(reach: Reach, call: &Call) -> Option<Reach> {
    let Some(Value::Number(n, _)) = call.args.last() else { return None };
    match call.name.as_str() {
        "set" => Some(Reach { least: reach.least.min(*n), most: reach.most.max(*n), ..reach }),
        "add" => Some(Reach { grows: reach.grows || *n > 0, falls: reach.falls || *n < 0, ..reach }),
        _ => None,
    }
}

impl Walker<'_> {
    /// A comparison of a counter with a number that always has the same result. Returns whether it was reported.
    pub(super) fn out_of_reach(&mut self, op: &Op, expr: &Expr, n: Option<i64>) -> bool {
        let (Expr::FnCall(call, _), Some(n)) = (expr, n) else { return false };
        let at = position_of(&call.name, ParamKind::CounterName);
        let Some(Expr::StringConstant(counter, _)) = at.and_then(|at| call.args.get(at)) else { return false };
        let Some(reach) = self.world.and_then(|world| world.reach(counter)).copied() else { return false };
        // A counter that never changes is reported elsewhere.
        if !(reach.grows || reach.falls || reach.least != reach.most) {
            return false;
        }
        let Some(always) = holds(reach, op, n) else { return false };
        let course = match (reach.grows, reach.falls) {
            (true, false) => format!("starts at {} and only increases", reach.least),
            (false, true) => format!("starts at {} and only decreases", reach.most),
            _ => format!("always stays between {} and {}", reach.least, reach.most),
        };
        let help = match (reach.grows, reach.falls) {
            (true, false) => "compare the counter with a different number, or lower it in a rule, as in `add(.., -1)`",
            (false, true) => "compare the counter with a different number, or raise it in a rule, as in `add(.., 1)`",
            _ => "compare the counter with a different number, or set it to a different value in a rule",
        };
        let message = format!("this is always {always}: the counter \"{counter}\" {course}");
        self.warn(Code::Comparison, start(expr), message, help);
        true
    }
}
