//! Permits of several moves that take what it was before the first move for what it is.
//!
//! `play_each` makes the permits of all dice before the first move, unless it has the option `anew`. What a permit has asked
//! of a mark, a trait or a counter by then does not follow what the function under `after` does to the same one, and a set
//! of the mover's pieces does not follow his moves ([`follow`]). What stands in a test of moves or squares is asked each time
//! and is left alone, for a test is a function of its own.

mod follow;
mod held;

use super::definitions::Definition;
use super::name_table::Place;
use super::report::Report;
use super::shapes::{called, each_node};
use crate::diagnostic::{Code, Severity};
use crate::functions::{Cost, costs, gives};
use crate::host::kind::ValueKind;
use crate::host::walk::walk_script;
use follow::Frozen;
use rhai::{AST, Expr, FnCallExpr, FnPtr, Stmt};
use std::collections::BTreeSet;

/// Whether a function tells what something is at the time of its call. What a permit is about is asked when it is used.
fn reads(name: &str) -> bool {
    let tells = [Cost::Question, Cost::Search, Cost::Value].iter().any(|cost| costs(name, *cost));
    tells && !gives(name, ValueKind::Permit)
}

/// Whether a function changes something.
fn writes(name: &str) -> bool {
    costs(name, Cost::Effect)
}

/// Complains of what is read before the first move and changed behind it.
pub(super) fn check(ast: &AST, functions: &[Definition], report: &mut Report) {
    let known = by_name(ast, functions, report);
    let mut told = BTreeSet::new();
    for frozen in follow::frozen(ast, functions) {
        if !known.contains(&frozen.call) && told.insert(frozen.source.at) {
            tell(&frozen, report);
        }
    }
}

/// Complains of permits that hold what the moves of their turn change.
fn tell(frozen: &Frozen, report: &mut Report) {
    let what = if frozen.source.is_set { "this set" } else { "this answer" };
    let message = if frozen.anew {
        format!("{what} is asked for once, before the moves: `anew` asks only the function again")
    } else {
        format!("`play_each` makes its permits before the first move: {what} does not follow its moves")
    };
    let help = match (frozen.made, frozen.source.inside, frozen.anew) {
        (false, true, _) => "add `anew: true` to the options of `play_each`: each move then has permits of its own",
        (false, false, true) => "ask for it within the function that makes the permits",
        (false, false, false) => {
            "ask for it within the function that makes the permits, and give `play_each` the option `anew: true`"
        }
        (true, ..) => "write `play_each(faces, |die| .., #{ anew: true })`, and ask for it within that function",
    };
    let others = vec![(frozen.call.0, frozen.call.1, "its permits hold it".to_string())];
    report.verdict(Severity::Warning, Code::Frozen, frozen.source.at, (message, help.into()), others, Vec::new());
}

/// Complains of what is read by name before the first move and changed under the same name behind it; where the
/// `play_each` stand of which that is so.
fn by_name(ast: &AST, functions: &[Definition], report: &mut Report) -> BTreeSet<Place> {
    let (mut turns, mut told) = (Vec::new(), BTreeSet::new());
    walk_script(ast, &mut |path| {
        if let Some((call, at)) = path.last().and_then(called) {
            turns.extend(permit_and_after(call).map(|(permit, after)| (permit, after, at)));
        }
        true
    });
    for (permit, after, call) in turns {
        let written: BTreeSet<String> = named(functions, &after, writes).into_iter().map(|(name, _)| name).collect();
        let read = named(functions, &permit, reads);
        if let Some((name, at)) = read.into_iter().find(|(name, _)| written.contains(name)) {
            let message = format!(
                "`play_each` makes the permits of all dice before the first move: {name} in them is what it was then, whatever `after` does to it"
            );
            let help = "add `anew: true` to the options of `play_each`, or ask in a test: `.where(|mv| ..)` is asked before each move";
            let others = vec![(call.0, call.1, "its permits ask for it".to_string())];
            report.verdict(Severity::Warning, Code::Frozen, at, (message, help.into()), others, Vec::new());
            told.insert(call);
        }
    }
    told
}

/// The functions that a call of `play_each` has permits from and runs after each move, if the permits are not asked anew.
fn permit_and_after(call: &FnCallExpr) -> Option<(String, String)> {
    let [_, permit, Expr::Map(options, _)] = &call.args[..] else { return None };
    let option = |key: &str| options.0.iter().find(|(name, _)| name.name == key).map(|(_, value)| value);
    let plain = call.name == "play_each" && call.namespace.is_empty() && option("anew").is_none();
    plain.then_some(())?;
    Some((function(permit)?, function(option("after")?)?))
}

/// The name of a function that is written as a value, with what it captures or without.
fn function(expr: &Expr) -> Option<String> {
    match expr {
        Expr::DynamicConstant(value, _) => value.read_lock::<FnPtr>().map(|pointer| pointer.fn_name().to_string()),
        Expr::FnCall(call, _) => call.args.first().and_then(function),
        Expr::Stmt(block) => match block.statements() {
            [.., Stmt::Expr(last)] => function(last),
            [.., Stmt::FnCall(call, _)] => call.args.first().and_then(function),
            _ => None,
        },
        _ => None,
    }
}

/// What calls of these functions name, in a function of the script and in those that it calls.
fn named(functions: &[Definition], function: &str, which: fn(&str) -> bool) -> Vec<(String, Place)> {
    let (mut open, mut seen, mut found) = (vec![function.to_string()], BTreeSet::new(), Vec::new());
    while let Some(function) = open.pop() {
        if !seen.insert(function.clone()) {
            continue;
        }
        for def in functions.iter().filter(|def| def.name == function) {
            each_node(&def.body, &mut |node| {
                let Some((call, at)) = called(node).filter(|(call, _)| call.namespace.is_empty()) else { return };
                match which(&call.name) {
                    true => found.extend(call.args.iter().filter_map(name).map(|name| (name, at))),
                    false => open.push(call.name.to_string()),
                }
            });
        }
    }
    found
}

/// What an argument names: a text that is no square, or a constant.
fn name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::StringConstant(text, _) if !text.contains(|c: char| c.is_ascii_digit()) => Some(format!("\"{text}\"")),
        Expr::Variable(parts, ..) if parts.1.chars().all(|c| c.is_uppercase() || c == '_') => {
            Some(format!("`{}`", parts.1))
        }
        _ => None,
    }
}
