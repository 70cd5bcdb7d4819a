//! Turns errors of the interpreter into diagnostics: the problem and its place in the script.

use super::endless::{self, Endless};
use super::engine::{ExecutionBudget, Limits, STOPPED, TOO_LONG};
use super::error::HostError;
use super::kind::{ValueKind, operand, operands_for, words_for};
use super::mixed_up;
use super::pointing::{point_at_argument, point_at_index, point_at_word, point_into};
use super::syntax;
use super::tokens::tokens;
use crate::diagnostic::{Code, Diagnostic};
use crate::library::{self, Source};
use crate::notation::describe::{counted, entries, enumeration};
use astragal_core::rule::SourceLocation;
use rhai::{EvalAltResult, Position};
use std::sync::Arc;

/// The position of a function's name in the text.
pub(crate) fn place_of_function(text: &str, name: &str) -> (usize, usize) {
    for (i, line) in text.lines().enumerate() {
        let Some(at) = line.find("fn ") else { continue };
        let rest = line[at + 3..].trim_start();
        let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if word == name {
            let bytes = line.len() - rest.len();
            return (i + 1, line[..bytes].chars().count() + 1);
        }
    }
    (0, 0)
}

/// The deepest error of a chain, with its script and place.
fn root<'a>(error: &'a EvalAltResult, script: &'a str) -> (&'a EvalAltResult, &'a str, Position) {
    let (deepest, script, at) = match error {
        EvalAltResult::ErrorInFunctionCall(_, source, inner, _) => {
            root(inner, if source.is_empty() { script } else { source })
        }
        EvalAltResult::ErrorInModule(name, inner, _) => root(inner, name),
        other => (other, script, other.position()),
    };
    (deepest, script, if at.is_none() { error.position() } else { at })
}

/// The calls of a script's functions that lead to an error, innermost first: name and place. Recursive calls are listed
/// once.
pub(crate) fn calls(error: &EvalAltResult, script: &str) -> Vec<(String, SourceLocation)> {
    let (mut found, mut open, mut caller): (Vec<(String, SourceLocation)>, _, _) = (Vec::new(), error, script);
    loop {
        match open {
            EvalAltResult::ErrorInFunctionCall(name, source, inner, at) => {
                if let Some(line) = at.line() {
                    let place = SourceLocation { file: Some(caller.into()), line, column: at.position().unwrap_or(1) };
                    found.push((name.clone(), place));
                }
                caller = if source.is_empty() { caller } else { source };
                open = inner;
            }
            EvalAltResult::ErrorInModule(name, inner, _) => (caller, open) = (name, inner),
            _ => break,
        }
    }
    found.reverse();
    found.dedup();
    found
}

/// Explains an error of the interpreter, without its place.
fn explain(error: &EvalAltResult, guard: &ExecutionBudget) -> HostError {
    if let Some(spent) = guard.spent() {
        let help = (spent != STOPPED).then(|| SHORTEN.to_string());
        return HostError { message: spent.to_string(), help, blamed: None };
    }
    if let EvalAltResult::ErrorRuntime(value, _) = error
        && let Some(host) = value.clone().try_cast::<HostError>()
    {
        return host;
    }
    let (message, help) = words_of(error);
    HostError { message, help: help.map(String::from), blamed: None }
}

/// An error of the interpreter itself in the words of the guide, with advice. The wildcard covers errors that a later
/// interpreter may add.
fn words_of(error: &EvalAltResult) -> (String, Option<&'static str>) {
    let limits = Limits::default();
    match error {
        EvalAltResult::ErrorRuntime(value, _) if value.is_string() => (format!("the script threw \"{value}\""), None),
        EvalAltResult::ErrorRuntime(value, _) if value.is_int() => (format!("the script threw {value}"), None),
        EvalAltResult::ErrorRuntime(value, _) => (format!("the script threw {}", words_for(value)), None),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => {
            let message = not_found(signature);
            let operator = message.contains("does not work on");
            let help = match () {
                () if operator && message.contains("an array") => {
                    Some("use one entry, as in `dice[0]`, or the sum, `dice.total`")
                }
                () if operator && message.contains("dice from `cast()`") => {
                    Some("use the sum, `.total`, or a single die, `[0]`")
                }
                () if message.contains(ValueKind::Nothing.words()) => Some(ASK_FOR_NOTHING),
                () if operator => Some(operands_for(message.split('`').nth(1).unwrap_or_default())),
                () => None,
            };
            (message, help)
        }
        EvalAltResult::ErrorDotExpr(said, _) => {
            let message = no_property(said);
            let nothing = message.starts_with(ValueKind::Nothing.words());
            (message, nothing.then_some(ASK_FOR_NOTHING))
        }
        EvalAltResult::ErrorPropertyNotFound(name, _) => (format!("there is no property `{name}` here"), None),
        EvalAltResult::ErrorIndexNotFound(..) => (
            "there is no such entry".into(),
            Some("for an array, use a number starting at 0; for a map, use the name of an entry"),
        ),
        EvalAltResult::ErrorIndexingType(said, _) => {
            let owner = of_type(said.split([' ', '[']).next().unwrap_or_default());
            (
                format!("{owner} has no entries"),
                Some("only arrays, maps and dice have entries; for a set of squares, use `choose(..)` or a loop"),
            )
        }
        EvalAltResult::ErrorDataTooLarge(what, _) if what.to_lowercase().contains("string") => {
            (format!("this string exceeds the limit of {} bytes", limits.string), Some("shorten it"))
        }
        EvalAltResult::ErrorDataTooLarge(what, _) if what.to_lowercase().contains("map") => {
            (format!("this map exceeds the limit of {} entries", limits.map), Some("store fewer entries"))
        }
        EvalAltResult::ErrorDataTooLarge(..) => {
            (format!("this array exceeds the limit of {} entries", limits.array), Some("store fewer entries"))
        }
        EvalAltResult::ErrorTooManyVariables(_) => (
            format!("at most {} variables can exist at the same time", limits.variables),
            Some("store several values in one array or map"),
        ),
        EvalAltResult::ErrorTooManyModules(_) => {
            (format!("a script can have at most {} imports", limits.modules), Some("remove some of them"))
        }
        EvalAltResult::ErrorTooManyOperations(_) => (TOO_LONG.into(), Some(SHORTEN)),
        EvalAltResult::ErrorArrayBounds(0, ..) => {
            ("the array is empty".into(), Some("test it first: `if list.len() > 0 { .. }`"))
        }
        EvalAltResult::ErrorArrayBounds(n, i, _) => {
            let help = "entries are numbered from 0: for the face of a die, write `die - 1`";
            (format!("the array has {}, but no entry {i}", entries(*n)), Some(help))
        }
        EvalAltResult::ErrorStringBounds(n, i, _) => (
            format!("the string has {}, but no character {i}", counted(*n, "character")),
            Some("characters are numbered from 0"),
        ),
        EvalAltResult::ErrorBitFieldBounds(_, i, _) => (
            format!("a number has no entry {i}"),
            Some("rolling one die gives a number; rolling several gives an array"),
        ),
        EvalAltResult::ErrorVariableNotFound(name, _) => (format!("there is no variable called `{name}`"), None),
        EvalAltResult::ErrorVariableExists(name, _) => {
            (format!("there is already a variable called `{name}`"), Some("choose a different name"))
        }
        EvalAltResult::ErrorForbiddenVariable(name, _) => {
            (format!("a variable cannot be called `{name}`"), Some("choose a different name"))
        }
        EvalAltResult::ErrorModuleNotFound(name, _) => {
            (format!("nothing is imported as `{name}`"), Some("import it at the top: `import \"chess\" as chess;`"))
        }
        EvalAltResult::ErrorStackOverflow(_) => (
            "calls are nested too deeply: a function probably calls itself endlessly".into(),
            Some("add a condition under which it returns without calling itself"),
        ),
        EvalAltResult::ErrorMismatchDataType(wanted, given, _) if wanted.is_empty() => {
            (format!("{} is not allowed here", of_type(given)), None)
        }
        EvalAltResult::ErrorMismatchDataType(wanted, given, _)
        | EvalAltResult::ErrorMismatchOutputType(wanted, given, _) => {
            (format!("expected {} here, found {}", of_type(wanted), of_type(given)), condition(wanted, given))
        }
        EvalAltResult::ErrorFor(_) => (
            "a loop cannot iterate over this".into(),
            Some("loop over an array, a set of squares or a range of numbers"),
        ),
        EvalAltResult::ErrorNonPureMethodCallOnConstant(name, _) => (
            format!("`{}` would change a constant", name.trim_matches('\'')),
            Some("copy the constant into a variable first: `let mine = ..;`"),
        ),
        EvalAltResult::ErrorAssignmentToConstant(name, _) => (
            format!("`{name}` is a constant: it cannot be changed"),
            Some("copy it into a variable first: `let mine = ..;`"),
        ),
        EvalAltResult::ErrorArithmetic(said, _) if said.to_lowercase().contains("zero") => {
            ("a number is divided by 0".into(), Some("make sure that the divisor is not 0"))
        }
        EvalAltResult::ErrorArithmetic(..) => (
            "the number becomes too large or too small".into(),
            Some("keep results between -9223372036854775808 and 9223372036854775807"),
        ),
        EvalAltResult::ErrorDataRace(..) => (
            "a function uses the variable it is called on".into(),
            Some("copy the variable first, `let copy = ..;`, and use the copy in the function"),
        ),
        EvalAltResult::ErrorUnboundThis(_) => {
            ("`this` is not supported in scripts".into(), Some("pass the value as an argument"))
        }
        EvalAltResult::ErrorParsing(..) => ("this cannot be parsed".into(), None),
        EvalAltResult::LoopBreak(..) => ("`break` and `continue` only work in loops".into(), None),
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) | EvalAltResult::ErrorInModule(_, inner, _) => {
            words_of(inner)
        }
        _ => ("the script cannot continue here".into(), None),
    }
}

/// The advice for a script that exceeds a limit.
const SHORTEN: &str = "make sure that every loop ends, and do less work in long loops";

/// The advice for a value that is not always present.
const ASK_FOR_NOTHING: &str =
    "there is no value, perhaps because no move or roll was possible: test it first, `if mv != () { .. }`";

/// The kind of mistake behind an error of the interpreter.
fn code_of(error: &EvalAltResult) -> Code {
    match error {
        EvalAltResult::ErrorFunctionNotFound(..) => Code::Arguments,
        EvalAltResult::ErrorDotExpr(..)
        | EvalAltResult::ErrorPropertyNotFound(..)
        | EvalAltResult::ErrorVariableNotFound(..)
        | EvalAltResult::ErrorModuleNotFound(..) => Code::UnknownName,
        EvalAltResult::ErrorIndexNotFound(..)
        | EvalAltResult::ErrorIndexingType(..)
        | EvalAltResult::ErrorArrayBounds(..)
        | EvalAltResult::ErrorStringBounds(..)
        | EvalAltResult::ErrorBitFieldBounds(..) => Code::Index,
        EvalAltResult::ErrorTooManyOperations(_) | EvalAltResult::ErrorStackOverflow(_) => Code::Endless,
        EvalAltResult::ErrorMismatchDataType(wanted, ..) if wanted == "bool" => Code::Condition,
        EvalAltResult::ErrorArithmetic(..) => Code::Arithmetic,
        EvalAltResult::ErrorNonPureMethodCallOnConstant(..) | EvalAltResult::ErrorAssignmentToConstant(..) => {
            Code::Constant
        }
        _ => Code::Declaration,
    }
}

/// The advice for a condition that is not true or false.
fn condition(wanted: &str, given: &str) -> Option<&'static str> {
    if wanted != "bool" {
        return None;
    }
    Some(match ValueKind::named(given) {
        Some(ValueKind::Permit) => {
            "use `.exists()` to test whether it permits any move; combine permits with `|` and `&`"
        }
        Some(ValueKind::Squares) => "write `!squares.is_empty`",
        Some(ValueKind::Nothing) => "it returns no value: write separate statements, in braces",
        _ => "compare it, as in `> 0` or `== \"yes\"`",
    })
}

/// The recursive function and its place, if calls are nested too deeply.
fn calls_itself(error: &EvalAltResult) -> Option<(String, Position)> {
    let mut calls: Vec<(String, Position)> = Vec::new();
    let mut open = error;
    while let EvalAltResult::ErrorInFunctionCall(name, _, inner, at) | EvalAltResult::ErrorInModule(name, inner, at) =
        open
    {
        calls.push((name.clone(), *at));
        open = inner;
    }
    if !matches!(open, EvalAltResult::ErrorStackOverflow(_)) {
        return None;
    }
    let own = |name: &str| calls.iter().filter(|(other, _)| other == name).count();
    calls.iter().rev().find(|(name, at)| own(name) > 2 && !at.is_none()).cloned()
}

/// Translates the interpreter's name for a type into the words of the guide.
fn of_type(name: &str) -> String {
    ValueKind::named(name).map_or_else(|| "a value of a different type".into(), |kind| kind.words().into())
}

/// The message for a missing property; the interpreter names it and the type in quotes.
fn no_property(said: &str) -> String {
    match said.split('\'').collect::<Vec<_>>()[..] {
        [_, property, _, owner, _] => format!("{} has no property `{property}`", of_type(owner)),
        _ => "this has no such property".into(),
    }
}

/// The message for a call that fits no function. The signature is the interpreter's, as `take (i64, bool)`.
fn not_found(signature: &str) -> String {
    let signature = signature.replace("&str | ImmutableString | String", "text");
    let (name, types) = signature.split_once(" (").unwrap_or((&signature, ")"));
    let types: Vec<String> = types.trim_end_matches(')').split(", ").filter(|t| !t.is_empty()).map(of_type).collect();
    let property = name.strip_prefix("get$").or_else(|| name.strip_prefix("set$"));
    match (property, types.as_slice()) {
        (Some(property), [owner, ..]) => format!("{owner} has no property `{property}`"),
        (None, [left, right]) if !name.starts_with(|c: char| c.is_alphabetic()) => {
            format!("`{name}` does not work on {} and {}", operand(left), operand(right))
        }
        (_, []) => format!("there is no function `{name}` without arguments"),
        (_, all) => format!("there is no function `{name}` that takes {}", enumeration(all)),
    }
}

/// An interpreter's error as a diagnostic of the script.
pub(crate) fn diagnose(error: &EvalAltResult, source: &Source, guard: &ExecutionBudget) -> Diagnostic {
    let (deepest, script, at) = root(error, &source.name);
    let blamed =
        if script == source.name { source.clone() } else { library::bundled(script).unwrap_or_else(|| source.clone()) };
    let text: Arc<str> = blamed.text.as_str().into();
    let explained = explain(deepest, guard);
    if let EvalAltResult::ErrorParsing(error, at) = deepest {
        return syntax::diagnostic(&blamed.file(), &text, error, *at);
    }
    let mut explained = explained;
    let mut at = at;
    if let Some((name, place)) = calls_itself(error).filter(|_| guard.spent().is_none()) {
        explained.message = format!("`{name}` calls itself endlessly");
        at = place;
    }
    if let Some(endless) = never_ends(error, deepest, at, &blamed, guard) {
        let diagnostic = Diagnostic::error(&blamed.file(), &text, endless.at.0, endless.at.1, endless.message);
        return diagnostic.with_help(Some(endless.help)).of(Code::Endless);
    }
    let (line, column) = (at.line().unwrap_or(0), at.position().unwrap_or(1));
    // The interpreter may report the line after the text for a call of a host function. That means the whole script.
    let line = if line > text.lines().count() { 0 } else { line };
    let mut diagnostic =
        Diagnostic::error(&blamed.file(), &text, line, column, explained.message).with_help(explained.help);
    diagnostic.code = Some(if explained.blamed.is_some() { Code::Notation } else { code_of(deepest) });
    match explained.blamed {
        Some((misread, span)) => point_into(&mut diagnostic, &misread, span),
        None if matches!(deepest, EvalAltResult::ErrorArrayBounds(..)) => point_at_index(&mut diagnostic),
        None => match deepest {
            EvalAltResult::ErrorFunctionNotFound(signature, _) if point_at_argument(&mut diagnostic, signature) => {}
            _ => point_at_word(&mut diagnostic),
        },
    }
    let place = (diagnostic.line, diagnostic.column);
    let meant = match diagnostic.message.contains("has no property") {
        true => mixed_up::property(&tokens(&text), place).filter(|_| diagnostic.help.is_none()),
        false => mixed_up::other_option(&tokens(&text), &diagnostic.message, place),
    };
    if meant.is_some() {
        diagnostic.help = meant;
    }
    diagnostic
}

/// The loop that has used up the budget, if it was one.
fn never_ends(
    error: &EvalAltResult,
    deepest: &EvalAltResult,
    at: Position,
    blamed: &Source,
    guard: &ExecutionBudget,
) -> Option<Endless> {
    let spent = guard.spent().is_some_and(|spent| spent != STOPPED);
    if !spent && !matches!(deepest, EvalAltResult::ErrorTooManyOperations(_)) {
        return None;
    }
    let here = at.line().map(|line| (line, at.position().unwrap_or(1)));
    let calls = calls(error, &blamed.name);
    let before = calls.iter().filter(|(_, place)| place.file.as_deref() == Some(&blamed.name));
    let places: Vec<(usize, usize)> =
        here.into_iter().chain(before.map(|(_, place)| (place.line, place.column))).collect();
    endless::around(&blamed.text, &places)
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
