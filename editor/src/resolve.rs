//! The meaning of each word of a script: functions, variables, imported scripts, and strings that name pieces, sides
//! and so on.
//!
//! [`Document::binding`] and this module share the scopes of variables; this module adds functions, names and the
//! expressions in template strings. In a script that cannot be parsed, a name refers to the nearest declaration of that
//! name. Invariant: words are in order and do not overlap.

use crate::document::{Binding, Document, Origin};
use crate::names::{self, Declared, NameKind, NameUse};
use crate::script::Script;
use astragal_dsl::syntax::Sort;
use astragal_dsl::vocabulary;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The maximum depth of template strings within template strings.
pub(crate) const DEEPEST: usize = 4;

/// The meaning of a word. Words with equal meanings refer to the same thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
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
pub(crate) enum Form {
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
pub(crate) struct Word {
    /// Its byte range, without quotes.
    pub(crate) span: Range<usize>,
    /// Its meaning.
    pub(crate) meaning: Meaning,
    /// How it is written.
    pub(crate) form: Form,
    /// Whether it is a declaration.
    pub(crate) declares: bool,
    /// The number of arguments if it is called, or of parameters if it declares a function.
    pub(crate) arguments: Option<usize>,
}

/// All words of a script that can have a meaning, in order.
pub(crate) fn words(script: &Script) -> Vec<Word> {
    let document = script.document();
    let mut functions: HashMap<&str, Vec<usize>> = HashMap::new();
    for function in document.functions() {
        functions.entry(document.word(function.name)).or_default().push(function.parameters.len());
    }
    let mut all = Words { functions, declared: script.declared(), found: Vec::new() };
    all.collect(&Layer { document, base: 0, around: None }, script.uses(), DEEPEST);
    all.found.sort_by_key(|word| word.span.start);
    all.found
}

/// The word at an offset. The quotes of a string count as part of the word.
pub(crate) fn word_at<'w>(words: &'w [Word], text: &str, offset: usize) -> Option<&'w Word> {
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
pub(crate) fn embedded(template: &str) -> Vec<Range<usize>> {
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

/// A document: the script, or an expression in a template string.
struct Layer<'a> {
    document: &'a Document,
    /// The offset of the document in the script.
    base: usize,
    /// The enclosing layer, and the offset in its document.
    around: Option<(&'a Layer<'a>, usize)>,
}

impl Layer<'_> {
    /// The meaning of a variable; `None` for an imported script, which is no value.
    fn of(&self, one: &Binding) -> Option<Meaning> {
        let at = self.base + self.document.tokens()[one.token].span.start;
        (one.origin != Origin::Import).then_some(Meaning::Variable { origin: one.origin, at })
    }

    /// The top-level constant that functions can use under a name.
    fn global(&self, name: &str) -> Option<Meaning> {
        let own = self.document.global(name).and_then(|one| self.of(one));
        own.or_else(|| self.around.and_then(|(layer, _)| layer.global(name)))
    }

    /// The variable that a name refers to at an offset.
    fn variable(&self, name: &str, offset: usize) -> Option<Meaning> {
        let own = self.document.local(name, offset).and_then(|one| self.of(one));
        let global = || if self.document.in_function(offset) { self.global(name) } else { None };
        let around = || self.around.and_then(|(layer, at)| layer.variable(name, at));
        let unfinished = || self.document.unfinished(name, offset).and_then(|one| self.of(one));
        own.or_else(global).or_else(around).or_else(unfinished)
    }
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
            let inner = Layer { document: &inner, base: layer.base + at, around: Some((layer, at)) };
            self.collect(&inner, &uses, deepest - 1);
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
        let is_built_in = vocabulary::is_built_in(name);
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
