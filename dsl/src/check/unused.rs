//! Finds declarations that are never used, and names that hide built-in functions.
//!
//! Names in strings are checked only if the script never builds such strings at run time, so that all names are visible.

use super::brackets::{function_around, index_at, statement_end, step};
use super::name_table::{Call, LineColumn, NameTable, Value};
use super::report::{MOST, Report};
use super::rules::{RULES, called};
use crate::diagnostic::{Code, Severity};
use crate::functions::{Cost, Form, costs, named, position_of};
use crate::host::kind::ParamKind;
use crate::host::tokens::{Token, tokens};
use crate::notation::describe::alternatives;
use std::collections::BTreeMap;

/// Finds unused declarations.
pub(super) fn check(table: &NameTable, all: &[Token<'_>], report: &mut Report) {
    functions(table, all, report);
    parameters(table, all, report);
    variables(table, all, report);
    declared(table, report);
    never_asked(table, report);
    never_given(table, report);
}

/// Functions that hide a built-in function.
pub(super) fn hiding(table: &NameTable, all: &[Token<'_>], report: &mut Report) {
    closures(all, report);
    for function in table.functions.iter().filter(|f| !f.anonymous) {
        let name = &function.name;
        let takes = |form: &Form| (form.least()..=form.params.len()).contains(&function.params);
        let Some((_, hidden)) = named(name).find(|(_, hidden)| hidden.forms.iter().any(takes)) else { continue };
        let message = format!("`{name}` hides the built-in function with the same name");
        let help = Some("choose a different name".to_string());
        match hidden.newer {
            // The built-in function may be newer than the script, so the game still works.
            true => report.warning(Code::Rules, place(all, name), message, help),
            false => report.error(Code::Rules, place(all, name), message, help),
        }
    }
}

/// Variables that hold a function and are called under the name of a built-in function, so that the call is ambiguous.
fn closures(all: &[Token<'_>], report: &mut Report) {
    for five in all.windows(4) {
        let name = &five[1];
        let is_function = five[0].is("let") && five[2].is("=") && matches!(five[3].text, "|" | "||");
        let called = || all.windows(2).any(|two| two[0].is(name.text) && two[1].is("(") && two[0].at > name.at);
        if is_function && named(name.text).next().is_some() && called() {
            let message = format!("`{}` hides the built-in function with the same name", name.text);
            report.warning(Code::Rules, name.at, message, Some("choose a different name".into()));
        }
    }
}

/// The place of a script function's name.
fn place(all: &[Token<'_>], name: &str) -> LineColumn {
    let found = all.windows(2).find(|pair| pair[0].is("fn") && pair[1].is(name));
    found.map_or((0, 0), |pair| pair[1].at)
}

/// Functions that are never called.
fn functions(table: &NameTable, all: &[Token<'_>], report: &mut Report) {
    let whole = table.functions.iter().any(|f| f.name == "turn");
    for function in table.functions.iter().filter(|f| whole && !f.anonymous) {
        let (name, at) = (&function.name, place(all, &function.name));
        if !table.is_called(name) && !RULES.contains(&name.as_str()) {
            let rules = alternatives(&RULES.map(|rule| format!("`{rule}`")));
            let help = format!("call it from a rule ({rules}), or remove it");
            report.warning(Code::Unused, at, format!("`{name}` is never called"), Some(help));
        }
    }
}

/// Parameters that their function never reads.
fn parameters(table: &NameTable, all: &[Token<'_>], report: &mut Report) {
    for function in table.functions.iter().filter(|f| !f.anonymous && !RULES.contains(&f.name.as_str())) {
        let Some(head) = all.windows(2).position(|two| two[0].is("fn") && two[1].is(&function.name)) else { continue };
        let whole = &all[function_around(all, head + 1)];
        let mut counts: BTreeMap<&str, (usize, LineColumn)> = BTreeMap::new();
        for token in whole.iter().filter(|token| token.is_word()) {
            counts.entry(token.text).or_insert((0, token.at)).0 += 1;
        }
        let templates: Vec<&str> = whole.iter().map(|token| token.text).filter(|text| text.starts_with('`')).collect();
        for name in function.names.iter().filter(|name| !name.starts_with('_')).take(MOST) {
            let in_text = || templates.iter().any(|text| text.contains(name.as_str()));
            if let Some((1, at)) = counts.get(name.as_str()).filter(|_| !in_text()) {
                let message = format!("`{}` does not use its parameter `{name}`", function.name);
                let help = Some(format!("use `{name}`, or remove it here and in every call"));
                report.warning(Code::Unused, *at, message, help);
            }
        }
    }
}

/// Whether a function has an effect besides its result: a built-in function, or one of the script that calls such a
/// function. Rolling dice does not count, because the result matters.
fn acts(table: &NameTable, name: &str) -> bool {
    let does = |name: &str| named(name).any(|(row, _)| matches!(row.cost, Cost::Effect | Cost::Decision));
    let own = table.functions.iter().any(|f| f.name == name);
    does(name) || own && called(table, &[name]).iter().any(|name| does(name))
}

/// The calls in the statement that begins at a token.
fn calls_of_statement<'t>(all: &'t [Token<'t>], first: usize) -> impl Iterator<Item = &'t str> {
    let statement = &all[first..statement_end(all, first)];
    statement.windows(2).filter(|pair| pair[0].is_word() && pair[1].is("(")).map(|pair| pair[0].text)
}

/// Variables and constants that are never read.
fn variables(table: &NameTable, all: &[Token<'_>], report: &mut Report) {
    let mut depth = 0;
    for (i, token) in all.iter().enumerate() {
        depth += step(token);
        let Some(name) = all.get(i + 1).filter(|name| name.is_word()) else { continue };
        let made = token.is("const") || token.is("let") && depth > 0;
        if !made || name.text.starts_with('_') {
            continue;
        }
        // An assignment alone does not count as a use.
        let reads = |at: usize| {
            let other = &all[at];
            let is_property = at > 0 && all[at - 1].is(".");
            let set = all.get(at + 1).is_some_and(|next| next.is("="));
            let made_again = at > 0 && matches!(all[at - 1].text, "let" | "const");
            other.is(name.text) && at != i + 1 && !is_property && !set && !made_again
        };
        let in_text = |other: &Token<'_>| other.text.starts_with('`') && other.text.contains(name.text);
        let around = if token.is("let") { function_around(all, i) } else { 0..all.len() };
        if around.into_iter().any(reads) || all.iter().any(in_text) {
            continue;
        }
        let value_is_option = all.get(i + 3).is_some_and(|value| value.is("option"));
        // A function that ends with this `let` already has a message.
        let told = report.found.iter().any(|found| found.line == name.at.0);
        if value_is_option || told {
            continue;
        }
        let message = format!("`{}` is never used", name.text);
        let value = all.get(i + 3).map_or("", |value| value.text);
        match calls_of_statement(all, i + 3).find(|name| acts(table, name)) {
            // The effect is intended, and only the result is unused.
            Some(call) => {
                let help = match call == value {
                    true => format!("`{value}(..);` alone has the same effect"),
                    false => format!("remove `let {} =`: `{call}` has the same effect without it", name.text),
                };
                report.note(Code::Unused, name.at, message, Some(help));
            }
            None => report.warning(Code::Unused, name.at, message, Some(format!("use `{}`, or remove it", name.text))),
        }
    }
}

/// Counters, marks, traits, regions and tracks that no rule names, and options that are never read.
fn declared(table: &NameTable, report: &mut Report) {
    let makes: [(&str, ParamKind, &str); 6] = [
        ("counter", ParamKind::CounterName, "counter"),
        ("marks", ParamKind::MarkName, "mark"),
        ("piece_trait", ParamKind::TraitName, "trait"),
        ("region", ParamKind::RegionName, "region"),
        ("track", ParamKind::TrackName, "track"),
        ("lines", ParamKind::TrackName, "track"),
    ];
    for (maker, kind, word) in makes {
        if !all_told(table, kind) {
            continue;
        }
        for call in table.named(maker).filter(|call| call.args.len() > 1) {
            let Some((name, at)) = call.text(0) else { continue };
            // Declarations of a base may be copied along with its board.
            let copied = maker != "counter"
                && crate::library::bases()
                    .any(|base| base.text != *report.text && base.text.contains(&format!("{maker}(\"{name}\"")));
            if mentions(report, name) < 2 && !copied {
                let message = format!("the {word} \"{name}\" is never used");
                report.warning(Code::Unused, at, message, Some("use it in a rule, or remove it".into()));
            }
        }
    }
    for call in table.named("option").filter(|call| call.args.len() >= 3) {
        let Some((name, at)) = call.text(0) else { continue };
        let bound = table.values.iter().any(|(_, value, _)| matches!(value, Value::Call(other) if other.at == call.at));
        let alone = call.within.is_none() && !bound && mentions(report, name) < 2 && stands_alone(report, call);
        if alone && !asked_by_bases(table, name) {
            let help = format!(
                "keep its value with `const NAME = option(\"{name}\", ..)`, or read `option(\"{name}\")` in a \
                 rule"
            );
            report.warning(Code::Unused, at, format!("the option \"{name}\" is never used"), Some(help));
        }
    }
}

/// Marks that rules put on squares, but never read.
fn never_asked(table: &NameTable, report: &mut Report) {
    if !all_told(table, ParamKind::MarkName) || !table.imports.is_empty() {
        return;
    }
    let named = |name: &str, asks: bool| {
        table.calls.iter().any(|call| {
            let takes = position_of(&call.name, ParamKind::MarkName).is_some() && call.name != "marks";
            takes && costs(&call.name, Cost::Effect) != asks && call.names(name)
        })
    };
    for call in table.named("marks") {
        let Some((name, at)) = call.text(0) else { continue };
        if named(name, false) && !named(name, true) {
            let message = format!("rules put the mark \"{name}\" on squares, but no rule reads it");
            let help = format!("read it in a rule, as in `sq in marked(\"{name}\")`, or remove the mark");
            report.warning(Code::Unused, at, message, Some(help));
        }
    }
}

/// Marks and counters that rules read, but never set.
fn never_given(table: &NameTable, report: &mut Report) {
    if !table.imports.is_empty() {
        return;
    }
    let makes = [("marks", ParamKind::MarkName, "mark"), ("counter", ParamKind::CounterName, "counter")];
    for (maker, kind, word) in makes {
        if !all_told(table, kind) {
            continue;
        }
        for call in table.named(maker) {
            let Some((name, at)) = call.text(0) else { continue };
            // A counter with an initial value, or one that a position sets, may be a constant of the rules.
            let nothing_yet = match call.args.as_slice() {
                [_, Value::Number(0, _), ..] => kind == ParamKind::CounterName,
                [_] | [_, Value::Map(_)] => true,
                _ => false,
            };
            let asks = |other: &&Call| {
                let takes = position_of(&other.name, kind).is_some() && other.names(name);
                let acts =
                    [Cost::Effect, Cost::Decision, Cost::Chance].into_iter().any(|cost| costs(&other.name, cost));
                takes && !acts && other.name != maker && other.module.is_none()
            };
            // A call that only removes does not set the value.
            let takes_away = |other: &&Call| {
                let empties = match other.name.as_str() {
                    "unmark" => true,
                    "set" => matches!(other.args.last(), Some(Value::Number(0, _))),
                    _ => false,
                };
                other.names(name) && empties && other.module.is_none()
            };
            let asked: Vec<_> = table.calls.iter().filter(asks).collect();
            let known = asked.len() + table.calls.iter().filter(takes_away).count() + 1;
            // Any other mention may set it: an option, an argument of a script function, a position.
            if let (Some(first), true, true) = (asked.first(), nothing_yet, written(report, name) == known)
                && !set_by_position(table, name)
            {
                let message = format!("rules read the {word} \"{name}\", but no rule sets it");
                let help = match kind {
                    ParamKind::MarkName => format!("put it on squares, as in `mark(mv.to, \"{name}\")`, or remove it"),
                    _ => format!("change it in a rule, as in `add(\"{name}\", 1)`, or remove it"),
                };
                let others = vec![(first.at.0, first.at.1, "read here".to_string())];
                report.verdict(Severity::Warning, Code::Unused, at, (message, help), others, Vec::new());
            }
        }
    }
}

/// How often a name occurs in quotes, as the key of an entry, or in a template string.
fn written(report: &Report, name: &str) -> usize {
    let quoted = format!("\"{name}\"");
    let all = tokens(&report.text);
    let key = |i: usize| all[i].is(name) && all.get(i + 1).is_some_and(|next| next.is(":"));
    let within = |token: &Token<'_>| token.text.starts_with('`') && token.text.contains(name);
    (0..all.len()).filter(|&i| all[i].text == quoted || key(i) || within(&all[i])).count()
}

/// Whether a string of the script, such as a starting position, assigns a value to this name.
fn set_by_position(table: &NameTable, name: &str) -> bool {
    table.texts.iter().any(|text| text.contains(&format!("{name}=")))
}

/// Whether a base that the script imports reads an option.
fn asked_by_bases(table: &NameTable, name: &str) -> bool {
    let bases = table.imports.iter().filter_map(|(_, base)| crate::library::bundled(base));
    bases.into_iter().any(|base| base.text.contains(&format!("\"{name}\"")))
}

/// Whether a call is a separate statement.
fn stands_alone(report: &Report, call: &Call) -> bool {
    let all = tokens(&report.text);
    let at = index_at(&all, call.at);
    at.is_some_and(|at| at == 0 || matches!(all[at - 1].text, ";" | "}" | "{"))
}

/// How often a name occurs in the script, in quotes or as the key of an entry.
fn mentions(report: &Report, name: &str) -> usize {
    let quoted = format!("\"{name}\"");
    let all = tokens(&report.text);
    all.iter()
        .filter(|token| token.text == quoted || token.is(name) && token.is_word() || token.text.starts_with('`'))
        .count()
}

/// Whether all names of a kind are literals where they are used, so that none is built at run time.
pub(super) fn all_told(table: &NameTable, kind: ParamKind) -> bool {
    table.calls.iter().filter(|call| call.module.is_none()).all(|call| {
        let at = position_of(&call.name, kind);
        // After an optional first value, the name may come later.
        at.is_none_or(|at| !call.args.iter().skip(at.min(1)).any(is_put_together))
    })
}

/// Whether a string is built from parts.
fn is_put_together(value: &Value) -> bool {
    match value {
        // A sum of numbers is not a string.
        Value::Joined(parts) => {
            parts.iter().any(|part| matches!(part, Value::Text(..)) || is_put_together(part))
                || parts.iter().all(|part| matches!(part, Value::Name(_)))
        }
        Value::OneOf(all) | Value::List(all) => all.iter().any(is_put_together),
        Value::Item(of, _) => is_put_together(of),
        _ => false,
    }
}
