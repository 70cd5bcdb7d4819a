//! Finds exclusive ranges (`1..6`) that stop just before the last entry of a list, the last of several dice, or the last
//! face that matters.
//!
//! An exclusive range is a mistake only if exactly its written end is left out, and no code around it handles that end.

use super::super::definitions::{Definition, own_function};
use super::super::shapes::{
    self, any_in, any_within, each_node, first_within, integer, is_variable, method, names, numbered_entry, operands,
    variable, written,
};
use super::abstract_value::AbstractValue;
use super::numbers::Bounds;
use super::rolls::{any_face, dice_in};
use super::{LineColumn, Walker, start};
use crate::diagnostic::Code;
use crate::host::kind::ParamKind;
use rhai::{ASTNode, Expr, FlowControl, FnCallExpr, Stmt, StmtBlock, Token as Op};
use std::collections::BTreeMap;

/// Maximum depth to which nested calls are followed.
const DEEP: usize = 2;

/// Maximum length of an `else if` chain that is examined.
const MOST: usize = 16;

/// An exclusive range between two literals.
#[derive(Clone, Copy)]
pub(super) struct Short {
    first: i64,
    end: i64,
    at: LineColumn,
}

impl Short {
    fn of(expr: &Expr) -> Option<Short> {
        let (Op::ExclusiveRange, first, end) = operands(expr)? else { return None };
        let (first, end) = (integer(first)?, integer(end)?);
        (first < end).then(|| Short { first, end, at: start(expr) })
    }

    /// The corresponding inclusive range.
    fn whole(self) -> String {
        format!("{}..={}", self.first, self.end)
    }
}

/// Lists filled by a loop over such a range, by name; `None` if other code fills the list, too.
#[derive(Default)]
pub(super) struct Pushed {
    filled: BTreeMap<String, Option<Short>>,
    /// The highest indices that are read.
    asked: Vec<(String, i64)>,
}

/// The entries that are read with a variable, by list: the number subtracted from the variable; `None` if the index is
/// something else.
type Uses = BTreeMap<String, Vec<Option<i64>>>;

impl Walker<'_> {
    /// A condition on a variable, `n in 1..6`, with the block under it.
    pub(super) fn asked_short(&mut self, condition: &Expr, body: &StmtBlock) {
        let Expr::FnCall(call, _) = condition else { return };
        if let ("contains", [range, Expr::Variable(variable, ..)]) = (call.name.as_str(), call.args.as_slice()) {
            self.one_short(&variable.1, range, body);
        }
    }

    /// A loop over a range, or a condition with one, that leaves out exactly the last entry its variable selects.
    pub(super) fn one_short(&mut self, variable: &str, through: &Expr, body: &StmtBlock) {
        let (Some(range), true) = (Short::of(through), self.report.is_some()) else { return };
        let Some(around) = own_function(self.functions, &self.own.0, self.own.1) else { return };
        let shown = self.source(through);
        if handles(around, range.end) {
            return;
        }
        if let Some(kind) = self.promotes_to(variable, range, body) {
            let message =
                format!("`{shown}` stops before {}, which stands for \"{kind}\", another promotion piece", range.end);
            let help = format!("write `{}` to include it", range.whole());
            return self.warn(Code::Comparison, range.at, message, help);
        }
        let mut uses = Uses::new();
        self.uses_of(variable, body, DEEP, &mut uses);
        for (list, taken) in uses {
            let Some(taken) = taken.into_iter().collect::<Option<Vec<i64>>>() else { continue };
            let (Some(least), Some(most)) = (taken.iter().min().copied(), taken.iter().max().copied()) else {
                continue;
            };
            let known = self.lookup(&list);
            let dice = dice_in(&known);
            let Some(length) = dice.or(known.length.filter(|_| known.is_written())) else { continue };
            let (length, first) = (length as i64, range.first - most);
            let begins = first == 0 || first == 1 && asks_entry(around, &list, 0);
            if length < 3 || !begins || range.end - least != length - 1 || named_otherwise(around, &list, variable) {
                continue;
            }
            let last = known.items.last().and_then(AbstractValue::only_text).map(str::to_string);
            if last.is_some_and(|text| says(around, &text)) {
                continue;
            }
            let (message, help) = match dice {
                Some(_) => (
                    format!("`{shown}` stops before {}: `{list}[{}]` is never used", range.end, length - 1),
                    format!("write `{}` to use all {length} dice", range.whole()),
                ),
                None => (
                    format!(
                        "`{shown}` stops before {}: the last of the {length} entries of `{list}` is never used here",
                        range.end
                    ),
                    format!("write `{}` to include the last entry", range.whole()),
                ),
            };
            return self.warn(Code::Comparison, range.at, message, help);
        }
    }

    /// An `else if` chain that covers all values of a roll except the end of a range.
    pub(super) fn chain_short(&mut self, flow: &FlowControl) {
        let (mut asked, mut branch) = (vec![&flow.expr], &flow.branch);
        while let [Stmt::If(next, _)] = branch.statements()
            && asked.len() < MOST
        {
            asked.push(&next.expr);
            branch = &next.branch;
        }
        let parts: Option<Vec<(&Expr, Bounds)>> = asked.iter().map(|condition| bounded(condition)).collect();
        let (Some(parts), true, true) = (parts, asked.len() > 1 && branch.is_empty(), self.report.is_some()) else {
            return;
        };
        let of = parts[0].0;
        if parts.iter().any(|(other, _)| written(other) != written(of)) {
            return;
        }
        let known = self.value(of);
        let Some(all) = known.numbers().filter(|all| known.rolled && all.len() > 2) else { return };
        let left = |n: &i64| !parts.iter().any(|(_, (least, most))| (least..=most).contains(&n));
        let missing: Vec<i64> = all.into_iter().filter(left).collect();
        let range = asked.iter().find_map(|condition| {
            let Expr::FnCall(call, _) = condition else { return None };
            Short::of(call.args.first()?).filter(|range| missing == [range.end])
        });
        let Some(range) = range else { return };
        let (shown, source) = (format!("{}..{}", range.first, range.end), self.source(of));
        let message = format!("`{shown}` stops before {}: nothing happens when `{source}` is {}", range.end, range.end);
        let help = format!("write `{}`, or add the missing case: `else {{ .. }}`", range.whole());
        self.warn(Code::Comparison, range.at, message, help);
    }

    /// The kind in a list at the end of a range, if pieces promote to the kinds within the range and can also promote to
    /// that one.
    fn promotes_to(&self, variable: &str, range: Short, body: &StmtBlock) -> Option<String> {
        let world = self.world?;
        let mut found = None;
        each_node(body, &mut |node| {
            if let ASTNode::Expr(Expr::FnCall(call, _)) = node
                && call.name == "promoting_to"
                && crate::functions::position_of(&call.name, ParamKind::PieceNames) == Some(0)
                && let [Expr::Index(parts, ..)] = call.args.as_slice()
                && let (Expr::Variable(list, ..), Some(Some(taken))) = (&parts.lhs, taken_from(&parts.rhs, variable))
            {
                let list = self.lookup(&list.1);
                let kind = |n: i64| {
                    let item = usize::try_from(n - taken).ok().and_then(|at| list.items.get(at))?;
                    item.only_text().filter(|kind| world.promoted.iter().any(|one| one == kind)).map(str::to_string)
                };
                if list.is_written() && (range.first..range.end).all(|n| kind(n).is_some()) {
                    found = kind(range.end);
                }
            }
        });
        found
    }

    /// The entries that are read with a variable, including in script functions that receive it.
    fn uses_of(&self, variable: &str, body: &StmtBlock, deep: usize, uses: &mut Uses) {
        let mut receivers: Vec<(&Definition, String)> = Vec::new();
        each_node(body, &mut |node| match node {
            ASTNode::Expr(Expr::Index(parts, ..)) => {
                let (Expr::Variable(list, ..), Some(taken)) = (&parts.lhs, taken_from(&parts.rhs, variable)) else {
                    return;
                };
                let constant = self.constants.iter().any(|(name, _)| *name == list.1.as_str());
                // In other functions, another list may have that name.
                if deep == DEEP || constant {
                    uses.entry(list.1.to_string()).or_default().push(taken);
                }
            }
            ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
                receivers.extend(self.given_to(call, variable));
            }
            _ => {}
        });
        let Some(deeper) = deep.checked_sub(1) else { return };
        for (def, param) in receivers {
            self.uses_of(&param, &def.body, deeper, uses);
        }
    }

    /// The script function that receives the variable unchanged from a call, with the name of its parameter.
    fn given_to(&self, call: &FnCallExpr, variable: &str) -> Option<(&Definition, String)> {
        let at = call.args.iter().position(|arg| is_variable(arg, variable))?;
        let def = own_function(self.functions, &call.name, call.args.len())?;
        Some((def, def.params.get(at)?.clone()))
    }

    /// A loop over faces that stops before a face that is counted nowhere, although all higher faces are.
    pub(super) fn counted_short(&mut self, face: &str, through: &Expr, body: &StmtBlock) {
        let (Some(range), true) = (Short::of(through), self.report.is_some()) else { return };
        let dice: Option<Bounds> = first_within(body, |node| {
            let ASTNode::Expr(expr) = node else { return None };
            let (of, count) = method(expr).filter(|(_, count)| count.name == "count_of")?;
            count.args.first().filter(|asked| is_variable(asked, face))?;
            self.dice_held(of).as_ref().and_then(any_face)
        });
        let Some((least, most)) = dice.filter(|(least, most)| *least == range.first && *most >= range.end) else {
            return;
        };
        let elsewhere = |n: i64| {
            let mut all = self.tokens.windows(3);
            all.any(|three| three[0].is("count_of") && three[1].is("(") && three[2].is(&n.to_string()))
        };
        if elsewhere(range.end) || !(range.end + 1..=most).all(elsewhere) || range.end - least < 2 {
            return;
        }
        let (last, end) = (range.end - 1, range.end);
        let message = match end == most {
            true => format!("this stops at {last}, but the dice can show {end}"),
            false => format!("this stops at {last}, so dice that show {end} are not counted"),
        };
        self.warn(Code::Comparison, range.at, message, format!("to count every face, write `{}`", range.whole()));
    }

    /// Records a list that a loop over such a range fills, one entry per pass.
    pub(super) fn filled_by(&mut self, through: &Expr, body: &StmtBlock) {
        if self.report.is_none() {
            return;
        }
        let range = Short::of(through).filter(|_| body.statements().len() == 1);
        each_node(body, &mut |node| {
            if let ASTNode::Expr(expr) = node
                && let Some((list, call)) = method(expr)
                && let (Some(list), "push") = (variable(list), call.name.as_str())
            {
                let known = self.pushed.filled.entry(list.to_string()).or_insert(range);
                if known.map(|known| known.at) != range.map(|range| range.at) {
                    *known = None;
                }
            }
        });
    }

    /// Records the highest index of a list that is read without a condition.
    pub(super) fn highest_asked(&mut self, of: &Expr, index: &Expr, most: Option<i64>) {
        if self.report.is_none() {
            return;
        }
        if let (Expr::Variable(list, ..), Some(most), false) = (of, most, self.guarded(index)) {
            self.pushed.asked.push((list.1.to_string(), most));
        }
    }

    /// Reports lists that a loop fills except for the last entry that is read.
    pub(super) fn filled_short(&mut self) {
        let Pushed { filled, asked } = std::mem::take(&mut self.pushed);
        for (list, range) in filled {
            let Some(range) = range else { continue };
            // Other lists may have that name, and other code may add to this one.
            let made = self.tokens.windows(3).filter(|three| three[0].is("let") && three[1].is(&list)).count();
            let pushes = self
                .tokens
                .windows(3)
                .filter(|three| three[0].is(&list) && three[1].is(".") && three[2].is("push"))
                .count();
            let length = range.end - range.first;
            let most = asked.iter().filter(|(name, _)| *name == list).map(|(_, most)| *most).max();
            if made != 1 || pushes != 1 || most != Some(length) || length < 2 {
                continue;
            }
            let message = format!(
                "`{}..{}` stops before {}, so `{list}` has only {length} entries, but {} are used",
                range.first,
                range.end,
                range.end,
                length + 1
            );
            self.error(Code::Index, range.at, message, format!("write `{}` to fill the list", range.whole()));
        }
    }
}

/// The operand that a condition compares with literals, and the interval for which it holds.
pub(super) fn bounded(condition: &Expr) -> Option<(&Expr, Bounds)> {
    let Expr::FnCall(call, _) = condition else { return None };
    let [left, right] = call.args.as_slice() else { return None };
    if call.name == "contains" {
        return Some((right, shapes::range(left)?));
    }
    let number = integer(right)?;
    let bounds = match call.op_token.as_ref()? {
        Op::EqualsTo => (number, number),
        Op::LessThan => (i64::MIN, number.checked_sub(1)?),
        Op::LessThanEqualsTo => (i64::MIN, number),
        Op::GreaterThan => (number.checked_add(1)?, i64::MAX),
        Op::GreaterThanEqualsTo => (number, i64::MAX),
        _ => return None,
    };
    Some((left, bounds))
}

/// The number subtracted from a variable in an index, if the index contains it; `Some(None)` if other arithmetic uses the
/// variable.
fn taken_from(index: &Expr, variable: &str) -> Option<Option<i64>> {
    let index = match index {
        Expr::Dot(inner, ..) | Expr::Index(inner, ..) => &inner.lhs,
        other => other,
    };
    if is_variable(index, variable) {
        return Some(Some(0));
    }
    if let Expr::FnCall(call, _) = index
        && let [left, Expr::IntegerConstant(by, _)] = call.args.as_slice()
        && is_variable(left, variable)
    {
        return Some(match call.op_token {
            Some(Op::Minus) => Some(*by),
            Some(Op::Plus) => by.checked_neg(),
            _ => None,
        });
    }
    any_in(index, |node| names(node, variable)).then_some(None)
}

/// Whether a function contains a number, except as the end of an exclusive range.
fn handles(def: &Definition, number: i64) -> bool {
    let mut count = 0_i64;
    each_node(&def.body, &mut |node| match node {
        ASTNode::Expr(Expr::IntegerConstant(own, _)) => count += i64::from(*own == number),
        ASTNode::Expr(expr) => {
            if let Some(range) = Short::of(expr) {
                count -= i64::from(range.end == number);
            }
        }
        _ => {}
    });
    count > 0
}

/// Whether a function reads the entry of a list at this literal index.
fn asks_entry(def: &Definition, list: &str, number: i64) -> bool {
    any_within(&def.body, |node| matches!(node, ASTNode::Expr(expr) if numbered_entry(expr) == Some((list, number))))
}

/// Whether a function contains a text.
fn says(def: &Definition, text: &str) -> bool {
    any_within(&def.body, |node| matches!(node, ASTNode::Expr(Expr::StringConstant(own, _)) if own == text))
}

/// Whether a function uses a list other than to read a property, its first entry, or an entry that the variable selects.
fn named_otherwise(def: &Definition, list: &str, variable: &str) -> bool {
    let is = |expr: &Expr| is_variable(expr, list);
    let (mut all, mut known) = (0, 0);
    each_node(&def.body, &mut |node| match node {
        ASTNode::Expr(Expr::Index(parts, ..)) if is(&parts.lhs) => {
            let first = matches!(&parts.rhs, Expr::IntegerConstant(0, _));
            known += usize::from(first || matches!(taken_from(&parts.rhs, variable), Some(Some(_))));
        }
        ASTNode::Expr(Expr::Dot(parts, ..)) if is(&parts.lhs) => {
            let property = if let Expr::Dot(inner, ..) = &parts.rhs { &inner.lhs } else { &parts.rhs };
            let plain = match property {
                Expr::MethodCall(call, _) => call.name == "len",
                other => matches!(other, Expr::Property(..)),
            };
            known += usize::from(plain);
        }
        ASTNode::Expr(expr) if is(expr) => all += 1,
        _ => {}
    });
    all > known
}
