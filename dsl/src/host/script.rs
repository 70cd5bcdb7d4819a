//! Loading a script: from its text to a ruleset, and the rule source that runs its functions.
//!
//! The script's top level is evaluated once, as a module, so that its functions keep its imports. Rhai
//! functions do not see constants of the top level; here they do: constants are collected when the
//! module is made and answered by the variable resolver, script by script.

use super::answer::{self, QUESTION};
use super::declare::{Declaration, OptionDef};
use super::engine::{Guard, Limits, sandbox};
use super::trace::{self, FIRST_TEST, Host, HostError, Level, Phase};
use super::values::{MoveV, SquareV};
use super::{act, ask, choose, declare, numbers, permits, roll, tracks, weight};
use crate::check::syntax;
use crate::coverage::Coverage;
use crate::diagnostic::{Diagnostic, LoadError};
use crate::library::{self, Source};
use astragal_core::query::Answer;
use astragal_core::rule::{Place, Step};
use astragal_core::value::SquareRef;
use astragal_core::{Hook, RuleError, RuleId, RuleSource};
use rhai::{
    AST, ASTFlags, Array, Dynamic, Engine, EvalAltResult, Module, ModuleResolver, Position, Scope, Shared, Stmt,
};
use std::any::TypeId;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// The name under which the script's functions are called.
const MODULE: &str = "rules__";

/// The function that is a question to the position, in scripts that are loaded to ask it.
pub(crate) const QUESTION_NAME: &str = "question__";

/// Constants by script and name.
type Constants = Rc<RefCell<BTreeMap<(String, String), Dynamic>>>;

/// A script whose top level has been run.
pub(crate) struct Script {
    pub engine: Engine,
    pub host: Host,
    pub source: Source,
    pub limits: Limits,
    pub imported: Rc<RefCell<Vec<String>>>,
    /// The rules that are called by themselves: those of [`Hook`], and a question.
    hooks: [Option<AST>; 5],
}

impl Script {
    /// Whether the script has a function for this hook.
    pub(crate) fn has(&self, hook: Hook) -> bool {
        self.hooks[hook.id().0 as usize].is_some()
    }
}

/// Refuses scripts that are too long: reading them is not limited by anything else.
pub(crate) fn refuse_size(source: &Source) -> Result<(), LoadError> {
    let most = Limits::default().source;
    if source.text.len() <= most {
        return Ok(());
    }
    let message = format!("a script has at most {most} bytes, this has {}", source.text.len());
    Err(LoadError::Script(vec![Diagnostic::error(&source.file(), &"".into(), 0, 0, message)]))
}

/// An interpreter that only serves to ask what rules may call.
pub(crate) fn vocabulary() -> Engine {
    interpreter(&Limits::default(), &Host::default())
}

/// The functions of the game that scripts may call, beyond the interpreter's own: names and types.
pub(crate) fn own_functions() -> Vec<(String, Vec<TypeId>)> {
    let list = |engine: &Engine| {
        engine.collect_fn_metadata(
            None,
            |info| {
                let data = info.metadata;
                info.script.is_none().then(|| (data.name.to_string(), data.param_types.to_vec()))
            },
            true,
        )
    };
    let plain = list(&sandbox(&Limits::default(), &Guard::default()));
    let all = list(&vocabulary());
    all.into_iter().filter(|function| !function.0.ends_with("__") && !plain.contains(function)).collect()
}

/// Runs the top level of a script with options as given; if it is watched, all that is run is noted.
pub(crate) fn open_watched(
    source: &Source,
    given: &[(String, String)],
    watch: Option<&Coverage>,
) -> Result<Script, LoadError> {
    open_with(source, given, watch, Limits::default())
}

/// As [`open_watched`], within these limits, which the rules then have as well.
pub(crate) fn open_within(source: &Source, given: &[(String, String)], limits: Limits) -> Result<Script, LoadError> {
    open_with(source, given, None, limits)
}

fn open_with(
    source: &Source,
    given: &[(String, String)],
    watch: Option<&Coverage>,
    limits: Limits,
) -> Result<Script, LoadError> {
    refuse_size(source)?;
    let mut host = Host::default();
    host.watch = watch.cloned();
    host.trace().declaration.given = given.to_vec();
    let constants = Constants::default();
    let imported = Rc::new(RefCell::new(Vec::new()));
    let mut engine = interpreter(&limits, &host);
    let table = constants.clone();
    #[allow(deprecated)]
    engine.on_var(move |name, _, ctx| {
        if let Some(value) = ctx.scope().get(name) {
            return match weight::too_large(value) {
                None => Ok(None),
                Some(message) => Err(trace::error(HostError { message, help: None, blamed: None })),
            };
        }
        let script = ctx.source().unwrap_or_default().to_string();
        Ok(table.borrow().get(&(script, name.to_string())).cloned())
    });
    let table = constants.clone();
    engine.register_fn("seal__", move |script: &str, name: &str, value: Dynamic| {
        table.borrow_mut().insert((script.into(), name.into()), value);
    });
    engine.set_module_resolver(Library { host: host.clone(), imported: imported.clone() });
    if let Some(watch) = watch {
        note_visits(&mut engine, watch.clone());
    }
    host.guard.reset();
    let (module, ast) =
        evaluate(&engine, source).map_err(|error| LoadError::Script(vec![diagnose(&error, source, &host.guard)]))?;
    if let Some(spent) = host.guard.spent() {
        let text: Arc<str> = source.text.as_str().into();
        return Err(LoadError::Script(vec![Diagnostic::error(
            &source.file(),
            &text,
            0,
            0,
            format!("the top level fails: {spent}"),
        )]));
    }
    if let Some(watch) = watch {
        watch.survey(&source.name, &ast, source.text.lines().count());
    }
    engine.register_static_module(MODULE, module.into());
    let hooks = compile_hooks(&engine, &ast, source)?;
    Ok(Script { engine, host, source: source.clone(), limits, imported, hooks })
}

/// Notes every expression that the interpreter comes to, and every call that ends.
fn note_visits(engine: &mut Engine, watch: Coverage) {
    use rhai::debugger::{DebuggerCommand, DebuggerEvent};
    let place = |at: Position| at.line().map(|line| (line, at.position().unwrap_or(1)));
    #[allow(deprecated)]
    engine.register_debugger(
        |_, debugger| debugger,
        move |_, event, _, script, at| {
            if let (Some(script), Some(place)) = (script, place(at)) {
                match event {
                    DebuggerEvent::FunctionExitWithValue(value) => watch.ended(script, place, value.as_bool().ok()),
                    DebuggerEvent::FunctionExitWithError(_) => watch.ended(script, place, None),
                    _ => watch.visit(script, place),
                }
            }
            Ok(DebuggerCommand::StepInto)
        },
    );
}

/// The sandbox with the language of the game.
pub(crate) fn interpreter(limits: &Limits, host: &Host) -> Engine {
    let mut engine = sandbox(limits, &host.guard);
    declare::register(&mut engine, host);
    ask::register(&mut engine, host);
    permits::register(&mut engine, host);
    tracks::register(&mut engine, host);
    roll::register(&mut engine, host);
    choose::register(&mut engine, host);
    act::register(&mut engine, host);
    answer::register(&mut engine, host);
    numbers::register(&mut engine, host);
    engine
}

/// Makes a module of a script. Each constant is handed over at the end of the text.
fn evaluate(engine: &Engine, source: &Source) -> Result<(Module, AST), Box<EvalAltResult>> {
    let mut scope = Scope::new();
    let mut text = source.text.clone();
    for name in constants(&source.text)? {
        // The placeholder makes the name known to the strict mode; it is never read.
        scope.push_constant(name.clone(), Array::new());
        text.push_str(&format!("\nseal__({:?}, \"{name}\", {name});", source.name));
    }
    let mut ast = engine.compile_with_scope(&scope, &text).map_err(|e| Box::new(EvalAltResult::from(e)))?;
    ast.set_source(source.name.clone());
    let mut module = Module::eval_ast_as_new(Scope::new(), &ast, engine)?;
    module.set_id(source.name.clone());
    Ok((module, ast))
}

/// The names of the constants at a script's top level.
fn constants(text: &str) -> Result<Vec<String>, Box<EvalAltResult>> {
    let mut scout = sandbox(&Limits::default(), &Guard::default());
    scout.set_strict_variables(false);
    let ast = scout.compile(text).map_err(|e| Box::new(EvalAltResult::from(e)))?;
    let mut names: Vec<String> = Vec::new();
    for statement in ast.statements() {
        if let Stmt::Var(var, flags, _) = statement
            && flags.intersects(ASTFlags::CONSTANT)
            && !names.contains(&var.0.name.to_string())
        {
            names.push(var.0.name.to_string());
        }
    }
    Ok(names)
}

/// Resolves imports: only scripts that come with the program.
struct Library {
    host: Host,
    imported: Rc<RefCell<Vec<String>>>,
}

impl ModuleResolver for Library {
    fn resolve(
        &self,
        engine: &Engine,
        _: Option<&str>,
        path: &str,
        at: Position,
    ) -> Result<Shared<Module>, Box<EvalAltResult>> {
        let Some(source) = library::bundled(path) else {
            let near = crate::notation::nearest(path, library::names()).map(|near| format!("did you mean \"{near}\"?"));
            let help = near.or_else(|| Some("only scripts that come with the program can be imported".into()));
            return refused(format!("there is no base called \"{path}\" to import"), help, at);
        };
        if self.imported.borrow().iter().any(|name| name == path) {
            return refused(format!("\"{path}\" is imported twice or imports itself"), None, at);
        }
        self.imported.borrow_mut().push(path.to_string());
        let before = std::mem::replace(&mut self.host.trace().phase, Phase::Importing);
        let result = evaluate(engine, &source);
        self.host.trace().phase = before;
        let blamed = |error| Box::new(EvalAltResult::ErrorInModule(path.to_string(), error, at));
        result.map(|(module, _)| module.into()).map_err(blamed)
    }
}

/// An import that is not possible.
fn refused<T>(message: String, help: Option<String>, at: Position) -> Result<T, Box<EvalAltResult>> {
    let error = HostError { message, help, blamed: None };
    Err(Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(error), at)))
}

fn compile_hooks(engine: &Engine, ast: &AST, source: &Source) -> Result<[Option<AST>; 5], LoadError> {
    let mut hooks = [const { None }; 5];
    for (hook, call, parameters) in [
        (Hook::Turn, "turn()", 0),
        (Hook::Capture, "capture(attacker, defender)", 2),
        (Hook::Outcome, "outcome()", 0),
        (Hook::Prepare, "prepare()", 0),
    ] {
        let name = call.split('(').next().unwrap_or_default();
        let Some(found) = ast.iter_functions().find(|f| f.name == name) else { continue };
        // `capture` may also take the move itself.
        let with_move = hook == Hook::Capture && found.params.len() == 3;
        let call = if with_move { "capture(attacker, defender, mv)" } else { call };
        if found.params.len() != parameters && !with_move {
            let text: Arc<str> = source.text.as_str().into();
            let message = format!("the rule `{name}` takes {parameters} parameters, not {}", found.params.len());
            let (line, column) = place_of_function(&source.text, name);
            let diagnostic = Diagnostic::error(&source.file(), &text, line, column, message);
            return Err(LoadError::Script(vec![diagnostic.with_help(Some(format!("write `fn {call} {{ ... }}`")))]));
        }
        let mut scope = Scope::new();
        scope.push("attacker", ()).push("defender", ()).push("mv", ());
        hooks[hook.id().0 as usize] = engine.compile_with_scope(&scope, format!("{MODULE}::{call}")).ok();
    }
    if ast.iter_functions().any(|f| f.name == QUESTION_NAME) {
        hooks[usize::from(QUESTION)] = engine.compile(format!("{MODULE}::{QUESTION_NAME}()")).ok();
    }
    Ok(hooks)
}

/// Where a function's name stands in the text.
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

/// The deepest error of a chain, with the script and place where it happened.
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

/// What an error of the interpreter means, without its place.
fn explain(error: &EvalAltResult, guard: &Guard) -> HostError {
    let plain = |message: String| HostError { message, help: None, blamed: None };
    if let Some(spent) = guard.spent() {
        return plain(spent.to_string());
    }
    match error {
        EvalAltResult::ErrorRuntime(value, _) => match value.clone().try_cast::<HostError>() {
            Some(host) => host,
            None if value.is_string() || value.is_int() => plain(format!("the script says: {value}")),
            None => plain(format!("the script throws {}", super::convert::type_name(value))),
        },
        EvalAltResult::ErrorFunctionNotFound(signature, _) => plain(not_found(signature)),
        EvalAltResult::ErrorDataTooLarge(what, _) if what.contains("string") => {
            plain("a text has grown too long".into())
        }
        EvalAltResult::ErrorDataTooLarge(what, _) if what.contains("map") => plain("a map has too many entries".into()),
        EvalAltResult::ErrorDataTooLarge(..) => plain("an array has too many entries".into()),
        EvalAltResult::ErrorTooManyVariables(_) => plain("there are too many variables".into()),
        EvalAltResult::ErrorArrayBounds(0, ..) => plain("the array is empty: it has no entries".into()),
        EvalAltResult::ErrorArrayBounds(n, i, _) => {
            plain(format!("the array has entries 0 to {}, but no entry {i}", n - 1))
        }
        EvalAltResult::ErrorVariableNotFound(name, _) => plain(format!("there is no variable called {name}")),
        EvalAltResult::ErrorStackOverflow(_) => {
            plain("calls are nested too deeply: does a function call itself without end?".into())
        }
        other => {
            let mut bare = other.to_string();
            if let Some(at) = bare.rfind(" (line ") {
                bare.truncate(at);
            }
            plain(bare)
        }
    }
}

/// A call that fits no function; the signature is the interpreter's, as `take (i64, bool)`.
fn not_found(signature: &str) -> String {
    let signature = signature.replace("&str | ImmutableString | String", "text");
    let (name, types) = signature.split_once(" (").unwrap_or((&signature, ")"));
    let word = |name: &str| match name {
        "i64" => "a number".to_string(),
        "text" => "a text".to_string(),
        "bool" => "true or false".to_string(),
        "array" => "an array".to_string(),
        "map" => "a map".to_string(),
        "()" => "nothing ()".to_string(),
        "FnPtr" | "Fn" => "a function".to_string(),
        other => format!("a {}", other.to_lowercase()),
    };
    let types: Vec<String> = types.trim_end_matches(')').split(", ").filter(|t| !t.is_empty()).map(word).collect();
    let property = name.strip_prefix("get$").or_else(|| name.strip_prefix("set$"));
    match (property, types.as_slice()) {
        (Some(property), [owner, ..]) => format!("{owner} has no property `{property}`"),
        (None, [left, right]) if !name.starts_with(|c: char| c.is_alphabetic()) => {
            format!("`{name}` does not work on {left} and {right}")
        }
        (_, []) => format!("there is no function `{name}` without arguments"),
        (_, all) => format!("there is no function `{name}` that takes {}", all.join(", ")),
    }
}

/// An interpreter's error as a diagnostic of the script.
pub(crate) fn diagnose(error: &EvalAltResult, source: &Source, guard: &Guard) -> Diagnostic {
    let (deepest, script, at) = root(error, &source.name);
    let blamed =
        if script == source.name { source.clone() } else { library::bundled(script).unwrap_or_else(|| source.clone()) };
    let text: Arc<str> = blamed.text.as_str().into();
    let explained = explain(deepest, guard);
    if let EvalAltResult::ErrorParsing(error, at) = deepest {
        return syntax::diagnostic(&blamed.file(), &text, error, *at);
    }
    let (line, column) = (at.line().unwrap_or(0), at.position().unwrap_or(1));
    // A call of a host function may be blamed on the line after the text; the whole script is meant.
    let line = if line > text.lines().count() { 0 } else { line };
    let mut diagnostic =
        Diagnostic::error(&blamed.file(), &text, line, column, explained.message).with_help(explained.help);
    match explained.blamed {
        Some((misread, span)) => point_into(&mut diagnostic, &misread, span),
        None => point_at_word(&mut diagnostic),
    }
    diagnostic
}

/// Moves a diagnostic from a call to the misread part of a text in that call.
fn point_into(diagnostic: &mut Diagnostic, misread: &str, span: std::ops::Range<usize>) {
    let lines: Vec<&str> = diagnostic.text.split('\n').collect();
    for (i, line) in lines.iter().enumerate().skip(diagnostic.line.saturating_sub(1)).take(12) {
        let Some(at) = line.find(&format!("\"{misread}\"")) else { continue };
        let before = line[..at].chars().count() + 1;
        let into = misread.get(..span.start).map_or(0, |s| s.chars().count());
        diagnostic.line = i + 1;
        diagnostic.column = before + into + 1;
        diagnostic.length = misread.get(span).map_or(1, |s| s.chars().count()).max(1);
        return;
    }
}

/// Moves a diagnostic from a call to the text or key in it that its message names.
fn point_at_word(diagnostic: &mut Diagnostic) {
    let Some(word) = diagnostic.message.split('"').nth(1).filter(|word| !word.is_empty()).map(str::to_string) else {
        return;
    };
    let lines: Vec<&str> = diagnostic.text.split('\n').collect();
    for (i, line) in lines.iter().enumerate().skip(diagnostic.line.saturating_sub(1)).take(12) {
        let skipped = if i + 1 == diagnostic.line { diagnostic.column.saturating_sub(1) } else { 0 };
        let start = line.char_indices().nth(skipped).map_or(line.len(), |(at, _)| at);
        let rest = &line[start..];
        let found = [(format!("\"{word}\""), 2), (format!("{word}:"), 0)]
            .into_iter()
            .find_map(|(text, quotes)| Some((rest.find(&text)?, quotes)));
        if let Some((at, quotes)) = found {
            diagnostic.line = i + 1;
            diagnostic.column = line[..start + at].chars().count() + 1;
            diagnostic.length = word.chars().count() + quotes;
            return;
        }
        if line.trim_end().ends_with(';') {
            return;
        }
    }
}

/// The functions of a script as rules of the engine.
pub(crate) struct ScriptRules(pub Script);

impl ScriptRules {
    fn levels(&self, rule: RuleId, answers: &[Answer]) -> Vec<Level> {
        if rule.0 < FIRST_TEST {
            return vec![Level { rule: rule.0, answers: answers.to_vec(), enter: None, held: self.held(rule) }];
        }
        let def = self.0.host.trace().tests[(rule.0 - FIRST_TEST) as usize].clone();
        let mut levels = self.levels(def.parent, &def.answers);
        if let Some(last) = levels.last_mut() {
            last.enter = Some(def.ordinal);
        }
        levels.push(Level { rule: rule.0, answers: answers.to_vec(), enter: None, held: def.held });
        levels
    }

    /// Where a rule failed. The interpreter does not say where a budget ran out: the rule is blamed.
    fn place(&self, rule: RuleId, error: &EvalAltResult, diagnostic: &Diagnostic) -> Option<(usize, usize)> {
        let known = !error.is_system_exception() && self.0.host.guard.spent().is_none();
        if known && diagnostic.line > 0 {
            return Some((diagnostic.line, diagnostic.column));
        }
        self.hook_place(rule)
    }

    /// Where the function of a rule, or of the rule around a test, begins.
    fn hook_place(&self, rule: RuleId) -> Option<(usize, usize)> {
        let hook = self.levels(rule, &[]).first().map_or(0, |level| level.rule);
        let place = place_of_function(&self.0.source.text, &self.name(RuleId(hook)));
        (place.0 > 0).then_some(place)
    }

    fn error(&self, rule: RuleId, error: &EvalAltResult) -> RuleError {
        let diagnostic = diagnose(error, &self.0.source, &self.0.host.guard);
        let message = match &diagnostic.help {
            Some(help) => format!("{}; {help}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        RuleError {
            rule: Some(self.name(rule)),
            message,
            place: self.place(rule, error, &diagnostic),
            file: Some(diagnostic.file),
        }
    }
}

impl RuleSource for ScriptRules {
    fn has(&self, hook: Hook) -> bool {
        self.0.has(hook)
    }

    fn name(&self, rule: RuleId) -> String {
        match rule.0 {
            0 => "turn".into(),
            1 => "capture".into(),
            2 => "outcome".into(),
            3 => "prepare".into(),
            QUESTION => "question".into(),
            n => self
                .0
                .host
                .trace()
                .tests
                .get((n.saturating_sub(FIRST_TEST)) as usize)
                .map_or("a test".into(), |t| t.name.clone()),
        }
    }

    fn held(&self, rule: RuleId) -> usize {
        match rule.0 {
            0 | 2 | 3 => 0,
            1 | QUESTION => 1,
            n => self.0.host.trace().tests.get((n.saturating_sub(FIRST_TEST)) as usize).map_or(1, |t| t.held),
        }
    }

    fn rest(&self) {
        self.0.host.guard.rest();
    }

    fn run(&self, rule: RuleId, answers: &[Answer]) -> Result<Vec<Step>, RuleError> {
        let levels = self.levels(rule, answers);
        let hook = levels.first().map_or(0, |level| level.rule);
        let Some(Some(call)) = self.0.hooks.get(hook as usize) else {
            return Err(RuleError::new("there is no such rule"));
        };
        let host = &self.0.host;
        if answers.len() > self.0.limits.questions {
            let message =
                format!("it asks more than {} questions in one go: is there an endless loop?", self.0.limits.questions);
            return Err(RuleError {
                rule: Some(self.name(rule)),
                place: self.hook_place(rule),
                ..RuleError::new(message)
            });
        }
        host.begin(levels);
        let mut scope = Scope::new();
        scope.push("attacker", SquareV(SquareRef::From(0))).push("defender", SquareV(SquareRef::Captured(0)));
        scope.push("mv", MoveV(0));
        let run = AssertUnwindSafe(|| self.0.engine.eval_ast_with_scope::<Dynamic>(&mut scope, call));
        let result = catch_unwind(run);
        host.guard.pause(&self.0.limits);
        if let Some(spent) = host.guard.spent() {
            let mut error = RuleError::new(spent);
            error.rule = Some(self.name(rule));
            if let Ok(Err(e)) = &result {
                error.place = self.error(rule, e).place.or_else(|| self.hook_place(rule));
            }
            return Err(error);
        }
        let mut trace = host.trace();
        let mut steps = std::mem::take(&mut trace.steps);
        if trace.suspended {
            if trace.locating {
                drop(trace);
                self.locate(&result, &steps);
            }
            return Ok(steps);
        }
        drop(trace);
        match result {
            Ok(Ok(_)) => {
                steps.push(Step::Return(0));
                Ok(steps)
            }
            Ok(Err(error)) => Err(self.error(rule, &error)),
            Err(_) => Err(RuleError::new("the interpreter failed")),
        }
    }

    fn place(&self, rule: RuleId, answers: &[Answer]) -> Option<Place> {
        self.0.host.trace().locating = true;
        let run = self.run(rule, answers);
        let mut trace = self.0.host.trace();
        trace.locating = false;
        let place = trace.located.take().filter(|_| run.is_ok())?;
        drop(trace);
        Some(self.elsewhere(place))
    }

    fn test_place(&self, rule: RuleId) -> Option<Place> {
        let index = rule.0.checked_sub(FIRST_TEST)?;
        let place = self.0.host.trace().tests.get(usize::from(index))?.place.clone()?;
        Some(self.elsewhere(place))
    }
}

impl ScriptRules {
    /// Notes where a run was suspended: at a decision, or at a question that had no answer yet.
    fn locate(&self, result: &std::thread::Result<Result<Dynamic, Box<EvalAltResult>>>, steps: &[Step]) {
        let known = self.0.host.trace().place.clone().filter(|_| matches!(steps.last(), Some(Step::Decide(_))));
        let asked = || {
            let Ok(Err(error)) = result else { return None };
            let at = diagnose(error, &self.0.source, &self.0.host.guard);
            let file = at.file.strip_suffix(".rhai").filter(|_| at.file != self.0.source.file()).map(String::from);
            (at.line > 0).then_some(Place { file, line: at.line, column: at.column })
        };
        let place = known.or_else(asked);
        self.0.host.trace().located = place;
    }

    /// The place without the script's name, where that is the variant's own.
    fn elsewhere(&self, mut place: Place) -> Place {
        place.file = place.file.filter(|name| *name != self.0.source.name && name != MODULE);
        place
    }
}

/// The options that a declaration refuses, as a message.
pub(crate) fn bad_option(declaration: &Declaration) -> Option<String> {
    for (name, value) in &declaration.given {
        let Some(option) = declaration.options.iter().find(|o: &&OptionDef| o.name == *name) else {
            let names: Vec<&str> = declaration.options.iter().map(|o| o.name.as_str()).collect();
            let hint = match crate::notation::nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None if names.is_empty() => "this variant has no options".into(),
                None => format!("it has: {}", names.join(", ")),
            };
            return Some(format!("there is no option called \"{name}\"; {hint}"));
        };
        if !option.values.contains(value) {
            return Some(format!("option {name} cannot be \"{value}\"; it can be: {}", option.values.join(", ")));
        }
    }
    None
}
