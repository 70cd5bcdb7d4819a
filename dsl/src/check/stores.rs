//! Finds variables whose new value is never read, probably because another variable was intended. Also finds parameters
//! that a variable of the same name hides before they are read.
//!
//! The check uses only tokens and brackets. Nothing is reported if a template string could name the variable.

use super::brackets::{closing, statement_end, step};
use super::report::Report;
use crate::diagnostic::Code;
use crate::host::tokens::{Sort, Token};
use std::ops::Range;

/// Operators that assign to a variable.
const SETS: [&str; 9] = ["=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^="];

/// Checks all functions.
pub(super) fn check(all: &[Token<'_>], report: &mut Report) {
    for i in 0..all.len() {
        if all[i].is("fn") && all.get(i + 1).is_some_and(Token::is_word) {
            function(all, i, report);
        }
    }
}

fn function(all: &[Token<'_>], start: usize, report: &mut Report) {
    let bracket = |open: usize| open..closing(all, open).map_or(all.len(), |close| close + 1);
    let head = bracket(start + 2);
    let params: Vec<&str> = all[head.clone()].iter().filter(|token| token.is_word()).map(|token| token.text).collect();
    if !all.get(head.end).is_some_and(|token| token.is("{")) {
        return;
    }
    let body = bracket(head.end);
    let loops = loops(all, &body);
    let name_of = |i: usize| all[i].text;
    for i in body.clone().filter(|&i| all[i].is_word()) {
        let (before, after) = (all[i - 1].text, all.get(i + 1).map_or("", |token| token.text));
        if before == "let" && params.contains(&name_of(i)) && !reads(all, body.start..i, name_of(i)) {
            let end = statement_end(all, i);
            if !reads(all, i + 1..end, name_of(i)) && all[body.start..i].iter().all(|token| !token.is(name_of(i))) {
                let message = format!("this `let` hides the parameter `{}` before it is read", name_of(i));
                let help = "rename one of them, or remove the parameter".to_string();
                report.warning(Code::Unused, all[i].at, message, Some(help));
            }
        }
        let is_local = params.contains(&name_of(i)) || is_made(all, &body, name_of(i));
        let stands_first = matches!(before, ";" | "{" | "}");
        if !SETS.contains(&after) || !stands_first || !is_local || in_closure(all, &body, i) {
            continue;
        }
        let end = statement_end(all, i);
        let later = reads(all, end..body.end, name_of(i));
        let again = loops
            .iter()
            .filter(|around| around.contains(&i))
            .any(|around| reads(all, around.start..i, name_of(i)) || reads(all, i + 1..around.end, name_of(i)));
        if !later && !again {
            let message = format!("the new value of `{}` is never used", name_of(i));
            let help = match never_set(all, &body, i).as_slice() {
                [only] => format!("did you mean `{only}`? It is read, but never changed"),
                _ => format!("use the new value of `{}`, or remove this assignment", name_of(i)),
            };
            report.warning(Code::Unused, all[i].at, message, Some(help));
        }
    }
}

/// The variables declared in the blocks around a token that are read and never reassigned.
fn never_set<'t>(all: &[Token<'t>], body: &Range<usize>, i: usize) -> Vec<&'t str> {
    let made = (body.start..i).filter(|&at| all[at - 1].is("let") && all[at].is_word());
    let around = |at: &usize| {
        let mut depth = 0;
        all[*at..i].iter().all(|token| {
            depth += step(token);
            depth >= 0
        })
    };
    let set = |name: &str| {
        all[body.clone()]
            .windows(3)
            .any(|three| three[1].is(name) && SETS.contains(&three[2].text) && matches!(three[0].text, ";" | "{" | "}"))
    };
    let names = made.filter(around).map(|at| all[at].text);
    names.filter(|name| !set(name) && reads(all, body.clone(), name)).collect()
}

/// The loops in a function, including their conditions.
fn loops(all: &[Token<'_>], body: &Range<usize>) -> Vec<Range<usize>> {
    let starts = body.clone().filter(|&i| matches!(all[i].text, "loop" | "while" | "for" | "do"));
    let to_end = |start: usize| {
        let open = (start..body.end).find(|&i| all[i].is("{"))?;
        Some(start..closing(all, open).map_or(all.len(), |close| close + 1))
    };
    starts.filter_map(to_end).collect()
}

/// Whether a function declares a variable with this name.
fn is_made(all: &[Token<'_>], body: &Range<usize>, name: &str) -> bool {
    all[body.clone()].windows(2).any(|pair| matches!(pair[0].text, "let" | "for") && pair[1].is(name))
}

/// Whether a token is in an anonymous function, whose time of execution is unknown.
fn in_closure(all: &[Token<'_>], body: &Range<usize>, i: usize) -> bool {
    let mut depth = 0;
    (body.start + 1..i).rev().any(|at| {
        depth -= step(&all[at]);
        let opened = depth < 0 && all[at].opens();
        if opened {
            depth = 0;
        }
        opened && matches!(all[at - 1].text, "|" | "||")
    })
}

/// Whether the tokens read a variable. An assignment that uses only the variable's own old value does not count.
fn reads(all: &[Token<'_>], range: Range<usize>, name: &str) -> bool {
    range.into_iter().any(|i| {
        let token = &all[i];
        if token.sort == Some(Sort::Template) {
            return token.text.contains(name);
        }
        let (before, after) = (i.checked_sub(1).map_or("", |at| all[at].text), all.get(i + 1).map_or("", |t| t.text));
        let sets = SETS.contains(&after) && matches!(before, ";" | "{" | "}");
        let is_key = after == ":" && matches!(before, "#{" | ",");
        token.is(name) && !matches!(before, "." | "let") && !sets && !is_key
    })
}
