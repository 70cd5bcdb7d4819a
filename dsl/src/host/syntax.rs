//! Syntax errors in plain words, at the place where something is missing.

use super::engine::{ExecutionBudget, Limits, sandbox};
use crate::diagnostic::Diagnostic;
use crate::notation::nearest;
use rhai::{Engine, LexError, ParseErrorType, Position, Token};
use std::collections::BTreeSet;
use std::sync::Arc;

const KEYWORDS: [&str; 19] = [
    "let", "const", "if", "else", "switch", "while", "loop", "do", "for", "in", "fn", "return", "break", "continue",
    "import", "true", "false", "as", "throw",
];

/// A token and where it stands.
struct Lexed {
    token: Token,
    line: usize,
    column: usize,
}

/// A syntax error of a script.
pub(crate) fn diagnostic(file: &str, text: &Arc<str>, error: &ParseErrorType, at: Position) -> Diagnostic {
    let tokens = lex(text);
    let (line, column) = place(text, at);
    let at_place =
        |message: String, help: Option<String>| Diagnostic::error(file, text, line, column, message).with_help(help);
    match error {
        ParseErrorType::MissingToken(token, _) if token == ";" => missing_semicolon(file, text, &tokens, line, column),
        ParseErrorType::UnexpectedEOF => {
            unclosed(file, text, &tokens).unwrap_or_else(|| at_place("the script ends too early".into(), None))
        }
        ParseErrorType::MissingToken(token, why) => match unclosed(file, text, &tokens) {
            Some(diagnostic) if at_end(text, line, column) || closes(token, &word_at(text, line, column)) => diagnostic,
            _ => {
                let found = word_at(text, line, column);
                let found = if found.is_empty() { String::new() } else { format!(", found `{found}`") };
                at_place(format!("expected `{token}` {why}{found}"), None)
            }
        },
        ParseErrorType::WrongFnDefinition => {
            unclosed(file, text, &tokens).unwrap_or_else(|| at_place(plain(error), None))
        }
        ParseErrorType::BadInput(LexError::ImproperSymbol(symbol, why)) if why.contains("disabled") => at_place(
            format!("`{symbol}` cannot be used in a script"),
            Some("it is switched off, so that scripts from strangers are safe".into()),
        ),
        ParseErrorType::BadInput(LexError::UnexpectedInput(found)) if found.chars().any(char::is_alphabetic) => {
            at_place(
                format!("`{found}` cannot stand in a name"),
                Some("names have the letters a to z, digits and `_`".into()),
            )
        }
        ParseErrorType::BadInput(LexError::UnterminatedString) => {
            at_place("this text has no closing quote".into(), None)
        }
        ParseErrorType::VariableUndefined(name) => {
            let names = variables(&tokens, name);
            let near = nearest(name, names.iter().map(String::as_str));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            let help = help.or_else(|| {
                Some(format!("a text stands in quotes: \"{name}\"; a variable is made by `let {name} = ...`"))
            });
            at_place(format!("there is no variable called `{name}`"), help)
        }
        ParseErrorType::ModuleUndefined(name) => {
            let imports = after_as(&tokens);
            let near =
                nearest(name, imports.iter().map(String::as_str)).map(|near| format!("did you mean `{near}::`?"));
            let help = near.or_else(|| Some(format!("import it at the top: `import \"{name}\" as {name};`")));
            at_place(format!("nothing is imported as `{name}`"), help)
        }
        ParseErrorType::Reserved(word) => {
            let help = match word.as_str() {
                "try" | "catch" => Some("errors cannot be caught in rules".to_string()),
                "===" => Some("equality is written `==`".to_string()),
                "eval" | "curry" | "debug" => Some("it is switched off in rules".to_string()),
                _ => None,
            };
            at_place(format!("`{word}` cannot be used in a script"), help)
        }
        ParseErrorType::VariableExpected if KEYWORDS.contains(&word_at(text, line, column).as_str()) => at_place(
            format!("`{}` cannot be a name", word_at(text, line, column)),
            Some("it is a word of the language: choose another".into()),
        ),
        other => at_place(plain(other), None),
    }
}

/// Whether a bracket should have been closed where something else stands.
fn closes(expected: &str, found: &str) -> bool {
    matches!(expected, "}" | ")" | "]") || expected == "," && matches!(found, ";" | "}" | "{")
}

/// The other errors in the words of the guide.
fn plain(error: &ParseErrorType) -> String {
    match error {
        ParseErrorType::AssignmentToConstant(name) => format!("`{name}` is a constant: it cannot be changed"),
        ParseErrorType::FnDuplicatedDefinition(name, n) => {
            format!("there is already a function `{name}` with {n} parameter{}", if *n == 1 { "" } else { "s" })
        }
        ParseErrorType::WrongFnDefinition => {
            "functions stand at the top level, not inside blocks or other functions".into()
        }
        ParseErrorType::ExprTooDeep => "this expression is nested too deeply".into(),
        ParseErrorType::TooManyFunctions => "the script has too many functions".into(),
        ParseErrorType::LoopBreak => "`break` and `continue` stand in loops".into(),
        ParseErrorType::FnMissingBody(name) => format!("expected `{{` and the body of `{name}`"),
        ParseErrorType::FnMissingParams(name) => format!("expected `(` and the parameters of `{name}`"),
        ParseErrorType::ExprExpected(what) => {
            format!("expected {} here", if what.is_empty() { "an expression" } else { what })
        }
        other => lower(&other.to_string()),
    }
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// A place in the text; the end for errors without one.
fn place(text: &str, at: Position) -> (usize, usize) {
    match (at.line(), at.position()) {
        (Some(line), column) => (line, column.unwrap_or(1)),
        _ => {
            let line = text.trim_end().split('\n').count().max(1);
            (line, text.trim_end().split('\n').next_back().unwrap_or_default().chars().count().max(1))
        }
    }
}

fn at_end(text: &str, line: usize, column: usize) -> bool {
    let lines = text.trim_end().split('\n').count();
    line > lines
        || line == lines && column > text.trim_end().split('\n').next_back().unwrap_or_default().chars().count()
}

/// Where a statement should have ended, which is before the token that did not fit.
fn missing_semicolon(file: &str, text: &Arc<str>, tokens: &[Lexed], line: usize, column: usize) -> Diagnostic {
    let next = tokens.iter().position(|t| (t.line, t.column) >= (line, column)).unwrap_or(tokens.len());
    let found = word_at(text, line, column);
    let at = |line, column, message: String| Diagnostic::error(file, text, line, column, message);
    let Some(before) = next.checked_sub(1).and_then(|i| tokens.get(i)) else {
        return at(line, column, format!("expected `;` before `{found}`"));
    };
    if let Token::Identifier(name) = &before.token
        && let Some(keyword) = nearest(name, KEYWORDS).filter(|k| *k != name.as_str())
    {
        let message = format!("expected `;` or an operator after `{name}`");
        return at(before.line, before.column, message)
            .with_help(Some(format!("did you mean the keyword `{keyword}`?")));
    }
    let last = word_at(text, before.line, before.column);
    if before.line < line {
        let end = before.column + last.chars().count();
        return at(before.line, end, format!("expected `;` after `{last}`"))
            .with_help(Some("every statement ends in `;`".into()));
    }
    match (last.is_empty(), found.is_empty()) {
        (false, false) => at(line, column, format!("expected `;` or an operator between `{last}` and `{found}`")),
        (false, true) => at(line, column, format!("expected `;` or an operator after `{last}`")),
        _ => at(line, column, "expected `;` or an operator here".into()),
    }
}

/// A bracket that is opened and never closed, or closed by another. A closing brace that stands
/// further left than the line of its opening one belongs to an earlier one.
fn unclosed(file: &str, text: &Arc<str>, tokens: &[Lexed]) -> Option<Diagnostic> {
    if tokens.last().is_some_and(|last| matches!(last.token, Token::LexError(_))) {
        // What closes it may stand behind what cannot be read.
        return None;
    }
    let mut open: Vec<(&Lexed, char)> = Vec::new();
    let mut suspect = None;
    for lexed in tokens {
        let closing = match lexed.token {
            Token::LeftBrace | Token::MapStart => {
                open.push((lexed, '}'));
                continue;
            }
            Token::LeftParen => {
                open.push((lexed, ')'));
                continue;
            }
            Token::LeftBracket => {
                open.push((lexed, ']'));
                continue;
            }
            Token::RightBrace => '}',
            Token::RightParen => ')',
            Token::RightBracket => ']',
            _ => continue,
        };
        let Some((opener, expected)) = open.last() else { continue };
        if *expected != closing {
            break;
        }
        let first = lexed.column == indent(text, lexed.line);
        if suspect.is_none() && first && lexed.line > opener.line && lexed.column < indent(text, opener.line) {
            suspect = Some((*opener, *expected));
        }
        open.pop();
    }
    let last = open.pop()?;
    let (lexed, closing) = if last.1 == '}' { suspect.unwrap_or(last) } else { last };
    let opening = match closing {
        '}' => "{",
        ')' => "(",
        _ => "[",
    };
    Some(Diagnostic::error(
        file,
        text,
        lexed.line,
        lexed.column,
        format!("this `{opening}` is never closed: expected `{closing}`"),
    ))
}

/// The column of the first character of a line that is not blank.
fn indent(text: &str, line: usize) -> usize {
    let line = text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
    line.chars().take_while(|c| c.is_whitespace()).count() + 1
}

/// What stands at a place, as far as it belongs together.
fn word_at(text: &str, line: usize, column: usize) -> String {
    let rest: String =
        text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default().trim_end().chars().skip(column - 1).collect();
    let first = rest.chars().next();
    match first {
        None => String::new(),
        Some('"') => match rest.char_indices().skip(1).find(|(_, c)| *c == '"') {
            Some((end, _)) => rest[..=end].to_string(),
            None => rest,
        },
        Some(c) if c.is_alphanumeric() || c == '_' => {
            rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        }
        Some(c) => c.to_string(),
    }
}

fn lex(text: &str) -> Vec<Lexed> {
    let engine = lexer();
    let (tokens, _) = engine.lex([&text]);
    let placed = tokens.take(20_000).map(|(token, at)| Lexed {
        token,
        line: at.line().unwrap_or(0),
        column: at.position().unwrap_or(1),
    });
    let mut tokens: Vec<Lexed> = Vec::new();
    for lexed in placed.take_while(|t| !matches!(t.token, Token::EOF)) {
        let broken = matches!(lexed.token, Token::LexError(_));
        tokens.push(lexed);
        // Behind a text without its closing quote the interpreter counts lines wrong.
        if broken {
            break;
        }
    }
    tokens
}

fn lexer() -> Engine {
    sandbox(&Limits::default(), &ExecutionBudget::default())
}

/// The names that variables, constants and parameters are given, and those used more than once.
fn variables(tokens: &[Lexed], but: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut in_params = false;
    for pair in tokens.windows(2) {
        match &pair[0].token {
            Token::Fn | Token::Pipe => in_params = true,
            Token::RightParen | Token::LeftBrace | Token::SemiColon => in_params = false,
            _ => {}
        }
        let Token::Identifier(name) = &pair[1].token else { continue };
        let declares = matches!(pair[0].token, Token::Let | Token::Const | Token::For | Token::Pipe);
        let parameter = in_params && matches!(pair[0].token, Token::LeftParen | Token::Comma | Token::Pipe);
        if (declares || parameter) && name.as_str() != but {
            names.insert(name.to_string());
        }
    }
    names
}

/// The names of imports.
fn after_as(tokens: &[Lexed]) -> Vec<String> {
    let names = tokens.windows(2).filter(|pair| matches!(pair[0].token, Token::As));
    names
        .filter_map(|pair| if let Token::Identifier(name) = &pair[1].token { Some(name.to_string()) } else { None })
        .collect()
}
