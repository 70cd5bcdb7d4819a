//! What conditions have looked at, and loops whose condition never changes.
//!
//! A condition may make right what would be wrong without it: what it has looked at is no longer complained of.

use super::{Place, Walker};
use crate::diagnostic::Code;
use crate::functions::named;
use rhai::{ASTFlags, ASTNode, Expr, Stmt, StmtBlock};

impl Walker<'_> {
    /// Names in a condition: what depends on them may be right only there.
    pub(super) fn guard(&mut self, expr: &Expr) {
        expr.walk(&mut Vec::new(), &mut |path| {
            match path.last() {
                Some(ASTNode::Expr(Expr::Variable(variable, ..))) => {
                    self.guards.insert(variable.1.to_string());
                }
                Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))) if !call.is_operator_call() => {
                    self.guards.insert(call.name.to_string());
                }
                _ => {}
            }
            true
        });
    }

    /// Whether a condition has looked at anything in an expression.
    pub(super) fn guarded(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.walk(&mut Vec::new(), &mut |path| {
            found |= match path.last() {
                Some(ASTNode::Expr(Expr::Variable(variable, ..))) => self.guards.contains(variable.1.as_str()),
                Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))) => {
                    self.guards.contains(call.name.as_str())
                }
                _ => false,
            };
            !found
        });
        found
    }

    /// A loop that nothing in it brings to its end.
    pub(super) fn stands_still(&mut self, condition: &Expr, body: &StmtBlock, at: Place) {
        let mut names: Vec<String> = Vec::new();
        let mut calls = false;
        condition.walk(&mut Vec::new(), &mut |path| {
            match path.last() {
                Some(ASTNode::Expr(Expr::Variable(variable, ..))) if !names.iter().any(|name| *name == *variable.1) => {
                    names.push(variable.1.to_string());
                }
                Some(ASTNode::Expr(Expr::FnCall(call, _))) => {
                    calls |= !call.is_operator_call() && call.name != "contains"
                }
                Some(ASTNode::Expr(Expr::MethodCall(..) | Expr::Property(..))) => calls = true,
                _ => {}
            }
            true
        });
        let mut changes = false;
        for statement in body.iter() {
            statement.walk(&mut Vec::new(), &mut |path| {
                changes |= match path.last() {
                    Some(ASTNode::Stmt(Stmt::Assignment(parts))) => {
                        matches!(&parts.1.lhs, Expr::Variable(variable, ..) if names.iter().any(|name| *name == *variable.1))
                            || !matches!(&parts.1.lhs, Expr::Variable(..))
                    }
                    Some(ASTNode::Stmt(Stmt::Return(..))) => true,
                    Some(ASTNode::Stmt(Stmt::BreakLoop(_, flags, _))) => flags.intersects(ASTFlags::BREAK),
                    // What changes a list or map in place.
                    Some(ASTNode::Expr(Expr::MethodCall(call, _))) => named(&call.name).next().is_none(),
                    _ => false,
                };
                !changes
            });
        }
        let always = matches!(condition, Expr::BoolConstant(true, _));
        if changes || calls || names.is_empty() && !always {
            return;
        }
        let what: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        if always {
            return;
        }
        let message = format!("this `while` never ends: nothing in it changes {}", what.join(" or "));
        let first = names.first().cloned().unwrap_or_default();
        self.error(
            Code::Endless,
            at,
            message,
            format!("change it in the loop, as `{first} += 1;`, or leave the loop by `break`"),
        );
    }
}
