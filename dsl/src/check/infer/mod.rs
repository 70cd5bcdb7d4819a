//! Infers the possible values of expressions by abstract interpretation, through variables, arrays, maps, branches and
//! functions, and reports the mistakes that this reveals.
//!
//! The script is walked repeatedly. Each walk refines what is known of function arguments and results: [`Facts`] start with
//! all possibilities and lose the impossible ones. Only the last walk reports. The function rows define what built-in
//! functions take and return. A condition can make code correct that would be wrong without it. If a condition has tested
//! what a value depends on, messages about that single value are suppressed.

mod abstract_value;
mod among;
mod arguments;
mod bounds;
mod calls;
mod compare;
mod conditions;
mod cures;
mod dice_bounds;
mod dice_order;
mod dice_slips;
mod dice_uses;
mod dropped;
mod face_tables;
mod guards;
mod joined;
mod list_ends;
mod misused;
mod narrow;
mod needs;
mod numbers;
mod origins;
mod parts;
mod reach;
mod rolls;
mod short_ranges;
mod statements;
mod switches;
mod values;
mod world;

pub(super) use calls::changes_in_place;
pub(super) use world::World;

use super::definitions::Definition;
use super::name_table::{LineColumn, place};
use super::report::Report;
use crate::diagnostic::Code;
use crate::host::kind::ValueKind;
use crate::host::tokens::Token;
use crate::vocabulary::Known;
use abstract_value::{AbstractValue, Kinds};
use dice_uses::{DiceAsked, Filled};
use rhai::{AST, ASTFlags, Expr, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of walks.
const WALKS: usize = 8;

/// A script function: its name and number of parameters.
type Own = (String, usize);

/// Represents all functions.
static ANYWHERE: &Own = &(String::new(), usize::MAX);

/// The results of one walk that the next one uses.
#[derive(Default, PartialEq)]
struct Facts {
    /// The arguments of functions.
    given: BTreeMap<Own, Vec<AbstractValue>>,
    /// The results of functions.
    results: BTreeMap<Own, AbstractValue>,
    /// Values assigned to variables after their declaration, by function and name.
    set: BTreeMap<(Own, String), AbstractValue>,
}

/// Checks a script, including names if the declared names are known.
pub(super) fn check(
    ast: &AST,
    functions: &[Definition],
    all: &[Token<'_>],
    known: &Known,
    world: Option<&World<'_>>,
    report: &mut Report,
) {
    let text = report.text.clone();
    let (mut facts, mut settled) = (None, false);
    for walk in 1..=WALKS {
        // Once a walk finds nothing new, one more walk reports.
        let last = settled || walk == WALKS;
        let mut walker = Walker {
            text: &text,
            tokens: all,
            functions,
            known,
            world,
            before: facts.as_ref(),
            now: Facts::default(),
            report: last.then_some(&mut *report),
            scopes: Vec::new(),
            constants: Vec::new(),
            own: (String::new(), 0),
            guards: BTreeSet::new(),
            not: BTreeSet::new(),
            returned: Vec::new(),
            entries_asked: BTreeMap::new(),
            dice_asked: DiceAsked::default(),
            filled: BTreeMap::new(),
            pushed: short_ranges::Pushed::default(),
            branches: 0,
            asked: Vec::new(),
            misgiven: Vec::new(),
        };
        walker.script(ast);
        walker.never_to_their_end();
        walker.never_looked_at();
        walker.never_filled();
        walker.filled_short();
        walker.always_misgiven();
        if last {
            return;
        }
        let now = Some(walker.now);
        settled = now == facts;
        facts = now;
    }
}

struct Walker<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    functions: &'a [Definition],
    known: &'a Known,
    world: Option<&'a World<'a>>,
    /// The results of the previous walk; `None` in the first.
    before: Option<&'a Facts>,
    now: Facts,
    report: Option<&'a mut Report>,
    /// Variables by block, with their initial values.
    scopes: Vec<Vec<(String, AbstractValue)>>,
    /// Constants at the top level.
    constants: Vec<(String, AbstractValue)>,
    /// The current function.
    own: Own,
    /// Names that conditions in the current function have tested so far.
    guards: BTreeSet<String>,
    /// Texts that conditions have excluded, by variable or property.
    not: BTreeSet<(String, String)>,
    /// The values of `return` statements in the current function.
    returned: Vec<AbstractValue>,
    /// The reads of constants' entries.
    entries_asked: list_ends::Asked,
    /// The dice that are read one by one.
    dice_asked: DiceAsked,
    /// The dice that are put into pools.
    filled: Filled,
    /// The lists that loops over ranges fill.
    pushed: short_ranges::Pushed,
    /// The number of enclosing conditions within the function.
    branches: usize,
    /// The comparisons that the enclosing conditions make.
    asked: Vec<among::Asked>,
    /// Unusable arguments of script functions.
    misgiven: Vec<needs::Misgiven>,
}

/// The start of an expression.
pub(super) fn start(expr: &Expr) -> LineColumn {
    match expr {
        // In `item in list`, the item comes before the list.
        Expr::FnCall(call, at) if call.name == "contains" && call.args.len() == 2 => {
            start(&call.args[1]).min(place(*at))
        }
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
        self.branches = 0;
        self.asked.clear();
        self.guards.clear();
        self.not.clear();
        self.returned.clear();
        let given = self.before.and_then(|facts| facts.given.get(&self.own));
        let rule = match def.name.as_str() {
            "capture" => vec![ValueKind::Square, ValueKind::Square, ValueKind::Move],
            _ => Vec::new(),
        };
        let param = |i: usize| match (given.and_then(|given| given.get(i)), rule.get(i)) {
            (None, Some(kind)) => AbstractValue::one(*kind),
            (given, _) => given.cloned().unwrap_or_else(AbstractValue::any),
        };
        self.scopes = vec![def.params.iter().enumerate().map(|(i, name)| (name.to_string(), param(i))).collect()];
        // The result of a rule is not used, except for `movement`.
        let used = def.name == "movement" || !super::rules::RULES.contains(&def.name.as_str());
        let value = self.block(&def.body, used);
        if self.report.is_some() {
            self.only_whether(def);
        }
        let returned = std::mem::take(&mut self.returned);
        let mut result = returned.iter().fold(value, |all, one| all.or(one));
        if result.kinds == Kinds::NONE {
            result = AbstractValue::any();
        }
        (result.perhaps, result.part_of) = (None, Vec::new());
        self.now.results.insert(self.own.clone(), result);
    }

    /// Records the arguments of a call.
    fn give(&mut self, own: Own, mut args: Vec<AbstractValue>) {
        // The caller may already have tested the value, and its set variables have other names in the called function.
        args.iter_mut().for_each(|arg| (arg.perhaps, arg.part_of) = (None, Vec::new()));
        match self.now.given.get_mut(&own) {
            None => drop(self.now.given.insert(own, args)),
            Some(given) => given.iter_mut().zip(&args).for_each(|(known, arg)| *known = known.or(arg)),
        }
    }

    fn error(&mut self, code: Code, at: LineColumn, message: impl Into<String>, help: impl Into<String>) {
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.error(code, at, message.into(), Some(help.into()));
        }
    }

    /// Whether a variable, parameter or constant of this name exists here.
    fn is_variable(&self, name: &str) -> bool {
        let mut all = self.scopes.iter().flatten().chain(&self.constants);
        all.any(|(known, _)| known == name)
    }

    fn warn(&mut self, code: Code, at: LineColumn, message: impl Into<String>, help: impl Into<String>) {
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.warning(code, at, message.into(), Some(help.into()));
        }
    }

    /// Records a place where an expression may have no value. If a trial game fails for that reason, the error is moved
    /// there.
    fn doubt(&mut self, at: LineColumn, message: String) {
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.doubts.push((at, message));
        }
    }

    fn hint(&mut self, code: Code, at: LineColumn, message: impl Into<String>, help: impl Into<String>) {
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.note(code, at, message.into(), Some(help.into()));
        }
    }

    /// The initial value of the innermost variable with this name.
    fn newest(&self, name: &str) -> Option<&AbstractValue> {
        let mut all = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        all.find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The known properties of a variable.
    fn lookup(&self, name: &str) -> AbstractValue {
        let Some(made) = self.newest(name) else {
            let constant = self.constants.iter().find(|(known, _)| known == name);
            return constant.map_or_else(AbstractValue::any, |(_, value)| value.clone());
        };
        let Some(before) = self.before else { return AbstractValue::any() };
        let set = |own: &Own| before.set.get(&(own.clone(), name.to_string()));
        match (set(&self.own), set(ANYWHERE)) {
            (None, None) => made.clone(),
            (here, anywhere) => {
                let all = here.into_iter().chain(anywhere);
                let mut both = all.fold(made.clone(), |all, set| all.or(set));
                // When it is read, any assignment may have happened, so exact values are unknown.
                (both.range, both.sure, both.length) = (None, None, None);
                both
            }
        }
    }
}
