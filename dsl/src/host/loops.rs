//! Where a rule stands when it rolls dice in a loop, so that a run that comes back is known to have come back.
//!
//! The interpreter goes on from a call as from another if it is the same call, made by the same function, with the same
//! variables. That is all there is to a call that is a statement, or the whole of what a variable is given, in nothing
//! but blocks, loops and conditions: no half-evaluated expression and no iterator is under way. Owns which calls those
//! are, and what their variables hold; whether two states are otherwise alike is the engine's business.

use super::trace::Host;
use super::values::{AmountV, BundleV, CastV, FacesV, MoveV, PermitV, SetV, SideV, SquareV, identity};
use rhai::debugger::DebuggerCommand;
use rhai::{AST, ASTNode, Array, Dynamic, Engine, EvalContext, Expr, FnCallExpr, ImmutableString, Map, Position, Stmt};
use std::collections::HashSet;

/// Functions that roll dice as they are called: what they are given is only a text.
const ROLLS: [&str; 2] = ["roll", "cast"];

/// The functions that may come to a chance point.
const CHANCES: [&str; 7] = ["roll", "cast", "roll_until", "roll_playable", "roll_each", "draw_from", "reroll"];

/// The calls in the loops of a script that a run may come back to.
pub(super) fn rolls_in_loops(ast: &AST) -> HashSet<Position> {
    let mut found = HashSet::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some((call, at)) = path.last().and_then(called)
            && ROLLS.contains(&call.name.as_str())
            && call.args.iter().all(Expr::is_constant)
            && path.windows(2).all(|pair| leaves_nothing(&pair[0], &pair[1]))
            && path.iter().any(|node| matches!(node, ASTNode::Stmt(Stmt::While(..) | Stmt::Do(..))))
        {
            found.insert(at);
        }
        true
    });
    found
}

/// The function that a node calls, and where.
fn called<'a>(node: &ASTNode<'a>) -> Option<(&'a FnCallExpr, Position)> {
    match node {
        ASTNode::Stmt(Stmt::FnCall(call, at)) | ASTNode::Expr(Expr::FnCall(call, at)) => Some((call, *at)),
        _ => None,
    }
}

/// Whether nothing but variables tells how far the interpreter has come in a node when it comes to a part of it.
fn leaves_nothing(node: &ASTNode<'_>, part: &ASTNode<'_>) -> bool {
    match node {
        // What is asked of the result comes after it.
        ASTNode::Expr(Expr::Dot(parts, ..)) => matches!(part, ASTNode::Expr(first) if std::ptr::eq(*first, &parts.lhs)),
        ASTNode::Stmt(Stmt::Assignment(parts)) => matches!(parts.1.lhs, Expr::Variable(..)),
        ASTNode::Stmt(stmt) => matches!(
            stmt,
            Stmt::While(..) | Stmt::Do(..) | Stmt::If(..) | Stmt::Block(_) | Stmt::Var(..) | Stmt::Expr(_)
        ),
        _ => false,
    }
}

/// Lets an interpreter note where it stands at these calls of the script called `name`, whenever the host wants to know.
pub(super) fn note_standing(engine: &mut Engine, host: &Host, name: &str, calls: HashSet<Position>) {
    let (host, name) = (host.clone(), name.to_owned());
    #[allow(deprecated)]
    engine.register_debugger(
        |_, debugger| debugger,
        move |context, _, node, script, _| {
            if !host.trace().standing {
                return Ok(DebuggerCommand::Continue);
            }
            if let Some((_, at)) = called(&node).filter(|(call, _)| CHANCES.contains(&call.name.as_str())) {
                let known = script == Some(name.as_str()) && context.call_level() == 1 && calls.contains(&at);
                let stands = if known { variables(&context) } else { None };
                host.trace().stands = stands.map(|variables| format!("{at:?} {variables}"));
            }
            Ok(DebuggerCommand::StepInto)
        },
    );
}

/// The names of all variables in sight and what they hold; `None` if that cannot be said in full.
fn variables(context: &EvalContext<'_, '_, '_, '_, '_, '_>) -> Option<String> {
    let mut text = String::new();
    for (name, _, value) in context.scope().iter_raw() {
        if !is_said_in_full(value) {
            return None;
        }
        text.push_str(&format!("{name}={}; ", identity(value)));
    }
    Some(text)
}

/// Whether [`identity`] tells a value from all others.
fn is_said_in_full(value: &Dynamic) -> bool {
    macro_rules! any {
        ($($type:ty),*) => { false $(|| value.read_lock::<$type>().is_some())* };
    }
    if let Some(items) = value.read_lock::<Array>() {
        return items.iter().all(is_said_in_full);
    }
    if let Some(entries) = value.read_lock::<Map>() {
        return entries.values().all(is_said_in_full);
    }
    any!((), bool, i64, char, ImmutableString)
        || any!(SideV, SquareV, SetV, MoveV, PermitV, FacesV, AmountV, CastV, BundleV)
}
