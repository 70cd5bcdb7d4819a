//! Checks conditions without effect: tests that repeat an earlier one, and tests that are always true or always false.

use super::super::brackets::{index_at, step};
use super::super::shapes::{numbered_entry, operands, written};
use super::abstract_value::AbstractValue;
use super::narrow::path_of;
use super::short_ranges::bounded;
use super::{Walker, start};
use crate::diagnostic::Code;
use crate::host::kind::ValueKind;
use crate::host::tokens::Token;
use rhai::{Expr, FlowControl, Stmt, Token as Op};

/// Maximum number of comparisons in one condition that are checked in pairs.
const MOST: usize = 64;

/// Maximum number of `else if` branches that a condition is compared with.
const FURTHER: usize = 16;

impl Walker<'_> {
    /// A condition that an `else if` repeats.
    pub(super) fn asked_again(&mut self, flow: &FlowControl) {
        if self.report.is_none() {
            return;
        }
        let asked = self.words_from(&flow.expr);
        let mut branch = &flow.branch;
        let mut left = FURTHER;
        while let [Stmt::If(next, _)] = branch.statements()
            && left > 0
        {
            left -= 1;
            if self.words_from(&next.expr) == asked && !asked.is_empty() {
                let (first, whole) = (start(&flow.expr), self.tokens_from(&flow.expr));
                let span =
                    whole.first().map_or(0, |token| token.span.start)..whole.last().map_or(0, |token| token.span.end);
                let source = self.text.get(span).unwrap_or("this").split_whitespace().collect::<Vec<_>>().join(" ");
                let message = format!("this never runs: line {} already tests `{source}`", first.0);
                let turned = match operands(&next.expr) {
                    Some((Op::GreaterThan, ..)) => ", for example to `<`",
                    Some((Op::LessThan, ..)) => ", for example to `>`",
                    _ => "",
                };
                let help = format!("change the condition{turned}, or remove it");
                self.warn(Code::Condition, start(&next.expr), message, help);
            }
            branch = &next.branch;
        }
    }

    /// Permits or sets of squares joined by the logical operator. Returns whether it was reported.
    pub(super) fn joined_by_words(
        &mut self,
        whole: &Expr,
        parts: &[Expr],
        values: &[AbstractValue],
        sign: &str,
    ) -> bool {
        let sort = [ValueKind::Permit, ValueKind::Squares];
        let Some(kind) = sort.into_iter().find(|kind| values.iter().all(|value| value.kinds.is(*kind))) else {
            return false;
        };
        let texts: Vec<String> = parts.iter().map(|part| self.source(part)).collect();
        let plain = &sign[..1];
        // The operator comes before the second operand.
        let second = parts.get(1).map_or(start(whole), start);
        let before = self.tokens.iter().rfind(|token| token.at < second && token.is(sign));
        let at = before.map_or(start(whole), |token| token.at);
        let what = if kind == ValueKind::Permit { "permits" } else { "sets of squares" };
        let ask = |part: &Expr| match kind {
            ValueKind::Permit => format!("{}.exists()", self.operand(part)),
            _ => format!("!{}.is_empty", self.operand(part)),
        };
        let first = index_at(self.tokens, start(whole)).unwrap_or(0);
        let in_condition = first > 0 && matches!(self.tokens[first - 1].text, "if" | "while");
        let message = format!("`{sign}` needs true or false, but these are {what}");
        let help = if in_condition {
            let tests: Vec<String> = parts.iter().map(ask).collect();
            format!("test each of them: `{}`", tests.join(&format!(" {sign} ")))
        } else {
            let all = texts.join(&format!(" {plain} "));
            format!("combine {what} with `{plain}`: `{all}`; in a condition, write `{}`", ask(&parts[0]))
        };
        self.error(Code::Condition, at, message, help);
        true
    }

    /// One value compared with two different constants so that the result is fixed: `a != 4 || a != 6`, `a == 4 && a == 6`.
    pub(super) fn both_ways(&mut self, parts: &[Expr], or: bool) {
        let wanted = if or { Op::NotEqualsTo } else { Op::EqualsTo };
        let compared: Vec<(String, String, &Expr)> = parts
            .iter()
            .take(MOST)
            .filter_map(|part| match operands(part)? {
                (
                    op,
                    left @ (Expr::Variable(..) | Expr::Dot(..)),
                    right @ (Expr::StringConstant(..) | Expr::IntegerConstant(..)),
                ) if *op == wanted => Some((self.source(left), self.source(right), part)),
                _ => None,
            })
            .collect();
        let pairs =
            compared.iter().enumerate().flat_map(|(i, one)| compared[i + 1..].iter().map(move |other| (one, other)));
        let mut wrong = pairs.filter(|(one, other)| one.0 == other.0 && one.1 != other.1);
        let Some((one, other)) = wrong.next() else { return };
        let (subject, first, second) = (&one.0, &one.1, &other.1);
        let message = format!("this is always {or}: `{subject}` cannot be both {first} and {second}");
        let help = match or {
            true => format!("to test for neither value, write `{subject} != {first} && {subject} != {second}`"),
            false => format!("to test for either value, write `{subject} == {first} || {subject} == {second}`"),
        };
        self.warn(Code::Condition, start(one.2), message, help);
    }

    /// Two comparisons of one number that never both hold, `n >= 5 && n <= 2`, or that cover all numbers, `n > 3 || n < 5`.
    pub(super) fn no_room(&mut self, parts: &[Expr], or: bool) {
        if self.report.is_none() {
            return;
        }
        let plain = |expr: &Expr| path_of(expr).is_some() || numbered_entry(expr).is_some();
        let all: Vec<(&Expr, (i64, i64), &Expr)> = parts
            .iter()
            .take(MOST)
            .filter_map(|part| bounded(part).map(|(left, bounds)| (left, bounds, part)))
            .filter(|(left, ..)| plain(left))
            .collect();
        let pairs = all.iter().enumerate().flat_map(|(i, one)| all[i + 1..].iter().map(move |other| (one, other)));
        let wrong = pairs.into_iter().find(|(one, other)| {
            let ((a, b), (c, d)) = (one.1, other.1);
            // Two comparisons with `==` are reported elsewhere, except on entries.
            let told = a == b && c == d && !matches!(one.0, Expr::Index(..));
            let never = !or && a.max(c) > b.min(d) && !told;
            let always = or && (a, d) == (i64::MIN, i64::MAX) && c <= b.saturating_add(1)
                || or && (c, b) == (i64::MIN, i64::MAX) && a <= d.saturating_add(1);
            (never || always) && written(one.0) == written(other.0)
        });
        let Some((one, other)) = wrong else { return };
        let [first, second] = [one, other].map(|(_, bounds, _)| held_by(*bounds));
        // Neither comparison alone is ever true.
        let outside = || {
            let Expr::Variable(name, ..) = one.0 else { return false };
            let known = self.lookup(&name.1).bounds();
            known.is_some_and(|(least, most)| [one.1, other.1].iter().all(|(a, b)| *b < least || *a > most))
        };
        let (why, help) = match or {
            false if outside() => (
                format!("cannot be {first} and {second} at the same time"),
                "check the numbers and the direction of both comparisons",
            ),
            true => (format!("is always {first}, or {second}"), "to require both, write `&&`"),
            false => (format!("cannot be {first} and {second} at the same time"), "to accept either, write `||`"),
        };
        let message = format!("this is always {or}: `{}` {why}", self.source(one.0));
        self.warn(Code::Condition, start(one.2), message, help);
    }

    /// The words of a condition, up to its block.
    fn words_from(&self, expr: &Expr) -> Vec<String> {
        self.tokens_from(expr).iter().map(|token| token.text.to_string()).collect()
    }

    /// The tokens of a condition, up to its block.
    fn tokens_from(&self, expr: &Expr) -> &[Token<'_>] {
        let first = index_at(self.tokens, start(expr));
        let rest = first.map_or(&[][..], |first| &self.tokens[first..]);
        let mut depth = 0;
        let end = rest.iter().position(|token| {
            let ends = depth == 0 && token.is("{");
            depth += step(token);
            ends
        });
        &rest[..end.unwrap_or(rest.len())]
    }
}

/// A range as text.
fn held_by((least, most): (i64, i64)) -> String {
    match () {
        () if least == most => least.to_string(),
        () if least == i64::MIN => format!("{most} or less"),
        () if most == i64::MAX => format!("{least} or more"),
        () if least + 1 == most => format!("{least} or {most}"),
        () => format!("{least} to {most}"),
    }
}
