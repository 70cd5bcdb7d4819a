//! Counters that count down, went below 0 in trial games, and end the game at exactly 0: the end is passed over.

use super::report::Report;
use crate::diagnostic::Code;
use crate::host::tokens::{Token, tokens};
use astragal_core::{Side, State, Variant};
use std::collections::BTreeSet;

/// Notes the counters that begin above 0 and are below 0 now, by number.
pub(super) fn see(state: &State, below: &mut BTreeSet<usize>) {
    let (variant, position) = (&state.ruleset().variant, state.position());
    for (index, def) in variant.spec().counters.iter().enumerate() {
        let sides = if def.per_side { variant.sides() as u8 } else { 1 };
        if def.initial > 0 && (0..sides).any(|side| position.counter(variant, index, Side(side)) < 0) {
            below.insert(index);
        }
    }
}

/// Tells of those that `outcome` compares with 0 by `==`.
pub(super) fn judge(variant: &Variant, below: &BTreeSet<usize>, report: &mut Report) {
    let text = report.text.clone();
    let all = tokens(&text);
    let Some(body) = outcome(&all) else { return };
    for def in below.iter().filter_map(|index| variant.spec().counters.get(*index)) {
        let name = format!("\"{}\"", def.name);
        let asked = (0..body.len()).find_map(|at| {
            let [get, open, counter, ..] = &body[at..] else { return None };
            let close = (get.is("get") && open.is("(") && counter.text == name).then(|| closing(&body[at + 1..]))??;
            let [equals, zero, ..] = &body[at + 2 + close..] else { return None };
            (equals.is("==") && zero.is("0")).then_some(equals.at)
        });
        if let Some(at) = asked {
            let message = format!("the counter {name} goes below 0 in trial games, and `== 0` is not true there");
            report.note(Code::NoEnd, at, message, Some("write `<= 0`, or let the counter stop at 0".into()));
        }
    }
}

/// The words of the rule `outcome`.
fn outcome<'t, 's>(all: &'t [Token<'s>]) -> Option<&'t [Token<'s>]> {
    let head = all.windows(2).position(|two| two[0].is("fn") && two[1].is("outcome"))?;
    let open = head + all[head..].iter().position(|token| token.is("{"))?;
    Some(&all[open..=open + closing(&all[open..])?])
}

/// Where the bracket is closed that comes first.
fn closing(all: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0;
    all.iter().position(|token| {
        depth += i32::from(token.opens()) - i32::from(token.closes());
        depth == 0
    })
}
