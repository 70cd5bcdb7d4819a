//! The kinds that calls return, and those that functions ask for by passing their parameters on.

use super::{Kinds, Reader, tidy};
use crate::calls;
use crate::document::{CallAround, Function};
use astragal_dsl::manual::{ParamKind, ValueKind};
use astragal_dsl::notation::dice;

impl Reader<'_> {
    /// A call, or an expression in parentheses.
    pub(super) fn of_call(&self, close: usize) -> Option<Kinds> {
        let document = self.document();
        let open = document.partner(close)?;
        if open == 0 || !document.is_name(open - 1) {
            return match open + 1 == close {
                true => Some(vec![ValueKind::Nothing]),
                false => self.of_range(open + 1..close),
            };
        }
        let call = self.call(open)?;
        if call.module.is_some() {
            return None;
        }
        if let Some(function) = calls::own(document, &call, close) {
            return self.of_function(function);
        }
        let forms = calls::meant(self, &call);
        if forms.is_empty() {
            let given = calls::given(self, &call, close);
            return calls::of_language(&call, &given).first().and_then(|one| one.result).map(|kind| vec![kind]);
        }
        let results = forms.iter().flat_map(|entry| entry.results).copied().collect();
        match tidy(results) {
            Some(kinds) if kinds == [ValueKind::Number, ValueKind::Array] => self.rolled(open + 1).or(Some(kinds)),
            kinds => kinds,
        }
    }

    /// The call whose bracket opens at a token.
    fn call(&self, open: usize) -> Option<CallAround> {
        self.document().call_of(open + 1).filter(|call| call.open == open)
    }

    /// The result of rolling the dice of a text: a number for one die, an array for several.
    pub(super) fn rolled(&self, token: usize) -> Option<Kinds> {
        let document = self.document();
        if !document.is_text(token) {
            return None;
        }
        let dice = dice::parse(&document.text()[document.inside(token)]).ok()?;
        let single = dice.dice.len() == 1 && !document.is(token + 1, ",");
        Some(vec![if single { ValueKind::Number } else { ValueKind::Array }])
    }

    /// The kinds of the parameters to which a function of the script passes one of its own.
    pub(crate) fn passed_on(&self, function: &Function, index: usize) -> Vec<ParamKind> {
        let document = self.document();
        let Some(name) = function.parameters.get(index).map(|&token| document.word(token)) else { return Vec::new() };
        let (start, end) = (document.tokens_before(function.body.start), document.tokens_before(function.body.end));
        let uses = (start..end).filter(|&at| {
            let alone = matches!(document.word(at.wrapping_sub(1)), "(" | "," | "[")
                && matches!(document.word(at + 1), ")" | "," | "]");
            alone && document.is(at, name)
        });
        let mut found = Vec::new();
        for call in uses.take(16).filter_map(|at| document.call_of(at)) {
            for form in calls::parameters_at(self.script, self, &call, call.open + 1) {
                found.extend(calls::parameter(&form).map(|one| one.kind));
            }
        }
        found
    }
}
