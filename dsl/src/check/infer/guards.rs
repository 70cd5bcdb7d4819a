//! Tracks the variables that conditions have tested, and finds loops whose condition never changes.
//!
//! A condition can make code correct that would be wrong without it, so code that depends on tested variables is not
//! reported.

use super::super::shapes::{any_in, compares, first_within, integer, is_equality, is_variable, root_of, variable};
use super::abstract_value::AbstractValue;
use super::calls::changes_in_place;
use super::{LineColumn, Walker};
use crate::diagnostic::Code;
use crate::functions::{Cost, named};
use crate::host::kind::ValueKind;
use crate::host::walk::{walk_expression, walk_statement};
use crate::notation::describe::alternatives;
use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, Stmt, StmtBlock};

impl Walker<'_> {
    /// Records the names in a condition, because code that depends on them may be correct only there. For `piece.side`,
    /// only that property is recorded. The arguments of a script function that makes a permit are skipped: if they are
    /// wrong, the call fails before the condition takes effect.
    pub(super) fn guard(&mut self, expr: &Expr) {
        let mut found = Vec::new();
        walk_expression(expr, &mut |path| {
            match path {
                [.., parent, ASTNode::Expr(Expr::Variable(variable, ..))] => {
                    found.push(path_of(parent, &variable.1).unwrap_or_else(|| variable.1.to_string()));
                }
                [.., ASTNode::Expr(Expr::Variable(variable, ..))] => found.push(variable.1.to_string()),
                // A test for `()` reveals nothing else about the value.
                [.., ASTNode::Expr(Expr::FnCall(call, _))] if asks_for_nothing(call).is_some() => {
                    found.extend(asks_for_nothing(call).map(whether));
                    return false;
                }
                // Comparing two dice reveals nothing about their faces, and neither does `count_of`.
                [.., ASTNode::Expr(Expr::FnCall(call, _))] if call.is_operator_call() => {
                    return !compares_entries(call);
                }
                [.., ASTNode::Expr(Expr::MethodCall(call, _))] if call.name == "count_of" => return false,
                [.., ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))] if !call.is_operator_call() => {
                    found.push(call.name.to_string());
                    return !self.makes_a_permit(&call.name, call.args.len());
                }
                _ => {}
            }
            true
        });
        self.guards.extend(found);
    }

    /// Whether a script function returns only permits, or no value.
    fn makes_a_permit(&self, name: &str, params: usize) -> bool {
        let result = self.before.and_then(|facts| facts.results.get(&(name.to_string(), params)));
        result.is_some_and(|known| {
            known.kinds.known()
                && known.kinds.has(ValueKind::Permit)
                && known.kinds.without(ValueKind::Nothing).is(ValueKind::Permit)
        })
    }

    /// Whether a condition has tested any name in an expression.
    pub(super) fn guarded(&self, expr: &Expr) -> bool {
        let mut found = false;
        walk_expression(expr, &mut |path| {
            found |= match path {
                [.., parent, ASTNode::Expr(Expr::Variable(variable, ..))] => match path_of(parent, &variable.1) {
                    Some(property) => {
                        self.guards.contains(variable.1.as_str()) || self.guards.contains(property.as_str())
                    }
                    None => self.is_guarded(&variable.1),
                },
                [ASTNode::Expr(Expr::Variable(variable, ..))] => self.is_guarded(&variable.1),
                [.., ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))] => {
                    self.guards.contains(call.name.as_str())
                }
                _ => false,
            };
            !found
        });
        found
    }

    /// Whether a condition has tested a variable or one of its properties.
    fn is_guarded(&self, name: &str) -> bool {
        let property = format!("{name}.");
        self.guards.iter().any(|guard| guard == name || guard.starts_with(&property))
    }

    /// Whether a condition has tested a variable for `()`, or has tested its value.
    pub(super) fn asked_for(&self, expr: &Expr) -> bool {
        let tested = matches!(expr, Expr::Variable(variable, ..) if self.guards.contains(&whether(&variable.1)));
        tested || self.guarded(expr)
    }

    /// Transfers an earlier test to a variable whose value is calculated from a tested one: it then has a value, just as a
    /// playable roll always permits a move. If it may be a number, a text, an array or a map, its possible values may be
    /// fewer.
    pub(super) fn made_with(&mut self, name: &str, value: &AbstractValue, expr: &Expr) {
        let guarded = self.guarded(expr);
        let is_asked = |node: &ASTNode<'_>| matches!(node, ASTNode::Expr(Expr::Variable(variable, ..)) if self.guards.contains(&whether(&variable.1)));
        let tested = guarded || any_in(expr, is_asked);
        let plain = [ValueKind::Number, ValueKind::Text, ValueKind::Array, ValueKind::Map];
        if guarded && plain.iter().any(|kind| value.kinds.has(*kind)) {
            self.guards.insert(name.to_string());
        }
        if tested {
            self.guards.insert(whether(name));
        }
    }

    /// Whether a condition has tested the entries of an array that a loop iterates over. A test of its length does not
    /// count.
    pub(super) fn entries_guarded(&self, expr: &Expr) -> bool {
        let Expr::Variable(variable, ..) = expr else { return self.guarded(expr) };
        let (name, length) = (variable.1.as_str(), format!("{}.len", variable.1));
        let property = format!("{name}.");
        self.guards.iter().any(|guard| guard == name || guard.starts_with(&property) && *guard != length)
    }

    /// A loop that never ends, because nothing in it changes the variables of its condition, or the game if the condition
    /// reads it.
    pub(super) fn stands_still(&mut self, condition: &Expr, body: &StmtBlock, at: LineColumn) {
        let asked = self.asked(condition);
        let always = matches!(condition, Expr::BoolConstant(true, _));
        if asked.doubtful || asked.names.is_empty() && !asked.game || always {
            return;
        }
        let mut changes = false;
        for statement in body.iter() {
            walk_statement(statement, &mut |path| {
                changes |= match path {
                    [.., ASTNode::Stmt(Stmt::Assignment(parts))] => {
                        root_of(&parts.1.lhs).is_none_or(|root| asked.names.contains(&root))
                    }
                    [.., ASTNode::Stmt(Stmt::Return(..))] => true,
                    [.., ASTNode::Stmt(Stmt::BreakLoop(_, flags, _))] => flags.intersects(ASTFlags::BREAK),
                    // A method that changes an array or map in place.
                    [.., ASTNode::Expr(Expr::Dot(parts, ..)), ASTNode::Expr(Expr::MethodCall(call, _))] => {
                        let own = root_of(&parts.lhs).is_none_or(|root| asked.names.contains(&root));
                        own && (named(&call.name).next().is_none() || changes_in_place(&call.name))
                            || asked.game && self.may_act(&call.name)
                    }
                    [.., ASTNode::Expr(Expr::MethodCall(call, _))] => {
                        named(&call.name).next().is_none() || asked.game && self.may_act(&call.name)
                    }
                    [.., ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))] => {
                        call.name == "call" || asked.game && !call.is_operator_call() && self.may_act(&call.name)
                    }
                    _ => false,
                };
                !changes
            });
        }
        if changes {
            return;
        }
        let (what, help) = match asked.names.first() {
            Some(first) => {
                let what: Vec<String> = asked.names.iter().map(|name| format!("`{name}`")).collect();
                let set = self.lookup(first).kinds.is(ValueKind::Squares);
                let kinds = self.lookup(first).kinds;
                let moves = kinds.known() && kinds.has(ValueKind::Move);
                let change = match (set, moves) {
                    (true, _) => format!("{first} -= ..;"),
                    (_, true) => format!("{first} = play(..);"),
                    _ => format!("{first} += 1;"),
                };
                (
                    alternatives(&what),
                    format!("change it in the loop, as in `{change}`, or leave the loop with `break`"),
                )
            }
            None => {
                let help = "change this result inside the loop, or leave the loop with `break`";
                (format!("the result of `{}`", self.source(condition)), help.to_string())
            }
        };
        // The body declares another variable with the same name.
        let again = first_within(body, |node| match node {
            ASTNode::Stmt(Stmt::Var(parts, ..)) if asked.names.iter().any(|name| *name == parts.0.name.as_str()) => {
                Some((parts.0.name.to_string(), super::place(parts.0.pos)))
            }
            _ => None,
        });
        if let Some((name, inner)) = again {
            let message = format!(
                "this `let` declares a second `{name}`: the one in the `while` condition never changes, so the \
                 loop never ends"
            );
            return self.error(Code::Endless, inner, message, format!("assign to it without `let`: `{name} = ..`"));
        }
        self.error(Code::Endless, at, format!("this `while` never ends: nothing in it changes {what}"), help);
    }

    /// A `while` whose condition is false at the start, because its variable is declared with another number just before.
    pub(super) fn never_runs(&mut self, before: &[&Stmt], statement: &Stmt) {
        let Stmt::While(flow, _) = statement else { return };
        let Some((name, holds)) = plain_test(&flow.expr) else { return };
        let mut made = None;
        for earlier in before {
            match earlier {
                Stmt::Var(parts, ..) if parts.0.name == name => made = Some(&parts.1),
                // Any other statement in between may change it.
                Stmt::Var(..) => {}
                _ => made = None,
            }
        }
        let Some(Expr::IntegerConstant(first, at)) = made else { return };
        if !holds(*first) {
            let line = at.line().unwrap_or(0);
            let message = format!("this `while` never runs: `{name}` is {first} when the loop starts");
            let help = format!("start `{name}` with a different number on line {line}, or change the condition");
            self.warn(Code::Condition, super::start(&flow.expr), message, help);
        }
    }

    /// The dependencies of a loop's condition.
    fn asked(&self, condition: &Expr) -> Asked {
        let mut asked = Asked::default();
        walk_expression(condition, &mut |path| {
            match path {
                [.., ASTNode::Expr(Expr::Variable(variable, ..))] => {
                    let name = variable.1.to_string();
                    // A stored permit, piece or square is evaluated again each time.
                    let kept = [ValueKind::Number, ValueKind::Text, ValueKind::Squares, ValueKind::Array];
                    let kinds = self.lookup(&name).kinds;
                    asked.game |= !kept.iter().any(|kind| kinds.is(*kind)) && path.len() > 1 && is_owner(path);
                    if !asked.names.contains(&name) {
                        asked.names.push(name);
                    }
                }
                [.., ASTNode::Expr(Expr::FnCall(call, _))] if !call.is_operator_call() && call.name != "contains" => {
                    asked.game = true;
                    asked.doubtful |= !only_looks(&call.name);
                }
                [.., ASTNode::Expr(Expr::MethodCall(call, _))] => {
                    asked.doubtful |= !only_looks(&call.name) && !matches!(call.name.as_str(), "len" | "contains");
                }
                _ => {}
            }
            true
        });
        asked
    }

    /// Whether a call may change the game, ask a player or roll. Calls of script functions are assumed to.
    fn may_act(&self, name: &str) -> bool {
        self.functions.iter().any(|def| def.name == name) || !only_looks(name)
    }
}

/// The variable that is compared with `()`.
fn asks_for_nothing(call: &FnCallExpr) -> Option<&str> {
    match call.args.as_slice() {
        [of, Expr::Unit(_)] | [Expr::Unit(_), of] if is_equality(call.op_token.as_ref()) => variable(of),
        _ => None,
    }
}

/// The guard entry for a test of a variable for `()`.
fn whether(name: &str) -> String {
    format!("{name} == ()")
}

/// Whether the call compares two entries of one array.
fn compares_entries(call: &FnCallExpr) -> bool {
    let root = |expr: &Expr| match expr {
        Expr::Index(..) => root_of(expr),
        _ => None,
    };
    match call.args.as_slice() {
        [left, right] => root(left).is_some_and(|name| root(right) == Some(name)),
        _ => false,
    }
}

/// The dependencies of a loop's condition.
#[derive(Default)]
struct Asked {
    /// Its variables.
    names: Vec<String>,
    /// Whether it reads the game.
    game: bool,
    /// Whether it calls a function with unknown effects.
    doubtful: bool,
}

/// Whether a built-in function has no effects.
fn only_looks(name: &str) -> bool {
    let mut rows = named(name).peekable();
    rows.peek().is_some() && rows.all(|(row, _)| matches!(row.cost, Cost::Value | Cost::Search | Cost::Question))
}

/// Whether the last node of a path is the receiver of a property or method.
fn is_owner(path: &[ASTNode<'_>]) -> bool {
    let [.., parent, ASTNode::Expr(Expr::Variable(variable, ..))] = path else { return false };
    path_of(parent, &variable.1).is_some()
}

/// A variable with the property or method that is read, such as `piece.side`.
fn path_of(parent: &ASTNode<'_>, name: &str) -> Option<String> {
    let ASTNode::Expr(Expr::Dot(parts, ..)) = parent else { return None };
    if !is_variable(&parts.lhs, name) {
        return None;
    }
    let first = match &parts.rhs {
        Expr::Dot(inner, ..) | Expr::Index(inner, ..) => &inner.lhs,
        other => other,
    };
    match first {
        Expr::Property(property, _) => Some(format!("{name}.{}", property.2)),
        Expr::MethodCall(call, _) => Some(format!("{name}.{}", call.name)),
        _ => None,
    }
}

/// A predicate on numbers.
type Holds = Box<dyn Fn(i64) -> bool>;

/// The variable that a condition compares with number literals, and the numbers for which the condition holds.
fn plain_test(condition: &Expr) -> Option<(&str, Holds)> {
    let Expr::FnCall(call, _) = condition else { return None };
    let [left, right] = call.args.as_slice() else { return None };
    if call.name == "contains" {
        let Expr::Array(items, _) = left else { return None };
        let numbers = items.iter().map(integer).collect::<Option<Vec<i64>>>()?;
        return Some((variable(right)?, Box::new(move |n| numbers.contains(&n))));
    }
    let (name, number, op) = (variable(left)?, integer(right)?, call.op_token.clone()?);
    compares(&op, 0, 0)?;
    Some((name, Box::new(move |n| compares(&op, n, number) == Some(true))))
}
