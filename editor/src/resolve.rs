//! The meaning of each word of a script: functions, variables, imported scripts, and strings that name pieces, sides
//! and so on.
//!
//! This module implements the scopes of the language, independently of editors. Expressions in template strings count
//! like all others. In a script that cannot be parsed, a name refers to the nearest declaration of that name.
//! Invariant: words are in order and do not overlap.

use crate::document::{Binding, Document, Origin, closes, opens};
use crate::names::{self, Declared, NameKind, NameUse};
use crate::script::Script;
use astragal_dsl::manual;
use astragal_dsl::syntax::Sort;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The maximum depth of template strings within template strings.
pub(crate) const DEEPEST: usize = 4;

/// The meaning of a word. Words with equal meanings refer to the same thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The functions of the script with this name, with any number of parameters.
    Function(String),
    /// A built-in function or method.
    BuiltIn(String),
    /// A variable, constant or parameter, by the offset of its declaration.
    Variable {
        /// How it was declared.
        origin: Origin,
        /// The offset of the name in its declaration.
        at: usize,
    },
    /// An imported script, by its alias.
    Module(String),
    /// A function or constant of an imported script.
    Imported {
        /// The script's alias.
        module: String,
        /// The name in that script.
        name: String,
    },
    /// A piece, a side, or another thing that the script or an imported script names.
    Named(NameKind, String),
    /// A property that is read from a value.
    Property,
    /// A key of a map.
    Key,
    /// A name without a known meaning.
    Unknown,
}

/// How a word is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As an identifier.
    Plain,
    /// Within quotes.
    Quoted,
    /// As a key of a map, without quotes.
    Key,
    /// After a dot.
    Member,
    /// Before `=` in a position.
    Field,
}

/// A word of a script.
#[derive(Clone, Debug)]
pub struct Word {
    /// Its byte range, without quotes.
    pub span: Range<usize>,
    /// Its meaning.
    pub meaning: Meaning,
    /// How it is written.
    pub form: Form,
    /// Whether it is a declaration.
    pub declares: bool,
    /// The number of arguments if it is called, or of parameters if it declares a function.
    pub arguments: Option<usize>,
}

/// All words of a script that can have a meaning, in order.
pub fn words(script: &Script) -> Vec<Word> {
    let document = script.document();
    let mut functions: HashMap<&str, Vec<usize>> = HashMap::new();
    for function in document.functions() {
        functions.entry(document.word(function.name)).or_default().push(function.parameters.len());
    }
    let mut all = Words { functions, declared: script.declared(), found: Vec::new() };
    all.collect(&Layer::new(document, 0, None), script.uses(), DEEPEST);
    all.found.sort_by_key(|word| word.span.start);
    all.found
}

/// The word at an offset. The quotes of a string count as part of the word.
pub fn word_at<'w>(words: &'w [Word], text: &str, offset: usize) -> Option<&'w Word> {
    let whole = |word: &Word| {
        let quotes = usize::from(word.form == Form::Quoted);
        let closed = text.as_bytes().get(word.span.end) == Some(&b'"');
        word.span.start - quotes..word.span.end + if closed { quotes } else { 0 }
    };
    let next = words.partition_point(|word| whole(word).start <= offset);
    let near = words[..next].iter().rev().take(2);
    near.filter(|word| offset <= whole(word).end).max_by_key(|word| word.span.start)
}

/// The byte ranges of the expressions that are embedded in a template string.
pub fn embedded(template: &str) -> Vec<Range<usize>> {
    let (bytes, mut found) = (template.as_bytes(), Vec::new());
    let (mut at, mut depth, mut start) = (1, 0, 0);
    // As in the tokenizer of scripts, brackets within strings count.
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'$' if bytes.get(at + 1) == Some(&b'{') => {
                (depth, at) = (depth + 1, at + 1);
                if depth == 1 {
                    start = at + 1;
                }
            }
            b'{' if depth > 0 => depth += 1,
            b'}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    found.push(start..at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    if depth > 0 && start <= template.len() {
        found.push(start..template.len());
    }
    found.retain(|range| template.is_char_boundary(range.start) && template.is_char_boundary(range.end));
    found
}

/// A document with its variables: the script, or an expression in a template string.
struct Layer<'a> {
    document: &'a Document,
    /// The offset of the document in the script.
    base: usize,
    /// The enclosing layer, and the offset in its document.
    around: Option<(&'a Layer<'a>, usize)>,
    bindings: HashMap<&'a str, Vec<Candidate>>,
    /// The bodies of functions, in order.
    functions: Vec<Range<usize>>,
}

/// A variable that a name can refer to.
struct Candidate {
    /// The offset of the name in its declaration.
    at: usize,
    origin: Origin,
    /// The byte range in which the name refers to it.
    scope: Range<usize>,
    /// The end of its initial value, in which the name does not refer to it yet.
    value_end: usize,
    /// Whether functions can use it.
    is_global: bool,
}

impl<'a> Layer<'a> {
    fn new(document: &'a Document, base: usize, around: Option<(&'a Layer<'a>, usize)>) -> Layer<'a> {
        let ends = ends_of_values(document);
        let mut bindings: HashMap<&str, Vec<Candidate>> = HashMap::new();
        for binding in document.bindings().iter().filter(|binding| binding.origin != Origin::Import) {
            let span = document.tokens()[binding.token].span.clone();
            let is_global = binding.origin == Origin::Const && document.enclosing(binding.token).is_none();
            let candidate = Candidate {
                at: span.start,
                origin: binding.origin,
                scope: binding.scope.clone(),
                value_end: value_end(document, binding, &ends),
                is_global,
            };
            bindings.entry(document.word(binding.token)).or_default().push(candidate);
        }
        let functions = document.functions().iter().map(|function| function.span.clone()).collect();
        Layer { document, base, around, bindings, functions }
    }

    /// The function that contains an offset.
    fn function_at(&self, offset: usize) -> Option<&Range<usize>> {
        let next = self.functions.partition_point(|span| span.start <= offset);
        self.functions[..next].last().filter(|span| offset < span.end)
    }

    fn meaning(&self, one: &Candidate) -> Meaning {
        Meaning::Variable { origin: one.origin, at: self.base + one.at }
    }

    /// The top-level constant that functions can use under a name.
    fn global(&self, name: &str) -> Option<Meaning> {
        let own = self.bindings.get(name).into_iter().flatten();
        let found = own.filter(|one| one.is_global).max_by_key(|one| one.at).map(|one| self.meaning(one));
        found.or_else(|| self.around.and_then(|(layer, _)| layer.global(name)))
    }

    /// The variable that a name refers to at an offset.
    fn variable(&self, name: &str, offset: usize) -> Option<Meaning> {
        let all = self.bindings.get(name).map_or(&[][..], Vec::as_slice);
        if let Some(declared) = all.iter().find(|one| one.at == offset) {
            return Some(self.meaning(declared));
        }
        let function = self.function_at(offset);
        let in_scope = |one: &&Candidate| one.scope.start <= offset && offset <= one.scope.end;
        let is_near = |one: &&Candidate| function.is_none_or(|span| span.contains(&one.at));
        let near = all.iter().filter(|one| in_scope(one) && is_near(one) && one.value_end <= offset);
        let found = near.max_by_key(|one| one.scope.start).map(|one| self.meaning(one));
        let global = || function.and_then(|_| self.global(name));
        let around = || self.around.and_then(|(layer, at)| layer.variable(name, at));
        // In an incomplete script, the value of a variable may have no end.
        let unfinished = || all.iter().filter(in_scope).max_by_key(|one| one.scope.start);
        found.or_else(global).or_else(around).or_else(|| unfinished().map(|one| self.meaning(one)))
    }
}

/// The byte range in which a name refers to a variable. It excludes the initial value of the variable.
pub(crate) fn scope_of(document: &Document, binding: &Binding) -> Range<usize> {
    let end = binding.scope.end;
    binding.scope.start.max(value_end(document, binding, &ends_of_values(document))).min(end)..end
}

/// The end of the initial value of a variable, or of its name if it has none.
fn value_end(document: &Document, binding: &Binding, ends: &[usize]) -> usize {
    let is_declared = matches!(binding.origin, Origin::Let | Origin::Const);
    let end = ends.get(binding.token + 2).filter(|_| is_declared && document.is(binding.token + 1, "="));
    end.copied().unwrap_or(document.tokens()[binding.token].span.end)
}

/// The bodies of anonymous functions.
pub(crate) fn closures(document: &Document) -> Vec<Range<usize>> {
    let parameters: HashSet<usize> = document.functions().iter().flat_map(|one| one.parameters.clone()).collect();
    let is_anonymous = |one: &&Binding| one.origin == Origin::Parameter && !parameters.contains(&one.token);
    let mut found: Vec<Range<usize>> =
        document.bindings().iter().filter(is_anonymous).map(|one| one.scope.clone()).collect();
    let bare = (0..document.tokens().len()).filter(|&at| document.is(at, "||") && document.begins_value(at));
    found.extend(bare.map(|at| document.tokens()[at].span.end..document.end_of_value(at + 1)));
    found.dedup();
    found
}

/// For each token, the offset of the semicolon or closing bracket that ends a value that begins there.
fn ends_of_values(document: &Document) -> Vec<usize> {
    let mut ends = vec![document.text().len(); document.tokens().len()];
    // For each pair of brackets around the token, the end of the values in it.
    let mut around = vec![document.text().len()];
    for token in (0..document.tokens().len()).rev() {
        let word = document.word(token);
        let start = document.tokens()[token].span.start;
        if opens(word) && document.partner(token).is_some() && around.len() > 1 {
            around.pop();
        }
        let ends_value = word == ";" || closes(word);
        if let Some(last) = around.last_mut() {
            let before = *last;
            ends[token] = if ends_value { start } else { before };
            if word == ";" || closes(word) && document.partner(token).is_none() {
                *last = start;
            }
        }
        if closes(word) && document.partner(token).is_some() {
            around.push(start);
        }
    }
    ends
}

/// The words found so far.
struct Words<'a> {
    /// The numbers of parameters of the script's functions, by name.
    functions: HashMap<&'a str, Vec<usize>>,
    declared: &'a [Declared],
    found: Vec<Word>,
}

impl Words<'_> {
    fn collect(&mut self, layer: &Layer<'_>, uses: &[NameUse], deepest: usize) {
        let document = layer.document;
        let mut uses = uses.iter().peekable();
        for token in 0..document.tokens().len() {
            while uses.peek().is_some_and(|one| one.token < token) {
                uses.next();
            }
            let before = self.found.len();
            while let Some(one) = uses.next_if(|one| one.token == token) {
                self.found.push(named(layer, one));
            }
            if self.found.len() > before {
                continue;
            }
            match document.tokens()[token].sort {
                Some(Sort::Word) => self.found.extend(self.word(layer, token)),
                Some(Sort::Text | Sort::OpenText) => self.found.extend(self.function_by_text(layer, token)),
                Some(Sort::Template) if deepest > 0 => self.template(layer, token, deepest),
                _ => {}
            }
        }
    }

    /// Adds the words of the expressions in a template string.
    fn template(&mut self, layer: &Layer<'_>, token: usize, deepest: usize) {
        let start = layer.document.tokens()[token].span.start;
        for range in embedded(layer.document.word(token)) {
            let inner = Document::new(layer.document.word(token)[range.clone()].to_string());
            let uses = names::uses(&inner, self.declared);
            let at = start + range.start;
            self.collect(&Layer::new(&inner, layer.base + at, Some((layer, at))), &uses, deepest - 1);
        }
    }

    fn word(&self, layer: &Layer<'_>, token: usize) -> Option<Word> {
        let document = layer.document;
        if !document.is_name(token) || document.is(token, "_") {
            return None;
        }
        let span = document.tokens()[token].span.clone();
        let (meaning, declares) = self.meaning(layer, token);
        let form = match () {
            () if document.is_key(token) => Form::Key,
            () if document.is_member(token) => Form::Member,
            () => Form::Plain,
        };
        let parameters = || {
            let function = document.functions().iter().find(|function| function.name == token);
            function.map(|function| function.parameters.len())
        };
        let arguments = match meaning {
            Meaning::Function(_) if declares => parameters(),
            _ => arguments(document, token),
        };
        let span = layer.base + span.start..layer.base + span.end;
        Some(Word { span, meaning, form, declares, arguments })
    }

    /// The meaning of a name, and whether it is declared here.
    fn meaning(&self, layer: &Layer<'_>, token: usize) -> (Meaning, bool) {
        let document = layer.document;
        let name = document.word(token);
        let before = token.checked_sub(1).map_or("", |before| document.word(before));
        let offset = document.tokens()[token].span.start;
        let meaning = match before {
            "fn" => return (Meaning::Function(name.to_string()), true),
            "as" if token > 2 && document.is(token - 3, "import") => return (Meaning::Module(name.to_string()), true),
            "::" if token > 1 && document.is(token - 2, "global") => layer.global(name),
            "::" if token > 1 => {
                let module = document.word(token - 2).to_string();
                Some(Meaning::Imported { module, name: name.to_string() })
            }
            _ if document.is(token + 1, "::") => Some(Meaning::Module(name.to_string())),
            _ if document.is_key(token) => Some(Meaning::Key),
            _ if document.is_member(token) && !document.is(token + 1, "(") => Some(Meaning::Property),
            _ if document.is_call(token) => self.called(document, token),
            _ => {
                let variable = layer.variable(name, offset);
                let declares = matches!(variable, Some(Meaning::Variable { at, .. }) if at == layer.base + offset);
                if declares {
                    return (variable.unwrap_or(Meaning::Unknown), true);
                }
                variable.or_else(|| self.functions.contains_key(name).then(|| Meaning::Function(name.to_string())))
            }
        };
        (meaning.unwrap_or(Meaning::Unknown), false)
    }

    /// The called function: one of the script, unless only a built-in function takes this many arguments.
    fn called(&self, document: &Document, token: usize) -> Option<Meaning> {
        let name = document.word(token);
        let own = self.functions.get(name);
        let count = arguments(document, token);
        let fits = own.is_some_and(|counts| count.is_none_or(|count| counts.contains(&count)));
        let is_built_in = manual::is_built_in(name);
        match own {
            Some(_) if fits || !is_built_in && !document.is_member(token) => Some(Meaning::Function(name.to_string())),
            _ if is_built_in || document.is_member(token) => Some(Meaning::BuiltIn(name.to_string())),
            _ => None,
        }
    }

    /// A function named by a string, as in `Fn("double")`.
    fn function_by_text(&self, layer: &Layer<'_>, token: usize) -> Option<Word> {
        let document = layer.document;
        let of_call = |call: usize| document.is(call + 1, "(") && matches!(document.word(call), "Fn" | "is_def_fn");
        let call = token.checked_sub(2).filter(|call| of_call(*call))?;
        let inside = document.inside(token);
        let name = &document.text()[inside.clone()];
        let span = layer.base + inside.start..layer.base + inside.end;
        let meaning = Meaning::Function(name.to_string());
        let known = self.functions.contains_key(name) && !document.is_member(call);
        known.then_some(Word { span, meaning, form: Form::Quoted, declares: false, arguments: None })
    }
}

/// A word that uses a declared name.
fn named(layer: &Layer<'_>, one: &NameUse) -> Word {
    let document = layer.document;
    let form = match () {
        () if document.is_member(one.token) => Form::Member,
        () if !document.is_text(one.token) => Form::Key,
        () if document.inside(one.token) == one.span => Form::Quoted,
        () => Form::Field,
    };
    Word {
        span: layer.base + one.span.start..layer.base + one.span.end,
        meaning: Meaning::Named(one.kind, one.name.clone()),
        form,
        declares: one.declares,
        arguments: None,
    }
}

/// The number of arguments, if the token is the name in a call whose bracket is closed.
fn arguments(document: &Document, token: usize) -> Option<usize> {
    let open = Some(token + 1).filter(|open| document.is(*open, "("))?;
    document.partner(open)?;
    Some(document.arguments(open).len())
}
