//! Syntax errors in plain words, at the place where something is missing.
//!
//! Every error of the interpreter is expressed in the words of the guide; its own messages are never shown.

use super::brackets::{closing, is_balanced, never_closed, surplus, too_early, unclosed};
use super::engine::Limits;
use super::slip::Slip;
use super::slips;
use super::tokens::{self, KEYWORDS, Sort, Token};
use super::undefined::{after_as, undefined};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::notation::nearest;
use rhai::{LexError, ParseErrorType, Position};
use std::sync::Arc;

/// The message about a string that is not closed.
pub(crate) const NO_CLOSING_QUOTE: &str = "this string has no closing quote";

/// The first problem in a text that is wrong anywhere, even if the interpreter accepts it.
pub(crate) fn certain(file: &str, text: &Arc<str>) -> Option<Diagnostic> {
    let tokens = tokens::tokens(text);
    slips::certain(&tokens).map(|slip| of_slip(file, text, &tokens, slip))
}

/// The first problem that leaves open where tokens begin and end, or which brackets belong together.
pub(crate) fn malformed(file: &str, text: &Arc<str>) -> Option<Diagnostic> {
    let tokens = tokens::tokens(text);
    let last = tokens.last().filter(|last| last.sort == Some(Sort::Template));
    // A text between backticks that is not closed goes on with whatever follows.
    let open_template = last.is_some_and(|last| tokens::tokens(&format!("{};", last.text)).len() < 2);
    let unclear = |token: &Token<'_>| matches!(token.sort, None | Some(Sort::OpenText | Sort::OpenComment));
    let at = tokens.iter().position(unclear).or_else(|| tokens.len().checked_sub(1).filter(|_| open_template));
    let Some(at) = at else {
        let problem = || surplus(file, text, &tokens).or_else(|| unclosed(file, text, &tokens));
        return if is_balanced(&tokens) { None } else { problem() };
    };
    if let Some(slip) = slips::certain(&tokens[at..=at]) {
        return Some(of_slip(file, text, &tokens[at..=at], slip));
    }
    let (message, help) = of_lexer(&LexError::UnterminatedString);
    let is_template = tokens[at].sort == Some(Sort::Template);
    let help = if is_template { Some("close the string with a backtick".into()) } else { help };
    let (line, column) = tokens[at].at;
    Some(Diagnostic::error(file, text, line, column, message).of(Code::Syntax).with_help(help))
}

fn of_slip(file: &str, text: &Arc<str>, tokens: &[Token<'_>], slip: Slip) -> Diagnostic {
    let last = tokens.last().map_or((1, 1), |last| (last.at.0, last.at.1 + last.text.chars().count()));
    let token = tokens.get(slip.token);
    let (line, column) = token.map_or(last, |token| token.at);
    let mut diagnostic =
        Diagnostic::error(file, text, line, column, slip.message).of(Code::Syntax).with_help(Some(slip.help));
    match token {
        // In a word, only the wrong letter.
        Some(word) if word.is_word() && !word.text.is_ascii() => {
            let before = word.text.chars().position(|c| !c.is_ascii()).unwrap_or_default();
            diagnostic.column += before;
            diagnostic.length = 1;
            let plain = slip.instead.and_then(|plain| plain.chars().nth(before)).map(String::from);
            diagnostic.fix = plain.zip(diagnostic.span()).map(|(text, span)| Fix { span, text });
        }
        Some(token) => {
            diagnostic.length = token.text.lines().next().map_or(1, |first| first.chars().count()).max(1);
            diagnostic.fix = slip.instead.map(|text| Fix { span: token.span.clone(), text });
        }
        None => {}
    }
    diagnostic
}

/// A syntax error of a script.
pub(crate) fn diagnostic(file: &str, text: &Arc<str>, error: &ParseErrorType, at: Position) -> Diagnostic {
    let tokens = tokens::tokens(text);
    let (line, column) = place(text, at);
    if let Some(slip) = slips::certain(&tokens) {
        return of_slip(file, text, &tokens, slip);
    }
    if let Some(early) = too_early(file, text, &tokens, (line, column)) {
        return early;
    }
    let stop = tokens.iter().position(|t| t.at >= (line, column)).unwrap_or(tokens.len());
    let may_be_a_slip =
        !matches!(error, ParseErrorType::AssignmentToConstant(_) | ParseErrorType::FnDuplicatedDefinition(..));
    if let Some(slip) = slips::before(&tokens, stop).filter(|_| may_be_a_slip) {
        return of_slip(file, text, &tokens, slip);
    }
    of_error(file, text, &tokens, error, (line, column))
}

fn of_error(
    file: &str,
    text: &Arc<str>,
    tokens: &[Token<'_>],
    error: &ParseErrorType,
    (line, column): (usize, usize),
) -> Diagnostic {
    let at_place = |message: String, help: Option<String>| {
        Diagnostic::error(file, text, line, column, message).of(Code::Syntax).with_help(help)
    };
    match error {
        ParseErrorType::MissingToken(token, _) if token == ";" => missing_semicolon(file, text, tokens, line, column),
        ParseErrorType::UnexpectedEOF => unclosed(file, text, tokens).unwrap_or_else(|| {
            at_place("the script ends too early".into(), Some("complete the last statement".into()))
        }),
        ParseErrorType::MissingToken(token, _) => match unclosed(file, text, tokens) {
            Some(diagnostic) if at_end(text, line, column) || closes(token, &word_at(text, line, column)) => diagnostic,
            _ => missing(file, text, tokens, token, (line, column)),
        },
        ParseErrorType::WrongFnDefinition => {
            let help = "close the block before it with `}`, or move the function to the top level";
            unclosed(file, text, tokens).unwrap_or_else(|| at_place(plain(error).0, Some(help.into())))
        }
        ParseErrorType::BadInput(LexError::UnexpectedInput(found)) if found == "}" || found == ")" || found == "]" => {
            surplus(file, text, tokens)
                .unwrap_or_else(|| at_place(format!("this `{found}` closes nothing"), Some("remove it".into())))
        }
        ParseErrorType::VariableUndefined(name) => {
            let help = undefined(tokens, name, (line, column));
            let yet = if help.contains(" declares it: ") { " yet" } else { "" };
            at_place(format!("there is no variable called `{name}`{yet}"), Some(help)).of(Code::UnknownName)
        }
        ParseErrorType::ModuleUndefined(name) => {
            let imports = after_as(tokens);
            let near =
                nearest(name, imports.iter().map(String::as_str)).map(|near| format!("did you mean `{near}::`?"));
            let later = tokens.windows(2).find(|pair| pair[0].is("as") && pair[1].is(name)).map(|pair| pair[1].at.0);
            let near = match later {
                Some(later) => Some(format!("line {later} imports it: move that line before this one")),
                None => near,
            };
            let help = near.or_else(|| Some(format!("import it at the top: `import \"{name}\" as {name};`")));
            at_place(format!("nothing is imported as `{name}`"), help).of(Code::UnknownName)
        }
        ParseErrorType::FnDuplicatedDefinition(name, n) => twice(file, text, tokens, name, *n),
        ParseErrorType::MismatchedType(wanted, _) => {
            let (message, help) = mismatched(text, tokens, wanted, (line, column));
            at_place(message, Some(help))
        }
        ParseErrorType::AssignmentToInvalidLHS(why) if !why.contains("==") => {
            let (message, help) = plain(error);
            match set_instead(text, tokens, (line, column)) {
                Some(help) => {
                    let asked = word_at(text, line, column);
                    at_place(format!("`{asked}(..)` reads a counter and cannot be assigned to"), Some(help))
                }
                None => at_place(message, help),
            }
        }
        ParseErrorType::BadInput(LexError::MalformedEscapeSequence(_)) => {
            let line_text = text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
            let before: Vec<char> = line_text.chars().take(column).collect();
            let slash = before.iter().rposition(|c| *c == '\\').map_or(column, |at| at + 1);
            let (message, help) = plain(error);
            let mut diagnostic = Diagnostic::error(file, text, line, slash, message).of(Code::Syntax).with_help(help);
            diagnostic.length = 1;
            diagnostic
        }
        ParseErrorType::VariableExpected | ParseErrorType::FnMissingName
            if KEYWORDS.contains(&word_at(text, line, column).as_str()) =>
        {
            at_place(
                format!("`{}` cannot be used as a name", word_at(text, line, column)),
                Some("it is a keyword: choose a different name".into()),
            )
        }
        ParseErrorType::FnMissingBody(name) if !name.is_empty() => {
            let (message, help) = plain(error);
            let (line, column) = behind_last(tokens, (line, column));
            Diagnostic::error(file, text, line, column, message).of(Code::Syntax).with_help(help)
        }
        other => {
            let (message, help) = plain(other);
            at_place(message, help)
        }
    }
}

/// Where something is missing before `at`: at the end of an earlier line, if the last token before it is on that line.
fn behind_last(tokens: &[Token<'_>], at: (usize, usize)) -> (usize, usize) {
    match tokens.iter().rfind(|token| token.at < at) {
        Some(last) if last.at.0 < at.0 => (last.at.0, last.at.1 + last.text.chars().count()),
        _ => at,
    }
}

/// The message and help for a value of the wrong kind.
fn mismatched(text: &str, tokens: &[Token<'_>], wanted: &str, at: (usize, usize)) -> (String, String) {
    let Some(here) = tokens.iter().position(|token| token.at == at) else {
        return ("this value has the wrong type".into(), "check the code just before this point".into());
    };
    let kind = match tokens[here].sort {
        Some(Sort::Text) => "a string",
        Some(Sort::Number) => "a number",
        _ => "this",
    };
    let shown = tokens[here].text;
    if wanted.contains("iterable") {
        let message = format!("loop over an array, a set of squares or a range, not {kind}");
        return (message, format!("write a range: `0..{shown}`, or `1..={shown}` to start at 1"));
    }
    let joined = here.checked_sub(1).map_or("", |before| tokens[before].text);
    if !matches!(joined, "||" | "&&") {
        // A comparison written once at the end was intended for each value.
        if let [join, other, sign, list, ..] = &tokens[here + 1..]
            && matches!(join.text, "||" | "&&")
            && (sign.is("in") || matches!(sign.text, "==" | "!="))
        {
            let (join, sign, list) = (join.text, sign.text, list.text);
            let message = format!("`{join}` needs true or false on both sides, not {kind}");
            let other = other.text;
            let help = match sign {
                "in" => format!("write each test in full: `{shown} in {list} {join} {other} in {list}`"),
                _ => format!("write each comparison in full: `{shown} {sign} {list} {join} {other} {sign} {list}`"),
            };
            return (message, help);
        }
        return (format!("expected true or false here, not {kind}"), "compare it, as in `die == 6`".into());
    }
    // The left side of the first comparison was intended for the second one too.
    let start = tokens[..here - 1]
        .iter()
        .rposition(|token| matches!(token.text, "if" | "while" | "return" | "=" | "(" | "{" | ";" | "&&" | "||" | "!"));
    let first = start.map_or(0, |start| start + 1);
    let sign = (first..here - 1).find(|i| matches!(tokens[*i].text, "==" | "!="));
    let message = format!("`{joined}` needs true or false on both sides, not {kind}");
    let help = match sign {
        Some(sign) if sign > first => {
            let left = &text[tokens[first].span.start..tokens[sign - 1].span.end];
            format!("repeat the left side of the comparison: `{joined} {left} {} {shown}`", tokens[sign].text)
        }
        _ => format!("compare it, as in `die == {shown}`"),
    };
    (message, help)
}

/// The call that sets a counter, for a question about the counter on the left of an assignment.
fn set_instead(text: &str, tokens: &[Token<'_>], at: (usize, usize)) -> Option<String> {
    let here = tokens.iter().position(|token| token.at == at)?;
    let asks = matches!(tokens[here].text, "number" | "get" | "held") && tokens.get(here + 1)?.is("(");
    let ranges = tokens::arguments(tokens, here + 1);
    let name = ranges.first().filter(|_| asks).map(|range| tokens::text_of(text, tokens, range))?;
    let sign = tokens[here..].iter().find(|token| matches!(token.text, "=" | "+=" | "-="))?;
    let value = tokens.iter().find(|token| token.at > sign.at).map_or("..", |value| value.text);
    Some(match sign.text {
        "=" => format!("to change it, write `set({name}, {value})`"),
        "+=" => format!("to change it, write `add({name}, {value})`"),
        _ => format!("to change it, write `add({name}, -{value})`"),
    })
}

/// The diagnostic for a function defined twice, with both places.
fn twice(file: &str, text: &Arc<str>, tokens: &[Token<'_>], name: &str, params: usize) -> Diagnostic {
    let defined = tokens.windows(2).enumerate().filter(|(_, pair)| pair[0].is("fn") && pair[1].is(name));
    let same = defined.filter(|(i, _)| tokens::arguments(tokens, i + 2).len() == params);
    let places: Vec<(usize, usize)> = same.map(|(_, pair)| pair[1].at).collect();
    let (first, then) = (places.first().copied().unwrap_or_default(), places.last().copied().unwrap_or_default());
    let parameters = match params {
        0 => "no parameters".to_string(),
        1 => "1 parameter".to_string(),
        more => format!("{more} parameters"),
    };
    let message = format!("there is already a function `{name}` with {parameters}, on line {}", first.0);
    let diagnostic = Diagnostic::error(file, text, then.0, then.1, message).of(Code::Syntax);
    diagnostic.with_help(Some("remove or rename one of the two functions".into())).also_at(first, "first defined here")
}

/// The error for a missing sign, with another token in its place.
fn missing(
    file: &str,
    text: &Arc<str>,
    tokens: &[Token<'_>],
    token: &str,
    (line, column): (usize, usize),
) -> Diagnostic {
    let stop = tokens.iter().position(|t| t.at >= (line, column)).unwrap_or(tokens.len());
    let found = tokens.get(stop).map_or("the end", |found| found.text);
    // The token found at the place of the comma may show that an earlier bracket is not closed.
    if token == "," && matches!(found, ":" | ";" | "}") {
        let open = innermost(tokens, stop.saturating_sub(usize::from(found == ":")));
        if let Some(open) = open.filter(|open| !tokens[*open].is("{")) {
            return never_closed(file, text, &tokens[open]);
        }
    }
    // A bracket of another kind does not close the open one.
    if matches!(found, ")" | "]" | "}")
        && let Some(open) = innermost(tokens, stop).map(|open| &tokens[open]).filter(|open| closing(open) != found)
        && open.at.0 == line
    {
        return never_closed(file, text, open);
    }
    if token == "{" {
        let message = format!("expected `{{` before `{found}`: put the statements in braces");
        let (line, column) = behind_last(tokens, (line, column));
        return Diagnostic::error(file, text, line, column, message)
            .of(Code::Syntax)
            .with_help(Some(format!("write `{{ {found} .. }}`")));
    }
    let before = stop.checked_sub(1).and_then(|before| tokens.get(before));
    match before.filter(|_| matches!(token, "," | ";" | ")" | "]" | "}")) {
        Some(before) => {
            let at = (before.at.0, before.at.1 + before.text.chars().count());
            let next = |behind: usize| tokens.get(stop + behind);
            let calls = next(0).is_some_and(Token::is_word) && next(1).is_some_and(|next| next.is("("));
            if token == "," && before.is(")") && calls {
                let message = format!("`,` or an operator is missing between `)` and `{found}`");
                return Diagnostic::error(file, text, at.0, at.1, message).of(Code::Syntax).with_help(Some(format!(
                    "to permit both, write `) | {found}`; for separate arguments, write `), {found}`"
                )));
            }
            let message = format!("`{token}` is missing between `{}` and `{found}`", before.text);
            let is_text = |token: Option<&Token<'_>>| token.is_some_and(|token| token.sort == Some(Sort::Text));
            let one = is_text(Some(before)) != is_text(tokens.get(stop)) && token == ",";
            let joined =
                if one { format!(", or `{} + {found}` to join the strings", before.text) } else { String::new() };
            let mut diagnostic = Diagnostic::error(file, text, at.0, at.1, message)
                .of(Code::Syntax)
                .with_help(Some(format!("write `{}{token} {found}`{joined}", before.text)));
            let literal = |token: &Token<'_>| matches!(token.sort, Some(Sort::Number | Sort::Text));
            if token == "," && literal(before) && next(0).is_some_and(literal) && !one {
                diagnostic.fix = Some(Fix { span: before.span.end..before.span.end, text: token.into() });
            }
            diagnostic
        }
        None => Diagnostic::error(file, text, line, column, format!("expected `{token}` here, not `{found}`"))
            .of(Code::Syntax)
            .with_help(Some(format!("write `{token}`"))),
    }
}

/// The innermost open bracket at a token.
fn innermost(tokens: &[Token<'_>], stop: usize) -> Option<usize> {
    let mut open = Vec::new();
    for (i, token) in tokens.iter().enumerate().take(stop) {
        if token.opens() {
            open.push(i);
        } else if token.closes() {
            open.pop();
        }
    }
    open.pop()
}

/// Whether a bracket should have been closed at the found token.
fn closes(expected: &str, found: &str) -> bool {
    matches!(expected, "}" | ")" | "]") || expected == "," && matches!(found, ";" | "}" | "{")
}

/// The other errors in the words of the guide, with advice. The wildcard covers errors that a later interpreter may
/// add.
fn plain(error: &ParseErrorType) -> (String, Option<String>) {
    let (message, help) = match error {
        ParseErrorType::BadInput(lex) => return of_lexer(lex),
        ParseErrorType::AssignmentToConstant(name) => (
            format!("`{name}` is a constant: it cannot be changed"),
            "change the value in its declaration; for a value that changes, declare a variable in a rule with `let`",
        ),
        ParseErrorType::DuplicatedProperty(name) => {
            (format!("this map has the key `{name}` twice"), "remove or rename one of the two keys")
        }
        ParseErrorType::DuplicatedVariable(name) => {
            (format!("`{name}` is already declared"), "choose a different name")
        }
        ParseErrorType::FnDuplicatedParam(of, name) => {
            (format!("`{of}` has the parameter `{name}` twice"), "rename one of them")
        }
        ParseErrorType::VariableExists(name) => (format!("`{name}` is already declared"), "choose a different name"),
        ParseErrorType::ForbiddenVariable(name) => {
            (format!("`{name}` cannot be used as a name"), "choose a different name")
        }
        ParseErrorType::FnDuplicatedDefinition(name, _) => {
            (format!("there is already a function `{name}`"), "remove or rename one of them")
        }
        ParseErrorType::WrongFnDefinition => (
            "functions must be at the top level, not inside blocks or other functions".to_string(),
            "move it to the top level",
        ),
        ParseErrorType::ExprTooDeep => {
            ("this expression is nested too deeply".to_string(), "split it into smaller parts with `let`")
        }
        ParseErrorType::TooManyFunctions => {
            (format!("a script can have at most {} functions", Limits::default().functions), "remove some of them")
        }
        ParseErrorType::LiteralTooLarge(..) => {
            let Limits { string, array, map, .. } = Limits::default();
            let most =
                format!("a string can have at most {string} bytes, an array {array} entries, a map {map} entries");
            (format!("this is too long: {most}"), "split it into several values")
        }
        ParseErrorType::LoopBreak => {
            ("`break` and `continue` only work in loops".to_string(), "to leave a function, use `return`")
        }
        ParseErrorType::FnMissingName => {
            ("expected a function name after `fn`".to_string(), "write a name, as in `fn turn() { .. }`")
        }
        ParseErrorType::FnMissingBody(name) if name.is_empty() => (
            "expected a function body".to_string(),
            "write it after the parameters, as in `|die| pieces(PIECE[die - 1])`",
        ),
        ParseErrorType::FnMissingBody(name) => {
            return (format!("expected `{{` and the body of `{name}`"), Some(format!("write `fn {name}() {{ .. }}`")));
        }
        ParseErrorType::FnMissingParams(name) => {
            return (
                format!("expected `(` and the parameters of `{name}`"),
                Some(format!("write `fn {name}() {{ .. }}`")),
            );
        }
        ParseErrorType::ExprExpected(_) => {
            ("expected a value here".to_string(), "write a value, such as a name, a number, a string or a call")
        }
        ParseErrorType::VariableExpected => (
            "expected a name here".to_string(),
            "names consist of ASCII letters, digits and `_`, and start with a letter",
        ),
        ParseErrorType::PropertyExpected => (
            "expected a name after the dot, or before the `:` of a map".to_string(),
            "write a name, as in `mv.to` or `#{ each: true }`",
        ),
        ParseErrorType::MissingSymbol(_) => {
            ("an operator is missing here".to_string(), "check the code just before this point")
        }
        ParseErrorType::UnknownOperator(sign) => {
            (format!("there is no operator `{sign}`"), "the operators are + - * / % == != < <= > >= && || ! & | and in")
        }
        ParseErrorType::MalformedIndexExpr(_) => (
            "this is not allowed in square brackets".to_string(),
            "for an array, write a number from 0; for a map, write a string",
        ),
        ParseErrorType::MalformedCapture(_) => {
            ("this function cannot be called like this".to_string(), "write `name(..)`")
        }
        ParseErrorType::MismatchedType(..) => {
            ("this value has the wrong type".to_string(), "check the code just before this point")
        }
        ParseErrorType::WrongSwitchIntegerCase => {
            ("a number cannot come after a range in a switch".to_string(), "put single numbers before ranges")
        }
        ParseErrorType::WrongSwitchDefaultCase => {
            ("`_` must be the last case of a switch".to_string(), "move it to the end")
        }
        ParseErrorType::WrongSwitchCaseCondition => {
            ("`_` cannot have a condition in a switch".to_string(), "write `_ => if .. { .. } else { .. }`")
        }
        ParseErrorType::AssignmentToInvalidLHS(why) if why.contains("==") => {
            ("`=` assigns a value; it does not compare values".to_string(), "compare with `==`")
        }
        ParseErrorType::AssignmentToInvalidLHS(_) => {
            ("this cannot be assigned to".to_string(), "write a variable on the left of `=`; to compare, use `==`")
        }
        ParseErrorType::WrongDocComment => {
            ("a comment with `///` is allowed only before a function".to_string(), "write `//`")
        }
        ParseErrorType::WrongExport => ("`export` is not allowed in a script".to_string(), "remove it"),
        ParseErrorType::Reserved(word) => {
            let help = match word.as_str() {
                "try" | "catch" => "rules cannot catch errors: remove `try` and `catch`",
                "this" => "pass the value as an argument",
                "eval" | "curry" | "debug" => "remove it: it is disabled in scripts",
                _ => "it is a reserved word: choose a different name",
            };
            (format!("`{word}` cannot be used in a script"), help)
        }
        _ => ("this is not valid here".to_string(), "check the code before it: a bracket, quote or `;` may be missing"),
    };
    (message, Some(help.into()))
}

/// Errors of single words and signs.
fn of_lexer(error: &LexError) -> (String, Option<String>) {
    if let LexError::StringTooLong(..) = error {
        let message = format!("a string or name can have at most {} bytes", Limits::default().string);
        return (message, Some("shorten it".into()));
    }
    let (message, help) = match error {
        LexError::UnterminatedString => (NO_CLOSING_QUOTE, "close the string with `\"` on the same line"),
        LexError::MalformedEscapeSequence(_) => {
            ("this `\\` does not start a valid escape sequence", "for a backslash in a string, write `\\\\`")
        }
        LexError::MalformedNumber(_) => {
            ("this is not a number", "numbers must be whole and at most 9223372036854775807")
        }
        LexError::MalformedChar(_) => ("a string needs double quotes, not single quotes", "write `\"..\"`"),
        LexError::MalformedIdentifier(_) => {
            ("this cannot be used as a name", "names can contain only ASCII letters, digits and `_`")
        }
        LexError::ImproperSymbol(symbol, why) if why.contains("disabled") => {
            let help = match symbol.as_str() {
                "try" | "catch" => "rules cannot catch errors: remove `try` and `catch`",
                _ => "remove it: it is disabled so that untrusted scripts are safe to run",
            };
            return (format!("`{symbol}` cannot be used in a script"), Some(help.into()));
        }
        LexError::ImproperSymbol(symbol, _) if symbol == "=" => {
            ("`=` assigns a value; it does not compare values", "compare with `==`")
        }
        LexError::ImproperSymbol(symbol, _) => {
            return (
                format!("`{symbol}` is not valid in a script"),
                Some("remove it, or check the code before it".into()),
            );
        }
        LexError::UnexpectedInput(found) => {
            return (format!("`{found}` is not allowed here"), Some("remove it, or check the code before it".into()));
        }
        _ => ("this cannot be parsed", "remove it"),
    };
    (message.into(), Some(help.into()))
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

/// The place where a statement should have ended, which is before the unexpected token.
fn missing_semicolon(file: &str, text: &Arc<str>, tokens: &[Token<'_>], line: usize, column: usize) -> Diagnostic {
    let next = tokens.iter().position(|t| t.at >= (line, column)).unwrap_or(tokens.len());
    let found = word_at(text, line, column);
    let at = |line, column, message: String| Diagnostic::error(file, text, line, column, message).of(Code::Syntax);
    let Some(before) = next.checked_sub(1).and_then(|i| tokens.get(i)) else {
        return at(line, column, "expected `;` here".into()).with_help(Some("end this statement with `;`".into()));
    };
    let name = if before.is_word() { before.text } else { "" };
    if before.is_word() && next >= 2 && tokens[next - 2].is("let") && tokens.get(next).is_some_and(|sign| sign.is(","))
    {
        let comma = &tokens[next];
        let message = "a `let` declares only one variable, but a `,` follows".to_string();
        let help = format!("write a `let` for each: `let {name} = ..; let .. = ..;`");
        return at(comma.at.0, comma.at.1, message).with_help(Some(help));
    }
    if !name.is_empty()
        && !KEYWORDS.contains(&name)
        && let Some(keyword) = nearest(name, KEYWORDS)
        && (keyword != "for"
            || tokens[next..].iter().take_while(|token| token.at.0 == line).any(|token| token.is("in")))
    {
        let message = format!("expected `;` or an operator after `{name}`");
        return at(before.at.0, before.at.1, message).with_help(Some(format!("did you mean the keyword `{keyword}`?")));
    }
    let last = word_at(text, before.at.0, before.at.1);
    let end = (before.at.0, before.at.1 + before.text.chars().count());
    if before.at.0 < line {
        let mut missing = at(end.0, end.1, format!("expected `;` after `{last}`"));
        missing.fix = Some(Fix { span: before.span.end..before.span.end, text: ";".into() });
        return missing.with_help(Some("end this statement with `;`".into()));
    }
    if found == "{" && before.is("}") {
        let message = "an `else` is missing between these two blocks".to_string();
        return at(line, column, message).with_help(Some("write `} else {`, or `;` after the first block".into()));
    }
    if found == "else" {
        let mut missing = at(line, column, "a `}` is missing before `else`".into());
        missing.length = found.len();
        return missing.with_help(Some("close the block before `else`: `} else`".into()));
    }
    let help = Some("write `;` between statements, or an operator between values".into());
    match (last.is_empty(), found.is_empty()) {
        (false, false) => at(line, column, format!("expected `;` or an operator between `{last}` and `{found}`")),
        (false, true) => at(line, column, format!("expected `;` or an operator after `{last}`")),
        _ => at(line, column, "expected `;` or an operator here".into()),
    }
    .with_help(help)
}

/// The word or text at a place.
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
