//! Sets of squares that are part of another: adding one to the other changes nothing.
//!
//! Only what is certain is said: of a set that is only ever enlarged in its function.

use super::super::brackets::{function_around, index_at};
use super::super::shapes::variable;
use super::known::Known;
use super::{Place, Walker, start};
use crate::diagnostic::Code;
use crate::functions::{Cost, costs, gives, position_where};
use crate::host::kind::ValueKind;
use crate::host::tokens::Token;
use rhai::{Expr, Token as Op};

impl Walker<'_> {
    /// What is left when something is taken away from a set, or what two have in common, is part of it.
    pub(super) fn part(&self, op: &Op, args: &[Known], exprs: &[&Expr], mut result: Known) -> Known {
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

    /// What is chosen from a set, or sorted out of it, is part of it.
    pub(super) fn chosen_part(&self, name: &str, args: &[Known], exprs: &[&Expr], mut result: Known) -> Known {
        let tests = || position_where(name, |param| param.name == "test").is_some();
        if costs(name, Cost::Decision) || gives(name, ValueKind::Squares) && tests() {
            let set = args.iter().zip(exprs).find(|(arg, _)| arg.kinds.is(ValueKind::Squares));
            result.part_of = set.map(|(arg, expr)| wholes(arg, expr, None)).unwrap_or_default();
        }
        result
    }

    /// Something added to a set that it is part of.
    pub(super) fn adds_nothing(&mut self, op: &Op, name: &str, value: &Known, left: &Expr, right: &Expr) {
        if *op == Op::Ampersand {
            return self.stays_empty(name, left, right);
        }
        if *op != Op::Pipe || !self.only_grows(name, start(left)) {
            return;
        }
        let Some((_, taken)) = value.part_of.iter().find(|(whole, _)| whole == name) else { return };
        let added = self.source(right);
        let message = format!("`{name} |= {added}` changes nothing: `{added}` is part of `{name}` already");
        let help = match taken {
            Some(taken) => format!("did you mean `{taken} |= {added}`?"),
            None => format!("add it to another set, or take it away: `{name} -= {added}`"),
        };
        self.warn(Code::LostValue, start(left), message, help);
    }

    /// What is made as `nothing()` and never added to: what it has in common with something is nothing.
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
            let message = format!("`{name}` is made as nothing(): `&=` leaves it so");
            self.warn(Code::LostValue, at, message, format!("to add to it, write `{name} |= {added}`"));
        }
    }

    /// Whether nothing is ever taken from a variable after it is made, in the function around a place.
    fn only_grows(&self, name: &str, at: Place) -> bool {
        let Some(here) = index_at(self.tokens, at) else { return false };
        let shrinks = |three: &[Token<'_>]| {
            three[1].is(name) && !three[0].is("let") && matches!(three[2].text, "=" | "-=" | "&=")
        };
        !self.tokens[function_around(self.tokens, here)].windows(3).any(shrinks)
    }
}

/// The sets that a part of a set is part of.
fn wholes(set: &Known, expr: &Expr, taken: Option<String>) -> Vec<(String, Option<String>)> {
    let own = name_of(expr).map(|name| (name, taken));
    own.into_iter().chain(set.part_of.iter().cloned()).collect()
}

fn name_of(expr: &Expr) -> Option<String> {
    variable(expr).map(str::to_string)
}
