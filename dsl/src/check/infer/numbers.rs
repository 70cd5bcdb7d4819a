//! Interval arithmetic: the bounds of numbers, the bounds of results, and their text in messages.

use rhai::Token as Op;
use std::collections::BTreeSet;

/// The least and greatest number of an interval.
pub(super) type Bounds = (i64, i64);

/// Maximum size of a set of possible numbers.
const MOST: usize = 64;

/// The constant result of `==` or `!=` for values that are never equal.
pub(super) fn always(op: &Op) -> &'static str {
    if *op == Op::EqualsTo { "false" } else { "true" }
}

/// The bounds of an operator's result.
pub(super) fn reckoned(op: &Op, a: Bounds, b: Bounds) -> Option<Bounds> {
    match op {
        Op::Plus => a.0.checked_add(b.0).zip(a.1.checked_add(b.1)),
        Op::Minus => a.0.checked_sub(b.1).zip(a.1.checked_sub(b.0)),
        Op::Multiply => {
            let all = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
            let all: Vec<i64> = all.into_iter().map(|(x, y)| x.checked_mul(y)).collect::<Option<_>>()?;
            all.iter().min().copied().zip(all.iter().max().copied())
        }
        // Only for dividends that are never negative.
        Op::Modulo if a.0 >= 0 && b.0 > 0 => Some((0, a.1.min(b.1 - 1))),
        Op::Divide if a.0 >= 0 && b.0 > 0 => Some((a.0 / b.1, a.1 / b.0)),
        _ => None,
    }
}

/// `Some` if the result is certain, `None` otherwise.
pub(super) fn decided(yes: bool, no: bool) -> Option<bool> {
    (yes || no).then_some(yes)
}

/// Bounds as text for messages.
pub(super) fn bounds_in_words(least: i64, most: i64) -> String {
    if least == most {
        return least.to_string();
    }
    if most == i64::MAX { format!("{least} or more") } else { format!("{least} to {most}") }
}

/// The numbers as a sorted set; `None` if they are too many or none.
pub(super) fn few(all: impl IntoIterator<Item = i64>) -> Option<Vec<i64>> {
    let all: BTreeSet<i64> = all.into_iter().take(MOST * MOST).collect();
    (!all.is_empty() && all.len() <= MOST).then(|| all.into_iter().collect())
}
