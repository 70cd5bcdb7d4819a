//! Tracks the exact set of possible values where it is small. A roll that is converted to steps, `if total == 0 { 6 } else
//! { total }`, leaves gaps that an interval cannot express.
//!
//! The set is an over-approximation: a number outside it never occurs, but a number inside it may not occur either.

use super::super::shapes::{compares, integer, operands, root_of, written};
use super::abstract_value::AbstractValue;
use super::numbers::{always, bounds_in_words, few};
use super::{LineColumn, Walker, start};
use crate::diagnostic::Code;
use crate::functions::{Fact, has_fact};
use crate::host::tokens::is_comparison;
use crate::notation::describe::alternatives;
use rhai::{Expr, Token as Op};

/// A condition on an expression, active while its block is walked: the expression, its comparison with a number, and
/// whether the comparison holds there.
pub(super) struct Asked {
    written: String,
    op: Op,
    number: i64,
    holds: bool,
}

impl Asked {
    fn admits(&self, n: i64) -> bool {
        compares(&self.op, n, self.number) == Some(self.holds)
    }
}

/// The possible results of an operator on two values.
pub(super) fn reckoned(op: &Op, left: &AbstractValue, right: &AbstractValue) -> Option<Vec<i64>> {
    let sum: fn(i64, i64) -> Option<i64> = match op {
        Op::Plus => i64::checked_add,
        Op::Minus => i64::checked_sub,
        Op::Multiply => i64::checked_mul,
        Op::Divide => i64::checked_div,
        Op::Modulo => i64::checked_rem,
        _ => return None,
    };
    both(&left.numbers()?, &right.numbers()?, |a, b| match (op, b) {
        // Division by 0 is reported elsewhere.
        (Op::Divide | Op::Modulo, 0) => Some(0),
        _ => sum(a, b),
    })
}

/// The results of a function for all pairs of numbers.
pub(super) fn both(left: &[i64], right: &[i64], make: impl Fn(i64, i64) -> Option<i64>) -> Option<Vec<i64>> {
    let all = left.iter().flat_map(|a| right.iter().map(|b| make(*a, *b))).collect::<Option<Vec<i64>>>()?;
    few(all)
}

/// The possible totals of several dice.
pub(super) fn totals(dice: &[AbstractValue]) -> Option<Vec<i64>> {
    dice.iter().try_fold(vec![0], |sums, die| both(&sums, &die.numbers()?, i64::checked_add))
}

impl Walker<'_> {
    /// Records a condition on an expression.
    pub(super) fn under(&mut self, condition: &Expr, holds: bool) {
        let Some((op, left @ (Expr::Variable(..) | Expr::Dot(..)), right)) = operands(condition) else { return };
        let Some(number) = integer(right).filter(|number| compares(op, *number, *number).is_some()) else { return };
        if root_of(left).is_none_or(|root| self.is_set(&root)) {
            return;
        }
        let written = written(left);
        self.asked.push(Asked { written, op: op.clone(), number, holds });
    }

    /// Whether a variable is reassigned or changed in place.
    fn is_set(&self, name: &str) -> bool {
        let Some(before) = self.before else { return true };
        before.set.keys().any(|(_, known)| known == name)
    }

    /// Removes the possible values of an expression that the enclosing conditions rule out.
    pub(super) fn left_by_conditions(&self, expr: &Expr, known: &mut AbstractValue) {
        if self.asked.is_empty() || !matches!(expr, Expr::Variable(..) | Expr::Dot(..)) {
            return;
        }
        let Some(among) = known.among.take() else { return };
        let written = written(expr);
        let asked = || self.asked.iter().filter(|asked| asked.written == written);
        known.among = few(among.into_iter().filter(|n| asked().all(|asked| asked.admits(*n))));
    }

    /// A comparison with a number inside a roll's range that never occurs. Returns whether it was reported.
    pub(super) fn never_one_of(&mut self, op: &Op, value: &AbstractValue, number: i64, exprs: &[&Expr]) -> bool {
        let Some(all) = value.numbers().filter(|all| value.rolled && all.len() > 1 && !all.contains(&number)) else {
            return false;
        };
        let words = listed(&all);
        let message = format!("this is always {}: the value can be {words}, but never {number}", always(op));
        let help = format!("compare it with {words}, or change the roll so that it can be {number}");
        self.warn(Code::Comparison, start(exprs[0]), message, help);
        true
    }

    /// A roll that is converted to other numbers and may still be 0, used as a number of steps along a track.
    pub(super) fn no_steps(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let ([_, steps, ..], [_, expr @ Expr::Variable(variable, ..), ..]) = (args, exprs) else { return };
        let Some(all) = steps.numbers().filter(|all| steps.rolled && all.contains(&0)) else { return };
        let (Some(least), Some(most)) = (all.first(), all.last()) else { return };
        let whole = most - least + 1 == all.len() as i64;
        if whole || !has_fact(name, Fact::AlongTracks) || self.asks_for_none(&variable.1) {
            return;
        }
        let message = format!("`{0}` can be {1}: when it is 0, no piece moves", variable.1, listed(&all));
        let help = format!("change the roll so that it is never 0, or test first: `if {} == 0 {{ .. }}`", variable.1);
        if self.report.as_ref().is_some_and(|report| report.found.iter().all(|said| said.message != message)) {
            self.hint(Code::Comparison, start(expr), message, help);
        }
    }

    /// Whether the script compares any variable with this name with 0.
    fn asks_for_none(&self, name: &str) -> bool {
        self.tokens.windows(3).any(|three| {
            let sign = three[1].text;
            let asks = is_comparison(sign) && (three[2].is("0") || three[2].is("1") && matches!(sign, "<" | ">="));
            three[0].is(name) && asks
        })
    }

    /// A number in a list or a `switch` that a roll never has. Returns whether it was reported.
    pub(super) fn passed_by(
        &mut self,
        value: &AbstractValue,
        (least, most): (i64, i64),
        code: Code,
        at: LineColumn,
    ) -> bool {
        let Some(all) = value.numbers().filter(|all| value.rolled && all.len() > 1) else { return false };
        if all.iter().any(|n| (least..=most).contains(n)) {
            return false;
        }
        let message = format!("the value is never {least}: it can only be {}", listed(&all));
        self.warn(
            code,
            at,
            message,
            format!(
                "write {}, or remove {least}",
                alternatives(&all.iter().map(ToString::to_string).collect::<Vec<_>>())
            ),
        );
        true
    }
}

/// Numbers as a list for a sentence.
pub(super) fn listed(all: &[i64]) -> String {
    match all {
        [.., least, most] if all.len() as i64 == most - all[0] + 1 && least < most => bounds_in_words(all[0], *most),
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", commas(rest)),
        _ => commas(all),
    }
}

fn commas(all: &[i64]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
