//! Editors: every question about any text has an answer that fits the text.

use super::{in_time, shipped};
use astragal_dsl::{Loaded, Source};
use astragal_editor::lines::Lines;
use astragal_editor::outline::{self, Symbol};
use astragal_editor::script::Script;
use astragal_editor::{complete, format, hover, navigate, semantic, signature};
use astragal_service::editing::{self, GameDocument, GameSymbol};
use astragal_service::gametest::ScriptReference;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The number of places in a text that are asked about.
const PLACES: usize = 3;

/// Asks everything that an editor asks about a script.
///
/// # Panics
/// If an answer does not fit the text.
pub fn script(source: &Source, loaded: Option<&Arc<Loaded>>) {
    let mut script = Script::new(source.clone());
    if let Some(loaded) = loaded {
        script.set_loaded(Arc::clone(loaded));
    }
    in_time("the questions of an editor", || {
        whole(&script);
        places(script.text()).for_each(|offset| at(&script, offset));
    });
}

fn whole(script: &Script) {
    let text = script.text();
    let mut end = 0;
    for token in semantic::semantic_tokens(script) {
        assert!(end <= token.span.start && !token.span.is_empty(), "a token overlaps another: {token:?}");
        end = part(text, &token.span).end;
    }
    nested(text, &outline::symbols(script), 0..text.len());
    let lines = script.document().lines();
    let starts: Vec<usize> = outline::folds(script).iter().map(|fold| lines.line_of(fold.span.start)).collect();
    assert!(starts.is_sorted() && outline::folds(script).iter().all(|fold| text.get(fold.span.clone()).is_some()));
    if let Ok(formatted) = format::format(text) {
        assert_eq!(format::format(&formatted).as_ref(), Ok(&formatted), "formatting again changes the text");
    }
}

fn nested(text: &str, symbols: &[Symbol], parent: Range<usize>) {
    for symbol in symbols {
        let (span, name) = (part(text, &symbol.span), part(text, &symbol.name_span));
        assert!(!symbol.name.trim().is_empty() && !symbol.detail.contains('\n'), "{symbol:?}");
        assert!(parent.start <= span.start && span.end <= parent.end, "a symbol is outside its parent: {symbol:?}");
        assert!(span.start <= name.start && name.end <= span.end, "a name is outside its symbol: {symbol:?}");
        nested(text, &symbol.children, span);
    }
}

fn at(script: &Script, offset: usize) {
    let text = script.text();
    let completions = complete::complete(script, offset).into_iter().map(|one| one.replaces);
    replaced(text, script.document().lines(), offset, completions);
    if let Some(found) = hover::hover(script, offset) {
        assert!(!found.markdown.is_empty(), "an empty hover text");
        part(text, &found.span);
    }
    if let Some(found) = signature::signatures(script, offset) {
        assert!(found.active < found.forms.len() && found.open < offset, "{found:?}");
        let known =
            found.forms.iter().all(|form| form.parameters.iter().all(|one| form.label.get(one.clone()).is_some()));
        assert!(known, "a parameter is not in its label: {found:?}");
    }
    let mut inner = offset..offset;
    for outer in outline::selection(script, offset) {
        assert!(outer.start <= inner.start && inner.end <= outer.end, "{outer:?} does not contain {inner:?}");
        inner = part(text, &outer);
    }
    match navigate::definition(script, offset) {
        Some(navigate::Target::Here(span)) => drop(part(text, &span)),
        Some(navigate::Target::Bundled { text, span, .. }) => drop(part(&text, &span)),
        None => {}
    }
    for span in navigate::references(script, offset, true) {
        part(text, &span);
    }
    if navigate::renameable(script, offset).is_some()
        && let Ok(edits) = navigate::rename(script, offset, "renamed_by_a_test")
    {
        let mut end = 0;
        for edit in edits {
            assert!(end <= edit.span.start, "edits overlap: {edit:?}");
            end = part(text, &edit.span).end;
        }
    }
}

/// Asks everything that an editor asks about a `.game` file.
///
/// # Panics
/// If an answer does not fit the text.
pub fn game_file(path: &Path, text: &str) {
    let document = GameDocument::new(path, text);
    // Only bundled variants: a file of a stranger names no files here.
    let loaded = match document.script() {
        ScriptReference::Named(name) => astragal_dsl::library::names().contains(&&*name).then(|| shipped(&name)),
        _ => None,
    };
    in_time("the questions of an editor", || {
        let lines = Lines::of(text);
        for symbol in editing::symbols(&document, loaded.as_ref()) {
            turn(text, &symbol);
        }
        for offset in places(text) {
            let completions = editing::complete(&document, loaded.as_ref(), offset).into_iter().map(|one| one.replaces);
            replaced(text, &lines, offset, completions);
            if let Some(found) = editing::hover(&document, loaded.as_ref(), offset) {
                assert!(!found.markdown.is_empty(), "an empty hover text");
                part(text, &found.span);
            }
        }
    });
}

fn turn(text: &str, symbol: &GameSymbol) {
    let (span, name) = (part(text, &symbol.span), part(text, &symbol.name_span));
    assert!(!symbol.name.trim().is_empty() && !symbol.detail.contains('\n'), "{symbol:?}");
    assert!(span.start <= name.start && name.end <= span.end, "a name is outside its symbol: {symbol:?}");
    symbol.children.iter().for_each(|child| turn(text, child));
}

/// Completions replace one range, which is on one line and contains the place.
fn replaced(text: &str, lines: &Lines, offset: usize, ranges: impl Iterator<Item = Range<usize>>) {
    for range in ranges {
        let range = part(text, &range);
        assert!(range.start <= offset && offset <= range.end, "{range:?} does not contain the place {offset}");
        assert_eq!(lines.line_of(range.start), lines.line_of(range.end), "{range:?} is not on one line");
    }
}

/// The range, if it is a part of the text.
fn part(text: &str, range: &Range<usize>) -> Range<usize> {
    assert!(text.get(range.clone()).is_some(), "{range:?} is not a part of the text");
    range.clone()
}

/// Places in a text, which only depend on the text.
fn places(text: &str) -> impl Iterator<Item = usize> {
    let sum = text.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let chosen =
        move |n: usize| (sum.wrapping_mul(2 * n as u64 + 1).rotate_right(13) % (text.len() as u64 + 1)) as usize;
    (0..PLACES).map(move |n| (0..=chosen(n)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0))
}
