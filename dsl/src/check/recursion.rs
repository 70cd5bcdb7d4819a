//! Finds functions that call themselves or one another without end: unconditionally, or with the same arguments they were
//! given. For a run that did not end, also finds conditional recursion.

use super::definitions::{Definition, definitions, own_function};
use super::name_table::{LineColumn, NameTable, parse, place};
use super::report::Report;
use super::rules;
use super::shapes::{each_node, is_variable};
use crate::diagnostic::Code;
use crate::functions::{Cost, costs, named};
use crate::host::walk::walk_statement;
use crate::notation::describe::enumeration;
use rhai::{ASTNode, Expr, Stmt};
use std::collections::{BTreeMap, VecDeque};

/// A function by name and number of parameters.
type Own = (String, usize);

/// The calls of each function, with their places.
type CallGraph = BTreeMap<Own, Vec<(Own, LineColumn)>>;

/// The calls of a function to include.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calls {
    /// Those that always run.
    Certain,
    /// All calls in it.
    Possible,
}

const CURE: &str = "make the call conditional, so that the recursion ends";

/// Finds cycles of calls that are unconditional and follow no `return`, and functions that call themselves with unchanged
/// arguments.
pub(super) fn check(functions: &[Definition], table: &NameTable, report: &mut Report) {
    let calls = graph(functions, Calls::Certain);
    let mut told: Vec<Own> = Vec::new();
    for first in calls.keys() {
        let Some(circle) = circle(&calls, first) else { continue };
        if circle.iter().any(|(own, _)| told.contains(own)) {
            continue;
        }
        told.extend(circle.iter().map(|(own, _)| own.clone()));
        let (at, message) = in_words(&circle, true);
        let help = match circle.as_slice() {
            [((name, _), _)] if named(name).next().is_some() => {
                let signatures = crate::manual::signatures(name);
                let own = signatures.first().map_or_else(String::new, |one| format!(", `{one}`"));
                format!("to call the built-in function{own}, pass all its arguments, or rename this function")
            }
            _ => CURE.to_string(),
        };
        report.error(Code::Endless, at, message, Some(help));
    }
    unchanged(functions, table, report);
}

/// The shortest cycle of functions in a text whose run did not end: the call that closes it, the message, and advice.
/// `None` if no functions of the text call one another.
pub(super) fn possible(text: &str) -> Option<(LineColumn, String, &'static str)> {
    let calls = graph(&definitions(&parse(text).ok()?), Calls::Possible);
    let shortest = calls.keys().filter_map(|first| circle(&calls, first)).min_by_key(Vec::len)?;
    let (at, message) = in_words(&shortest, false);
    Some((at, message, CURE))
}

/// The call graph of a script's own functions.
fn graph(functions: &[Definition], which: Calls) -> CallGraph {
    let calls = |def: &Definition| {
        let called = called(def, which).into_iter();
        called.filter(|((name, params), _)| own_function(functions, name, *params).is_some()).collect()
    };
    functions.iter().map(|def| ((def.name.clone(), def.params.len()), calls(def))).collect()
}

/// The call that closes a cycle, and a message about the cycle, which is `always` entered or only possible.
fn in_words(circle: &[(Own, LineColumn)], always: bool) -> (LineColumn, String) {
    let mut names: Vec<String> = circle.iter().map(|((name, _), _)| format!("`{name}`")).collect();
    names.sort();
    // The last call in the text closes the cycle.
    let at = circle.iter().map(|(_, at)| *at).max().unwrap_or_default();
    let message = match names.as_slice() {
        [name] if always => format!("{name} always calls itself, so it never ends"),
        [name] => format!("{name} calls itself and never ends"),
        names if always => format!("{} always call each other, so the calls never end", enumeration(names)),
        names => format!("{} call each other and never end", enumeration(names)),
    };
    (at, message)
}

/// Functions without effects that call themselves with their own parameters: the condition that led to the call holds
/// again.
fn unchanged(functions: &[Definition], table: &NameTable, report: &mut Report) {
    let acts = |name: &str| [Cost::Chance, Cost::Decision, Cost::Effect].iter().any(|cost| costs(name, *cost));
    for Definition { name, params, body } in functions {
        if rules::called(table, &[name]).iter().any(|called| acts(called)) {
            continue;
        }
        let (mut at, mut set) = (None, false);
        each_node(body, &mut |node| match node {
            ASTNode::Stmt(Stmt::FnCall(call, here)) | ASTNode::Expr(Expr::FnCall(call, here)) => {
                let own = call.name == name.as_str() && call.args.len() == params.len() && call.namespace.is_empty();
                if own && call.args.iter().zip(params).all(|(arg, param)| is_variable(arg, param)) {
                    at = at.or(Some(place(*here)));
                }
            }
            ASTNode::Stmt(Stmt::Var(parts, ..)) => set |= params.iter().any(|param| parts.0.name == param.as_str()),
            ASTNode::Stmt(Stmt::Assignment(_) | Stmt::For(..)) => set = true,
            _ => {}
        });
        if let Some(at) = at.filter(|_| !set) {
            let (message, help) = match params.is_empty() {
                true => (
                    format!("`{name}` calls itself again under the same condition, so it never ends"),
                    "remove the call, or make the condition depend on a parameter that changes",
                ),
                false => (
                    format!("`{name}` calls itself with the same arguments, so it never ends"),
                    "call it with a different argument, so that the condition changes, or remove the call",
                ),
            };
            report.error(Code::Endless, at, message, Some(help.into()));
        }
    }
}

/// The functions on a shortest path from one back to itself, each with the call to the next.
fn circle(calls: &CallGraph, first: &Own) -> Option<Vec<(Own, LineColumn)>> {
    let mut open = VecDeque::from([(first.clone(), Vec::new())]);
    let mut seen = Vec::new();
    while let Some((here, way)) = open.pop_front() {
        for (next, at) in calls.get(&here).into_iter().flatten() {
            let mut further: Vec<(Own, LineColumn)> = way.clone();
            further.push((here.clone(), *at));
            if next == first {
                return Some(further);
            }
            if !seen.contains(next) {
                seen.push(next.clone());
                open.push_back((next.clone(), further));
            }
        }
    }
    None
}

/// The calls in a function: only those that always run, or all of them.
fn called(def: &Definition, which: Calls) -> Vec<(Own, LineColumn)> {
    let (mut found, mut over) = (Vec::new(), false);
    for root in def.body.iter() {
        walk_statement(root, &mut |path| {
            let counts = || which == Calls::Possible || (!over && !path[..path.len() - 1].iter().any(conditional));
            match path.last() {
                // A function of a base is a different one, even if it has the same name.
                Some(ASTNode::Stmt(Stmt::FnCall(call, at)) | ASTNode::Expr(Expr::FnCall(call, at)))
                    if call.namespace.is_empty() && counts() =>
                {
                    found.push(((call.name.to_string(), call.args.len()), place(*at)));
                }
                Some(ASTNode::Stmt(Stmt::Return(..))) => over |= path.len() > 1 && !matches!(root, Stmt::Return(..)),
                _ => {}
            }
            true
        });
    }
    found
}

/// Whether code inside the node may not run.
fn conditional(node: &ASTNode<'_>) -> bool {
    match node {
        ASTNode::Stmt(statement) => {
            matches!(statement, Stmt::If(..) | Stmt::Switch(..) | Stmt::While(..) | Stmt::For(..))
        }
        ASTNode::Expr(expr) => matches!(expr, Expr::And(..) | Expr::Or(..) | Expr::Coalesce(..)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::possible;

    #[test]
    fn functions_in_a_circle_are_named() {
        let text = "fn turn() { play(permit(1)); }\nfn permit(n) { if n == 6 { joker() } else { any() } }\nfn joker() { permit(6) }\n";
        let (at, message, _) = possible(text).unwrap();
        assert_eq!((at, message.as_str()), ((3, 14), "`joker` and `permit` call each other and never end"));
        let (at, message, _) = possible("fn a(n) { b(n) }\nfn b(n) { b(n - 1) + 1 }").unwrap();
        assert_eq!((at, message.as_str()), ((2, 11), "`b` calls itself and never ends"));
        assert!(possible("fn a() { b() }\nfn b() { x.a() }").is_none());
        // A function with the same name but another number of parameters is not part of the cycle.
        assert!(possible("fn a(n) { a(n, 1) }\nfn a(n, m) { n + m }").is_none());
    }
}
