//! Checks names of functions and properties: whether they exist with that number and those types of arguments.
//!
//! The interpreter defines which names exist, so this check cannot differ from what rules can call.

use super::brackets::index_at;
use super::name_table::{Call, NameTable, Value};
use super::report::Report;
use super::signatures::{may_be, signature_of};
use crate::diagnostic::Code;
use crate::host::engine::LANGUAGE_FUNCTIONS;
use crate::host::kind::ParamKind;
use crate::host::slips::{nearly_foreign, of_function, of_word};
use crate::host::tokens::{arguments as arguments_of, text_of, tokens};
use crate::notation::{describe::alternatives, nearest};
use crate::vocabulary::Known;
use std::any::TypeId;
use std::collections::BTreeSet;
use std::mem::discriminant;

/// Checks all calls and properties.
pub(super) fn check(table: &NameTable, known: &Known, report: &mut Report) {
    for call in table.calls.iter().filter(|call| call.at.0 > 0) {
        match &call.module {
            Some(module) => imported(table, call, module, report),
            None => plain(table, known, call, report),
        }
    }
    for (name, at) in &table.properties {
        property(table, known, name, *at, report);
    }
}

fn plain(table: &NameTable, known: &Known, call: &Call, report: &mut Report) {
    let name = call.name.as_str();
    if LANGUAGE_FUNCTIONS.contains(&name) {
        return;
    }
    let own: Vec<usize> = table.functions.iter().filter(|f| f.name == name).map(|f| f.params).collect();
    let native = known.functions.get(name);
    if own.is_empty() && native.is_none() {
        if !table.variables.contains(name) {
            unknown(table, known, call, report);
        }
        return;
    }
    let receiver = usize::from(call.method);
    let fits_own = own.contains(&(call.args.len() - receiver));
    let fits_native = native.into_iter().flatten().any(|types| types.len() == call.args.len());
    if fits_own || fits_native {
        return;
    }
    let mut counts: BTreeSet<usize> = own.into_iter().collect();
    counts.extend(native.into_iter().flatten().map(|types| types.len().saturating_sub(receiver)));
    let count = call.args.len() - receiver;
    // Values of different types are not meant as an array.
    let sorts = call.args[receiver..].windows(2).all(|two| discriminant(&two[0]) == discriminant(&two[1]));
    let several = if sorts { count } else { 0 };
    let help = own_signature(table, name, several).or_else(|| native.and_then(|_| signature_of(call)));
    // Several kinds go in an array.
    let kinds = crate::functions::position_of(name, ParamKind::PieceNames) == Some(0);
    let help = match (kinds && native.is_some() && counts.iter().all(|most| count > *most), help) {
        (true, Some(_)) => {
            let texts: Vec<_> = call.args[receiver..].iter().filter_map(Value::text).collect();
            let names: Vec<String> = texts.iter().map(|(text, _)| format!("\"{text}\"")).collect();
            let list = if names.len() == count { names.join(", ") } else { ".., ..".into() };
            Some(format!("to name several pieces, use an array: `{name}([{list}])`"))
        }
        (_, help) => help,
    };
    // Another declaration with a similar name takes that many arguments.
    let declares = |other: &&str| crate::functions::costs(other, crate::functions::Cost::Declaration);
    let fits = |other: &&str| {
        let takes = |types: &Vec<TypeId>| types.len() == call.args.len();
        *other != name && call.within.is_none() && declares(other) && known.overloads(other).iter().any(takes)
    };
    let near = nearest(name, known.words().filter(fits));
    let help = match (near, help) {
        (Some(near), Some(help)) => Some(format!("did you mean `{near}`? ({help})")),
        (Some(near), None) => Some(format!("did you mean `{near}`?")),
        (None, help) => help,
    };
    let at = surplus(report, call, &counts).filter(|_| !kinds).unwrap_or(call.at);
    let help = help.or_else(|| match (name, call.args.first()) {
        ("range", Some(Value::Number(most, _))) => Some(format!("write `0..{most}`, or `1..={most}` to start at 1")),
        _ => Some("remove the extra arguments, or add the missing ones".into()),
    });
    report.error(Code::Arguments, at, format!("`{name}` takes {}", arguments(&counts, count)), help);
}

/// The argument to remove from a call with too many: the one without which the others match, or else the first one beyond
/// the maximum.
fn surplus(report: &Report, call: &Call, counts: &BTreeSet<usize>) -> Option<(usize, usize)> {
    let most = *counts.last()?;
    let fits = |without: usize| {
        let args: Vec<&Value> =
            call.args.iter().enumerate().filter(|(at, _)| *at != without).map(|(_, arg)| arg).collect();
        let mut forms = crate::functions::named(&call.name).flat_map(|(_, function)| &function.forms);
        forms.any(|form| {
            (form.least()..=form.params.len()).contains(&args.len())
                && form.params.iter().zip(&args).all(|(param, arg)| may_be(arg, param.kind.accepts()))
        })
    };
    let receiver = usize::from(call.method);
    let written =
        (receiver..call.args.len()).rev().find(|at| fits(*at)).unwrap_or(most + receiver).checked_sub(receiver)?;
    let all = tokens(&report.text);
    let name = index_at(&all, call.at)?;
    let first = arguments_of(&all, name + 1).get(written).filter(|_| call.args.len() > most + receiver)?.start;
    Some(all[first].at)
}

/// The signature of a script function.
fn own_signature(table: &NameTable, name: &str, given: usize) -> Option<String> {
    let function = table.functions.iter().find(|f| f.name == name)?;
    let several = match (function.params, given) {
        (1, 2..) => format!("; to pass several values, use an array: `{name}([.., ..])`"),
        _ => String::new(),
    };
    let signature = crate::manual::signature_advice(&format!("fn {name}({})", function.names.join(", ")));
    Some(format!("{signature}{several}"))
}

/// `1, 2 or 3 arguments, not 4`.
fn arguments(counts: &BTreeSet<usize>, given: usize) -> String {
    if counts.last() == Some(&0) {
        return format!("no arguments, but this call has {given}");
    }
    let texts: Vec<String> = counts.iter().map(ToString::to_string).collect();
    let plural = if counts.len() == 1 && counts.contains(&1) { "argument" } else { "arguments" };
    format!("{} {plural}, not {given}", alternatives(&texts))
}

fn unknown(table: &NameTable, known: &Known, call: &Call, report: &mut Report) {
    let name = call.name.as_str();
    let own = table.functions.iter().filter(|f| !f.anonymous).map(|f| f.name.as_str());
    let candidates: Vec<&str> = own.chain(known.words()).chain(LANGUAGE_FUNCTIONS).collect();
    // Prefer candidates that take that many arguments and, at the top level, that are declarations.
    let likely = |candidate: &&str| {
        let fits = known.overloads(candidate).iter().any(|types| types.len() == call.args.len());
        let declares = crate::functions::costs(candidate, crate::functions::Cost::Declaration);
        fits && (call.within.is_some() || declares)
    };
    let first: Vec<&str> = candidates.iter().copied().filter(|candidate| likely(candidate)).collect();
    let help = match nearest(name, first).or_else(|| nearest(name, candidates)) {
        _ if call.method && known.properties.contains(name) => {
            Some(format!("it is a property: write `.{name}` without parentheses"))
        }
        _ if of_function(name).is_some() => of_function(name).map(|help| with_arguments(&help, call, report)),
        _ if of_word(&name.to_lowercase()).is_some() => {
            let sign = of_word(&name.to_lowercase()).unwrap_or_default();
            Some(match sign {
                "!" => "write `!` for not: `!(..)`".to_string(),
                sign => format!("write `{sign}` between the values: `a {sign} b`"),
            })
        }
        Some(near) => Some(format!("did you mean `{near}`?")),
        None => from_base(table, name).or_else(|| nearly_foreign(name)).or_else(|| nearly_part(name, known)),
    };
    let help = help.or_else(|| Some("define it, or look up a built-in function with `astragal reference`".into()));
    report.error(Code::UnknownName, call.at, format!("there is no function called `{name}`"), help);
}

/// A suggestion to call another function, with the arguments of this call filled in.
fn with_arguments(help: &str, call: &Call, report: &Report) -> String {
    let code = help.strip_prefix("write `").and_then(|code| code.strip_suffix('`'));
    let Some(code) = code else { return help.to_string() };
    let all = tokens(&report.text);
    let Some(name) = index_at(&all, call.at) else { return help.to_string() };
    let texts = arguments_of(&all, name + 1).into_iter().map(|range| text_of(&report.text, &all, &range).to_string());
    let texts: Vec<String> = texts.collect();
    match (code.split_once('('), texts.as_slice()) {
        // A property of the only argument.
        (None, [of]) if code.starts_with('.') && !call.method => format!("write `{of}{code}`"),
        (Some((other, ")")), [of]) if !call.method && crate::functions::named(other).next().is_none() => {
            // Values without a length can be counted.
            let counted = if other == "len" { format!(" or `{of}.count()`") } else { String::new() };
            format!("write `{of}.{other}()`{counted}")
        }
        (Some((other, inner)), [_, ..])
            if inner.trim_end_matches(')').chars().all(|c| c.is_alphabetic() || c == '.') =>
        {
            match inner {
                ")" => help.to_string(),
                _ => format!("write `{other}({})`", texts.join(", ")),
            }
        }
        _ => help.to_string(),
    }
}

/// A function whose name contains a word similar to this one, such as `in_check` for `cheeck`.
fn nearly_part(name: &str, known: &Known) -> Option<String> {
    let parts =
        known.words().filter(|word| word.contains('_')).flat_map(|word| word.split('_').map(move |p| (p, word)));
    let parts: Vec<(&str, &str)> = parts.filter(|(part, _)| part.len() > 3).collect();
    let near = nearest(name, parts.iter().map(|(part, _)| *part))?;
    let (_, whole) = parts.iter().find(|(part, _)| *part == near)?;
    Some(format!("did you mean `{whole}`?"))
}

/// The import that has a function with this name.
fn from_base(table: &NameTable, name: &str) -> Option<String> {
    let has = |base: &str| functions_of(base).is_some_and(|all| all.iter().any(|(n, _)| n == name));
    let (alias, _) = table.imports.iter().find(|(_, base)| has(base))?;
    Some(format!("did you mean `{alias}::{name}`?"))
}

/// The functions of a bundled script: names and parameters.
fn functions_of(base: &str) -> Option<Vec<(String, Vec<String>)>> {
    let ast = super::name_table::base(base)?;
    let params = |params: &[&str]| params.iter().map(ToString::to_string).collect();
    Some(ast.iter_functions().map(|f| (f.name.to_string(), params(&f.params))).collect())
}

fn imported(table: &NameTable, call: &Call, module: &str, report: &mut Report) {
    let Some((_, base)) = table.imports.iter().find(|(alias, _)| alias == module) else { return };
    let Some(functions) = functions_of(base) else { return };
    let name = call.name.as_str();
    let counts: BTreeSet<usize> = functions.iter().filter(|(n, _)| n == name).map(|(_, k)| k.len()).collect();
    if counts.is_empty() {
        let names = functions.iter().map(|(n, _)| n.as_str()).filter(|n| !n.starts_with("anon$"));
        let part = || names.clone().find(|other| other.split('_').any(|part| part == name));
        let near = nearest(name, names.clone()).or_else(part);
        let help = near.map(|near| format!("did you mean `{module}::{near}`?"));
        report.error(Code::UnknownName, call.at, format!("\"{base}\" has no function called `{name}`"), help);
    } else if !counts.contains(&call.args.len()) {
        let given = call.args.len();
        let params = functions.iter().find(|(n, _)| n == name).map(|(_, params)| params.join(", "));
        let help = params.map(|params| crate::manual::signature_advice(&format!("{module}::{name}({params})")));
        report.error(Code::Arguments, call.at, format!("`{module}::{name}` takes {}", arguments(&counts, given)), help);
    }
}

fn property(table: &NameTable, known: &Known, name: &str, at: (usize, usize), report: &mut Report) {
    let is_trait = || table.declares("piece_trait", name);
    if known.properties.contains(name) || table.keys.contains(name) || table.texts.contains(name) && !is_trait() {
        return;
    }
    if is_trait() {
        let all = tokens(&report.text);
        let dot = index_at(&all, at).unwrap_or(0);
        let owner = dot.checked_sub(2).map_or("square", |before| all[before].text).to_string();
        let help =
            format!("it is a trait: write `{owner}.get(\"{name}\")`, or set it with `set({owner}, \"{name}\", ..)`");
        return report.error(Code::UnknownName, at, format!("`{name}` is not a property"), Some(help));
    }
    let function = known.has(name) || table.functions.iter().any(|f| f.name == name);
    let names = known.properties.iter().map(String::as_str).chain(table.keys.iter().map(String::as_str));
    let message = format!("there is no property called `{name}`");
    match nearest(name, names) {
        Some(near) if function && near.len() == name.len() => {
            report.error(Code::UnknownName, at, message, Some(format!("did you mean `.{near}`?")))
        }
        // A declaration is not a property with parentheses missing, so give no such advice.
        _ if function && crate::functions::costs(name, crate::functions::Cost::Declaration) => {
            report.error(Code::UnknownName, at, message, None)
        }
        _ if function => {
            report.error(Code::UnknownName, at, message, Some(format!("it is a function: write `.{name}()`")))
        }
        _ if of_function(name).is_some() => report.error(Code::UnknownName, at, message, of_function(name)),
        Some(near) => report.error(Code::UnknownName, at, message, Some(format!("did you mean `.{near}`?"))),
        None => report.warning(Code::UnknownName, at, message, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::engine::{ExecutionBudget, Limits, sandbox};
    use crate::host::script::vocabulary;

    /// The chapters of the guide, `docs/guide/`, in one text.
    fn guide() -> String {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide");
        let chapters =
            std::fs::read_dir(folder).expect("the guide is there").map(|entry| entry.expect("a page").path());
        chapters.map(|path| std::fs::read_to_string(path).expect("a page")).collect()
    }

    /// The code parts of a Markdown text. A fence has an odd number of backticks, so it toggles like a single one.
    fn code(text: &str) -> impl Iterator<Item = &str> {
        text.split('`').skip(1).step_by(2)
    }

    /// The names that the game language adds to the interpreter's own.
    fn own(all: impl Fn(&Known) -> Vec<String>) -> Vec<String> {
        let bare = all(&Known::of(&sandbox(&Limits::default(), &ExecutionBudget::default())));
        all(&Known::of(&vocabulary())).into_iter().filter(|name| !bare.contains(name)).collect()
    }

    #[test]
    fn the_guide_names_every_function_and_property() {
        let mut names = own(|known| known.words().map(str::to_string).collect());
        names.extend(own(|known| known.properties.iter().cloned().collect()));
        assert!(names.len() > 150, "{names:?}");
        let guide = guide();
        let words = code(&guide).flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let known: BTreeSet<&str> = words.collect();
        let missing: Vec<&String> = names.iter().filter(|name| !known.contains(name.as_str())).collect();
        assert!(missing.is_empty(), "docs/guide does not name {missing:?}");
    }

    #[test]
    fn every_function_that_the_guide_calls_exists() {
        let known = Known::of(&vocabulary());
        let guide = guide();
        let mut called = BTreeSet::new();
        for piece in code(&guide) {
            for (at, _) in piece.match_indices('(') {
                let before = &piece[..at];
                let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                let declared = before.ends_with(&format!("fn {name}"));
                if !name.is_empty() && !declared {
                    called.insert(name);
                }
            }
        }
        assert!(called.len() > 120, "{called:?}");
        // `type_of` is a keyword of the interpreter.
        called.remove("type_of");
        // Bases and examples have functions of their own.
        let base = |name: &str| crate::library::bundled(name).expect("it comes with the program").text;
        let declared = [base("chess"), base("xiangqi"), guide.clone()];
        let exists = |name: &str| known.has(name) || declared.iter().any(|text| text.contains(&format!("fn {name}(")));
        let missing: Vec<&&str> = called.iter().filter(|name| !exists(name)).collect();
        assert!(missing.is_empty(), "docs/guide calls {missing:?}, which do not exist");
    }
}
