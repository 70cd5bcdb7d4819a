//! Whether the last version that could be loaded declares a thing in the same way as the current text.
//!
//! It compares the calls that declare the thing, and the constants and imports that they use, directly or through other
//! constants. Functions that run the calls are not compared.

use crate::document::Document;
use crate::script::Script;
use astragal_dsl::Loaded;
use std::ops::Range;

/// Calls to compare: the function, and the name that the first argument must be. `None` compares all of its calls.
pub(super) type Call<'a> = (&'a str, Option<&'a str>);

/// The last version that could be loaded, if these calls are the same there as in the current text.
pub(super) fn loaded<'s>(script: &'s Script, calls: &[Call<'_>]) -> Option<&'s Loaded> {
    let loaded = script.loaded()?;
    if loaded.source.text == script.text() {
        return Some(loaded);
    }
    let before = Document::new(loaded.source.text.clone());
    (evidence(&before, calls) == evidence(script.document(), calls)).then_some(loaded)
}

/// The code that determines the declarations made by the calls, in order.
fn evidence(document: &Document, calls: &[Call<'_>]) -> Vec<String> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for token in (0..document.tokens().len()).filter(|&token| document.is_call(token)) {
        let is_import = document.module_of(token).is_some();
        let matters = |(function, name): &Call<'_>| {
            let named =
                |name: &str| document.is_text(token + 2) && document.text()[document.inside(token + 2)] == *name;
            document.is(token, function) && name.is_none_or(named)
        };
        if is_import || calls.iter().any(matters) {
            let end = document.partner(token + 1).unwrap_or(token + 1);
            spans.push(token..end + 1);
        }
    }
    spans.extend(document.imports().iter().map(|import| import.script..import.script + 1));
    // Constants that they use, directly or through other constants.
    let mut at = 0;
    while at < spans.len() {
        for token in spans[at].clone().filter(|&token| document.is_name(token)) {
            let statement = constant(document, token);
            spans.extend(statement.filter(|statement| !spans.contains(statement)));
        }
        at += 1;
    }
    spans.into_iter().map(|span| words(document, span)).collect()
}

/// The statement that declares a variable or constant.
fn constant(document: &Document, token: usize) -> Option<Range<usize>> {
    let offset = document.tokens().get(token)?.span.start;
    let binding = document.binding(document.word(token), offset).filter(|_| !document.is_call(token))?;
    let start = binding.token.checked_sub(1)?;
    Some(start..document.end_of_statement(start))
}

/// Tokens with single spaces between them, so that changes of layout are ignored.
fn words(document: &Document, span: Range<usize>) -> String {
    span.map(|token| document.word(token)).collect::<Vec<_>>().join(" ")
}
