//! What trial games offer, against what the pieces could do by themselves: kinds that never have a move, captures that are
//! never permitted, or nothing but captures; and counters that pass over the number that is asked for.

use super::endings::Endings;
use super::name_table::{NameTable, Place, Value};
use super::report::Report;
use super::rules;
use crate::Loaded;
use crate::diagnostic::{Code, Severity};
use crate::functions::{Fact, has_fact};
use crate::host::locate::place_of_function;
use astragal_core::movegen::{self, Filter, Safety};
use astragal_core::{Kind, Side, State, Variant};
use std::collections::{BTreeMap, BTreeSet};

/// So often a kind must have been able to move by itself before it is said that it never may.
const OFTEN: usize = 60;

/// So many moves must have been offered.
const MANY: usize = 200;

/// More changes of a counter than this are not kept.
const MOST: usize = 4_000;

/// What was offered, and what could have been.
#[derive(Default)]
pub(super) struct Offers {
    /// How often a side was offered moves.
    decisions: usize,
    /// By kind: how often a side could have moved one by itself, and how often it was offered that.
    kinds: BTreeMap<Kind, (usize, usize)>,
    /// How often a capture would have been possible, and how often one was offered.
    captures: (usize, usize),
    /// The same of moves that capture nothing.
    quiet: (usize, usize),
    /// How counters have changed, by number and side: from what to what.
    changes: BTreeSet<(usize, i16, i16)>,
    /// What counters were last.
    last: BTreeMap<(usize, Side), i16>,
}

impl Offers {
    /// Notes the moves that a side is offered.
    pub(super) fn note(&mut self, state: &State) {
        let (variant, position) = (&state.ruleset().variant, state.position());
        let mut own = Vec::new();
        movegen::generate(variant, position, state.chooser(), Safety::Pseudo, Filter::ALL, &mut own);
        let kind = |mv: astragal_core::Move| mv.dropped().unwrap_or_else(|| position.at(mv.from).kind());
        let captures = |mv: astragal_core::Move| !position.captured_by(mv).0.is_none();
        self.decisions += 1;
        let offered: BTreeSet<Kind> = state.moves().iter().map(|paid| kind(paid.mv)).collect();
        let possible: BTreeSet<Kind> = own.iter().map(|mv| kind(*mv)).collect();
        for kind in offered.union(&possible) {
            let (could, may) = self.kinds.entry(*kind).or_default();
            *could += usize::from(possible.contains(kind));
            *may += usize::from(offered.contains(kind));
        }
        self.captures.0 += usize::from(own.iter().any(|mv| captures(*mv)));
        self.captures.1 += usize::from(state.moves().iter().any(|paid| captures(paid.mv)));
        self.quiet.0 += usize::from(own.iter().any(|mv| !captures(*mv)));
        self.quiet.1 += usize::from(state.moves().iter().any(|paid| !captures(paid.mv)));
    }

    /// Forgets where the counters stood: another game begins.
    pub(super) fn begin(&mut self, state: &State) {
        self.last.clear();
        self.counters(state);
    }

    /// Notes where the counters stand.
    pub(super) fn counters(&mut self, state: &State) {
        let (variant, position) = (&state.ruleset().variant, state.position());
        for (index, def) in variant.spec().counters.iter().enumerate().filter(|(_, def)| def.size == 1) {
            let sides = if def.per_side { variant.sides() } else { 1 };
            for side in (0..sides).map(|side| Side(side as u8)) {
                let now = position.counter(variant, index, side);
                let before = self.last.insert((index, side), now).unwrap_or(now);
                if now != before && self.changes.len() < MOST {
                    self.changes.insert((index, before, now));
                }
            }
        }
    }
}

/// Says what was never offered.
pub(super) fn judge(loaded: &Loaded, table: &NameTable, offers: &Offers, report: &mut Report) {
    // Pushes, tracks and ways make moves of their own.
    let rule = table.functions.iter().any(|f| f.name == "turn");
    let called = rules::called(table, &["turn"]);
    let own = called.iter().any(|name| has_fact(name, Fact::OwnMoves)) && !called.contains("pushes");
    if offers.decisions < MANY || rule && !own {
        return;
    }
    let variant = &loaded.set.variant;
    let at = place_of_function(&loaded.source.text, "turn");
    let mut note = |at: Place, message: String, help: &str| {
        report.verdict(Severity::Note, Code::NobodyMoves, at, (message, help.into()), Vec::new(), Vec::new());
    };
    let never = |(could, may): (usize, usize)| could >= OFTEN && may == 0;
    if never(offers.captures) {
        let message = "no trial game has permitted a capture, and pieces could have captured all along".to_string();
        note(at, message, "look at `- captures()` and at the squares and kinds that are permitted");
        return;
    }
    if never(offers.quiet) {
        let message = "no trial game has permitted a move that captures nothing".to_string();
        note(at, message, "look at `& captures()`: `any() - captures()` are the moves that capture nothing");
        return;
    }
    for (kind, _) in offers.kinds.iter().filter(|(_, often)| never(**often)) {
        let name = &variant.kind(*kind).name;
        // Who permits some kinds and not others may mean it: a list that has one twice is a slip.
        if !table.values.iter().any(|(_, value, _)| names_twice_without(value, name, variant)) {
            continue;
        }
        let named = table.declared_at("piece", name);
        let message = format!("no trial game has permitted a move of a {name}, though it could have moved");
        note(named.unwrap_or(at), message, "a list of kinds names another twice: is this one left out of it?");
    }
}

/// Whether a list of kinds has one of them twice, and this one not at all.
fn names_twice_without(list: &Value, name: &str, variant: &Variant) -> bool {
    fn gather<'v>(value: &'v Value, all: &mut Vec<&'v str>) {
        match value {
            Value::Text(text, _) => all.push(text),
            Value::List(items) => items.iter().for_each(|item| gather(item, all)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    gather(list, &mut all);
    let kinds = !all.is_empty() && all.iter().all(|text| variant.kind_named(text).is_some());
    let twice = (1..all.len()).any(|i| all[..i].contains(&all[i]));
    matches!(list, Value::List(_)) && kinds && twice && !all.contains(&name)
}

/// Counters that an end waits for and that have passed over its number.
pub(super) fn passed_over(loaded: &Loaded, endings: &Endings, offers: &Offers, report: &mut Report) {
    let variant = &loaded.set.variant;
    for (name, number, at) in endings.exact_counters() {
        let Some(index) = variant.counter_named(&name) else { continue };
        let start = loaded.start.counter(variant, index, Side::FIRST);
        let Ok(number) = i16::try_from(number) else { continue };
        let passes = |(of, before, now): &&(usize, i16, i16)| {
            let over =
                if start < number { *before < number && number < *now } else { *now < number && number <= *before };
            *of == index && start != number && over
        };
        let Some((_, before, now)) = offers.changes.iter().find(passes) else { continue };
        let sign = if start < number { ">=" } else { "<=" };
        let message = format!(
            "this asks for {number} alone, and the counter \"{name}\" went from {before} to {now} in a trial game"
        );
        let help = format!("write `{sign} {number}`, or keep the counter from going further");
        report.verdict(Severity::Warning, Code::Counters, at, (message, help), Vec::new(), Vec::new());
    }
}
