//! Finds questions of a script whose answers are only compared with constants.
//!
//! `sq.rank == 7`, `mv.kind == "pawn"` and `get("score") >= 10` look like yes/no questions, but the first part has many
//! answers. If the script only compares the answer, the call returns an equivalent answer, and the rule's tree has two
//! branches. Owns the set of those calls; the rows define their queries.

use crate::host::walk::walk_script;
use rhai::{AST, ASTNode, Expr, FnCallExpr, ImmutableString, NativeCallContext, Position};
use std::collections::HashMap;
use std::sync::Arc;

/// The comparison that an answer is used for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Comparison {
    /// Equality with this number.
    Number(i64),
    /// Equality with this text.
    Text(ImmutableString),
    /// Equality with `()`.
    Nothing,
    /// At least this number.
    AtLeast(i64),
}

/// The calls compared with a constant, by script, place and function name.
#[derive(Clone, Default)]
pub(crate) struct Compared(HashMap<Arc<str>, HashMap<Position, (String, Comparison)>>);

impl Compared {
    /// Adds the calls of a script.
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

    /// The comparison that is the only use of a call's answer, if there is one.
    pub(super) fn of_call(&self, context: &NativeCallContext<'_>) -> Option<Comparison> {
        let (name, comparison) = self.0.get(context.call_source()?)?.get(&context.call_position())?;
        (name == context.fn_name()).then(|| comparison.clone())
    }
}

/// The call that an operator compares with a constant: its place, its function, and the comparison.
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

/// The operator with the same meaning when its sides are swapped.
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

/// The last call or property of an expression, which gives its value.
fn last_call(expr: &Expr) -> Option<(Position, String)> {
    match expr {
        Expr::FnCall(call, at) | Expr::MethodCall(call, at) => Some((*at, call.name.to_string())),
        Expr::Property(property, at) => Some((*at, format!("get${}", property.2))),
        Expr::Dot(parts, ..) => last_call(&parts.rhs),
        _ => None,
    }
}
