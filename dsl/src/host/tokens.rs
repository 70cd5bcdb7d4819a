//! The tokens of a script with their places, even if the interpreter cannot parse it.
//!
//! For messages only: the interpreter alone decides the meaning of a script. Invariant: for any text, every character
//! outside blanks and comments belongs to exactly one token, and tokens are in order.

use logos::{Lexer, Logos};
use std::ops::Range;

/// The words of the language that cannot be names.
pub const KEYWORDS: [&str; 25] = [
    "let", "const", "if", "else", "switch", "while", "loop", "do", "for", "in", "fn", "return", "break", "continue",
    "import", "true", "false", "as", "throw", "until", "try", "catch", "export", "private", "this",
];

/// A token's sort.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub enum Sort {
    /// A name or a word of the language.
    #[regex(r"[\p{L}_][\p{L}\p{N}_]*")]
    Word,
    /// A number, also with a fraction.
    #[regex(r"[0-9][0-9_]*(\.[0-9]+)?")]
    #[regex(r"0[xbo][0-9a-fA-F_]+")]
    Number,
    /// Dice without quotes, as `3d6`.
    #[regex(r"[0-9]+[dDwW][0-9]+", priority = 9)]
    Dice,
    /// A text in quotes.
    #[regex(r#""(\\(.|\n)|[^"\\\n])*""#)]
    Text,
    /// A text that is not closed on its line.
    #[regex(r#""(\\(.|\n)|[^"\\\n])*"#, priority = 1)]
    OpenText,
    /// A text with embedded values, between backticks.
    #[token("`", template)]
    Template,
    /// A text in single quotes.
    #[regex(r"'[^'\n]*'")]
    Quoted,
    /// An unclosed comment.
    #[token("/*", comment)]
    OpenComment,
    /// A sign of the language, or one that other languages have.
    #[regex(r"\+\+|--|\*\*=?|\+=|-=|\*=|/=|%=|<<=?|>>=?|\|=|&=|\^=|===?|!==?|<=|>=|=<|<>|=>|<-|->|&&|\|\|")]
    #[regex(r"\?\?=?|\?\.|\?\[|\.\.=|\.\.\.|\.\.|::|:=|#\{")]
    #[regex(r"[!=<>+\-*/%|&^~.?:,;(){}\[\]#@$\\]")]
    Sign,
}

/// A closed comment is not a token; an unclosed one is.
fn comment(lexer: &mut Lexer<'_, Sort>) -> logos::Filter<()> {
    let (rest, mut depth, mut at) = (lexer.remainder().as_bytes(), 1, 0);
    while depth > 0 && at + 1 < rest.len() {
        match &rest[at..at + 2] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    if depth > 0 {
        lexer.bump(rest.len());
        return logos::Filter::Emit(());
    }
    lexer.bump(at);
    logos::Filter::Skip
}

/// A text between backticks, including texts within its embedded values.
fn template(lexer: &mut Lexer<'_, Sort>) {
    let (rest, mut depth, mut at) = (lexer.remainder().as_bytes(), 0, 0);
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 1,
            b'$' if rest.get(at + 1) == Some(&b'{') => (depth, at) = (depth + 1, at + 1),
            b'{' if depth > 0 => depth += 1,
            b'}' if depth > 0 => depth -= 1,
            b'`' if depth == 0 => return lexer.bump(at + 1),
            _ => {}
        }
        at += 1;
    }
    lexer.bump(rest.len());
}

/// A token of a script.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    /// Its sort; `None` for a character that is invalid in scripts.
    pub sort: Option<Sort>,
    /// Its text.
    pub text: &'a str,
    /// Its byte range.
    pub span: Range<usize>,
    /// Line and column, in characters from 1.
    pub at: (usize, usize),
}

impl Token<'_> {
    /// Whether it is this word or sign.
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// Whether it is a name or a word of the language.
    pub fn is_word(&self) -> bool {
        self.sort == Some(Sort::Word)
    }

    /// Whether it opens a bracket.
    pub fn opens(&self) -> bool {
        matches!(self.text, "(" | "[" | "{" | "#{" | "?[")
    }

    /// Whether it closes a bracket.
    pub fn closes(&self) -> bool {
        matches!(self.text, ")" | "]" | "}")
    }

    /// Whether it separates values that are not combined into one number, permit or set.
    pub(crate) fn parts_operands(&self) -> bool {
        matches!(self.text, "," | ";" | "=>" | "==" | "!=" | "&&" | "||" | "=" | "<" | ">" | "<=" | ">=")
    }
}

/// The tokens of a script, in order. Blanks and closed comments are not tokens.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut line, mut start, mut seen) = (1, 0, 0);
    let place = move |at: usize| {
        for (i, _) in text[seen..at].match_indices('\n') {
            (line, start) = (line + 1, seen + i + 1);
        }
        seen = at;
        (line, text[start..at].chars().count() + 1)
    };
    let mut place = place;
    let spanned = Sort::lexer(text).spanned();
    spanned
        .map(|(sort, span)| Token { sort: sort.ok(), text: &text[span.clone()], at: place(span.start), span })
        .collect()
}

/// The arguments in the brackets that open at a token: the tokens of each, without the commas.
pub(crate) fn arguments(all: &[Token<'_>], open: usize) -> Vec<Range<usize>> {
    let (mut found, mut depth, mut first) = (Vec::new(), 0, open + 1);
    // A comma between the bars of a parameter list does not separate arguments.
    let mut bars = false;
    for (i, token) in all.iter().enumerate().skip(open) {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth -= 1;
        }
        let ends = depth == 0 && token.closes();
        if token.is("|") && (i == first || bars) {
            bars = !bars;
        }
        if ends || depth == 1 && token.is(",") && !bars {
            if first < i {
                found.push(first..i);
            }
            first = i + 1;
        }
        if ends {
            break;
        }
    }
    found
}

/// Whether a sign compares two values.
pub(crate) fn is_comparison(sign: &str) -> bool {
    matches!(sign, "==" | "!=" | "<" | "<=" | ">" | ">=")
}

/// The text of consecutive tokens.
pub(crate) fn text_of<'a>(text: &'a str, all: &[Token<'_>], range: &Range<usize>) -> &'a str {
    match (all.get(range.start), range.end.checked_sub(1).and_then(|last| all.get(last))) {
        (Some(first), Some(last)) if first.span.start <= last.span.end => &text[first.span.start..last.span.end],
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(&str, Option<Sort>)> {
        tokens(text).into_iter().map(|token| (token.text, token.sort)).collect()
    }

    #[test]
    fn tokens_are_told_apart_and_placed() {
        use Sort::*;
        let line = r#"let n = roll("2d6") + 1; // so /* it is"#;
        let words: Vec<&str> = texts(line).iter().map(|(text, _)| *text).collect();
        assert_eq!(words, ["let", "n", "=", "roll", "(", "\"2d6\"", ")", "+", "1", ";"]);
        assert_eq!(texts("3d6 d6 1..=6 2.0")[0], ("3d6", Some(Dice)));
        assert_eq!(texts("1..=6").len(), 3);
        assert_eq!(texts("2.0"), [("2.0", Some(Number))]);
        assert_eq!(texts("'a' /* /* */ */ \"x"), [("'a'", Some(Quoted)), ("\"x", Some(OpenText))]);
        assert_eq!(texts("a /* b"), [("a", Some(Word)), ("/* b", Some(OpenComment))]);
        assert_eq!(texts("`${ `x` } \\``b").len(), 2);
        assert_eq!(texts("“"), [("“", None)]);
        assert_eq!(tokens("é\n  x")[1].at, (2, 3));
    }

    #[test]
    fn arguments_are_parted_by_their_commas() {
        let text = "f(a, g(b, c), |x, y| x, #{ d: 1, e: 2 }) + h(i)";
        let all = tokens(text);
        let parts: Vec<&str> = arguments(&all, 1).iter().map(|range| text_of(text, &all, range)).collect();
        assert_eq!(parts, ["a", "g(b, c)", "|x, y| x", "#{ d: 1, e: 2 }"]);
        assert!(arguments(&tokens("f()"), 1).is_empty());
    }

    #[test]
    fn no_text_is_too_strange() {
        for text in ["", "`", "`${", "/*", "\"", "\"\\", "'", "\u{feff}", "#", "é", "\0", "/*/", "a\u{a0}b"] {
            tokens(text);
            arguments(&tokens(text), 0);
        }
    }
}
