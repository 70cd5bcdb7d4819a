//! Normalizes conditions: `!has(a, "king")`, `count(a, "king") == 0` and `count(a, "king") < 1` are one fact. A variable
//! that is assigned once is replaced by its initial value, and a predicate of the script by its body.

use super::super::definitions::{Definition, own_function};
use super::super::infer::start;
use super::super::name_table::{LineColumn, place};
use super::super::shapes::{any_in, each_node, method};
use crate::functions::{Cost, costs};
use crate::host::compared::mirrored;
use rhai::{AST, ASTFlags, ASTNode, Expr, FnCallExpr, Stmt, StmtBlock};
use std::collections::BTreeSet;

/// Maximum depth to which calls of script functions are expanded.
const DEPTH: usize = 4;

/// The subject of a fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// Whether a number is at least this value.
    AtLeast(String, i64),
    /// Whether a number equals this value.
    Equal(String, i64),
    /// Any other condition.
    Other(String),
}

/// A condition that holds, or that does not.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) asked: Asked,
    pub(super) holds: bool,
    /// The required value of the condition's part, including every `!` before it.
    pub(super) truth: bool,
    /// The place of the condition.
    pub(super) at: LineColumn,
    /// The call behind the condition: the function's name and its arguments.
    pub(super) call: Option<(String, Vec<String>)>,
    /// Whether the game state may have changed since.
    pub(super) stale: bool,
}

/// Writes the normal form of a function's expressions.
pub(super) struct Phrases<'a> {
    functions: &'a [Definition],
    /// Variables with the phrases they stand for, newest last, per block.
    known: Vec<Vec<(String, String)>>,
    /// Variables that are reassigned.
    assigned: BTreeSet<String>,
    depth: usize,
    /// Whether functions of the script may have effects.
    changes: bool,
    /// How many variables have a unique name so far.
    apart: usize,
}

/// The phrase with the two sides exchanged.
pub(super) fn swapped(phrase: &str, sides: &[String]) -> String {
    let mut pairs = vec![("mover()".to_string(), "opponent()".to_string())];
    if let [first, second] = sides {
        pairs.push((format!("{first:?}"), format!("{second:?}")));
    }
    pairs.iter().fold(phrase.to_string(), |text, (one, other)| {
        text.split(one.as_str()).map(|part| part.replace(other.as_str(), one)).collect::<Vec<_>>().join(other)
    })
}

/// A side in its usual form: between turns, the side to move is the opponent.
pub(super) fn side_meant(side: String, facts: &[Fact]) -> String {
    let between = |fact: &Fact| fact.holds && matches!(&fact.asked, Asked::Other(asked) if asked == "between_turns()");
    if side == "to_move()" && facts.iter().any(between) { "opponent()".into() } else { side }
}

impl<'a> Phrases<'a> {
    /// The phrases for a function with this body.
    pub(super) fn of(ast: &AST, functions: &'a [Definition], body: &StmtBlock, changes: bool) -> Phrases<'a> {
        let mut phrases =
            Phrases { functions, known: vec![Vec::new()], assigned: BTreeSet::new(), depth: 0, changes, apart: 0 };
        for statement in ast.statements() {
            if let Stmt::Var(parts, flags, _) = statement
                && flags.intersects(ASTFlags::CONSTANT)
                && matches!(parts.1, Expr::IntegerConstant(..) | Expr::StringConstant(..))
            {
                phrases.made(&parts.0.name, &parts.1);
            }
        }
        each_node(body, &mut |node| {
            if let ASTNode::Stmt(Stmt::Assignment(parts)) = node
                && let Expr::Variable(variable, ..) = &parts.1.lhs
            {
                phrases.assigned.insert(variable.1.to_string());
            }
        });
        phrases
    }

    pub(super) fn open(&mut self) {
        self.known.push(Vec::new());
    }

    pub(super) fn close(&mut self) {
        self.known.pop();
    }

    /// Records the initial value of a variable. A value that is rolled, chosen or calculated by a script function gets a
    /// unique name.
    pub(super) fn made(&mut self, name: &str, value: &Expr) {
        let phrase = match self.assigned.contains(name) || self.may_change(value) {
            true => self.apart(name),
            false => self.of_expr(value),
        };
        if let Some(block) = self.known.last_mut() {
            block.push((name.to_string(), phrase));
        }
    }

    /// A unique name for one value of a variable.
    fn apart(&mut self, name: &str) -> String {
        self.apart += 1;
        format!("{name}#{}", self.apart)
    }

    /// Separates the values stored in variables from later results of the same calls.
    pub(super) fn changed(&mut self) {
        let constants = 1;
        for block in self.known.iter_mut().skip(constants) {
            for (name, phrase) in block.iter_mut().filter(|(_, phrase)| phrase.contains('(')) {
                self.apart += 1;
                *phrase = format!("{name}#{}", self.apart);
            }
        }
    }

    /// Gives a variable a new, unknown value.
    pub(super) fn set(&mut self, name: &str) {
        let apart = self.apart(name);
        let mut all = self.known.iter_mut().rev().flat_map(|block| block.iter_mut().rev());
        if let Some((_, phrase)) = all.find(|(known, _)| known == name) {
            *phrase = apart;
            return;
        }
        // A parameter keeps its name until it is reassigned.
        if let Some(block) = self.known.get_mut(1) {
            block.push((name.into(), apart));
        }
    }

    /// Whether repeated evaluation of an expression may give different results.
    fn may_change(&self, expr: &Expr) -> bool {
        any_in(expr, |node| match node {
            ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)) => {
                let chance = [Cost::Chance, Cost::Decision].into_iter().any(|cost| costs(&call.name, cost));
                chance || self.changes && (self.is_own(&call.name) || !call.namespace.is_empty())
            }
            node => matches!(node, ASTNode::Stmt(_)),
        })
    }

    pub(super) fn is_own(&self, name: &str) -> bool {
        self.functions.iter().any(|def| def.name == name)
    }

    /// The normal form of an expression.
    pub(super) fn of_expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::BoolConstant(truth, _) => truth.to_string(),
            Expr::IntegerConstant(number, _) => number.to_string(),
            Expr::StringConstant(text, _) => format!("{:?}", text.as_str()),
            Expr::Unit(_) => "()".into(),
            Expr::Variable(variable, ..) if variable.2.is_empty() => {
                let all = self.known.iter().rev().flat_map(|block| block.iter().rev());
                let known = all.into_iter().find(|(name, _)| *name == variable.1.as_str());
                known.map_or_else(|| variable.1.to_string(), |(_, phrase)| phrase.clone())
            }
            Expr::FnCall(call, _) | Expr::MethodCall(call, _) => self.of_call(call, None),
            Expr::Dot(parts, ..) => self.behind(&self.of_expr(&parts.lhs), &parts.rhs),
            Expr::Index(parts, ..) => format!("{}[{}]", self.of_expr(&parts.lhs), self.of_expr(&parts.rhs)),
            Expr::Array(items, _) => match items.as_slice() {
                // A list with a single name is equivalent to that name.
                [one @ Expr::StringConstant(..)] => self.of_expr(one),
                items => format!("[{}]", items.iter().map(|item| self.of_expr(item)).collect::<Vec<_>>().join(", ")),
            },
            other => {
                let (line, column) = place(other.start_position());
                format!("?{line}:{column}")
            }
        }
    }

    /// The normal form of an expression after a dot.
    fn behind(&self, receiver: &str, expr: &Expr) -> String {
        match expr {
            Expr::Property(name, _) => format!("{}({receiver})", name.2),
            Expr::FnCall(call, _) | Expr::MethodCall(call, _) => self.of_call(call, Some(receiver)),
            Expr::Dot(parts, ..) => self.behind(&self.behind(receiver, &parts.lhs), &parts.rhs),
            Expr::Index(parts, ..) => {
                format!("{}[{}]", self.behind(receiver, &parts.lhs), self.of_expr(&parts.rhs))
            }
            other => format!("{receiver}.{}", self.of_expr(other)),
        }
    }

    fn of_call(&self, call: &FnCallExpr, receiver: Option<&str>) -> String {
        let mut args: Vec<String> = receiver.map(str::to_string).into_iter().collect();
        args.extend(call.args.iter().map(|arg| self.of_expr(arg)));
        if call.name == "side" && args.len() == 1 && call.namespace.is_empty() {
            return args.remove(0);
        }
        let base = if call.namespace.is_empty() { String::new() } else { format!("{}::", call.namespace) };
        format!("{base}{}({})", call.name, args.join(", "))
    }

    /// Appends the facts that hold if a condition is true, or false.
    pub(super) fn facts(&mut self, condition: &Expr, holds: bool, facts: &mut Vec<Fact>) {
        match condition {
            Expr::And(parts, _) if holds => parts.iter().for_each(|part| self.facts(part, true, facts)),
            Expr::Or(parts, _) if !holds => parts.iter().for_each(|part| self.facts(part, false, facts)),
            Expr::FnCall(call, _) if call.name == "!" && call.args.len() == 1 => {
                let first = facts.len();
                self.facts(&call.args[0], !holds, facts);
                facts[first..].iter_mut().for_each(|fact| fact.truth = holds);
            }
            Expr::FnCall(call, at) if call.namespace.is_empty() && self.depth < DEPTH => match self.predicate(call) {
                Some((def, asked)) => {
                    let first = facts.len();
                    let args: Vec<String> = call.args.iter().map(|arg| self.of_expr(arg)).collect();
                    self.known.push(def.params.iter().cloned().zip(args).collect());
                    self.depth += 1;
                    self.facts(asked, holds, facts);
                    self.depth -= 1;
                    self.known.pop();
                    facts[first..].iter_mut().for_each(|fact| (fact.at, fact.truth) = (place(*at), holds));
                }
                None => facts.push(self.fact(condition, holds)),
            },
            other => facts.push(self.fact(other, holds)),
        }
    }

    /// A script function whose body is a single expression, with that expression.
    fn predicate(&self, call: &FnCallExpr) -> Option<(&'a Definition, &'a Expr)> {
        let def = own_function(self.functions, &call.name, call.args.len())?;
        let mut statements = def.body.iter().filter(|one| !matches!(one, Stmt::Noop(_)));
        match (statements.next(), statements.next()) {
            (Some(Stmt::Expr(expr)), None) => Some((def, expr)),
            _ => None,
        }
    }

    fn fact(&self, expr: &Expr, holds: bool) -> Fact {
        let at = start(expr);
        let (asked, turned) = self.asked(expr);
        Fact { asked, holds: holds != turned, truth: holds, at, call: self.called(expr), stale: self.may_change(expr) }
    }

    /// The subject of a condition, and whether the condition negates it.
    fn asked(&self, expr: &Expr) -> (Asked, bool) {
        let number = |expr: &Expr| self.of_expr(expr).parse::<i64>().ok();
        match expr {
            Expr::FnCall(call, _) if call.is_operator_call() && call.args.len() == 2 => {
                let (left, right) = (&call.args[0], &call.args[1]);
                let name = call.name.as_str();
                let (asked, bound, name) = match (number(left), number(right)) {
                    (None, Some(bound)) => (self.of_expr(left), Some(bound), name),
                    (Some(bound), None) => (self.of_expr(right), Some(bound), mirrored(name)),
                    _ => (String::new(), None, name),
                };
                if let Some(bound) = bound {
                    match name {
                        ">=" => return (Asked::AtLeast(asked, bound), false),
                        ">" => return (Asked::AtLeast(asked, bound.saturating_add(1)), false),
                        "<" => return (Asked::AtLeast(asked, bound), true),
                        "<=" => return (Asked::AtLeast(asked, bound.saturating_add(1)), true),
                        "==" if bound == 0 && asked.starts_with("count(") => return (Asked::AtLeast(asked, 1), true),
                        "!=" if bound == 0 && asked.starts_with("count(") => return (Asked::AtLeast(asked, 1), false),
                        "==" => return (Asked::Equal(asked, bound), false),
                        "!=" => return (Asked::Equal(asked, bound), true),
                        _ => {}
                    }
                }
                let (left, right) = (self.of_expr(left), self.of_expr(right));
                match name {
                    "<" => (Asked::Other(format!("{left} < {right}")), false),
                    ">" => (Asked::Other(format!("{right} < {left}")), false),
                    ">=" => (Asked::Other(format!("{left} < {right}")), true),
                    "<=" => (Asked::Other(format!("{right} < {left}")), true),
                    "!=" => (Asked::Other(format!("{left} == {right}")), true),
                    name => (Asked::Other(format!("{left} {name} {right}")), false),
                }
            }
            Expr::FnCall(call, _) if call.namespace.is_empty() && !self.is_own(&call.name) => {
                let args: Vec<String> = call.args.iter().map(|arg| self.of_expr(arg)).collect();
                let numbers: Vec<Option<i64>> = args.iter().map(|arg| arg.parse().ok()).collect();
                match (call.name.as_str(), args.as_slice(), numbers.as_slice()) {
                    ("has", [side, _], [_, Some(least)]) => (Asked::AtLeast(format!("count({side})"), *least), false),
                    ("has", [side, kinds], _) => (Asked::AtLeast(format!("count({side}, {kinds})"), 1), false),
                    ("has", [side, kinds, _], [.., Some(least)]) => {
                        (Asked::AtLeast(format!("count({side}, {kinds})"), *least), false)
                    }
                    ("clock_reached", _, [Some(least)]) => (Asked::AtLeast("clock()".into(), *least), false),
                    ("repeated", _, [Some(least)]) => (Asked::AtLeast("repetitions()".into(), *least), false),
                    _ => (Asked::Other(self.of_expr(expr)), false),
                }
            }
            other => {
                let phrase = self.of_expr(other);
                match phrase.strip_prefix("is_empty(").and_then(|rest| rest.strip_suffix(')')) {
                    Some(set) => (Asked::AtLeast(format!("count({set})"), 1), true),
                    None => (Asked::Other(phrase), false),
                }
            }
        }
    }

    /// The call in a condition: the expression itself, or the operand compared with a number.
    fn called(&self, expr: &Expr) -> Option<(String, Vec<String>)> {
        match expr {
            Expr::FnCall(call, _) if call.is_operator_call() && call.args.len() == 2 => {
                self.called(&call.args[0]).or_else(|| self.called(&call.args[1]))
            }
            Expr::FnCall(call, _)
                if !call.is_operator_call() && call.namespace.is_empty() && !self.is_own(&call.name) =>
            {
                Some((call.name.to_string(), call.args.iter().map(|arg| self.of_expr(arg)).collect()))
            }
            other => method(other).map(|(of, call)| {
                let args = [of].into_iter().chain(&call.args).map(|arg| self.of_expr(arg));
                (call.name.to_string(), args.collect())
            }),
        }
    }
}

impl Fact {
    /// Whether two facts cannot both hold.
    pub(super) fn contradicts(&self, other: &Fact) -> bool {
        use Asked::{AtLeast, Equal, Other};
        match (&self.asked, &other.asked) {
            (Other(one), Other(two)) => one == two && self.holds != other.holds,
            (AtLeast(one, a), AtLeast(two, b)) if one == two => match (self.holds, other.holds) {
                (true, false) => a >= b,
                (false, true) => b >= a,
                _ => false,
            },
            (Equal(one, a), AtLeast(two, b)) | (AtLeast(two, b), Equal(one, a)) if one == two => {
                let (equal, least) =
                    if matches!(self.asked, Equal(..)) { (self.holds, other.holds) } else { (other.holds, self.holds) };
                equal && (a >= b) != least
            }
            (Equal(one, a), Equal(two, b)) if one == two => {
                self.holds && other.holds && a != b || a == b && self.holds != other.holds
            }
            _ => false,
        }
    }

    /// Whether the fact contains an expression without a unique name. Two such facts may look alike and differ.
    pub(super) fn is_vague(&self) -> bool {
        self.says().contains('?')
    }

    /// The fact as text, for comparison with others.
    pub(super) fn says(&self) -> String {
        let asked = match &self.asked {
            Asked::AtLeast(what, least) => format!("{what} >= {least}"),
            Asked::Equal(what, number) => format!("{what} == {number}"),
            Asked::Other(what) => what.clone(),
        };
        if self.holds { asked } else { format!("!({asked})") }
    }

    /// The side and the trait, if the fact means that a side has no piece left with a value of that trait.
    pub(super) fn lost_with_trait(&self) -> Option<(&str, &str)> {
        let (Asked::AtLeast(counted, 1), false) = (&self.asked, self.holds) else { return None };
        let both = counted.strip_prefix("count(&(")?.strip_suffix("))")?;
        let (own, rest) = match both.strip_prefix("squares_of(") {
            Some(own) => own.split_once("), with_trait(")?,
            None => {
                let (rest, own) = both.strip_prefix("with_trait(")?.split_once("), squares_of(")?;
                (own.strip_suffix(')')?, rest)
            }
        };
        let name = rest.split(',').next()?;
        (!own.contains(',') && name.starts_with('"')).then_some((own, name))
    }

    /// The side and the kinds, if the fact means that a side has none of them left. The kinds are `None` if the fact covers
    /// all.
    pub(super) fn lost(&self) -> Option<(&str, Option<&str>)> {
        let none = match &self.asked {
            Asked::AtLeast(_, least) => !self.holds && *least == 1,
            Asked::Equal(_, number) => self.holds && *number == 0,
            Asked::Other(_) => false,
        };
        if let (Asked::AtLeast(counted, _) | Asked::Equal(counted, _), true) = (&self.asked, none)
            && let Some(lost) = counted_pieces(counted)
        {
            return Some(lost);
        }
        let (name, args) = self.call.as_ref()?;
        match (name.as_str(), args.as_slice()) {
            ("has" | "count", [side, kinds, ..]) if none && kinds.parse::<i64>().is_err() => Some((side, Some(kinds))),
            ("has" | "count", [side, ..]) if none => Some((side, None)),
            _ => None,
        }
    }
}

/// The side and the kinds that a count of squares covers, with or without the pieces in hand.
fn counted_pieces(counted: &str) -> Option<(&str, Option<&str>)> {
    let within = |text: &'_ str, call: &str| -> Option<usize> {
        text.strip_prefix(call).and_then(|rest| rest.strip_suffix(')')).map(|_| call.len())
    };
    let mut text = counted;
    for call in ["count(", "number(", "number_of(", "len("] {
        if let Some(start) = within(text, call) {
            text = &text[start..text.len() - 1];
        }
    }
    let start = within(text, "squares_of(")?;
    let args = &text[start..text.len() - 1];
    let mut depth = 0;
    let comma = args.char_indices().find(|(_, c)| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        depth < 0 || depth == 0 && *c == ','
    });
    match comma {
        None => Some((args, None)),
        Some((at, ',')) => Some((&args[..at], Some(args[at + 1..].trim_start()))),
        Some(_) => None,
    }
}
