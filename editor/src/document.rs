//! The text of a script by its tokens: brackets, functions, variables and calls, even while the text is incomplete.
//!
//! It knows how scripts are written, not what a function means. Every answer comes from the tokens alone, since a script
//! that is being typed can rarely be parsed. Places are byte offsets; tokens and comments are numbered in order.

use crate::lines::Lines;
use astragal_dsl::syntax::{self, Sort};
use std::ops::Range;

/// The words of the language that are no names.
pub const KEYWORDS: [&str; 26] = [
    "as", "break", "catch", "const", "continue", "do", "else", "export", "false", "fn", "for", "if", "import", "in",
    "let", "loop", "private", "return", "switch", "this", "throw", "true", "try", "until", "while", "global",
];

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
    /// The bytes in which the name stands for it.
    pub scope: Range<usize>,
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
    functions: Vec<Function>,
    bindings: Vec<Binding>,
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
            functions: Vec::new(),
            bindings: Vec::new(),
            imports: Vec::new(),
        };
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
        is_word && !KEYWORDS.contains(&self.word(token))
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

    /// The function that contains an offset.
    pub fn function_at(&self, offset: usize) -> Option<&Function> {
        self.functions.iter().find(|function| function.span.start <= offset && offset < function.span.end)
    }

    /// The function of a name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| self.is(function.name, name))
    }

    /// The variable that a name means at an offset: the last one declared in the innermost scope.
    pub fn binding(&self, name: &str, offset: usize) -> Option<&Binding> {
        let holds = |one: &&Binding| {
            let at = self.tokens[one.token].span.start;
            (one.scope.start <= offset && offset <= one.scope.end || at == offset) && self.is(one.token, name)
        };
        self.bindings.iter().filter(holds).max_by_key(|one| one.scope.start)
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
        let mut at = token;
        while let Some(before) = at.checked_sub(1) {
            at = match self.partner(before) {
                // A closed pair is skipped.
                Some(open) if closes(self.word(before)) => open,
                _ if opens(self.word(before)) => return Some(before),
                _ => before,
            };
        }
        None
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
        loop {
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
    }

    /// The name of a key of a map, without quotes.
    pub fn key(&self, token: usize) -> String {
        self.word(token).trim_matches('"').to_string()
    }

    /// The commas directly within a bracket, before a token.
    fn commas(&self, open: usize, end: usize) -> Vec<usize> {
        let (mut found, mut at) = (Vec::new(), open + 1);
        let mut bars = false;
        while at < end {
            // A comma between the bars of a parameter list does not separate arguments.
            if self.is(at, "|") && (bars || self.begins_value(at)) {
                bars = !bars;
            } else if self.is(at, ",") && !bars {
                found.push(at);
            }
            at = match self.partner(at) {
                Some(close) if opens(self.word(at)) => close + 1,
                _ => at + 1,
            };
        }
        found
    }

    /// The arguments of a call whose bracket opens at a token: the tokens of each.
    pub fn arguments(&self, open: usize) -> Vec<Range<usize>> {
        let close = self.partner(open).unwrap_or(self.tokens.len());
        let commas = self.commas(open, close);
        let starts = std::iter::once(open + 1).chain(commas.iter().map(|comma| comma + 1));
        let ends = commas.iter().copied().chain(std::iter::once(close));
        starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty()).collect()
    }

    /// Whether a token stands where a value begins, so that `|` opens a parameter list and `[` an array.
    fn begins_value(&self, token: usize) -> bool {
        let Some(before) = token.checked_sub(1) else { return true };
        let is_sign = self.tokens[before].sort == Some(Sort::Sign);
        let is_keyword =
            KEYWORDS.contains(&self.word(before)) && !matches!(self.word(before), "true" | "false" | "this");
        is_keyword || is_sign && !matches!(self.word(before), ")" | "]" | "}")
    }

    /// Whether a square bracket indexes a value.
    fn indexes(&self, open: usize) -> bool {
        !self.begins_value(open)
    }

    fn find_functions(&mut self) {
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

    fn find_bindings(&mut self) {
        let mut found = Vec::new();
        for function in &self.functions {
            for &token in &function.parameters {
                found.push(Binding { token, origin: Origin::Parameter, scope: function.body.clone() });
            }
        }
        for at in 0..self.tokens.len() {
            match self.word(at) {
                word @ ("let" | "const") if self.is_name(at + 1) => {
                    let origin = if word == "let" { Origin::Let } else { Origin::Const };
                    found.push(Binding { token: at + 1, origin, scope: self.rest_of_block(at + 1) });
                }
                "for" => found.extend(self.loop_variables(at)),
                "catch" if self.is(at + 1, "(") && self.is_name(at + 2) && self.is(at + 4, "{") => {
                    found.push(Binding { token: at + 2, origin: Origin::Loop, scope: self.block(at + 4) });
                }
                "|" if self.begins_value(at) => found.extend(self.closure_parameters(at)),
                "as" if self.is_name(at + 1) && at > 1 && self.is(at - 2, "import") => {
                    found.push(Binding { token: at + 1, origin: Origin::Import, scope: 0..self.text.len() });
                }
                _ => {}
            }
        }
        found.sort_by_key(|one| one.token);
        self.bindings = found;
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
        names.map(|token| Binding { token, origin: Origin::Loop, scope: scope.clone() }).collect()
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
        names.map(|token| Binding { token, origin: Origin::Parameter, scope: scope.clone() }).collect()
    }

    /// The end of the value that begins at a token: before the next comma, semicolon or closing bracket.
    fn end_of_value(&self, first: usize) -> usize {
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

    fn find_imports(&mut self) {
        let is_import = |&at: &usize| self.is(at, "import") && self.is_text(at + 1);
        let alias = |at: usize| Some(at + 3).filter(|&alias| self.is(at + 2, "as") && self.is_name(alias));
        self.imports =
            (0..self.tokens.len()).filter(is_import).map(|at| Import { script: at + 1, alias: alias(at) }).collect();
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

/// The pairs of brackets. A closing bracket of another shape closes the nearest open bracket of its own shape, if there is
/// one in the same block; brackets left open in between have no partner.
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
            let reach = stack.iter().rev().take_while(|open| !blocks(open)).count();
            let fits = stack.iter().rev().take(reach).position(|&open| shape(word(open)) == word(at));
            let Some(back) = fits else { continue };
            let open = stack[stack.len() - 1 - back];
            stack.truncate(stack.len() - 1 - back);
            (pairs[open], pairs[at]) = (Some(at), Some(open));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document, and the offset of the mark `^` in its text, which is removed.
    fn marked(text: &str) -> (Document, usize) {
        let at = text.find('^').expect("a mark");
        (Document::new(text.replacen('^', "", 1)), at)
    }

    fn call(text: &str) -> Option<(String, usize, Vec<Part>)> {
        let (document, at) = marked(text);
        document.call_around(at).map(|call| (call.name, call.argument, call.parts))
    }

    #[test]
    fn calls_are_found_around_a_place() {
        let plain = |name: &str, argument| Some((name.to_string(), argument, Vec::new()));
        assert_eq!(call("play(^)"), plain("play", 0));
        assert_eq!(call("play(pieces(\"a\"), ^"), plain("play", 1));
        assert_eq!(call("play(pieces(\"^\"))"), plain("pieces", 0));
        assert_eq!(call("play((any() | ^))"), plain("play", 0));
        assert_eq!(call("where(any(), |a, b| ^)"), plain("where", 1));
        assert_eq!(call("where(any(), |m| { m.^ })"), None);
        assert_eq!(call("fn turn(^) {}"), None);
        assert_eq!(call("x[^]"), None);
        assert_eq!(call("f(x[1], ^)"), plain("f", 1));
    }

    #[test]
    fn arrays_and_maps_within_an_argument_are_named() {
        let parts = |text: &str| call(text).expect("a call").2;
        assert_eq!(parts("pieces([\"a\", ^])"), [Part::Element(1)]);
        assert_eq!(parts("counter(\"a\", 0, #{ ^ })"), [Part::Key]);
        assert_eq!(parts("counter(\"a\", 0, #{ per_side: true, ^ })"), [Part::Key]);
        assert_eq!(parts("counter(\"a\", 0, #{ places: ^ })"), [Part::Value("places".into())]);
        assert_eq!(
            parts("piece(\"a\", \"A\", \"K\", #{ promotes: [\"x\", \"^\"] })"),
            [Part::Value("promotes".into()), Part::Element(1)]
        );
    }

    #[test]
    fn names_mean_the_innermost_variable() {
        let (document, at) = marked("const n = 1; fn turn() { let n = 2; where(x, |n| n^ + 1); }");
        let binding = document.binding("n", at).expect("a variable");
        assert_eq!(binding.origin, Origin::Parameter);
        let (document, at) = marked("const n = 1; fn turn() { let n = 2; n^; }");
        assert_eq!(document.binding("n", at).map(|one| one.origin), Some(Origin::Let));
        let (document, at) = marked("const n = 1; fn a() { let n = 2; } fn turn() { n^; }");
        assert_eq!(document.binding("n", at).map(|one| one.origin), Some(Origin::Const));
        let (document, at) = marked("for (a, i) in list { a^ }");
        assert_eq!(document.binding("a", at).map(|one| one.origin), Some(Origin::Loop));
        assert!(document.binding("i", 0).is_none());
    }

    #[test]
    fn functions_and_imports_have_their_places() {
        let text = "import \"chess\" as chess;\nprivate fn help(a, b) { a + b }\nfn turn() {";
        let document = Document::new(text.into());
        let functions = document.functions();
        assert_eq!(document.word(functions[0].name), "help");
        assert_eq!(functions[0].parameters.len(), 2);
        assert_eq!(&text[functions[0].span.clone()], "private fn help(a, b) { a + b }");
        assert_eq!(functions[1].body, text.len() - 1..text.len());
        assert_eq!(document.imports().len(), 1);
        assert_eq!(document.binding("chess", text.len()).map(|one| one.origin), Some(Origin::Import));
    }

    #[test]
    fn comments_are_kept() {
        let text = "// one\n// two\nf(1 /* a /* b */ c */, 2); // three";
        let document = Document::new(text.into());
        let found: Vec<&str> = document.comments().iter().map(|comment| &text[comment.clone()]).collect();
        assert_eq!(found, ["// one", "// two", "/* a /* b */ c */", "// three"]);
        assert!(document.in_comment(3) && document.in_comment(text.len()));
        assert!(!document.in_comment(text.find("f(").unwrap() + 1));
    }

    #[test]
    fn any_text_can_be_read() {
        let pieces = [
            "fn", "turn", "(", ")", "{", "}", "[", "]", "#{", "\"a", "\"b\"", "|", "let", "for", "in", "//", "/*", "`",
            ",",
        ];
        let mut seed = 1_u64;
        for _ in 0..2_000 {
            let mut text = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
                text.push(if seed >> 60 & 1 == 0 { ' ' } else { '\n' });
            }
            let document = Document::new(text.clone());
            for at in 0..=text.len() {
                document.call_around(at);
                document.token_at(at);
                document.binding("turn", at);
                document.in_comment(at);
            }
        }
    }
}
