//! Lists the contents of a script: calls with their arguments, names, loops, properties.
//!
//! The interpreter's syntax tree is walked once and its contents are copied, so that checks do not depend on the tree.

pub(super) use crate::node_place::LineColumn;

use super::definitions::{Definition, definitions};
use crate::host::engine::reader;
use crate::host::walk::{walk_script, walk_statement};
use crate::library;
use crate::locked::locked;
use rhai::{AST, ASTFlags, ASTNode, EvalAltResult, Expr, FnCallExpr, FnPtr, Position, Stmt, StmtBlock, Token};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// Parses a script without checking names.
pub(super) fn parse(text: &str) -> Result<AST, Box<EvalAltResult>> {
    reader().compile(text).map_err(|e| Box::new(EvalAltResult::from(e)))
}

/// A bundled script, parsed once per process; `None` if no bundled script has that name.
pub(super) fn base(name: &str) -> Option<Arc<AST>> {
    static READ: Mutex<BTreeMap<String, Arc<AST>>> = Mutex::new(BTreeMap::new());
    if let Some(ast) = locked(&READ).get(name) {
        return Some(ast.clone());
    }
    let ast = Arc::new(parse(&library::bundled(name)?.text).ok()?);
    locked(&READ).insert(name.to_string(), ast.clone());
    Some(ast)
}

/// The known properties of a value without running the script.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A string.
    Text(String, LineColumn),
    /// A number.
    Number(i64, LineColumn),
    /// A truth value.
    Truth(bool),
    /// An array.
    List(Vec<Value>),
    /// A map.
    Map(Vec<(String, Value)>),
    /// A variable or constant.
    Name(String),
    /// An anonymous function.
    Function,
    /// The result of a call.
    Call(Box<Call>),
    /// One of several values, depending on the branch taken.
    OneOf(Vec<Value>),
    /// Strings and numbers concatenated.
    Joined(Vec<Value>),
    /// The element of an array or map at an index.
    Item(Box<Value>, Box<Value>),
    /// Anything else.
    Unknown,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub name: String,
    /// The import that the function is taken from.
    pub module: Option<String>,
    pub at: LineColumn,
    /// The arguments; the receiver first, if there is one.
    pub args: Vec<Value>,
    /// Whether it is written as `x.f(y)`.
    pub method: bool,
    /// Whether it only restricts another permit: it follows `&` or `-`.
    pub narrows: bool,
    /// The index of the function that contains it; `None` at the top level.
    pub within: Option<usize>,
}

impl Value {
    /// The string, if it is a literal, and its place.
    pub(super) fn text(&self) -> Option<(&str, LineColumn)> {
        if let Value::Text(text, at) = self { Some((text, *at)) } else { None }
    }

    /// An entry of a map literal.
    pub(super) fn entry(&self, key: &str) -> Option<&Value> {
        let Value::Map(entries) = self else { return None };
        entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

impl Call {
    /// An argument that is a string literal, and its place.
    pub(super) fn text(&self, i: usize) -> Option<(&str, LineColumn)> {
        self.args.get(i)?.text()
    }

    /// An entry of the options, which are the last argument.
    pub(super) fn option(&self, key: &str) -> Option<&Value> {
        self.args.last()?.entry(key)
    }

    /// Whether an argument is this string.
    pub(super) fn names(&self, text: &str) -> bool {
        self.args.iter().any(|arg| arg.text().is_some_and(|(own, _)| own == text))
    }
}

/// A function of the script.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub params: usize,
    /// The names of the parameters.
    pub names: Vec<String>,
    pub anonymous: bool,
}

/// A comparison with `==` or `!=`.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub left: Value,
    pub right: Value,
    pub within: Option<usize>,
}

/// The contents of a script.
#[derive(Default, Debug)]
pub(super) struct NameTable {
    pub functions: Vec<Function>,
    pub calls: Vec<Call>,
    pub comparisons: Vec<Comparison>,
    /// Properties that are read, with their places.
    pub properties: Vec<(String, LineColumn)>,
    /// Keys of map literals and assigned properties.
    pub keys: BTreeSet<String>,
    /// All strings.
    pub texts: BTreeSet<String>,
    /// Variables, constants, parameters.
    pub variables: BTreeSet<String>,
    /// Names whose value is used.
    pub(crate) used: BTreeSet<String>,
    /// Constants and variables with their initial value and the function that contains them.
    pub values: Vec<(String, Value, Option<usize>)>,
    /// Imports: alias and base.
    pub imports: Vec<(String, String)>,
    /// Loops without a condition and without an exit.
    pub endless: Vec<LineColumn>,
    within: Option<usize>,
    /// The chosen options, if only code that runs under them is listed.
    pub chosen: Option<BTreeMap<String, String>>,
    /// Variables that are reassigned.
    pub assigned: BTreeSet<String>,
}

/// The result of walking a statement.
struct Done {
    /// Whether no statement after it runs.
    leaves: bool,
    /// Its value, if it is the last statement of a block.
    value: Value,
}

impl Done {
    fn with(value: Value) -> Done {
        Done { leaves: false, value }
    }
}

/// Converts a position of the interpreter to line and column.
pub(super) fn place(at: Position) -> LineColumn {
    (at.line().unwrap_or(0), at.position().unwrap_or(1))
}

impl NameTable {
    /// Lists the contents of a script.
    pub(super) fn of(ast: &AST) -> NameTable {
        NameTable::default().look(ast)
    }

    /// Lists the contents of a script, without code that never runs under these options (by name).
    pub(super) fn in_force(ast: &AST, chosen: BTreeMap<String, String>) -> NameTable {
        NameTable { chosen: Some(chosen), ..NameTable::default() }.look(ast)
    }

    /// Whether the script declares this name with this function.
    pub(super) fn declares(&self, maker: &str, name: &str) -> bool {
        self.declared_at(maker, name).is_some()
    }

    /// The place of the name where the script declares it with this function.
    pub(super) fn declared_at(&self, maker: &str, name: &str) -> Option<LineColumn> {
        self.named(maker).filter_map(|call| call.text(0)).find(|(text, _)| *text == name).map(|(_, at)| at)
    }

    /// The calls of a function with this name, without those of a base.
    pub(super) fn named<'t>(&'t self, name: &'t str) -> impl Iterator<Item = &'t Call> {
        self.calls.iter().filter(move |call| call.name == name && call.module.is_none())
    }

    /// Whether a function of the script has this name.
    pub(super) fn is_own(&self, name: &str) -> bool {
        self.functions.iter().any(|f| f.name == name)
    }

    /// Lists the contents of an imported base, with the same options.
    pub(super) fn of_base(&self, ast: &AST) -> NameTable {
        match &self.chosen {
            None => NameTable::of(ast),
            Some(chosen) => NameTable::in_force(ast, chosen.clone()),
        }
    }

    /// Records the variables that are reassigned, whose initial value is not their only one.
    fn note_assigned(&mut self, ast: &AST) {
        walk_script(ast, &mut |path| {
            if let Some(ASTNode::Stmt(Stmt::Assignment(parts))) = path.last()
                && let Expr::Variable(variable, ..) = &parts.1.lhs
            {
                self.assigned.insert(variable.1.to_string());
            }
            true
        });
    }

    fn look(mut self, ast: &AST) -> NameTable {
        self.note_assigned(ast);
        let functions = definitions(ast);
        for Definition { name, params, .. } in &functions {
            self.variables.extend(params.iter().cloned());
            let anonymous = name.starts_with("anon$");
            let (name, names) = (name.clone(), params.clone());
            self.functions.push(Function { name, params: names.len(), names, anonymous });
        }
        self.statements(ast.statements());
        for (i, def) in functions.iter().enumerate() {
            self.within = Some(i);
            self.block(&def.body);
        }
        self.within = None;
        self
    }

    fn block(&mut self, block: &StmtBlock) -> Done {
        self.statements(block.statements())
    }

    fn statements(&mut self, all: &[Stmt]) -> Done {
        let mut done = Done::with(Value::OneOf(Vec::new()));
        for statement in all {
            done = self.statement(statement);
            if done.leaves {
                break;
            }
        }
        done
    }

    fn statement(&mut self, statement: &Stmt) -> Done {
        match statement {
            Stmt::If(flow, _) => {
                let condition = self.value(&flow.expr);
                if let (Some(_), Value::Truth(holds)) = (&self.chosen, condition) {
                    return self.block(if holds { &flow.body } else { &flow.branch });
                }
                let (then, other) = (self.block(&flow.body), self.block(&flow.branch));
                let value = Value::OneOf(vec![then.value, other.value]);
                return Done { leaves: then.leaves && other.leaves, value };
            }
            Stmt::Switch(switch, _) => {
                self.value(&switch.0);
                for case in &switch.1.expressions {
                    self.value(&case.lhs);
                    self.value(&case.rhs);
                }
            }
            Stmt::While(flow, at) | Stmt::Do(flow, _, at) => {
                self.value(&flow.expr);
                self.block(&flow.body);
                let forever = matches!(flow.expr, Expr::Unit(_) | Expr::BoolConstant(true, _));
                if forever && !leaves(&flow.body) && !matches!(statement, Stmt::Do(..)) {
                    self.endless.push(place(*at));
                }
            }
            Stmt::For(parts, _) => {
                self.variables.insert(parts.0.name.to_string());
                self.variables.extend(parts.1.iter().map(|counter| counter.name.to_string()));
                let all = self.value(&parts.2.expr);
                let each = Value::Item(Box::new(all), Box::new(Value::Unknown));
                self.values.push((parts.0.name.to_string(), each, self.within));
                self.block(&parts.2.body);
            }
            Stmt::Var(parts, _, _) => {
                let value = self.value(&parts.1);
                self.variables.insert(parts.0.name.to_string());
                self.values.push((parts.0.name.to_string(), value, self.within));
            }
            Stmt::Assignment(parts) => self.assignment(&parts.1.lhs, &parts.1.rhs),
            Stmt::FnCall(call, at) => return Done::with(self.call(call, *at, None)),
            Stmt::Block(block) => return self.block(block),
            Stmt::TryCatch(flow, _) => {
                self.block(&flow.body);
                self.block(&flow.branch);
            }
            Stmt::Expr(expr) => {
                return Done::with(self.value(expr));
            }
            Stmt::BreakLoop(Some(expr), ..) => {
                self.value(expr);
            }
            Stmt::Return(expr, ..) => {
                expr.iter().for_each(|expr| drop(self.value(expr)));
                return Done { leaves: self.chosen.is_some(), value: Value::OneOf(Vec::new()) };
            }
            Stmt::Import(parts, _) => {
                if let Value::Text(base, _) = self.value(&parts.0) {
                    self.imports.push((parts.1.name.to_string(), base));
                }
            }
            _ => {}
        }
        Done::with(Value::Unknown)
    }

    fn assignment(&mut self, left: &Expr, right: &Expr) {
        if let Expr::Dot(parts, ..) = left {
            let mut last = &parts.rhs;
            while let Expr::Dot(inner, ..) = last {
                last = &inner.rhs;
            }
            if let Expr::Property(name, _) = last {
                self.keys.insert(name.2.to_string());
            }
        }
        // Assigning to a variable does not count as a use.
        if !matches!(left, Expr::Variable(..)) {
            self.value(left);
        }
        self.value(right);
    }

    fn values(&mut self, list: &[Expr]) -> Vec<Value> {
        list.iter().map(|expr| self.value(expr)).collect()
    }

    /// Walks an expression and returns what is known of its value.
    fn value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::BoolConstant(truth, _) => Value::Truth(*truth),
            Expr::IntegerConstant(number, at) => Value::Number(*number, place(*at)),
            Expr::StringConstant(text, at) => {
                self.texts.insert(text.to_string());
                Value::Text(text.to_string(), place(*at))
            }
            Expr::DynamicConstant(value, _) => match value.read_lock::<FnPtr>() {
                Some(pointer) => self.pointer(&pointer),
                None => Value::Unknown,
            },
            Expr::InterpolatedString(parts, _) => Value::Joined(self.values(parts)),
            Expr::Array(items, _) => Value::List(self.values(items)),
            Expr::Map(entries, _) => {
                let mut map = Vec::new();
                for (key, value) in &entries.0 {
                    self.keys.insert(key.name.to_string());
                    map.push((key.name.to_string(), self.value(value)));
                }
                Value::Map(map)
            }
            Expr::Variable(parts, ..) => {
                self.used.insert(parts.1.to_string());
                if parts.2.is_empty() { Value::Name(parts.1.to_string()) } else { Value::Unknown }
            }
            Expr::Stmt(block) => self.block(block).value,
            Expr::FnCall(call, at) | Expr::MethodCall(call, at) => self.call(call, *at, None),
            Expr::Dot(parts, ..) => {
                let receiver = self.value(&parts.lhs);
                self.chain(receiver, &parts.rhs)
            }
            Expr::Index(parts, ..) => {
                let whole = self.value(&parts.lhs);
                match &parts.rhs {
                    further @ (Expr::Dot(..) | Expr::Index(..)) => self.chain(Value::Unknown, further),
                    index => Value::Item(Box::new(whole), Box::new(self.value(index))),
                }
            }
            Expr::And(parts, _) => self.connected(parts, false),
            Expr::Or(parts, _) => self.connected(parts, true),
            Expr::Coalesce(parts, _) => {
                self.values(parts);
                Value::Unknown
            }
            _ => Value::Unknown,
        }
    }

    /// The value of conditions joined by an operator. A `decisive` operand makes the rest irrelevant.
    fn connected(&mut self, parts: &[Expr], decisive: bool) -> Value {
        let mut open = self.chosen.is_none();
        for part in parts {
            match self.value(part) {
                Value::Truth(truth) if self.chosen.is_some() && truth == decisive => return Value::Truth(decisive),
                Value::Truth(_) => {}
                _ => open = true,
            }
        }
        if open { Value::Unknown } else { Value::Truth(!decisive) }
    }

    /// The text of a value that is a literal or that the options determine.
    fn told(&self, value: &Value) -> Option<String> {
        match value {
            Value::Text(text, _) => Some(text.clone()),
            Value::Number(number, _) => Some(number.to_string()),
            Value::Truth(truth) => Some(truth.to_string()),
            Value::Call(call) if call.name == "option" && call.module.is_none() => match call.args.first() {
                Some(Value::Text(name, _)) => self.chosen.as_ref()?.get(name).cloned(),
                _ => None,
            },
            Value::Name(name) if !self.assigned.contains(name) => {
                let here = |within: &Option<usize>| within.is_none() || *within == self.within;
                let mut all = self.values.iter().filter(|(known, _, within)| known == name && here(within));
                match (all.next(), all.next()) {
                    (Some((_, Value::Name(_), _)), _) => None,
                    (Some((_, value, _)), None) => self.told(value),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of an expression after a dot or in brackets.
    fn chain(&mut self, receiver: Value, expr: &Expr) -> Value {
        match expr {
            Expr::Property(name, at) => {
                self.properties.push((name.2.to_string(), place(*at)));
                Value::Item(Box::new(receiver), Box::new(Value::Text(name.2.to_string(), place(*at))))
            }
            Expr::MethodCall(call, at) => self.call(call, *at, Some(receiver)),
            Expr::Dot(parts, ..) => {
                let receiver = self.chain(receiver, &parts.lhs);
                self.chain(receiver, &parts.rhs)
            }
            Expr::Index(parts, ..) => {
                self.chain(receiver, &parts.lhs);
                self.chain(Value::Unknown, &parts.rhs)
            }
            other => {
                self.value(other);
                Value::Unknown
            }
        }
    }

    fn call(&mut self, call: &FnCallExpr, at: Position, receiver: Option<Value>) -> Value {
        let method = receiver.is_some();
        let mut args: Vec<Value> = receiver.into_iter().collect();
        let operator = call.is_operator_call();
        for (i, arg) in call.args.iter().enumerate() {
            let first = self.calls.len();
            args.push(self.value(arg));
            if operator && i == 1 && matches!(call.op_token, Some(Token::Ampersand | Token::Minus)) {
                self.calls[first..].iter_mut().for_each(|call| call.narrows = true);
            }
        }
        if operator {
            return self.operator(call.op_token.as_ref(), args);
        }
        // A closure with captured variables is a function pointer plus these values.
        if call.name == "curry" {
            return Value::Function;
        }
        let module = (!call.namespace.is_empty()).then(|| call.namespace.root().to_string());
        let call = Call {
            name: call.name.to_string(),
            module,
            at: place(at),
            args,
            method,
            narrows: false,
            within: self.within,
        };
        self.calls.push(call.clone());
        Value::Call(Box::new(call))
    }

    fn operator(&mut self, operator: Option<&Token>, args: Vec<Value>) -> Value {
        match (operator, args.as_slice()) {
            (Some(Token::EqualsTo | Token::NotEqualsTo), [left, right]) => {
                let equal = match (&self.chosen, self.told(left), self.told(right)) {
                    (Some(_), Some(left), Some(right)) => Some(left == right),
                    _ => None,
                };
                self.comparisons.push(Comparison { left: left.clone(), right: right.clone(), within: self.within });
                let positive = operator == Some(&Token::EqualsTo);
                equal.map_or(Value::Unknown, |equal| Value::Truth(equal == positive))
            }
            (Some(Token::Bang), [Value::Truth(truth)]) if self.chosen.is_some() => Value::Truth(!truth),
            (Some(Token::Plus), [_, _]) => Value::Joined(args),
            _ => Value::Unknown,
        }
    }

    /// A function value counts as called where it appears.
    fn pointer(&mut self, pointer: &FnPtr) -> Value {
        let name = pointer.fn_name().to_string();
        if !pointer.is_anonymous() {
            self.texts.insert(name.clone());
        }
        let known = self.functions.iter().position(|f| f.name == name);
        if known.is_some() {
            let (module, args) = (None, Vec::new());
            let call = Call { name, module, at: (0, 0), args, method: false, narrows: false, within: self.within };
            self.calls.push(call);
        }
        Value::Function
    }

    /// The functions that run when those in `roots` do; with `top`, also those that the top level runs.
    pub(super) fn reached(&self, roots: &[&str], top: bool) -> BTreeSet<usize> {
        let named = |name: &str| {
            let name = name.to_string();
            self.functions.iter().enumerate().filter(move |(_, f)| f.name == name).map(|(i, _)| i)
        };
        let mut reached: BTreeSet<usize> = roots.iter().flat_map(|name| named(name)).collect();
        if top {
            let calls = self.calls.iter().filter(|call| call.within.is_none() && call.module.is_none());
            reached.extend(calls.flat_map(|call| named(&call.name)));
        }
        loop {
            let inside = |call: &&Call| call.module.is_none() && call.within.is_some_and(|f| reached.contains(&f));
            let more: BTreeSet<usize> = self.calls.iter().filter(inside).flat_map(|call| named(&call.name)).collect();
            if more.is_subset(&reached) {
                return reached;
            }
            reached.extend(more);
        }
    }

    /// Whether a call or a string mentions the function.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.texts.contains(name) || self.calls.iter().any(|call| call.module.is_none() && call.name == name)
    }
}

/// Whether a loop with this body may end with `break`, `return` or `throw`.
fn leaves(body: &StmtBlock) -> bool {
    let mut found = false;
    for statement in body.iter() {
        walk_statement(statement, &mut |path| {
            let Some((last, around)) = path.split_last() else { return true };
            let inner =
                around.iter().any(|node| matches!(node, ASTNode::Stmt(Stmt::While(..) | Stmt::Do(..) | Stmt::For(..))));
            found |= match last {
                ASTNode::Stmt(Stmt::Return(..)) => true,
                ASTNode::Stmt(Stmt::BreakLoop(_, flags, _)) => flags.intersects(ASTFlags::BREAK) && !inner,
                _ => false,
            };
            !found
        });
    }
    found
}
