//! Functions that call themselves, or one another, whatever happens, or with the very values that they are given: no run of
//! them ends.

use super::name_table::{NameTable, Place};
use super::report::Report;
use super::rules;
use crate::diagnostic::Code;
use crate::functions::{Cost, costs, named};
use rhai::{AST, ASTNode, Expr, Position, Stmt};
use std::collections::BTreeMap;

/// A function by name and number of parameters.
type Own = (String, usize);

/// Looks for circles of calls that stand under no condition and behind no `return`, and for functions that come to
/// themselves again as they were called.
pub(super) fn check(ast: &AST, table: &NameTable, report: &mut Report) {
    let calls: BTreeMap<Own, Vec<(Own, Place)>> = ast
        .iter_functions()
        .map(|function| {
            ((function.name.to_string(), function.params.len()), certain(ast, function.name, function.params.len()))
        })
        .collect();
    let mut told: Vec<Own> = Vec::new();
    for first in calls.keys() {
        let Some(circle) = circle(&calls, first) else { continue };
        if circle.iter().any(|(own, _)| told.contains(own)) {
            continue;
        }
        told.extend(circle.iter().map(|(own, _)| own.clone()));
        let mut names: Vec<String> = circle.iter().map(|((name, _), _)| format!("`{name}`")).collect();
        names.sort();
        // The call that stands last closes the circle.
        let at = circle.iter().map(|(_, at)| *at).max().unwrap_or_default();
        let message = match names.as_slice() {
            [name] => format!("{name} calls itself whatever happens, without end"),
            names => format!("{} call one another whatever happens, without end", names.join(" and ")),
        };
        let help = match circle.as_slice() {
            [((name, _), _)] if named(name).next().is_some() => {
                let signatures = crate::manual::signatures(name);
                let own = signatures.first().map_or_else(String::new, |one| format!(", `{one}`"));
                format!(
                    "if you mean the function of the game{own}: write all its arguments, or give this one another name"
                )
            }
            _ => "put the call under a condition, so that it comes to an end".to_string(),
        };
        report.error(Code::Endless, at, message, Some(help));
    }
    unchanged(ast, table, report);
}

/// Functions that only look, and that call themselves with their own parameters: whatever condition has led there does so
/// again.
fn unchanged(ast: &AST, table: &NameTable, report: &mut Report) {
    let acts = |name: &str| [Cost::Chance, Cost::Decision, Cost::Effect].iter().any(|cost| costs(name, *cost));
    for function in ast.iter_functions() {
        let (name, params) = (function.name, &function.params);
        if rules::called(table, &[name]).iter().any(|called| acts(called)) {
            continue;
        }
        let (mut at, mut set) = (None, false);
        walk(ast, name, params.len(), &mut |path| match path.last() {
            Some(ASTNode::Stmt(Stmt::FnCall(call, here)) | ASTNode::Expr(Expr::FnCall(call, here))) => {
                let own = call.name == name && call.args.len() == params.len() && call.namespace.is_empty();
                let same =
                    |(arg, param): (&Expr, &&str)| matches!(arg, Expr::Variable(variable, ..) if variable.1 == **param);
                if own && call.args.iter().zip(params).all(same) {
                    at = at.or(Some(place(*here)));
                }
            }
            Some(ASTNode::Stmt(Stmt::Var(parts, ..))) => set |= params.contains(&parts.0.name.as_str()),
            Some(ASTNode::Stmt(Stmt::Assignment(_) | Stmt::For(..))) => set = true,
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

/// The functions on the way from one back to itself, each with the call that leads on.
fn circle(calls: &BTreeMap<Own, Vec<(Own, Place)>>, first: &Own) -> Option<Vec<(Own, Place)>> {
    let mut open = vec![(first.clone(), Vec::new())];
    let mut seen = Vec::new();
    while let Some((here, way)) = open.pop() {
        for (next, at) in calls.get(&here).into_iter().flatten() {
            let mut further: Vec<(Own, Place)> = way.clone();
            further.push((here.clone(), *at));
            if next == first {
                return Some(further);
            }
            if !seen.contains(next) {
                seen.push(next.clone());
                open.push((next.clone(), further));
            }
        }
    }
    None
}

/// The calls that a function makes whatever happens.
fn certain(ast: &AST, name: &str, params: usize) -> Vec<(Own, Place)> {
    let (mut found, mut over) = (Vec::new(), false);
    walk(ast, name, params, &mut |path: &[ASTNode<'_>]| {
        let [root, ..] = path else { return };
        let may_leave = |node: &ASTNode<'_>| matches!(node, ASTNode::Stmt(Stmt::Return(..)));
        let under = path[..path.len() - 1].iter().any(conditional);
        match path.last() {
            // A function of a base is another one, though it may have the same name.
            Some(ASTNode::Stmt(Stmt::FnCall(call, at)) | ASTNode::Expr(Expr::FnCall(call, at)))
                if !over && !under && call.namespace.is_empty() =>
            {
                found.push(((call.name.to_string(), call.args.len()), place(*at)));
            }
            Some(node) if may_leave(node) && path.len() > 1 && !matches!(root, ASTNode::Stmt(Stmt::Return(..))) => {
                over = true
            }
            _ => {}
        }
    });
    found
}

/// Shows all that stands in a function.
fn walk(ast: &AST, name: &str, params: usize, see: &mut dyn FnMut(&[ASTNode<'_>])) {
    let mut only = ast.clone_functions_only();
    only.retain_functions(|_, _, n, k| n == name && k == params);
    only.walk(&mut |path: &[ASTNode<'_>]| {
        see(path);
        true
    });
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

fn place(at: Position) -> Place {
    (at.line().unwrap_or(0), at.position().unwrap_or(1))
}
