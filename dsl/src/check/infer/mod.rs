//! What values can be, followed through variables, arrays, maps, branches and functions before anything is played: and
//! where that shows a mistake.
//!
//! A script is walked several times: each time what functions are given and give back is known better than the time
//! before ([`Facts`] begin with everything possible and lose what is not). Only the last walk complains. What functions of
//! the game take and give is asked of their rows. A condition may make possible what would be wrong without it: complaints
//! about single values keep silent where a condition before has looked at what they depend on.

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
mod known;
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
use super::name_table::{Place, place};
use super::names;
use super::report::Report;
use crate::diagnostic::Code;
use crate::host::kind::ValueKind;
use crate::host::tokens::Token;
use dice_uses::{DiceAsked, Filled};
use known::{Kinds, Known};
use rhai::{AST, ASTFlags, Expr, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// So often a script is walked at most.
const WALKS: usize = 8;

/// A function of the script: its name, and how many parameters it has.
type Own = (String, usize);

/// Stands for all functions.
static ANYWHERE: &Own = &(String::new(), usize::MAX);

/// What one walk finds out for the next.
#[derive(Default, PartialEq)]
struct Facts {
    /// What the parameters of functions are given.
    given: BTreeMap<Own, Vec<Known>>,
    /// What functions give back.
    results: BTreeMap<Own, Known>,
    /// What variables are set to after they are made, by function and name.
    set: BTreeMap<(Own, String), Known>,
}

/// Judges a script; names are judged as well if they are known.
pub(super) fn check(
    ast: &AST,
    functions: &[Definition],
    all: &[Token<'_>],
    known: &names::Known,
    world: Option<&World<'_>>,
    report: &mut Report,
) {
    let text = report.text.clone();
    let (mut facts, mut settled) = (None, false);
    for walk in 1..=WALKS {
        // What nothing more is found out of is walked once more, to complain.
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
    known: &'a names::Known,
    world: Option<&'a World<'a>>,
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
    /// Texts that values are not, where a condition has sorted them out.
    not: BTreeSet<(String, String)>,
    /// What `return` gives back in it.
    returned: Vec<Known>,
    /// The entries of constants that are asked for by dice, each with where.
    entries_asked: list_ends::Asked,
    /// The dice that are asked for one by one.
    dice_asked: DiceAsked,
    /// The dice that are put into pools.
    filled: Filled,
    /// The lists that loops over ranges fill.
    pushed: short_ranges::Pushed,
    /// How many conditions hold where the walk is, within the function.
    branches: usize,
    /// What the conditions around say of expressions.
    asked: Vec<among::Asked>,
    /// What functions of the script are given that they cannot use.
    misgiven: Vec<needs::Misgiven>,
}

/// Where an expression begins.
pub(super) fn start(expr: &Expr) -> Place {
    match expr {
        // What is looked for stands before the list.
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
            (None, Some(kind)) => Known::one(*kind),
            (given, _) => given.cloned().unwrap_or_else(Known::any),
        };
        self.scopes = vec![def.params.iter().enumerate().map(|(i, name)| (name.to_string(), param(i))).collect()];
        // What a rule comes to nobody asks, but for what the pieces can do.
        let used = def.name == "movement" || !super::rules::RULES.contains(&def.name.as_str());
        let value = self.block(&def.body, used);
        if self.report.is_some() {
            self.only_whether(def);
        }
        let returned = std::mem::take(&mut self.returned);
        let mut result = returned.iter().fold(value, |all, one| all.or(one));
        if result.kinds == Kinds::NONE {
            result = Known::any();
        }
        (result.perhaps, result.part_of) = (None, Vec::new());
        self.now.results.insert(self.own.clone(), result);
    }

    /// Notes what a function is called with, or may be.
    fn give(&mut self, own: Own, mut args: Vec<Known>) {
        // Who calls it may have asked before, and what it is part of is called otherwise there.
        args.iter_mut().for_each(|arg| (arg.perhaps, arg.part_of) = (None, Vec::new()));
        match self.now.given.get_mut(&own) {
            None => drop(self.now.given.insert(own, args)),
            Some(given) => given.iter_mut().zip(&args).for_each(|(known, arg)| *known = known.or(arg)),
        }
    }

    fn error(&mut self, code: Code, at: Place, message: impl Into<String>, help: impl Into<String>) {
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.error(code, at, message.into(), Some(help.into()));
        }
    }

    /// Whether there is a variable, parameter or constant of this name here.
    fn is_variable(&self, name: &str) -> bool {
        let mut all = self.scopes.iter().flatten().chain(&self.constants);
        all.any(|(known, _)| known == name)
    }

    fn warn(&mut self, code: Code, at: Place, message: impl Into<String>, help: impl Into<String>) {
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.warning(code, at, message.into(), Some(help.into()));
        }
    }

    /// Notes where a value may come to nothing: if that happens in a trial game, this is the place to tell of it.
    fn doubt(&mut self, at: Place, message: String) {
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.doubts.push((at, message));
        }
    }

    fn hint(&mut self, code: Code, at: Place, message: impl Into<String>, help: impl Into<String>) {
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.note(code, at, message.into(), Some(help.into()));
        }
    }

    /// What the variable of this name is made with that hides the others.
    fn newest(&self, name: &str) -> Option<&Known> {
        let mut all = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        all.find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// What is known of a variable.
    fn lookup(&self, name: &str) -> Known {
        let Some(made) = self.newest(name) else {
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
                (both.range, both.sure, both.length) = (None, None, None);
                both
            }
        }
    }
}
