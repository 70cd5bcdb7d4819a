//! Checks dice that are read by index or by rank: the order in which they were rolled has no meaning, and ranked faces
//! descend.

use super::super::brackets::index_at;
use super::super::definitions::{Definition, own_function};
use super::super::shapes::{
    any_within, each_node, integer, is_equality, is_variable, method, numbered_entry, operands, variable,
};
use super::abstract_value::AbstractValue;
use super::rolls::{any_face, dice_in};
use super::{LineColumn, Walker, start};
use crate::diagnostic::Code;
use crate::host::kind::ValueKind;
use rhai::{ASTNode, Expr, FnPtr, StmtBlock, Token as Op};

/// How a die is selected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// By its index in the roll, from 0, or from the end if negative.
    LineColumn(i64),
    /// By its rank, where 1 is the highest.
    Rank(i64),
}

/// A comparison of a die: its dice, how it is selected, and the other operand.
struct Compared<'e> {
    dice: String,
    by: By,
    with: &'e Expr,
    whole: &'e Expr,
}

impl<'e> Compared<'e> {
    fn of(expr: &'e Expr) -> Option<Compared<'e>> {
        let (Op::EqualsTo, left, with) = operands(expr)? else { return None };
        let (dice, by) = match (numbered_entry(left), method(left)) {
            (Some((dice, at)), _) => (dice, By::LineColumn(at)),
            (None, Some((dice, call))) if call.name == "ranked" => match call.args.as_slice() {
                [rank] => (variable(dice)?, By::Rank(integer(rank)?)),
                _ => return None,
            },
            _ => return None,
        };
        Some(Compared { dice: dice.to_string(), by, with, whole: expr })
    }

    /// The number that it is compared with, if that is a literal.
    fn number(&self) -> Option<i64> {
        integer(self.with)
    }

    /// The index of the entry of `variable` that it is compared with.
    fn entry_of(&self, variable: &str) -> Option<usize> {
        let (_, at) = numbered_entry(self.with).filter(|(own, _)| *own == variable)?;
        usize::try_from(at).ok()
    }

    /// Its position among the dice in ascending order, if it has one.
    fn ascending(&self, sorted: bool, count: i64) -> Option<i64> {
        match self.by {
            By::Rank(rank) => Some(-rank),
            By::LineColumn(at) => sorted.then_some(if at < 0 { at + count } else { at }),
        }
    }
}

/// The comparisons in a condition that involve the same roll as the first one.
fn together(parts: &[Expr]) -> Vec<Compared<'_>> {
    let all: Vec<Compared<'_>> = parts.iter().filter_map(Compared::of).collect();
    let Some(first) = all.first().map(|one| one.dice.clone()) else { return all };
    all.into_iter().filter(|one| one.dice == first).collect()
}

impl Walker<'_> {
    /// Comparisons of several dice joined by `&&`.
    pub(super) fn places_asked(&mut self, parts: &[Expr]) {
        if self.report.is_none() {
            return;
        }
        let all = together(parts);
        let Some(numbers) = all.iter().map(Compared::number).collect::<Option<Vec<i64>>>() else { return };
        let (Some(first), true) = (all.first(), all.len() > 1) else { return };
        let dice = self.rolled_as(&first.dice);
        let count = dice_in(&dice).unwrap_or(0) as i64;
        if self.never_in_order(&all, &numbers, &dice, count) {
            return;
        }
        let places: Vec<i64> = all.iter().filter_map(|one| one.ascending(true, count)).filter(|at| *at >= 0).collect();
        let by_place = all.iter().all(|one| matches!(one.by, By::LineColumn(_)));
        if !by_place || count < 2 || dice.ascending || !alike(&dice) || places.len() != all.len() {
            return;
        }
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        let Some(around) = own_function(self.functions, &self.own.0, self.own.1) else { return };
        if sorted.first() == sorted.last() || asked_otherwise(around, &first.dice, &numbers) {
            return;
        }
        if self.order_matters(around, &first.dice) {
            return;
        }
        sorted.dedup();
        let name = &first.dice;
        let (asked, turned) = (in_words(&numbers), in_words(&numbers.iter().rev().copied().collect::<Vec<i64>>()));
        let others = if numbers.len() == 2 { turned } else { "any other order".to_string() };
        let message = format!("this matches the roll {asked}, but not {others}");
        let both = sorted.len() == numbers.len() && numbers.len() as i64 == count;
        let help = match both {
            true => {
                let all: Vec<String> = numbers.iter().map(|number| format!("{number} in {name}")).collect();
                format!("to match any order, use `{}`", all.join(" && "))
            }
            false => format!("roll them with `#{{ sorted: true }}`: then `{name}[0]` is the lowest"),
        };
        self.warn(Code::Comparison, start(first.whole), message, help);
    }

    /// Sorted or ranked dice that are compared with faces in another order. Returns whether it was reported.
    fn never_in_order(&mut self, all: &[Compared<'_>], numbers: &[i64], dice: &AbstractValue, count: i64) -> bool {
        let places = all.iter().map(|one| one.ascending(dice.ascending, count)).collect::<Option<Vec<i64>>>();
        let Some(places) = places else { return false };
        if !falls(&places, numbers) {
            return false;
        }
        let mut ordered = numbers.to_vec();
        ordered.sort_unstable();
        let mut by_place: Vec<usize> = (0..all.len()).collect();
        by_place.sort_by_key(|at| places[*at]);
        let mut meant = vec![0; all.len()];
        by_place.into_iter().zip(ordered).for_each(|(at, number)| meant[at] = number);
        let shown = all.iter().zip(meant).map(|(one, number)| {
            let dice = &one.dice;
            match one.by {
                By::LineColumn(at) => format!("{dice}[{at}] == {number}"),
                By::Rank(rank) => format!("{dice}.ranked({rank}) == {number}"),
            }
        });
        let help = format!("to match that order, use `{}`", shown.collect::<Vec<_>>().join(" && "));
        let why = match all.first().map(|one| one.by) {
            Some(By::Rank(_)) => "ranked dice are in descending order",
            _ => "sorted dice are in ascending order",
        };
        let at = all.first().map_or((0, 0), |one| start(one.whole));
        self.warn(Code::Comparison, at, format!("this is always false: {why}"), help);
        true
    }

    /// Lists of faces compared with a roll entry by entry: `FACES.some(|faces| dice.ranked(1) == faces[0] && ..)`.
    pub(super) fn rows_of_faces(&mut self, name: &str, args: &[AbstractValue]) {
        let ("some" | "all" | "filter" | "find" | "find_map" | "index_of", [rows, ..]) = (name, args) else { return };
        let function = args.iter().skip(1).find_map(|arg| arg.function.clone());
        let Some((function, caught)) = function else { return };
        let Some(def) = self.functions.iter().find(|def| def.name == function) else { return };
        let Some(variable) = def.params.get(caught) else { return };
        self.held_against(rows, variable, &def.body);
    }

    /// The same in a loop over the lists.
    pub(super) fn held_against(&mut self, rows: &AbstractValue, variable: &str, body: &StmtBlock) {
        if self.report.is_none() || !rows.kinds.is(ValueKind::Array) || !rows.is_written() {
            return;
        }
        let mut wrong: Vec<(LineColumn, Vec<i64>, bool)> = Vec::new();
        each_node(body, &mut |node| {
            let ASTNode::Expr(Expr::And(parts, _)) = node else { return };
            let all = together(parts);
            let Some(first) = all.first().filter(|_| all.len() > 1) else { return };
            let dice = self.lookup(&first.dice);
            let count = dice_in(&dice).unwrap_or(0) as i64;
            let places = all.iter().map(|one| one.ascending(dice.ascending, count)).collect::<Option<Vec<i64>>>();
            let entries = all.iter().map(|one| one.entry_of(variable)).collect::<Option<Vec<usize>>>();
            let (Some(places), Some(entries)) = (places, entries) else { return };
            for row in rows.items.iter().filter(|row| row.is_written()) {
                let number = |at: &usize| row.items.get(*at).and_then(AbstractValue::only_number);
                let Some(numbers) = entries.iter().map(number).collect::<Option<Vec<i64>>>() else { continue };
                let at = row.items.first().and_then(|item| item.written.first()).map(|(_, at)| *at);
                let all: Option<Vec<i64>> = row.items.iter().map(AbstractValue::only_number).collect();
                if let (true, Some(at), Some(all)) = (falls(&places, &numbers), at, all) {
                    wrong.push((at, all, matches!(first.by, By::Rank(_))));
                }
            }
        });
        for (at, mut row, ranked) in wrong {
            let shown = format!("{row:?}");
            row.sort_unstable();
            let (why, first) = match ranked {
                true => {
                    row.reverse();
                    ("ranked dice are in descending order", "highest")
                }
                false => ("sorted dice are in ascending order", "lowest"),
            };
            let open = index_at(self.tokens, at);
            let at = open.and_then(|open| open.checked_sub(1)).map_or(at, |open| self.tokens[open].at);
            let message = format!("{shown} is never rolled: {why}");
            self.warn(Code::Comparison, at, message, format!("put the {first} first: write `{row:?}`"));
        }
    }

    /// A whole roll that is compared with a list of faces.
    pub(super) fn roll_as_list(
        &mut self,
        op: &Op,
        left: &AbstractValue,
        right: &AbstractValue,
        exprs: &[&Expr],
    ) -> bool {
        for (roll, list, dice, other) in [(left, right, exprs[0], exprs[1]), (right, left, exprs[1], exprs[0])] {
            let (Some(count), Expr::Array(..), Expr::Variable(name, ..)) = (dice_in(roll), other, dice) else {
                continue;
            };
            let Some(numbers) = list.items.iter().map(AbstractValue::only_number).collect::<Option<Vec<i64>>>() else {
                continue;
            };
            let always = super::numbers::always(op);
            if numbers.len() != count {
                let message = format!("this is always {always}: there are {count} dice, not {}", numbers.len());
                self.warn(Code::Comparison, start(other), message, format!("list {count} faces"));
                return true;
            }
            let places: Vec<i64> = (0..count as i64).collect();
            if roll.ascending && falls(&places, &numbers) {
                let mut sorted = numbers.clone();
                sorted.sort_unstable();
                let message = format!("this is always {always}: sorted dice are in ascending order");
                self.warn(Code::Comparison, start(other), message, format!("write `{sorted:?}`"));
                return true;
            }
            let around = own_function(self.functions, &self.own.0, self.own.1);
            if around.is_none_or(|around| self.order_matters(around, &name.1)) {
                continue;
            }
            if roll.ascending || !alike(roll) || numbers.windows(2).all(|two| two[0] == two[1]) {
                continue;
            }
            let message =
                format!("`{}` keeps the order of the roll: the same faces in a different order do not match", name.1);
            let help = "roll them with `#{ sorted: true }`, and list the faces in ascending order";
            self.warn(Code::Comparison, start(other), message, help);
            return true;
        }
        false
    }

    /// Whether a function, or one it passes the dice to, treats one die differently from another.
    fn order_matters(&self, def: &Definition, dice: &str) -> bool {
        if tells_apart(&def.body, dice) {
            return true;
        }
        let mut given = Vec::new();
        each_node(&def.body, &mut |node| {
            if let ASTNode::Expr(Expr::FnCall(call, _)) = node
                && let Some(at) = call.args.iter().position(|arg| is_variable(arg, dice))
                && let Some(def) = own_function(self.functions, &call.name, call.args.len())
            {
                given.extend(def.params.get(at).map(|param| (def, param.clone())));
            }
            if let ASTNode::Expr(Expr::DynamicConstant(value, _)) = node
                && let Some(pointer) = value.read_lock::<FnPtr>()
                && let Some(def) = self.functions.iter().find(|def| def.name == pointer.fn_name())
            {
                given.push((def, dice.to_string()));
            }
        });
        given.into_iter().any(|(def, name)| tells_apart(&def.body, &name))
    }
}

/// Whether a block reads a die by its index, except to compare it with another die of the roll or in a condition on several
/// of them.
fn tells_apart(body: &StmtBlock, dice: &str) -> bool {
    let is_entry = |expr: &Expr| matches!(expr, Expr::Index(parts, ..) if is_variable(&parts.lhs, dice));
    let (mut all, mut even) = (0, 0);
    each_node(body, &mut |node| match node {
        ASTNode::Expr(Expr::And(parts, _)) => {
            let asked = together(parts);
            if asked.len() > 1 && asked.iter().all(|one| one.dice == dice && matches!(one.by, By::LineColumn(_))) {
                even += asked.len();
            }
        }
        ASTNode::Expr(Expr::FnCall(call, _))
            if is_equality(call.op_token.as_ref()) && call.args.iter().all(is_entry) =>
        {
            even += call.args.len();
        }
        ASTNode::Expr(expr) if is_entry(expr) => all += 1,
        _ => {}
    });
    all > even
}

/// Whether a function also tests dice of the roll for other numbers, which suggests that it handles the order.
fn asked_otherwise(def: &Definition, dice: &str, numbers: &[i64]) -> bool {
    any_within(&def.body, |node| {
        let ASTNode::Expr(Expr::And(parts, _)) = node else { return false };
        let asked = together(parts);
        let all: Option<Vec<i64>> = asked.iter().map(Compared::number).collect();
        asked.len() > 1 && asked[0].dice == dice && all.is_some_and(|all| all != numbers)
    })
}

/// Whether all dice of a roll have the same faces.
fn alike(dice: &AbstractValue) -> bool {
    any_face(dice).is_some() && dice.items.windows(2).all(|two| two[0].among == two[1].among && two[0].among.is_some())
}

/// Whether a number at a later position is less than one before it.
fn falls(places: &[i64], numbers: &[i64]) -> bool {
    let all = || places.iter().zip(numbers);
    all().any(|(place, number)| all().any(|(later, other)| later > place && other < number))
}

/// Numbers as a list for a sentence.
fn in_words(numbers: &[i64]) -> String {
    format!("{numbers:?}")
}
