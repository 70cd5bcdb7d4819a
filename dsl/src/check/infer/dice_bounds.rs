//! Checks numbers that are compared with dice: faces that no die shows, in lists, ranges, tables and prices; and wrong
//! indices derived from faces.

use super::super::shapes::{any_in, integer, operands, range, variable, written};
use super::abstract_value::{AbstractValue, Origin};
use super::among::listed;
use super::numbers::{Bounds, always, bounds_in_words};
use super::rolls::{any_face, dice_in, dice_place, faces_listed};
use super::{LineColumn, Walker, place, start};
use crate::diagnostic::Code;
use crate::functions::{Cost, costs, gives, position_of};
use crate::host::kind::{ParamKind, ValueKind};
use crate::notation::describe::alternatives;
use rhai::{ASTNode, Expr, Token as Op};

impl Walker<'_> {
    /// `n in dice`, `die in [..]` and `die in a..=b` with numbers that the dice never or always show.
    pub(super) fn never_in(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let ("contains", [whole, item], [of, sought]) = (name, args, exprs) else { return };
        if self.list_among_dice(whole, item, exprs) {
            return;
        }
        if let (Some(faces), Some(number)) = (any_face(whole), item.only_number()) {
            if number < faces.0 || number > faces.1 {
                let words = bounds_in_words(faces.0, faces.1);
                let message = format!("none of these dice shows {number}: their faces are {words}");
                let help = format!("use a face from {words}, or add a face {number} to a die");
                self.warn(Code::Comparison, start(sought), message, help);
            }
            return;
        }
        let Some(shown) = item.bounds().filter(|_| item.rolled && item.is_a_number()) else { return };
        if let Some((least, most)) = range(of) {
            return self.never_between((least, most), shown, of, sought);
        }
        let numbers = whole.items.iter().filter(|_| whole.is_written());
        let among = item.numbers();
        let comes = |n: &i64| among.as_ref().is_none_or(|all| all.contains(n)) && *n >= shown.0 && *n <= shown.1;
        let wrong = numbers
            .filter_map(|one| Some((one.only_number()?, one.written.first()?.1)))
            .find(|(number, _)| !comes(number));
        if let Some((number, at)) = wrong {
            let source = self.source(sought);
            let words = among.map_or_else(|| bounds_in_words(shown.0, shown.1), |all| listed(&all));
            let message = format!("`{source}` can be {words}, but never {number}");
            self.warn(Code::Comparison, at, message, format!("write a possible value ({words}), or remove {number}"));
        }
    }

    /// A range that contains a roll always or never, or that extends beyond its values.
    fn never_between(&mut self, (least, most): Bounds, shown: Bounds, of: &Expr, sought: &Expr) {
        let (source, words) = (self.source(sought), bounds_in_words(shown.0, shown.1));
        let range = self.source(of);
        let mut help = format!("write a range within {words}");
        let message = match () {
            () if least > most => return,
            () if most < shown.0 || least > shown.1 => format!("this is always false: `{source}` can only be {words}"),
            () if least <= shown.0 && most >= shown.1 => {
                help = format!("write a smaller range within {words}, or remove this test");
                format!("this is always true: `{source}` can only be {words}")
            }
            () if least < shown.0 || most > shown.1 => {
                format!(
                    "`{source}` can only be {words}, but `{range}` includes {}",
                    if most > shown.1 { most } else { least }
                )
            }
            () => return,
        };
        self.warn(Code::Comparison, start(sought), message, help);
    }

    /// A face that dice with listed faces lack, such as 5 for `d{1,2,3,4,6}`. Returns whether it was reported.
    pub(super) fn face_passed_over(
        &mut self,
        op: &Op,
        die: &AbstractValue,
        face: Option<i64>,
        exprs: &[&Expr],
    ) -> bool {
        let (Some(Origin::Dice(text)), Some(face), true) = (&die.origin, face, die.is_a_number()) else { return false };
        let Some(faces) = faces_listed(text).filter(|faces| !faces.contains(&face)) else { return false };
        let always = always(op);
        let all = alternatives(&faces.iter().map(ToString::to_string).collect::<Vec<_>>());
        let message = format!("this is always {always}: \"{text}\" can show {all}, but never {face}");
        let help = format!("compare it with {all}, or add a face {face} to the die");
        self.warn(Code::Comparison, start(exprs[0]), message, help);
        true
    }

    /// Faces in `pay([4, 6], ..)` that none of the paying dice shows.
    pub(super) fn never_paid(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let ("play_each", Some(faces)) = (name, args.first().and_then(any_face)) else { return };
        let mut wrong = Vec::new();
        for expr in exprs.iter().skip(1) {
            any_in(expr, |node| {
                if let ASTNode::Expr(Expr::FnCall(call, _)) = node
                    && call.name == "pay"
                    && let Some(Expr::Array(items, _)) = call.args.first()
                {
                    wrong.extend(items.iter().filter_map(|item| match item {
                        Expr::IntegerConstant(face, at) if *face < faces.0 || *face > faces.1 => {
                            Some((*face, place(*at)))
                        }
                        _ => None,
                    }));
                }
                false
            });
        }
        for (face, at) in wrong {
            let words = bounds_in_words(faces.0, faces.1);
            let message = format!(
                "none of these dice shows {face}, so no player can pay with it: their faces are \
             {words}"
            );
            self.warn(Code::Comparison, at, message, format!("write a face from {words}"));
        }
    }

    /// The extreme of a list, taken with the function for two numbers. Returns whether it was reported.
    pub(super) fn greatest_of_list(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) -> bool {
        let property = if name == "max" { "highest" } else { "lowest" };
        if name != "max" && name != "min" {
            return false;
        }
        let ([list], [expr]) = (args, exprs) else { return false };
        if !list.kinds.is(ValueKind::Array) && !list.kinds.is(ValueKind::Cast) {
            return false;
        }
        let source = self.source(expr);
        let message = format!("`{name}` takes two numbers, but `{source}` is {}", list.kinds.words());
        self.error(Code::Arguments, start(expr), message, format!("for dice, write `{source}.{property}`"));
        true
    }

    /// A rank among sorted dice that is too low or exceeds the number of dice.
    pub(super) fn rank_asked(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let ("ranked", [dice, place], [_, expr]) = (name, args, exprs) else { return };
        let Some((least, most)) = place.range.filter(|_| place.kinds.is(ValueKind::Number)) else { return };
        if least < 1 && most < i64::from(i32::MAX) && !place.loose && !self.guarded(expr) {
            let shown = self.source(expr);
            let is = if least == most { String::new() } else { format!("`{shown}` can be {least} to {most}, but ") };
            let message = format!("{is}places are numbered from 1 (the highest die): there is no place {least}");
            return self.error(Code::Index, start(expr), message, "write 1 for the highest die, 2 for the next");
        }
        let (Some(count), Some((_, most))) = (dice_in(dice), place.range) else { return };
        let count = count as i64;
        if most <= count || !place.kinds.is(ValueKind::Number) || place.loose || self.guarded(expr) {
            return;
        }
        let (shown, dice) = (self.source(expr), self.source(exprs[0]));
        let is = if shown == most.to_string() { String::new() } else { format!("`{shown}` can be up to {most}, but ") };
        let have = if count == 1 { "is only 1 die".to_string() } else { format!("are only {count} dice") };
        let message = format!("{is}there {have}, so there is no place {most}");
        self.error(Code::Index, start(expr), message, format!("for the lowest die, write `{dice}.ranked({count})`"));
    }

    /// Dice with different faces in a `reroll` call, which requires identical dice.
    pub(super) fn one_make(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let cast = args.iter().zip(exprs).find(|(arg, _)| arg.kinds.is(ValueKind::Cast));
        let Some((Some(Origin::Dice(text)), expr)) = cast.map(|(arg, expr)| (&arg.origin, expr)) else { return };
        if name != "reroll" {
            return;
        }
        let dice = crate::notation::dice::parse(text).map(|parsed| parsed.dice).unwrap_or_default();
        if dice.windows(2).all(|two| two[0] == two[1]) {
            return;
        }
        let at = dice_place(expr);
        let message = format!("only dice with the same faces can be kept or rerolled, not \"{text}\"");
        self.error(Code::Arguments, at, message, format!("cast dice with the same faces, as in \"{}d6\"", dice.len()));
    }

    /// A list of the values that a pool's places pay for, with a different length from the pool.
    pub(super) fn list_of_pool(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let (Some(world), Some(pool)) = (self.world, position_of(name, ParamKind::CounterName)) else { return };
        if !gives(name, ValueKind::Permit) {
            return;
        }
        let places = args.get(pool).and_then(AbstractValue::only_text).and_then(|counter| world.places(counter));
        let list = args.iter().zip(exprs).find(|(arg, _)| arg.kinds.is(ValueKind::Array) && arg.is_written());
        let (Some(places), Some((list, expr))) = (places.filter(|places| *places > 1), list) else { return };
        let length = list.items.len() as i64;
        let (source, counter) = (self.source(expr), args[pool].only_text().unwrap_or_default().to_string());
        // Places that the script names elsewhere may have another purpose.
        let quoted = format!("\"{counter}\"");
        let named = |place: i64| {
            let place = place.to_string();
            // Up to four tokens, such as the owner, may come between the name and the place.
            self.tokens.windows(7).any(|some| some[0].is(&quoted) && some[2..].iter().any(|token| token.is(&place)))
        };
        if length == places || (length + 1..=places.min(length + 16)).any(named) {
            return;
        }
        let message =
            format!("`{source}` has {length} entries, but the counter \"{counter}\" has places 1 to {places}");
        self.warn(Code::Index, start(expr), message, format!("write {places} entries, one for each place"));
    }

    /// A roll compared with an entry of a table that contains numbers it never has, or with a roll that never equals it.
    /// Returns whether it was reported.
    pub(super) fn never_of_table(
        &mut self,
        op: &Op,
        left: &AbstractValue,
        right: &AbstractValue,
        exprs: &[&Expr],
    ) -> bool {
        for (roll, other, expr) in [(left, right, exprs[1]), (right, left, exprs[0])] {
            let Some(shown) = roll.bounds().filter(|_| roll.rolled && roll.is_a_number()) else { continue };
            // A value of 0 or less means that there is no entry.
            let numbers = self.numbers_of(expr, other);
            let die = if std::ptr::eq(expr, exprs[1]) { exprs[0] } else { exprs[1] };
            self.faces_without_entry(expr, &numbers, roll, die);
            let outside = |number: i64| number > shown.1 || number > 0 && number < shown.0;
            let mut wrong: Vec<(i64, LineColumn)> =
                numbers.into_iter().filter(|(number, _)| outside(*number)).collect();
            wrong.sort_by_key(|(_, at)| *at);
            if let Some((number, at)) = wrong.first() {
                let words = bounds_in_words(shown.0, shown.1);
                let message = format!("the roll is compared with {number}, but it can only be {words}");
                self.warn(
                    Code::Comparison,
                    *at,
                    message,
                    format!("write a possible value ({words}), or roll dice that can show {number}"),
                );
                return true;
            }
        }
        let both = left.bounds().zip(right.bounds());
        let rolls = left.rolled && right.rolled && left.is_a_number() && right.is_a_number();
        if let Some((a, b)) = both.filter(|(a, b)| rolls && (a.1 < b.0 || b.1 < a.0)) {
            let always = always(op);
            let (a, b) = (bounds_in_words(a.0, a.1), bounds_in_words(b.0, b.1));
            let message = format!("this is always {always}: one value can be {a}, the other {b}");
            self.warn(Code::Comparison, start(exprs[0]), message, "compare values that can be equal");
            return true;
        }
        false
    }

    /// The numbers in the table literal that an expression indexes.
    fn numbers_of(&self, expr: &Expr, value: &AbstractValue) -> Vec<(i64, LineColumn)> {
        let Expr::Index(parts, ..) = expr else { return Vec::new() };
        if value.rolled || value.only_number().is_some() {
            return Vec::new();
        }
        let Expr::Variable(variable, ..) = &parts.lhs else { return Vec::new() };
        match self.lookup(&variable.1).entries {
            Some(entries) => entries.values().flat_map(|(_, entry)| entry.written.clone()).collect(),
            None if value.kinds.without(ValueKind::Nothing).is(ValueKind::Number) => value.written.clone(),
            None => Vec::new(),
        }
    }

    /// Two dice tested for equality after they were rerolled until they differ. Returns whether it was reported.
    pub(super) fn rolled_unequal(&mut self, op: &Op, exprs: &[&Expr]) -> bool {
        let [Expr::Index(left, ..), Expr::Index(right, ..)] = exprs else { return false };
        let unequal = self.dice_held(&left.lhs).is_some_and(|dice| dice.unequal);
        if !unequal || written(&left.lhs) != written(&right.lhs) || written(&left.rhs) == written(&right.rhs) {
            return false;
        }
        let always = always(op);
        let message = format!("this is always {always}: these dice are rerolled until they differ");
        self.warn(
            Code::Comparison,
            start(exprs[0]),
            message,
            "compare them with `<` or `>`, or roll them with \
         `roll(..)`",
        );
        true
    }

    /// The total of several dice compared with one of them, which is never equal if all faces are at least 1. Returns
    /// whether it was reported.
    pub(super) fn total_of_one(&mut self, op: &Op, exprs: &[&Expr]) -> bool {
        let total = |expr: &Expr| match expr {
            Expr::Dot(parts, ..) if matches!(&parts.rhs, Expr::Property(name, _) if name.2 == "total") => {
                Some(written(&parts.lhs)).filter(|_| variable(&parts.lhs).is_some())
            }
            _ => None,
        };
        for (sum, one) in [(exprs[0], exprs[1]), (exprs[1], exprs[0])] {
            let (Some(dice), Expr::Index(parts, ..)) = (total(sum), one) else { continue };
            let Some(held) = variable(&parts.lhs).map(|name| self.rolled_as(name)) else { continue };
            let positive = dice_in(&held).and(any_face(&held)).is_some_and(|(least, _)| least > 0);
            if !positive || written(&parts.lhs) != dice {
                continue;
            }
            let (always, source) = (always(op), self.source(&parts.lhs));
            let name = source.split('[').next().unwrap_or(&source);
            let message = format!("this is always {always}: the sum of all dice is greater than any single die");
            let help = format!("to test whether two dice are equal, write `{name}[0] == {name}[1]`");
            self.warn(Code::Comparison, start(exprs[0]), message, help);
            return true;
        }
        false
    }

    /// A loop up to a number calculated from rolls that may be negative.
    pub(super) fn perhaps_below_zero(&mut self, through: &Expr) {
        let Some((Op::ExclusiveRange | Op::InclusiveRange, Expr::IntegerConstant(0 | 1, _), end)) = operands(through)
        else {
            return;
        };
        let last = self.value(end);
        let Some((least, most)) = last.range.filter(|_| last.rolled && last.kinds.is(ValueKind::Number)) else {
            return;
        };
        if least < 0 && most > 0 && !self.guarded(end) {
            let source = self.source(end);
            let message = format!("`{source}` can be {least} to {most}: if it is below 0, this loop does nothing");
            self.hint(
                Code::Comparison,
                start(end),
                message,
                format!("for its absolute value, write `{}.abs()`", self.operand(end)),
            );
        }
    }

    /// Sorted dice compared in descending order, although they are ascending. Returns whether it was reported.
    pub(super) fn against_order(&mut self, op: &Op, exprs: &[&Expr]) -> bool {
        let [Expr::Index(left, ..), Expr::Index(right, ..)] = exprs else { return false };
        let (Some(i), Some(j)) = (integer(&left.rhs), integer(&right.rhs)) else { return false };
        let Some(dice) = self.dice_held(&left.lhs).filter(|dice| dice.ascending) else { return false };
        let count = dice_in(&dice).unwrap_or(0) as i64;
        let from_start = |n: i64| if n < 0 { n + count } else { n };
        let (i, j) = (from_start(i), from_start(j));
        if written(&left.lhs) != written(&right.lhs) || i == j {
            return false;
        }
        let truth = match op {
            Op::GreaterThan if i < j => false,
            Op::LessThan if i > j => false,
            Op::LessThanEqualsTo if i < j => true,
            Op::GreaterThanEqualsTo if i > j => true,
            _ => return false,
        };
        let [left, right] = [0, 1].map(|at| self.source(exprs[at]));
        let message = format!("this is always {truth}: sorted dice are in ascending order");
        let help = format!("did you mean `{right} {} {left}`?", op.literal_syntax());
        self.warn(Code::Comparison, start(exprs[0]), message, help);
        true
    }

    /// One die taken directly from a roll of several, so that the others are lost.
    pub(super) fn others_lost(&mut self, whole: &AbstractValue, of: &Expr) {
        let (Expr::FnCall(call, _), Some(count), false) = (of, dice_in(whole), whole.ascending) else { return };
        let Some(Expr::StringConstant(text, at)) = call.args.first().filter(|_| costs(&call.name, Cost::Chance)) else {
            return;
        };
        let message = format!("\"{text}\" rolls {count} dice, but only one is used");
        let help = "roll one die, or keep them all: `let dice = ..`, then use `dice[0]` and `dice[1]`";
        self.warn(Code::Unused, place(*at), message, help);
    }

    /// A remainder used instead of `- 1` to convert a face to an index: the highest face selects the first entry.
    pub(super) fn rest_as_entry(&mut self, of: &Expr, index: &Expr) {
        let Some((Op::Modulo, left, Expr::IntegerConstant(by, _))) = operands(index) else { return };
        let die = self.value(left);
        let all = die.range.filter(|_| matches!(die.origin, Some(Origin::Dice(_))) && die.kinds.is(ValueKind::Number));
        if all != Some((1, *by)) {
            return;
        }
        let (list, rest) = (self.source(of), self.source(index));
        let die = rest.rsplit_once(" % ").map_or(rest.as_str(), |(die, _)| die).to_string();
        let message = format!(
            "`{rest}` is 0 for a roll of {by}, which selects the first entry of `{list}`; a roll of 1 selects \
             the second"
        );
        self.warn(Code::Index, start(index), message, format!("entries are numbered from 0: write `{die} - 1`"));
    }
}
