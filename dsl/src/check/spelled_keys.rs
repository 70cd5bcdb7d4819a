//! Finds uppercase keys that fail to spell their lists, where the other keys do, as `KQBRN: ["king", "queen", "bishop",
//! "rook", "knight"]` does.

use super::name_table::LineColumn;
use super::report::Report;
use crate::diagnostic::Code;
use crate::host::tokens::{Sort, Token, tokens};
use astragal_core::Variant;
use std::collections::BTreeMap;

/// A key with its list.
struct Entry<'t> {
    key: &'t str,
    list: Vec<&'t str>,
    at: LineColumn,
}

/// Warns about a key that does not spell its list where all other keys of the same map or `switch` do.
pub(super) fn check(variant: &Variant, report: &mut Report) {
    let text = report.text.clone();
    let all = tokens(&text);
    let mut groups: BTreeMap<usize, Vec<Entry<'_>>> = BTreeMap::new();
    let mut open = Vec::new();
    for (i, token) in all.iter().enumerate() {
        if let (Some(around), Some(entry)) = (open.last(), entry(&all[i..])) {
            groups.entry(*around).or_default().push(entry);
        }
        if token.opens() {
            open.push(i);
        } else if token.closes() {
            open.pop();
        }
    }
    for entries in groups.values() {
        let (right, wrong): (Vec<&Entry<'_>>, Vec<&Entry<'_>>) =
            entries.iter().partition(|entry| spells(variant, entry));
        let [wrong] = wrong[..] else { continue };
        if right.len() < 2 {
            continue;
        }
        let (key, spelled) = (wrong.key, wrong.list.iter().map(|name| letter(variant, name)).collect::<String>());
        let message =
            format!("the initials in the list of `{key}` spell {spelled}, but in every other list they spell the key");
        let help = match ordered(variant, wrong) {
            Some(list) => {
                let list: Vec<String> = list.iter().map(|name| format!("\"{name}\"")).collect();
                format!("write `[{}]`, or rename the key to `{spelled}`", list.join(", "))
            }
            None => format!("give it a list that spells {key}, or rename the key to `{spelled}`"),
        };
        report.warning(Code::Index, wrong.at, message, Some(help));
    }
}

/// An uppercase key with a list of as many strings, if the tokens start with one.
fn entry<'t>(all: &[Token<'t>]) -> Option<Entry<'t>> {
    let [key, sign, open, rest @ ..] = all else { return None };
    let name = key.text.trim_matches('"');
    let capitals = name.len() > 2 && name.chars().all(|c| c.is_ascii_uppercase());
    if !capitals || !matches!(sign.text, ":" | "=>") || !open.is("[") {
        return None;
    }
    let close = rest.iter().position(|token| token.is("]"))?;
    let texts = rest[..close].iter().enumerate().map(|(i, token)| match (i % 2, token.sort) {
        (0, Some(Sort::Text)) => Some(Some(token.text.trim_matches('"'))),
        (1, _) if token.is(",") => Some(None),
        _ => None,
    });
    let list: Vec<&str> = texts.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
    (list.len() == name.len()).then_some(Entry { key: name, list, at: open.at })
}

/// The letter for a name: that of the piece with this name, or else its first letter.
fn letter(variant: &Variant, name: &str) -> char {
    let kind = variant.kinds().iter().find(|kind| kind.name == name);
    let letter = kind.and_then(|kind| kind.letter.chars().last()).or(name.chars().next());
    letter.map_or('?', |c| c.to_ascii_uppercase())
}

/// Whether a letter matches a name: the letter of the piece with this name, or its first letter.
fn stands_for(variant: &Variant, sign: char, name: &str) -> bool {
    sign == letter(variant, name) || name.chars().next().is_some_and(|c| c.to_ascii_uppercase() == sign)
}

fn spells(variant: &Variant, entry: &Entry<'_>) -> bool {
    entry.key.chars().zip(&entry.list).all(|(sign, name)| stands_for(variant, sign, name))
}

/// The list in the order of its key, if it has a name for each letter.
fn ordered<'t>(variant: &Variant, entry: &Entry<'t>) -> Option<Vec<&'t str>> {
    let mut left = entry.list.clone();
    let taken = entry.key.chars().map(|sign| {
        let at = left.iter().position(|name| letter(variant, name) == sign)?;
        Some(left.remove(at))
    });
    taken.collect()
}
