//! The script's own functions, variables and constants, and the scripts that it imports.

use crate::document::{Binding, Document, Origin};
use crate::kinds::Reader;
use crate::markdown::{block, code, paragraphs, shortened};
use crate::script::Script;
use crate::{comments, imported};
use astragal_dsl::manual::{self, RULES};
use astragal_dsl::{Constant, library};

/// The maximum number of characters in a value or a declaration.
const LONG: usize = 200;

/// A function of the script, by the token of its name in its definition: its head, the comment above it, and an
/// explanation if it is a rule.
pub(super) fn definition(document: &Document, name: usize) -> Option<String> {
    let function = document.functions().iter().find(|function| function.name == name)?;
    let rule = RULES.iter().find(|rule| document.is(name, rule.name));
    let about = rule.map_or(String::new(), |rule| {
        let names: Vec<String> = rule.parameters.iter().take(function.parameters.len()).map(parameter).collect();
        let names = if names.is_empty() { String::new() } else { format!("Parameters: {}.", names.join(", ")) };
        paragraphs([format!("Rule of the game. {} {}", rule.about, rule.purpose), names])
    });
    Some(paragraphs([block("rhai", &head(document, name)), comments::markdown(document, name), about]))
}

fn parameter((name, kind): &(&str, manual::ValueKind)) -> String {
    format!("{} ({})", code(name), kind.words())
}

/// `fn name(a, b)`.
fn head(document: &Document, name: usize) -> String {
    let function = document.functions().iter().find(|function| function.name == name);
    let names = function.iter().flat_map(|function| &function.parameters).map(|&token| document.word(token));
    format!("fn {}({})", document.word(name), names.collect::<Vec<_>>().join(", "))
}

/// A variable, constant or parameter.
pub(super) fn variable(script: &Script, binding: &Binding) -> Option<String> {
    let document = script.document();
    let name = document.word(binding.token);
    let line = document.lines().line_of(document.tokens().get(binding.token)?.span.start) + 1;
    let kinds = Reader::new(script).of_binding(binding).map(|kinds| manual::result(&kinds)).unwrap_or_default();
    let kind = if kinds.is_empty() { String::new() } else { format!("{}: {kinds}.", code(name)) };
    match binding.origin {
        Origin::Import => module(document, name),
        Origin::Const | Origin::Let => {
            let declared = declaration(document, binding);
            let value = value(script, binding);
            let place = format!("Declared on line {line}.");
            let comment = comments::markdown(document, binding.token);
            Some(paragraphs([block("rhai", &declared), comment, value, format!("{kind} {place}").trim().into()]))
        }
        Origin::Loop => {
            let head = loop_head(document, binding.token);
            Some(paragraphs([block("rhai", &head), format!("{kind} Declared on line {line}.").trim().into()]))
        }
        Origin::Parameter => {
            let function = document.functions().iter().find(|function| function.parameters.contains(&binding.token));
            let owner = match function {
                Some(function) => format!("Parameter of {}.", code(&head(document, function.name))),
                None => match document.call_of(binding.token) {
                    Some(call) => format!("Parameter of a function that is passed to {}.", code(&call.name)),
                    None => "Parameter of a function.".into(),
                },
            };
            Some(paragraphs([block("rhai", name), format!("{kind} {owner} Declared on line {line}.").trim().into()]))
        }
    }
}

/// The statement that declares a variable or constant.
fn declaration(document: &Document, binding: &Binding) -> String {
    let start = binding.token.saturating_sub(1);
    let end = document.end_of_statement(start);
    let spans = document.tokens().get(start).zip(end.checked_sub(1).and_then(|last| document.tokens().get(last)));
    let text = spans.and_then(|(first, last)| document.text().get(first.span.start..last.span.end));
    shortened(text.unwrap_or_default(), LONG)
}

/// `for square in squares`.
fn loop_head(document: &Document, token: usize) -> String {
    let start = (token.saturating_sub(6)..token).rev().find(|&at| matches!(document.word(at), "for" | "catch"));
    let start = start.unwrap_or(token);
    let end = (start..document.tokens().len()).find(|&at| document.is(at, "{")).unwrap_or(token + 1);
    let spans = document.tokens().get(start).zip(document.tokens().get(end.saturating_sub(1)));
    let text = spans.and_then(|(first, last)| document.text().get(first.span.start..last.span.end));
    shortened(text.unwrap_or_default(), LONG)
}

/// The value of a constant, if it is calculated and the current text has been loaded.
fn value(script: &Script, binding: &Binding) -> String {
    let document = script.document();
    let name = document.word(binding.token);
    let start = binding.token + 2;
    let end = document.end_of_statement(start);
    let is_calculated = (start..end).any(|token| document.is_name(token) && !document.is_key(token));
    let loaded = script.loaded().filter(|loaded| loaded.source.text == script.text() && is_calculated);
    let known = loaded.and_then(|loaded| loaded.constants.iter().find(|(known, _)| known == name));
    match known.filter(|_| binding.origin == Origin::Const && document.enclosing(binding.token).is_none()) {
        Some((_, value)) => format!("Value: {}", code(&shortened(&written(value), LONG))),
        None => String::new(),
    }
}

/// A constant in the syntax of the language. Strings have no quotes, since `Constant` stores numbers as words, too.
fn written(value: &Constant) -> String {
    match value {
        Constant::Word(word) => word.clone(),
        Constant::List(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        Constant::Map(entries) => {
            let all = entries.iter().map(|(key, value)| format!("{key}: {}", written(value)));
            format!("#{{ {} }}", all.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A bundled script by its name.
pub(super) fn script(name: &str) -> Option<String> {
    let source = library::bundled(name)?;
    let document = Document::new(source.text.clone());
    let title = (0..document.tokens().len()).find_map(|token| {
        let called = document.is_call(token) && document.is(token, "title") && document.is_text(token + 2);
        called.then(|| document.text()[document.inside(token + 2)].to_owned())
    });
    let functions: Vec<String> = document
        .functions()
        .iter()
        .filter(|one| is_offered(&document, one.name))
        .map(|one| code(document.word(one.name)))
        .collect();
    let offers = if functions.is_empty() { String::new() } else { format!("Functions: {}.", functions.join(", ")) };
    let title = title.unwrap_or_else(|| name.to_owned());
    // The comment often begins with the title.
    let about = source.about();
    let first = about.lines().next().unwrap_or_default();
    let about = if first.trim_end_matches('.') == title { about[first.len()..].trim() } else { about.as_str() };
    let head = format!("**{title}**, the built-in script {}", code(name));
    Some(paragraphs([head.as_str(), about, offers.as_str()]))
}

/// Whether other scripts can use a function of a bundled script: it is neither private nor a rule.
fn is_offered(document: &Document, name: usize) -> bool {
    let is_private = name > 1 && document.is(name - 2, "private");
    !is_private && !RULES.iter().any(|rule| document.is(name, rule.name))
}

/// An imported script by its alias.
pub(super) fn module(document: &Document, alias: &str) -> Option<String> {
    script(imported::script_of(document, alias)?)
}

/// A function or constant of an imported script.
pub(super) fn imported(document: &Document, alias: &str, name: &str) -> Option<String> {
    let script = imported::script_of(document, alias)?;
    let source = library::bundled(script)?;
    let base = Document::new(source.text);
    let origin = format!("From the built-in script {}.", code(script));
    if let Some(function) = base.function(name) {
        return Some(paragraphs([definition(&base, function.name)?, origin]));
    }
    let is_constant = |one: &&Binding| one.origin == Origin::Const && base.is(one.token, name);
    let constant = base.bindings().iter().find(|one| is_constant(one) && base.enclosing(one.token).is_none())?;
    let comment = comments::markdown(&base, constant.token);
    Some(paragraphs([block("rhai", &declaration(&base, constant)), comment, origin]))
}
