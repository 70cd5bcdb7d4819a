//! Accessors for the kinds of Rhai expressions that checks examine, and searches through its syntax tree.

use super::name_table::{LineColumn, place};
use crate::host::walk::{walk_expression, walk_statement};
use rhai::{ASTNode, Expr, FnCallExpr, Stmt, StmtBlock, Token as Op};

/// The name, if the expression is a variable.
pub(super) fn variable(expr: &Expr) -> Option<&str> {
    if let Expr::Variable(parts, ..) = expr { Some(parts.1.as_str()) } else { None }
}

/// Whether an expression is the variable with this name.
pub(super) fn is_variable(expr: &Expr, name: &str) -> bool {
    variable(expr) == Some(name)
}

/// The value of a number literal.
pub(super) fn integer(expr: &Expr) -> Option<i64> {
    if let Expr::IntegerConstant(number, _) = expr { Some(*number) } else { None }
}

/// A variable and a literal index, as in `dice[1]`.
pub(super) fn numbered_entry(expr: &Expr) -> Option<(&str, i64)> {
    let Expr::Index(parts, ..) = expr else { return None };
    Some((variable(&parts.lhs)?, integer(&parts.rhs)?))
}

/// An operator with its two operands.
pub(super) fn operands(expr: &Expr) -> Option<(&Op, &Expr, &Expr)> {
    let Expr::FnCall(call, _) = expr else { return None };
    match (&call.op_token, call.args.as_slice()) {
        (Some(op), [left, right]) => Some((op, left, right)),
        _ => None,
    }
}

/// The first and last number of a range between literals.
pub(super) fn range(expr: &Expr) -> Option<(i64, i64)> {
    let (op, first, last) = operands(expr)?;
    let (first, last) = (integer(first)?, integer(last)?);
    match op {
        Op::InclusiveRange => Some((first, last)),
        Op::ExclusiveRange => Some((first, last.checked_sub(1)?)),
        _ => None,
    }
}

/// The receiver of a method call, and the call.
pub(super) fn method(expr: &Expr) -> Option<(&Expr, &FnCallExpr)> {
    let Expr::Dot(parts, ..) = expr else { return None };
    if let Expr::MethodCall(call, _) = &parts.rhs { Some((&parts.lhs, call)) } else { None }
}

/// The receiver of a `len` call, as in `dice.len()`.
pub(super) fn length_of(expr: &Expr) -> Option<&Expr> {
    method(expr).filter(|(_, call)| call.name == "len").map(|(of, _)| of)
}

/// The call, if the node is one, and its place.
pub(super) fn called<'a>(node: &ASTNode<'a>) -> Option<(&'a FnCallExpr, LineColumn)> {
    match *node {
        ASTNode::Stmt(Stmt::FnCall(call, at)) => Some((call, place(*at))),
        ASTNode::Expr(Expr::FnCall(call, at) | Expr::MethodCall(call, at)) => Some((call, place(*at))),
        _ => None,
    }
}

/// The result of comparing two numbers; `None` if the operator is not a comparison.
pub(super) fn compares(op: &Op, left: i64, right: i64) -> Option<bool> {
    Some(match op {
        Op::EqualsTo => left == right,
        Op::NotEqualsTo => left != right,
        Op::LessThan => left < right,
        Op::LessThanEqualsTo => left <= right,
        Op::GreaterThan => left > right,
        Op::GreaterThanEqualsTo => left >= right,
        _ => return None,
    })
}

/// Whether an operator is `==` or `!=`.
pub(super) fn is_equality(op: Option<&Op>) -> bool {
    matches!(op, Some(Op::EqualsTo | Op::NotEqualsTo))
}

/// Visits every node in a block.
pub(super) fn each_node(block: &StmtBlock, visit: &mut impl FnMut(&ASTNode<'_>)) {
    any_within(block, |node| {
        visit(node);
        false
    });
}

/// Whether any node in a block matches.
pub(super) fn any_within(block: &StmtBlock, mut is: impl FnMut(&ASTNode<'_>) -> bool) -> bool {
    block.iter().any(|statement| {
        let mut found = false;
        walk_statement(statement, &mut |path| {
            found |= path.last().is_some_and(&mut is);
            !found
        });
        found
    })
}

/// Whether any node in an expression matches.
pub(super) fn any_in(expr: &Expr, mut is: impl FnMut(&ASTNode<'_>) -> bool) -> bool {
    let mut found = false;
    walk_expression(expr, &mut |path| {
        found |= path.last().is_some_and(&mut is);
        !found
    });
    found
}

/// The first match in an expression.
pub(super) fn first_in<T>(expr: &Expr, mut look: impl FnMut(&ASTNode<'_>) -> Option<T>) -> Option<T> {
    let mut found = None;
    any_in(expr, |node| {
        found = look(node);
        found.is_some()
    });
    found
}

/// The first match in a block.
pub(super) fn first_within<T>(block: &StmtBlock, mut look: impl FnMut(&ASTNode<'_>) -> Option<T>) -> Option<T> {
    let mut found = None;
    any_within(block, |node| {
        found = look(node);
        found.is_some()
    });
    found
}

/// Whether a node is the variable with this name.
pub(super) fn names(node: &ASTNode<'_>, name: &str) -> bool {
    matches!(node, ASTNode::Expr(expr) if is_variable(expr, name))
}

/// An expression as text, without source positions.
pub(super) fn written(expr: &Expr) -> String {
    let text = format!("{expr:?}");
    let number = |c: char| c.is_ascii_digit() || c == ':';
    text.split(" @ ").enumerate().map(|(i, part)| if i == 0 { part } else { part.trim_start_matches(number) }).collect()
}

/// The variable at the root of an index or property expression.
pub(super) fn root_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Variable(variable, ..) => Some(variable.1.to_string()),
        Expr::Index(parts, ..) | Expr::Dot(parts, ..) => root_of(&parts.lhs),
        _ => None,
    }
}

/// Whether no statement after this one runs.
pub(super) fn leaves(statement: &Stmt) -> bool {
    let block = |block: &StmtBlock| block.iter().any(leaves);
    match statement {
        Stmt::Return(..) | Stmt::BreakLoop(..) => true,
        Stmt::If(flow, _) => block(&flow.body) && block(&flow.branch),
        Stmt::Block(inner) => block(inner),
        _ => false,
    }
}
