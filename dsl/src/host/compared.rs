//! Which questions a script does nothing with but compare the answer with a constant.
//!
//! `sq.rank == 7`, `mv.kind == "pawn"` and `get("score") >= 10` read like questions to be answered by yes or no, but what is
//! asked first has many answers. Where the script shows that nothing else is made of the answer, one that is as good is
//! given instead, and the tree of the rule has two branches. Owns which calls those are; what they ask is the business of
//! their rows.

use super::trace::Host;
use crate::host::walk::walk_script;
use rhai::{AST, ASTNode, Expr, FnCallExpr, ImmutableString, NativeCallContext, Position};
use std::collections::HashMap;
use std::sync::Arc;

/// What an answer is compared with.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Comparison {
    /// Whether it is this number, or another one.
    Number(i64),
    /// Whether it is this text, or another one or none.
    Text(ImmutableString),
    /// Whether it is nothing, `()`.
    Nothing,
    /// Whether it is at least this number, or less.
    AtLeast(i64),
}

/// The calls that are compared with a constant, script by script, by place and by the name of what is called.
#[derive(Clone, Default)]
pub(crate) struct Compared(HashMap<Arc<str>, HashMap<Position, (String, Comparison)>>);

impl Compared {
    /// Notes those of a script.
    pub(super) fn survey(&mut self, script: &str, ast: &AST) {
        let mut found = HashMap::new();
        walk_script(ast, &mut |path| {
            if let Some(ASTNode::Expr(Expr::FnCall(call, _))) = path.last() {
                found.extend(compared(call));
            }
            true
        });
        self.0.insert(script.into(), found);
    }
}

impl Host {
    /// What the answer to a call is compared with, if it is made for nothing else. Where visits are noted, somebody wants
    /// to see the answer itself.
    pub(crate) fn comparison(&self, context: &NativeCallContext<'_>) -> Option<Comparison> {
        if self.watch.is_some() {
            return None;
        }
        let trace = self.trace();
        let (name, comparison) = trace.compared.0.get(context.call_source()?)?.get(&context.call_position())?;
        (name == context.fn_name()).then(|| comparison.clone())
    }
}

/// The call that an operator compares with a constant: where it stands, what is called, and with what it is compared.
fn compared(operator: &FnCallExpr) -> Option<(Position, (String, Comparison))> {
    let [left, right] = &operator.args[..] else { return None };
    let name = operator.name.as_str();
    let (asked, constant, name) = match (constant(left), constant(right)) {
        (None, Some(constant)) => (left, constant, name),
        (Some(constant), None) => (right, constant, mirrored(name)),
        _ => return None,
    };
    let comparison = match (name, constant) {
        ("==" | "!=", comparison) => comparison,
        (">=" | "<", Comparison::Number(number)) => Comparison::AtLeast(number),
        (">" | "<=", Comparison::Number(number)) => Comparison::AtLeast(number.checked_add(1)?),
        _ => return None,
    };
    let (at, called) = last_call(asked)?;
    Some((at, (called, comparison)))
}

/// The operator that says the same with its sides exchanged.
pub(crate) fn mirrored(name: &str) -> &str {
    match name {
        ">=" => "<=",
        "<=" => ">=",
        ">" => "<",
        "<" => ">",
        other => other,
    }
}

fn constant(expr: &Expr) -> Option<Comparison> {
    match expr {
        Expr::IntegerConstant(number, _) => Some(Comparison::Number(*number)),
        Expr::StringConstant(text, _) => Some(Comparison::Text(text.clone())),
        Expr::Unit(_) => Some(Comparison::Nothing),
        Expr::FnCall(call, _) if call.name == "-" => match &call.args[..] {
            [Expr::IntegerConstant(number, _)] => Some(Comparison::Number(-number)),
            _ => None,
        },
        _ => None,
    }
}

/// The call or property whose value an expression is.
fn last_call(expr: &Expr) -> Option<(Position, String)> {
    match expr {
        Expr::FnCall(call, at) | Expr::MethodCall(call, at) => Some((*at, call.name.to_string())),
        Expr::Property(property, at) => Some((*at, format!("get${}", property.2))),
        Expr::Dot(parts, ..) => last_call(&parts.rhs),
        _ => None,
    }
}
