//! Checks names and notations in strings that rules pass to the host: pieces, squares, regions, counters, options, sides,
//! dice.
//!
//! Each such call runs on the host with its literal strings and with stand-ins for values that are unknown before a game.
//! If the host rejects the string with every stand-in, the rule cannot work either.

use super::name_table::{Call, LineColumn, NameTable, Value};
use super::report::Report;
use super::signatures::signature_of;
use crate::diagnostic::Code;
use crate::host::error::HostError;
use crate::host::live::Live;
use crate::host::mixed_up;
use crate::host::script::Script;
use crate::host::tokens::tokens;
use crate::host::trace::Level;
use crate::host::values::{MoveV, SquareV};
use crate::vocabulary::Known;
use astragal_core::value::SquareRef;
use rhai::{Dynamic, EvalAltResult, Scope};
use std::collections::BTreeSet;

/// Stand-ins for an unknown value: one of each type that the host accepts.
const STAND_INS: [&str; 9] = ["side__", "square__", "1", "squares__", "any()", "move__", "[]", "\"\"", "#{}"];

/// Calls with more unknown values than this are not run.
const MOST_UNKNOWN: usize = 2;

/// Runs the calls in `reached`. In functions in `rules`, also reports declarations.
pub(super) fn check(
    table: &NameTable,
    known: &Known,
    script: &Script,
    reached: &BTreeSet<usize>,
    rules: &BTreeSet<usize>,
    report: &mut Report,
) {
    for call in &table.calls {
        let Some(function) = call.within.filter(|f| reached.contains(f)) else { continue };
        let own = table.functions.iter().any(|f| f.name == call.name);
        if call.module.is_some() || own || !known.has(&call.name) || call.at.0 == 0 {
            continue;
        }
        Trial { table, script, known }.check(call, rules.contains(&function), report);
    }
}

struct Trial<'a> {
    table: &'a NameTable,
    script: &'a Script,
    known: &'a Known,
}

impl Trial<'_> {
    fn check(&self, call: &Call, in_rule: bool, report: &mut Report) {
        let texts = self.texts(&call.args);
        if texts.is_empty() && !in_rule {
            return;
        }
        let unknown = self.unknown(&call.args);
        if unknown > MOST_UNKNOWN {
            return;
        }
        let mut refused = None;
        for combination in 0..STAND_INS.len().pow(unknown as u32) {
            match self.run(call, combination) {
                Ok(()) => return,
                Err(Some(error)) if refused.is_none() => refused = self.blame(call, &error, &texts, in_rule),
                Err(_) => {}
            }
        }
        if let Some((at, length, error)) = refused {
            let other = mixed_up::other_option(&tokens(&report.text), &error.message, at);
            let help = other.or(error.help).or_else(|| signature_of(call));
            let missing =
                error.message.starts_with("there is no ") || error.message.contains(" is neither a piece nor ");
            let code = if missing { Code::UnknownText } else { Code::Notation };
            report.error_of_length(code, at, length, call.at, error.message, help);
        }
    }

    /// Runs the call. An error that does not come from the host returns `Err(None)`.
    fn run(&self, call: &Call, combination: usize) -> Result<(), Option<HostError>> {
        let mut left = combination;
        let text = self.render_call(call, &mut left);
        let mut scope = Scope::new();
        scope.push("move__", MoveV(0)).push("square__", SquareV::place(SquareRef::At(astragal_core::Square(0))));
        let host = &self.script.host;
        scope.push("side__", crate::host::values::SideV(Live::fixed(astragal_core::value::SideRef::Mover)));
        let empty = astragal_core::value::SetExpr::Is(Default::default());
        scope.push("squares__", crate::host::values::SetV(empty, host.clone()));
        let Ok(ast) = self.script.engine.compile_with_scope(&scope, text) else { return Ok(()) };
        host.begin(vec![Level::default()], &astragal_core::rule::Used::default());
        let result = self.script.engine.eval_ast_with_scope::<Dynamic>(&mut scope, &ast);
        if host.trace().suspended {
            return Ok(());
        }
        match result {
            Ok(_) => Ok(()),
            Err(error) => Err(host_error(&error)),
        }
    }

    /// The place in the script that the host rejected, if the call contains it as a literal.
    fn blame(
        &self,
        call: &Call,
        error: &HostError,
        texts: &[(String, LineColumn)],
        in_rule: bool,
    ) -> Option<(LineColumn, usize, HostError)> {
        if let Some((misread, span)) = &error.blamed {
            let (_, at) = texts.iter().find(|(text, _)| text == misread)?;
            let before = misread.get(..span.start).map_or(0, |s| s.chars().count());
            let length = misread.get(span.clone()).map_or(1, |s| s.chars().count()).max(1);
            return Some(((at.0, at.1 + 1 + before), length, error.clone()));
        }
        let number = error.message.rsplit(", not ").next().and_then(|number| number.parse::<i64>().ok());
        let written = |value: &Value| match value {
            Value::Number(own, at) if Some(*own) == number => Some(*at),
            _ => None,
        };
        if let Some(at) = call.args.iter().find_map(written) {
            let length = number.map_or(1, |number| number.to_string().len());
            return Some((at, length, error.clone()));
        }
        if let Some((text, at)) = texts.iter().find(|(text, _)| error.message.contains(&format!("\"{text}\""))) {
            return Some((*at, text.chars().count() + 2, error.clone()));
        }
        let declares =
            error.message.contains("` is a declaration") || error.message.starts_with("options are declared");
        (in_rule && declares).then(|| (call.at, call.name.chars().count(), error.clone()))
    }

    /// All strings in the arguments, with their places.
    fn texts(&self, values: &[Value]) -> Vec<(String, LineColumn)> {
        let mut found = Vec::new();
        for value in values {
            match value {
                Value::Text(text, at) => found.push((text.clone(), *at)),
                Value::List(items) => found.extend(self.texts(items)),
                Value::Map(entries) => {
                    entries.iter().for_each(|(_, v)| found.extend(self.texts(std::slice::from_ref(v))))
                }
                Value::Name(name) => {
                    if let Some(value) = self.constant(name) {
                        found.extend(self.texts(std::slice::from_ref(value)));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The value of a top-level constant declared in the script.
    fn constant(&self, name: &str) -> Option<&Value> {
        let mut values = self.table.values.iter().filter(|(n, ..)| n == name);
        let (_, value, within) = values.next()?;
        let plain = matches!(value, Value::Text(..) | Value::List(_) | Value::Number(..));
        (plain && within.is_none() && values.next().is_none() && self.unknown(std::slice::from_ref(value)) == 0)
            .then_some(value)
    }

    fn unknown(&self, values: &[Value]) -> usize {
        let one = |value: &Value| match value {
            Value::List(items) => self.unknown(items),
            Value::Map(entries) => entries.iter().map(|(_, v)| self.unknown(std::slice::from_ref(v))).sum(),
            Value::Name(name) => usize::from(self.constant(name).is_none()),
            Value::Call(call) if self.is_plain(call) => self.unknown(&call.args),
            Value::Call(_) | Value::OneOf(_) | Value::Joined(_) | Value::Item(..) | Value::Unknown => 1,
            Value::Text(..) | Value::Number(..) | Value::Truth(_) | Value::Function => 0,
        };
        values.iter().map(one).sum()
    }

    fn is_plain(&self, call: &Call) -> bool {
        let own = self.table.functions.iter().any(|f| f.name == call.name);
        call.module.is_none() && !own && self.known.has(&call.name)
    }

    fn render_call(&self, call: &Call, left: &mut usize) -> String {
        let args: Vec<String> = call.args.iter().map(|arg| self.render(arg, left)).collect();
        format!("{}({})", call.name, args.join(", "))
    }

    fn render(&self, value: &Value, left: &mut usize) -> String {
        match value {
            Value::Text(text, _) => quote(text),
            Value::Number(number, _) => number.to_string(),
            Value::Truth(truth) => truth.to_string(),
            Value::Function => "|a| any()".into(),
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(|item| self.render(item, left)).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Map(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, v)| format!("{}: {}", quote(key), self.render(v, left))).collect();
                format!("#{{{}}}", entries.join(", "))
            }
            Value::Call(call) if self.is_plain(call) => self.render_call(call, left),
            Value::Name(name) if self.constant(name).is_some() => {
                self.constant(name).map_or(String::new(), |v| self.render(v, left))
            }
            Value::Name(_) | Value::Call(_) | Value::OneOf(_) | Value::Joined(_) | Value::Item(..) | Value::Unknown => {
                let choice = *left % STAND_INS.len();
                *left /= STAND_INS.len();
                STAND_INS[choice].into()
            }
        }
    }
}

/// A string as a script literal.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The host's error inside the interpreter's.
fn host_error(error: &EvalAltResult) -> Option<HostError> {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => host_error(inner),
        EvalAltResult::ErrorRuntime(value, _) => value.clone().try_cast::<HostError>(),
        _ => None,
    }
}
