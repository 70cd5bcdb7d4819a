//! Checks the bounds of ranges in arguments: the lower bound comes first.
//!
//! Applies to calls whose arguments have the right kinds. [`super::values`] determines the possible values.

use super::abstract_value::AbstractValue;
use super::{LineColumn, Walker, start};
use crate::diagnostic::Code;
use crate::functions::Form;
use crate::host::kind::ValueKind;
use rhai::Expr;

impl Walker<'_> {
    /// A lower bound that is always greater than the upper bound after it.
    pub(super) fn bounds(
        &mut self,
        name: &str,
        fitting: &[&Form],
        args: &[AbstractValue],
        exprs: &[&Expr],
        at: LineColumn,
    ) {
        let pair =
            |form: &&Form| form.params.windows(2).position(|two| two[0].name == "least" && two[1].name == "most");
        let Some(first) = fitting.iter().find_map(pair).filter(|first| first + 1 < args.len()) else { return };
        let range = |at: usize| args[at].range.filter(|_| args[at].kinds.is(ValueKind::Number));
        let (Some(least), Some(most)) = (range(first), range(first + 1)) else { return };
        if least.0 <= most.1 {
            return;
        }
        let texts = self.argument_texts(at, exprs, false);
        let mut ordered = texts.clone();
        if first + 1 < ordered.len() {
            ordered.swap(first, first + 1);
        }
        let message = format!(
            "the bounds of `{name}` are in the wrong order: there are no numbers from {} to {}",
            least.0, most.1
        );
        let help = format!("write the lower bound first: `{name}({})`", ordered.join(", "));
        self.warn(Code::Arguments, start(exprs[first]), message, help);
    }

    /// A `choose_number` call with an upper bound of 0 or less and an unknown lower bound: the bounds are swapped.
    pub(super) fn bid(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr], at: LineColumn) {
        let ("choose_number", [_, least, most, ..]) = (name, args) else { return };
        let (least, known) = (least.only_number(), most.only_number());
        if known.is_none_or(|most| least.map_or(most > 0, |least| least <= most)) {
            return;
        }
        let texts = self.argument_texts(at, exprs, false);
        let [side, first, second, rest @ ..] = texts.as_slice() else { return };
        let rest: String = rest.iter().map(|text| format!(", {text}")).collect();
        let message = format!("the bounds of `{name}` seem to be in the wrong order: the upper bound is {second}");
        let help = format!("write the lower bound first: `{name}({side}, {second}, {first}{rest})`");
        self.warn(Code::Arguments, start(exprs[1]), message, help);
    }
}
