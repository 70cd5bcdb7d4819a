//! Where the nodes of a script's syntax tree are in its text.

use rhai::{ASTNode, Expr, Position, Stmt};

/// A line and column, both from 1.
pub type LineColumn = (usize, usize);

/// Where the text of a node begins, if the node has a text of its own.
pub(crate) fn begins(node: &ASTNode) -> Option<LineColumn> {
    let at = match node {
        ASTNode::Stmt(Stmt::Assignment(parts)) => start(&parts.1.lhs),
        ASTNode::Expr(expression) => start(expression),
        ASTNode::Stmt(statement) => statement.position(),
        _ => return None,
    };
    Some((at.line()?, at.position().unwrap_or(1)))
}

/// Where the text of an expression begins. Operators are calls placed after their left operand.
pub(crate) fn start(expression: &Expr) -> Position {
    match expression {
        Expr::FnCall(call, at) if call.op_token.is_some() => match call.args.first() {
            Some(left) if call.args.len() == 2 => start(left),
            _ => *at,
        },
        other => other.start_position(),
    }
}

/// The place of a node, if the interpreter visits it.
pub(crate) fn part(node: &ASTNode) -> Option<LineColumn> {
    let at = match node {
        ASTNode::Stmt(Stmt::Expr(_) | Stmt::Block(_) | Stmt::Noop(_)) => return None,
        ASTNode::Stmt(statement) => statement.position(),
        ASTNode::Expr(Expr::FnCall(_, at)) => *at,
        _ => return None,
    };
    Some((at.line()?, at.position().unwrap_or(1)))
}
