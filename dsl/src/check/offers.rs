//! Compares the moves that trial games offer with the moves that pieces could make.
//!
//! Reports kinds that never get a move, captures that are never permitted, and offers that are always captures. Also
//! reports counters that skip the value an ending compares them with.

use super::endings::Endings;
use super::name_table::{LineColumn, NameTable, Value};
use super::report::Report;
use super::rules;
use crate::Loaded;
use crate::diagnostic::{Code, Severity};
use crate::functions::{Fact, has_fact};
use crate::host::locate::place_of_function;
use astragal_core::movegen::{self, Filter, Safety};
use astragal_core::{Kind, Side, State, Variant};
use std::collections::{BTreeMap, BTreeSet};

/// The number of decisions in which a kind could have moved before its missing moves are reported.
const OFTEN: usize = 60;

/// The minimum number of decisions before anything is reported.
const MANY: usize = 200;

/// Maximum number of counter changes recorded.
const MOST: usize = 4_000;

/// The moves that were offered, and those that were possible.
#[derive(Default)]
pub(super) struct Offers {
    /// How often a side was offered moves.
    decisions: usize,
    /// By kind: how often a side could have moved such a piece, and how often the rules offered it.
    kinds: BTreeMap<Kind, (usize, usize)>,
    /// How often a capture was possible, and how often one was offered.
    captures: (usize, usize),
    /// The same for moves that capture nothing.
    quiet: (usize, usize),
    /// Changes of counters: the counter's index, the old value and the new value.
    changes: BTreeSet<(usize, i16, i16)>,
    /// The last value of each counter.
    last: BTreeMap<(usize, Side), i16>,
}

impl Offers {
    /// Records the moves that a side is offered.
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

    /// Forgets the last values of the counters, because a new game starts.
    pub(super) fn begin(&mut self, state: &State) {
        self.last.clear();
        self.counters(state);
    }

    /// Records the values of the counters.
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

/// Reports moves that were never offered.
pub(super) fn check(loaded: &Loaded, table: &NameTable, offers: &Offers, report: &mut Report) {
    // Pushes, tracks and `way` permits generate moves that differ from the pieces' own, so those games are skipped.
    let rule = table.functions.iter().any(|f| f.name == "turn");
    let called = rules::called(table, &["turn"]);
    let own = called.iter().any(|name| has_fact(name, Fact::OwnMoves)) && !called.contains("pushes");
    if offers.decisions < MANY || rule && !own {
        return;
    }
    let variant = &loaded.set.variant;
    let at = place_of_function(&loaded.source.text, "turn");
    let mut note = |at: LineColumn, message: String, help: &str| {
        report.verdict(Severity::Note, Code::NobodyMoves, at, (message, help.into()), Vec::new(), Vec::new());
    };
    let never = |(could, may): (usize, usize)| could >= OFTEN && may == 0;
    if never(offers.captures) {
        let message = "no capture was permitted in the trial games, although some pieces could capture".to_string();
        note(at, message, "look for `- captures()`, and check which squares and pieces your permits allow");
        return;
    }
    if never(offers.quiet) {
        let message = "only captures were permitted in the trial games".to_string();
        note(at, message, "check `& captures()`; for moves without a capture, use `any() - captures()`");
        return;
    }
    for (kind, _) in offers.kinds.iter().filter(|(_, often)| never(**often)) {
        let name = &variant.kind(*kind).name;
        // Permitting only some kinds may be intended. A list that names one of them twice is a mistake.
        if !table.values.iter().any(|(_, value, _)| names_twice_without(value, name, variant)) {
            continue;
        }
        let named = table.declared_at("piece", name);
        let message = format!("no {name} was permitted to move in the trial games, although one could have moved");
        note(
            named.unwrap_or(at),
            message,
            "check the dice and the lists of pieces: a list names another kind twice, perhaps in place of this one",
        );
    }
}

/// Whether a list of kinds names one of them twice, and omits this one.
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

/// Counters that skip the value that an ending compares them with.
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
            "this tests only for {number}, but the counter \"{name}\" went from {before} to {now} in a trial game"
        );
        let help = format!("write `{sign} {number}`, or limit the counter");
        report.verdict(Severity::Warning, Code::Counters, at, (message, help), Vec::new(), Vec::new());
    }
}
