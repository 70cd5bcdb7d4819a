//! Built-in functions, their options, and properties, as in the reference.

use crate::calls;
use crate::document::Part;
use crate::functions;
use crate::kinds::Reader;
use crate::markdown::{block, code, paragraphs};
use crate::script::Script;
use astragal_dsl::manual::{self, Entry, ParamKind, ValueKind};

/// A call of a built-in function.
pub(super) fn call(script: &Script, name: usize) -> Option<String> {
    described(&forms(script, name))
}

/// The forms that a call can mean.
fn forms(script: &Script, name: usize) -> Vec<&'static Entry> {
    let call = script.document().call_of(name + 2).filter(|call| call.open == name + 1);
    call.map_or(Vec::new(), |call| calls::meant(&Reader::new(script), &call))
}

/// A property or a method.
pub(super) fn member(script: &Script, token: usize) -> Option<String> {
    let document = script.document();
    let name = document.word(token);
    if document.is(token + 1, "(") {
        return match document.function(name) {
            Some(function) => super::own::definition(document, function.name),
            None => call(script, token),
        };
    }
    let owner = Reader::new(script).ending_at(token.checked_sub(2)?);
    let all: Vec<&Entry> = functions::members(name).collect();
    let owned: Vec<&Entry> = all.iter().copied().filter(|entry| takes(entry, owner.as_deref())).collect();
    described(if owned.is_empty() && owner.is_none() { &all } else { &owned })
}

/// An operator between permits or sets; arithmetic needs no description.
pub(super) fn operator(script: &Script, token: usize) -> Option<String> {
    let document = script.document();
    let owner = Reader::new(script).ending_at(token.checked_sub(1)?)?;
    let sets = [ValueKind::Permit, ValueKind::Squares, ValueKind::Square];
    let is_set = owner.iter().all(|kind| sets.contains(kind));
    let entries: Vec<&Entry> = functions::named(document.word(token))
        .filter(|entry| entry.is_operator && entry.parameters.len() == 2 && takes(entry, Some(&owner)))
        .filter(|entry| entry.results.iter().all(|kind| sets.contains(kind)))
        .collect();
    described(&entries).filter(|_| is_set)
}

/// Whether the first parameter takes a value of one of these kinds.
fn takes(entry: &Entry, owner: Option<&[ValueKind]>) -> bool {
    let accepted = entry.parameters.first().map(|one| one.kind.accepts()).unwrap_or_default();
    owner.is_none_or(|owner| owner.iter().any(|kind| accepted.contains(kind)))
}

/// The option whose key is at a token.
pub(super) fn option(script: &Script, token: usize) -> Option<String> {
    let document = script.document();
    let call = document.call_of(token).filter(|call| call.module.is_none() && call.parts == [Part::Key])?;
    let key = document.key(token);
    let forms = forms(script, call.token);
    let argument = call.argument + usize::from(call.is_method);
    let takes_options =
        |entry: &&&Entry| entry.parameters.get(argument).is_some_and(|one| one.kind == ParamKind::Options);
    let entry =
        forms.iter().find(|entry| takes_options(entry) && entry.options.iter().any(|(known, _)| *known == key))?;
    let (_, kinds) = entry.options.iter().find(|(known, _)| *known == key)?;
    let head = format!("**{}**, option of {}: {}", code(&key), code(entry.name), manual::result(kinds));
    Some(paragraphs([head, manual::about_option(entry.name, &key)]))
}

/// The description of a word such as `"capturable"`, which a parameter or an option takes.
pub(super) fn word(script: &Script, token: usize) -> Option<String> {
    let document = script.document();
    let call = document.call_of(token)?;
    let quoted = code(document.word(token));
    let about = match call.parts.first() {
        Some(Part::Value(key)) => manual::about_option(&call.name, key),
        _ => {
            let takes_word = |entry: &&&Entry| {
                let argument = call.argument + usize::from(call.is_method);
                entry.parameters.get(argument).is_some_and(|one| one.kind == ParamKind::Word)
            };
            forms(script, call.token).iter().find(takes_word)?.about.clone()
        }
    };
    about.contains(&quoted).then(|| {
        let what = match call.parts.first() {
            Some(Part::Value(key)) => format!("{quoted}, a value of {} in {}", code(key), code(&call.name)),
            _ => format!("{quoted}, an argument of {}", code(&call.name)),
        };
        paragraphs([what, about.clone()])
    })
}

/// Forms of a function, grouped by description.
fn described(entries: &[&Entry]) -> Option<String> {
    let mut groups: Vec<Vec<&Entry>> = Vec::new();
    for &entry in entries {
        match groups.iter_mut().find(|group| group.iter().any(|known| known.about == entry.about)) {
            Some(group) => group.push(entry),
            None => groups.push(vec![entry]),
        }
    }
    let sections: Vec<String> = groups.iter().filter_map(|group| section(group)).collect();
    (!sections.is_empty()).then(|| sections.join("\n\n---\n\n"))
}

/// Forms that share a description.
fn section(forms: &[&Entry]) -> Option<String> {
    let first = forms.first()?;
    let heads: Vec<&str> = forms.iter().map(|form| form.signature.as_str()).collect();
    let mut results: Vec<ValueKind> = Vec::new();
    for kind in forms.iter().flat_map(|form| form.results) {
        if !results.contains(kind) {
            results.push(*kind);
        }
    }
    let result = manual::result(&results);
    let returns = if result.is_empty() { String::new() } else { format!("Returns: {result}.") };
    let requirements = if first.errors.is_empty() { String::new() } else { format!("Requirements: {}", first.errors) };
    let takes_options = forms.iter().any(|form| form.parameters.iter().any(|one| one.kind == ParamKind::Options));
    let options = if takes_options { options(first) } else { String::new() };
    Some(paragraphs([
        block("rhai", &heads.join("\n")),
        first.purpose.clone(),
        returns,
        format!("Cost: {} ({}).", first.cost, first.cost_meaning),
        options,
        requirements,
        block("rhai", &first.example),
    ]))
}

/// The options of a function as a list.
fn options(entry: &Entry) -> String {
    let one = |(key, kinds): &(&str, &[ValueKind])| {
        let about = manual::about_option(entry.name, key);
        let head = format!("- {}: {}", code(key), manual::result(kinds));
        if about.is_empty() { head } else { format!("{head}. {}", about.clone()) }
    };
    let list: Vec<String> = entry.options.iter().map(one).collect();
    if list.is_empty() { String::new() } else { format!("Options:\n\n{}", list.join("\n")) }
}
