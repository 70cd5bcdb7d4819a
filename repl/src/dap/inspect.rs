//! Requests that look at the scripts and at a stopped game: breakpoints, calls, variables, values, sources.
//!
//! Owns the limits on how much one response contains. Invariant: nothing here runs code of a script.

use super::adapter::Adapter;
use super::protocol::{Answer, Request};
use super::report::Halt;
use astragal_dsl::debugger::{Frame, Variable};
use astragal_dsl::{Source, library};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

/// The maximum number of variables in one response.
const MOST_VARIABLES: usize = 1000;

/// The maximum number of lists of variables that a client can request at one stop.
const MOST_LISTS: usize = 10_000;

/// The maximum number of breakpoints in one script.
const MOST_BREAKPOINTS: usize = 1000;

impl<W: Write> Adapter<W> {
    /// Sets the breakpoints of a script. Each moves to the next line with code.
    pub(super) fn set_breakpoints(&mut self, request: &Request) -> Value {
        let asked: Vec<Option<i64>> = match &request.arguments["breakpoints"] {
            Value::Array(all) => all.iter().map(|one| one["line"].as_i64()).collect(),
            _ => Vec::new(),
        };
        let script = self.script_of(&request.arguments["source"]);
        let lines = match (&self.session, &script) {
            (Some(session), Some(script)) if session.is_debugging => session.stepper.lines(script),
            _ => BTreeSet::new(),
        };
        let next = |(index, line): (usize, &Option<i64>)| {
            let line = line.filter(|_| index < MOST_BREAKPOINTS)?;
            let line = usize::try_from(line.checked_sub(self.line_base)?).ok()?;
            lines.range(line..).next().copied()
        };
        let found: Vec<Option<usize>> = asked.iter().enumerate().map(next).collect();
        if let (Some(session), Some(script)) = (&self.session, &script) {
            session.signals.set_breakpoints(script, found.iter().flatten().copied().collect());
        }
        let message = |index: usize, asked: Option<i64>| match (&self.session, &script) {
            (None, _) => "no game has been launched",
            (_, None) => "the game does not use this script",
            (Some(session), _) if !session.is_debugging => "the game runs without debugging",
            _ if asked.is_none() => "the line must be a whole number",
            _ if index >= MOST_BREAKPOINTS => "the script has too many breakpoints",
            _ => "no function contains code at or after this line",
        };
        // The client matches the breakpoints by their order.
        let told = |(index, (asked, found)): (usize, (&Option<i64>, &Option<usize>))| match (found, asked) {
            (Some(line), _) => json!({ "verified": true, "line": *line as i64 + self.line_base }),
            (None, Some(line)) => json!({ "verified": false, "line": line, "message": message(index, Some(*line)) }),
            (None, None) => json!({ "verified": false, "message": message(index, None) }),
        };
        json!({ "breakpoints": asked.iter().zip(&found).enumerate().map(told).collect::<Vec<_>>() })
    }

    /// The script that a source of the protocol names, if the game uses it.
    fn script_of(&self, source: &Value) -> Option<String> {
        let session = self.session.as_ref()?;
        if let Some(number) = source["sourceReference"].as_u64().filter(|number| *number > 0) {
            return session.stepper.scripts().into_iter().nth(usize::try_from(number - 1).ok()?);
        }
        let (path, own) = (Path::new(source["path"].as_str()?), session.loaded.source.path.as_ref()?);
        let is_own = path == own || path.canonicalize().ok()? == own.canonicalize().ok()?;
        is_own.then(|| session.loaded.source.name.clone())
    }

    /// A script as a source of the protocol: a file by its path, a bundled script by a number.
    fn source_of(&self, script: &str) -> Value {
        let Some(session) = &self.session else { return Value::Null };
        let own = &session.loaded.source;
        if let Some(path) = own.path.as_ref().filter(|_| own.name == script) {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            return json!({ "name": name, "path": path.to_string_lossy() });
        }
        let number = session.stepper.scripts().iter().position(|known| known == script);
        number.map_or(Value::Null, |number| json!({ "name": format!("{script}.rhai"), "sourceReference": number + 1 }))
    }

    /// The text of a bundled script.
    pub(super) fn source(&mut self, request: &Request) -> Answer {
        let number = request.arguments["source"]["sourceReference"].as_u64();
        let number = number.or_else(|| request.arguments["sourceReference"].as_u64()).unwrap_or(0);
        let script = self.script_of(&json!({ "sourceReference": number }));
        let own = self.session.as_ref().map(|session| &session.loaded.source);
        let source: Option<Source> = script.and_then(|script| match own {
            Some(own) if own.name == script => Some(own.clone()),
            _ => library::bundled(&script),
        });
        let source = source.ok_or("there is no such script")?;
        Ok(json!({ "content": source.text, "mimeType": "text/x-rhai" }))
    }

    /// The calls of a stopped game.
    pub(super) fn stack_trace(&mut self, request: &Request) -> Answer {
        let halt = self.halt.as_ref().ok_or("the game has not stopped")?;
        let first = request.number("startFrame").unwrap_or(0);
        let most = request.number("levels").filter(|levels| *levels > 0).unwrap_or(usize::MAX);
        let frame = |(index, frame): (usize, &Frame)| {
            let (line, column) = frame.place;
            json!({
                "id": index + 1, "name": frame.function, "source": self.source_of(&frame.script),
                "line": line as i64 + self.line_base, "column": column as i64 + self.column_base,
            })
        };
        let mut frames: Vec<Value> = halt.frames.iter().enumerate().skip(first).take(most).map(frame).collect();
        if halt.frames.is_empty() && first == 0 {
            // Without a rule for turns, no line asks.
            frames.push(json!({ "id": 1, "name": halt.text, "line": 0, "column": 0, "presentationHint": "label" }));
        }
        Ok(json!({ "stackFrames": frames, "totalFrames": halt.frames.len().max(1) }))
    }

    /// The variables of a call, and the state of the game.
    pub(super) fn scopes(&mut self, request: &Request) -> Answer {
        let halt = self.halt.as_ref().ok_or("the game has not stopped")?;
        let frame = frame_of(halt, request);
        let (variables, game) = (frame.map(|frame| frame.variables.clone()).unwrap_or_default(), halt.game.clone());
        let counts = (variables.len(), game.len());
        let (variables, game) = (self.list(variables), self.list(game));
        Ok(json!({ "scopes": [
            { "name": "Variables", "presentationHint": "locals", "variablesReference": variables,
              "namedVariables": counts.0, "expensive": false },
            { "name": "Game", "variablesReference": game, "namedVariables": counts.1, "expensive": false },
        ] }))
    }

    /// The number of a list of variables; 0 if there is nothing to request.
    fn list(&mut self, variables: Vec<Variable>) -> usize {
        if variables.is_empty() || self.lists.len() >= MOST_LISTS {
            return 0;
        }
        self.lists.push(variables);
        self.lists.len()
    }

    /// A list of variables, or a part of it.
    pub(super) fn variables(&mut self, request: &Request) -> Answer {
        let list = request.number("variablesReference").and_then(|number| self.lists.get(number.checked_sub(1)?));
        let list = list.ok_or("there are no such variables: the game may have continued")?;
        let first = request.number("start").unwrap_or(0);
        let count = request.number("count").filter(|count| *count > 0).unwrap_or(MOST_VARIABLES).min(MOST_VARIABLES);
        let list: Vec<Variable> = list.iter().skip(first).take(count).cloned().collect();
        let told: Vec<Value> = list.into_iter().map(|variable| self.variable(variable)).collect();
        Ok(json!({ "variables": told }))
    }

    fn variable(&mut self, variable: Variable) -> Value {
        let is_array = variable.kind == "an array";
        let (counted, count) = (if is_array { "indexedVariables" } else { "namedVariables" }, variable.parts.len());
        let mut fields = json!({ "name": variable.name, "value": variable.text, "type": variable.kind });
        fields["variablesReference"] = self.list(variable.parts).into();
        if count > 0 {
            fields[counted] = count.into();
        }
        fields
    }

    /// The texts that the console accepts: answers, names of variables, commands.
    pub(super) fn completions(&mut self, request: &Request) -> Value {
        let Some(halt) = &self.halt else { return json!({ "targets": [] }) };
        let variables = frame_of(halt, request).map(|frame| frame.variables.as_slice()).unwrap_or_default();
        let names = variables.iter().map(|variable| variable.name.as_str());
        let all = halt.choices.iter().map(String::as_str).chain(names).chain(["board", "choices"]);
        // A target replaces the whole text.
        let length = request.arguments["text"].as_str().unwrap_or_default().encode_utf16().count();
        let start = 1 + self.column_base;
        let target = |label: &str| json!({ "label": label, "start": start, "length": length });
        json!({ "targets": all.take(MOST_VARIABLES).map(target).collect::<Vec<_>>() })
    }

    /// The value of a variable by its name; in the console also the board and the choices.
    pub(super) fn look_up(&mut self, request: &Request, text: &str, is_console: bool) -> Answer {
        let halt = self.halt.as_ref().ok_or("the game has not stopped")?;
        let plain = |text: &str| Ok(json!({ "result": text, "variablesReference": 0 }));
        if is_console && text == "board" {
            return plain(halt.board.trim_end());
        }
        if is_console && text == "choices" {
            let none = "The game is not waiting for an answer.".to_string();
            return plain(&if halt.choices.is_empty() { none } else { halt.choices.join("\n") });
        }
        let variables = frame_of(halt, request).map(|frame| frame.variables.as_slice()).unwrap_or_default();
        let found = variables.iter().chain(&halt.game).find(|variable| variable.name == text).cloned();
        let mut fields = self.variable(found.ok_or_else(|| format!("there is no variable '{text}' here"))?);
        if let Some(fields) = fields.as_object_mut() {
            fields.remove("name");
            let value = fields.remove("value").unwrap_or_default();
            fields.insert("result".into(), value);
        }
        Ok(fields)
    }
}

/// The call that a request names; the innermost one if it names none.
fn frame_of<'a>(halt: &'a Halt, request: &Request) -> Option<&'a Frame> {
    let index = request.number("frameId").map_or(Some(0), |id| id.checked_sub(1));
    index.and_then(|index| halt.frames.get(index))
}
