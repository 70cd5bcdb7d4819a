//! Checks the rules as a whole: missing or misspelled rules, rules that never end or have no effect.

use super::name_table::{Call, NameTable};
use super::report::Report;
use crate::diagnostic::Code;
use crate::functions::{Cost, Fact, costs, has_fact, named, position_of};
use crate::host::kind::{ParamKind, ValueKind};
pub(super) use crate::manual::RULE_NAMES as RULES;
use crate::notation::nearest;
use std::collections::BTreeSet;

/// Whether a call to this function can end a game.
pub(super) fn ends(name: &str) -> bool {
    [Fact::Wins, Fact::Draws, Fact::Eliminates].iter().any(|fact| has_fact(name, *fact))
}

/// A function that is never called and whose name is similar to that of a missing rule. Returns whether one was found.
pub(super) fn misnamed(table: &NameTable, places: impl Fn(&str) -> (usize, usize), report: &mut Report) -> bool {
    let mut found = false;
    for function in table.functions.iter().filter(|f| !f.anonymous && !table.is_called(&f.name)) {
        let Some(rule) = nearest(&function.name, RULES) else { continue };
        if table.functions.iter().any(|f| f.name == rule) {
            continue;
        }
        found = true;
        let message = format!("`{}` is never called, and it is not the name of a rule", function.name);
        report.error(Code::Rules, places(&function.name), message, Some(format!("did you mean `fn {rule}`?")));
    }
    found
}

/// The names of all functions called from these, including through imported bases.
pub(super) fn called(table: &NameTable, roots: &[&str]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    visit(table, roots, &mut |call| {
        names.insert(call.name.clone());
    });
    names
}

/// The calls in all code that the rules run.
pub(super) fn calls(table: &NameTable) -> impl Iterator<Item = &Call> {
    let reached = table.reached(&RULES, false);
    table.calls.iter().filter(move |call| call.within.is_some_and(|f| reached.contains(&f)))
}

/// Visits every call that is reached from these functions, including through imported bases.
pub(super) fn visit(table: &NameTable, roots: &[&str], see: &mut impl FnMut(&Call)) {
    visit_once(table, roots, &mut BTreeSet::new(), see);
}

fn visit_once(table: &NameTable, roots: &[&str], seen: &mut BTreeSet<(String, String)>, see: &mut impl FnMut(&Call)) {
    let reached = table.reached(roots, false);
    for call in table.calls.iter().filter(|call| call.within.is_some_and(|f| reached.contains(&f))) {
        see(call);
        let Some(base) = base_of(table, call) else { continue };
        if !seen.insert((base.clone(), call.name.clone())) {
            continue;
        }
        let Some(ast) = super::name_table::base(&base) else { continue };
        visit_once(&table.of_base(&ast), &[&call.name], seen, see);
    }
}

fn base_of(table: &NameTable, call: &Call) -> Option<String> {
    let module = call.module.as_ref()?;
    table.imports.iter().find(|(alias, _)| alias == module).map(|(_, base)| base.clone())
}

/// Whether no rule can ever end the game.
pub(super) fn cannot_end(table: &NameTable) -> bool {
    !called(table, &RULES).iter().any(|name| ends(name))
}

/// Whether the rule `turn` exists and can never request a decision.
pub(super) fn never_plays(table: &NameTable) -> bool {
    let names = called(table, &["turn"]);
    let has = table.functions.iter().any(|f| f.name == "turn");
    has && !names.iter().any(|name| costs(name, Cost::Decision))
}

/// A rule `capture` that never captures a piece and changes nothing else on the board except the attacker.
pub(super) fn never_takes(table: &NameTable, place: impl Fn(&str) -> (usize, usize), report: &mut Report) {
    let own = table.functions.iter().any(|f| f.name == "capture");
    let mut changes = false;
    visit(table, &["capture"], &mut |call| {
        let counts = [ParamKind::CounterName, ParamKind::TraitName, ParamKind::Text];
        let counts = counts.iter().any(|kind| position_of(&call.name, *kind).is_some());
        let idle = call.args.is_empty() && call.name != "take";
        let spared = counts || idle || call.name == "repel";
        changes |= costs(&call.name, Cost::Effect) && !spared || call.module.is_some();
    });
    if own && !changes {
        let message = "`capture` never calls `take()`, so no piece is ever captured".to_string();
        let help = Some("call `take();` where the capture succeeds".into());
        report.warning(Code::Rules, place("capture"), message, help);
    }
}

/// Loops without an exit. A loop that requests decisions never ends either.
pub(super) fn endless(table: &NameTable, report: &mut Report) {
    for at in &table.endless {
        let help = "end it with `break` or `return`, or use a `while` loop with a condition";
        report.error(Code::Endless, *at, "this loop never ends".to_string(), Some(help.into()));
    }
}

/// Whether a call to this function rolls dice and returns their faces.
pub(super) fn tells_faces(name: &str) -> bool {
    // A form with a key returns a value that the key computes.
    let mut forms = named(name).flat_map(|(_, function)| &function.forms);
    costs(name, Cost::Chance) && forms.any(|form| !form.results.contains(&ValueKind::Cast))
}

/// Rules with the wrong number of parameters.
pub(super) fn parameters(table: &NameTable, place: impl Fn(&str) -> (usize, usize), report: &mut Report) {
    for function in table.functions.iter().filter(|f| RULES.contains(&f.name.as_str())) {
        let name = function.name.as_str();
        let (fits, call) = match name {
            "capture" => (matches!(function.params, 2 | 3), "capture(attacker, defender)"),
            _ => (function.params == 0, ""),
        };
        if !fits {
            let wanted = if name == "capture" { "2 parameters, or 3 with the move" } else { "no parameters" };
            let call = if call.is_empty() { format!("{name}()") } else { call.to_string() };
            let message = format!("the rule `{name}` takes {wanted}, but this function has {}", function.params);
            report.error(Code::Rules, place(name), message, Some(format!("write `fn {call} {{ ... }}`")));
        }
    }
}

/// The calls in `outcome`, and in the functions it calls, that may end a game.
pub(super) fn endings(table: &NameTable) -> impl Iterator<Item = &Call> {
    let reached = table.reached(&["outcome"], false);
    let inside = move |call: &&Call| call.within.is_some_and(|f| reached.contains(&f)) && call.at.0 > 0;
    table.calls.iter().filter(inside).filter(|call| call.module.is_none() && ends(&call.name))
}
