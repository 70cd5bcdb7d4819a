//! The steps of an expanding selection.

use crate::document::Document;
use crate::resolve::embedded;
use crate::script::Script;
use crate::statements::{bytes, statements, within};
use astragal_dsl::syntax::Sort;
use std::ops::Range;

/// The maximum number of brackets around an offset that are followed outward.
const DEEPEST: usize = 64;

/// The parts of the text around an offset, from the word to the whole text. Each contains the previous one.
pub fn selection(script: &Script, offset: usize) -> Vec<Range<usize>> {
    let document = script.document();
    let mut grown = Grown { document, offset: offset.min(document.text().len()), found: Vec::new() };
    if !grown.comment() {
        grown.token();
    }
    grown.outward();
    grown.add(0..document.text().len());
    grown.found
}

struct Grown<'a> {
    document: &'a Document,
    offset: usize,
    found: Vec<Range<usize>>,
}

impl Grown<'_> {
    /// Adds a part if it contains the offset and is larger than the last part.
    fn add(&mut self, span: Range<usize>) {
        let holds = span.start <= self.offset && self.offset <= span.end && !span.is_empty();
        let grows =
            self.found.last().is_none_or(|last| span.start <= last.start && last.end <= span.end && *last != span);
        if holds && grows {
            self.found.push(span);
        }
    }

    /// Adds the byte range of some tokens.
    fn add_tokens(&mut self, tokens: &Range<usize>) {
        if let Some(span) = bytes(self.document, tokens) {
            self.add(span);
        }
    }

    /// Adds the word around the offset.
    fn word(&mut self, within: Range<usize>) {
        let text = self.document.text();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        if !within.contains(&self.offset) && self.offset != within.end || !text.is_char_boundary(self.offset) {
            return;
        }
        let before = &text[within.start..self.offset];
        let after = &text[self.offset..within.end];
        let start = self.offset - (before.len() - before.trim_end_matches(is_part).len());
        let end = self.offset + (after.len() - after.trim_start_matches(is_part).len());
        self.add(start..end);
    }

    /// Adds the comment around the offset, and the run of line comments around it. Returns whether there is one.
    fn comment(&mut self) -> bool {
        let all = self.document.comments();
        let holds = |comment: &&Range<usize>| comment.start <= self.offset && self.offset <= comment.end;
        if !self.document.in_comment(self.offset) {
            return false;
        }
        let Some(comment) = all.iter().find(holds).cloned() else { return false };
        self.word(comment.clone());
        self.add(comment.clone());
        let text = self.document.text();
        let joins = |a: &Range<usize>, b: &Range<usize>| {
            let gap = &text[a.end..b.start];
            let are_lines = text[a.clone()].starts_with("//") && text[b.clone()].starts_with("//");
            are_lines && gap.trim().is_empty() && gap.matches('\n').count() == 1
        };
        let run = all.chunk_by(joins).find(|run| run.contains(&comment));
        if let Some([first, .., last]) = run {
            self.add(first.start..last.end);
        }
        true
    }

    /// Adds the token at the offset, and the parts of it.
    fn token(&mut self) {
        let document = self.document;
        let Some(token) = document.token_at(self.offset) else { return };
        let span = document.tokens()[token].span.clone();
        match document.tokens()[token].sort {
            Some(Sort::Text | Sort::OpenText) => {
                self.word(document.inside(token));
                self.add(document.inside(token));
                self.add(span);
            }
            Some(Sort::Template) => {
                let inner = embedded(document.word(token)).into_iter();
                let inner: Vec<Range<usize>> =
                    inner.map(|range| span.start + range.start..span.start + range.end).collect();
                self.word(span.clone());
                for range in inner {
                    self.add(range);
                }
                let closed = span.len() > 1 && document.word(token).ends_with('`');
                self.add(span.start + 1..span.end - usize::from(closed));
                self.add(span);
            }
            Some(Sort::Word | Sort::Number | Sort::Dice | Sort::Quoted) => {
                self.add(span);
                self.call(token);
            }
            _ => {}
        }
    }

    /// Adds the call that a name belongs to, the chain up to it, as in `a.b.f(..)`, and the whole chain.
    fn call(&mut self, name: usize) {
        let document = self.document;
        let end = match document.is_call(name) {
            true => document.partner(name + 1).map_or(name + 1, |close| close + 1),
            false => name + 1,
        };
        let start = if document.module_of(name).is_some() { name - 2 } else { name };
        self.add_tokens(&(start..end));
        self.add_tokens(&(self.chain_start(start)..end));
        self.add_tokens(&(self.chain_start(start)..self.chain_end(end)));
    }

    /// The first token of a chain of properties and calls that ends before a token.
    fn chain_start(&self, token: usize) -> usize {
        let document = self.document;
        let mut at = token;
        while document.is_member(at) && at > 1 {
            // Before the dot there is a name, a call, or an index.
            let mut before = at - 2;
            while let Some(open) = document.partner(before).filter(|open| *open < before) {
                let is_closed = |token: usize| document.partner(token).is_some_and(|open| open < token);
                let is_called = open > 0 && (document.is_name(open - 1) || is_closed(open - 1));
                before = if is_called { open - 1 } else { open };
                if !is_called {
                    break;
                }
            }
            at = if document.module_of(before).is_some() { before - 2 } else { before };
        }
        at
    }

    /// The end of a chain of properties and calls that continues at a token.
    fn chain_end(&self, token: usize) -> usize {
        let document = self.document;
        let mut at = token;
        loop {
            at = match document.word(at) {
                "." | "?." if document.is_call(at + 1) => document.partner(at + 2).map_or(at + 2, |close| close + 1),
                "." | "?." if document.is_name(at + 1) => at + 2,
                _ => return at,
            };
        }
    }

    /// Adds arguments, argument lists, calls, statements, blocks and functions, outward to the top level.
    fn outward(&mut self) {
        let document = self.document;
        let mut at = document.tokens_before(self.offset);
        for _ in 0..DEEPEST {
            let Some(open) = document.enclosing(at) else { break };
            let inner = within(document, open);
            let whole = open..document.partner(open).map_or(inner.end, |close| close + 1);
            if document.is(open, "{") {
                self.block(open, &inner, &whole);
            } else {
                self.list(open, &whole);
            }
            at = open;
        }
        self.statement(0..document.tokens().len());
    }

    fn statement(&mut self, tokens: Range<usize>) {
        let holds = |one: &Range<usize>| {
            bytes(self.document, one).is_some_and(|span| span.start <= self.offset && self.offset <= span.end)
        };
        if let Some(statement) = statements(self.document, tokens).into_iter().find(holds) {
            // Without its semicolon first.
            let bare = statement.end.checked_sub(1).filter(|last| self.document.is(*last, ";"));
            self.add_tokens(&(statement.start..bare.unwrap_or(statement.end)));
            self.add_tokens(&statement);
        }
    }

    fn block(&mut self, open: usize, inner: &Range<usize>, whole: &Range<usize>) {
        self.statement(inner.clone());
        self.add_tokens(inner);
        self.add_tokens(whole);
        let start = self.document.tokens()[open].span.start;
        let function = self.document.functions().iter().find(|function| function.body.start == start);
        if let Some(function) = function {
            self.add(function.span.clone());
        }
    }

    fn list(&mut self, open: usize, whole: &Range<usize>) {
        let document = self.document;
        let arguments = document.arguments(open);
        let holds = |one: &&Range<usize>| {
            bytes(document, one).is_some_and(|span| span.start <= self.offset && self.offset <= span.end)
        };
        if let Some(argument) = arguments.iter().find(holds).cloned() {
            // The value of an entry, then the entry.
            if document.is(open, "#{") && document.is(argument.start + 1, ":") {
                self.add_tokens(&(argument.start + 2..argument.end));
            }
            self.add_tokens(&argument);
        }
        self.add_tokens(&within(document, open));
        self.add_tokens(whole);
        if document.is(open, "(") && open > 0 && document.is_name(open - 1) {
            self.call(open - 1);
        }
    }
}
