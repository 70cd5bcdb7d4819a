//! The functions, variables and imported scripts of a document, found by their tokens.
//!
//! It finds the scope of each name; [`Document::binding`] selects among them. A text that is incomplete has the
//! declarations that its tokens show.

use super::{Binding, Document, Function, Import, Origin, closes, opens};
use std::collections::BTreeMap;
use std::ops::Range;

impl Document {
    pub(super) fn find_functions(&mut self) {
        let mut found = Vec::new();
        for at in (0..self.tokens.len()).filter(|&at| self.is(at, "fn") && self.is_name(at + 1)) {
            let first = if at > 0 && self.is(at - 1, "private") { at - 1 } else { at };
            let open = Some(at + 2).filter(|&open| self.is(open, "("));
            let close = open.and_then(|open| self.partner(open));
            let parameters = open.map_or(Vec::new(), |open| {
                (open + 1..close.unwrap_or(open + 1)).filter(|&token| self.is_name(token)).collect()
            });
            let brace = close.map(|close| close + 1).filter(|&brace| self.is(brace, "{"));
            let body = brace.map(|brace| {
                let end = self.partner(brace).map_or(self.text.len(), |end| self.tokens[end].span.end);
                self.tokens[brace].span.start..end
            });
            let head = self.tokens[close.unwrap_or(at + 1)].span.end;
            let body = body.unwrap_or(head..head);
            found.push(Function { name: at + 1, parameters, span: self.tokens[first].span.start..body.end, body });
        }
        self.functions = found;
    }

    pub(super) fn find_bindings(&mut self) {
        let ends = self.ends_of_values();
        let mut found = Vec::new();
        for function in &self.functions {
            for &token in &function.parameters {
                found.push(self.bound(token, Origin::Parameter, function.body.clone()));
            }
        }
        for at in 0..self.tokens.len() {
            match self.word(at) {
                word @ ("let" | "const") if self.is_name(at + 1) => {
                    let origin = if word == "let" { Origin::Let } else { Origin::Const };
                    let mut binding = self.bound(at + 1, origin, self.rest_of_block(at + 1));
                    if self.is(at + 2, "=") {
                        binding.value_end = ends.get(at + 3).copied().unwrap_or(self.text.len());
                    }
                    found.push(binding);
                }
                "for" => found.extend(self.loop_variables(at)),
                "catch" if self.is(at + 1, "(") && self.is_name(at + 2) && self.is(at + 4, "{") => {
                    found.push(self.bound(at + 2, Origin::Loop, self.block(at + 4)));
                }
                "|" if self.begins_value(at) => found.extend(self.closure_parameters(at)),
                "as" if self.is_name(at + 1) && at > 1 && self.is(at - 2, "import") => {
                    found.push(self.bound(at + 1, Origin::Import, 0..self.text.len()));
                }
                _ => {}
            }
        }
        found.sort_by_key(|one| one.token);
        let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, binding) in found.iter().enumerate() {
            named.entry(self.word(binding.token).to_string()).or_default().push(number);
        }
        (self.bindings, self.named) = (found, named);
    }

    /// A binding without an initial value.
    fn bound(&self, token: usize, origin: Origin, scope: Range<usize>) -> Binding {
        Binding { token, origin, scope, value_end: self.tokens[token].span.end }
    }

    /// For each token, the offset of the semicolon or closing bracket that ends a value that begins there.
    fn ends_of_values(&self) -> Vec<usize> {
        let mut ends = vec![self.text.len(); self.tokens.len()];
        // For each pair of brackets around the token, the end of the values in it.
        let mut around = vec![self.text.len()];
        for token in (0..self.tokens.len()).rev() {
            let word = self.word(token);
            let start = self.tokens[token].span.start;
            if opens(word) && self.partner(token).is_some() && around.len() > 1 {
                around.pop();
            }
            let ends_value = word == ";" || closes(word);
            if let Some(last) = around.last_mut() {
                let before = *last;
                ends[token] = if ends_value { start } else { before };
                if word == ";" || closes(word) && self.partner(token).is_none() {
                    *last = start;
                }
            }
            if closes(word) && self.partner(token).is_some() {
                around.push(start);
            }
        }
        ends
    }

    /// The bytes from a declared name to the end of its block. Constants of the top level are visible in functions.
    fn rest_of_block(&self, token: usize) -> Range<usize> {
        let close = self.enclosing(token).and_then(|open| self.partner(open));
        self.tokens[token].span.end..close.map_or(self.text.len(), |close| self.tokens[close].span.start)
    }

    /// The bytes of a block that opens at a token.
    fn block(&self, open: usize) -> Range<usize> {
        let end = self.partner(open).map_or(self.text.len(), |close| self.tokens[close].span.end);
        self.tokens[open].span.start..end
    }

    fn loop_variables(&self, at: usize) -> Vec<Binding> {
        let Some(within) = (at + 1..self.tokens.len().min(at + 8)).find(|&i| self.is(i, "in")) else {
            return Vec::new();
        };
        let mut brace = within + 1;
        while brace < self.tokens.len() && !self.is(brace, "{") {
            brace = match self.partner(brace) {
                Some(close) if opens(self.word(brace)) => close + 1,
                _ => brace + 1,
            };
        }
        let names = (at + 1..within).filter(|&token| self.is_name(token));
        let scope = if brace < self.tokens.len() { self.block(brace) } else { self.text.len()..self.text.len() };
        names.map(|token| self.bound(token, Origin::Loop, scope.clone())).collect()
    }

    fn closure_parameters(&self, at: usize) -> Vec<Binding> {
        let Some(close) = (at + 1..self.tokens.len()).find(|&i| !self.is_name(i) && !self.is(i, ",")) else {
            return Vec::new();
        };
        if !self.is(close, "|") {
            return Vec::new();
        }
        let start = self.tokens[close].span.end;
        let scope = start..self.end_of_value(close + 1).max(start);
        let names = (at + 1..close).filter(|&token| self.is_name(token));
        names.map(|token| self.bound(token, Origin::Parameter, scope.clone())).collect()
    }

    pub(super) fn find_imports(&mut self) {
        let is_import = |&at: &usize| self.is(at, "import") && self.is_text(at + 1);
        let alias = |at: usize| Some(at + 3).filter(|&alias| self.is(at + 2, "as") && self.is_name(alias));
        self.imports =
            (0..self.tokens.len()).filter(is_import).map(|at| Import { script: at + 1, alias: alias(at) }).collect();
    }
}
