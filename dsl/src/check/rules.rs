//! The rules as a whole: what is missing, misnamed, endless or without effect.

use super::name_table::{Call, NameTable};
use super::report::Report;
use crate::diagnostic::Code;
use crate::functions::{Cost, Fact, costs, has_fact, named, position_of};
use crate::host::kind::{ParamKind, ValueKind};
use crate::notation::nearest;
use std::collections::BTreeSet;

/// The functions that the engine calls.
pub(super) const RULES: [&str; 5] = ["turn", "capture", "outcome", "prepare", "movement"];

/// Whether a call of this name can end a game.
pub(super) fn ends(name: &str) -> bool {
    [Fact::Wins, Fact::Draws, Fact::Eliminates].iter().any(|fact| has_fact(name, *fact))
}

/// A function that nobody calls and whose name is nearly that of a missing rule. Says whether there
/// was one.
pub(super) fn misnamed(table: &NameTable, places: impl Fn(&str) -> (usize, usize), report: &mut Report) -> bool {
    let mut found = false;
    for function in table.functions.iter().filter(|f| !f.anonymous && !table.is_called(&f.name)) {
        let Some(rule) = nearest(&function.name, RULES) else { continue };
        if table.functions.iter().any(|f| f.name == rule) {
            continue;
        }
        found = true;
        let message = format!("nothing calls `{}`, and there is no rule `{rule}`", function.name);
        report.error(Code::Rules, places(&function.name), message, Some(format!("did you mean `fn {rule}`?")));
    }
    found
}

/// Everything called from these functions, through imported bases as well.
pub(super) fn called(table: &NameTable, roots: &[&str]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    visit(table, roots, &mut |call| {
        names.insert(call.name.clone());
    });
    names
}

/// The calls that stand in what the rules run.
pub(super) fn calls(table: &NameTable) -> impl Iterator<Item = &Call> {
    let reached = table.reached(&RULES, false);
    table.calls.iter().filter(move |call| call.within.is_some_and(|f| reached.contains(&f)))
}

/// Shows every call that is reached from these functions, through imported bases as well.
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

/// Whether there is a rule `turn` and it can never ask a player for anything.
pub(super) fn never_plays(table: &NameTable) -> bool {
    let names = called(table, &["turn"]);
    let has = table.functions.iter().any(|f| f.name == "turn");
    has && !names.iter().any(|name| costs(name, Cost::Decision))
}

/// A rule `capture` in which nothing is ever taken, nor anything else on the board changed than the attacker.
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
        let message = "no way through `capture` ends in `take()`: no piece is ever captured".to_string();
        let help = Some("where the capture succeeds, call `take();`".into());
        report.warning(Code::Rules, place("capture"), message, help);
    }
}

/// Loops without a way out: also one that asks players never ends.
pub(super) fn endless(table: &NameTable, report: &mut Report) {
    for at in &table.endless {
        let help = "end it by `break` or `return`, or give it a condition";
        report.error(Code::Endless, *at, "this loop never ends".to_string(), Some(help.into()));
    }
}

/// Whether a call of this name rolls dice and tells what they show.
pub(super) fn tells_faces(name: &str) -> bool {
    // A form with a key gives whatever the key makes of them.
    let mut forms = named(name).flat_map(|(_, function)| &function.forms);
    costs(name, Cost::Chance) && forms.any(|form| !form.results.contains(&ValueKind::Cast))
}

/// Rules with parameters that they do not get.
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
            let message = format!("the rule `{name}` takes {wanted}, not {}", function.params);
            report.error(Code::Rules, place(name), message, Some(format!("write `fn {call} {{ ... }}`")));
        }
    }
}

/// The calls in `outcome`, and in what it calls, that may end a game.
pub(super) fn endings(table: &NameTable) -> impl Iterator<Item = &Call> {
    let reached = table.reached(&["outcome"], false);
    let inside = move |call: &&Call| call.within.is_some_and(|f| reached.contains(&f)) && call.at.0 > 0;
    table.calls.iter().filter(inside).filter(|call| call.module.is_none() && ends(&call.name))
}
