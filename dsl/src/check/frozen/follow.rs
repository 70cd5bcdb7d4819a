//! Traces sets and conditions through a script, from the place where they are read to the permits of `play_each`.
//!
//! The script is walked in execution order, branch by branch; calls enter the called function. Only certain results count:
//! a set that is limited by an unknown value is not reported.

use super::held::{Board, Closure, Held, Source, Whose};
use crate::check::definitions::{Definition, own_function};
use crate::check::name_table::{LineColumn, place};
use crate::check::shapes::{called, each_node};
use crate::functions::{Fact, gives, has_fact};
use crate::host::kind::ValueKind;
use crate::host::walk::walk_script;
use rhai::{AST, ASTNode, Expr, FnCallExpr, FnPtr, Position, Stmt, StmtBlock};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Maximum call depth.
const DEPTH: usize = 12;

/// Maximum number of values examined; a reasonable script needs only a small fraction of it.
const WORK: usize = 60_000;

/// Functions of the interpreter that calculate from their arguments only.
const PLAIN: [&str; 6] = ["min", "max", "abs", "len", "sign", "to_string"];

/// A `play_each` whose permits contain a value that its moves change.
pub(super) struct Frozen {
    /// The place of `play_each`.
    pub(super) call: LineColumn,
    pub(super) source: Source,
    /// Whether it takes finished permits instead of a function that makes them.
    pub(super) made: bool,
    /// Whether it has the option `anew`.
    pub(super) anew: bool,
    /// Whether its option `spend` depends on all sequences of moves.
    pub(super) looks_ahead: bool,
}

/// A traversal of a script.
#[derive(Default)]
pub(super) struct Follower<'a> {
    functions: &'a [Definition],
    /// The values declared at the top level.
    constants: BTreeMap<String, Held>,
    scopes: Vec<Vec<(String, Held)>>,
    /// The values that the current function has returned so far.
    returned: Vec<Held>,
    entered: Vec<String>,
    /// Whether the current code runs inside a function that makes the permits of `play_each`.
    inside: bool,
    /// The first query whose answer decides which branch that function takes.
    decided: Option<Source>,
    /// The kinds to which the script's permits are restricted.
    kinds: BTreeSet<String>,
    /// Whether pieces can enter the board from the hand.
    enters: bool,
    work: usize,
    pub(super) found: Vec<Frozen>,
}

/// All frozen values in the turns of a script.
pub(super) fn frozen(ast: &AST, functions: &[Definition]) -> Vec<Frozen> {
    let (kinds, enters) = permitted(ast);
    let mut follower = Follower { functions, scopes: vec![Vec::new()], kinds, enters, ..Follower::default() };
    for statement in ast.statements() {
        follower.statement(statement);
    }
    follower.constants = follower.scopes.drain(..).flatten().collect();
    for rule in ["turn", "prepare"] {
        follower.call_own(rule, Vec::new());
    }
    follower.found
}

/// The kinds that the permits of a script name, and whether some permits place pieces from the hand.
fn permitted(ast: &AST) -> (BTreeSet<String>, bool) {
    let (mut kinds, mut enters) = (BTreeSet::new(), false);
    walk_script(ast, &mut |path| {
        let Some((call, _)) = path.last().and_then(called) else { return true };
        enters |= matches!(call.name.as_str(), "enter" | "drops");
        if matches!(call.name.as_str(), "pieces" | "moves_of") {
            kinds.extend(call.args.iter().flat_map(texts));
        }
        true
    });
    (kinds, enters)
}

/// The string literals in an expression.
fn texts(expr: &Expr) -> Vec<String> {
    match expr {
        Expr::StringConstant(text, _) => vec![text.to_string()],
        Expr::Array(items, _) => items.iter().flat_map(texts).collect(),
        Expr::DynamicConstant(value, _) => {
            let items = value.read_lock::<rhai::Array>().map(|items| items.iter().map(ToString::to_string).collect());
            items.unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

impl Follower<'_> {
    fn lookup(&self, name: &str) -> Held {
        let here = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev()).find(|(known, _)| known == name);
        let constant = || self.constants.get(name);
        here.map(|(_, held)| held).or_else(constant).cloned().unwrap_or_else(Held::unknown)
    }

    fn bind(&mut self, name: &str, held: Held) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name.to_string(), held));
        }
    }

    /// Adds to the possible values of a variable.
    fn set(&mut self, name: &str, held: Held) {
        let mut all = self.scopes.iter_mut().rev().flat_map(|scope| scope.iter_mut().rev());
        if let Some((_, known)) = all.find(|(known, _)| known == name) {
            *known = std::mem::take(known).or(held);
        }
    }

    fn block(&mut self, block: &StmtBlock) -> Held {
        self.scopes.push(Vec::new());
        let mut value = Held::default();
        for statement in block.iter() {
            value = self.statement(statement);
        }
        self.scopes.pop();
        value
    }

    /// Records a condition that decides which branch the script takes.
    fn decides(&mut self, condition: &Held) {
        if let (true, None, Some(source)) = (self.inside, &self.decided, condition.board.source()) {
            self.decided = Some(Source { is_set: false, ..source.clone() });
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Held {
        match statement {
            Stmt::If(flow, _) => {
                let condition = self.value(&flow.expr);
                self.decides(&condition);
                let then = self.block(&flow.body);
                let other = self.block(&flow.branch);
                return then.or(other);
            }
            Stmt::Switch(parts, _) => {
                let asked = self.value(&parts.0);
                self.decides(&asked);
                let mut value = Held::default();
                for case in &parts.1.expressions {
                    let condition = self.value(&case.lhs);
                    self.decides(&condition);
                    let one = self.value(&case.rhs);
                    value = value.or(one);
                }
                return value;
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.value(&flow.expr);
                self.block(&flow.body);
            }
            Stmt::For(parts, _) => {
                let all = self.value(&parts.2.expr);
                let counter = parts.1.iter().map(|counter| (counter.name.to_string(), Held::default()));
                let each = if all.is_permit { all.item() } else { Held { board: all.board.part(), ..Held::default() } };
                self.scopes.push([(parts.0.name.to_string(), each)].into_iter().chain(counter).collect());
                self.block(&parts.2.body);
                self.scopes.pop();
            }
            Stmt::Var(parts, ..) => {
                let value = self.value(&parts.1);
                self.bind(&parts.0.name, value);
            }
            Stmt::Assignment(parts) => {
                let value = self.value(&parts.1.rhs);
                if let Expr::Variable(variable, ..) = &parts.1.lhs {
                    let before = self.lookup(&variable.1);
                    let value = match parts.0.is_op_assignment() && !before.is_permit {
                        true => Held { board: before.board.bounded_by(value.board.clone()), ..value },
                        false => value,
                    };
                    self.set(&variable.1, value);
                }
            }
            Stmt::FnCall(call, at) => return self.call(call, *at, None),
            Stmt::Block(block) => return self.block(block),
            Stmt::TryCatch(flow, _) => {
                self.block(&flow.body);
                self.block(&flow.branch);
            }
            Stmt::Expr(expr) => return self.value(expr),
            Stmt::Return(Some(expr), ..) => {
                let value = self.value(expr);
                self.returned.push(value);
            }
            _ => {}
        }
        Held::default()
    }

    /// The known properties of an expression's value.
    fn value(&mut self, expr: &Expr) -> Held {
        self.work += 1;
        if self.work > WORK {
            return Held::unknown();
        }
        match expr {
            Expr::BoolConstant(truth, _) => Held { truth: Some(*truth), ..Held::default() },
            Expr::StringConstant(text, _) => Held { text: Some(text.to_string()), ..Held::default() },
            Expr::DynamicConstant(value, _) => match value.read_lock::<FnPtr>() {
                Some(pointer) => closure(pointer.fn_name(), Vec::new()),
                None => Held::default(),
            },
            Expr::Array(items, _) => {
                let all = items.iter().map(|item| self.value(item)).collect::<Vec<_>>();
                all.into_iter().fold(Held::default(), Held::or).item()
            }
            Expr::Map(entries, _) => {
                let entries = entries.0.iter().map(|(key, value)| (key.name.to_string(), self.value(value)));
                let entries: BTreeMap<String, Held> = entries.collect();
                let all = entries.values().cloned().fold(Held::default(), Held::or);
                Held { entries: Some(Rc::new(entries)), ..all.item() }
            }
            Expr::Variable(parts, ..) if parts.2.is_empty() => self.lookup(&parts.1),
            Expr::Stmt(block) => self.block(block),
            Expr::FnCall(call, at) | Expr::MethodCall(call, at) => self.call(call, *at, None),
            Expr::Dot(parts, ..) => {
                let receiver = self.value(&parts.lhs);
                self.chain(receiver, &parts.rhs)
            }
            Expr::Index(parts, ..) => {
                let whole = self.value(&parts.lhs);
                match &parts.rhs {
                    Expr::Dot(inner, ..) => {
                        self.value(&inner.lhs);
                        self.chain(whole.item(), &inner.rhs)
                    }
                    index => {
                        self.value(index);
                        whole.item()
                    }
                }
            }
            Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
                let all = parts.iter().map(|part| self.value(part)).collect::<Vec<_>>();
                all.into_iter().fold(Held::default(), Held::or)
            }
            Expr::IntegerConstant(..) | Expr::CharConstant(..) | Expr::Unit(_) | Expr::InterpolatedString(..) => {
                Held::default()
            }
            _ => Held::unknown(),
        }
    }

    /// The value of an expression after a dot.
    fn chain(&mut self, receiver: Held, rest: &Expr) -> Held {
        match rest {
            Expr::Property(name, _) => match (name.2.as_str(), &receiver.board, &receiver.entries) {
                // Whether the mover has any piece does not depend on where the pieces are.
                ("is_empty", Board::Moving(source), _) if source.whole => Held::default(),
                ("is_empty" | "value", board, _) => Held::of(board.clone()),
                (key, _, Some(entries)) => entries.get(key).cloned().unwrap_or_default(),
                _ => Held::unknown(),
            },
            Expr::MethodCall(call, at) => self.call(call, *at, Some(receiver)),
            Expr::Dot(parts, ..) => {
                let value = self.chain(receiver, &parts.lhs);
                self.chain(value, &parts.rhs)
            }
            Expr::Index(parts, ..) => {
                let value = self.chain(receiver, &parts.lhs);
                self.value(&parts.rhs);
                value.item()
            }
            _ => Held::unknown(),
        }
    }

    fn call(&mut self, call: &FnCallExpr, at: Position, receiver: Option<Held>) -> Held {
        let name = call.name.as_str();
        if name == "curry" {
            let captured = call.args.iter().skip(1).map(|arg| self.value(arg)).collect();
            let made = call.args.first().map(|function| self.value(function)).and_then(|held| held.function);
            return made.map_or_else(Held::unknown, |made| closure(&made.name, captured));
        }
        let mut args: Vec<Held> = receiver.into_iter().collect();
        for arg in &call.args {
            args.push(self.value(arg));
        }
        if !call.namespace.is_empty() {
            return Held::unknown();
        }
        if call.is_operator_call() {
            return operated(name, args);
        }
        if own_function(self.functions, name, args.len()).is_some() {
            return self.call_own(name, args);
        }
        match name {
            "play_each" => {
                self.play_each(call, place(at), args);
                Held::default()
            }
            "call" if args.first().is_some_and(|held| held.function.is_some()) => {
                let function = args.remove(0).function;
                function.map_or_else(Held::unknown, |function| self.apply(&function, args))
            }
            "Fn" => {
                args.first().and_then(|name| name.text.clone()).map_or_else(Held::unknown, |n| closure(&n, Vec::new()))
            }
            "map" | "filter" if args.len() == 2 && args[1].function.is_some() => {
                let function = args[1].function.clone();
                let mapped = function.map_or_else(Held::unknown, |f| self.apply(&f, vec![args[0].clone().item()]));
                if name == "map" { mapped.item() } else { args.swap_remove(0) }
            }
            _ => self.asked(call, place(at), args),
        }
    }

    /// Runs a function of the script.
    fn call_own(&mut self, name: &str, args: Vec<Held>) -> Held {
        let Some(def) = own_function(self.functions, name, args.len()) else { return Held::unknown() };
        if self.entered.len() >= DEPTH || self.entered.contains(&def.name) {
            return Held::unknown();
        }
        let scopes = std::mem::replace(&mut self.scopes, vec![def.params.iter().cloned().zip(args).collect()]);
        let returned = std::mem::take(&mut self.returned);
        self.entered.push(def.name.clone());
        let value = self.block(&def.body);
        self.entered.pop();
        self.scopes = scopes;
        std::mem::replace(&mut self.returned, returned).into_iter().fold(value, Held::or)
    }

    /// Runs a function value.
    fn apply(&mut self, function: &Closure, args: Vec<Held>) -> Held {
        let mut all = function.captured.clone();
        all.extend(args);
        // A function may ignore trailing arguments.
        let own = |count: &usize| own_function(self.functions, &function.name, *count).is_some();
        match (0..=all.len()).rev().find(own) {
            Some(count) => {
                all.truncate(count);
                self.call_own(&function.name, all)
            }
            None => Held::unknown(),
        }
    }

    /// The result of a built-in function.
    fn asked(&mut self, call: &FnCallExpr, at: LineColumn, args: Vec<Held>) -> Held {
        let name = call.name.as_str();
        let source =
            |whole| Source { asked: name.to_string(), at, inside: self.inside, whole, only_from: false, is_set: true };
        let moving = || Held::of(Board::Moving(source(false)));
        let whose = |i: usize| args.get(i).and_then(|arg| arg.side);
        let first = || args.first().cloned().unwrap_or_default().board;
        let all = || args.iter().fold(Board::Fixed, |all, arg| all.or(arg.board.clone()));
        match name {
            "mover" | "to_move" => Held { side: Some(Whose::Mover), ..Held::default() },
            "opponent" => Held { side: Some(Whose::Another), ..Held::default() },
            "squares_of" if whose(0) == Some(Whose::Mover) => {
                let named = call.args.iter().flat_map(texts).collect::<Vec<_>>();
                let moves = |kind: &String| self.kinds.is_empty() || self.kinds.contains(kind);
                match named.is_empty() && args.len() > 1 || !named.iter().all(moves) {
                    true => Held::unknown(),
                    false => Held::of(Board::Moving(source(args.len() == 1))),
                }
            }
            // How the other side's moves affect it is not tracked, except for pure attack queries.
            _ if has_fact(name, Fact::FindsByPieces)
                && (whose(args.len().saturating_sub(1)) != Some(Whose::Another) || name == "attacked_by") =>
            {
                moving()
            }
            _ if has_fact(name, Fact::OfSets) => Held::of(all().part()),
            "hand" if self.enters && whose(0) == Some(Whose::Mover) => moving(),
            "exists" if args.len() == 1 && args[0].is_permit => moving(),
            "number" | "contains" | "option" => Held::of(all().part()),
            // The number of pieces does not depend on where they are.
            "count" if args.len() == 1 => match first() {
                Board::Moving(source) if source.whole => Held::unknown(),
                board => Held::of(board),
            },
            "where" if args.len() == 2 && args[0].is_permit => args.into_iter().next().unwrap_or_default(),
            "where" => match first() {
                Board::Fixed => Held::unknown(),
                board => Held::of(if self.is_about_place(&args) { board.part() } else { Board::Unknown }),
            },
            "roll" => Held::default(),
            _ if PLAIN.contains(&name) => Held::of(all()),
            _ if gives(name, ValueKind::Permit) => permit(name, args),
            _ => Held::unknown(),
        }
    }

    /// Whether a test of squares depends only on a square's location and the kind of its piece.
    fn is_about_place(&self, args: &[Held]) -> bool {
        let Some(function) = args.get(1).and_then(|test| test.function.as_ref()) else { return false };
        let Some(def) = self.functions.iter().find(|def| def.name == function.name) else { return false };
        let mut plain = true;
        each_node(&def.body, &mut |node| match node {
            ASTNode::Stmt(Stmt::FnCall(call, _)) | ASTNode::Expr(Expr::FnCall(call, _)) => {
                plain &= call.is_operator_call();
            }
            ASTNode::Expr(Expr::MethodCall(..)) => plain = false,
            ASTNode::Expr(Expr::Property(name, _)) => {
                plain &= matches!(name.2.as_str(), "kind" | "file" | "rank" | "name");
            }
            _ => {}
        });
        plain
    }

    /// Checks the permits of a turn.
    fn play_each(&mut self, call: &FnCallExpr, at: LineColumn, args: Vec<Held>) {
        let one = |expr: &Expr| match expr {
            Expr::Array(items, _) => items.len() == 1,
            Expr::DynamicConstant(value, _) => value.read_lock::<rhai::Array>().is_some_and(|items| items.len() == 1),
            _ => false,
        };
        if call.args.first().is_some_and(one) {
            return;
        }
        let function = args.get(1).and_then(|arg| arg.function.clone());
        let options = args.get(if function.is_some() { 2 } else { 1 });
        // Options that are not a literal map may have any value.
        let Some(entries) = options.map_or_else(|| Some(Rc::default()), |options| options.entries.clone()) else {
            return;
        };
        let is = |key: &str, truth| entries.get(key).is_some_and(|held| held.truth == Some(truth));
        let anew = entries.contains_key("anew") && !is("anew", false);
        let also = entries.get("also").cloned().unwrap_or_default();
        let source = match &function {
            None => args.first().and_then(|permits| permits.permit.clone()),
            Some(function) => {
                let permits = self.permits_of(function, vec![Held::default()]);
                permits.or_else(|| also.function.as_ref().and_then(|also| self.permits_of(also, Vec::new())))
            }
        };
        let spend = entries.get("spend");
        let looks_ahead = spend.is_some_and(|spend| !matches!(spend.text.as_deref(), None | Some("each" | "any")));
        let source = source.or(also.permit).filter(|source| looks_ahead || !(anew && source.inside));
        if let Some(source) = source.filter(|source| !(source.only_from && is("same_piece", false))) {
            self.found.push(Frozen { call: at, source, made: function.is_none(), anew, looks_ahead });
        }
    }

    /// The frozen value in the permits that a function makes before the first move.
    fn permits_of(&mut self, function: &Closure, args: Vec<Held>) -> Option<Source> {
        let inside = std::mem::replace(&mut self.inside, true);
        let decided = self.decided.take();
        let made = self.apply(function, args);
        self.inside = inside;
        let decided = std::mem::replace(&mut self.decided, decided);
        made.permit.or(decided)
    }
}

/// A function as a value.
fn closure(name: &str, captured: Vec<Held>) -> Held {
    Held { function: Some(Rc::new(Closure { name: name.to_string(), captured })), ..Held::default() }
}

/// The value of an operator applied to its operands.
fn operated(sign: &str, args: Vec<Held>) -> Held {
    let is_permit = args.iter().any(|arg| arg.is_permit);
    let mut args = args.into_iter();
    let first = args.next().unwrap_or_default();
    let Some(mut second) = args.next() else { return Held::of(first.board) };
    if is_permit {
        if let ("-", Some(source)) = (sign, second.permit.as_mut()) {
            source.only_from = false;
        }
        return Held { is_permit: true, permit: first.permit.or(second.permit), ..Held::default() };
    }
    Held::of(match sign {
        "&" | "-" => first.board.bounded_by(second.board),
        _ => first.board.or(second.board),
    })
}

/// A permit with the frozen value it takes from its arguments: a set, or the one in another permit.
fn permit(name: &str, args: Vec<Held>) -> Held {
    let mut held = None;
    for (i, arg) in args.into_iter().enumerate() {
        let set = match arg.board {
            Board::Moving(source) => {
                let from = matches!(name, "from" | "way") && i == 0 && source.asked == "squares_of";
                Some(Source { only_from: from, is_set: true, ..source })
            }
            _ => None,
        };
        held = held.or(arg.permit).or(set);
    }
    Held { is_permit: true, permit: held, ..Held::default() }
}
