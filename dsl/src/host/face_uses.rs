//! Finds rolls whose faces a script uses only in ways that can be computed in advance.
//!
//! `let dice = roll("2d6");` has 36 outcomes, but a script that only uses `dice.total` distinguishes 11 of them. If every
//! use of a roll is known from the text and depends only on the faces, outcomes that all uses treat alike form a class. A
//! rule sees the first outcome of the class, and its tree has one branch per class. This is as lazy as `cast`, without a
//! change to the script.
//!
//! Owns the set of these rolls and the classes of their outcomes; [`super::made_of_faces`] computes the result of each use.
//! Records keep the faces that were rolled.

use super::made_of_faces::{Hole, Made, Worth, is_own_name};
use crate::host::walk::walk_script;
use rhai::{AST, ASTFlags, ASTNode, Expr, FnCallExpr, Position, Stmt};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How many nested calls are followed when functions pass faces on.
const DEEPEST: usize = 8;

/// All uses of the faces of a roll.
pub(crate) type Uses = Arc<[Made]>;

/// The rolls whose uses are known, by script and place.
#[derive(Clone, Default)]
pub(crate) struct FaceUses {
    rolls: HashMap<Arc<str>, HashMap<Position, Uses>>,
    /// Whether `play_each` may be called.
    plays_each: bool,
}

impl FaceUses {
    /// Adds the rolls of a script.
    pub(super) fn survey(&mut self, script: &str, ast: &AST) {
        let functions = Functions::of(ast);
        self.plays_each |= functions.may_play_each(ast);
        if functions.params.keys().any(|(name, _)| is_own_name(name)) {
            return;
        }
        let mut found = HashMap::new();
        for function in functions.params.keys() {
            found.extend(functions.rolls(function));
        }
        self.rolls.insert(script.into(), found);
    }

    /// The uses of the roll at a place, if they are known.
    pub(crate) fn of(&self, script: &str, at: Position) -> Option<Uses> {
        self.rolls.get(script)?.get(&at).filter(|_| !self.plays_each).cloned()
    }
}

/// The first outcome of each class, and the class number of each outcome. Outcomes of one class are used alike. `None` if
/// all outcomes are used differently, or if a use cannot be computed.
pub(crate) fn classes(uses: &Uses, outcomes: impl Iterator<Item = Vec<i16>>) -> Option<(Vec<u64>, Vec<u32>)> {
    let (mut known, mut first, mut of) = (BTreeMap::<Vec<Worth>, u32>::new(), Vec::new(), Vec::new());
    for (index, faces) in (0..).zip(outcomes) {
        let worth = uses.iter().map(|made| made.worth(&faces)).collect::<Option<Vec<Worth>>>()?;
        let number = *known.entry(worth).or_insert(first.len() as u32);
        if number as usize == first.len() {
            first.push(index);
        }
        of.push(number);
    }
    (first.len() < of.len()).then_some((first, of))
}

/// A function by its name and the number of its parameters.
type Name = (String, usize);

/// The functions of a script, closures among them.
struct Functions {
    /// The body and parameter names of each function.
    params: BTreeMap<Name, (AST, Vec<String>)>,
}

impl Functions {
    fn of(ast: &AST) -> Functions {
        let alone = |name: &str, params: usize| {
            let mut alone = ast.clone_functions_only();
            alone.retain_functions(|_, _, other, others| other == name && others == params);
            alone
        };
        let function = |found: rhai::ScriptFnMetadata<'_>| {
            let params: Vec<String> = found.params.iter().map(|&name| name.into()).collect();
            ((found.name.to_string(), params.len()), (alone(found.name, params.len()), params))
        };
        Functions { params: ast.iter_functions().map(function).collect() }
    }

    /// Whether `play_each` may be called. Without faces it plays those of the last roll. With faces, the dice left belong
    /// to the position, and positions keep the faces that were rolled.
    fn may_play_each(&self, ast: &AST) -> bool {
        let mut found = false;
        walk_script(ast, &mut |path| {
            let (Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)))
            | Some(ASTNode::Stmt(Stmt::FnCall(call, _)))) = path.last()
            else {
                return true;
            };
            // A function named by a text can be any function.
            found |= call.name == "Fn" || call.name == "play_each";
            !found
        });
        found
    }

    /// The rolls in a function whose uses are known.
    fn rolls(&self, function: &Name) -> Vec<(Position, Uses)> {
        let mut found = Vec::new();
        let Some((ast, _)) = self.params.get(function) else { return found };
        walk_script(ast, &mut |path| {
            let Some(ASTNode::Expr(here @ Expr::FnCall(call, at))) = path.last() else { return true };
            if call.name != "roll" || !call.namespace.is_empty() {
                return true;
            }
            let mut uses = Vec::new();
            let said = match path.get(path.len().wrapping_sub(2)) {
                Some(ASTNode::Stmt(Stmt::Var(parts, ..))) if std::ptr::eq(&parts.1, *here) => {
                    self.of_variable(function, &parts.0.name, 1, &mut uses, 0)
                }
                _ => self.of_value(path, &Hole::Call(here), &mut uses, 0),
            };
            if said.is_some() && !uses.is_empty() {
                found.push((*at, uses.into()));
            }
            true
        });
        found
    }

    /// Collects the uses of a variable that is declared `declared` times in the function's body, or is its parameter.
    /// `None` if they cannot be known.
    fn of_variable(
        &self,
        function: &Name,
        name: &str,
        declared: usize,
        uses: &mut Vec<Made>,
        depth: usize,
    ) -> Option<()> {
        let (ast, params) = self.params.get(function)?;
        let (mut times, mut said) = (params.iter().filter(|param| *param == name).count(), Some(()));
        if declared + times != 1 {
            return None;
        }
        times = 0;
        walk_script(ast, &mut |path| {
            match path.last() {
                Some(ASTNode::Expr(Expr::Variable(variable, ..))) if variable.1 == name => {
                    said = said.and(self.of_value(path, &Hole::Variable(name), uses, depth));
                }
                Some(ASTNode::Stmt(Stmt::Var(parts, ..))) if parts.0.name == name => times += 1,
                Some(ASTNode::Stmt(Stmt::For(parts, _))) => {
                    let counter = parts.1.as_ref().is_some_and(|counter| counter.name == name);
                    times += if counter || parts.0.name == name { 2 } else { 0 };
                }
                // Closures can do anything with shared variables.
                Some(ASTNode::Stmt(Stmt::Share(shared))) => {
                    times += if shared.iter().any(|(shared, _)| shared.name == name) { 2 } else { 0 };
                }
                // A caught error can have any name, and the walk does not visit the value of a `break`.
                Some(ASTNode::Stmt(Stmt::TryCatch(..) | Stmt::BreakLoop(Some(_), ..))) => times += 2,
                Some(node) if called(node).is_some_and(|call| call.capture_parent_scope) => times += 2,
                _ => {}
            }
            said.is_some() && times <= declared
        });
        said.filter(|()| times == declared)
    }

    /// Collects the use of the value at the end of a path; `None` if it cannot be known.
    fn of_value(&self, path: &[ASTNode<'_>], hole: &Hole<'_>, uses: &mut Vec<Made>, depth: usize) -> Option<()> {
        if changes(path) {
            return None;
        }
        let mut best = None;
        for (at, node) in path.iter().enumerate().rev() {
            let ASTNode::Expr(expr) = node else { break };
            if at > 0 && is_link(&path[at - 1], expr) {
                continue;
            }
            match Made::of(expr, hole) {
                Some(made) => best = Some((at, made)),
                None => break,
            }
            if best.as_ref().is_some_and(|(_, made): &(usize, Made)| made.is_unordered()) {
                break;
            }
        }
        let (at, made) = best?;
        if !made.is_faces() {
            if !uses.contains(&made) {
                uses.push(made);
            }
            return Some(());
        }
        // The faces themselves may be passed to a function of the script.
        let (call, ASTNode::Expr(given)) = (called(path.get(at.checked_sub(1)?)?)?, path[at]) else { return None };
        let place = call.args.iter().position(|arg| std::ptr::eq(arg, given))?;
        let function = (call.name.to_string(), call.args.len());
        let param =
            self.params.get(&function).filter(|_| call.namespace.is_empty() && depth < DEEPEST)?.1.get(place)?;
        self.of_variable(&function, param, 0, uses, depth + 1)
    }
}

fn called<'a>(node: &ASTNode<'a>) -> Option<&'a FnCallExpr> {
    match node {
        ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => Some(call),
        _ => None,
    }
}

/// Whether the end of a path is on the left of an assignment.
fn changes(path: &[ASTNode<'_>]) -> bool {
    path.windows(2).any(|pair| match pair {
        [ASTNode::Stmt(Stmt::Assignment(parts)), ASTNode::Expr(part)] => std::ptr::eq(&parts.1.lhs, *part),
        _ => false,
    })
}

/// Whether an expression is the rest of a chain `a[b].c` rather than an expression of its own.
fn is_link(before: &ASTNode<'_>, expr: &Expr) -> bool {
    match before {
        ASTNode::Expr(Expr::Dot(parts, flags, _) | Expr::Index(parts, flags, _)) => {
            std::ptr::eq(&parts.rhs, expr)
                && matches!(expr, Expr::Dot(..) | Expr::Index(..))
                && !flags.intersects(ASTFlags::BREAK)
        }
        _ => false,
    }
}
