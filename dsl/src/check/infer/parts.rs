//! Finds additions of a set of squares to a set that already contains it.
//!
//! Only certain cases are reported: sets that only ever grow in their function.

use super::super::brackets::{function_around, index_at};
use super::super::shapes::variable;
use super::abstract_value::AbstractValue;
use super::{LineColumn, Walker, start};
use crate::diagnostic::Code;
use crate::functions::{Cost, costs, gives, position_where};
use crate::host::kind::ValueKind;
use crate::host::tokens::Token;
use rhai::{Expr, Token as Op};

impl Walker<'_> {
    /// Marks a difference as a subset of its left operand, and an intersection as a subset of both operands.
    pub(super) fn part(
        &self,
        op: &Op,
        args: &[AbstractValue],
        exprs: &[&Expr],
        mut result: AbstractValue,
    ) -> AbstractValue {
        let ([left, right], [of, other]) = (args, exprs) else { return result };
        let both = left.kinds.is(ValueKind::Squares) && right.kinds.is(ValueKind::Squares);
        match op {
            Op::Minus if left.kinds.is(ValueKind::Squares) => result.part_of = wholes(left, of, name_of(other)),
            Op::Ampersand if both => {
                result.part_of = wholes(left, of, None);
                result.part_of.extend(wholes(right, other, None));
            }
            _ => {}
        }
        result
    }

    /// Marks a choice from a set, or a filtered set, as a subset of it.
    pub(super) fn chosen_part(
        &self,
        name: &str,
        args: &[AbstractValue],
        exprs: &[&Expr],
        mut result: AbstractValue,
    ) -> AbstractValue {
        let tests = || position_where(name, |param| param.name == "test").is_some();
        if costs(name, Cost::Decision) || gives(name, ValueKind::Squares) && tests() {
            let set = args.iter().zip(exprs).find(|(arg, _)| arg.kinds.is(ValueKind::Squares));
            result.part_of = set.map(|(arg, expr)| wholes(arg, expr, None)).unwrap_or_default();
        }
        result
    }

    /// An addition to a set that already contains the added squares.
    pub(super) fn adds_nothing(&mut self, op: &Op, name: &str, value: &AbstractValue, left: &Expr, right: &Expr) {
        if *op == Op::Ampersand {
            return self.stays_empty(name, left, right);
        }
        if *op != Op::Pipe || !self.only_grows(name, start(left)) {
            return;
        }
        let Some((_, taken)) = value.part_of.iter().find(|(whole, _)| whole == name) else { return };
        let added = self.source(right);
        let message = format!("`{name} |= {added}` changes nothing: `{added}` is already part of `{name}`");
        let help = match taken {
            Some(taken) => format!("did you mean `{taken} |= {added}`?"),
            None => format!("add it to a different set, or subtract it: `{name} -= {added}`"),
        };
        self.warn(Code::LostValue, start(left), message, help);
    }

    /// An intersection with a variable that starts as `nothing()` and is never added to.
    fn stays_empty(&mut self, name: &str, left: &Expr, right: &Expr) {
        let at = start(left);
        let Some(here) = index_at(self.tokens, at) else { return };
        let around = &self.tokens[function_around(self.tokens, here)];
        let made = around.windows(5).any(|five| {
            five[0].is("let") && five[1].is(name) && five[2].is("=") && five[3].is("nothing") && five[4].is("(")
        });
        let grows = around
            .windows(3)
            .any(|three| three[1].is(name) && !three[0].is("let") && matches!(three[2].text, "=" | "|="));
        if made && !grows {
            let added = self.source(right);
            let message = format!("`{name}` starts as `nothing()`, and `&=` keeps it empty");
            self.warn(Code::LostValue, at, message, format!("to add to it, write `{name} |= {added}`"));
        }
    }

    /// Whether a variable never shrinks after its declaration, in the function around a place.
    fn only_grows(&self, name: &str, at: LineColumn) -> bool {
        let Some(here) = index_at(self.tokens, at) else { return false };
        let shrinks = |three: &[Token<'_>]| {
            three[1].is(name) && !three[0].is("let") && matches!(three[2].text, "=" | "-=" | "&=")
        };
        !self.tokens[function_around(self.tokens, here)].windows(3).any(shrinks)
    }
}

/// The sets that contain a subset of `set`.
fn wholes(set: &AbstractValue, expr: &Expr, taken: Option<String>) -> Vec<(String, Option<String>)> {
    let own = name_of(expr).map(|name| (name, taken));
    own.into_iter().chain(set.part_of.iter().cloned()).collect()
}

fn name_of(expr: &Expr) -> Option<String> {
    variable(expr).map(str::to_string)
}
