//! What conditions ask, written in one way: `!has(a, "king")`, `count(a, "king") == 0` and `count(a, "king") < 1` are one
//! fact. Variables that are made once stand for what they were made with, predicates of the script for what they ask.

use super::super::definitions::{Definition, own_function};
use super::super::infer::start;
use super::super::name_table::{Place, place};
use super::super::shapes::{any_in, each_node, method};
use crate::functions::{Cost, costs};
use crate::host::compared::mirrored;
use rhai::{AST, ASTFlags, ASTNode, Expr, FnCallExpr, Stmt, StmtBlock};
use std::collections::BTreeSet;

/// So deep functions of the script are followed.
const DEPTH: usize = 4;

/// What a fact is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// Whether a number is at least so much.
    AtLeast(String, i64),
    /// Whether a number is this one.
    Equal(String, i64),
    /// Anything else.
    Other(String),
}

/// Something that holds, or that does not.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) asked: Asked,
    pub(super) holds: bool,
    /// What the part of the condition in which it stands must come to, with every `!` before it.
    pub(super) truth: bool,
    /// Where it is asked.
    pub(super) at: Place,
    /// The question behind it: what is called, with what.
    pub(super) call: Option<(String, Vec<String>)>,
    /// Whether the game may have changed since.
    pub(super) stale: bool,
}

/// Writes what expressions of a function mean.
pub(super) struct Phrases<'a> {
    functions: &'a [Definition],
    /// Variables with what they stand for, the newest last, block by block.
    known: Vec<Vec<(String, String)>>,
    /// Variables that are set after they are made.
    assigned: BTreeSet<String>,
    depth: usize,
    /// Whether functions of the script may do more than ask.
    changes: bool,
    /// How many variables have got a name of their own.
    apart: usize,
}

/// What a phrase says with the two sides exchanged.
pub(super) fn swapped(phrase: &str, sides: &[String]) -> String {
    let mut pairs = vec![("mover()".to_string(), "opponent()".to_string())];
    if let [first, second] = sides {
        pairs.push((format!("{first:?}"), format!("{second:?}")));
    }
    pairs.iter().fold(phrase.to_string(), |text, (one, other)| {
        text.split(one.as_str()).map(|part| part.replace(other.as_str(), one)).collect::<Vec<_>>().join(other)
    })
}

/// A side as it is called elsewhere: between turns whoever comes next is the opponent.
pub(super) fn side_meant(side: String, facts: &[Fact]) -> String {
    let between = |fact: &Fact| fact.holds && matches!(&fact.asked, Asked::Other(asked) if asked == "between_turns()");
    if side == "to_move()" && facts.iter().any(between) { "opponent()".into() } else { side }
}

impl<'a> Phrases<'a> {
    /// Those of a function with this body.
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

    /// Notes what a variable is made with. What is rolled, chosen or reckoned by a function of the script is nothing else.
    pub(super) fn made(&mut self, name: &str, value: &Expr) {
        let phrase = match self.assigned.contains(name) || self.may_change(value) {
            true => self.apart(name),
            false => self.of_expr(value),
        };
        if let Some(block) = self.known.last_mut() {
            block.push((name.to_string(), phrase));
        }
    }

    /// A name that stands for one value of a variable and no other.
    fn apart(&mut self, name: &str) -> String {
        self.apart += 1;
        format!("{name}#{}", self.apart)
    }

    /// Makes what variables were made with be no longer what is asked now.
    pub(super) fn changed(&mut self) {
        let constants = 1;
        for block in self.known.iter_mut().skip(constants) {
            for (name, phrase) in block.iter_mut().filter(|(_, phrase)| phrase.contains('(')) {
                self.apart += 1;
                *phrase = format!("{name}#{}", self.apart);
            }
        }
    }

    /// Makes a variable another one than before.
    pub(super) fn set(&mut self, name: &str) {
        let apart = self.apart(name);
        let mut all = self.known.iter_mut().rev().flat_map(|block| block.iter_mut().rev());
        if let Some((_, phrase)) = all.find(|(known, _)| known == name) {
            *phrase = apart;
            return;
        }
        // A parameter is known by its name until it is set.
        if let Some(block) = self.known.get_mut(1) {
            block.push((name.into(), apart));
        }
    }

    /// Whether an expression may come to something else each time.
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

    /// What an expression means.
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
                // A list of one name is that name.
                [one @ Expr::StringConstant(..)] => self.of_expr(one),
                items => format!("[{}]", items.iter().map(|item| self.of_expr(item)).collect::<Vec<_>>().join(", ")),
            },
            other => {
                let (line, column) = place(other.start_position());
                format!("?{line}:{column}")
            }
        }
    }

    /// What follows a dot.
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

    /// What holds if a condition does, or does not.
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

    /// A function of the script that only asks something, and what it asks.
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

    /// What is asked, and whether it is the contrary of that.
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

    /// The question in an expression: it, or what it compares with a number.
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

    /// Whether it is about something that has no name of its own: two of these may look alike and differ.
    pub(super) fn is_vague(&self) -> bool {
        self.says().contains('?')
    }

    /// What it says, to be held against others.
    pub(super) fn says(&self) -> String {
        let asked = match &self.asked {
            Asked::AtLeast(what, least) => format!("{what} >= {least}"),
            Asked::Equal(what, number) => format!("{what} == {number}"),
            Asked::Other(what) => what.clone(),
        };
        if self.holds { asked } else { format!("!({asked})") }
    }

    /// The side and the trait, if it says that a side has no piece left with a value of that trait.
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

    /// The side and the kinds, if it says that a side has none of these left; all kinds, if none are named.
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

/// The side and the kinds that a count of squares is about, with the pieces in hand or without.
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
