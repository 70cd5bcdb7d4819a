//! Finds intersections of sets that are always disjoint, so that the result is always empty.

use super::definitions::{Definition, own_function};
use super::infer::start;
use super::report::Report;
use crate::diagnostic::Code;
use crate::host::walk::walk_script;
use rhai::{AST, ASTNode, Expr};

/// The known property of a set's squares.
enum Of {
    /// Occupied by pieces of a side.
    Side(String),
    /// Empty squares.
    Empty,
    /// A rank or a file.
    Line(&'static str, i64),
}

/// Warns about every `&` between two such sets.
pub(super) fn check(ast: &AST, functions: &[Definition], report: &mut Report) {
    walk_script(ast, &mut |path| {
        if let Some(ASTNode::Expr(expr @ Expr::FnCall(call, _))) = path.last()
            && call.name == "&"
            && call.is_operator_call()
        {
            let mut all = Vec::new();
            parts(expr, &mut all);
            if let Some((one, other)) = apart(&all, functions) {
                let message = format!("this is always empty: no square is {one} and {other}");
                let help = "combine them with `|`, or use a different set".to_string();
                report.warning(Code::Comparison, start(expr), message, Some(help));
            }
        }
        true
    });
}

/// The operands of a chain of `&`.
fn parts<'a>(expr: &'a Expr, found: &mut Vec<&'a Expr>) {
    match expr {
        Expr::FnCall(call, _) if call.name == "&" && call.is_operator_call() => {
            call.args.iter().for_each(|arg| parts(arg, found));
        }
        other => found.push(other),
    }
}

/// Descriptions of two of these sets that are disjoint.
fn apart(all: &[&Expr], functions: &[Definition]) -> Option<(String, String)> {
    let known: Vec<Of> = all.iter().filter_map(|expr| of(expr, functions)).collect();
    for (i, one) in known.iter().enumerate() {
        for other in &known[i + 1..] {
            let words = match (one, other) {
                (Of::Side(a), Of::Side(b)) if a != b => (format!("occupied by both `{a}`"), format!("`{b}`")),
                (Of::Side(side), Of::Empty) | (Of::Empty, Of::Side(side)) => {
                    ("both empty".to_string(), format!("occupied by `{side}`"))
                }
                (Of::Line(sort, a), Of::Line(same, b)) if sort == same && a != b => {
                    (format!("on both {sort} {a}"), format!("{sort} {b}"))
                }
                _ => continue,
            };
            return Some(words);
        }
    }
    None
}

fn of(expr: &Expr, functions: &[Definition]) -> Option<Of> {
    let Expr::FnCall(call, _) = expr else { return None };
    let own = own_function(functions, &call.name, call.args.len()).is_some();
    if own || !call.namespace.is_empty() {
        return None;
    }
    match (call.name.as_str(), &call.args[..]) {
        ("squares_of", [Expr::FnCall(side, _), ..])
            if side.args.is_empty() && (side.name == "mover" || side.name == "opponent") =>
        {
            Some(Of::Side(format!("{}()", side.name)))
        }
        ("empty_squares", []) => Some(Of::Empty),
        ("rank", [Expr::IntegerConstant(number, _)]) => Some(Of::Line("rank", *number)),
        ("file", [Expr::IntegerConstant(number, _)]) => Some(Of::Line("file", *number)),
        _ => None,
    }
}
