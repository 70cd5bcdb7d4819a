//! The structure of a script: its declarations, the parts that can be folded, and the steps of an expanding selection.
//!
//! It uses only the tokens, so an incomplete script has an outline, too. Invariant: the byte range of a symbol contains
//! those of its children, and siblings do not overlap.

mod folds;
mod selection;

#[cfg(test)]
mod tests;

pub use folds::{Fold, FoldKind, folds};
pub use selection::selection;

use crate::document::Document;
use crate::markdown::shortened;
use crate::names::{NameKind, NameUse};
use crate::script::Script;
use crate::statements::{bytes, statements, within};
use crate::{comments, functions};
use astragal_dsl::manual::Entry;
use std::collections::BTreeMap;
use std::ops::Range;

/// The maximum number of characters in a detail.
const LONGEST: usize = 60;

/// The kind of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// A function.
    Function,
    /// A constant.
    Constant,
    /// A name that the script gives to a piece, a side and so on.
    Named(NameKind),
    /// Another declaration, or a group of declarations of one kind.
    Declaration,
    /// An imported script.
    Import,
}

impl SymbolKind {
    /// The name of a group of such symbols; `None` if they are not grouped.
    fn group(self) -> Option<&'static str> {
        match self {
            SymbolKind::Named(NameKind::Piece) => Some("pieces"),
            SymbolKind::Named(NameKind::Region) => Some("regions"),
            SymbolKind::Named(NameKind::Counter) => Some("counters"),
            SymbolKind::Named(NameKind::Mark) => Some("marks"),
            SymbolKind::Named(NameKind::Trait) => Some("traits"),
            SymbolKind::Named(NameKind::Track) => Some("tracks"),
            SymbolKind::Named(NameKind::Option) => Some("options"),
            _ => None,
        }
    }
}

/// A named part of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name; never blank.
    pub name: String,
    /// A description on one line; may be empty.
    pub detail: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// Its byte range.
    pub span: Range<usize>,
    /// The byte range of its name.
    pub name_span: Range<usize>,
    /// The symbols in it.
    pub children: Vec<Symbol>,
}

/// The symbols of a script, in order.
pub fn symbols(script: &Script) -> Vec<Symbol> {
    let document = script.document();
    let names = script.uses().iter().filter(|one| one.declares);
    let outline = Outline { document, names: names.map(|one| (one.token, one)).collect() };
    let all = statements(document, 0..document.tokens().len());
    grouped(all.iter().flat_map(|statement| outline.top(statement)).collect())
}

struct Outline<'a> {
    document: &'a Document,
    /// The strings that declare names, by token.
    names: BTreeMap<usize, &'a NameUse>,
}

impl Outline<'_> {
    /// The symbols of a top-level statement.
    fn top(&self, statement: &Range<usize>) -> Vec<Symbol> {
        let first = statement.start;
        match self.document.word(first) {
            "import" => self.import(statement).into_iter().collect(),
            "fn" | "private" => self.function(statement).into_iter().collect(),
            "const" => self.constant(statement).into_iter().collect(),
            _ if self.document.is(first + 1, "::") => self.of_module(statement).into_iter().collect(),
            _ => self.declarations(statement),
        }
    }

    fn import(&self, statement: &Range<usize>) -> Option<Symbol> {
        let import = self.document.imports().iter().find(|import| statement.contains(&import.script))?;
        let script = self.document.inside(import.script);
        let alias = import.alias.map(|token| self.document.tokens()[token].span.clone());
        let detail = if alias.is_some() { self.document.word(import.script).to_string() } else { String::new() };
        self.symbol(statement, alias.unwrap_or(script), SymbolKind::Import, detail)
    }

    fn function(&self, statement: &Range<usize>) -> Option<Symbol> {
        let function = self.document.functions().iter().find(|one| statement.contains(&one.name))?;
        let parameters: Vec<&str> = function.parameters.iter().map(|token| self.document.word(*token)).collect();
        let comment = comments::about(self.document, function.name);
        let detail = format!("({}) {}", parameters.join(", "), comment.lines().next().unwrap_or_default());
        let name = self.document.tokens()[function.name].span.clone();
        let mut symbol = self.symbol(statement, name, SymbolKind::Function, detail.trim_end().to_string())?;
        let open = statement.clone().find(|token| self.document.tokens()[*token].span.start == function.body.start);
        if let Some(open) = open.filter(|open| self.document.is(*open, "{")) {
            let body = within(self.document, open);
            symbol.children = grouped(self.declarations(&(body.start..body.end.min(statement.end))));
        }
        Some(symbol)
    }

    fn constant(&self, statement: &Range<usize>) -> Option<Symbol> {
        let name = statement.start + 1;
        if !self.document.is_name(name) {
            return None;
        }
        let value = name + 2..statement.end;
        let text = bytes(self.document, &value).map_or("", |span| self.document.text()[span].trim_end_matches(';'));
        let name_span = self.document.tokens()[name].span.clone();
        let mut constant = self.symbol(statement, name_span, SymbolKind::Constant, shortened(text, LONGEST))?;
        let mut declared = self.declarations(&value);
        // A constant that holds an option is shown below the option.
        let is_option = declared.len() == 1 && self.document.is(value.start, "option");
        if let Some(mut option) = declared.pop_if(|_| is_option) {
            constant.detail.clear();
            constant.span = constant.span.start..constant.name_span.end;
            option.span = constant.span.start..option.span.end;
            option.children = vec![constant];
            return Some(option);
        }
        constant.children = grouped(declared);
        Some(constant)
    }

    /// A call of a function in an imported script, which can contain many declarations.
    fn of_module(&self, statement: &Range<usize>) -> Option<Symbol> {
        let name = statement.start + 2;
        if !self.document.is_call(name) {
            return None;
        }
        let span = self.document.tokens()[statement.start].span.start..self.document.tokens()[name].span.end;
        let detail = self.given(name + 1);
        self.symbol(statement, span, SymbolKind::Declaration, detail)
    }

    /// The declarations in a range of tokens.
    fn declarations(&self, tokens: &Range<usize>) -> Vec<Symbol> {
        let (mut found, mut at) = (Vec::new(), tokens.start);
        while at < tokens.end {
            let symbol = self.declaration(at, tokens.end);
            let end = self.document.partner(at + 1).filter(|_| symbol.is_some());
            found.extend(symbol);
            at = end.unwrap_or(at) + 1;
        }
        found
    }

    /// The declaration made by the call at a token, if it makes one.
    fn declaration(&self, token: usize, end: usize) -> Option<Symbol> {
        let document = self.document;
        let is_plain = document.is_call(token) && !document.is_member(token) && document.module_of(token).is_none();
        if !is_plain {
            return None;
        }
        let (name, open) = (document.word(token), token + 1);
        // Only the name of an incomplete call is known.
        let close = document.partner(open);
        let whole = token..close.map_or(open + 2, |close| close + 1).clamp(open, end);
        if let Some(one) = self.names.get(&(open + 1)) {
            let detail = if close.is_some() { self.detail(one.kind, open) } else { String::new() };
            return self.symbol(&whole, one.span.clone(), SymbolKind::Named(one.kind), detail);
        }
        let count = close.map(|_| document.arguments(open).len());
        let fits = |entry: &&Entry| {
            let least = entry.parameters.iter().filter(|one| !one.is_optional).count();
            count.is_none_or(|count| (least..=entry.parameters.len()).contains(&count))
        };
        let forms: Vec<&Entry> = functions::named(name).filter(fits).collect();
        if forms.is_empty() || !forms.iter().all(|entry| entry.declares) {
            return None;
        }
        let sides: Vec<Symbol> =
            self.names.range(whole.clone()).filter_map(|(side, one)| self.side(*side, one)).collect();
        let detail = if sides.is_empty() && close.is_some() { self.given(open) } else { String::new() };
        let name = document.tokens()[token].span.clone();
        let mut symbol = self.symbol(&whole, name, SymbolKind::Declaration, detail)?;
        symbol.children = sides;
        Some(symbol)
    }

    /// A side in the list of `sides(..)`.
    fn side(&self, token: usize, side: &NameUse) -> Option<Symbol> {
        self.symbol(&(token..token + 1), side.span.clone(), SymbolKind::Named(side.kind), String::new())
    }

    /// The detail of a declared name.
    fn detail(&self, kind: NameKind, open: usize) -> String {
        match kind {
            NameKind::Piece => {
                let parts = [self.argument(open, 1), self.argument(open, 2)];
                let texts: Vec<&str> = parts.iter().map(|text| text.trim_matches('"')).collect();
                shortened(texts.join(" ").trim(), LONGEST)
            }
            NameKind::Option => {
                let values = self.argument(open, 1);
                let first = self.document.arguments(open).get(1).map(|range| range.start);
                let default = first.filter(|first| self.document.is(*first, "[")).map(|list| self.argument(list, 0));
                format!("default {}", shortened(default.unwrap_or(values).trim_matches('"'), LONGEST))
            }
            NameKind::Mark | NameKind::Side => String::new(),
            _ => shortened(self.argument(open, 1).trim_matches('"'), LONGEST),
        }
    }

    /// The text of an argument; empty if there is none.
    fn argument(&self, open: usize, index: usize) -> &str {
        let arguments = self.document.arguments(open);
        let span = arguments.get(index).and_then(|range| bytes(self.document, range));
        span.map_or("", |span| &self.document.text()[span])
    }

    /// The text of the arguments of a call.
    fn given(&self, open: usize) -> String {
        let text = bytes(self.document, &within(self.document, open)).map_or("", |span| &self.document.text()[span]);
        shortened(text, LONGEST)
    }

    fn symbol(&self, tokens: &Range<usize>, name: Range<usize>, kind: SymbolKind, detail: String) -> Option<Symbol> {
        let span = bytes(self.document, tokens)?;
        // Clients accept no empty names: `piece("")` is shown as `piece`.
        let written = Some(&self.document.text()[name.clone()]).filter(|text| !text.trim().is_empty());
        let text = written.unwrap_or_else(|| self.document.word(tokens.start)).to_string();
        Some(Symbol { name: text, detail, kind, span, name_span: name, children: Vec::new() })
    }
}

/// The symbols, with adjacent symbols of the same kind and repeated declarations in groups.
fn grouped(symbols: Vec<Symbol>) -> Vec<Symbol> {
    let group = |symbol: &Symbol| match symbol.kind {
        SymbolKind::Declaration => Some(symbol.name.clone()),
        kind => kind.group().map(String::from),
    };
    let mut found: Vec<Symbol> = Vec::new();
    for run in symbols.chunk_by(|a, b| group(a).is_some() && group(a) == group(b)) {
        match (run, run.first().and_then(group)) {
            ([first, .., last], Some(name)) => found.push(Symbol {
                name,
                detail: run.len().to_string(),
                kind: SymbolKind::Declaration,
                span: first.span.start..last.span.end,
                name_span: first.name_span.clone(),
                children: run.to_vec(),
            }),
            _ => found.extend_from_slice(run),
        }
    }
    found
}
