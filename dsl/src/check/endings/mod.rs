//! The calls that end a game, each with what is known to hold where it stands: conditions around it, and those before it
//! that would have returned.
//!
//! [`Endings`] are read off the syntax tree once; [`sides`] and [`order`] judge them. What is asked is written in one way
//! however the script spells it ([`phrase`]), so that two conditions can be held against each other. Invariant: a fact is stale
//! if anything between the condition and the call may have changed what it is about.

mod kept;
mod order;
mod phrase;
mod sides;

use super::definitions::Definition;
use super::infer::{changes_in_place, start};
use super::name_table::{NameTable, Place, place};
use super::report::Report;
use super::rules::RULES;
use crate::functions::{Cost, Fact as RowFact, costs, has_fact};
use astragal_core::{Position, Variant};
use phrase::{Asked, Fact, Phrases, swapped};
use rhai::{AST, Expr, FnCallExpr, Stmt, StmtBlock};
use std::collections::BTreeSet;

/// A call that ends the game.
pub(super) struct Ending {
    pub(super) at: Place,
    /// `win` or `draw`.
    pub(super) name: String,
    /// Who wins, as [`Phrases`] write it; nobody, if it is a draw.
    winner: Option<String>,
    /// Where the winner is named.
    winner_at: Place,
    /// What held on the way there, the outermost first; of what is stale nobody knows whether it still does.
    facts: Vec<Fact>,
    /// The facts from here on belong to the innermost condition.
    own: usize,
    /// The block that it stands in.
    block: usize,
    /// The function that it stands in.
    function: String,
}

/// Points that a block gives to a side.
struct Award {
    block: usize,
    side: String,
    at: Place,
}

/// Something that must be so for an end to come: where it is asked, and how it is to be answered.
pub(super) struct Wanted {
    pub(super) at: Place,
    pub(super) holds: bool,
}

/// A condition that what was asked before it has settled.
struct Settled {
    at: Place,
    /// Where it was asked before.
    before: Place,
}

/// All calls that end the game.
#[derive(Default)]
pub(super) struct Endings {
    pub(super) all: Vec<Ending>,
    awards: Vec<Award>,
    /// Conditions of any `if` that can no longer be met where they are asked.
    settled: Vec<Settled>,
}

/// Judges the ends of a game.
pub(super) fn check(endings: &Endings, table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    sides::check(endings, variant, start, report);
    order::check(endings, report);
    kept::check(endings, table, variant, start, report);
}

/// Judges all other conditions by those before them; what is told already is not told again.
pub(super) fn settled(endings: &Endings, report: &mut Report) {
    order::settled(endings, report);
}

impl Endings {
    /// Those of a script.
    pub(super) fn of(ast: &AST, functions: &[Definition], table: &NameTable) -> Endings {
        let named = |roots: &[&str]| -> BTreeSet<String> {
            table.reached(roots, false).into_iter().map(|index| table.functions[index].name.clone()).collect()
        };
        let (all, changing) = (named(&RULES), named(&["turn", "capture", "prepare"]));
        let mut endings = Endings::default();
        let mut blocks = 0;
        for def in functions.iter().filter(|def| all.contains(&def.name)) {
            let mut walk = Walk {
                phrases: Phrases::of(ast, functions, &def.body, changing.contains(&def.name)),
                facts: Vec::new(),
                own: 0,
                blocks,
                block: blocks,
                changes: changing.contains(&def.name),
                function: &def.name,
                found: &mut endings,
            };
            walk.body(&def.body);
            blocks = walk.blocks + 1;
        }
        endings.all.sort_by_key(|ending| ending.at);
        endings
    }
}

impl Endings {
    /// What each end waits for, in the order in which it is asked.
    pub(super) fn wanted(&self) -> impl Iterator<Item = Vec<Wanted>> + '_ {
        let wanted = |fact: &Fact| Wanted { at: fact.at, holds: fact.truth };
        self.all.iter().map(move |ending| ending.facts.iter().map(wanted).collect())
    }

    /// Whether a win waits for something that is written so.
    pub(super) fn won_by(&self, phrase: &str) -> bool {
        let asks = |fact: &Fact| match &fact.asked {
            Asked::AtLeast(what, _) | Asked::Equal(what, _) | Asked::Other(what) => what.contains(phrase),
        };
        self.all.iter().filter(|ending| ending.winner.is_some()).any(|ending| ending.facts.iter().any(asks))
    }

    /// The functions in which the game ends.
    pub(super) fn functions(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|ending| ending.function.as_str())
    }

    /// The counters that ends ask for one number alone, with that number and where they do.
    pub(super) fn exact_counters(&self) -> Vec<(String, i64, Place)> {
        let facts = self.all.iter().flat_map(|ending| &ending.facts[ending.own..]).filter(|fact| fact.holds);
        let mut all: Vec<(String, i64, Place)> = facts
            .filter_map(|fact| match (&fact.asked, &fact.call) {
                (Asked::Equal(_, number), Some((name, args))) if name == "get" || name == "number" => {
                    Some((args.first()?.trim_matches('"').to_string(), *number, fact.at))
                }
                _ => None,
            })
            .collect();
        all.dedup();
        all
    }
}

impl Ending {
    /// Who wins, as it is written: nobody, if it is a draw.
    pub(super) fn winner(&self) -> Option<&str> {
        self.winner.as_deref()
    }

    /// Whether it waits for a counter to have some number.
    pub(super) fn waits_for(&self, counter: &str) -> bool {
        let named = format!("{counter:?}");
        self.facts[self.own..].iter().any(|fact| {
            let numbers = matches!(fact.asked, Asked::AtLeast(..) | Asked::Equal(..));
            numbers && fact.call.as_ref().is_some_and(|(_, args)| args.first() == Some(&named))
        })
    }

    /// What still holds where it stands.
    fn live(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(|fact| !fact.stale)
    }
}

/// A walk through a function.
struct Walk<'a> {
    phrases: Phrases<'a>,
    facts: Vec<Fact>,
    /// Where the facts of the innermost condition begin.
    own: usize,
    blocks: usize,
    block: usize,
    /// Whether the function may run where the game changes.
    changes: bool,
    function: &'a str,
    found: &'a mut Endings,
}

impl Walk<'_> {
    /// A block, with what holds in it; whether nothing behind it is run.
    fn body(&mut self, block: &StmtBlock) -> bool {
        let (facts, own, outer) = (self.facts.len(), self.own, self.block);
        self.blocks += 1;
        self.block = self.blocks;
        self.phrases.open();
        let leaves = block.iter().any(|statement| self.statement(statement));
        self.phrases.close();
        self.facts.truncate(facts);
        (self.own, self.block) = (own, outer);
        leaves
    }

    /// A loop: what holds before it may not hold in its second pass.
    fn again_and_again(&mut self, block: &StmtBlock) {
        self.lose_track();
        self.body(block);
    }

    fn under(&mut self, condition: &Expr, holds: bool, block: &StmtBlock) -> bool {
        let (facts, own) = (self.facts.len(), self.own);
        self.own = facts;
        self.phrases.facts(condition, holds, &mut self.facts);
        let leaves = self.body(block);
        self.facts.truncate(facts);
        self.own = own;
        leaves
    }

    /// Notes a condition that what is known to hold rules out.
    fn held_against_earlier(&mut self, condition: &Expr) {
        let mut asked = Vec::new();
        self.phrases.facts(condition, true, &mut asked);
        let sure = |fact: &&Fact| !fact.stale && !fact.is_vague();
        let barred = asked.iter().filter(sure).find_map(|fact| {
            let first = self.facts.iter().filter(sure).find(|first| first.contradicts(fact))?;
            Some(Settled { at: fact.at, before: first.at })
        });
        self.found.settled.extend(barred);
    }

    /// Notes that values have changed in a way that is not followed.
    fn lose_track(&mut self) {
        self.facts.iter_mut().for_each(|fact| fact.stale = true);
        self.phrases.changed();
    }

    /// Whether nothing behind a statement is run.
    fn statement(&mut self, statement: &Stmt) -> bool {
        match statement {
            Stmt::If(flow, _) => {
                self.expression(&flow.expr);
                self.held_against_earlier(&flow.expr);
                let then = self.under(&flow.expr, true, &flow.body);
                let other = self.under(&flow.expr, false, &flow.branch);
                // Whoever is still there has not gone the way that returns.
                match (then, other) {
                    (true, true) => return true,
                    (true, false) => self.phrases.facts(&flow.expr, false, &mut self.facts),
                    (false, true) => self.phrases.facts(&flow.expr, true, &mut self.facts),
                    (false, false) => {}
                }
            }
            Stmt::Switch(switch, _) => {
                self.expression(&switch.0);
                for case in &switch.1.expressions {
                    self.expression(&case.rhs);
                }
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.expression(&flow.expr);
                self.again_and_again(&flow.body);
            }
            Stmt::For(parts, _) => {
                self.expression(&parts.2.expr);
                self.again_and_again(&parts.2.body);
            }
            Stmt::Var(parts, ..) => {
                self.expression(&parts.1);
                self.phrases.made(&parts.0.name, &parts.1);
            }
            Stmt::Assignment(parts) => {
                self.expression(&parts.1.rhs);
                match &parts.1.lhs {
                    Expr::Variable(variable, ..) => self.phrases.set(&variable.1),
                    // An entry or a property: what variables hold is asked by their names.
                    _ => self.lose_track(),
                }
            }
            Stmt::FnCall(call, at) => self.call(call, place(*at)),
            Stmt::Block(block) => return self.body(block),
            Stmt::Expr(expr) => self.expression(expr),
            Stmt::Return(expr, ..) => {
                expr.iter().for_each(|expr| self.expression(expr));
                return true;
            }
            Stmt::BreakLoop(..) => return true,
            _ => {}
        }
        false
    }

    fn expression(&mut self, expr: &Expr) {
        match expr {
            Expr::FnCall(call, at) | Expr::MethodCall(call, at) => self.call(call, place(*at)),
            Expr::Dot(parts, ..) | Expr::Index(parts, ..) => {
                self.expression(&parts.lhs);
                self.expression(&parts.rhs);
                if let Expr::MethodCall(call, _) = &parts.rhs
                    && (changes_in_place(&call.name) || self.phrases.is_own(&call.name))
                {
                    self.lose_track();
                }
            }
            Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
                parts.iter().for_each(|part| self.expression(part));
            }
            Expr::Array(items, _) => items.iter().for_each(|item| self.expression(item)),
            Expr::Stmt(block) => {
                self.body(block);
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &FnCallExpr, at: Place) {
        call.args.iter().for_each(|arg| self.expression(arg));
        let name = call.name.as_str();
        let own = self.phrases.is_own(name) || !call.namespace.is_empty();
        let side = |phrases: &Phrases<'_>| call.args.first().map(|arg| (phrases.of_expr(arg), start(arg)));
        match name {
            _ if own || call.is_operator_call() => {}
            "award" | "award_halves" => {
                if let Some((side, at)) = side(&self.phrases) {
                    self.found.awards.push(Award { block: self.block, side, at });
                }
            }
            "win" | "draw" => {
                let (winner, winner_at) = match side(&self.phrases).filter(|_| name == "win") {
                    Some((side, at)) => (Some(phrase::side_meant(side, &self.facts)), at),
                    None => (None, at),
                };
                self.found.all.push(Ending {
                    at,
                    name: name.into(),
                    winner,
                    winner_at,
                    facts: self.facts.clone(),
                    own: self.own.min(self.facts.len()),
                    block: self.block,
                    function: self.function.into(),
                });
            }
            _ => {}
        }
        let verdict = has_fact(name, RowFact::Wins) || has_fact(name, RowFact::Draws);
        let acts = [Cost::Effect, Cost::Decision, Cost::Chance].into_iter().any(|cost| costs(name, cost));
        if self.changes && !call.is_operator_call() && (own || acts && !verdict) {
            self.lose_track();
        }
    }
}
