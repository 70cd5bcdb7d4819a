//! The statements of a script before which a run can stop.
//!
//! Owns which visits of the interpreter begin a statement, and on which lines. It must never know runs. Invariant: only
//! statements within functions count, because code at the top level runs while a script is loaded.

use crate::host::walk::{walk_script, walk_statement};
use crate::node_place::{LineColumn, start};
use rhai::{AST, ASTNode, Position, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// A statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Statement {
    /// Where its text begins.
    pub begins: LineColumn,
    /// Whether it is the first one that begins on its line.
    pub is_first: bool,
}

/// The statements of one script, by the place that the interpreter reports for them.
#[derive(Default, Debug)]
pub(super) struct Statements(BTreeMap<LineColumn, Statement>);

impl Statements {
    /// The statements in the functions of a script.
    pub(super) fn of(ast: &AST) -> Statements {
        let mut top = BTreeSet::new();
        for statement in ast.statements() {
            walk_statement(statement, &mut |path| {
                top.extend(path.last().and_then(visited).map(|(place, _)| place));
                true
            });
        }
        let mut found: BTreeMap<LineColumn, Statement> = BTreeMap::new();
        walk_script(ast, &mut |path| {
            if let Some((place, begins)) = path.last().and_then(visited).filter(|(place, _)| !top.contains(place)) {
                found.insert(place, Statement { begins, is_first: false });
            }
            true
        });
        let mut firsts: BTreeMap<usize, usize> = BTreeMap::new();
        for statement in found.values() {
            let (line, column) = statement.begins;
            let first = firsts.entry(line).or_insert(column);
            *first = column.min(*first);
        }
        for statement in found.values_mut() {
            statement.is_first = firsts.get(&statement.begins.0) == Some(&statement.begins.1);
        }
        Statements(found)
    }

    /// The statement that a visit of the interpreter begins.
    pub(super) fn at(&self, place: LineColumn) -> Option<Statement> {
        self.0.get(&place).copied()
    }

    /// The lines on which statements begin.
    pub(super) fn lines(&self) -> BTreeSet<usize> {
        self.0.values().map(|statement| statement.begins.0).collect()
    }
}

/// The line and column of a position.
pub(super) fn place(at: Position) -> Option<LineColumn> {
    Some((at.line()?, at.position().unwrap_or(1)))
}

/// The place that the interpreter reports when it begins a statement, and where its text begins. An expression as a
/// statement is only reported as the expression.
fn visited(node: &ASTNode<'_>) -> Option<(LineColumn, LineColumn)> {
    match node {
        ASTNode::Stmt(Stmt::Noop(_) | Stmt::Block(_)) => None,
        ASTNode::Stmt(Stmt::Expr(expression)) => Some((place(expression.position())?, place(start(expression))?)),
        ASTNode::Stmt(Stmt::Assignment(parts)) => {
            let at = ASTNode::position(node);
            Some((place(at)?, place(start(&parts.1.lhs))?))
        }
        ASTNode::Stmt(statement) => Some((place(statement.position())?, place(statement.position())?)),
        _ => None,
    }
}
