//! Checks `switch`: cases that never match, and values without a case.

use super::super::brackets::index_at;
use super::abstract_value::{AbstractValue, Kinds, Origin};
use super::{LineColumn, Walker};
use crate::diagnostic::Code;
use crate::host::kind::ValueKind;
use crate::host::tokens::{Sort, Token};
use crate::notation::describe::alternatives;
use rhai::{Expr, SwitchCasesCollection};

/// Maximum number of values that are enumerated.
const MOST: i64 = 64;

/// A case as the script writes it.
struct Case {
    text: Option<String>,
    numbers: Option<(i64, i64)>,
    at: LineColumn,
    /// Whether the case has no additional condition.
    plain: bool,
}

impl Walker<'_> {
    pub(super) fn switch(
        &mut self,
        parts: &(Expr, SwitchCasesCollection),
        at: LineColumn,
        used: bool,
    ) -> AbstractValue {
        let (subject, cases) = parts;
        let mut value = self.value(subject);
        // A property of several dice is computed again each time, so a condition may have excluded some numbers before.
        if matches!(value.origin, Some(Origin::Together(_))) && self.guarded(subject) {
            value.origin = None;
        }
        self.guard(subject);
        let mut result = AbstractValue::of(Kinds::NONE);
        for case in cases.expressions.iter() {
            self.value(&case.lhs);
            result = result.or(&self.value(&case.rhs));
        }
        let written = self.cases(at);
        let uncovered = missing(&value, &written, !self.guarded(subject));
        let asked = self.source(subject);
        self.cannot_come(&asked, &value, &written, &uncovered);
        if cases.def_case.is_none() {
            let missing = uncovered;
            let add = if missing.len() == 1 { "add the missing case" } else { "add the missing cases" };
            if !missing.is_empty() && used {
                let message =
                    format!("this switch has no case for {}, so it may return no value", alternatives(&missing));
                let help = format!("{add}, or `_ => ...` for all other values");
                self.error(Code::Switch, at, message.clone(), help.clone());
                result.nothing = Some((at, message, help));
            } else if !missing.is_empty() && !is_rolled(&value) {
                let message = format!("this switch has no case for {}", alternatives(&missing));
                self.warn(Code::Switch, at, message, format!("{add}, or `_ => {{}}` to do nothing"));
            } else if used && missing.is_empty() {
                self.left_open(subject, &value, &result, &written, at);
                let message = format!("this switch does not cover every value of `{}`", self.source(subject));
                self.doubt(at, message);
            }
            if !missing.is_empty() || !value.kinds.known() || value.origin.is_none() {
                result = result.or(&AbstractValue::nothing());
            }
        }
        if result.kinds == Kinds::NONE { AbstractValue::any() } else { result }
    }

    /// A switch that returns plain values for some cases only, where other cases cannot be ruled out.
    fn left_open(
        &mut self,
        subject: &Expr,
        value: &AbstractValue,
        result: &AbstractValue,
        written: &[Case],
        at: LineColumn,
    ) {
        const PLAIN: [ValueKind; 4] = [ValueKind::Number, ValueKind::Text, ValueKind::Side, ValueKind::Array];
        let plain = result.kinds.known() && result.kinds.all().all(|kind| PLAIN.contains(&kind));
        let numbers = written.iter().filter(|case| case.plain).filter_map(|case| case.numbers);
        let covers = |n: i64| numbers.clone().any(|(least, most)| (least..=most).contains(&n));
        let outside = value.range.filter(|(least, most)| most - least < MOST);
        let outside = outside.map(|(least, most)| (least..=most).filter(|n| !covers(*n)).collect::<Vec<_>>());
        let numbers_only = |kind| matches!(kind, ValueKind::Number | ValueKind::Reckoned);
        let single = value.kinds.known() && (value.kinds.is(ValueKind::Text) || value.kinds.all().all(numbers_only));
        let asked = !single || value.texts.is_some() || self.guarded(subject) || self.asked_whether_nothing();
        if !plain || asked || written.len() < 2 || outside.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        let others = match &outside {
            Some(numbers) if numbers.len() <= 6 => {
                alternatives(&numbers.iter().map(ToString::to_string).collect::<Vec<_>>())
            }
            _ => format!("other {} of `{}`", if value.kinds.is(ValueKind::Text) { "strings" } else { "values" }, {
                self.source(subject)
            }),
        };
        let message = format!("this switch has no case for {others}, so it may return no value");
        self.warn(Code::Switch, at, message, "add the missing cases, or `_ => ...` for all other values");
    }

    /// Whether the script compares any value with `()`.
    fn asked_whether_nothing(&self) -> bool {
        let unit = |two: &[Token<'_>]| two[0].is("(") && two[1].is(")");
        let mut all = self.tokens.windows(3);
        self.tokens.iter().any(|token| token.is("??"))
            || all.any(|three| (three[0].is("==") || three[0].is("!=")) && unit(&three[1..]))
    }

    /// Cases for values that never occur, and duplicate cases.
    fn cannot_come(&mut self, asked: &str, value: &AbstractValue, written: &[Case], uncovered: &[String]) {
        let mut seen: Vec<&Case> = Vec::new();
        for case in written {
            let shown = case.text.as_ref().map_or_else(
                || case.numbers.map_or(String::new(), |(n, _)| n.to_string()),
                |text| format!("\"{text}\""),
            );
            if seen.iter().any(|before| (&before.text, before.numbers) == (&case.text, case.numbers)) {
                let message = format!("there is already a case for {shown}: this one is never reached");
                let help = match uncovered {
                    [] => "remove one of them, or write a different value".to_string(),
                    [one] => format!("did you mean {one}, which has no case yet?"),
                    [some @ .., last] => format!("did you mean {} or {last}? They have no case yet", some.join(", ")),
                };
                self.warn(Code::Switch, case.at, message, help);
                continue;
            }
            if case.plain {
                seen.push(case);
            }
            let single = |kind| value.kinds.without(ValueKind::Nothing).is(kind);
            if let Some(text) = case.text.as_ref().filter(|_| single(ValueKind::Number)) {
                let help = match text.parse::<i64>() {
                    Ok(number) => format!("write {number} without quotes"),
                    Err(_) => "write a number".to_string(),
                };
                self.error(
                    Code::Switch,
                    case.at,
                    format!("`{asked}` is a number, so it is never the string {shown}"),
                    help,
                );
                continue;
            }
            if let Some((number, _)) = case.numbers.filter(|_| single(ValueKind::Text)) {
                let message = format!("`{asked}` is a string, so it is never the number {number}");
                self.error(Code::Switch, case.at, message, format!("write \"{number}\""));
                continue;
            }
            let never = case.text.as_ref().filter(|_| value.kinds.known()).and_then(|text| self.never_is(value, text));
            if let Some((message, help)) = never {
                self.error(Code::Switch, case.at, message, help);
            }
            if let (Some((least, most)), Some(numbers)) =
                (value.range.filter(|_| value.kinds.is(ValueKind::Number)), case.numbers)
                && value.only_number().is_none()
                && (numbers.0 > most || numbers.1 < least)
            {
                let message = format!("the value is never {shown}: it can only be {least} to {most}");
                let help = format!("write a number from {least} to {most}, or remove the case");
                self.warn(Code::Switch, case.at, message, help);
            } else if let Some(numbers) = case.numbers.filter(|_| value.origin.is_none()) {
                self.passed_by(value, numbers, Code::Switch, case.at);
            }
        }
    }

    /// The cases of a switch in the script.
    fn cases(&self, at: LineColumn) -> Vec<Case> {
        let Some(first) = index_at(self.tokens, at) else { return Vec::new() };
        let Some(open) = (first..self.tokens.len()).find(|&i| self.tokens[i].is("{")) else { return Vec::new() };
        let (mut depth, mut i, mut heads, mut cases) = (0, open, true, Vec::new());
        while let Some(token) = self.tokens.get(i) {
            if token.opens() {
                depth += 1;
            } else if token.closes() {
                depth -= 1;
                // A case with braces does not need a comma after it.
                let next = self.tokens.get(i + 1).map_or("", |next| next.text);
                let goes_on = matches!(next, "." | "[" | "+" | "-" | "*" | "|" | "&" | "else");
                heads |= depth == 1 && token.is("}") && !goes_on;
            }
            if depth == 0 {
                break;
            }
            if depth == 1 {
                match token.text {
                    "=>" => heads = false,
                    "," => heads = true,
                    "if" if heads => {
                        cases.last_mut().into_iter().for_each(|case: &mut Case| case.plain = false);
                        // The case's condition is not a case.
                        while self.tokens.get(i + 1).is_some_and(|next| !next.is("=>")) {
                            i += 1;
                        }
                    }
                    _ if heads => cases.extend(self.case(i)),
                    _ => {}
                }
            }
            i += 1;
        }
        cases
    }

    fn case(&self, i: usize) -> Option<Case> {
        let token = &self.tokens[i];
        let text = |at: usize| self.tokens.get(at).map_or("", |token| token.text);
        if matches!(text(i.saturating_sub(1)), "..=" | "..") {
            return None;
        }
        match token.sort {
            Some(Sort::Text) => {
                let inner = token.text.trim_matches('"').to_string();
                (!inner.contains('\\')).then_some(Case { text: Some(inner), numbers: None, at: token.at, plain: true })
            }
            Some(Sort::Number) => {
                let sign = if text(i.wrapping_sub(1)) == "-" { -1 } else { 1 };
                let least = sign * token.text.parse::<i64>().ok()?;
                let most = match text(i + 1) {
                    "..=" => text(i + 2).parse().ok()?,
                    ".." => text(i + 2).parse::<i64>().ok()? - 1,
                    _ => least,
                };
                Some(Case { text: None, numbers: Some((least, most)), at: token.at, plain: true })
            }
            _ => None,
        }
    }
}

/// Whether a value is a die or a property of several dice.
fn is_rolled(value: &AbstractValue) -> bool {
    matches!(value.origin, Some(Origin::Dice(_) | Origin::Together(_)))
}

/// The possible values without a case, as text.
///
/// Values that are only certain to occur without conditions count only if no earlier condition has tested the value
/// (`unasked`).
fn missing(value: &AbstractValue, written: &[Case], unasked: bool) -> Vec<String> {
    let mut all = Vec::new();
    if value.origin.is_none() || !value.kinds.known() || matches!(value.origin, Some(Origin::Piece)) {
        return all;
    }
    let plain = || written.iter().filter(|case| case.plain);
    if value.kinds.has(ValueKind::Text) {
        let texts = value.texts.iter().flatten();
        all.extend(
            texts
                .filter(|(text, _)| !plain().any(|case| case.text.as_ref() == Some(text)))
                .map(|(text, _)| format!("\"{text}\"")),
        );
    }
    let comes = value.range.or(value.sure.filter(|_| unasked));
    if let Some((least, most)) = comes.filter(|(least, most)| most - least < MOST)
        && is_rolled(value)
    {
        let covered =
            |n: i64| plain().any(|case| case.numbers.is_some_and(|(least, most)| (least..=most).contains(&n)));
        all.extend((least..=most).filter(|n| !covered(*n)).map(|n| n.to_string()));
    }
    all
}
