//! The text of a script by its tokens: brackets, functions, variables and calls, even while the text is incomplete.
//!
//! It knows how scripts are written, not what a function means. Every answer comes from the tokens alone, since a
//! script that is being typed can rarely be parsed. Places are byte offsets; tokens and comments are numbered in order.

mod declarations;

use crate::lines::Lines;
use astragal_dsl::syntax::{self, KEYWORDS, Sort};
use std::collections::BTreeMap;
use std::ops::Range;

/// Whether a word is not a name: a keyword, or `global`, which stands before the constants of a script.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word) || word == "global"
}

/// The deepest nesting of arrays and maps within an argument that is followed outward.
const DEEPEST: usize = 32;

/// A token of a script.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its sort; `None` for a character that is invalid in scripts.
    pub sort: Option<Sort>,
    /// Its bytes.
    pub span: Range<usize>,
}

/// The way in which a variable was declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// `let`.
    Let,
    /// `const`.
    Const,
    /// A parameter of a function or of an anonymous function.
    Parameter,
    /// `for`, or the name of an error in `catch`.
    Loop,
    /// The name of an imported script.
    Import,
}

/// A variable, constant or parameter.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The token that names it.
    pub token: usize,
    /// The way in which it was declared.
    pub origin: Origin,
    /// The bytes in which the name stands for it, its own initial value included.
    pub scope: Range<usize>,
    /// The end of its initial value, or of its name if it has none. Before it, the name stands for something else.
    pub value_end: usize,
}

impl Binding {
    /// The bytes in which the name stands for it, without its initial value.
    pub(crate) fn visible(&self) -> Range<usize> {
        let end = self.scope.end;
        self.scope.start.max(self.value_end).min(end)..end
    }

    fn is_around(&self, offset: usize) -> bool {
        self.scope.start <= offset && offset <= self.scope.end
    }
}

/// A function of the script.
#[derive(Clone, Debug)]
pub struct Function {
    /// The token that names it.
    pub name: usize,
    /// The tokens of its parameters.
    pub parameters: Vec<usize>,
    /// The bytes from `fn` (or `private`) to the closing brace, or to the end of the text if it is missing.
    pub span: Range<usize>,
    /// The bytes of the body, braces included; empty if there is none yet.
    pub body: Range<usize>,
}

/// An import of another script: `import "chess" as chess`.
#[derive(Clone, Debug)]
pub struct Import {
    /// The token of the script's name or path.
    pub script: usize,
    /// The token of the name that it has here, if one is given.
    pub alias: Option<usize>,
}

/// A part of an argument that contains a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// An element of an array, by its index.
    Element(usize),
    /// The key of a map is being written.
    Key,
    /// The value of a key of a map.
    Value(String),
}

/// The call that contains a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallAround {
    /// The name of the function.
    pub name: String,
    /// The script that the function is taken from, by its name here.
    pub module: Option<String>,
    /// The token of the name.
    pub token: usize,
    /// The token of the opening bracket.
    pub open: usize,
    /// The number of the argument, from 0; a receiver before a dot is not counted.
    pub argument: usize,
    /// Whether it is written as `x.f(..)`.
    pub is_method: bool,
    /// The arrays and maps within the argument that contain the place, outermost first.
    pub parts: Vec<Part>,
}

/// A script's text, by its tokens.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    lines: Lines,
    tokens: Vec<Token>,
    comments: Vec<Range<usize>>,
    /// For each token that is a bracket, the token of the other bracket.
    partners: Vec<Option<usize>>,
    /// The innermost bracket that is open before each token, and before the end.
    around: Vec<Option<usize>>,
    /// The commas directly within each bracket.
    commas: BTreeMap<usize, Vec<usize>>,
    functions: Vec<Function>,
    bindings: Vec<Binding>,
    /// The numbers of the bindings with each name.
    named: BTreeMap<String, Vec<usize>>,
    imports: Vec<Import>,
}

impl Document {
    /// Reads a text. It may be anything.
    pub fn new(text: String) -> Document {
        let tokens: Vec<Token> =
            syntax::tokens(&text).into_iter().map(|token| Token { sort: token.sort, span: token.span }).collect();
        let comments = comments(&text, &tokens);
        let partners = partners(&text, &tokens);
        let lines = Lines::of(&text);
        let mut document = Document {
            text,
            lines,
            tokens,
            comments,
            partners,
            around: Vec::new(),
            commas: BTreeMap::new(),
            functions: Vec::new(),
            bindings: Vec::new(),
            named: BTreeMap::new(),
            imports: Vec::new(),
        };
        document.find_nesting();
        document.find_functions();
        document.find_bindings();
        document.find_imports();
        document
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines of the text.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The tokens in order.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The comments in order, each with its marks. Consecutive `//` lines are separate comments.
    pub fn comments(&self) -> &[Range<usize>] {
        &self.comments
    }

    /// The functions in order.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The variables, constants, parameters and imports in order.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// The imports in order.
    pub fn imports(&self) -> &[Import] {
        &self.imports
    }

    /// The text of a token; empty if there is no such token.
    pub fn word(&self, token: usize) -> &str {
        self.tokens.get(token).map_or("", |token| &self.text[token.span.clone()])
    }

    /// Whether a token is this word or sign.
    pub fn is(&self, token: usize, text: &str) -> bool {
        self.word(token) == text
    }

    /// Whether a token is a name: a word that is no word of the language.
    pub fn is_name(&self, token: usize) -> bool {
        let is_word = self.tokens.get(token).is_some_and(|token| token.sort == Some(Sort::Word));
        is_word && !is_keyword(self.word(token))
    }

    /// Whether a token is a text in double quotes, closed or not.
    pub fn is_text(&self, token: usize) -> bool {
        self.tokens.get(token).is_some_and(|token| matches!(token.sort, Some(Sort::Text | Sort::OpenText)))
    }

    /// The bytes within the quotes of a text token.
    pub fn inside(&self, token: usize) -> Range<usize> {
        let Token { sort, span } = &self.tokens[token];
        span.start + 1..span.end - usize::from(*sort == Some(Sort::Text))
    }

    /// The token that contains or ends at an offset; a name or text before a sign.
    pub fn token_at(&self, offset: usize) -> Option<usize> {
        let next = self.tokens.partition_point(|token| token.span.start <= offset);
        let here = next.checked_sub(1).filter(|&i| offset <= self.tokens[i].span.end)?;
        // Between two tokens, the one that is a word, number or text counts.
        let before = here.checked_sub(1).filter(|&i| self.tokens[i].span.end == offset);
        let is_sign = |i: usize| self.tokens[i].sort == Some(Sort::Sign);
        Some(before.filter(|&i| is_sign(here) && !is_sign(i)).unwrap_or(here))
    }

    /// The number of tokens that begin before an offset.
    pub fn tokens_before(&self, offset: usize) -> usize {
        self.tokens.partition_point(|token| token.span.start < offset)
    }

    /// Whether an offset is within a comment; at the end of a `//` comment too.
    pub fn in_comment(&self, offset: usize) -> bool {
        let next = self.comments.partition_point(|comment| comment.start < offset);
        let Some(comment) = next.checked_sub(1).map(|i| &self.comments[i]) else { return false };
        offset < comment.end || offset == comment.end && self.text[comment.clone()].starts_with("//")
    }

    /// The other bracket of a bracket.
    pub fn partner(&self, token: usize) -> Option<usize> {
        self.partners.get(token).copied().flatten()
    }

    /// The function that contains an offset. One without its closing brace contains the end of the text.
    pub fn function_at(&self, offset: usize) -> Option<&Function> {
        self.functions.iter().find(|function| function.span.start <= offset && self.reaches(function, offset))
    }

    /// Whether a function ends after an offset. One without its closing brace contains the end of the text.
    fn reaches(&self, function: &Function, offset: usize) -> bool {
        let is_open = || {
            let brace = self.tokens.partition_point(|token| token.span.start < function.body.start);
            !function.body.is_empty() && self.partner(brace).is_none()
        };
        offset < function.span.end || offset == function.span.end && is_open()
    }

    /// The function of a name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| self.is(function.name, name))
    }

    /// The variable that a name means at an offset: the last one declared in the innermost scope. In an incomplete
    /// text, the initial value of a variable may have no end, so the variable counts there if no other fits.
    pub fn binding(&self, name: &str, offset: usize) -> Option<&Binding> {
        self.visible(name, offset).or_else(|| self.unfinished(name, offset))
    }

    /// The variable of a name at an offset, except in the initial value of the variable.
    pub(crate) fn visible(&self, name: &str, offset: usize) -> Option<&Binding> {
        let global = || if self.in_function(offset) { self.global(name) } else { None };
        self.local(name, offset).or_else(global)
    }

    /// The same without the names of the top level that functions can use.
    pub(crate) fn local(&self, name: &str, offset: usize) -> Option<&Binding> {
        let starts_at = |one: &Binding| self.tokens[one.token].span.start;
        if let Some(declared) = self.bindings_named(name).find(|one| starts_at(one) == offset) {
            return Some(declared);
        }
        let function = self.function_span(offset);
        let is_near = |one: &Binding| function.is_none_or(|span| span.contains(&starts_at(one)));
        let holds = |one: &&Binding| one.is_around(offset) && is_near(one) && one.value_end <= offset;
        self.bindings_named(name).filter(holds).max_by_key(|one| one.scope.start)
    }

    /// The constant or imported script of the top level that functions can use under a name; the last constant if there
    /// are several.
    pub(crate) fn global(&self, name: &str) -> Option<&Binding> {
        let is_global = |one: &&Binding| {
            matches!(one.origin, Origin::Const | Origin::Import) && self.enclosing(one.token).is_none()
        };
        self.bindings_named(name).filter(is_global).max_by_key(|one| (one.origin == Origin::Const, one.token))
    }

    /// The variable of a name whose scope contains an offset, even if the offset is in its initial value.
    pub(crate) fn unfinished(&self, name: &str, offset: usize) -> Option<&Binding> {
        self.bindings_named(name).filter(|one| one.is_around(offset)).max_by_key(|one| one.scope.start)
    }

    /// Whether a function contains an offset.
    pub(crate) fn in_function(&self, offset: usize) -> bool {
        self.function_span(offset).is_some()
    }

    /// The names of all variables, constants, parameters and imports, each once.
    pub(crate) fn binding_names(&self) -> impl Iterator<Item = &str> {
        self.named.keys().map(String::as_str)
    }

    fn bindings_named<'d>(&'d self, name: &str) -> impl Iterator<Item = &'d Binding> + use<'d> {
        let numbers = self.named.get(name).map(Vec::as_slice).unwrap_or_default();
        numbers.iter().filter_map(move |number| self.bindings.get(*number))
    }

    /// The bytes of the last function that begins before an offset, if they contain it.
    fn function_span(&self, offset: usize) -> Option<&Range<usize>> {
        let next = self.functions.partition_point(|function| function.span.start <= offset);
        let last = self.functions[..next].last().filter(|function| self.reaches(function, offset));
        last.map(|function| &function.span)
    }

    /// Whether a token is a name that is called: `name(`.
    pub fn is_call(&self, token: usize) -> bool {
        self.is_name(token) && self.is(token + 1, "(") && !self.is(token.wrapping_sub(1), "fn")
    }

    /// Whether a token is a property or method: it follows a dot.
    pub fn is_member(&self, token: usize) -> bool {
        token > 0 && matches!(self.word(token - 1), "." | "?.")
    }

    /// Whether a token is the key of a map.
    pub fn is_key(&self, token: usize) -> bool {
        let opens =
            |i: usize| self.is(i, "#{") || self.is(i, ",") && self.enclosing(i).is_some_and(|open| self.is(open, "#{"));
        self.is(token + 1, ":") && token > 0 && opens(token - 1)
    }

    /// The script that a called function is taken from, as `chess` in `chess::setup()`.
    pub fn module_of(&self, token: usize) -> Option<&str> {
        (token > 1 && self.is(token - 1, "::")).then(|| self.word(token - 2))
    }

    /// The innermost bracket that is open before a token.
    pub fn enclosing(&self, token: usize) -> Option<usize> {
        self.around.get(token).or(self.around.last()).copied().flatten()
    }

    /// The call whose argument list contains an offset. Arrays and maps within the argument are followed outward;
    /// blocks and anonymous functions are not.
    pub fn call_around(&self, offset: usize) -> Option<CallAround> {
        let end = self.tokens_before(offset);
        self.call_before(end)
    }

    /// The call whose argument list contains a token.
    pub fn call_of(&self, token: usize) -> Option<CallAround> {
        self.call_before(token)
    }

    fn call_before(&self, end: usize) -> Option<CallAround> {
        let (mut parts, mut at) = (Vec::new(), end);
        for _ in 0..DEEPEST {
            let open = self.enclosing(at)?;
            let commas = self.commas(open, end.min(at.max(open + 1)));
            match self.word(open) {
                "(" if open > 0 && self.is_name(open - 1) => {
                    if open > 1 && self.is(open - 2, "fn") {
                        return None;
                    }
                    parts.reverse();
                    return Some(CallAround {
                        name: self.word(open - 1).to_string(),
                        module: self.module_of(open - 1).map(str::to_string),
                        token: open - 1,
                        open,
                        argument: commas.len(),
                        is_method: self.is_member(open - 1),
                        parts,
                    });
                }
                // Brackets that group values belong to the argument around them.
                "(" => {}
                "[" | "?[" if !self.indexes(open) => parts.push(Part::Element(commas.len())),
                "#{" => {
                    let start = commas.last().map_or(open + 1, |comma| comma + 1);
                    let colon = start + 1 < at && self.is(start + 1, ":");
                    parts.push(if colon { Part::Value(self.key(start)) } else { Part::Key });
                }
                _ => return None,
            }
            at = open;
        }
        None
    }

    /// The name of a key of a map, without quotes.
    pub fn key(&self, token: usize) -> String {
        self.word(token).trim_matches('"').to_string()
    }

    /// The commas directly within a bracket, before a token.
    pub(crate) fn commas(&self, open: usize, end: usize) -> Vec<usize> {
        let all = self.commas.get(&open).map(Vec::as_slice).unwrap_or_default();
        all.iter().copied().take_while(|comma| *comma < end).collect()
    }

    /// Finds the bracket around each token and the commas within each bracket.
    fn find_nesting(&mut self) {
        let mut stack: Vec<(usize, bool)> = Vec::new();
        let (mut around, mut commas) =
            (Vec::with_capacity(self.tokens.len() + 1), BTreeMap::<usize, Vec<usize>>::new());
        for at in 0..self.tokens.len() {
            around.push(stack.last().map(|(open, _)| *open));
            let word = self.word(at);
            if opens(word) {
                stack.push((at, false));
            } else if let Some(open) = self.partner(at).filter(|_| closes(word)) {
                // Brackets left open in between end here too.
                while stack.pop().is_some_and(|(other, _)| other != open) {}
            } else if let Some((open, bars)) = stack.last_mut() {
                // A comma between the bars of a parameter list does not separate arguments.
                if word == "|" && (*bars || self.begins_value(at)) {
                    *bars = !*bars;
                } else if word == "," && !*bars {
                    commas.entry(*open).or_default().push(at);
                }
            }
        }
        around.push(stack.last().map(|(open, _)| *open));
        (self.around, self.commas) = (around, commas);
    }

    /// The tokens of each argument in the brackets that open at a token; empty arguments are left out.
    pub fn arguments(&self, open: usize) -> Vec<Range<usize>> {
        let mut all = self.slots(open, self.tokens.len());
        all.retain(|range| !range.is_empty());
        all
    }

    /// The tokens between the commas in the brackets that open at a token. A slot can be empty, and there is at least
    /// one. If the bracket is not closed, the last slot ends before the token `end`.
    pub(crate) fn slots(&self, open: usize, end: usize) -> Vec<Range<usize>> {
        let close = self.partner(open).unwrap_or(end).max(open + 1);
        let commas = self.commas(open, close);
        let starts = std::iter::once(open + 1).chain(commas.iter().map(|comma| comma + 1));
        let ends = commas.iter().copied().chain(std::iter::once(close));
        starts.zip(ends).map(|(start, end)| start..end.max(start)).collect()
    }

    /// Whether a token stands where a value begins, so that `|` opens a parameter list and `[` an array.
    pub(crate) fn begins_value(&self, token: usize) -> bool {
        let Some(before) = token.checked_sub(1) else { return true };
        let is_sign = self.tokens[before].sort == Some(Sort::Sign);
        let is_keyword = is_keyword(self.word(before)) && !matches!(self.word(before), "true" | "false" | "this");
        is_keyword || is_sign && !matches!(self.word(before), ")" | "]" | "}")
    }

    /// Whether a square bracket indexes a value.
    pub(crate) fn indexes(&self, open: usize) -> bool {
        !self.begins_value(open)
    }

    /// The end of the value that begins at a token: before the next comma, semicolon or closing bracket.
    pub(crate) fn end_of_value(&self, first: usize) -> usize {
        let mut at = first;
        while at < self.tokens.len() {
            let word = self.word(at);
            if matches!(word, "," | ";") || closes(word) {
                return self.tokens[at].span.start;
            }
            at = match self.partner(at) {
                Some(close) if opens(word) => close + 1,
                _ => at + 1,
            };
        }
        self.text.len()
    }

    /// The token after the statement that a token belongs to: a semicolon, or the end of the block or text.
    pub(crate) fn end_of_statement(&self, token: usize) -> usize {
        let mut at = token;
        while at < self.tokens.len() && !self.is(at, ";") && !closes(self.word(at)) {
            at = self.partner(at).filter(|_| opens(self.word(at))).unwrap_or(at) + 1;
        }
        at
    }
}

/// Whether a sign opens a bracket.
pub(crate) fn opens(sign: &str) -> bool {
    matches!(sign, "(" | "[" | "{" | "#{" | "?[")
}

/// Whether a sign closes a bracket.
pub(crate) fn closes(sign: &str) -> bool {
    matches!(sign, ")" | "]" | "}")
}

/// The comments between tokens. An unclosed one is a token of its own and no comment.
fn comments(text: &str, tokens: &[Token]) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    let ends = tokens.iter().map(|token| token.span.clone()).chain(std::iter::once(text.len()..text.len()));
    for next in ends {
        while let Some(start) = text[at..next.start].find('/').map(|more| at + more) {
            let rest = &text[start..next.start];
            let end = if rest.starts_with("//") {
                start + rest.find('\n').map_or(rest.len(), |end| rest[..end].trim_end_matches('\r').len())
            } else {
                start + block_comment(rest)
            };
            found.push(start..end);
            at = end;
        }
        at = next.end;
    }
    found
}

/// The length of a block comment, with those nested in it.
fn block_comment(text: &str) -> usize {
    let (bytes, mut depth, mut at) = (text.as_bytes(), 0, 0);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The pairs of brackets. A closing bracket of another shape closes the nearest open bracket of its own shape, if there
/// is one in the same block; brackets left open in between have no partner.
fn partners(text: &str, tokens: &[Token]) -> Vec<Option<usize>> {
    let (mut pairs, mut stack) = (vec![None; tokens.len()], Vec::<usize>::new());
    let word = |token: usize| &text[tokens[token].span.clone()];
    let shape = |open: &str| match open {
        "(" => ")",
        "[" | "?[" => "]",
        _ => "}",
    };
    for at in 0..tokens.len() {
        if tokens[at].sort != Some(Sort::Sign) {
            continue;
        }
        if opens(word(at)) {
            stack.push(at);
        } else if closes(word(at)) {
            let blocks = |&open: &usize| word(open) == "{" && word(at) != "}";
            let mut within = stack.iter().rev().take_while(|open| !blocks(open));
            let fits = within.position(|&open| shape(word(open)) == word(at));
            let Some(back) = fits else { continue };
            let open = stack[stack.len() - 1 - back];
            stack.truncate(stack.len() - 1 - back);
            (pairs[open], pairs[at]) = (Some(at), Some(open));
        }
    }
    pairs
}

#[cfg(test)]
mod tests;
