//! The numbers that something can be, one by one, where they are few: a roll that is turned into steps, `if total == 0 { 6 }
//! else { total }`, leaves holes that no least and greatest number shows.
//!
//! Such a set errs on the side of too much: what is not in it never comes up, what is in it need not.

use super::super::shapes::{compares, integer, operands, root_of, written};
use super::known::Known;
use super::numbers::{always, bounds_in_words, few};
use super::{Place, Walker, start};
use crate::diagnostic::Code;
use crate::functions::{Fact, has_fact};
use crate::host::tokens::is_comparison;
use rhai::{Expr, Token as Op};

/// What a condition says of an expression while its block is walked: the expression, compared so with a number, and whether
/// that holds there.
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

/// The numbers that two of them come to.
pub(super) fn reckoned(op: &Op, left: &Known, right: &Known) -> Option<Vec<i64>> {
    let sum: fn(i64, i64) -> Option<i64> = match op {
        Op::Plus => i64::checked_add,
        Op::Minus => i64::checked_sub,
        Op::Multiply => i64::checked_mul,
        Op::Divide => i64::checked_div,
        Op::Modulo => i64::checked_rem,
        _ => return None,
    };
    both(&left.numbers()?, &right.numbers()?, |a, b| match (op, b) {
        // By 0 nothing is divided: that is told elsewhere.
        (Op::Divide | Op::Modulo, 0) => Some(0),
        _ => sum(a, b),
    })
}

/// What a function makes of each two numbers.
pub(super) fn both(left: &[i64], right: &[i64], make: impl Fn(i64, i64) -> Option<i64>) -> Option<Vec<i64>> {
    let all = left.iter().flat_map(|a| right.iter().map(|b| make(*a, *b))).collect::<Option<Vec<i64>>>()?;
    few(all)
}

/// What several dice show together.
pub(super) fn totals(dice: &[Known]) -> Option<Vec<i64>> {
    dice.iter().try_fold(vec![0], |sums, die| both(&sums, &die.numbers()?, i64::checked_add))
}

impl Walker<'_> {
    /// Notes what a condition says of an expression.
    pub(super) fn under(&mut self, condition: &Expr, holds: bool) {
        let Some((op, left @ (Expr::Variable(..) | Expr::Dot(..)), right)) = operands(condition) else { return };
        let Some(number) = integer(right).filter(|number| compares(op, *number, *number).is_some()) else { return };
        if root_of(left).is_none_or(|root| self.is_set(&root)) {
            return;
        }
        let written = written(left);
        self.asked.push(Asked { written, op: op.clone(), number, holds });
    }

    /// Whether a variable is set or changed after it is made.
    fn is_set(&self, name: &str) -> bool {
        let Some(before) = self.before else { return true };
        before.set.keys().any(|(_, known)| known == name)
    }

    /// What the conditions around leave of the numbers that an expression can be.
    pub(super) fn left_by_conditions(&self, expr: &Expr, known: &mut Known) {
        if self.asked.is_empty() || !matches!(expr, Expr::Variable(..) | Expr::Dot(..)) {
            return;
        }
        let Some(among) = known.among.take() else { return };
        let written = written(expr);
        let asked = || self.asked.iter().filter(|asked| asked.written == written);
        known.among = few(among.into_iter().filter(|n| asked().all(|asked| asked.admits(*n))));
    }

    /// A number between the least and the greatest of a roll that never comes up; whether that was told.
    pub(super) fn never_one_of(&mut self, op: &Op, value: &Known, number: i64, exprs: &[&Expr]) -> bool {
        let Some(all) = value.numbers().filter(|all| value.rolled && all.len() > 1 && !all.contains(&number)) else {
            return false;
        };
        let words = listed(&all);
        let message = format!("this is always {}: it is {words}, never {number}", always(op));
        let help = format!("compare it with one of {}, or let the roll come to {number}", commas(&all));
        self.warn(Code::Comparison, start(exprs[0]), message, help);
        true
    }

    /// A roll that is turned into other numbers and may still be 0, where it says how far pieces go along a track.
    pub(super) fn no_steps(&mut self, name: &str, args: &[Known], exprs: &[&Expr]) {
        let ([_, steps, ..], [_, expr @ Expr::Variable(variable, ..), ..]) = (args, exprs) else { return };
        let Some(all) = steps.numbers().filter(|all| steps.rolled && all.contains(&0)) else { return };
        let (Some(least), Some(most)) = (all.first(), all.last()) else { return };
        let whole = most - least + 1 == all.len() as i64;
        if whole || !has_fact(name, Fact::AlongTracks) || self.asks_for_none(&variable.1) {
            return;
        }
        let message = format!("`{0}` is {1}: where it is 0 nobody goes anywhere", variable.1, listed(&all));
        let help =
            format!("let the roll come to another number there, or ask before: `if {} == 0 {{ .. }}`", variable.1);
        if self.report.as_ref().is_some_and(|report| report.found.iter().all(|said| said.message != message)) {
            self.hint(Code::Comparison, start(expr), message, help);
        }
    }

    /// Whether the script asks anywhere whether a variable of this name is 0.
    fn asks_for_none(&self, name: &str) -> bool {
        self.tokens.windows(3).any(|three| {
            let sign = three[1].text;
            let asks = is_comparison(sign) && (three[2].is("0") || three[2].is("1") && matches!(sign, "<" | ">="));
            three[0].is(name) && asks
        })
    }

    /// A number of a list or a `switch` that a roll passes over.
    pub(super) fn passed_by(&mut self, value: &Known, (least, most): (i64, i64), code: Code, at: Place) -> bool {
        let Some(all) = value.numbers().filter(|all| value.rolled && all.len() > 1) else { return false };
        if all.iter().any(|n| (least..=most).contains(n)) {
            return false;
        }
        let message = format!("this is never {least}: it is {}", listed(&all));
        self.warn(code, at, message, format!("write one of {}, or leave {least} out", commas(&all)));
        true
    }
}

/// Numbers as they are listed in a sentence.
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
