//! The abstract value of type inference: the possible kinds of a value and, for some kinds, the possible values.
//!
//! Everything here is an over-approximation: a value may have fewer possibilities than recorded, never more.

use super::super::name_table::LineColumn;
use super::numbers::{Bounds, few};
use crate::host::kind::{ParamKind, ValueKind};
use std::collections::{BTreeMap, BTreeSet};

/// A set of kinds. The remaining bits stand for types that only the interpreter has.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Kinds(u32);

impl Kinds {
    pub(super) const NONE: Kinds = Kinds(0);
    pub(super) const ALL: Kinds = Kinds(u32::MAX);

    pub(super) fn of(kinds: &[ValueKind]) -> Kinds {
        Kinds(kinds.iter().fold(0, |all, kind| all | 1 << *kind as u32))
    }

    pub(super) fn accepted(kind: ParamKind) -> Kinds {
        Kinds::of(kind.accepts())
    }

    pub(super) fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn has(self, kind: ValueKind) -> bool {
        self.meets(Kinds::of(&[kind]))
    }

    pub(super) fn is(self, kind: ValueKind) -> bool {
        self == Kinds::of(&[kind])
    }

    pub(super) fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub(super) fn without(self, kind: ValueKind) -> Kinds {
        Kinds(self.0 & !(1 << kind as u32))
    }

    /// Whether the set excludes any kind and is not empty.
    pub(super) fn known(self) -> bool {
        self.0 != u32::MAX && self.0 != 0
    }

    pub(super) fn all(self) -> impl Iterator<Item = ValueKind> {
        ValueKind::ALL.into_iter().filter(move |kind| self.has(*kind))
    }

    /// The kinds as text, such as `a string or a number`.
    pub(super) fn words(self) -> String {
        // The missing value comes last.
        let nothing = self.has(ValueKind::Nothing).then_some(ValueKind::Nothing);
        let all: Vec<ValueKind> = self.without(ValueKind::Nothing).all().chain(nothing).collect();
        let words = |kind: &ValueKind| match kind {
            ValueKind::Truth if all.len() > 1 => vec!["true".to_string(), "false".to_string()],
            kind => vec![kind.words().to_string()],
        };
        let all: Vec<String> = all.iter().flat_map(words).collect();
        if all.is_empty() { "something else".into() } else { crate::notation::describe::alternatives(&all) }
    }
}

/// The origin of a value's possible texts or numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// An option of the script.
    Option(String),
    /// A choice of a player.
    Choice,
    /// Dice, as dice text.
    Dice(String),
    /// The total, highest or lowest of several dice, given as dice text.
    Together(String),
    /// The kind of a piece.
    Piece,
}

/// Maximum number of parts tracked in a concatenated text.
const MOST_PARTS: usize = 16;

/// The known properties of a value.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct AbstractValue {
    pub(super) kinds: Kinds,
    /// The possible texts, if it is a text, with their places.
    pub(super) texts: Option<Vec<(String, LineColumn)>>,
    /// The least and greatest possible number, if it is a number.
    pub(super) range: Option<(i64, i64)>,
    /// The least and greatest number that both occur for certain, even if other values are unknown: a die shows each of its
    /// faces.
    pub(super) sure: Option<(i64, i64)>,
    /// Whether `range` is only a bound that may never be reached, as for a count of squares.
    pub(super) loose: bool,
    /// Bounds whose values may not all occur: faces that may never be shown, deferred numbers, or all assignments to a
    /// variable.
    pub(super) outer: Option<(i64, i64)>,
    /// The possible numbers in ascending order, if they are few and all known.
    pub(super) among: Option<Vec<i64>>,
    /// Whether it depends on dice, directly or through arithmetic.
    pub(super) rolled: bool,
    /// Whether it is an array of dice in ascending order.
    pub(super) ascending: bool,
    /// Whether it is an array of two dice that always differ.
    pub(super) unequal: bool,
    /// The items of an array literal; otherwise one item that represents all, with `length` set if known.
    pub(super) items: Vec<AbstractValue>,
    pub(super) length: Option<usize>,
    /// The entries of a map literal.
    pub(super) entries: Option<BTreeMap<String, (LineColumn, AbstractValue)>>,
    pub(super) origin: Option<Origin>,
    /// The name of a function value, and the number of parameters that it has captured.
    pub(super) function: Option<(String, usize)>,
    /// The parts of a concatenated text, in order; empty for other values.
    pub(super) parts: Vec<AbstractValue>,
    /// The possible number literals, with their places.
    pub(super) written: Vec<(i64, LineColumn)>,
    /// The place where it has no value, the reason, and advice.
    pub(super) nothing: Option<(LineColumn, String, String)>,
    /// For a square or a set: the variables whose sets contain it, each with the variable that was subtracted.
    pub(super) part_of: Vec<(String, Option<String>)>,
    /// The built-in function that returned it, if that function may return no value.
    pub(super) perhaps: Option<&'static str>,
}

impl AbstractValue {
    pub(super) fn of(kinds: Kinds) -> AbstractValue {
        AbstractValue { kinds, ..AbstractValue::default() }
    }

    pub(super) fn any() -> AbstractValue {
        AbstractValue::of(Kinds::ALL)
    }

    pub(super) fn one(kind: ValueKind) -> AbstractValue {
        AbstractValue::of(Kinds::of(&[kind]))
    }

    pub(super) fn nothing() -> AbstractValue {
        AbstractValue::one(ValueKind::Nothing)
    }

    pub(super) fn text(text: &str, at: LineColumn) -> AbstractValue {
        AbstractValue { texts: Some(vec![(text.into(), at)]), ..AbstractValue::one(ValueKind::Text) }
    }

    pub(super) fn number(least: i64, most: i64) -> AbstractValue {
        AbstractValue { range: Some((least, most)), ..AbstractValue::one(ValueKind::Number) }
    }

    pub(super) fn list(items: Vec<AbstractValue>) -> AbstractValue {
        AbstractValue { length: Some(items.len()), items, ..AbstractValue::one(ValueKind::Array) }
    }

    /// A text concatenated from texts and numbers.
    pub(super) fn together(parts: impl IntoIterator<Item = AbstractValue>) -> AbstractValue {
        let flat = parts.into_iter().flat_map(|part| match part.parts.is_empty() {
            true => vec![part],
            false => part.parts,
        });
        AbstractValue { parts: flat.take(MOST_PARTS).collect(), ..AbstractValue::one(ValueKind::Text) }
    }

    pub(super) fn from(mut self, origin: Origin) -> AbstractValue {
        self.origin = Some(origin);
        self
    }

    /// Whether it is an array whose items are all known.
    pub(super) fn is_written(&self) -> bool {
        self.length == Some(self.items.len())
    }

    /// A value that represents any of the items.
    pub(super) fn item(&self) -> AbstractValue {
        let first = self.items.first().cloned().unwrap_or_else(AbstractValue::any);
        self.items.iter().skip(1).fold(first, |all, item| all.or(item))
    }

    /// The text, if only one is possible.
    pub(super) fn only_text(&self) -> Option<&str> {
        match self.texts.as_deref() {
            Some([(text, _)]) if self.kinds.is(ValueKind::Text) => Some(text),
            _ => None,
        }
    }

    /// The number, if only one is possible.
    pub(super) fn only_number(&self) -> Option<i64> {
        self.range.filter(|(least, most)| least == most && self.kinds.is(ValueKind::Number)).map(|(least, _)| least)
    }

    /// The least and greatest possible number, even if not all values in between occur.
    pub(super) fn bounds(&self) -> Option<(i64, i64)> {
        self.range.or(self.outer)
    }

    /// The possible numbers within the bounds, if they are few and all known.
    pub(super) fn numbers(&self) -> Option<Vec<i64>> {
        let (among, bounds) = (self.among.as_ref().filter(|_| self.is_a_number())?, self.bounds());
        let within = |n: &i64| bounds.is_none_or(|(least, most)| (least..=most).contains(n));
        Some(among.iter().copied().filter(within).collect::<Vec<_>>()).filter(|all| !all.is_empty())
    }

    /// Whether it is a plain or deferred number, if it has a value.
    pub(super) fn is_a_number(&self) -> bool {
        let kinds = self.kinds.without(ValueKind::Nothing);
        kinds.is(ValueKind::Number) || kinds.is(ValueKind::Reckoned)
    }

    /// The union of two values.
    pub(super) fn or(&self, other: &AbstractValue) -> AbstractValue {
        // An impossible value adds nothing to the other.
        if let Some(only) = match (self.kinds == Kinds::NONE, other.kinds == Kinds::NONE) {
            (_, true) => Some(self),
            (true, _) => Some(other),
            _ => None,
        } {
            let nothing = self.nothing.clone().or_else(|| other.nothing.clone());
            return AbstractValue { function: None, perhaps: self.perhaps.or(other.perhaps), nothing, ..only.clone() };
        }
        let mut both = AbstractValue::of(self.kinds.and(other.kinds));
        let texts = |known: &AbstractValue| {
            if known.kinds.has(ValueKind::Text) { known.texts.clone() } else { Some(Vec::new()) }
        };
        both.texts = match (texts(self), texts(other)) {
            (Some(mut a), Some(b)) => {
                let known: BTreeSet<String> = a.iter().map(|(text, _)| text.clone()).collect();
                a.extend(b.into_iter().filter(|(text, _)| !known.contains(text)));
                Some(a).filter(|_| both.kinds.known() && both.kinds.has(ValueKind::Text))
            }
            _ => None,
        };
        let range =
            |known: &AbstractValue| if known.kinds.has(ValueKind::Number) { known.range.map(Some) } else { Some(None) };
        both.range = range(self).zip(range(other)).and_then(|(one, other)| around(one, other));
        both.among = either(self, other);
        both.loose = self.loose || other.loose;
        both.rolled = self.rolled || other.rolled;
        both.ascending = self.ascending && other.ascending;
        both.unequal = self.unequal && other.unequal;
        both.sure = around(self.sure, other.sure);
        let outer = |known: &AbstractValue| match known.kinds.without(ValueKind::Nothing) {
            Kinds::NONE => Some(None),
            _ => known.bounds().map(Some),
        };
        both.outer = outer(self).zip(outer(other)).and_then(|(one, other)| around(one, other));
        let holds = |known: &AbstractValue| known.kinds.has(ValueKind::Array) || known.kinds.has(ValueKind::Cast);
        match (holds(self), holds(other)) {
            (true, true) if self.is_written() && other.is_written() && self.length == other.length => {
                both.items = self.items.iter().zip(&other.items).map(|(one, other)| one.or(other)).collect();
                both.length = self.length;
            }
            (true, true) if !self.items.is_empty() && !other.items.is_empty() => {
                both.items = vec![self.item().or(&other.item())];
                both.length = self.length.filter(|length| other.length == Some(*length));
            }
            (true, true) => {}
            (true, false) => (both.items, both.length) = (self.items.clone(), self.length),
            (false, true) => (both.items, both.length) = (other.items.clone(), other.length),
            _ => {}
        }
        let speaks = |known: &AbstractValue| known.kinds.has(ValueKind::Text) || known.kinds.has(ValueKind::Number);
        let bare = |known: &AbstractValue| known.kinds.is(ValueKind::Nothing);
        both.origin = match (speaks(self), speaks(other)) {
            _ if bare(other) => self.origin.clone(),
            _ if bare(self) => other.origin.clone(),
            (true, true) | (false, false) => self.origin.clone().filter(|origin| other.origin.as_ref() == Some(origin)),
            (true, false) => self.origin.clone(),
            _ => other.origin.clone(),
        };
        both.written = self.written.iter().chain(&other.written).copied().collect();
        both.written.sort_unstable();
        both.written.dedup();
        both.part_of = self.part_of.iter().filter(|one| other.part_of.contains(one)).cloned().collect();
        both.perhaps = self.perhaps.or(other.perhaps);
        both.nothing = self.nothing.clone().or_else(|| other.nothing.clone());
        both
    }
}

/// The smallest interval that contains both; if only one is known, that one.
fn around(one: Option<Bounds>, other: Option<Bounds>) -> Option<Bounds> {
    match (one, other) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (one, other) => one.or(other),
    }
}

/// The union of the possible numbers of two values.
fn either(one: &AbstractValue, other: &AbstractValue) -> Option<Vec<i64>> {
    let numbers =
        |known: &AbstractValue| match known.kinds.has(ValueKind::Number) || known.kinds.has(ValueKind::Reckoned) {
            true => known.numbers(),
            false => Some(Vec::new()),
        };
    few(numbers(one)?.into_iter().chain(numbers(other)?))
}
