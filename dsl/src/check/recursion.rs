//! Functions that call themselves, or one another: whatever happens, or with the very values that they are given, so that no
//! run of them ends; and, for a run that did not end, under whatever conditions.

use super::definitions::{Definition, definitions, own_function};
use super::name_table::{NameTable, Place, parse, place};
use super::report::Report;
use super::rules;
use super::shapes::{each_node, is_variable};
use crate::diagnostic::Code;
use crate::functions::{Cost, costs, named};
use crate::host::walk::walk_statement;
use rhai::{ASTNode, Expr, Stmt};
use std::collections::{BTreeMap, VecDeque};

/// A function by name and number of parameters.
type Own = (String, usize);

/// What each function calls, and where.
type CallGraph = BTreeMap<Own, Vec<(Own, Place)>>;

/// Which calls of a function count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calls {
    /// Those that it makes whatever happens.
    Certain,
    /// All that stand in it.
    Possible,
}

const CURE: &str = "put the call under a condition, so that it comes to an end";

/// Looks for circles of calls that stand under no condition and behind no `return`, and for functions that come to
/// themselves again as they were called.
pub(super) fn check(functions: &[Definition], table: &NameTable, report: &mut Report) {
    let calls = graph(functions, Calls::Certain);
    let mut told: Vec<Own> = Vec::new();
    for first in calls.keys() {
        let Some(circle) = circle(&calls, first) else { continue };
        if circle.iter().any(|(own, _)| told.contains(own)) {
            continue;
        }
        told.extend(circle.iter().map(|(own, _)| own.clone()));
        let (at, message) = in_words(&circle, " whatever happens,");
        let help = match circle.as_slice() {
            [((name, _), _)] if named(name).next().is_some() => {
                let signatures = crate::manual::signatures(name);
                let own = signatures.first().map_or_else(String::new, |one| format!(", `{one}`"));
                format!(
                    "if you mean the function of the game{own}: write all its arguments, or give this one another name"
                )
            }
            _ => CURE.to_string(),
        };
        report.error(Code::Endless, at, message, Some(help));
    }
    unchanged(functions, table, report);
}

/// The shortest circle of functions in a text of which it is known that some run did not end: the call that closes it, what
/// is wrong there, and what helps. `None` if no functions of the text call one another.
pub(super) fn possible(text: &str) -> Option<(Place, String, &'static str)> {
    let calls = graph(&definitions(&parse(text).ok()?), Calls::Possible);
    let shortest = calls.keys().filter_map(|first| circle(&calls, first)).min_by_key(Vec::len)?;
    let (at, message) = in_words(&shortest, "");
    Some((at, message, CURE))
}

/// What the functions of a script call of one another.
fn graph(functions: &[Definition], which: Calls) -> CallGraph {
    let calls = |def: &Definition| {
        let called = called(def, which).into_iter();
        called.filter(|((name, params), _)| own_function(functions, name, *params).is_some()).collect()
    };
    functions.iter().map(|def| ((def.name.clone(), def.params.len()), calls(def))).collect()
}

/// The call that closes a circle, and the circle in words.
fn in_words(circle: &[(Own, Place)], when: &str) -> (Place, String) {
    let mut names: Vec<String> = circle.iter().map(|((name, _), _)| format!("`{name}`")).collect();
    names.sort();
    // The call that stands last closes the circle.
    let at = circle.iter().map(|(_, at)| *at).max().unwrap_or_default();
    let message = match names.as_slice() {
        [name] => format!("{name} calls itself{when} without end"),
        names => format!("{} call one another{when} without end", names.join(" and ")),
    };
    (at, message)
}

/// Functions that only look, and that call themselves with their own parameters: whatever condition has led there does so
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
            let message =
                format!("`{name}` calls itself as it was called, so it comes here again and again, without end");
            let help = "call it with another value, so that the condition comes out otherwise, or leave the call out";
            report.error(Code::Endless, at, message, Some(help.into()));
        }
    }
}

/// The functions on a shortest way from one back to itself, each with the call that leads on.
fn circle(calls: &CallGraph, first: &Own) -> Option<Vec<(Own, Place)>> {
    let mut open = VecDeque::from([(first.clone(), Vec::new())]);
    let mut seen = Vec::new();
    while let Some((here, way)) = open.pop_front() {
        for (next, at) in calls.get(&here).into_iter().flatten() {
            let mut further: Vec<(Own, Place)> = way.clone();
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

/// The calls that stand in a function: those that it makes whatever happens, or all of them.
fn called(def: &Definition, which: Calls) -> Vec<(Own, Place)> {
    let (mut found, mut over) = (Vec::new(), false);
    for root in def.body.iter() {
        walk_statement(root, &mut |path| {
            let counts = || which == Calls::Possible || (!over && !path[..path.len() - 1].iter().any(conditional));
            match path.last() {
                // A function of a base is another one, though it may have the same name.
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

/// Whether what stands in it is perhaps not run.
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
        assert_eq!((at, message.as_str()), ((3, 14), "`joker` and `permit` call one another without end"));
        let (at, message, _) = possible("fn a(n) { b(n) }\nfn b(n) { b(n - 1) + 1 }").unwrap();
        assert_eq!((at, message.as_str()), ((2, 11), "`b` calls itself without end"));
        assert!(possible("fn a() { b() }\nfn b() { x.a() }").is_none());
        // Of two functions of one name, the other is no circle.
        assert!(possible("fn a(n) { a(n, 1) }\nfn a(n, m) { n + m }").is_none());
    }
}
