//! Finds code without effect: conditions with two equal branches, a special case that returns the same as the default after
//! it, counters that are set to their current value.
//!
//! The check only compares tokens, so that equal code has equal meaning. Invariant: a finding is reported only if the
//! script would play the same without the condition or call.

use super::brackets::{around, block_start, closing, step};
use super::report::Report;
use crate::diagnostic::{Code, Severity};
use crate::host::tokens::{Token, arguments, is_comparison};
use std::ops::Range;

/// Checks the whole script.
pub(super) fn check(all: &[Token<'_>], report: &mut Report) {
    for i in 0..all.len() {
        match all[i].text {
            "if" => condition(all, i, report),
            "switch" => cases(all, i, report),
            "set" => set_to_itself(all, i, report),
            "add" => adds_nothing(all, i, report),
            _ => {}
        }
    }
}

/// The tokens between an opening bracket and the one that closes it.
fn inside(all: &[Token<'_>], open: usize) -> Option<Range<usize>> {
    closing(all, open).map(|close| open + 1..close)
}

/// The condition or value that begins here, and the block after it.
fn block(all: &[Token<'_>], from: usize) -> Option<(Range<usize>, Range<usize>)> {
    let open = block_start(all, from)?;
    Some((from..open, inside(all, open)?))
}

/// Whether two ranges consist of the same tokens.
fn alike(all: &[Token<'_>], one: &Range<usize>, other: &Range<usize>) -> bool {
    let words = |range: &Range<usize>| all[range.clone()].iter().map(|token| token.text).collect::<Vec<_>>();
    !one.is_empty() && words(one) == words(other)
}

/// A block without its final `;`.
fn trimmed(all: &[Token<'_>], block: Range<usize>) -> Range<usize> {
    let end = if block.end > block.start && all[block.end - 1].is(";") { block.end - 1 } else { block.end };
    block.start..end
}

/// A condition without effect.
fn condition(all: &[Token<'_>], at: usize, report: &mut Report) {
    let Some((asked, then)) = block(all, at + 1) else { return };
    let behind = then.end + 1;
    if all.get(behind).is_some_and(|token| token.is("else")) {
        if !all.get(behind + 1).is_some_and(|token| token.is("{")) {
            return;
        }
        let Some(other) = inside(all, behind + 1) else { return };
        if alike(all, &trimmed(all, then), &trimmed(all, other)) {
            let message = "both branches are the same: this condition has no effect".to_string();
            let help = "correct one of the branches, or remove the condition".to_string();
            let others = vec![(all[behind].at.0, all[behind].at.1, "the same code".to_string())];
            report.verdict(Severity::Warning, Code::NoDifference, all[at].at, (message, help), others, Vec::new());
        }
        return;
    }
    same_constant(all, at, then.clone(), report);
    set_to_what_it_is(all, &asked, &then, report);
}

/// A case that returns a constant, followed by code that returns the same constant in all other cases.
fn same_constant(all: &[Token<'_>], at: usize, then: Range<usize>, report: &mut Report) {
    let behind = then.end + 1;
    let then = trimmed(all, then);
    if then.is_empty() || !all[then.start].is("return") {
        return;
    }
    let result = then.start + 1..then.end;
    let Some(end) = (behind..all.len()).find(|&i| all[i].is("}")) else { return };
    let mut rest = trimmed(all, behind..end);
    let returned = all[rest.clone()].first().is_some_and(|token| token.is("return"));
    rest.start += usize::from(returned);
    if (returned || in_function(all, at)) && alike(all, &result, &rest) {
        let shown: Vec<&str> = all[result].iter().map(|token| token.text).collect();
        let message = format!("this case returns `{}`, and so does the code after it", shown.join(" "));
        let help = "return a different value here or in the code after it, or remove the case".to_string();
        let others = vec![(all[rest.start].at.0, all[rest.start].at.1, "this returns the same value".to_string())];
        report.verdict(Severity::Warning, Code::NoDifference, all[at].at, (message, help), others, Vec::new());
    }
}

/// Whether the block around a token is the body of a function.
fn in_function(all: &[Token<'_>], at: usize) -> bool {
    let Some(open) = around(all, at) else { return false };
    let head = open.checked_sub(1).filter(|&end| all[end].is(")")).and_then(|end| around(all, end));
    head.is_some_and(|head| head > 1 && all[head - 2].is("fn"))
}

/// The arguments of a call of `get` or `number`, if the range is exactly that call.
fn read(all: &[Token<'_>], stretch: &Range<usize>) -> Option<Range<usize>> {
    all.get(stretch.start).filter(|token| token.is("get") || token.is("number"))?;
    inside(all, stretch.start + 1).filter(|args| args.end + 1 == stretch.end)
}

/// The arguments of `set` or `add` that name the counter or trait, and the value.
fn target(all: &[Token<'_>], name: usize) -> Option<(Range<usize>, Range<usize>)> {
    let called = name == 0 || !matches!(all[name - 1].text, "." | "fn" | "::" | "?.");
    if !called || !all.get(name + 1).is_some_and(|token| token.is("(")) {
        return None;
    }
    match arguments(all, name + 1).as_slice() {
        [first, .., before, value] => Some((first.start..before.end, value.clone())),
        [first, value] => Some((first.clone(), value.clone())),
        _ => None,
    }
}

/// A comparison `x == value`, where `x` reads a counter directly or is a variable that holds it.
fn compared(all: &[Token<'_>], asked: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let mut depth = 0;
    let mut equals = None;
    for i in asked.clone() {
        match all[i].text {
            "==" if depth == 0 => equals = Some(i),
            "&&" | "||" | "!" if depth == 0 => return None,
            sign if depth == 0 && is_comparison(sign) => return None,
            _ => {}
        }
        depth += step(&all[i]);
    }
    let equals = equals?;
    let (left, right) = (asked.start..equals, equals + 1..asked.end);
    Some((read(all, &left)?, right))
}

/// A counter that is set to the number it has just been compared with.
fn set_to_what_it_is(all: &[Token<'_>], asked: &Range<usize>, then: &Range<usize>, report: &mut Report) {
    let Some((counter, number)) = compared(all, asked) else { return };
    if !all.get(then.start).is_some_and(|token| token.is("set")) {
        return;
    }
    let Some((target, value)) = target(all, then.start) else { return };
    if alike(all, &counter, &target) && alike(all, &number, &value) {
        tell_set(all, then.start, "the counter already has this value here", report);
    }
}

/// A counter that is set to its own value, directly or after a comparison with that value.
fn set_to_itself(all: &[Token<'_>], at: usize, report: &mut Report) {
    let Some((target, value)) = target(all, at) else { return };
    if read(all, &value).is_some_and(|counter| alike(all, &counter, &target)) {
        tell_set(all, at, "the new value is the current value", report);
        return;
    }
    if !all[value.start].is("if") {
        return;
    }
    let Some((asked, then)) = block(all, value.start + 1) else { return };
    let known = compared(all, &asked).or_else(|| compared_variable(all, &asked, at));
    let Some((counter, number)) = known else { return };
    if alike(all, &counter, &target) && alike(all, &number, &then) {
        tell_set(all, then.start, "the counter already has this value", report);
    }
}

/// The same comparison, if a variable that is declared right before holds the counter's value or the result of the
/// comparison.
fn compared_variable(all: &[Token<'_>], asked: &Range<usize>, at: usize) -> Option<(Range<usize>, Range<usize>)> {
    let name = all.get(asked.start).filter(|token| token.is_word())?;
    let end = at.checked_sub(1).filter(|&i| all[i].is(";"))?;
    let start = (0..end).rev().find(|&i| matches!(all[i].text, "let" | ";" | "}"))?;
    if !all[start].is("let") || !all[start + 1].is(name.text) || !all[start + 2].is("=") {
        return None;
    }
    let value = start + 3..end;
    match asked.len() {
        1 => compared(all, &value),
        3 if all[asked.start + 1].is("==") => Some((read(all, &value)?, asked.start + 2..asked.end)),
        _ => None,
    }
}

/// Reports a `set` that changes nothing.
fn tell_set(all: &[Token<'_>], at: usize, why: &str, report: &mut Report) {
    let message = format!("this changes nothing: {why}");
    let help = "set it to a different value, or remove this call".to_string();
    report.warning(Code::NoDifference, all[at].at, message, Some(help));
}

/// `add` of 0.
fn adds_nothing(all: &[Token<'_>], at: usize, report: &mut Report) {
    if let Some((_, value)) = target(all, at)
        && value.len() == 1
        && all[value.start].is("0")
    {
        let message = "this changes nothing: it adds 0".to_string();
        let help = Some("add a different number, or remove this call".into());
        report.warning(Code::NoDifference, all[value.start].at, message, help);
    }
}

/// A case of a switch with the same result as `_`.
fn cases(all: &[Token<'_>], at: usize, report: &mut Report) {
    let Some((_, body)) = block(all, at + 1) else { return };
    let mut arms: Vec<(usize, Range<usize>)> = Vec::new();
    let (mut depth, mut start, mut arrow) = (0, body.start, None);
    let mut end_case = |start, arrow: Option<usize>, end| arms.extend(arrow.map(|arrow| (start, arrow + 1..end)));
    for (i, token) in all.iter().enumerate().take(body.end).skip(body.start) {
        if depth == 0 && token.is(",") {
            end_case(start, arrow, i);
            (start, arrow) = (i + 1, None);
        }
        if depth == 0 && token.is("=>") && arrow.is_none() {
            arrow = Some(i);
        }
        depth += step(token);
    }
    end_case(start, arrow, body.end);
    let Some((_, default)) = arms.iter().find(|(start, _)| all[*start].is("_")).cloned() else { return };
    let empty = all[default.clone()].iter().all(|token| matches!(token.text, "{" | "}" | "(" | ")"));
    if empty {
        return;
    }
    for (start, result) in arms.iter().filter(|(start, _)| !all[*start].is("_")) {
        if alike(all, result, &default) {
            let message = "this case has the same result as `_`".to_string();
            let help = "give it a different result, or remove it".to_string();
            report.note(Code::NoDifference, all[*start].at, message, Some(help));
        }
    }
}
