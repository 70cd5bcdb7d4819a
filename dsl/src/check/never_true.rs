//! Explains why no trial game ends: which part of a condition prevented every ending, and which values occurred instead.
//!
//! The trial games run again with a copy of the script that records every part of the conditions around and before the
//! endings ([`crate::host::probe`]). This happens only if no game has ended.

use super::endings::{Endings, Wanted};
use super::name_table::LineColumn;
use super::shown::Shown;
use super::trial_games::{self, Permission, Tried};
use crate::coverage::Coverage;
use crate::host::probe::SEEN;
use crate::host::tokens::{Token, is_comparison, text_of, tokens};
use crate::library::Source;
use astragal_core::{RoyalPolicy, Variant};
use std::ops::Range;

/// Whether the reason for the missing endings is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// It has been reported.
    Told,
    /// Games do end, if players capture whenever they can.
    Ended,
    /// The reason is unknown.
    Unknown,
}

/// A part of a condition that never had the required value: its index, the least and greatest values that occurred, and the
/// required value.
type Missed = (usize, Option<(i64, i64)>, bool);

/// Conditions longer than this many characters are not quoted.
const QUOTED: usize = 60;

/// An atomic part of a condition: an operand of `&&`.
struct Atom {
    /// The `if` that contains it.
    condition: usize,
    tokens: Range<usize>,
    /// The comparison operator in it, if there is one.
    sign: Option<usize>,
}

/// The reason why a game does not end, and advice.
pub(super) struct Reason {
    pub(super) at: LineColumn,
    pub(super) message: String,
    pub(super) help: String,
    /// Other endings, with the conditions that prevented them.
    pub(super) others: Vec<(usize, usize, String)>,
}

/// The condition that prevents all endings under a setting.
///
/// # Errors
/// [`Why::Ended`] if games do end when players capture whenever they can; [`Why::Unknown`] if the reason is unknown.
pub(super) fn reason(source: &Source, endings: &Endings, one: &Tried, permission: &Permission) -> Result<Reason, Why> {
    let variant = &one.loaded.set.variant;
    let all = tokens(&source.text);
    let atoms = atoms(&all, endings);
    // Evaluate all parts of a condition, if each can be evaluated without those before it.
    let play = |all_parts: bool| -> Result<(Shown, Coverage), Why> {
        let watched = Source { text: watched(&source.text, &all, &atoms, all_parts), ..source.clone() };
        let coverage = Coverage::new();
        let shown = trial_games::play_again(&watched, &one.setting, permission, &coverage).ok_or(Why::Unknown)?;
        Ok((shown, coverage))
    };
    let (mut shown, mut coverage) = play(true)?;
    if shown.failed {
        (shown, coverage) = play(false)?;
    }
    if shown.games() > 0 {
        return Err(Why::Ended);
    }
    if shown.failed {
        return Err(Why::Unknown);
    }
    let part_of = |wanted: &Wanted| {
        atoms.iter().position(|atom| {
            let range = &all[atom.tokens.clone()];
            range.first().zip(range.last()).is_some_and(|(first, last)| first.at <= wanted.at && wanted.at <= last.at)
        })
    };
    let kept_away = |wanted: &Wanted| {
        let index = part_of(wanted)?;
        let held = coverage.seen(2 * index as i64)?;
        let never = if wanted.holds { held.1 == 0 } else { held.0 == 1 };
        never.then(|| (index, coverage.seen(2 * index as i64 + 1)))
    };
    let mut found: Vec<Missed> = Vec::new();
    for wanted in endings.wanted() {
        if let Some((index, seen, holds)) =
            wanted.iter().find_map(|one| kept_away(one).map(|(index, seen)| (index, seen, one.holds)))
            && !found.iter().any(|(known, ..)| *known == index)
        {
            found.push((index, seen, holds));
        }
    }
    // A reason with numbers is more informative.
    let first = found.iter().position(|(_, seen, _)| seen.is_some()).unwrap_or(0);
    let words = |(index, seen, holds): &Missed| {
        let atom = &atoms[*index];
        let condition = text_of(&source.text, &all, &atom.tokens);
        let always = if *holds { "never" } else { "always" };
        let short = |text: &str, most: usize| {
            (!text.contains('\n') && text.chars().count() <= most).then(|| format!("`{text}`"))
        };
        let condition = short(condition, QUOTED).unwrap_or_else(|| "this condition".into());
        let left = atom.sign.map(|sign| text_of(&source.text, &all, &(atom.tokens.start..sign)));
        let left = left.and_then(|left| short(left, QUOTED / 2)).unwrap_or_else(|| "its left operand".into());
        let bound = atom.sign.and_then(|sign| all.get(sign + 1)).and_then(|token| token.text.parse::<i64>().ok());
        let range = seen.map(|(least, most)| match bound {
            _ if least == most => format!(" ({left} was always {least})"),
            Some(bound) if most <= bound => format!(" ({left} was never more than {most})"),
            Some(bound) if least >= bound => format!(" ({left} was never less than {least})"),
            _ => format!(" ({left} was {least} to {most})"),
        });
        (all[atom.tokens.start].at, format!("{condition} was {always} true{}", range.unwrap_or_default()))
    };
    let Some(main) = found.get(first) else {
        let parts = endings.wanted().find_map(|wanted| {
            let parts: Vec<usize> = wanted.iter().filter(|one| one.holds).filter_map(part_of).collect();
            let condition = atoms[*parts.last()?].condition;
            let mut parts: Vec<usize> = parts.into_iter().filter(|part| atoms[*part].condition == condition).collect();
            parts.dedup();
            (parts.len() > 1).then_some(parts)
        });
        let parts = parts.ok_or(Why::Unknown)?;
        let asked =
            text_of(&source.text, &all, &(atoms[parts[0]].tokens.start..atoms[parts[parts.len() - 1]].tokens.end));
        let message =
            "no trial game ended: each part of this condition was sometimes true, but never all parts at once"
                .to_string();
        let at = all[atoms[parts[0]].tokens.start].at;
        return Ok(Reason { at, message, help: cure(asked, None, variant), others: Vec::new() });
    };
    let (at, said) = words(main);
    let condition = text_of(&source.text, &all, &atoms[main.0].tokens).to_string();
    let others = found.iter().enumerate().filter(|(i, _)| *i != first).take(3).map(|(_, one)| {
        let (at, said) = words(one);
        (at.0, at.1, format!("and {said}"))
    });
    Ok(Reason {
        at,
        message: format!("no trial game ended: {said}"),
        help: cure(&condition, main.1, variant),
        others: others.collect(),
    })
}

/// Advice for the quoted condition.
fn cure(asked: &str, seen: Option<(i64, i64)>, variant: &Variant) -> String {
    let royal = variant.kinds().iter().find(|kind| kind.royal && asked.contains(&format!("{:?}", kind.name)));
    if let Some(kind) = royal.filter(|_| variant.spec().royal_policy == RoyalPolicy::Protected) {
        return format!(
            "by default, no move may leave the {} open to capture: write `royals(\"capturable\")`, or test \
             `mated(to_move())`",
            kind.name
        );
    }
    let leaves = ["count(", ".is_empty", "has(", "hand("].iter().any(|word| asked.contains(word));
    let remains = asked.contains("== 0")
        || asked.contains("!has")
        || seen.is_some_and(|(least, most)| least > 0 && most >= least && asked.contains('<'));
    match (leaves && remains, leaves) {
        (true, _) => {
            "make sure that the pieces can leave the board, for example by capture or with `remove(..)`".into()
        }
        (_, true) => "test for something that can happen: check the number, the squares and the side".into(),
        _ => "test for something that can happen, or add a rule that makes this condition true".into(),
    }
}

/// The parts of all conditions of the functions that contain an ending.
fn atoms(all: &[Token<'_>], endings: &Endings) -> Vec<Atom> {
    let mut found = Vec::new();
    for (i, _) in all.iter().enumerate().filter(|(_, token)| token.is("if")) {
        if !function_around(all, i).is_some_and(|name| endings.functions().any(|known| known == name)) {
            continue;
        }
        let mut depth = 0;
        let end = all[i + 1..].iter().position(|token| {
            let opens = depth == 0 && token.is("{");
            depth += i32::from(token.opens()) - i32::from(token.closes());
            opens
        });
        let Some(end) = end.map(|end| i + 1 + end) else { continue };
        let at_top = |is_sign: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let mut depth = 0;
            (i + 1..end)
                .filter(|&at| {
                    depth += i32::from(all[at].opens()) - i32::from(all[at].closes());
                    depth == 0 && is_sign(all[at].text)
                })
                .collect()
        };
        let both = |sign: &str| sign == "&&";
        let alternatives = at_top(&|sign| sign == "||");
        let cuts = if alternatives.is_empty() { at_top(&both) } else { alternatives };
        let mut first = i + 1;
        for cut in cuts.into_iter().chain([end]) {
            let range = first..cut;
            let signs: Vec<usize> =
                at_top(&is_comparison).into_iter().chain(at_top(&both)).filter(|at| range.contains(at)).collect();
            let sign = match signs.as_slice() {
                [sign] if !all[*sign].is("&&") && !all[range.start].is("!") => Some(*sign),
                _ => None,
            };
            if !range.is_empty() {
                found.push(Atom { condition: i, tokens: range, sign });
            }
            first = cut + 1;
        }
    }
    found
}

/// The script function that contains a token.
fn function_around<'t>(all: &'t [Token<'t>], at: usize) -> Option<&'t str> {
    let start = all[..at].iter().rposition(|token| token.is("fn"))?;
    all.get(start + 1).map(|name| name.text)
}

/// The script with a probe around each part.
fn watched(text: &str, all: &[Token<'_>], atoms: &[Atom], all_parts: bool) -> String {
    let mut put: Vec<(usize, String)> = Vec::new();
    let mut left_out: Vec<usize> = Vec::new();
    for (i, atom) in atoms.iter().enumerate() {
        let (first, last) = (&all[atom.tokens.start], &all[atom.tokens.end - 1]);
        put.push((first.span.start, format!("{SEEN}({}, ", 2 * i)));
        put.push((last.span.end, ")".into()));
        // `&` and `|` between truth values evaluate both operands, unlike `&&` and `||`.
        let next = &all[atom.tokens.end.min(all.len() - 1)];
        if all_parts && matches!(next.text, "&&" | "||") {
            left_out.push(next.span.start);
        }
        if let Some(sign) = atom.sign {
            put.push((first.span.start, format!("{SEEN}({}, ", 2 * i + 1)));
            put.push((all[sign - 1].span.end, ")".into()));
        }
    }
    // Insertions at one place keep their order.
    put.sort_by_key(|(at, _)| *at);
    let (mut out, mut done) = (String::with_capacity(text.len() + 16 * put.len()), 0);
    let copy = |out: &mut String, from: usize, to: usize| {
        let signs = left_out.iter().filter(|sign| (from..to).contains(*sign));
        let mut from = from;
        for sign in signs {
            out.push_str(&text[from..*sign + 1]);
            from = sign + 2;
        }
        out.push_str(&text[from..to]);
    };
    for (at, words) in put {
        copy(&mut out, done, at);
        out.push_str(&words);
        done = at;
    }
    out.push_str(&text[done..]);
    out
}
