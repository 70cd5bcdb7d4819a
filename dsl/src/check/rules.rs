//! The rules as a whole: what is missing, misnamed, endless or without effect.

use super::Report;
use super::survey::{Call, Survey};
use crate::functions::kind::ValueKind;
use crate::functions::{Cost, Fact, costs, gives, has_fact, named};
use crate::library;
use crate::notation::nearest;
use std::collections::BTreeSet;

/// The functions that the engine calls.
pub(super) const RULES: [&str; 4] = ["turn", "capture", "outcome", "prepare"];

/// Whether a call of this name can end a game.
pub(super) fn ends(name: &str) -> bool {
    [Fact::Wins, Fact::Draws, Fact::Eliminates].iter().any(|fact| has_fact(name, *fact))
}

/// A function that nobody calls and whose name is nearly that of a missing rule. Says whether there
/// was one.
pub(super) fn misnamed(survey: &Survey, places: impl Fn(&str) -> (usize, usize), report: &mut Report) -> bool {
    let mut found = false;
    for function in survey.functions.iter().filter(|f| !f.anonymous && !survey.is_called(&f.name)) {
        let Some(rule) = nearest(&function.name, RULES) else { continue };
        if survey.functions.iter().any(|f| f.name == rule) {
            continue;
        }
        found = true;
        let message = format!("nothing calls `{}`, and there is no rule `{rule}`", function.name);
        report.error(places(&function.name), message, Some(format!("did you mean `fn {rule}`?")));
    }
    found
}

/// Everything called from these functions, through imported bases as well.
pub(super) fn called(survey: &Survey, roots: &[&str]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    visit(survey, roots, &mut |call| {
        names.insert(call.name.clone());
    });
    names
}

/// Shows every call that is reached from these functions, through imported bases as well.
pub(super) fn visit(survey: &Survey, roots: &[&str], see: &mut impl FnMut(&Call)) {
    visit_once(survey, roots, &mut BTreeSet::new(), see);
}

fn visit_once(survey: &Survey, roots: &[&str], seen: &mut BTreeSet<(String, String)>, see: &mut impl FnMut(&Call)) {
    let reached = survey.reached(roots, false);
    for call in survey.calls.iter().filter(|call| call.within.is_some_and(|f| reached.contains(&f))) {
        see(call);
        let Some(base) = base_of(survey, call) else { continue };
        if !seen.insert((base.clone(), call.name.clone())) {
            continue;
        }
        let Some(ast) = library::bundled(&base).and_then(|source| super::parse(&source.text).ok()) else { continue };
        visit_once(&survey.of_base(&ast), &[&call.name], seen, see);
    }
}

fn base_of(survey: &Survey, call: &Call) -> Option<String> {
    let module = call.module.as_ref()?;
    survey.imports.iter().find(|(alias, _)| alias == module).map(|(_, base)| base.clone())
}

/// Whether no rule can ever end the game.
pub(super) fn cannot_end(survey: &Survey) -> bool {
    !called(survey, &RULES).iter().any(|name| ends(name))
}

/// Whether there is a rule `turn` and it can never ask a player for anything.
pub(super) fn never_plays(survey: &Survey) -> bool {
    let names = called(survey, &["turn"]);
    let has = survey.functions.iter().any(|f| f.name == "turn");
    has && !names.iter().any(|name| costs(name, Cost::Decision))
}

/// Loops without a way out in which nothing is asked of dice or players.
pub(super) fn endless(survey: &Survey, report: &mut Report) {
    for (at, calls) in &survey.endless {
        let waits = |name: &String| {
            costs(name, Cost::Decision) || tells_faces(name) || survey.functions.iter().any(|f| f.name == *name)
        };
        if !calls.iter().any(waits) {
            let help = "end it by `break` or `return`, or give it a condition";
            report.error(*at, "this loop never ends".to_string(), Some(help.into()));
        }
    }
}

/// Whether a call of this name rolls dice and tells what they show.
pub(super) fn tells_faces(name: &str) -> bool {
    costs(name, Cost::Chance) && !gives(name, ValueKind::Cast)
}

/// What a call of this name makes, if that is all that it does: it looks at the game at most.
fn made(name: &str) -> Option<&'static [ValueKind]> {
    let only_makes = named(name).all(|(row, _)| matches!(row.cost, Cost::Value | Cost::Search));
    let first = named(name).find_map(|(_, function)| function.forms.first());
    first.filter(|_| only_makes).map(|form| form.results)
}

/// Calls whose only use is their result, and whose result is not used.
pub(super) fn unused(survey: &Survey, report: &mut Report) {
    for call in survey.calls.iter().filter(|call| call.lost && call.module.is_none() && call.within.is_some()) {
        let own = survey.functions.iter().any(|f| f.name == call.name);
        if let Some(results) = made(&call.name).filter(|_| !own) {
            let message = format!("`{}` only makes a value, and nothing uses it", call.name);
            let help = match results.contains(&ValueKind::Permit) {
                true => format!("did you mean `play({}(...))` or `return ...`?", call.name),
                false => format!("did you mean `let ... = {}(...)` or `return ...`?", call.name),
            };
            report.warning(call.at, message, Some(help));
        }
    }
}
