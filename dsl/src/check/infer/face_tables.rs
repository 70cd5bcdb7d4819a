//! Checks tables that map faces to values against the faces of the dice.

use super::abstract_value::{AbstractValue, Origin};
use super::among::listed;
use super::rolls::faces_listed;
use super::{LineColumn, Walker, start};
use crate::diagnostic::Code;
use crate::host::kind::ValueKind;
use crate::host::tokens::is_comparison;
use crate::notation::dice;
use rhai::Expr;
use std::collections::BTreeSet;

/// Minimum number of entries for a table of faces.
const LEAST: usize = 3;

impl Walker<'_> {
    /// A table of faces, `FACE[kind] == die`, that lacks some faces of the die.
    pub(super) fn faces_without_entry(
        &mut self,
        table: &Expr,
        numbers: &[(i64, LineColumn)],
        roll: &AbstractValue,
        die: &Expr,
    ) {
        let (Expr::Index(parts, ..), Some(Origin::Dice(text)), Expr::Variable(name, ..)) = (table, &roll.origin, die)
        else {
            return;
        };
        let Expr::Variable(table, ..) = &parts.lhs else { return };
        let (Some(faces), true) = (faces_listed(text), roll.is_a_number()) else { return };
        let named: BTreeSet<i64> = numbers.iter().map(|(number, _)| *number).collect();
        let missing: Vec<i64> = faces.iter().copied().filter(|face| !named.contains(face)).collect();
        let known = named.iter().all(|number| faces.contains(number) || *number > *faces.last().unwrap_or(&0));
        if missing.is_empty() || named.len() < LEAST || missing.len() >= named.len() || !known {
            return;
        }
        // Other tests of the die may handle the missing faces.
        let number = |text: &str| text.parse::<i64>().is_ok() || text == "[";
        let asked = self.tokens.windows(3).any(|three| {
            three[0].is(&name.1) && (is_comparison(three[1].text) || three[1].is("in")) && number(three[2].text)
        });
        if asked {
            return;
        }
        let (table, all) = (&table.1, named.iter().copied().collect::<Vec<i64>>());
        let message =
            format!("`{table}` contains {}, but not {}, which \"{text}\" can show", listed(&all), listed(&missing));
        let braces = all.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let help = format!("roll a die with these faces, \"d{{{braces}}}\", or add the missing numbers to `{table}`");
        let at = self.dice_written(text).unwrap_or_else(|| start(die));
        self.warn(Code::Index, at, message, help);
    }

    /// The place of this dice text, if it occurs exactly once.
    pub(super) fn dice_written(&self, text: &str) -> Option<LineColumn> {
        let quoted = format!("\"{text}\"");
        let mut all = self.tokens.iter().filter(|token| token.is(&quoted));
        let first = all.next()?;
        all.next().is_none().then_some(first.at)
    }

    /// Dice with the faces 1 and 2, whose total is compared with less than its minimum: marked and plain sides were
    /// probably meant. Returns whether it was reported.
    pub(super) fn sticks_meant(&mut self, value: &AbstractValue, number: i64, at: LineColumn) -> bool {
        let Some((least, most)) = value.bounds().filter(|_| value.rolled) else { return false };
        let sticks = |text: &str| {
            let dice = dice::parse(text).ok()?.dice;
            let two = dice.iter().all(|die| die.faces() == [1, 2]);
            let count = dice.len() as i64;
            (two && count > 1 && (least, most) == (count, 2 * count)).then_some(count)
        };
        let mut found = self.tokens.iter().filter_map(|token| {
            let text = token.text.strip_prefix('"')?.strip_suffix('"')?;
            Some((text, sticks(text)?, token.at))
        });
        let (Some((text, count, place)), None) = (found.next(), found.next()) else { return false };
        if !(0..count).contains(&number) {
            return false;
        }
        let message = format!("the total of \"{text}\" is {least} to {most}, but line {} tests for {number}", at.0);
        let help = format!("list special faces in braces: the total of \"{count}d{{0,1}}\" is 0 to {count}");
        self.warn(Code::Comparison, place, message, help);
        true
    }

    /// A map with a text key for each face that lacks the key of some face.
    pub(super) fn keys_without_face(&mut self, keys: &[&String], at: &AbstractValue, of: &Expr, index: &Expr) {
        let Some(spelled) = spelled(at).filter(|_| keys.len() >= LEAST && !self.guarded(index)) else { return };
        let missing: Vec<&(String, i64)> =
            spelled.iter().filter(|(key, _)| keys.iter().all(|own| *own != key)).collect();
        let Some((key, _)) = missing.first().filter(|_| missing.len() < spelled.len()) else { return };
        let map = self.source(of);
        let faces: Vec<i64> = missing.iter().map(|(_, face)| *face).collect();
        let have: Vec<i64> = spelled.iter().filter(|one| !missing.contains(one)).map(|(_, face)| *face).collect();
        let braces = have.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let message =
            format!("`{map}` has no entry for {}, which can be rolled: the lookup then returns `()`", listed(&faces));
        let help =
            format!("add `\"{key}\": ..` to the map, or roll a die that has only these faces: \"d{{{braces}}}\"");
        self.warn(Code::Index, start(index), message, help);
    }
}

/// The texts that a rolled number forms with constant parts, each with its number; `None` if not all parts are known.
fn spelled(at: &AbstractValue) -> Option<Vec<(String, i64)>> {
    if !at.kinds.is(ValueKind::Text) || at.parts.is_empty() {
        return None;
    }
    let mut all = vec![(String::new(), None)];
    for part in &at.parts {
        if let Some(text) = part.only_text() {
            all.iter_mut().for_each(|(made, _)| made.push_str(text));
            continue;
        }
        let numbers = part.numbers().filter(|_| part.rolled && all.len() == 1)?;
        let (made, _) = all.remove(0);
        all = numbers.into_iter().map(|n| (format!("{made}{n}"), Some(n))).collect();
    }
    all.into_iter().map(|(text, number)| Some((text, number?))).collect()
}
