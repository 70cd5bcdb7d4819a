//! Loading a script: from its text to an interpreter whose hooks can be called (by [`super::rules`]).
//!
//! The script's top level is evaluated once, as a module, so that its functions keep its imports. In plain Rhai, functions
//! do not see constants of the top level. Here they do: constants are collected when the module is made, and the variable
//! resolver supplies them, script by script.

use super::answer;
use super::binding::PossibleChanges;
use super::declare::{Declaration, OptionDef};
use super::engine::{Limits, reader, sandbox};
use super::error::{HostError, error};
use super::kind::words_for;
use super::locate::{diagnose, place_of_function};
use super::probe;
use super::trace::{Host, Phase, QUESTION};
use super::{loops, size_limit};
use crate::coverage::Coverage;
use crate::debugger::Stepper;
use crate::diagnostic::{Diagnostic, LoadError};
use crate::functions::{self, Fact};
use crate::host::walk::walk_script;
use crate::library::{self, Source};
use crate::locked::locked;
use astragal_core::Hook;
use rhai::{
    AST, ASTFlags, ASTNode, Array, Dynamic, Engine, EvalAltResult, Expr, Module, ModuleResolver, Position, Scope,
    Shared, Stmt,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// The module name for calls of the script's functions.
pub(super) const MODULE: &str = "rules__";

/// The function of a question about the position, in scripts loaded to ask it.
pub(crate) const QUESTION_NAME: &str = "question__";

/// The function that stores the value of a constant. Its arguments are the script's name, the constant's name, and the
/// value.
const SEAL: &str = "seal__";

/// Constants by script and name.
type Constants = Arc<Mutex<BTreeMap<(String, String), Dynamic>>>;

/// A script whose top level has been run.
pub(crate) struct Script {
    pub engine: Engine,
    pub host: Host,
    pub source: Source,
    pub limits: Limits,
    pub imported: Arc<Mutex<Vec<String>>>,
    /// The call of each rule that the script has: those of [`Hook`], and a question.
    pub(super) hooks: [Option<AST>; 6],
    /// Whether a turn is any move that the rule `movement` permits.
    pub(super) turns_by_movement: bool,
    /// Whether the state of rules is known when they roll dice.
    pub(super) stands: bool,
    /// The debugger, if the script is debugged.
    pub(super) stepper: Option<Stepper>,
    constants: Constants,
}

impl Script {
    /// The names of the scripts that it imports, directly or not, in order.
    pub(crate) fn imports(&self) -> Vec<String> {
        locked(&self.imported).clone()
    }

    /// The values of the script's own constants, by name.
    pub(crate) fn constants(&self) -> BTreeMap<String, Dynamic> {
        let all = locked(&self.constants);
        let own = all.iter().filter(|((script, _), _)| *script == self.source.name);
        own.map(|((_, name), value)| (name.clone(), value.clone())).collect()
    }

    /// Whether the script has a function for this hook.
    pub(crate) fn has(&self, hook: Hook) -> bool {
        self.hooks[hook.id().0 as usize].is_some()
    }
}

/// Rejects scripts that are too long, because nothing else limits parsing.
pub(crate) fn refuse_size(source: &Source) -> Result<(), LoadError> {
    let most = Limits::default().source;
    if source.text.len() <= most {
        return Ok(());
    }
    let message = format!("a script can have at most {most} bytes, but this one has {}", source.text.len());
    Err(LoadError::Script(vec![Diagnostic::error(&source.file(), &"".into(), 0, 0, message)]))
}

/// An interpreter that only lists the functions available to rules.
pub(crate) fn vocabulary() -> Engine {
    interpreter(&Limits::default(), &Host::default())
}

/// Runs the top level of a script with the given options. With `watch`, records coverage.
pub(crate) fn open_watched(
    source: &Source,
    given: &[(String, String)],
    watch: Option<&Coverage>,
) -> Result<Script, LoadError> {
    open_with(source, given, watch, None, Limits::default())
}

/// As [`open_watched`], for a debugger. Since it makes runs slower, they may take more time.
pub(crate) fn open_stepped(
    source: &Source,
    given: &[(String, String)],
    stepper: &Stepper,
) -> Result<Script, LoadError> {
    let mut limits = Limits::default();
    limits.time *= SLOWER;
    open_with(source, given, None, Some(stepper), limits)
}

/// The factor of the time limit for scripts that are debugged.
const SLOWER: u32 = 10;

/// As [`open_watched`], with these limits for loading and for the rules.
pub(crate) fn open_within(source: &Source, given: &[(String, String)], limits: Limits) -> Result<Script, LoadError> {
    open_with(source, given, None, None, limits)
}

/// As [`open_within`], with coverage recording.
pub(crate) fn open_to_try(
    source: &Source,
    given: &[(String, String)],
    watch: &Coverage,
    limits: Limits,
) -> Result<Script, LoadError> {
    open_with(source, given, Some(watch), None, limits)
}

/// Coverage recording and debugging need the interpreter's only hook, so at most one of `watch` and `stepper` is given.
/// Without both, the hook may record the states of rolls.
fn open_with(
    source: &Source,
    given: &[(String, String)],
    watch: Option<&Coverage>,
    stepper: Option<&Stepper>,
    limits: Limits,
) -> Result<Script, LoadError> {
    refuse_size(source)?;
    let mut host = Host::default();
    host.watch = watch.cloned();
    host.trace().declaration.given = given.to_vec();
    let constants = Constants::default();
    let imported = Arc::new(Mutex::new(Vec::new()));
    let mut engine = interpreter(&limits, &host);
    let (table, reader) = (constants.clone(), host.clone());
    #[allow(deprecated)]
    engine.on_var(move |name, _, ctx| {
        if let Some(value) = ctx.scope().get(name) {
            return match size_limit::too_large(value) {
                None => Ok(None),
                Some(message) => Err(error(HostError { message, help: None, blamed: None })),
            };
        }
        let script = ctx.source().unwrap_or_default().to_string();
        Ok(locked(&table).get(&(script, name.to_string())).map(|constant| reader.anew(constant)))
    });
    let table = constants.clone();
    engine.register_fn(SEAL, move |script: &str, name: &str, value: Dynamic| {
        locked(&table).insert((script.into(), name.into()), value);
    });
    engine.set_module_resolver(Library { host: host.clone(), imported: imported.clone(), stepper: stepper.cloned() });
    if let Some(watch) = watch {
        note_visits(&mut engine, watch.clone());
    }
    if let Some(stepper) = stepper {
        stepper.attach(&mut engine, &host);
    }
    host.guard.reset(&astragal_core::rule::Used::default());
    let (module, ast) = evaluate(&engine, &host, stepper, source)
        .map_err(|error| LoadError::Script(vec![diagnose(&error, source, &host.guard)]))?;
    if let Some(spent) = host.guard.spent() {
        let text: Arc<str> = source.text.as_str().into();
        return Err(LoadError::Script(vec![Diagnostic::error(
            &source.file(),
            &text,
            0,
            0,
            format!("the top-level code fails: {spent}"),
        )]));
    }
    if let Some(watch) = watch {
        watch.survey(&source.name, &ast, source.text.lines().count());
    }
    engine.register_static_module(MODULE, module.into());
    let mut hooks = compile_hooks(&engine, &ast, source)?;
    let turns_by_movement = hooks[Hook::Turn as usize].is_none() && hooks[Hook::Movement as usize].is_some();
    if turns_by_movement {
        hooks[Hook::Turn as usize] = hooks[Hook::Movement as usize].clone();
    }
    note_calls(&host, &ast);
    host.trace().reach.captures = hooks[Hook::Capture as usize].is_some();
    let rolls = loops::rolls(&ast);
    let stands = watch.is_none() && stepper.is_none() && !rolls.is_empty();
    if stands {
        loops::note(&mut engine, &host, &source.name, rolls);
    }
    let (source, stepper) = (source.clone(), stepper.cloned());
    Ok(Script { engine, host, source, limits, imported, hooks, turns_by_movement, stands, stepper, constants })
}

/// Records every expression that the interpreter evaluates, and every call that ends.
fn note_visits(engine: &mut Engine, watch: Coverage) {
    use rhai::debugger::{DebuggerCommand, DebuggerEvent};
    let place = |at: Position| at.line().map(|line| (line, at.position().unwrap_or(1)));
    #[allow(deprecated)]
    engine.register_debugger(
        |_, debugger| debugger,
        move |_, event, _, script, at| {
            if let (Some(script), Some(place)) = (script, place(at)) {
                match event {
                    DebuggerEvent::FunctionExitWithValue(value) => watch.ended(script, place, Some((value, words_for))),
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
    functions::register(&mut engine, host);
    answer::register(&mut engine, host);
    probe::register(&mut engine, host);
    engine
}

/// Parses a script exactly as for running, including names of variables and imports, without running it.
pub(crate) fn read_strictly(source: &Source) -> Result<(), Box<EvalAltResult>> {
    compile(&vocabulary(), source).map(|_| ())
}

/// Evaluates a script as a module.
fn evaluate(
    engine: &Engine,
    host: &Host,
    stepper: Option<&Stepper>,
    source: &Source,
) -> Result<(Module, AST), Box<EvalAltResult>> {
    let mut ast = compile(engine, source)?;
    ast.set_source(source.name.clone());
    host.trace().compared.survey(&source.name, &ast);
    host.trace().face_uses.survey(&source.name, &ast);
    if let Some(stepper) = stepper {
        stepper.survey(&source.name, &ast);
    }
    let mut module = Module::eval_ast_as_new(Scope::new(), &ast, engine)?;
    module.set_id(source.name.clone());
    Ok((module, ast))
}

/// Compiles a script. Calls appended to its text pass each constant on.
fn compile(engine: &Engine, source: &Source) -> Result<AST, Box<EvalAltResult>> {
    if let Some(ast) = compile_by_lines(engine, source) {
        return Ok(ast);
    }
    let read = reader().compile(&source.text).map_err(|e| Box::new(EvalAltResult::from(e)))?;
    compile_with(engine, source, &constants(&read))
}

/// Compiles a script in a single pass if all its constants are declared at the start of lines. `None` if other constants
/// exist, or on any error.
fn compile_by_lines(engine: &Engine, source: &Source) -> Option<AST> {
    let mut names: Vec<String> = Vec::new();
    for line in source.text.lines() {
        let Some(declared) = line.strip_prefix("const ") else { continue };
        let name: String = declared.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let ast = compile_with(engine, source, &names).ok()?;
    // The text appended by `compile_with` could complete an incomplete text.
    let seals = ast.statements().iter().rev().take_while(|statement| is_seal(statement)).count();
    (seals == names.len() && constants(&ast) == names).then_some(ast)
}

/// Compiles a script with these constants.
fn compile_with(engine: &Engine, source: &Source, constants: &[String]) -> Result<AST, Box<EvalAltResult>> {
    let mut scope = Scope::new();
    let mut text = source.text.clone();
    for name in constants {
        // The placeholder makes the name known to the strict mode; it is never read.
        scope.push_constant(name.clone(), Array::new());
        text.push_str(&format!("\n{SEAL}({:?}, \"{name}\", {name});", source.name));
    }
    engine.compile_with_scope(&scope, &text).map_err(|e| Box::new(EvalAltResult::from(e)))
}

/// Records the functions that a script calls. They determine the changes that its rules can make.
fn note_calls(host: &Host, ast: &AST) {
    let mut trace = host.trace();
    names(ast, &mut trace.calls);
    let called = |fact| functions::is_called(fact, &trace.calls);
    let (order, turn) = (called(Fact::ChangesOrder), called(Fact::ChangesTurn));
    trace.reach = PossibleChanges { order, turn, captures: true };
}

/// The names of the constants at a script's top level.
fn constants(ast: &AST) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for statement in ast.statements() {
        if let Stmt::Var(var, flags, _) = statement
            && flags.intersects(ASTFlags::CONSTANT)
            && !names.contains(&var.0.name.to_string())
        {
            names.push(var.0.name.to_string());
        }
    }
    names
}

/// Whether a statement passes a constant on.
fn is_seal(statement: &Stmt) -> bool {
    match statement {
        Stmt::FnCall(call, _) => call.name == SEAL,
        Stmt::Expr(expression) => matches!(&**expression, Expr::FnCall(call, _) if call.name == SEAL),
        _ => false,
    }
}

/// Resolves imports, from bundled scripts only.
struct Library {
    host: Host,
    imported: Arc<Mutex<Vec<String>>>,
    stepper: Option<Stepper>,
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
            let bases: Vec<String> = library::bases().map(|base| format!("\"{}\"", base.name)).collect();
            let all = crate::notation::describe::alternatives(&bases);
            let other = format!("import {all}, or declare your own board and pieces with `board` and `piece`");
            let help = near.or(Some(other));
            return refused(format!("there is no base game called \"{path}\""), help, at);
        };
        if locked(&self.imported).iter().any(|name| name == path) {
            return refused(format!("\"{path}\" is imported twice or imports itself"), None, at);
        }
        locked(&self.imported).push(path.to_string());
        let before = std::mem::replace(&mut self.host.trace().phase, Phase::Importing);
        let result = evaluate(engine, &self.host, self.stepper.as_ref(), &source);
        self.host.trace().phase = before;
        let blamed = |error| Box::new(EvalAltResult::ErrorInModule(path.to_string(), error, at));
        let (module, ast) = result.map_err(blamed)?;
        note_calls(&self.host, &ast);
        Ok(module.into())
    }
}

/// The error for an impossible import.
fn refused<T>(message: String, help: Option<String>, at: Position) -> Result<T, Box<EvalAltResult>> {
    let error = HostError { message, help, blamed: None };
    Err(Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(error), at)))
}

fn compile_hooks(engine: &Engine, ast: &AST, source: &Source) -> Result<[Option<AST>; 6], LoadError> {
    let mut hooks = [const { None }; 6];
    for (hook, call, parameters) in [
        (Hook::Turn, "turn()", 0),
        (Hook::Capture, "capture(attacker, defender)", 2),
        (Hook::Outcome, "outcome()", 0),
        (Hook::Prepare, "prepare()", 0),
        (Hook::Movement, "movement()", 0),
    ] {
        let name = call.split('(').next().unwrap_or_default();
        let Some(found) = ast.iter_functions().find(|f| f.name == name) else { continue };
        // `capture` may also take the move itself.
        let with_move = hook == Hook::Capture && found.params.len() == 3;
        let call = if with_move { "capture(attacker, defender, mv)" } else { call };
        if found.params.len() != parameters && !with_move {
            let text: Arc<str> = source.text.as_str().into();
            let message = format!(
                "the rule `{name}` takes {parameters} parameters, but this function has {}",
                found.params.len()
            );
            let (line, column) = place_of_function(&source.text, name);
            let diagnostic = Diagnostic::error(&source.file(), &text, line, column, message);
            return Err(LoadError::Script(vec![diagnostic.with_help(Some(format!("write `fn {call} {{ ... }}`")))]));
        }
        let mut scope = Scope::new();
        scope.push("attacker", ()).push("defender", ()).push("mv", ());
        hooks[hook.id().0 as usize] = engine.compile_with_scope(&scope, format!("{MODULE}::{call}")).ok();
    }
    if ast.iter_functions().any(|f| f.name == QUESTION_NAME) {
        hooks[QUESTION as usize] = engine.compile(format!("{MODULE}::{QUESTION_NAME}()")).ok();
    }
    Ok(hooks)
}

/// The message about given options that the declaration rejects.
pub(crate) fn bad_option(declaration: &Declaration) -> Option<String> {
    for (name, value) in &declaration.given {
        let Some(option) = declaration.options.iter().find(|o: &&OptionDef| o.name == *name) else {
            let names: Vec<&str> = declaration.options.iter().map(|o| o.name.as_str()).collect();
            let hint = match crate::notation::nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None if names.is_empty() => "this variant has no options".into(),
                None => format!("the options are: {}", names.join(", ")),
            };
            return Some(format!("there is no option called \"{name}\"; {hint}"));
        };
        if !option.values.contains(value) {
            return Some(format!(
                "the option \"{name}\" cannot be \"{value}\"; its values are: {}",
                option.values.join(", ")
            ));
        }
    }
    None
}

/// The names of all functions that a script calls or mentions.
fn names(ast: &AST, names: &mut BTreeSet<String>) {
    walk_script(ast, &mut |path| {
        let called = match path.last() {
            Some(
                ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)),
            ) => Some(call.name.to_string()),
            Some(ASTNode::Expr(Expr::Variable(variable, ..))) => Some(variable.1.to_string()),
            _ => None,
        };
        names.extend(called);
        true
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Source {
        Source { name: "mine".into(), text: text.into(), path: None }
    }

    #[test]
    fn scripts_with_a_line_for_each_constant_are_read_once() {
        let engine = vocabulary();
        for name in library::names() {
            let source = library::bundled(name).expect("a shipped script");
            let several = source.text.lines().any(|line| line.matches("const ").count() > 1);
            assert_eq!(compile_by_lines(&engine, &source).is_some(), !several, "{name}");
        }
    }

    #[test]
    fn constants_are_those_that_the_syntax_says() {
        let engine = vocabulary();
        for (text, names) in [
            ("const A = 1;\nfn f() { A }", vec!["A"]),
            ("const A = 1; const B = 2;\nfn f() { A + B }", vec!["A", "B"]),
            ("/*\nconst A = 1;\n*/\n  const B = 2;\nfn f() { B }", vec!["B"]),
            ("if true {\nconst A = 1;\n}\nlet b = 2;", vec![]),
        ] {
            let ast = compile(&engine, &script(text)).expect(text);
            assert_eq!(constants(&ast), names, "{text}");
            assert_eq!(ast.statements().iter().filter(|statement| is_seal(statement)).count(), names.len(), "{text}");
        }
    }

    #[test]
    fn constants_do_not_complete_a_text() {
        let engine = vocabulary();
        for text in ["const A = 1;\nlet b =", "const A = 1;\nlet b = // ;", "const A = 1;\nif A == 1"] {
            assert!(compile_by_lines(&engine, &script(text)).is_none(), "{text}");
            assert!(compile(&engine, &script(text)).is_err(), "{text}");
        }
    }
}
