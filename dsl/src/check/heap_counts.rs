//! Finds counts of squares where a count of pieces is intended, on boards where pieces stand on one another.

use super::name_table::{LineColumn, place};
use super::populated;
use super::report::Report;
use crate::diagnostic::Code;
use crate::host::tokens::is_comparison;
use crate::host::walk::walk_script;
use astragal_core::{Position, Side, Variant};
use rhai::{AST, ASTNode, Expr, FnCallExpr};

/// Warns if the squares occupied by a side are counted and compared with its number of pieces: stacked pieces occupy fewer
/// squares.
pub(super) fn check(ast: &AST, variant: &Variant, start: &Position, report: &mut Report) {
    if !variant.spec().heaps {
        return;
    }
    let all: Vec<i64> = (0..variant.sides()).map(|side| populated::pieces(variant, start, Side(side as u8))).collect();
    let mut found: Vec<(LineColumn, i64)> = Vec::new();
    walk_script(ast, &mut |path| {
        if let Some(ASTNode::Expr(Expr::FnCall(call, _))) = path.last()
            && let [left, right] = &call.args[..]
            && is_comparison(&call.name)
        {
            let counted = squares_counted(left).zip(number(ast, right));
            found.extend(counted.or_else(|| squares_counted(right).zip(number(ast, left))));
        }
        true
    });
    for (at, number) in found.into_iter().filter(|(_, number)| *number > 1 && all.contains(number)) {
        let message = format!("this counts squares, not pieces: {number} pieces in heaps can stand on fewer squares");
        let help = "count the pieces: `number_of(squares, side)`".to_string();
        report.warning(Code::Comparison, at, message, Some(help));
    }
}

/// The place where an expression counts the squares of a side's pieces, if it does only that.
fn squares_counted(expr: &Expr) -> Option<LineColumn> {
    match expr {
        Expr::Dot(parts, ..) => match &parts.rhs {
            Expr::MethodCall(call, at) if call.name == "count" && call.args.is_empty() && holds_squares(&parts.lhs) => {
                Some(place(*at))
            }
            _ => None,
        },
        Expr::FnCall(call, at) => counts(call).then(|| place(*at)),
        _ => None,
    }
}

fn counts(call: &FnCallExpr) -> bool {
    let counts = call.name == "count" || call.name == "number";
    counts && call.args.len() == 1 && holds_squares(&call.args[0])
}

/// Whether a set is built from the squares of a side's pieces.
fn holds_squares(expr: &Expr) -> bool {
    match expr {
        Expr::FnCall(call, _) if call.name == "squares_of" => true,
        Expr::FnCall(call, _) if matches!(call.name.as_str(), "&" | "-" | "|") => call.args.iter().any(holds_squares),
        Expr::Stmt(block) => matches!(block.statements(), [rhai::Stmt::Expr(inner)] if holds_squares(inner)),
        _ => false,
    }
}

/// The value of a number literal or of a constant that holds one.
fn number(ast: &AST, expr: &Expr) -> Option<i64> {
    match expr {
        Expr::IntegerConstant(number, _) => Some(*number),
        Expr::Variable(parts, ..) => ast.statements().iter().find_map(|statement| match statement {
            rhai::Stmt::Var(made, ..) if made.0.name == parts.1 => match &made.1 {
                Expr::IntegerConstant(number, _) => Some(*number),
                _ => None,
            },
            _ => None,
        }),
        _ => None,
    }
}
