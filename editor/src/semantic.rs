//! The class of every token in a script, for semantic highlighting.
//!
//! Unlike a highlighter that matches patterns, it distinguishes built-in functions, constants, and strings that name
//! pieces. Invariant: tokens are in order and do not overlap. A token may span several lines.

use crate::document::{Document, Origin, is_keyword};
use crate::names::{self, NameKind, Wanted};
use crate::resolve::{self, DEEPEST, Form, Meaning, Word};
use crate::script::Script;
use astragal_dsl::manual::ParamKind;
use astragal_dsl::notation::dice;
use astragal_dsl::syntax::Sort;
use std::ops::Range;

/// The class of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenClass {
    /// A keyword of the language.
    Keyword,
    /// A function of the script or of an imported one.
    Function,
    /// A built-in function.
    BuiltIn,
    /// A parameter.
    Parameter,
    /// A variable.
    Variable,
    /// A constant.
    Constant,
    /// A property of a value.
    Property,
    /// A key of a map.
    Key,
    /// A name that the script gives to a piece, a side and so on.
    Named(NameKind),
    /// Any other string.
    Text,
    /// A number.
    Number,
    /// Dice, in a string or not.
    Dice,
    /// An operator.
    Operator,
    /// A comment.
    Comment,
    /// An imported script.
    Module,
}

/// A token and its class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SemanticToken {
    /// Its byte range. Strings include their quotes.
    pub span: Range<usize>,
    /// Its class.
    pub class: TokenClass,
    /// Whether it is a declaration.
    pub declares: bool,
}

/// The tokens and comments of a script that have a class. Brackets and separators have none.
pub fn semantic_tokens(script: &Script) -> Vec<SemanticToken> {
    let words = resolve::words(script);
    let comment =
        |span: &Range<usize>| SemanticToken { span: span.clone(), class: TokenClass::Comment, declares: false };
    let mut found: Vec<SemanticToken> = script.document().comments().iter().map(comment).collect();
    let mut classes = Classes { words: &words, found: Vec::new() };
    classes.collect(script.document(), 0, DEEPEST);
    found.append(&mut classes.found);
    found.sort_by_key(|token| token.span.start);
    found
}

struct Classes<'a> {
    words: &'a [Word],
    found: Vec<SemanticToken>,
}

impl Classes<'_> {
    fn add(&mut self, span: Range<usize>, class: TokenClass, declares: bool) {
        if !span.is_empty() {
            self.found.push(SemanticToken { span, class, declares });
        }
    }

    /// The words that begin within a token.
    fn words_in(&self, span: &Range<usize>) -> &[Word] {
        let first = self.words.partition_point(|word| word.span.start < span.start);
        let count = self.words[first..].partition_point(|word| word.span.start < span.end);
        &self.words[first..first + count]
    }

    /// Adds the tokens of a document that begins at an offset of the script.
    fn collect(&mut self, document: &Document, base: usize, deepest: usize) {
        for token in 0..document.tokens().len() {
            let own = &document.tokens()[token].span;
            let span = base + own.start..base + own.end;
            match document.tokens()[token].sort {
                Some(Sort::Word) => self.word(document, token, span),
                Some(Sort::Text | Sort::OpenText) => self.text(document, token, span),
                Some(Sort::Template) => self.template(document.word(token), span, deepest),
                Some(Sort::Quoted) => self.add(span, TokenClass::Text, false),
                Some(Sort::Number) => self.add(span, TokenClass::Number, false),
                Some(Sort::Dice) => self.add(span, TokenClass::Dice, false),
                Some(Sort::OpenComment) => self.add(span, TokenClass::Comment, false),
                Some(Sort::Sign) if is_operator(document.word(token)) => self.add(span, TokenClass::Operator, false),
                Some(Sort::Sign) | None => {}
            }
        }
    }

    fn word(&mut self, document: &Document, token: usize, span: Range<usize>) {
        if is_keyword(document.word(token)) {
            let class = if document.is_key(token) { TokenClass::Key } else { TokenClass::Keyword };
            return self.add(span, class, false);
        }
        let Some(word) = self.words_in(&span).first() else { return };
        let (class, declares) = (class_of(word), word.declares);
        self.add(span, class, declares);
    }

    fn text(&mut self, document: &Document, token: usize, span: Range<usize>) {
        let inside: Vec<(Range<usize>, Form, TokenClass, bool)> = self
            .words_in(&span)
            .iter()
            .map(|word| (word.span.clone(), word.form, class_of(word), word.declares))
            .collect();
        if let [(_, Form::Quoted, class, declares)] = inside.as_slice() {
            return self.add(span, *class, *declares);
        }
        let before = token.checked_sub(1).map_or("", |before| document.word(before));
        let rest = match () {
            () if before == "import" => TokenClass::Module,
            () if document.is_key(token) => TokenClass::Key,
            () if is_dice(document, token) => TokenClass::Dice,
            () => TokenClass::Text,
        };
        let mut at = span.start;
        for (field, _, class, declares) in inside {
            self.add(at..field.start, rest, false);
            at = field.end;
            self.add(field, class, declares);
        }
        self.add(at..span.end, rest, false);
    }

    fn template(&mut self, text: &str, span: Range<usize>, deepest: usize) {
        let mut at = span.start;
        let parts = if deepest > 0 { resolve::embedded(text) } else { Vec::new() };
        for part in parts {
            let start = span.start + part.start;
            self.add(at..start, TokenClass::Text, false);
            at = span.start + part.end;
            self.collect(&Document::new(text[part].to_string()), start, deepest - 1);
        }
        self.add(at..span.end, TokenClass::Text, false);
    }
}

/// The class of a word, which depends on its meaning.
fn class_of(word: &Word) -> TokenClass {
    match &word.meaning {
        Meaning::Function(_) => TokenClass::Function,
        Meaning::BuiltIn(_) => TokenClass::BuiltIn,
        Meaning::Variable { origin: Origin::Const, .. } => TokenClass::Constant,
        Meaning::Variable { origin: Origin::Parameter, .. } => TokenClass::Parameter,
        Meaning::Variable { .. } | Meaning::Unknown => TokenClass::Variable,
        Meaning::Module(_) => TokenClass::Module,
        Meaning::Imported { .. } if word.arguments.is_none() => TokenClass::Constant,
        Meaning::Imported { .. } => TokenClass::Function,
        Meaning::Property => TokenClass::Property,
        Meaning::Key => TokenClass::Key,
        Meaning::Named(kind, _) => TokenClass::Named(*kind),
    }
}

/// Whether a string is dice: it is an argument that must be dice, or valid dice where any value or the name of a piece
/// is expected.
fn is_dice(document: &Document, token: usize) -> bool {
    let text = &document.text()[document.inside(token)];
    let could_be = text.contains(['d', 'D']) && text.contains(|c: char| c.is_ascii_digit());
    if !could_be {
        return false;
    }
    let wanted = names::wanted(document, token);
    let by_piece = wanted.contains(&Wanted::Name(NameKind::Piece)) || wanted.contains(&Wanted::Anything);
    wanted.contains(&Wanted::Parameter(ParamKind::Dice)) || by_piece && dice::parse(text).is_ok()
}

/// Whether a sign is an operator, not a bracket or separator.
fn is_operator(sign: &str) -> bool {
    !matches!(
        sign,
        "(" | ")" | "[" | "]" | "{" | "}" | "#{" | "?[" | "," | ";" | ":" | "." | "?." | "::" | "#" | "$" | "\\"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_dsl::Source;
    use std::time::{Duration, Instant};

    fn script(text: &str) -> Script {
        Script::new(Source { name: "mine".into(), path: None, text: text.into() })
    }

    fn classes(text: &str) -> Vec<(String, TokenClass, bool)> {
        let tokens = semantic_tokens(&script(text)).into_iter();
        tokens.map(|token| (text[token.span].to_string(), token.class, token.declares)).collect()
    }

    /// The class of a token, and whether it is a declaration.
    fn class(text: &str, token: &str) -> (TokenClass, bool) {
        let all = classes(text);
        let found = all.iter().find(|(text, ..)| text == token);
        found.map(|(_, class, declares)| (*class, *declares)).unwrap_or_else(|| panic!("{token} in {all:?}"))
    }

    #[test]
    fn words_have_the_class_of_what_they_stand_for() {
        use TokenClass::*;
        let text = "import \"chess\" as base; const A = 1; fn help(a) { let v = a; v } \
                    fn turn() { help(A); play(any()); base::setup(); m.kind; #{ key: 0x1f }; x.len() } // end";
        for (token, expected) in [
            ("import", (Keyword, false)),
            ("\"chess\"", (Module, false)),
            ("base", (Module, true)),
            ("A", (Constant, true)),
            ("help", (Function, true)),
            ("a", (Parameter, true)),
            ("v", (Variable, true)),
            ("play", (BuiltIn, false)),
            ("setup", (Function, false)),
            ("kind", (Property, false)),
            ("key", (Key, false)),
            ("len", (BuiltIn, false)),
            ("0x1f", (Number, false)),
            ("=", (Operator, false)),
            ("// end", (Comment, false)),
        ] {
            assert_eq!(class(text, token), expected, "{token}");
        }
        assert!(classes(text).iter().all(|(token, ..)| !"(){}[];,".contains(token.as_str())));
    }

    #[test]
    fn texts_have_the_class_of_what_they_name() {
        use TokenClass::*;
        let text = "sides([\"Red\"]); piece(\"man\", \"M\", \"W\"); region(\"camp\", \"a1\"); counter(\"lives\", 3); \
                    marks(\"seen\"); piece_trait(\"rank\", 0); track(\"way\", \"a1\"); option(\"mode\", [1], \"\"); \
                    setup(\"8/8 w lives=2\"); fn turn() { roll(\"2d6\"); 3d6; log(\"man\"); pieces(\"man\"); \
                    `${get(\"lives\")} left` } const D = #{ man: \"1d4\" };";
        for (token, expected) in [
            ("\"Red\"", (Named(NameKind::Side), true)),
            ("\"man\"", (Named(NameKind::Piece), true)),
            ("\"camp\"", (Named(NameKind::Region), true)),
            ("\"lives\"", (Named(NameKind::Counter), true)),
            ("\"seen\"", (Named(NameKind::Mark), true)),
            ("\"rank\"", (Named(NameKind::Trait), true)),
            ("\"way\"", (Named(NameKind::Track), true)),
            ("\"mode\"", (Named(NameKind::Option), true)),
            ("\"M\"", (Text, false)),
            ("lives", (Named(NameKind::Counter), false)),
            ("\"2d6\"", (Dice, false)),
            ("3d6", (Dice, false)),
            ("man", (Named(NameKind::Piece), false)),
            ("\"1d4\"", (Dice, false)),
            ("get", (BuiltIn, false)),
            ("} left`", (Text, false)),
        ] {
            assert_eq!(class(text, token), expected, "{token}");
        }
        let named: Vec<bool> = classes(text).into_iter().filter(|one| one.0 == "\"lives\"").map(|one| one.2).collect();
        assert_eq!(named, [true, false]);
    }

    #[test]
    fn tokens_are_in_order_and_whole() {
        for (name, text) in astragal_variants::SCRIPTS {
            for end in (0..=text.len()).rev().step_by(61).filter(|end| text.is_char_boundary(*end)) {
                let part = script(&text[..end]);
                let tokens = semantic_tokens(&part);
                let mut at = 0;
                for token in &tokens {
                    assert!(at <= token.span.start && token.span.start < token.span.end, "{name} {token:?}");
                    at = token.span.end;
                }
                assert!(at <= end, "{name}");
                // Only brackets and separators are left between the tokens.
                let mut left: String = part.text().to_string();
                tokens.iter().rev().for_each(|token| left.replace_range(token.span.clone(), ""));
                assert!(left.chars().all(|c| c.is_whitespace() || "(){}[]#?,;:._".contains(c)), "{name}: {left}");
            }
        }
    }

    #[test]
    fn colors_of_the_largest_script_take_a_few_milliseconds() {
        let largest = astragal_variants::SCRIPTS.iter().max_by_key(|(_, text)| text.len()).expect("a script").1;
        let script = script(largest);
        let time = || {
            let start = Instant::now();
            assert!(semantic_tokens(&script).len() > 500);
            start.elapsed()
        };
        // The best of several runs, since the machine may be busy.
        let best = (0..5).map(|_| time()).min().unwrap_or_default();
        assert!(best < Duration::from_millis(20), "{best:?}");
    }
}
