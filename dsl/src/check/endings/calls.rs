//! Collects the calls that end a game, each with the facts known to hold there: its enclosing conditions, and earlier ones
//! that would have returned.
//!
//! [`Endings`] is read from the syntax tree once. Invariant: a fact is stale if anything between its condition and the call
//! may have changed its subject.

use super::super::definitions::Definition;
use super::super::infer::{changes_in_place, start};
use super::super::name_table::{LineColumn, NameTable, place};
use super::super::rules::RULES;
use super::phrase::{self, Asked, Fact, Phrases};
use crate::functions::{Cost, Fact as RowFact, costs, has_fact};
use rhai::{AST, Expr, FnCallExpr, Stmt, StmtBlock};
use std::collections::BTreeSet;

/// A call that ends the game.
pub(in crate::check) struct Ending {
    pub(in crate::check) at: LineColumn,
    /// `win` or `draw`.
    pub(in crate::check) name: String,
    /// The winner, as [`Phrases`] write it; `None` for a draw.
    pub(super) winner: Option<String>,
    /// The winner in the words of the script, for messages.
    pub(super) winner_named: Option<String>,
    /// Where the winner is named.
    pub(super) winner_at: LineColumn,
    /// The facts on the path to the call, outermost first. A stale fact may no longer hold.
    pub(super) facts: Vec<Fact>,
    /// The facts from this index on belong to the innermost condition.
    pub(super) own: usize,
    /// The number of the block that contains the call.
    pub(super) block: usize,
    /// The function that contains the call.
    pub(super) function: String,
}

/// Points that a block awards to a side.
pub(super) struct Award {
    pub(super) block: usize,
    pub(super) side: String,
    pub(super) at: LineColumn,
}

/// A condition for an ending: its place in the script, and the required answer.
pub(in crate::check) struct Wanted {
    pub(in crate::check) at: LineColumn,
    pub(in crate::check) holds: bool,
}

/// A condition whose result an earlier condition has already decided.
pub(super) struct Settled {
    pub(super) at: LineColumn,
    /// The place of the earlier condition.
    pub(super) before: LineColumn,
}

/// All calls that end the game.
#[derive(Default)]
pub(in crate::check) struct Endings {
    pub(in crate::check) all: Vec<Ending>,
    pub(super) awards: Vec<Award>,
    /// Conditions of any `if` that can no longer be met.
    pub(super) settled: Vec<Settled>,
}

impl Endings {
    /// Collects the endings of a script.
    pub(in crate::check) fn of(ast: &AST, functions: &[Definition], table: &NameTable) -> Endings {
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
    /// The conditions of each ending, in the order in which they are tested.
    pub(in crate::check) fn wanted(&self) -> impl Iterator<Item = Vec<Wanted>> + '_ {
        let wanted = |fact: &Fact| Wanted { at: fact.at, holds: fact.truth };
        self.all.iter().map(move |ending| ending.facts.iter().map(wanted).collect())
    }

    /// Whether a win depends on a condition that contains this phrase.
    pub(in crate::check) fn won_by(&self, phrase: &str) -> bool {
        let asks = |fact: &Fact| match &fact.asked {
            Asked::AtLeast(what, _) | Asked::Equal(what, _) | Asked::Other(what) => what.contains(phrase),
        };
        self.all.iter().filter(|ending| ending.winner.is_some()).any(|ending| ending.facts.iter().any(asks))
    }

    /// The functions that contain an ending.
    pub(in crate::check) fn functions(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|ending| ending.function.as_str())
    }

    /// The counters that endings compare with exactly one number, with that number and the place.
    pub(in crate::check) fn exact_counters(&self) -> Vec<(String, i64, LineColumn)> {
        let facts = self.all.iter().flat_map(|ending| &ending.facts[ending.own..]).filter(|fact| fact.holds);
        let mut all: Vec<(String, i64, LineColumn)> = facts
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
    /// The winner as the script writes it; `None` for a draw.
    pub(in crate::check) fn winner(&self) -> Option<&str> {
        self.winner.as_deref()
    }

    /// Whether the ending waits for a counter to reach some number.
    pub(in crate::check) fn waits_for(&self, counter: &str) -> bool {
        let named = format!("{counter:?}");
        self.facts[self.own..].iter().any(|fact| {
            let numbers = matches!(fact.asked, Asked::AtLeast(..) | Asked::Equal(..));
            numbers && fact.call.as_ref().is_some_and(|(_, args)| args.first() == Some(&named))
        })
    }

    /// The facts that still hold at the call.
    pub(super) fn live(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(|fact| !fact.stale)
    }
}

/// A traversal of one function.
struct Walk<'a> {
    phrases: Phrases<'a>,
    pub(super) facts: Vec<Fact>,
    /// Where the facts of the innermost condition begin.
    pub(super) own: usize,
    blocks: usize,
    pub(super) block: usize,
    /// Whether the function can run while the game state changes.
    changes: bool,
    pub(super) function: &'a str,
    found: &'a mut Endings,
}

impl Walk<'_> {
    /// Walks a block with its own scope of facts. Returns whether no statement after it runs.
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

    /// Walks the body of a loop: facts from before the loop may not hold in its second pass.
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

    /// Records a condition that contradicts a known fact.
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

    /// Marks all facts as stale after a change that is not tracked.
    fn lose_track(&mut self) {
        self.facts.iter_mut().for_each(|fact| fact.stale = true);
        self.phrases.changed();
    }

    /// Walks a statement. Returns whether no statement after it runs.
    fn statement(&mut self, statement: &Stmt) -> bool {
        match statement {
            Stmt::If(flow, _) => {
                self.expression(&flow.expr);
                self.held_against_earlier(&flow.expr);
                let then = self.under(&flow.expr, true, &flow.body);
                let other = self.under(&flow.expr, false, &flow.branch);
                // Code after the `if` runs only if the returning branch was not taken.
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
                    // An assignment to an entry or a property: facts about variables refer to them by name.
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

    fn call(&mut self, call: &FnCallExpr, at: LineColumn) {
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
                let (winner_named, winner_at) = match side(&self.phrases).filter(|_| name == "win") {
                    Some((side, at)) => (Some(side), at),
                    None => (None, at),
                };
                self.found.all.push(Ending {
                    at,
                    name: name.into(),
                    winner: winner_named.clone().map(|side| phrase::side_meant(side, &self.facts)),
                    winner_named,
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
