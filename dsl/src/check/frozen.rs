//! Finds permits for several moves whose inputs are read before the first move and change during the moves.
//!
//! `play_each` makes the permits of all dice before the first move, unless it has the option `anew`. A permit that has
//! already read a mark, a trait or a counter does not see the changes that the function under `after` makes. A set of the
//! mover's pieces does not follow the mover's moves ([`follow`]). A test of moves or squares is a separate function that
//! runs each time, so its contents are not checked.

mod follow;
mod held;

use super::definitions::Definition;
use super::name_table::LineColumn;
use super::report::Report;
use super::shapes::{called, each_node};
use crate::diagnostic::{Code, Severity};
use crate::functions::{Cost, costs, gives};
use crate::host::kind::ValueKind;
use crate::host::walk::walk_script;
use follow::Frozen;
use rhai::{AST, Expr, FnCallExpr, FnPtr, Stmt};
use std::collections::BTreeSet;

/// Whether a function reads a value at the time of its call. A permit is excluded: its contents are evaluated when it is
/// used.
fn reads(name: &str) -> bool {
    let tells = [Cost::Question, Cost::Search, Cost::Value].iter().any(|cost| costs(name, *cost));
    tells && !gives(name, ValueKind::Permit)
}

/// Whether a function has an effect.
fn writes(name: &str) -> bool {
    costs(name, Cost::Effect)
}

/// Warns about values that are read before the first move and changed after it.
pub(super) fn check(ast: &AST, functions: &[Definition], report: &mut Report) {
    let known = by_name(ast, functions, report);
    let mut told = BTreeSet::new();
    for frozen in follow::frozen(ast, functions) {
        if !known.contains(&frozen.call) && told.insert(frozen.source.at) {
            tell(&frozen, report);
        }
    }
}

/// Warns about a permit that depends on values its turn's moves change.
fn tell(frozen: &Frozen, report: &mut Report) {
    let what = if frozen.source.is_set { "this set" } else { "this value" };
    let message = if frozen.anew && frozen.looks_ahead {
        format!("`spend` looks ahead with the current permits, so {what} does not reflect later moves")
    } else if frozen.anew {
        format!("{what} is read once, before the moves: `anew` only repeats the permit function")
    } else {
        format!("`play_each` makes its permits before the first move, so {what} does not reflect later moves")
    };
    let help = match (frozen.made, frozen.source.inside, frozen.anew) {
        _ if frozen.looks_ahead => {
            "use a test, such as `.where(|mv| ..)`: it runs before each move, including the moves that `spend` tries in advance"
        }
        (false, true, _) => "add the option `anew: true` to `play_each`: it then makes new permits for each move",
        (false, false, true) => "read it inside the function that makes the permits",
        (false, false, false) => {
            "read it inside the function that makes the permits, and give `play_each` the option `anew: true`"
        }
        (true, ..) => "write `play_each(faces, |die| .., #{ anew: true })`, and read it inside that function",
    };
    let others = vec![(frozen.call.0, frozen.call.1, "the permits of this call use it".to_string())];
    report.verdict(Severity::Warning, Code::Frozen, frozen.source.at, (message, help.into()), others, Vec::new());
}

/// Warns about values that the permit function reads by name and the `after` function changes under the same name. Returns
/// the places of the affected `play_each` calls.
fn by_name(ast: &AST, functions: &[Definition], report: &mut Report) -> BTreeSet<LineColumn> {
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
                "`play_each` makes all permits before the first move: they keep the old value of {name}, even \
                 if `after` changes it"
            );
            let help = "add the option `anew: true` to `play_each`, or use a test: `.where(|mv| ..)` runs before each \
             move";
            let others = vec![(call.0, call.1, "the permits of this call read it".to_string())];
            report.verdict(Severity::Warning, Code::Frozen, at, (message, help.into()), others, Vec::new());
            told.insert(call);
        }
    }
    told
}

/// The functions that a `play_each` call uses to make permits and to run after each move, unless it has the option `anew`.
fn permit_and_after(call: &FnCallExpr) -> Option<(String, String)> {
    let [_, permit, Expr::Map(options, _)] = &call.args[..] else { return None };
    let option = |key: &str| options.0.iter().find(|(name, _)| name.name == key).map(|(_, value)| value);
    let plain = call.name == "play_each" && call.namespace.is_empty() && option("anew").is_none();
    plain.then_some(())?;
    Some((function(permit)?, function(option("after")?)?))
}

/// The name of a function used as a value, with or without captured variables.
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

/// The first arguments of calls to these functions, in a script function and in those it calls.
fn named(functions: &[Definition], function: &str, which: fn(&str) -> bool) -> Vec<(String, LineColumn)> {
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

/// The name an argument refers to: a text that is not a square, or a constant.
fn name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::StringConstant(text, _) if !text.contains(|c: char| c.is_ascii_digit()) => Some(format!("\"{text}\"")),
        Expr::Variable(parts, ..) if parts.1.chars().all(|c| c.is_uppercase() || c == '_') => {
            Some(format!("`{}`", parts.1))
        }
        _ => None,
    }
}
