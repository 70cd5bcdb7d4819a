//! Hover texts: the meaning of the word, string or option under the cursor, in Markdown.
//!
//! The current text of the script determines the meaning of a word. Facts about pieces, regions and other declared
//! things come from the last version that could be loaded. If that version declares a thing differently from the
//! current text, its facts are omitted: hover texts can be short, but not wrong. Pictures are plain text in code
//! blocks, so terminals can show them, too.

mod army;
mod cells;
mod current;
mod function;
mod key;
mod name;
mod notation;
mod own;
mod text;

use crate::script::Script;
use astragal_dsl::printable::printable;
use astragal_dsl::syntax::Sort;
use std::ops::Range;

/// A hover text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The byte range that it describes.
    pub span: Range<usize>,
    /// The text in Markdown.
    pub markdown: String,
}

/// The hover text at an offset.
///
/// ```
/// use astragal_dsl::Source;
/// use astragal_editor::{hover::hover, script::Script};
/// let text = "fn turn() { play(captures()); }";
/// let script = Script::new(Source { name: "mine".into(), path: None, text: text.into() });
/// let found = hover(&script, text.find("captures").unwrap()).unwrap();
/// assert!(found.markdown.starts_with("```rhai\ncaptures(kinds?: kinds)\n```"));
/// ```
pub fn hover(script: &Script, offset: usize) -> Option<Hover> {
    let document = script.document();
    if document.in_comment(offset) {
        return None;
    }
    let token = document.token_at(offset)?;
    let markdown = match document.tokens().get(token)?.sort? {
        Sort::Text | Sort::OpenText => text::about(script, token, offset),
        Sort::Word => word(script, token),
        Sort::Sign => function::operator(script, token),
        _ => None,
    }?;
    let span = document.tokens().get(token)?.span.clone();
    Some(Hover { span, markdown: printable(markdown.trim()).into_owned() })
}

/// The meaning of a name.
fn word(script: &Script, token: usize) -> Option<String> {
    let document = script.document();
    if !document.is_name(token) {
        return None;
    }
    if document.is_key(token) {
        return key::about(script, token);
    }
    if document.is_member(token) {
        return function::member(script, token);
    }
    if document.is(token.wrapping_sub(1), "fn") {
        return own::definition(document, token);
    }
    if document.is(token + 1, "::") {
        return own::module(document, document.word(token));
    }
    if let Some(module) = document.module_of(token) {
        return own::imported(document, module, document.word(token));
    }
    let called = document.is_call(token);
    let offset = document.tokens().get(token)?.span.start;
    let variable = || document.binding(document.word(token), offset);
    match variable().filter(|_| !called) {
        Some(binding) => own::variable(script, binding),
        None => function_named(script, token, called),
    }
}

/// A function of the script, called or passed as a value, or a call of a built-in function.
fn function_named(script: &Script, token: usize, called: bool) -> Option<String> {
    let document = script.document();
    let name = document.word(token);
    match document.function(name) {
        Some(function) => own::definition(document, function.name),
        None if called => function::call(script, token),
        None => None,
    }
}
