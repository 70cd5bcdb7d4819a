use super::*;
use rhai::{Dynamic, LexError, ParseErrorType};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Words that only the interpreter has for things.
const RAW: [&str; 11] = [
    "Expecting",
    "expecting",
    "Unexpected",
    "Dynamic",
    "i64",
    "bool",
    "Array",
    "pure",
    "mismatch",
    "Syntax",
    "Data type",
];

fn said(error: &EvalAltResult) -> String {
    let (message, help) = words_of(error);
    format!("{message}; {}", help.unwrap_or_default())
}

/// An error of each sort that a run may end in.
fn errors() -> Vec<EvalAltResult> {
    let at = Position::new(1, 1);
    let name = || "Xyz".to_string();
    vec![
        EvalAltResult::ErrorSystem(name(), "Xyzzy".into()),
        EvalAltResult::ErrorParsing(ParseErrorType::UnexpectedEOF, at),
        EvalAltResult::ErrorVariableExists(name(), at),
        EvalAltResult::ErrorForbiddenVariable(name(), at),
        EvalAltResult::ErrorVariableNotFound(name(), at),
        EvalAltResult::ErrorPropertyNotFound(name(), at),
        EvalAltResult::ErrorIndexNotFound(Dynamic::from(7_i64), at),
        EvalAltResult::ErrorFunctionNotFound("take (i64, bool)".into(), at),
        EvalAltResult::ErrorModuleNotFound(name(), at),
        EvalAltResult::ErrorUnboundThis(at),
        EvalAltResult::ErrorMismatchDataType("bool".into(), "i64".into(), at),
        EvalAltResult::ErrorMismatchDataType(
            "bool".into(),
            std::any::type_name::<crate::host::values::PermitV>().into(),
            at,
        ),
        EvalAltResult::ErrorMismatchOutputType("bool".into(), "i64".into(), at),
        EvalAltResult::ErrorIndexingType("Squares [i64]".into(), at),
        EvalAltResult::ErrorArrayBounds(0, 1, at),
        EvalAltResult::ErrorArrayBounds(6, 6, at),
        EvalAltResult::ErrorStringBounds(2, 3, at),
        EvalAltResult::ErrorBitFieldBounds(64, 70, at),
        EvalAltResult::ErrorFor(at),
        EvalAltResult::ErrorDataRace(name(), at),
        EvalAltResult::ErrorNonPureMethodCallOnConstant(name(), at),
        EvalAltResult::ErrorAssignmentToConstant(name(), at),
        EvalAltResult::ErrorDotExpr("Unknown property".into(), at),
        EvalAltResult::ErrorArithmetic("Division by zero: 4 / 0".into(), at),
        EvalAltResult::ErrorArithmetic("Addition overflow: 4 + 0".into(), at),
        EvalAltResult::ErrorTooManyOperations(at),
        EvalAltResult::ErrorTooManyVariables(at),
        EvalAltResult::ErrorTooManyModules(at),
        EvalAltResult::ErrorStackOverflow(at),
        EvalAltResult::ErrorDataTooLarge("Length of string".into(), at),
        EvalAltResult::ErrorDataTooLarge("Size of object map".into(), at),
        EvalAltResult::ErrorDataTooLarge("Size of array".into(), at),
        EvalAltResult::ErrorTerminated(Dynamic::UNIT, at),
        EvalAltResult::ErrorCustomSyntax(name(), Vec::new(), at),
        EvalAltResult::ErrorRuntime(Dynamic::from("mine"), at),
        EvalAltResult::ErrorRuntime(Dynamic::from(vec![Dynamic::UNIT]), at),
        EvalAltResult::LoopBreak(true, Dynamic::UNIT, at),
        EvalAltResult::Return(Dynamic::UNIT, at),
        EvalAltResult::Exit(Dynamic::UNIT, at),
        EvalAltResult::ErrorInFunctionCall(name(), name(), Box::new(EvalAltResult::ErrorFor(at)), at),
        EvalAltResult::ErrorInModule(name(), Box::new(EvalAltResult::ErrorFor(at)), at),
    ]
}

#[test]
fn no_error_of_the_interpreter_is_shown_in_its_own_words() {
    for error in &errors() {
        let said = said(error);
        assert!(!RAW.iter().any(|raw| said.contains(raw)), "{error:?}: {said}");
        if matches!(error, EvalAltResult::ErrorInFunctionCall(..) | EvalAltResult::ErrorInModule(..)) {
            assert_eq!(words_of(error), words_of(&EvalAltResult::ErrorFor(Position::NONE)));
        }
    }
}

/// An error of each sort that comes of characters.
fn lexer_errors() -> Vec<LexError> {
    vec![
        LexError::UnexpectedInput("$".into()),
        LexError::UnterminatedString,
        LexError::StringTooLong(9),
        LexError::MalformedEscapeSequence("\\q".into()),
        LexError::MalformedNumber("1x".into()),
        LexError::MalformedChar("ab".into()),
        LexError::MalformedIdentifier("_".into()),
        LexError::ImproperSymbol("===".into(), "This is not JavaScript!".into()),
        LexError::ImproperSymbol("try".into(), "it is disabled".into()),
        LexError::Runtime("Expecting".into()),
    ]
}

/// An error of each sort that a script which cannot be read may have.
fn parse_errors() -> Vec<ParseErrorType> {
    let name = || "xyz".to_string();
    let mut all: Vec<ParseErrorType> = lexer_errors().into_iter().map(ParseErrorType::BadInput).collect();
    all.extend([
        ParseErrorType::UnexpectedEOF,
        ParseErrorType::UnknownOperator("?".into()),
        ParseErrorType::MissingToken(";".into(), "to terminate".into()),
        ParseErrorType::MissingToken("{".into(), "to start".into()),
        ParseErrorType::MissingToken(",".into(), "to separate".into()),
        ParseErrorType::MissingToken("=>".into(), "in this switch".into()),
        ParseErrorType::MissingSymbol("Expecting".into()),
        ParseErrorType::MalformedIndexExpr("Array expects".into()),
        ParseErrorType::MalformedCapture("Expecting".into()),
        ParseErrorType::DuplicatedProperty(name()),
        ParseErrorType::DuplicatedVariable(name()),
        ParseErrorType::WrongSwitchIntegerCase,
        ParseErrorType::WrongSwitchDefaultCase,
        ParseErrorType::WrongSwitchCaseCondition,
        ParseErrorType::PropertyExpected,
        ParseErrorType::VariableExpected,
        ParseErrorType::ForbiddenVariable(name()),
        ParseErrorType::Reserved(name()),
        ParseErrorType::MismatchedType("a boolean expression".into(), "i64".into()),
        ParseErrorType::ExprExpected("a boolean".into()),
        ParseErrorType::WrongDocComment,
        ParseErrorType::WrongFnDefinition,
        ParseErrorType::FnDuplicatedDefinition(name(), 1),
        ParseErrorType::FnMissingName,
        ParseErrorType::FnMissingParams(name()),
        ParseErrorType::FnDuplicatedParam(name(), name()),
        ParseErrorType::FnMissingBody(name()),
        ParseErrorType::FnMissingBody(String::new()),
        ParseErrorType::WrongExport,
        ParseErrorType::AssignmentToConstant(name()),
        ParseErrorType::AssignmentToInvalidLHS("Expecting".into()),
        ParseErrorType::VariableExists(name()),
        ParseErrorType::VariableUndefined(name()),
        ParseErrorType::ModuleUndefined(name()),
        ParseErrorType::ExprTooDeep,
        ParseErrorType::TooManyFunctions,
        ParseErrorType::LiteralTooLarge("Array".into(), 9),
        ParseErrorType::LoopBreak,
    ]);
    all
}

#[test]
fn no_syntax_error_is_shown_in_the_words_of_the_interpreter() {
    let all = parse_errors();
    let text: Arc<str> = "fn turn() { play(any()) }".into();
    for error in &all {
        let shown = syntax::diagnostic("a.rhai", &text, error, Position::new(1, 13));
        let said = format!("{}; {}", shown.message, shown.help.as_deref().unwrap_or_default());
        assert!(!RAW.iter().any(|raw| said.contains(raw)), "{error:?}: {said}");
        assert!(shown.help.is_some() || matches!(error, ParseErrorType::UnexpectedEOF), "no advice: {error:?}");
    }
}

/// The interpreter with which the lists above were last compared.
const COMPARED: &str = "1.27.0";

/// The folder of the interpreter's source, if the package client has put it where it usually does.
fn source_of_the_interpreter() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
    let folders = registries.filter_map(|entry| Some(entry.ok()?.path().join(format!("rhai-{}", version()))));
    folders.into_iter().find(|folder| folder.is_dir())
}

/// The version of the interpreter, as the lock file has it.
fn version() -> String {
    let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock")).unwrap();
    let package = lock.split("[[package]]").find(|package| package.contains("name = \"rhai\"")).unwrap();
    package.split("version = \"").nth(1).unwrap().split('"').next().unwrap().to_string()
}

/// The sorts that an enumeration of the interpreter has, but for those that it no longer uses.
fn sorts(text: &str, name: &str) -> BTreeSet<String> {
    let body = text.split(&format!("pub enum {name} {{\n")).nth(1).unwrap().split("\n}").next().unwrap();
    let mut unused = false;
    let mut found = BTreeSet::new();
    for line in body.lines() {
        unused |= line.trim_start().starts_with("#[deprecated");
        let word: String =
            line.strip_prefix("    ").unwrap_or_default().chars().take_while(|c| c.is_alphanumeric()).collect();
        if word.starts_with(|c: char| c.is_uppercase()) {
            if !unused {
                found.insert(word);
            }
            unused = false;
        }
    }
    found
}

/// The sort of each error.
fn sorts_of<T: std::fmt::Debug>(all: &[T]) -> BTreeSet<String> {
    let word = |error: &T| format!("{error:?}").chars().take_while(|c| c.is_alphanumeric()).collect();
    all.iter().map(word).collect()
}

/// A sort of errors that a new interpreter brings has no words here until somebody gives it some.
#[test]
fn every_sort_of_error_of_the_interpreter_has_words() {
    let Some(folder) = source_of_the_interpreter() else {
        assert_eq!(version(), COMPARED, "compare the lists above with the errors of the new interpreter");
        return;
    };
    let read = |file: &str| std::fs::read_to_string(folder.join("src/types").join(file)).unwrap().replace('\r', "");
    let missing = |text: &str, name: &str, known: BTreeSet<String>| {
        let missing: Vec<String> = sorts(text, name).difference(&known).cloned().collect();
        assert!(missing.is_empty(), "{name}: no words for {missing:?}");
        assert!(known.len() > 8, "{name}");
    };
    missing(&read("error.rs"), "EvalAltResult", sorts_of(&errors()));
    missing(&read("parse_error.rs"), "ParseErrorType", sorts_of(&parse_errors()));
    missing(&read("parse_error.rs"), "LexError", sorts_of(&lexer_errors()));
}
