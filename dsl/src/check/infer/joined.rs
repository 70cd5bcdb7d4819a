//! Checks texts concatenated with `+`: with numbers, with a difference that lacks parentheses, and as dice.

use super::super::brackets::index_at;
use super::abstract_value::AbstractValue;
use super::{Walker, start};
use crate::diagnostic::Code;
use crate::functions::position_of;
use crate::host::kind::{ParamKind, ValueKind};
use crate::notation::{dice, nearest};
use rhai::Expr;

impl Walker<'_> {
    /// The concatenation of a text and another value.
    pub(super) fn joined(&mut self, left: &AbstractValue, right: &AbstractValue, exprs: &[&Expr]) -> AbstractValue {
        if self.count_behind(left, right, exprs) {
            return AbstractValue::any();
        }
        let digits = |known: &AbstractValue| known.only_text().is_some_and(|text| text.parse::<i64>().is_ok());
        for (text, other, expr) in [(right, left, exprs[1]), (left, right, exprs[0])] {
            if digits(text) && other.kinds.is(ValueKind::Number) && !self.is_dice(exprs[0]) {
                let digits = text.only_text().unwrap_or_default().to_string();
                let message = format!("`+ \"{digits}\"` turns the number into a string");
                self.error(Code::Arithmetic, start(expr), message, format!("write {digits} without quotes"));
                // Later uses of the result are only consequences.
                return AbstractValue::any();
            }
        }
        AbstractValue::together([left.clone(), right.clone()])
    }

    /// A number of dice written after the `d`, as in `"d6" + n`. Returns whether it was reported.
    fn count_behind(&mut self, left: &AbstractValue, right: &AbstractValue, exprs: &[&Expr]) -> bool {
        let single = left.only_text().is_some_and(|text| text.starts_with('d') && dice::parse(text).is_ok());
        let number = right.kinds.is(ValueKind::Number) || right.kinds.is(ValueKind::Reckoned);
        if !single || !number || !self.is_dice(exprs[0]) {
            return false;
        }
        let count = self.source(exprs[1]);
        let made = left.only_text().unwrap_or_default().to_string();
        let message = format!("with three dice, this makes \"{made}3\": the number of dice must come before the `d`");
        self.error(Code::Arithmetic, start(exprs[0]), message, format!("write `{count} + \"{made}\"`"));
        true
    }

    /// Whether an expression begins a dice argument, where a number and a text form dice.
    pub(super) fn is_dice(&self, expr: &Expr) -> bool {
        let at = start(expr);
        let first = index_at(self.tokens, at).filter(|first| *first > 1);
        first.is_some_and(|first| {
            self.tokens[first - 1].is("(") && position_of(self.tokens[first - 2].text, ParamKind::Dice) == Some(0)
        })
    }

    /// The expression with parentheses around a difference whose first number was concatenated to a text.
    pub(super) fn joined_first(&self, sign: &str, left: &AbstractValue, exprs: &[&Expr]) -> Option<String> {
        let [Expr::FnCall(call, _), taken] = exprs else { return None };
        let (true, "-", "+", [_, last]) =
            (left.kinds.is(ValueKind::Text), sign, call.name.as_str(), call.args.as_slice())
        else {
            return None;
        };
        let token = |expr: &Expr| self.tokens.iter().find(|token| token.at == start(expr));
        let before = self.text.get(token(exprs[0])?.span.start..token(last)?.span.start)?.trim_end();
        let [last, taken] = [last, *taken].map(|expr| self.operand(expr));
        Some(format!("{before} ({last} - {taken})"))
    }

    /// Advice that names the side most similar to an unknown text, or else all sides; `None` if the text is a side.
    pub(super) fn side_meant(&self, text: Option<&str>) -> Option<String> {
        let (text, sides) = (text?, self.world?.sides.as_slice());
        if sides.iter().any(|side| side == text) {
            return None;
        }
        Some(match nearest(text, sides.iter().map(String::as_str)) {
            Some(side) => format!("write `side(\"{side}\")`"),
            None => format!("the sides are: {}", sides.join(", ")),
        })
    }
}
