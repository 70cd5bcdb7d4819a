//! What values can be, followed through variables, arrays, maps, branches and functions before anything is played: and
//! where that shows a mistake.
//!
//! A script is walked several times: each time what functions are given and give back is known better than the time
//! before ([`Facts`] begin with everything possible and lose what is not). Only the last walk complains. What functions of
//! the game take and give is asked of their rows. A condition may make possible what would be wrong without it: complaints
//! about single values keep silent where a condition before has looked at what they depend on.

mod calls;
mod compare;
mod known;
mod switches;
mod world;

pub(super) use world::World;

use super::name_table::Place;
use super::names;
use super::report::Report;
use crate::functions::{Cost, named as functions_named};
use crate::host::kind::ValueKind;
use crate::host::tokens::{Token, tokens};
use known::{Kinds, Known, Origin};
use rhai::{AST, ASTFlags, ASTNode, Expr, FnPtr, Position, Stmt, StmtBlock, Token as Op};
use std::collections::{BTreeMap, BTreeSet};

/// So often a script is walked.
const WALKS: usize = 4;

/// A function of the script: its name, and how many parameters it has.
type Own = (String, usize);

/// Stands for all functions.
static ANYWHERE: &Own = &(String::new(), usize::MAX);

/// What one walk finds out for the next.
#[derive(Default)]
struct Facts {
    /// What the parameters of functions are given.
    given: BTreeMap<Own, Vec<Known>>,
    /// What functions give back.
    results: BTreeMap<Own, Known>,
    /// What variables are set to after they are made, by function and name.
    set: BTreeMap<(Own, String), Known>,
}

/// Judges a script; names are judged as well if they are known.
pub(super) fn check(ast: &AST, known: &names::Known, world: Option<&World>, report: &mut Report) {
    let text = report.text.clone();
    let all = tokens(&text);
    let functions = definitions(ast);
    let mut facts = None;
    for walk in 0..WALKS {
        let mut walker = Walker {
            text: &text,
            tokens: &all,
            functions: &functions,
            known,
            world,
            before: facts.as_ref(),
            now: Facts::default(),
            report: (walk + 1 == WALKS).then_some(&mut *report),
            scopes: Vec::new(),
            constants: Vec::new(),
            own: (String::new(), 0),
            guards: BTreeSet::new(),
            returned: Vec::new(),
        };
        walker.script(ast);
        facts = Some(walker.now);
    }
}

/// A function of the script, also one without a name.
struct Definition {
    name: String,
    params: Vec<String>,
    body: StmtBlock,
}

/// All functions of a script, by name and number of parameters.
fn definitions(ast: &AST) -> Vec<Definition> {
    let functions = ast.iter_functions();
    let mut all: Vec<(String, Vec<String>)> =
        functions.map(|f| (f.name.to_string(), f.params.iter().map(ToString::to_string).collect())).collect();
    all.sort();
    all.into_iter()
        .map(|(name, params)| {
            let mut only = ast.clone_functions_only();
            only.retain_functions(|_, _, n, k| n == name && k == params.len());
            let mut statements = Vec::new();
            only.walk(&mut |path: &[ASTNode<'_>]| {
                if let [ASTNode::Stmt(statement)] = path {
                    statements.push((*statement).clone());
                }
                true
            });
            Definition { name, params, body: StmtBlock::new(statements, Position::NONE, Position::NONE) }
        })
        .collect()
}

struct Walker<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    functions: &'a [Definition],
    known: &'a names::Known,
    world: Option<&'a World>,
    /// What the walk before has found; nothing in the first.
    before: Option<&'a Facts>,
    now: Facts,
    report: Option<&'a mut Report>,
    /// Variables by block, with what they are made with.
    scopes: Vec<Vec<(String, Known)>>,
    /// Constants of the top level.
    constants: Vec<(String, Known)>,
    /// The function that is walked.
    own: Own,
    /// Names that conditions of this function have looked at so far.
    guards: BTreeSet<String>,
    /// What `return` gives back in it.
    returned: Vec<Known>,
}

fn place(at: Position) -> Place {
    (at.line().unwrap_or(0), at.position().unwrap_or(1))
}

/// Where an expression begins.
fn start(expr: &Expr) -> Place {
    match expr {
        Expr::FnCall(call, at) if call.is_operator_call() => match call.args.as_slice() {
            [left, _] => start(left),
            _ => place(*at),
        },
        Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) if !parts.is_empty() => start(&parts[0]),
        Expr::Index(parts, ..) | Expr::Dot(parts, ..) => start(&parts.lhs),
        other => place(other.start_position()),
    }
}

impl<'a> Walker<'a> {
    fn script(&mut self, ast: &AST) {
        self.scopes.push(Vec::new());
        let last = ast.statements().len().saturating_sub(1);
        for (i, statement) in ast.statements().iter().enumerate() {
            self.statement(statement, i == last);
            if let Stmt::Var(parts, flags, _) = statement
                && flags.intersects(ASTFlags::CONSTANT)
            {
                let value = self.lookup(&parts.0.name);
                self.constants.push((parts.0.name.to_string(), value));
            }
        }
        self.scopes.clear();
        for def in self.functions {
            self.function(def);
        }
    }

    fn function(&mut self, def: &Definition) {
        self.own = (def.name.to_string(), def.params.len());
        self.guards.clear();
        self.returned.clear();
        let given = self.before.and_then(|facts| facts.given.get(&self.own));
        let param = |i: usize| given.and_then(|given| given.get(i)).cloned().unwrap_or_else(Known::any);
        self.scopes = vec![def.params.iter().enumerate().map(|(i, name)| (name.to_string(), param(i))).collect()];
        // What a rule comes to nobody asks.
        let used = !super::rules::RULES.contains(&def.name.as_str());
        let value = self.block(&def.body, used);
        let returned = std::mem::take(&mut self.returned);
        let mut result = returned.iter().fold(value, |all, one| all.or(one));
        if result.kinds == Kinds::NONE {
            result = Known::any();
        }
        self.now.results.insert(self.own.clone(), result);
    }

    /// Notes what a function is called with, or may be.
    fn give(&mut self, own: Own, args: Vec<Known>) {
        match self.now.given.get_mut(&own) {
            None => drop(self.now.given.insert(own, args)),
            Some(given) => given.iter_mut().zip(&args).for_each(|(known, arg)| *known = known.or(arg)),
        }
    }

    fn error(&mut self, at: Place, message: impl Into<String>, help: impl Into<String>) {
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.error(at, message.into(), Some(help.into()));
        }
    }

    fn warn(&mut self, at: Place, message: impl Into<String>, help: impl Into<String>) {
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.warning(at, message.into(), Some(help.into()));
        }
    }

    /// What is known of a variable.
    fn lookup(&self, name: &str) -> Known {
        let made = self.scopes.iter().rev().flatten_newest().find(|(known, _)| known == name).map(|(_, value)| value);
        let Some(made) = made else {
            let constant = self.constants.iter().find(|(known, _)| known == name);
            return constant.map_or_else(Known::any, |(_, value)| value.clone());
        };
        let Some(before) = self.before else { return Known::any() };
        let set = |own: &Own| before.set.get(&(own.clone(), name.to_string()));
        match (set(&self.own), set(ANYWHERE)) {
            (None, None) => made.clone(),
            (here, anywhere) => {
                let all = here.into_iter().chain(anywhere);
                let mut both = all.fold(made.clone(), |all, set| all.or(set));
                // It may be anything between by the time that it is looked at.
                (both.range, both.length) = (None, None);
                both
            }
        }
    }

    /// The value of the block, and whether what stands behind it is never run.
    fn block(&mut self, block: &StmtBlock, used: bool) -> Known {
        self.scopes.push(Vec::new());
        let mut value = Known::nothing();
        let statements: Vec<&Stmt> =
            block.iter().filter(|one| !matches!(one, Stmt::Noop(_) | Stmt::Share(_))).collect();
        let last = statements.len().saturating_sub(1);
        for (i, statement) in statements.iter().enumerate() {
            value = self.statement(statement, used && i == last);
            if leaves(statement) {
                if let Some(next) = statements.get(i + 1) {
                    self.never_reached(statement, next);
                }
                value = Known::of(Kinds::NONE);
            }
        }
        if let (Some(Stmt::Var(parts, _, at)), true) = (statements.last(), used) {
            self.ends_in_let(&parts.0.name, place(*at));
            let why = format!("`{}` ends in `let`, which gives nothing back", self.own.0);
            value.nothing = Some((place(*at), why, format!("write `{}` behind it", parts.0.name)));
        }
        self.scopes.pop();
        value
    }

    fn never_reached(&mut self, before: &Stmt, next: &Stmt) {
        let at = match next {
            Stmt::Expr(expr) => start(expr),
            Stmt::Assignment(parts) => start(&parts.1.lhs),
            other => place(other.position()),
        };
        let line = place(before.position()).0;
        let what = match before {
            Stmt::BreakLoop(..) => "`break` or `continue`",
            _ => "`return`",
        };
        let message = format!("this is never reached: the {what} of line {line} comes before it");
        self.warn(at, message, "remove it, or put the `return` of that line under a condition");
    }

    fn ends_in_let(&mut self, name: &str, at: Place) {
        let of = if self.own.0.starts_with("anon$") || self.own.0.is_empty() {
            "this function or block".to_string()
        } else {
            format!("`{}`", self.own.0)
        };
        let message = format!("{of} ends in `let`: its value is lost, where a permit or another value may be wanted");
        self.warn(
            at,
            message,
            format!("end with the value itself: write `{name}` as the last line, or leave `let {name} =` out"),
        );
    }

    fn statement(&mut self, statement: &Stmt, used: bool) -> Known {
        match statement {
            Stmt::If(flow, _) => {
                self.condition(&flow.expr);
                if flow.body.is_empty() && flow.branch.is_empty() {
                    let message = "nothing is done under this condition";
                    self.warn(place(flow.body.position()), message, "write what is to be done, or remove the `if`");
                }
                let then = self.block(&flow.body, used);
                if flow.branch.is_empty() {
                    return then.or(&Known::nothing());
                }
                then.or(&self.block(&flow.branch, used))
            }
            Stmt::Switch(parts, at) => self.switch(parts, place(*at), used),
            Stmt::While(flow, at) | Stmt::Do(flow, _, at) => {
                if !matches!(flow.expr, Expr::Unit(_)) {
                    self.condition(&flow.expr);
                    self.stands_still(&flow.expr, &flow.body, place(*at));
                }
                self.block(&flow.body, false);
                Known::any()
            }
            Stmt::For(parts, _) => {
                let all = self.value(&parts.2.expr);
                let each = self.each(&all, &parts.2.expr);
                if self.guarded(&parts.2.expr) {
                    self.guards.insert(parts.0.name.to_string());
                }
                let mut inner = vec![(parts.0.name.to_string(), each)];
                inner.extend(parts.1.iter().map(|counter| (counter.name.to_string(), Known::one(ValueKind::Number))));
                self.scopes.push(inner);
                self.block(&parts.2.body, false);
                self.scopes.pop();
                Known::nothing()
            }
            Stmt::Var(parts, ..) => {
                let value = self.value(&parts.1);
                if self.guarded(&parts.1) {
                    self.guards.insert(parts.0.name.to_string());
                }
                if let Some(scope) = self.scopes.last_mut() {
                    scope.push((parts.0.name.to_string(), value));
                }
                Known::nothing()
            }
            Stmt::Assignment(parts) => {
                self.assignment(&parts.0, &parts.1.lhs, &parts.1.rhs);
                Known::nothing()
            }
            Stmt::FnCall(call, at) => {
                let value = self.call(call, *at, None);
                if !used {
                    self.dropped(&call.name, place(*at));
                }
                value
            }
            Stmt::Block(block) => self.block(block, used),
            Stmt::Expr(expr) => self.alone(expr, used),
            Stmt::Return(expr, flags, _) => {
                let value = expr.as_deref().map_or_else(Known::nothing, |expr| self.value(expr));
                if !flags.intersects(ASTFlags::BREAK) {
                    self.returned.push(value);
                }
                Known::of(Kinds::NONE)
            }
            Stmt::BreakLoop(expr, ..) => {
                expr.iter().for_each(|expr| drop(self.value(expr)));
                Known::of(Kinds::NONE)
            }
            _ => Known::nothing(),
        }
    }

    /// An expression as a statement.
    fn alone(&mut self, expr: &Expr, used: bool) -> Known {
        let value = self.value(expr);
        if used {
            return value;
        }
        match expr {
            Expr::FnCall(call, at) if call.is_operator_call() && call.args.len() == 2 => {
                let sign = call.name.to_string();
                let help = if sign == "==" {
                    "`=` sets a value".to_string()
                } else {
                    format!("use it, or remove it: `{sign}` changes nothing")
                };
                self.warn(place(*at), format!("nothing uses what `{sign}` comes to"), help);
            }
            Expr::FnCall(call, at) => self.dropped(&call.name, place(*at)),
            Expr::Dot(parts, ..) => {
                let mut last = &parts.rhs;
                while let Expr::Dot(inner, ..) = last {
                    last = &inner.rhs;
                }
                if let Expr::MethodCall(call, at) = last {
                    self.dropped_of(
                        &call.name,
                        place(*at),
                        match &parts.lhs {
                            Expr::Variable(variable, ..) => Some(variable.1.as_str()),
                            _ => None,
                        },
                    );
                }
            }
            Expr::Variable(variable, ..) => {
                let message = format!("nothing uses `{}` here", variable.1);
                self.warn(start(expr), message, "call it, return it, or remove it");
            }
            _ => {}
        }
        value
    }

    fn dropped(&mut self, name: &str, at: Place) {
        self.dropped_of(name, at, None);
    }

    /// A call whose result nobody uses, if making it is all that the call does.
    fn dropped_of(&mut self, name: &str, at: Place, receiver: Option<&str>) {
        let own = self.functions.iter().any(|def| def.name == name);
        let mut rows = functions_named(name).peekable();
        let only_makes = rows.peek().is_some() && rows.all(|(row, _)| matches!(row.cost, Cost::Value | Cost::Search));
        if own || !only_makes {
            return;
        }
        let help = match (crate::functions::gives(name, ValueKind::Permit), receiver) {
            (true, Some(receiver)) => format!("did you mean `{receiver} = {receiver}.{name}(...)`, or `return ...`?"),
            (true, None) => format!("did you mean `play({name}(...))` or `return {name}(...)`?"),
            _ => format!("did you mean `let ... = {name}(...)` or `return ...`?"),
        };
        self.warn(at, format!("`{name}` only makes a value, and nothing uses it"), help);
    }

    fn assignment(&mut self, op: &rhai::OpAssignment, left: &Expr, right: &Expr) {
        let value = self.value(right);
        let Expr::Variable(variable, ..) = left else {
            self.value(left);
            if let Some(name) = root_of(left) {
                self.changed_in_place(&name);
            }
            return;
        };
        self.constant_changed(&variable.1, start(left));
        let name = variable.1.to_string();
        let value = match op.get_op_assignment_info() {
            Some((.., base, _)) => {
                let old = self.lookup(&name);
                self.operator(base, &[old, value], &[left, right], place(op.position()))
            }
            None => {
                if matches!(right, Expr::Variable(other, ..) if other.1 == variable.1) {
                    self.warn(
                        start(left),
                        format!("`{name}` is set to itself"),
                        "remove it, or set it to something else",
                    );
                }
                value
            }
        };
        self.set(name, value);
    }

    /// Notes what a variable is set to.
    fn set(&mut self, name: String, value: Known) {
        // What a closure sets may be a variable of the function around it.
        let own = if self.own.0.starts_with("anon$") { ANYWHERE } else { &self.own };
        let key = (own.clone(), name);
        let joined = self.now.set.get(&key).map_or_else(|| value.clone(), |known| known.or(&value));
        self.now.set.insert(key, joined);
    }

    /// Notes that an array or map has other entries than it was made with.
    fn changed_in_place(&mut self, name: &str) {
        let kinds = self.lookup(name).kinds;
        self.set(name.to_string(), Known::of(kinds));
    }

    /// A constant of the top level that a rule sets.
    pub(super) fn constant_changed(&mut self, name: &str, at: Place) {
        let local = self.scopes.iter().flatten().any(|(known, _)| known == name);
        if !local && self.constants.iter().any(|(known, _)| known == name) {
            let message = format!("`{name}` is a constant: it cannot be changed");
            self.error(at, message, format!("copy it into a variable first: `let mine = {name};`"));
        }
    }

    /// What a loop goes through.
    fn each(&mut self, all: &Known, expr: &Expr) -> Known {
        if all.kinds.is(ValueKind::Array) {
            return if all.items.is_empty() { Known::any() } else { all.item() };
        }
        if all.kinds.is(ValueKind::Squares) {
            return Known::one(ValueKind::Square);
        }
        if let Some((least, most)) = range_of(expr, self) {
            return Known::number(least, most);
        }
        let through =
            Kinds::of(&[ValueKind::Array, ValueKind::Squares, ValueKind::Map, ValueKind::Text, ValueKind::Function]);
        if all.kinds.known() && !all.kinds.meets(through) {
            let source = self.source(expr);
            let help = match all.kinds.is(ValueKind::Number) {
                true => format!("count up to it: `for i in 0..{source} {{ .. }}`"),
                false => "a loop goes through an array, a set of squares or a range of numbers".to_string(),
            };
            self.error(start(expr), format!("a loop cannot go through {}", all.kinds.words()), help);
        }
        Known::any()
    }

    /// Names in a condition: what depends on them may be right only there.
    fn guard(&mut self, expr: &Expr) {
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
    fn guarded(&self, expr: &Expr) -> bool {
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
    fn stands_still(&mut self, condition: &Expr, body: &StmtBlock, at: Place) {
        let mut names = BTreeSet::new();
        let mut calls = false;
        condition.walk(&mut Vec::new(), &mut |path| {
            match path.last() {
                Some(ASTNode::Expr(Expr::Variable(variable, ..))) => drop(names.insert(variable.1.to_string())),
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
                        matches!(&parts.1.lhs, Expr::Variable(variable, ..) if names.contains(variable.1.as_str()))
                            || !matches!(&parts.1.lhs, Expr::Variable(..))
                    }
                    Some(ASTNode::Stmt(Stmt::Return(..))) => true,
                    Some(ASTNode::Stmt(Stmt::BreakLoop(_, flags, _))) => flags.intersects(ASTFlags::BREAK),
                    // What changes a list or map in place.
                    Some(ASTNode::Expr(Expr::MethodCall(call, _))) => functions_named(&call.name).next().is_none(),
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
        let first = names.iter().next().cloned().unwrap_or_default();
        self.error(at, message, format!("change it in the loop, as `{first} += 1;`, or leave the loop by `break`"));
    }

    /// What is known of the value of an expression.
    fn value(&mut self, expr: &Expr) -> Known {
        match expr {
            Expr::BoolConstant(..) => Known::one(ValueKind::Truth),
            Expr::IntegerConstant(number, _) => Known::number(*number, *number),
            Expr::StringConstant(text, at) => Known::text(text, place(*at)),
            Expr::InterpolatedString(parts, _) => {
                parts.iter().for_each(|part| drop(self.value(part)));
                Known::one(ValueKind::Text)
            }
            Expr::Unit(_) => Known::nothing(),
            Expr::Array(items, _) => Known::list(items.iter().map(|item| self.value(item)).collect()),
            Expr::Map(entries, _) => {
                let entries = entries.0.iter();
                let all =
                    entries.map(|(key, value)| (key.name.to_string(), (place(key.pos), self.value(value)))).collect();
                Known { entries: Some(all), ..Known::one(ValueKind::Map) }
            }
            Expr::DynamicConstant(value, _) => match value.read_lock::<FnPtr>() {
                Some(pointer) => self.pointer(pointer.fn_name(), Vec::new()),
                None => Known::any(),
            },
            Expr::Variable(parts, ..) if parts.2.is_empty() => self.lookup(&parts.1),
            Expr::Stmt(block) => self.block(block, true),
            Expr::FnCall(call, at) => self.call(call, *at, None),
            Expr::Dot(parts, flags, _) => {
                let receiver = self.value(&parts.lhs);
                let receiver = Known {
                    kinds: if flags.intersects(ASTFlags::NEGATED) {
                        receiver.kinds.without(ValueKind::Nothing)
                    } else {
                        receiver.kinds
                    },
                    ..receiver
                };
                self.chain(receiver, &parts.lhs, &parts.rhs)
            }
            Expr::Index(parts, flags, _) => {
                let whole = self.value(&parts.lhs);
                match &parts.rhs {
                    further @ (Expr::Dot(inner, ..) | Expr::Index(inner, ..)) if !flags.intersects(ASTFlags::BREAK) => {
                        let item = self.index(&whole, &parts.lhs, &inner.lhs);
                        self.further(item, &inner.lhs, further)
                    }
                    index => self.index(&whole, &parts.lhs, index),
                }
            }
            Expr::And(parts, _) | Expr::Or(parts, _) => {
                let sign = if matches!(expr, Expr::And(..)) { "&&" } else { "||" };
                for part in parts.iter() {
                    let value = self.value(part);
                    self.truth(&value, part, sign);
                    self.guard(part);
                }
                Known::one(ValueKind::Truth)
            }
            Expr::Coalesce(parts, _) => {
                let all: Vec<Known> = parts.iter().map(|part| self.value(part)).collect();
                all.iter().fold(Known::of(Kinds::NONE), |all, one| all.or(one))
            }
            _ => Known::any(),
        }
    }

    /// A function as a value.
    fn pointer(&mut self, name: &str, caught: Vec<Known>) -> Known {
        let count = caught.len();
        let known = self.functions.iter().any(|def| def.name == name);
        if known && !name.starts_with("anon$") {
            // Who calls it with what is not followed.
            let all: Vec<Own> = self
                .functions
                .iter()
                .filter(|def| def.name == name)
                .map(|def| (name.to_string(), def.params.len()))
                .collect();
            all.into_iter().for_each(|own| self.give(own.clone(), vec![Known::any(); own.1]));
        } else if let Some(def) = self.functions.iter().find(|def| def.name == name) {
            let mut args = caught;
            args.resize(def.params.len(), Known::of(Kinds::NONE));
            self.give((name.to_string(), def.params.len()), args);
        }
        Known { function: Some((name.to_string(), count)), ..Known::one(ValueKind::Function) }
    }

    /// What follows a dot.
    fn chain(&mut self, receiver: Known, of: &Expr, rest: &Expr) -> Known {
        match rest {
            Expr::Property(name, at) => self.property(&receiver, of, &name.2, place(*at)),
            Expr::MethodCall(call, at) => self.call(call, *at, Some((receiver, of))),
            Expr::Dot(parts, ..) => {
                let value = self.chain(receiver, of, &parts.lhs);
                self.chain(value, of, &parts.rhs)
            }
            Expr::Index(parts, flags, _) => {
                let value = self.chain(receiver, of, &parts.lhs);
                match &parts.rhs {
                    further @ (Expr::Dot(inner, ..) | Expr::Index(inner, ..)) if !flags.intersects(ASTFlags::BREAK) => {
                        let item = self.index(&value, of, &inner.lhs);
                        self.further(item, of, further)
                    }
                    index => self.index(&value, of, index),
                }
            }
            other => {
                self.value(other);
                Known::any()
            }
        }
    }

    /// What follows an index in brackets.
    fn further(&mut self, item: Known, of: &Expr, rest: &Expr) -> Known {
        match rest {
            Expr::Dot(parts, ..) => self.chain(item, of, &parts.rhs),
            Expr::Index(parts, flags, _) => match &parts.rhs {
                further @ (Expr::Dot(inner, ..) | Expr::Index(inner, ..)) if !flags.intersects(ASTFlags::BREAK) => {
                    let item = self.index(&item, of, &inner.lhs);
                    self.further(item, of, further)
                }
                index => self.index(&item, of, index),
            },
            _ => Known::any(),
        }
    }

    /// An item of an array, an entry of a map.
    fn index(&mut self, whole: &Known, of: &Expr, index: &Expr) -> Known {
        let at = self.value(index);
        if whole.kinds.is(ValueKind::Map) {
            let Some(entries) = &whole.entries else { return Known::any() };
            return match &at.texts {
                Some(texts) if texts.iter().all(|(text, _)| entries.contains_key(text)) => {
                    let values = texts.iter().filter_map(|(text, _)| entries.get(text)).map(|(_, value)| value.clone());
                    values.reduce(|a, b| a.or(&b)).unwrap_or_else(Known::any)
                }
                _ => Known::any(),
            };
        }
        if whole.kinds.is(ValueKind::Cast) {
            return Known::one(ValueKind::Reckoned);
        }
        if !whole.kinds.is(ValueKind::Array) {
            return Known::any();
        }
        let range = at.range.filter(|_| at.kinds.is(ValueKind::Number));
        if let (Some(length), Some((least, most))) = (whole.length, range) {
            let count = length as i64;
            if (most >= count || least < -count) && (least == most || !self.guarded(index)) {
                self.no_entry(whole, of, index, &at, count);
            }
        }
        match (whole.is_written(), range) {
            (true, Some((least, most))) if least >= 0 && least <= most && (most as usize) < whole.items.len() => {
                let items = &whole.items[least as usize..=most as usize];
                items[1..].iter().fold(items[0].clone(), |all, item| all.or(item))
            }
            _ if whole.items.is_empty() => Known::any(),
            _ => whole.item(),
        }
    }

    fn no_entry(&mut self, whole: &Known, of: &Expr, index: &Expr, at: &Known, count: i64) {
        let (least, most) = at.range.unwrap_or_default();
        let at_place = start(index);
        let name = self.source(of);
        if let Some(Origin::Dice(dice)) = &whole.origin {
            let all: Vec<String> = (0..count).map(|i| format!("{name}[{i}]")).collect();
            let message = format!("\"{dice}\" has {count} dice, {}: there is no {name}[{most}]", all.join(", "));
            return self.error(at_place, message, format!("entries count from 0: the last is `{name}[{}]`", count - 1));
        }
        let shown = self.source(index);
        let wrong = if most >= count { most } else { least };
        if least == most {
            let message = format!("`{name}` has the entries 0 to {}, but no entry {wrong}", count - 1);
            return self.error(at_place, message, format!("entries count from 0: the last is `{name}[{}]`", count - 1));
        }
        let message = format!(
            "`{name}` has the entries 0 to {}, but `{shown}` is {least} to {most}: there is no entry {wrong}",
            count - 1
        );
        let help = match matches!(index, Expr::Variable(..)) && least == 1 && most == count {
            true => format!("faces count from 1, entries from 0: write `{shown} - 1`"),
            false => format!("give `{name}` {} entries, or ask before", most + 1),
        };
        self.error(at_place, message, help);
    }

    /// The text of an expression in the script, if it is short.
    fn source(&self, expr: &Expr) -> String {
        let first = self.tokens.iter().position(|token| token.at == start(expr));
        let Some(first) = first else { return "it".into() };
        let mut depth = 0;
        let mut last = first;
        for (i, token) in self.tokens.iter().enumerate().skip(first) {
            if depth == 0
                && (token.closes()
                    || matches!(
                        token.text,
                        "," | ";" | "=>" | "{" | "==" | "!=" | "&&" | "||" | "=" | "<" | ">" | "<=" | ">="
                    ))
            {
                break;
            }
            depth += i32::from(token.opens()) - i32::from(token.closes());
            last = i;
            if depth == 0 && matches!(expr, Expr::Variable(..)) {
                break;
            }
        }
        self.text.get(self.tokens[first].span.start..self.tokens[last].span.end).unwrap_or("it").to_string()
    }
}

/// The numbers of a range as it is written.
fn range_of(expr: &Expr, walker: &mut Walker<'_>) -> Option<(i64, i64)> {
    let Expr::FnCall(call, _) = expr else { return None };
    let [first, last] = call.args.as_slice() else { return None };
    let (first, last) = (walker.value(first).range?, walker.value(last).range?);
    match call.op_token.as_ref()? {
        Op::InclusiveRange => Some((first.0, last.1)),
        Op::ExclusiveRange => Some((first.0, last.1.checked_sub(1)?)),
        _ => None,
    }
}

/// The variable that an entry or property belongs to.
fn root_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Variable(variable, ..) => Some(variable.1.to_string()),
        Expr::Index(parts, ..) | Expr::Dot(parts, ..) => root_of(&parts.lhs),
        _ => None,
    }
}

/// Whether nothing behind a statement is run.
fn leaves(statement: &Stmt) -> bool {
    let block = |block: &StmtBlock| block.iter().any(leaves);
    match statement {
        Stmt::Return(..) | Stmt::BreakLoop(..) => true,
        Stmt::If(flow, _) => block(&flow.body) && block(&flow.branch),
        Stmt::Block(inner) => block(inner),
        _ => false,
    }
}

/// Scopes from the innermost, and in each what was made last first.
trait Newest<'v> {
    fn flatten_newest(self) -> impl Iterator<Item = &'v (String, Known)>;
}

impl<'v, I: Iterator<Item = &'v Vec<(String, Known)>>> Newest<'v> for I {
    fn flatten_newest(self) -> impl Iterator<Item = &'v (String, Known)> {
        self.flat_map(|scope| scope.iter().rev())
    }
}
