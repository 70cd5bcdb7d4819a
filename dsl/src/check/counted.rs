//! Checks counters and pools that count wrongly: a per-turn count that is never reset, or dice that are never spent. Also
//! finds dice that belong to one side but are shown to another.

use super::endings::Endings;
use super::name_table::{Call, LineColumn, NameTable, Value};
use super::report::Report;
use super::rules;
use super::unused::all_told;
use crate::diagnostic::{Code, Severity};
use crate::functions::{Cost, Fact, costs, has_fact};
use crate::host::kind::ParamKind;
use astragal_core::Variant;
use astragal_core::variant::CounterDef;

/// Checks counters by how the script uses them.
pub(super) fn check(table: &NameTable, endings: &Endings, variant: &Variant, report: &mut Report) {
    for def in &variant.spec().counters {
        if def.secret && def.per_side {
            shown_to_another(table, def, report);
        }
        // If counter names are built at run time, other uses of a counter cannot be ruled out.
        if !all_told(table, ParamKind::CounterName) {
            continue;
        }
        match def.size {
            1 => never_set_back(table, endings, def, report),
            _ => never_spent(table, def, report),
        }
    }
}

/// The calls in rules that name a counter, with the place of the name.
fn naming<'t>(table: &'t NameTable, counter: &'t str) -> impl Iterator<Item = (&'t Call, LineColumn)> {
    let named = move |call: &&'t Call| {
        let texts = call.args.iter().filter_map(Value::text);
        texts.into_iter().find(|(text, _)| *text == counter).map(|(_, at)| at)
    };
    rules::calls(table).filter_map(move |call| Some((call, named(&call)?)))
}

/// Whether a call may name a counter indirectly, through a value that can be one of several texts.
fn unclear(table: &NameTable, counter: &str) -> bool {
    let may = |value: &Value| match value {
        Value::OneOf(all) => all.iter().any(|one| matches!(one, Value::Text(text, _) if text == counter)),
        _ => false,
    };
    table.calls.iter().any(|call| call.args.iter().any(may))
}

/// Warns about a counter that grows during a turn and is never reset, so that it carries over into the next turn.
fn never_set_back(table: &NameTable, endings: &Endings, def: &CounterDef, report: &mut Report) {
    let own: Vec<(&Call, LineColumn)> = naming(table, &def.name).collect();
    let changing = own.iter().filter(|(call, _)| costs(&call.name, Cost::Effect));
    let grows = |call: &Call| call.name == "add" && matches!(call.args.last(), Some(Value::Number(n, _)) if *n > 0);
    if unclear(table, &def.name) || !changing.clone().all(|(call, _)| grows(call)) {
        return;
    }
    for (add, at) in changing {
        let again = table.calls.iter().find(|call| {
            call.name == "again" && call.module.is_none() && call.within == add.within && call.at > add.at
        });
        let ends = endings.all.iter().find(|ending| {
            ending.at > add.at && again.is_some_and(|again| ending.at < again.at) && ending.waits_for(&def.name)
        });
        let (Some(_), Some(ending)) = (again, ends) else { continue };
        let loses = ending.winner() == Some("opponent()");
        if ending.winner().is_none() || def.per_side && !loses {
            continue;
        }
        let severity = if def.per_side { Severity::Note } else { Severity::Warning };
        let whose = if def.per_side { "across all turns of a side" } else { "across the turns of all players" };
        let message = format!("the counter \"{}\" is never reset: it counts {whose}", def.name);
        let side = if def.per_side { "mover(), " } else { "" };
        let set = format!("set(\"{}\", {side}0);", def.name);
        let help = format!("to count per turn, write `{set}` wherever the turn ends without `again()`");
        let others = vec![(ending.at.0, ending.at.1, "this ends the game".to_string())];
        report.verdict(severity, Code::Counters, *at, (message, help), others, Vec::new());
        return;
    }
}

/// Warns about dice or cards that serve as payment but never leave the pool.
fn never_spent(table: &NameTable, def: &CounterDef, report: &mut Report) {
    let own: Vec<(&Call, LineColumn)> = naming(table, &def.name).collect();
    let has = |fact: Fact| own.iter().find(|(call, _)| has_fact(&call.name, fact) && call.module.is_none());
    // Any call that fills a pool may also empty it, except `keep` and numbers above 0.
    let lessens = |call: &Call| {
        let more = matches!(call.args.last(), Some(Value::Number(n, _)) if *n > 0);
        has_fact(&call.name, Fact::Fills) && call.name != "keep" && !more
    };
    let spent = has(Fact::Spends).is_some() || own.iter().any(|(call, _)| lessens(call));
    let Some((call, at)) = has(Fact::OffersHeld).filter(|_| has(Fact::Fills).is_some() && !spent) else { return };
    if unclear(table, &def.name) {
        return;
    }
    let message = format!(
        "`{}` offers the dice in the counter \"{}\", but no rule ever removes dice from it",
        call.name, def.name
    );
    let help = format!(
        "spend a used die with `spend(\"{}\", face)`, or empty the counter with `discard(\"{}\")`",
        def.name, def.name
    );
    report.warning(Code::Counters, *at, message, Some(help));
}

/// Warns about dice that go into the pool of one side and are shown to another.
fn shown_to_another(table: &NameTable, def: &CounterDef, report: &mut Report) {
    for (call, _) in naming(table, &def.name) {
        let (rolled, owner) = match (call.name.as_str(), call.args.as_slice()) {
            ("keep", [rolled, Value::Text(..)]) => (rolled, None),
            ("keep", [rolled, Value::Text(..), owner]) => (rolled, Some(owner)),
            ("set", [Value::Text(..), rolled]) => (rolled, None),
            ("set", [Value::Text(..), owner, rolled]) => (rolled, Some(owner)),
            _ => continue,
        };
        let Some((shown, at)) = shown_to(&resolved(table, rolled, call.within)) else { continue };
        let mover = Value::Call(Box::new(plain_call("mover")));
        let shown = match shown {
            Value::Truth(true) => mover.clone(),
            side => resolved(table, &side, call.within),
        };
        let owner = resolved(table, owner.unwrap_or(&mover), call.within);
        let (Some(shown), Some(owner)) = (words(&shown), words(&owner)) else { continue };
        // The value of a parameter is unknown here, and a loop visits each side in turn.
        if shown == owner || [&shown, &owner].iter().any(|side| is_parameter(table, call.within, side)) {
            continue;
        }
        let message = format!("these dice belong to `{owner}`, but they are shown to `{shown}`");
        let help = format!("in both places, use the same side, `{owner}` or `{shown}`");
        report.warning(Code::Secrets, at.unwrap_or(call.at), message, Some(help));
    }
}

fn plain_call(name: &str) -> Call {
    Call { name: name.into(), module: None, at: (0, 0), args: Vec::new(), method: false, narrows: false, within: None }
}

fn is_parameter(table: &NameTable, within: Option<usize>, name: &str) -> bool {
    within.and_then(|f| table.functions.get(f)).is_some_and(|function| function.names.iter().any(|known| known == name))
}

/// The initial value of a variable, if it is never reassigned; a loop's side keeps its name.
fn resolved(table: &NameTable, value: &Value, within: Option<usize>) -> Value {
    let Value::Name(name) = value else { return value.clone() };
    let mut made =
        table.values.iter().filter(|(known, _, place)| known == name && (*place == within || place.is_none()));
    match (made.next(), made.next()) {
        (Some((_, made @ (Value::Call(_) | Value::Text(..)), _)), None) if !table.assigned.contains(name) => {
            made.clone()
        }
        _ => value.clone(),
    }
}

/// The only side that sees the dice, and the place that names it.
fn shown_to(rolled: &Value) -> Option<(Value, Option<LineColumn>)> {
    let Value::Call(call) = rolled else { return None };
    let side = call.option("secret").filter(|_| costs(&call.name, Cost::Chance))?;
    let at = match side {
        Value::Call(side) => Some(side.at),
        Value::Text(_, at) => Some(*at),
        _ => Some(call.at),
    };
    Some((side.clone(), at))
}

/// A side as the script writes it.
fn words(side: &Value) -> Option<String> {
    Some(match side {
        Value::Name(name) => name.clone(),
        Value::Text(text, _) => format!("\"{text}\""),
        Value::Call(call) => match call.args.as_slice() {
            [] => format!("{}()", call.name),
            [Value::Text(text, _)] if call.name == "side" => format!("\"{text}\""),
            [Value::Number(n, _)] => format!("{}({n})", call.name),
            _ => return None,
        },
        _ => return None,
    })
}
