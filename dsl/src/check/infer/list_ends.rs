//! Lists of which the dice never come to the end or to the beginning: a die with too few faces, an entry too many, a face taken
//! for the number of an entry.

use super::super::shapes::{integer, operands};
use super::known::{Known, Origin};
use super::{Place, Walker, start};
use crate::diagnostic::Code;
use crate::host::kind::ValueKind;
use rhai::{Expr, Token as Op};
use std::collections::BTreeMap;

/// How an entry of a list is asked for.
pub(super) struct Entry {
    /// The least and the greatest number that comes up, if that is known and comes from dice.
    dice: Option<(i64, i64)>,
    /// How much is taken from a die that counts from 1: nothing, if it stands there as it is.
    taken: Option<i64>,
    at: Place,
    source: String,
}

/// By the name of a constant: how its entries are asked for.
pub(super) type Asked = BTreeMap<String, Vec<Entry>>;

impl Walker<'_> {
    /// Notes that an entry of a constant is asked for; judges one of a list that is written where it is asked.
    pub(super) fn entry_asked(&mut self, whole: &Known, of: &Expr, index: &Expr, at: &Known) {
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

    /// How much is taken from a die in a number of an entry, if that is all that is done with it.
    fn taken(&self, index: &Expr, at: &Known) -> Option<i64> {
        let counts = |die: &Known| {
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

    /// Complains of lists that are asked by dice alone, which never show their first or last entries, and of faces that are
    /// taken for the numbers of entries where elsewhere 1 is taken from them.
    pub(super) fn never_to_their_end(&mut self) {
        for (name, asked) in std::mem::take(&mut self.entries_asked) {
            let Some((_, list)) = self.constants.iter().find(|(known, _)| *known == name) else { continue };
            let list = list.clone();
            let named = self.tokens.iter().filter(|token| token.is(&name)).count();
            // There the first entry is the first face.
            let of_faces = self
                .tokens
                .windows(3)
                .filter(|three| three[0].is("die_faces") && three[1].is("(") && three[2].is(&name))
                .count();
            let shown = format!("`{name}`");
            // Other uses of the list may need what the dice do not.
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

    /// A list whose last entries never come up.
    fn never_last(&mut self, shown: &str, list: &Known, asked: &[Entry]) {
        let length = list.items.len() as i64;
        let most = asked.iter().map(|entry| entry.dice.map(|(_, most)| most)).collect::<Option<Vec<i64>>>();
        let Some(most) = most.and_then(|all| all.into_iter().max()) else { return };
        if most < 1 || most.saturating_add(1) >= length {
            return;
        }
        let Entry { at, source, .. } = &asked[0];
        let message =
            format!("`{source}` is {most} at most: of the {length} entries of {shown} the last never comes up");
        let help = format!("a die with {length} faces is `1d{length}`; or take out what is too much in {shown}");
        self.warn(Code::Index, *at, message, help);
    }

    /// A list whose first entry never comes up, and that does not look as if it were only there to be passed over.
    fn never_first(&mut self, shown: &str, list: &Known, asked: &[&Entry]) {
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
            format!("`{source}` is {least} at least: of the {length} entries of {shown} the first never comes up");
        let help = match taken {
            Some(0) => faces_from_1(shown, source),
            _ => format!("entries count from 0: take less from it, or take out what is too much in {shown}"),
        };
        self.warn(Code::Index, *at, message, help);
    }

    /// A die that stands for an entry as it is, where elsewhere 1 is taken from it, or the list names the faces; whether there
    /// is one.
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
                Some(line) => format!("line {line} takes 1 from it"),
                None => "`die_faces` names the first entry for a 1".to_string(),
            };
            let message = format!("`{name}[{source}]` is the entry of the next face: faces count from 1, and {other}");
            self.warn(Code::Index, entry.at, message, faces_from_1(&format!("`{name}`"), source));
        }
        true
    }
}

/// The cure for a face that is taken for the number of an entry.
fn faces_from_1(shown: &str, source: &str) -> String {
    let list = shown.trim_matches('`');
    match shown.starts_with('`') {
        true => format!("entries count from 0: write `{list}[{source} - 1]`"),
        false => format!("entries count from 0: write `{source} - 1`"),
    }
}
