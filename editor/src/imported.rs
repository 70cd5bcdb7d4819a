//! The bundled scripts that a script imports, directly or through other scripts.
//!
//! It parses them with the same code as the script itself, and runs nothing.

use crate::document::{Document, Import};
use crate::names::NameKind;
use crate::resolve::{self, Meaning};
use crate::script::Script;
use astragal_dsl::library::{self, Source};
use std::collections::BTreeSet;
use std::ops::Range;

/// The name of the bundled script that a script imports under an alias. As in the interpreter, the last import counts.
pub(crate) fn script_of<'d>(document: &'d Document, alias: &str) -> Option<&'d str> {
    let named = |import: &&Import| import.alias.is_some_and(|token| document.is(token, alias));
    let known = document.imports().iter().rev().find(named)?;
    Some(&document.text()[document.inside(known.script)])
}

/// The bundled script that a script imports under an alias.
pub(crate) fn source_of(document: &Document, alias: &str) -> Option<Source> {
    library::bundled(script_of(document, alias)?)
}

/// Opens a bundled script.
pub(crate) fn read(name: &str) -> Option<Script> {
    library::bundled(name).map(Script::new)
}

/// The byte range of a declared name in an imported script. Functions with this number of parameters come first.
pub(crate) fn declaration(script: &Script, name: &str, arguments: Option<usize>) -> Option<Range<usize>> {
    let words = resolve::words(script);
    let declares = |word: &&resolve::Word| word.declares && script.text()[word.span.clone()] == *name;
    let all: Vec<&resolve::Word> = words.iter().filter(declares).collect();
    let is_function = |word: &&&resolve::Word| matches!(word.meaning, Meaning::Function(_));
    let exact = all.iter().filter(is_function).find(|word| arguments.is_some() && word.arguments == arguments);
    let any = || all.iter().find(is_function).or_else(|| all.first());
    exact.or_else(any).map(|word| word.span.clone())
}

/// Every bundled script that a script imports, directly or through others.
pub(crate) fn all(document: &Document) -> Vec<Script> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    follow(document, &mut seen, &mut found);
    found
}

fn follow(document: &Document, seen: &mut BTreeSet<String>, found: &mut Vec<Script>) {
    for import in document.imports() {
        let name = &document.text()[document.inside(import.script)];
        if !seen.insert(name.to_string()) {
            continue;
        }
        let Some(script) = read(name) else { continue };
        follow(script.document(), seen, found);
        found.push(script);
    }
}

/// The imported script that declares a name, and the byte range of the name there.
pub(crate) fn declares_name(document: &Document, kind: NameKind, name: &str) -> Option<(Source, Range<usize>)> {
    let place = |script: &Script| {
        let found = script.uses().iter().find(|one| one.declares && one.kind == kind && one.name == name);
        found.map(|one| (script.source().clone(), one.span.clone()))
    };
    all(document).iter().find_map(place)
}

/// The imported script with a function that this script calls and that mentions a name. If this script changed the
/// name, the function would no longer find it.
pub(crate) fn asks_for(script: &Script, name: &str) -> Option<String> {
    let mut seen = BTreeSet::new();
    resolve::words(script).iter().find_map(|word| match &word.meaning {
        Meaning::Imported { module, name: function } => {
            let base = script_of(script.document(), module)?.to_string();
            mentions(&base, function, name, &mut seen)
        }
        _ => None,
    })
}

/// The script with a function that mentions a name and is reached from a function of the bundled script `base`.
fn mentions(base: &str, function: &str, name: &str, seen: &mut BTreeSet<(String, String)>) -> Option<String> {
    if !seen.insert((base.to_string(), function.to_string())) {
        return None;
    }
    let script = read(base)?;
    let document = script.document();
    let of_name = document.functions().iter().filter(|one| document.is(one.name, function));
    let spans: Vec<Range<usize>> = of_name.map(|one| one.span.clone()).collect();
    let within = |at: usize| spans.iter().any(|span| span.contains(&at));
    let is_name = |token: usize| {
        let is_text = document.is_text(token) && document.text()[document.inside(token)] == *name;
        (is_text || document.is_key(token) && document.is(token, name)) && within(document.tokens()[token].span.start)
    };
    if (0..document.tokens().len()).any(is_name) {
        return Some(base.to_string());
    }
    resolve::words(&script).iter().filter(|word| within(word.span.start)).find_map(|word| match &word.meaning {
        Meaning::Function(other) => mentions(base, other, name, seen),
        Meaning::Imported { module, name: other } => mentions(script_of(document, module)?, other, name, seen),
        _ => None,
    })
}
