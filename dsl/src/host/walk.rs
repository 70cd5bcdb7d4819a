//! Walks through the syntax tree of a script.
//!
//! The interpreter's own walks are compiled separately for each visitor. These are the only functions that call them, each
//! with one visitor type, so that they are compiled once.

use rhai::{AST, ASTNode, Expr, Stmt};

/// Receives the path from the root to each node, the node last, and returns whether to continue.
pub(crate) type Visitor<'a> = dyn FnMut(&[ASTNode<'_>]) -> bool + 'a;

/// Walks through a script with all its functions.
pub(crate) fn walk_script(ast: &AST, visitor: &mut Visitor<'_>) {
    ast.walk(visitor);
}

/// Walks through a statement.
pub(crate) fn walk_statement(statement: &Stmt, visitor: &mut Visitor<'_>) {
    statement.walk(&mut Vec::new(), visitor);
}

/// Walks through an expression.
pub(crate) fn walk_expression(expression: &Expr, visitor: &mut Visitor<'_>) {
    expression.walk(&mut Vec::new(), visitor);
}
