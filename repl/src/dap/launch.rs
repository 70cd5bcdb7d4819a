//! The arguments of `launch`: the script, and the game to debug.

use astragal_dsl::Loaded;
use astragal_dsl::notation::fen::{self, Placed};
use serde_json::Value;

/// What to debug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Launch {
    /// The path of a script, or the name of a bundled one.
    pub(super) program: String,
    /// The seed of rolls and random answers.
    pub(super) seed: u64,
    /// The options of the script.
    pub(super) options: Vec<(String, String)>,
    /// The position to start from, if it is not the script's own.
    pub(super) position: Option<String>,
    /// The answers to give before the first stop.
    pub(super) moves: Vec<String>,
    /// False with `noDebug`: the game then stops only when the user pauses it.
    pub(super) is_debugging: bool,
    /// Whether to stop at the first statement.
    pub(super) stop_on_entry: bool,
    /// Whether to stop at decisions of players.
    pub(super) stop_on_questions: bool,
}

impl Launch {
    /// Reads the arguments. Those that only an editor knows are skipped.
    ///
    /// # Errors
    /// A message about the argument that is wrong.
    pub(super) fn read(arguments: &Value) -> Result<Launch, String> {
        let flag = |name: &str, default: bool| match &arguments[name] {
            Value::Null => Ok(default),
            Value::Bool(flag) => Ok(*flag),
            _ => Err(format!("'{name}' must be true or false")),
        };
        let program = arguments["program"].as_str().filter(|program| !program.is_empty());
        let program = program.ok_or("'program' must be the path of a script or the name of a built-in game")?;
        let is_debugging = !flag("noDebug", false)?;
        Ok(Launch {
            program: program.into(),
            seed: seed(&arguments["seed"])?,
            options: options(&arguments["options"])?,
            position: match &arguments["position"] {
                Value::Null => None,
                Value::String(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(String::from),
                _ => return Err("'position' must be a string".into()),
            },
            moves: moves(&arguments["moves"])?,
            is_debugging,
            stop_on_entry: flag("stopOnEntry", false)? && is_debugging,
            stop_on_questions: flag("stopOnQuestions", true)? && is_debugging,
        })
    }

    /// The position to start from, if it is not the script's own.
    ///
    /// # Errors
    /// A message about the part that is wrong.
    pub(super) fn placed(&self, loaded: &Loaded) -> Result<Option<Placed>, String> {
        let Some(text) = &self.position else { return Ok(None) };
        let variant = &loaded.set.variant;
        let placed = fen::parse(variant, text).map_err(|error| format!("'position': {}", error.render()))?;
        placed.whole(variant)?;
        Ok(Some(placed))
    }
}

fn seed(value: &Value) -> Result<u64, String> {
    let number = match value {
        Value::Null => Some(0),
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_u64(),
    };
    number.ok_or_else(|| "'seed' must be a whole number, 0 or greater".into())
}

fn options(value: &Value) -> Result<Vec<(String, String)>, String> {
    let Some(map) = value.as_object() else {
        return if value.is_null() { Ok(Vec::new()) } else { Err("'options' must be an object".into()) };
    };
    let text = |(name, value): (&String, &Value)| match value {
        Value::String(text) => Ok((name.clone(), text.clone())),
        Value::Bool(_) | Value::Number(_) => Ok((name.clone(), value.to_string())),
        _ => Err(format!("the option '{name}' must be a string")),
    };
    map.iter().map(text).collect()
}

fn moves(value: &Value) -> Result<Vec<String>, String> {
    let wrong = || "'moves' must be an array of strings".to_string();
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(items) => items.iter().map(|item| item.as_str().map(String::from).ok_or_else(wrong)).collect(),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_are_read() {
        let launch = Launch::read(&json!({
            "program": "chess", "seed": "7", "options": { "a": 2, "b": "x" }, "moves": ["e4"], "__id": []
        }));
        let launch = launch.expect("arguments");
        assert_eq!((launch.seed, launch.moves.len()), (7, 1));
        assert_eq!(launch.options, [("a".into(), "2".into()), ("b".into(), "x".into())]);
        assert!(launch.stop_on_questions && !launch.stop_on_entry);
        for wrong in [
            json!(null),
            json!({ "program": 7 }),
            json!({ "program": "x", "seed": -1 }),
            json!({ "program": "x", "seed": "x" }),
            json!({ "program": "x", "options": [] }),
            json!({ "program": "x", "options": { "a": {} } }),
            json!({ "program": "x", "moves": "e4" }),
            json!({ "program": "x", "moves": [4] }),
            json!({ "program": "x", "position": 4 }),
            json!({ "program": "x", "stopOnEntry": "yes" }),
            json!({ "program": "x", "noDebug": 1 }),
            json!({ "program": "x", "noDebug": true, "stopOnEntry": "yes" }),
        ] {
            assert!(Launch::read(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn nothing_stops_without_debugging() {
        let launch = Launch::read(&json!({ "program": "chess", "noDebug": true, "stopOnEntry": true }));
        let launch = launch.expect("arguments");
        assert!(!launch.is_debugging && !launch.stop_on_entry && !launch.stop_on_questions);
    }
}
