//! Infers the values of rolls: the faces of each die, totals and other properties of several dice, and results of
//! arithmetic.

use super::super::definitions::Definition;
use super::super::shapes::{integer, is_variable, numbered_entry, operands, variable};
use super::abstract_value::{AbstractValue, Kinds, Origin};
use super::among::{both, totals};
use super::narrow::halves;
use super::numbers::{Bounds, few, reckoned};
use super::{LineColumn, Walker, start};
use crate::host::kind::ValueKind;
use crate::notation::dice;
use rhai::{Expr, Stmt, Token as Op};
use std::collections::BTreeSet;

/// The least and greatest face of each of several dice, and whether every die's extremes occur for certain.
fn faces_of(rolled: &AbstractValue) -> Option<(Vec<Bounds>, bool)> {
    let kinds = rolled.kinds.without(ValueKind::Nothing);
    let several = kinds.is(ValueKind::Array) || kinds.is(ValueKind::Cast);
    if !several || !matches!(rolled.origin, Some(Origin::Dice(_))) || !rolled.is_written() || rolled.items.is_empty() {
        return None;
    }
    match rolled.items.iter().map(|die| die.sure).collect::<Option<Vec<_>>>() {
        Some(all) => Some((all, true)),
        None => Some((rolled.items.iter().map(AbstractValue::bounds).collect::<Option<Vec<_>>>()?, false)),
    }
}

/// The faces of each die in a dice text.
fn each_faces(text: &str) -> Option<Vec<Vec<i64>>> {
    let parsed = dice::parse(text).ok()?;
    let faces = |die: &astragal_core::Die| die.faces().iter().map(|face| i64::from(*face)).collect::<Vec<i64>>();
    Some(parsed.dice.iter().map(faces).collect())
}

/// The least and greatest face of each die in a dice text.
pub(super) fn faces_written(text: &str) -> Option<Vec<Bounds>> {
    each_faces(text)?
        .into_iter()
        .map(|faces| Some((faces.iter().copied().min()?, faces.iter().copied().max()?)))
        .collect()
}

/// All faces of the dice in a dice text, in ascending order.
pub(super) fn faces_listed(text: &str) -> Option<Vec<i64>> {
    let all: BTreeSet<i64> = each_faces(text)?.into_iter().flatten().collect();
    Some(all.into_iter().collect())
}

/// The number of dice in a value, if it is a whole roll of several.
pub(super) fn dice_in(rolled: &AbstractValue) -> Option<usize> {
    faces_of(rolled).map(|(faces, _)| faces.len()).filter(|count| *count > 1)
}

/// The least and greatest face of all dice in a value.
pub(super) fn any_face(rolled: &AbstractValue) -> Option<Bounds> {
    let all = match faces_of(rolled) {
        Some((all, _)) => all,
        None if rolled.kinds.without(ValueKind::Nothing).is(ValueKind::Array) => {
            let faces = rolled.items.iter().map(|die| die.bounds().filter(|_| die.rolled && die.is_a_number()));
            faces.collect::<Option<Vec<_>>>()?
        }
        None => return None,
    };
    Some((all.iter().map(|die| die.0).min()?, all.iter().map(|die| die.1).max()?))
}

/// A property of several dice: their total, the highest or lowest, or how many are alike, different or in a row.
pub(super) fn shown(property: &str, rolled: &AbstractValue) -> Option<AbstractValue> {
    let (dice, certain) = faces_of(rolled)?;
    let count = dice.len() as i64;
    let (leasts, mosts) = (dice.iter().map(|die| die.0), dice.iter().map(|die| die.1));
    let (least, most) = match property {
        "total" => (leasts.sum(), mosts.sum()),
        "highest" => (leasts.max()?, mosts.max()?),
        "lowest" => (leasts.min()?, mosts.min()?),
        "alike" => (1, count),
        "different" => (1, count),
        "row" => (1, count),
        "count" => (count, count),
        _ => return None,
    };
    // The extremes of `alike`, `different` and `row` may be impossible.
    let sums = property == "total" || property == "highest" || property == "lowest";
    let Some(Origin::Dice(text)) = &rolled.origin else { return None };
    Some(match () {
        () if rolled.kinds.is(ValueKind::Cast) => {
            let sure = Some((least, most)).filter(|_| sums);
            AbstractValue { outer: Some((least, most)), sure, rolled: true, ..AbstractValue::one(ValueKind::Reckoned) }
        }
        () if certain && sums => {
            let known = AbstractValue { sure: Some((least, most)), rolled: true, ..AbstractValue::number(least, most) };
            let among = if property == "total" { totals(&rolled.items) } else { None };
            AbstractValue { among, ..known }.from(Origin::Together(text.clone()))
        }
        () if certain => AbstractValue { rolled: true, ..AbstractValue::number(least, most) },
        () => AbstractValue { outer: Some((least, most)), rolled: true, ..AbstractValue::one(ValueKind::Number) },
    })
}

/// One of the cast dice, by its index if known.
pub(super) fn cast_die(cast: &AbstractValue, number: Option<i64>) -> AbstractValue {
    let faces = faces_of(cast).map(|(faces, _)| faces);
    let bounds = match (faces, number) {
        (Some(faces), Some(number)) => usize::try_from(number).ok().and_then(|at| faces.get(at).copied()),
        _ => any_face(cast),
    };
    let sure = bounds.filter(|_| number.is_some());
    AbstractValue { outer: bounds, sure, rolled: bounds.is_some(), ..AbstractValue::one(ValueKind::Reckoned) }
}

/// How many of the dice, or of the entries of a list, show a face.
pub(super) fn counted(of: &AbstractValue) -> Option<AbstractValue> {
    let faces = faces_of(of).map(|(faces, _)| faces.len());
    let count = faces.or(of.length.filter(|_| of.kinds.is(ValueKind::Array)))?;
    let most = count as i64;
    Some(match of.kinds.is(ValueKind::Cast) {
        true => AbstractValue { outer: Some((0, most)), rolled: true, ..AbstractValue::one(ValueKind::Reckoned) },
        false => AbstractValue { rolled: faces.is_some(), ..AbstractValue::number(0, most) },
    })
}

/// One of the dice, by rank.
pub(super) fn ranked(of: &AbstractValue) -> Option<AbstractValue> {
    let kind = if of.kinds.is(ValueKind::Cast) { ValueKind::Reckoned } else { ValueKind::Number };
    Some(AbstractValue { outer: Some(any_face(of)?), rolled: true, ..AbstractValue::one(kind) })
}

/// The place of the dice that an expression rolls, or of the expression.
pub(super) fn dice_place(expr: &Expr) -> LineColumn {
    match expr {
        Expr::FnCall(call, _) => call.args.first().map_or(start(expr), start),
        other => start(other),
    }
}

/// The minimum or maximum of two numbers, or an absolute value.
pub(super) fn extreme(name: &str, args: &[AbstractValue]) -> Option<AbstractValue> {
    let one: fn(i64, i64) -> i64 = match (name, args) {
        ("min", [_, _]) => i64::min,
        ("max", [_, _]) => i64::max,
        ("abs", [number]) => return without_sign(number),
        _ => return None,
    };
    let (a, b) = (&args[0], &args[1]);
    let among = a.numbers().zip(b.numbers()).and_then(|(a, b)| both(&a, &b, |a, b| Some(one(a, b))));
    let both = |a: Option<Bounds>, b: Option<Bounds>| a.zip(b).map(|(a, b)| (one(a.0, b.0), one(a.1, b.1)));
    let only = |known: &AbstractValue| known.only_number().map(|n| (n, n));
    let sure = both(a.sure, only(b)).or_else(|| both(only(a), b.sure));
    let (range, outer) = (both(a.range, b.range), both(a.bounds(), b.bounds()));
    let known = AbstractValue {
        range,
        sure,
        outer,
        among,
        rolled: a.rolled || b.rolled,
        ..AbstractValue::one(ValueKind::Number)
    };
    [a, b].iter().all(|known| known.kinds.is(ValueKind::Number)).then_some(known)
}

fn without_sign(number: &AbstractValue) -> Option<AbstractValue> {
    let plain = |(least, most): Bounds| match least >= 0 {
        true => (least, most),
        false => (most.min(0).saturating_neg(), least.saturating_neg().max(most)),
    };
    let (range, outer) = (number.range.map(plain), number.bounds().map(plain));
    let known = AbstractValue { range, outer, rolled: number.rolled, ..AbstractValue::one(ValueKind::Number) };
    number.kinds.is(ValueKind::Number).then_some(known)
}

/// The plain number for a deferred one.
pub(super) fn value_of(reckoned: &AbstractValue) -> Option<AbstractValue> {
    let only = reckoned.kinds.is(ValueKind::Reckoned) && reckoned.outer.is_some();
    let plain = AbstractValue {
        range: reckoned.sure,
        sure: reckoned.sure,
        rolled: reckoned.rolled,
        ..AbstractValue::one(ValueKind::Number)
    };
    only.then_some(AbstractValue { outer: reckoned.outer, ..plain })
}

/// The result of arithmetic with deferred numbers, such as those of cast dice.
pub(super) fn reckoned_with(op: &Op, left: &AbstractValue, right: &AbstractValue) -> AbstractValue {
    let outer = left.bounds().zip(right.bounds()).and_then(|(a, b)| reckoned(op, a, b));
    AbstractValue { outer, rolled: left.rolled || right.rolled, ..AbstractValue::one(ValueKind::Reckoned) }
}

/// Cast dice, with the possible faces of each.
pub(super) fn cast(dice_text: &AbstractValue, plain: AbstractValue) -> AbstractValue {
    let rolled = rolled(dice_text);
    let Some(origin) = rolled.origin.clone() else { return plain };
    let items = if rolled.kinds.is(ValueKind::Number) { vec![rolled] } else { rolled.items };
    AbstractValue { length: Some(items.len()), items, texts: None, ..plain }.from(origin)
}

/// The same dice with unknown values.
pub(super) fn without_range(mut rolled: AbstractValue) -> AbstractValue {
    let blur = |known: &mut AbstractValue| (known.outer, known.range, known.sure) = (known.bounds(), None, None);
    blur(&mut rolled);
    rolled.items.iter_mut().for_each(blur);
    rolled
}

/// The same dice, rolled until a test holds. For one die that the test compares with a number, only the faces that pass
/// remain.
pub(super) fn rolled_until(rolled: AbstractValue, test: Option<&Definition>) -> AbstractValue {
    let asked = test.and_then(asked_by);
    let compared = asked.and_then(|(param, op, left, right)| {
        is_variable(left, param).then(|| integer(right).map(|number| (op, number))).flatten()
    });
    if asked.is_some_and(asks_unequal) && dice_in(&rolled) == Some(2) {
        return AbstractValue { unequal: true, ..without_range(rolled) };
    }
    let range = rolled.range.filter(|_| rolled.kinds.is(ValueKind::Number));
    let left = compared.zip(range).and_then(|((op, number), range)| halves(op, number, range)?.0);
    match left.filter(|(least, most)| least <= most) {
        Some(left) => AbstractValue { range: Some(left), sure: None, ..rolled },
        None => without_range(rolled),
    }
}

/// Whether a test only requires two entries of its argument to differ.
fn asks_unequal((param, op, left, right): (&str, &Op, &Expr, &Expr)) -> bool {
    let entry = |expr| numbered_entry(expr).filter(|(list, _)| *list == param);
    *op == Op::NotEqualsTo && entry(left).zip(entry(right)).is_some_and(|(one, other)| one != other)
}

/// The parameter of a test that consists of one operator, and the operator with its operands.
fn asked_by(test: &Definition) -> Option<(&str, &Op, &Expr, &Expr)> {
    let (param, [Stmt::Expr(expr)]) = (test.params.last()?, test.body.statements()) else { return None };
    operands(expr).map(|(op, left, right)| (param.as_str(), op, left, right))
}

/// A roll of known dice.
pub(super) fn rolled(dice_text: &AbstractValue) -> AbstractValue {
    let unknown = AbstractValue::of(Kinds::of(&[ValueKind::Number, ValueKind::Array]));
    let Some(text) = dice_text.only_text() else { return unknown };
    let Some(faces) = each_faces(text) else { return unknown };
    let dice: Vec<AbstractValue> = faces
        .into_iter()
        .map(|all| {
            let (least, most) = (all.iter().copied().min().unwrap_or(0), all.iter().copied().max().unwrap_or(0));
            let known = AbstractValue { sure: Some((least, most)), rolled: true, ..AbstractValue::number(least, most) };
            AbstractValue { among: few(all), ..known }.from(Origin::Dice(text.into()))
        })
        .collect();
    match dice.as_slice() {
        [one] => one.clone(),
        _ => AbstractValue::list(dice).from(Origin::Dice(text.into())),
    }
}

/// The same dice in ascending order: always an array, in which any die may show any of the faces.
pub(super) fn rolled_and_sorted(dice_text: &AbstractValue) -> AbstractValue {
    let rolled = without_range(rolled(dice_text));
    match (rolled.kinds.is(ValueKind::Array), rolled.kinds.is(ValueKind::Number)) {
        (true, _) => match rolled.items.split_first() {
            Some((first, rest)) => {
                let any = rest.iter().fold(first.clone(), |any, die| any.or(die));
                AbstractValue { items: vec![any; rolled.items.len()], ascending: true, ..rolled }
            }
            None => rolled,
        },
        (_, true) => AbstractValue::list(vec![rolled]),
        _ => AbstractValue::one(ValueKind::Array),
    }
}

impl Walker<'_> {
    /// The known properties of a variable that holds dice, if the expression is one.
    pub(super) fn dice_held(&self, expr: &Expr) -> Option<AbstractValue> {
        Some(self.lookup(variable(expr)?)).filter(|known| dice_in(known).is_some())
    }
}
