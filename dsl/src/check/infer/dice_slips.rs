//! Checks for mistakes with dice that no other check covers: a roll compared with `()`, or a limit that a roll never
//! reaches. Also finds a variable that each die overwrites, and a table indexed twice with the same piece.

use super::super::definitions::own_function;
use super::super::shapes::{any_within, each_node, length_of, names, numbered_entry, operands, variable, written};
use super::abstract_value::{AbstractValue, Origin};
use super::numbers::{always, bounds_in_words};
use super::rolls::{any_face, dice_in};
use super::{Walker, start};
use crate::diagnostic::Code;
use crate::host::kind::ValueKind;
use rhai::{ASTNode, Expr, Stmt, StmtBlock, Token as Op};

impl Walker<'_> {
    /// A roll compared with `()`, although it always has a value. Returns whether it was reported.
    pub(super) fn never_nothing(
        &mut self,
        op: &Op,
        left: &AbstractValue,
        right: &AbstractValue,
        exprs: &[&Expr],
    ) -> bool {
        let rolled = matches!(left.origin, Some(Origin::Dice(_))) && !left.kinds.has(ValueKind::Nothing);
        if !rolled || !left.kinds.known() || !right.kinds.is(ValueKind::Nothing) || left.perhaps.is_some() {
            return false;
        }
        let message = format!("this is always {}: a roll always has a value", always(op));
        let help = "remove this test; only `roll_playable` returns `()`, when no roll permits a move";
        self.warn(Code::Comparison, start(exprs[0]), message, help);
        true
    }

    /// A value compared with itself. Returns whether it was reported.
    pub(super) fn with_itself(&mut self, op: &Op, exprs: &[&Expr]) -> bool {
        let [left, right] = exprs else { return false };
        let plain = |expr: &Expr| matches!(expr, Expr::Variable(..) | Expr::Index(..) | Expr::Dot(..));
        if !plain(left) || !plain(right) || written(left) != written(right) || self.acts(left) {
            return false;
        }
        let always = matches!(op, Op::EqualsTo | Op::LessThanEqualsTo | Op::GreaterThanEqualsTo);
        let source = self.source(left);
        let message = format!("this is always {always}: `{source}` is compared with itself");
        let other = self.other_die(left).filter(|_| *op == Op::EqualsTo);
        let help = other.unwrap_or_else(|| "compare it with a different value".into());
        self.warn(Code::Comparison, start(left), message, help);
        true
    }

    /// `min` or `max` of a roll and a number that it never exceeds or falls below.
    pub(super) fn limit_without_effect(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        if name != "min" && name != "max" || args.len() != 2 {
            return;
        }
        for (roll, limit, expr) in [(&args[0], &args[1], exprs[0]), (&args[1], &args[0], exprs[1])] {
            let range = roll.range.filter(|_| roll.rolled && roll.kinds.is(ValueKind::Number) && !roll.loose);
            let (Some((least, most)), Some(number)) = (range, limit.only_number()) else { continue };
            let idle = if name == "min" { number >= most } else { number <= least };
            if !idle || least == most || self.guarded(expr) {
                continue;
            }
            let argument = self.source(expr);
            let message =
                format!("this `{name}` changes nothing: `{argument}` can only be {}", bounds_in_words(least, most));
            let help = format!("write `{argument}` alone, or use a different limit");
            return self.hint(Code::Arithmetic, start(exprs[0]), message, help);
        }
    }

    /// A list searched for among dice, which are numbers. Returns whether it was reported.
    pub(super) fn list_among_dice(&mut self, dice: &AbstractValue, sought: &AbstractValue, exprs: &[&Expr]) -> bool {
        let [of, item] = exprs else { return false };
        if any_face(dice).is_none() || !sought.kinds.is(ValueKind::Array) {
            return false;
        }
        let name = self.source(of);
        let each = sought.items.iter().map(AbstractValue::only_number).collect::<Option<Vec<i64>>>();
        let help = match each.filter(|_| sought.is_written() && !sought.items.is_empty()) {
            Some(all) => {
                let all: Vec<String> = all.iter().map(|number| format!("{number} in {name}")).collect();
                format!("test each number: `{}`", all.join(" && "))
            }
            None => "test one number at a time".to_string(),
        };
        let message = format!("this is always false: `{name}` holds numbers, not lists");
        self.warn(Code::Comparison, start(item), message, help);
        true
    }

    /// The number of dice in a roll compared with another number. Returns whether it was reported.
    pub(super) fn another_length(&mut self, op: &Op, number: Option<i64>, exprs: &[&Expr]) -> bool {
        let (Some(of), Some(number)) = (length_of(exprs[0]), number) else { return false };
        let Some(count) = self.dice_held(of).as_ref().and_then(dice_in) else { return false };
        if count as i64 == number {
            return false;
        }
        let message = format!("this is always {}: there are {count} dice, not {number}", always(op));
        self.warn(Code::Comparison, start(exprs[0]), message, format!("compare it with {count}, or remove it"));
        true
    }

    /// A variable that a loop overwrites for each die, so that only the last one counts.
    pub(super) fn set_by_each(&mut self, each: &str, through: &AbstractValue, body: &StmtBlock) {
        if self.report.is_none() || any_face(through).is_none() {
            return;
        }
        for statement in body.iter() {
            let Stmt::Assignment(set) = statement else { continue };
            let Expr::Variable(variable, ..) = &set.1.lhs else { continue };
            if set.0.get_op_assignment_info().is_some() || variable.1 == each {
                continue;
            }
            let value = self.lookup(&variable.1);
            // The author may want only the last of several numbers.
            if !value.kinds.is(ValueKind::Permit) && !value.kinds.is(ValueKind::Squares) {
                continue;
            }
            let (mut reads, mut takes, mut leaves) = (0, false, false);
            each_node(body, &mut |node| match node {
                ASTNode::Expr(Expr::Variable(other, ..)) => {
                    reads += usize::from(other.1 == variable.1);
                    takes |= other.1 == each;
                }
                ASTNode::Stmt(Stmt::BreakLoop(..) | Stmt::Return(..)) => leaves = true,
                _ => {}
            });
            let outer = self.scopes.iter().flatten().any(|(known, _)| *known == variable.1.as_str());
            // The assignment itself contains one use of the variable.
            if reads > 1 || !takes || leaves || !outer {
                continue;
            }
            let (name, right) = (&variable.1, self.source(&set.1.rhs));
            let message = format!("each die overwrites `{name}`: only the last one has an effect");
            let help = format!("did you mean `{name} |= {right}`?");
            self.warn(Code::LostValue, start(&set.1.lhs), message, help);
        }
    }

    /// Dice text built from two equal table entries for the same piece, while the function ignores the other piece.
    pub(super) fn same_entry_twice(&mut self, exprs: &[&Expr]) {
        let ([left, right @ Expr::Index(entry, ..)], true) = (exprs, self.report.is_some()) else { return };
        let (mut rest, mut twice) = (*left, false);
        while let Some((Op::Plus, before, last)) = operands(rest) {
            twice |= written(last) == written(right);
            rest = before;
        }
        let Expr::Dot(key, ..) = &entry.rhs else { return };
        let (Some(piece), true) = (variable(&key.lhs), twice || written(rest) == written(right)) else { return };
        let Some(def) = own_function(self.functions, &self.own.0, self.own.1) else { return };
        let Some(at) = def.params.iter().position(|param| param == piece) else { return };
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| def.params.get(at));
        let named = |param: &str| any_within(&def.body, |node| names(node, param));
        let Some(other) = beside.into_iter().find(|param| !named(param)) else { return };
        let source = self.source(right);
        let meant = source.replace(&format!("{piece}."), &format!("{other}."));
        let message = format!("`{source}` is added twice, and `{other}` is never used");
        self.warn(Code::Unused, start(&entry.rhs), message, format!("did you mean `{meant}`?"));
    }

    /// The lowest of sorted dice in a variable named for the highest, or the other way around.
    pub(super) fn named_for_the_other_end(&mut self, name: &str, value: &Expr) {
        let Some((dice, at)) = numbered_entry(value) else { return };
        let held = self.lookup(dice);
        let Some(count) = dice_in(&held).filter(|_| held.ascending) else { return };
        let last = count as i64 - 1;
        let (high, low) = (["highest", "high", "greatest", "largest"], ["lowest", "low", "least", "smallest"]);
        let (is, meant) = match (at, high.contains(&name), low.contains(&name)) {
            (0, true, _) => ("lowest", last),
            (at, _, true) if at == last || at == -1 => ("highest", 0),
            _ => return,
        };
        let source = self.source(value);
        let message = format!("`{source}` is the {is} of the sorted dice, but is named `{name}`");
        self.warn(Code::Comparison, start(value), message, format!("did you mean `{dice}[{meant}]`?"));
    }

    /// The known properties of a variable that holds dice, even if a double has been added to them since.
    pub(super) fn rolled_as(&self, name: &str) -> AbstractValue {
        let known = self.lookup(name);
        let changed = self.tokens.windows(3).any(|three| {
            let sorts = three[1].is(".") && matches!(three[2].text, "sort" | "reverse" | "remove" | "shift" | "pop");
            three[0].is(name) && sorts || three[1].is(name) && three[2].is("=") && !three[0].is("let")
        });
        if dice_in(&known).is_some() || changed { known } else { self.made_as(name) }
    }
}
