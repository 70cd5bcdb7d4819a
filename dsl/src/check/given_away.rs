//! Finds pieces that are given to a side in the same block that eliminates that side.

use super::report::Report;
use crate::diagnostic::{Code, Severity};
use crate::host::tokens::{Token, arguments, text_of};
use std::ops::Range;

/// Checks all eliminations.
pub(super) fn check(all: &[Token<'_>], report: &mut Report) {
    let text = report.text.clone();
    for i in (0..all.len()).filter(|&i| called(all, i, "eliminate")) {
        if let [side] = arguments(all, i + 1).as_slice() {
            let side = text_of(&text, all, side);
            block(all, i).for_each(|other| given(all, other, i, (side, &text), report));
        }
    }
}

/// Whether the token calls a function by its plain name.
fn called(all: &[Token<'_>], at: usize, name: &str) -> bool {
    let plain = at == 0 || !matches!(all[at - 1].text, "fn" | "." | "::");
    all[at].is(name) && plain && all.get(at + 1).is_some_and(|token| token.is("("))
}

/// The tokens at the same block level as a given token, without nested blocks.
fn block(all: &[Token<'_>], at: usize) -> impl Iterator<Item = usize> {
    let level = |range: &mut dyn Iterator<Item = usize>, inwards: fn(&Token<'_>) -> i32| {
        let (mut depth, mut found) = (0, Vec::new());
        for i in range {
            let step = inwards(&all[i]);
            if depth == 0 && step == 0 {
                found.push(i);
            }
            depth += step;
            if depth < 0 {
                break;
            }
        }
        found
    };
    let inwards = |token: &Token<'_>| i32::from(token.opens()) - i32::from(token.closes());
    let outwards = |token: &Token<'_>| i32::from(token.closes()) - i32::from(token.opens());
    let mut found = level(&mut (0..at).rev(), outwards);
    found.extend(level(&mut (at + 1..all.len()), inwards));
    found.into_iter()
}

/// Warns about a call that gives pieces to the side being eliminated.
fn given(all: &[Token<'_>], at: usize, out: usize, (side, text): (&str, &str), report: &mut Report) {
    let shown = |range: &Range<usize>| text_of(text, all, range).to_string();
    let args = || arguments(all, at + 1);
    let to = |range: &Range<usize>| shown(range) == side;
    let help = if called(all, at, "convert_all") {
        match args().as_slice() {
            [from, receiver] if to(receiver) && !to(from) => {
                format!("write the side that loses its pieces first: `convert_all({side}, {})`", shown(from))
            }
            _ => return,
        }
    } else if called(all, at, "convert") {
        match args().as_slice() {
            [_, receiver] if to(receiver) => "give them to a side that stays in the game".to_string(),
            _ => return,
        }
    } else {
        return;
    };
    let message = format!("these pieces go to `{side}`, which line {} eliminates", all[out].at.0);
    let others = vec![(all[out].at.0, all[out].at.1, "this eliminates the side".to_string())];
    report.verdict(Severity::Warning, Code::WrongSide, all[at].at, (message, help), others, Vec::new());
}
