//! The parts of a script that can be folded.

use crate::document::{Document, opens};
use crate::script::Script;
use std::ops::Range;

/// The kind of a fold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldKind {
    /// A comment, or several lines of comments.
    Comment,
    /// Imports.
    Imports,
    /// A block, list, map or call.
    Block,
}

/// A part of a script that can be folded. It spans several lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fold {
    /// Its byte range, including brackets.
    pub span: Range<usize>,
    /// Its kind.
    pub kind: FoldKind,
}

/// The folds of a script, in order; at most one begins on each line.
pub fn folds(script: &Script) -> Vec<Fold> {
    let document = script.document();
    let mut found = blocks(document);
    found.extend(comments(document).into_iter().map(|span| Fold { span, kind: FoldKind::Comment }));
    found.extend(imports(document).into_iter().map(|span| Fold { span, kind: FoldKind::Imports }));
    let line = |offset: usize| document.lines().line_of(offset);
    found.retain(|fold| line(fold.span.start) < line(fold.span.end));
    // If several begin on the same line, the one that ends last is kept.
    found.sort_by_key(|fold| (line(fold.span.start), std::cmp::Reverse(fold.span.end)));
    found.dedup_by_key(|fold| line(fold.span.start));
    found
}

fn blocks(document: &Document) -> Vec<Fold> {
    let pair = |open: usize| {
        let close = document.partner(open).filter(|_| opens(document.word(open)))?;
        let span = document.tokens()[open].span.start..document.tokens()[close].span.end;
        Some(Fold { span, kind: FoldKind::Block })
    };
    (0..document.tokens().len()).filter_map(pair).collect()
}

/// Comments on lines of their own: consecutive lines are joined.
fn comments(document: &Document) -> Vec<Range<usize>> {
    let (lines, text) = (document.lines(), document.text());
    let mut found: Vec<Range<usize>> = Vec::new();
    for comment in document.comments() {
        let line = lines.line_of(comment.start);
        let is_first = text[lines.range(text, line).start..comment.start].trim().is_empty();
        let is_line = |span: &Range<usize>| text[span.clone()].starts_with("//");
        match found.last_mut() {
            Some(last) if is_first && is_line(comment) && is_line(last) && lines.line_of(last.end) + 1 == line => {
                last.end = comment.end;
            }
            _ if is_first => found.push(comment.clone()),
            _ => {}
        }
    }
    found
}

/// Runs of consecutive imports.
fn imports(document: &Document) -> Vec<Range<usize>> {
    let mut found: Vec<(Range<usize>, usize)> = Vec::new();
    for import in document.imports() {
        let Some(first) = import.script.checked_sub(1) else { continue };
        let last = import.alias.unwrap_or(import.script);
        let last = if document.is(last + 1, ";") { last + 1 } else { last };
        let span = document.tokens()[first].span.start..document.tokens()[last].span.end;
        match found.last_mut() {
            Some((before, next)) if *next == first => (before.end, *next) = (span.end, last + 1),
            _ => found.push((span, last + 1)),
        }
    }
    found.into_iter().map(|(span, _)| span).collect()
}
