//! The tokens of scripts and their names, for tools that read scripts while people write them.

use crate::diagnostic::Diagnostic;
use crate::host::engine::reader;
use rhai::{Engine, TokenIterator, TokenizerControl};

pub use crate::host::tokens::{KEYWORDS, Sort, Token, tokens};

/// Whether the language lets variables and functions have this name: it is an identifier, and not a reserved word.
///
/// ```
/// use astragal_dsl::syntax::can_be_name;
/// assert!(can_be_name("dice_left"));
/// assert!(!can_be_name("2nd") && !can_be_name("while") && !can_be_name("match") && !can_be_name("a b"));
/// ```
pub fn can_be_name(word: &str) -> bool {
    let all = tokens(word);
    let is_word = matches!(all.as_slice(), [only] if only.is_word() && only.text == word);
    is_word && reader().compile(format!("fn {word}({word}) {{ let {word} = 1; }}")).is_ok()
}

/// The first problem that leaves open where tokens begin and end, or which brackets belong together: an invalid
/// character, a text or comment that is not closed, or an unbalanced bracket. `check` reports it in the same words.
pub fn malformed(file: &str, text: &str) -> Option<Diagnostic> {
    crate::host::syntax::malformed(file, &text.into())
}

/// Whether the interpreter reads two texts as the same code: they differ in blanks, line breaks and comments at most.
pub fn same_code(one: &str, other: &str) -> bool {
    CodeTokens::of(reader(), &[one]).eq(CodeTokens::of(reader(), &[other]))
}

/// The interpreter's tokens of a text.
struct CodeTokens<'a> {
    tokens: TokenIterator<'a>,
    control: TokenizerControl,
    /// For each open text with embedded values, the number of open braces in the current value.
    braces: Vec<usize>,
    next: Option<rhai::Token>,
}

impl<'a> CodeTokens<'a> {
    fn of(engine: &'a Engine, text: &'a [&'a str; 1]) -> CodeTokens<'a> {
        let (tokens, control) = engine.lex(text);
        CodeTokens { tokens, control, braces: Vec::new(), next: None }
    }
}

impl Iterator for CodeTokens<'_> {
    type Item = rhai::Token;

    fn next(&mut self) -> Option<rhai::Token> {
        use rhai::Token::{
            Comment, EOF, InterpolatedString, LeftBrace, LeftParen, MapStart, RightBrace, RightParen, StringConstant,
            Unit,
        };
        if let Some(token) = self.next.take() {
            return Some(token);
        }
        let continues = self.braces.last() == Some(&0);
        let (token, _) = self.tokens.next()?;
        match (&token, self.braces.last_mut()) {
            (EOF, _) => return None,
            (Comment(..), _) => return self.next(),
            // `()` is one token, but `( )` means the same.
            (Unit, _) => {
                self.next = Some(RightParen);
                return Some(LeftParen);
            }
            // After an embedded value the same text goes on.
            (InterpolatedString(..), Some(_)) if continues => {}
            (InterpolatedString(..), _) => self.braces.push(0),
            (StringConstant(..), Some(_)) if continues => drop(self.braces.pop()),
            (LeftBrace | MapStart, Some(open)) => *open += 1,
            (RightBrace, Some(open)) => {
                *open = open.saturating_sub(1);
                self.control.borrow_mut().is_within_text = *open == 0;
            }
            _ => {}
        }
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_comments_are_no_code() {
        for (one, other) in [
            ("let a=[1,-2]; // b", "let a = [1, -2];"),
            ("x(`a ${ b+`c  ${#{d:1}.d}` }  e`,f)", "x(`a ${ b + `c  ${ #{ d: 1 }.d }` }  e`, f)"),
            ("f( )", "f()"),
            ("/// a \nb", "/// c\nb"),
            ("a !in b", "a/* */!in\r\n\tb"),
            ("`a ${b} c`; `d ${e} f`", "`a ${b} c`;\n`d ${e} f`"),
        ] {
            assert!(same_code(one, other), "{one}");
        }
        for (one, other) in [
            ("let a = 1", "let b = 1"),
            ("`a ${b} c`", "`a ${b}  c`"),
            ("- -a", "--a"),
            ("- 1.abs()", "-1.abs()"),
            ("#\"a \" b\"#", "#\"a \"  b\"#"),
            // The interpreter skips blanks up to the column of the quote.
            ("a(\"b\\\n      c\")", "a( \"b\\\n      c\")"),
            ("a", "a;"),
        ] {
            assert!(!same_code(one, other), "{one}");
        }
    }

    #[test]
    fn texts_whose_tokens_are_unclear_have_a_first_problem() {
        for (text, line, column, message) in [
            ("a();\n  b(", 2, 4, "this `(` is never closed"),
            ("a())", 1, 4, "this `)` closes nothing"),
            ("f({ a)", 1, 6, "this `)` closes nothing"),
            ("f({ a }", 1, 2, "this `(` is never closed"),
            ("f((])", 1, 3, "this `(` is never closed"),
            ("a(\"b);\n", 1, 3, "this string has no closing quote"),
            ("a(`b);\n", 1, 3, "this string has no closing quote"),
            ("`${ `", 1, 1, "this string has no closing quote"),
            ("`\\`", 1, 1, "this string has no closing quote"),
            ("a /* b", 1, 3, "this `/*` opens a comment that is never closed"),
            ("a(“b”)", 1, 3, "`“` (U+201C) is not a valid quote in a script"),
        ] {
            let found = malformed("x.rhai", text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((found.line, found.column, found.message.as_str()), (line, column, message), "{text}");
        }
        for text in ["", "if (", "`a` + 'b'", "a ${ }", "#{ a: [1, (2)] }"] {
            assert_eq!(malformed("x.rhai", text).is_some(), text == "if (", "{text}");
        }
    }
}
