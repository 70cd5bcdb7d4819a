//! Finds lists whose first or last entries dice never reach: a die with too few faces, an extra entry, or a face used as an
//! index.

use super::super::shapes::{integer, operands};
use super::abstract_value::{AbstractValue, Origin};
use super::{LineColumn, Walker, start};
use crate::diagnostic::Code;
use crate::host::kind::ValueKind;
use rhai::{Expr, Token as Op};
use std::collections::BTreeMap;

/// A read of a list entry.
pub(super) struct Entry {
    /// The least and greatest index, if they are known and depend on dice.
    dice: Option<(i64, i64)>,
    /// The number subtracted from a die whose faces start at 1; 0 if the die itself is the index.
    taken: Option<i64>,
    at: LineColumn,
    source: String,
}

/// The reads of each constant's entries, by name.
pub(super) type Asked = BTreeMap<String, Vec<Entry>>;

impl Walker<'_> {
    /// Records a read of an entry of a constant. A read of a list literal is checked immediately.
    pub(super) fn entry_asked(&mut self, whole: &AbstractValue, of: &Expr, index: &Expr, at: &AbstractValue) {
        let number = at.kinds.without(ValueKind::Nothing).is(ValueKind::Number);
        let entry = Entry {
            dice: at.bounds().filter(|_| number && (at.rolled || at.sure.is_some())),
            taken: self.taken(index, at),
            at: start(index),
            source: self.source(index),
        };
        match of {
            Expr::Variable(list, ..) if self.constants.iter().any(|(name, _)| *name == list.1.as_str()) => {
                let all = self.entries_asked.entry(list.1.to_string()).or_default();
                if all.iter().all(|other| other.at != entry.at) {
                    all.push(entry);
                }
            }
            Expr::Array(..) if whole.is_written() => {
                self.never_last("this list", whole, std::slice::from_ref(&entry));
                self.never_first("this list", whole, &[&entry]);
            }
            _ => {}
        }
    }

    /// The number subtracted from a die in an index, if the index involves nothing else.
    fn taken(&self, index: &Expr, at: &AbstractValue) -> Option<i64> {
        let counts = |die: &AbstractValue| {
            matches!(die.origin, Some(Origin::Dice(_))) && die.bounds().is_some_and(|(least, _)| least >= 1)
        };
        let (die, by) = match operands(index) {
            Some((Op::Minus, Expr::Variable(die, ..), by)) => (self.lookup(&die.1), integer(by)?),
            Some((Op::Minus, Expr::Index(parts, ..), by)) => (self.dice_held(&parts.lhs)?.item(), integer(by)?),
            Some((Op::Minus, ..)) => return None,
            _ => (at.clone(), 0),
        };
        counts(&die).then_some(by)
    }

    /// Warns about lists that only dice index, and that therefore never show their first or last entries. Also warns about
    /// faces used as an index without subtracting 1, if another read of the list subtracts it.
    pub(super) fn never_to_their_end(&mut self) {
        for (name, asked) in std::mem::take(&mut self.entries_asked) {
            let Some((_, list)) = self.constants.iter().find(|(known, _)| *known == name) else { continue };
            let list = list.clone();
            let named = self.tokens.iter().filter(|token| token.is(&name)).count();
            // In `die_faces`, the first entry is the first face.
            let of_faces = self
                .tokens
                .windows(3)
                .filter(|three| three[0].is("die_faces") && three[1].is("(") && three[2].is(&name))
                .count();
            let shown = format!("`{name}`");
            // Other uses of the list may need entries that dice do not reach.
            if list.is_written() && named == asked.len() + 1 {
                self.never_last(&shown, &list, &asked);
            }
            if self.uneven(&name, &asked, of_faces > 0) {
                continue;
            }
            if list.is_written() && named == asked.len() + 1 + of_faces {
                self.never_first(&shown, &list, &asked.iter().collect::<Vec<_>>());
            }
        }
    }

    /// A list whose last entries are never read.
    fn never_last(&mut self, shown: &str, list: &AbstractValue, asked: &[Entry]) {
        let length = list.items.len() as i64;
        let most = asked.iter().map(|entry| entry.dice.map(|(_, most)| most)).collect::<Option<Vec<i64>>>();
        let Some(most) = most.and_then(|all| all.into_iter().max()) else { return };
        if most < 1 || most.saturating_add(1) >= length {
            return;
        }
        let Entry { at, source, taken, .. } = &asked[0];
        let message =
            format!("`{source}` is at most {most}: the last of the {length} entries of {shown} is never used");
        let faces = match taken.or_else(|| source.rsplit_once(" - ")?.1.parse().ok()) {
            Some(taken) => format!("roll a die with {0} faces, `1d{0}`", length - 1 + taken),
            None => format!("use dice that can give {}", length - 1),
        };
        let extra = if length - most == 2 { "last entry" } else { "extra entries" };
        let help = format!("{faces}, or remove the {extra} from {shown}");
        self.warn(Code::Index, *at, message, help);
    }

    /// A list whose first entry is never read and does not look like a placeholder.
    fn never_first(&mut self, shown: &str, list: &AbstractValue, asked: &[&Entry]) {
        let least = asked.iter().map(|entry| entry.dice.map(|(least, _)| least)).collect::<Option<Vec<i64>>>();
        let (Some(least), Some(first)) = (least.and_then(|all| all.into_iter().min()), list.items.first()) else {
            return;
        };
        let filler = first.kinds.has(ValueKind::Nothing)
            || first.only_text().is_some_and(str::is_empty)
            || first.only_number() == Some(0)
            || first.length == Some(0);
        if least < 1 || filler || list.items.len() < 2 {
            return;
        }
        let Entry { at, source, taken, .. } = asked[0];
        let length = list.items.len();
        let message =
            format!("`{source}` is at least {least}: the first of the {length} entries of {shown} is never used");
        let help = match taken {
            Some(0) => faces_from_1(shown, source),
            _ => {
                let extra = if least == 1 { "first entry" } else { "extra entries" };
                format!("entries are numbered from 0: subtract {least} more, or remove the {extra} from {shown}")
            }
        };
        self.warn(Code::Index, *at, message, help);
    }

    /// A die used as an index without subtracting 1, although another read subtracts it or the list names the faces.
    /// Returns whether it was reported.
    fn uneven(&mut self, name: &str, asked: &[Entry], of_faces: bool) -> bool {
        let even = asked.iter().find(|entry| entry.taken == Some(1));
        let line = even.map(|entry| entry.at.0);
        let wrong: Vec<&Entry> = asked.iter().filter(|entry| entry.taken == Some(0)).collect();
        if wrong.is_empty() || line.is_none() && !of_faces {
            return false;
        }
        for entry in wrong {
            let source = &entry.source;
            let other = match line {
                Some(line) => format!("faces are numbered from 1, and line {line} subtracts 1 before the lookup"),
                None => format!("`die_faces` uses the first entry of `{name}` for a 1"),
            };
            let message = format!("`{name}[{source}]` is the entry for the next face: {other}");
            self.warn(Code::Index, entry.at, message, faces_from_1(&format!("`{name}`"), source));
        }
        true
    }
}

/// Advice for a face that is used as an index.
fn faces_from_1(shown: &str, source: &str) -> String {
    let list = shown.trim_matches('`');
    match shown.starts_with('`') {
        true => format!("entries are numbered from 0: write `{list}[{source} - 1]`"),
        false => format!("entries are numbered from 0: write `{source} - 1`"),
    }
}
