//! The state of a rule when it rolls dice. It makes equivalent runs recognizable, and runs that return to the same point in
//! a loop.
//!
//! Two runs of the interpreter continue alike if they are at the same call, made by the same function, with the same
//! variables. This holds for calls within blocks, loops and conditions only, as a statement or as the first evaluated part
//! of an expression: no partial result is pending, and every iterator is determined by its variable. Owns the set of those
//! calls and the text of their variables. Whether two states are equal in other respects is up to the engine.

use super::kind::ParamKind;
use super::trace::Host;
use super::values::{identity, is_said_in_full};
use crate::functions::{self, Cost, Function, Parameter};
use crate::host::walk::{walk_script, walk_statement};
use astragal_core::rule::Standing;
use rhai::debugger::DebuggerCommand;
use rhai::{AST, ASTNode, Engine, EvalContext, Expr, FnCallExpr, Position, Stmt, StmtBlock};
use std::collections::{BTreeSet, HashMap};

/// Functions that can roll dice as soon as they are called, with only a text as argument.
fn rolls_at_once() -> BTreeSet<&'static str> {
    let plain = |param: &Parameter| matches!(param.kind, ParamKind::Dice | ParamKind::Options);
    let at_once = |function: &Function| function.forms.iter().any(|form| form.params.iter().all(plain));
    let rolls = functions::all().filter(|(row, function)| row.cost == Cost::Chance && at_once(function));
    rolls.map(|(_, function)| function.name).collect()
}

/// The calls where the state of a run is known, and whether a run may return to them. Includes all such calls in loops, and
/// others if there are several.
pub(super) fn rolls(ast: &AST) -> HashMap<Position, bool> {
    let (mut found, mut worth, at_once) = (HashMap::new(), false, rolls_at_once());
    walk_script(ast, &mut |path| {
        if let Some((call, at)) = path.last().and_then(called)
            && at_once.contains(call.name.as_str())
            && call.args.iter().all(Expr::is_constant)
            && path.windows(2).all(|pair| leaves_nothing(&pair[0], &pair[1]))
        {
            let within = |loops: fn(&Stmt) -> bool| path.iter().any(|n| matches!(n, ASTNode::Stmt(s) if loops(s)));
            let again = within(|stmt| matches!(stmt, Stmt::While(..) | Stmt::Do(..)));
            // If a run may return, everything ever asked of its held dice distinguishes states. For dice that leave only an
            // answer behind, it is better to distinguish states by the round.
            let within_expression =
                path[..path.len() - 1].iter().any(|node| matches!(node, ASTNode::Expr(Expr::FnCall(..))));
            if again && call.name == "cast" && within_expression {
                return true;
            }
            found.insert(at, again);
            worth |= found.len() > 1 || within(|stmt| matches!(stmt, Stmt::While(..) | Stmt::Do(..) | Stmt::For(..)));
        }
        true
    });
    if worth { found } else { HashMap::new() }
}

/// The call in a node, and its position.
fn called<'a>(node: &ASTNode<'a>) -> Option<(&'a FnCallExpr, Position)> {
    match node {
        ASTNode::Stmt(Stmt::FnCall(call, at)) | ASTNode::Expr(Expr::FnCall(call, at)) => Some((call, *at)),
        _ => None,
    }
}

/// Whether variables alone determine the progress within `node` when the interpreter reaches `part`.
fn leaves_nothing(node: &ASTNode<'_>, part: &ASTNode<'_>) -> bool {
    let is = |expr: &Expr| matches!(part, ASTNode::Expr(part) if std::ptr::eq(*part, expr));
    match node {
        // The rest of the chain is evaluated later.
        ASTNode::Expr(Expr::Dot(parts, ..) | Expr::Index(parts, ..)) => is(&parts.lhs),
        // The operands before it determined that it is evaluated.
        ASTNode::Expr(Expr::And(..) | Expr::Or(..)) => true,
        ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
            call.args.iter().take_while(|arg| !is(arg)).all(is_plain)
        }
        ASTNode::Stmt(Stmt::Assignment(parts)) => matches!(parts.1.lhs, Expr::Variable(..)),
        ASTNode::Stmt(Stmt::Switch(parts, _)) => is(&parts.0),
        ASTNode::Stmt(Stmt::For(parts, _)) => {
            let (variable, _, flow) = &**parts;
            is(&flow.expr) || counts(&variable.name, &flow.expr, &flow.body)
        }
        ASTNode::Stmt(stmt) => matches!(
            stmt,
            Stmt::While(..) | Stmt::Do(..) | Stmt::If(..) | Stmt::Block(_) | Stmt::Var(..) | Stmt::Expr(_)
        ),
        _ => false,
    }
}

/// Whether an expression is a constant or a variable.
fn is_plain(expr: &Expr) -> bool {
    expr.is_constant() || matches!(expr, Expr::Variable(..))
}

/// Whether a numeric loop is determined by its variable and bounds. The bounds must be plain, and the body must not change
/// the variable or the bounds.
fn counts(variable: &str, range: &Expr, body: &StmtBlock) -> bool {
    let Expr::FnCall(call, _) = range else { return false };
    if !["..", "..=", "range"].contains(&call.name.as_str()) || !call.args.iter().all(is_plain) {
        return false;
    }
    let names = |expr: &Expr, name: &str| matches!(expr, Expr::Variable(variable, ..) if variable.1 == name);
    let matters = |expr: &Expr| {
        names(expr, variable)
            || call.args.iter().any(|bound| matches!(bound, Expr::Variable(b, ..) if names(expr, &b.1)))
    };
    let mut alone = true;
    for stmt in body.statements() {
        walk_statement(stmt, &mut |path| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Assignment(parts))) => alone &= !matters(&parts.1.lhs),
                Some(ASTNode::Stmt(Stmt::Share(..))) => alone = false,
                _ => {}
            }
            alone
        });
    }
    alone
}

/// Makes an interpreter record its state at these calls of the script `name`, whenever the host requests it.
pub(super) fn note(engine: &mut Engine, host: &Host, name: &str, calls: HashMap<Position, bool>) {
    let (host, name, chances) = (host.clone(), name.to_owned(), functions::names_costing(Cost::Chance));
    #[allow(deprecated)]
    engine.register_debugger(
        |_, debugger| debugger,
        move |context, _, node, script, _| {
            if !host.trace().standing {
                return Ok(DebuggerCommand::Continue);
            }
            if let Some((_, at)) = called(&node).filter(|(call, _)| chances.contains(call.name.as_str())) {
                let own = script == Some(name.as_str()) && context.call_level() == 1;
                let known = calls.get(&at).filter(|_| own);
                let stands = known.and_then(|&again| Some((variables(&context)?, again)));
                let standing = |(variables, again)| Standing { text: format!("{at:?} {variables}"), again };
                host.trace().stands = stands.map(standing);
            }
            Ok(DebuggerCommand::StepInto)
        },
    );
}

/// The names and values of all variables in scope; `None` if a value has no complete text.
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
