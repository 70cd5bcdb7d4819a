//! Reading parameters by name and type, with errors that say field, expectation and finding.

use super::message::{Fault, INVALID_PARAMS};
use astragal_core::Side;
use astragal_dsl::notation::nearest;
use astragal_dsl::words;
use serde_json::{Map, Value};

/// More dice than any roll has.
const MAX_FACES: usize = 256;
/// The longest list of events or choices.
pub const MAX_LIST: usize = 10_000;
/// No name of a parameter is longer; more of a wrong one is not repeated.
const LONGEST_NAME: usize = 40;

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

/// Named parameters of a request, or an object inside one.
#[derive(Clone, Copy)]
pub struct Params<'a> {
    map: &'a Map<String, Value>,
}

impl<'a> Params<'a> {
    /// The parameters in `map` of `what`, which knows those in `known`.
    ///
    /// # Errors
    /// If one has another name, unless it is null or empty, which is the same as none.
    pub fn new(what: &str, map: &'a Map<String, Value>, known: &[&'static str]) -> Result<Params<'a>, Fault> {
        let other = |(key, value): &(&String, &Value)| !known.contains(&key.as_str()) && !is_nothing(value);
        let Some((key, _)) = map.iter().find(other) else { return Ok(Params { map }) };
        let near = nearest(key, known.iter().copied());
        let help = match (near, known) {
            (Some(name), _) => format!("did you mean '{name}'? "),
            (None, []) => "it has none".into(),
            (None, _) => String::new(),
        };
        let list = if known.is_empty() { String::new() } else { format!("known are {}", known.join(", ")) };
        let shown: String = key.chars().take(LONGEST_NAME).collect();
        let fault = Fault::new(INVALID_PARAMS, format!("{what} has no parameter '{shown}'; {help}{list}"));
        let fault = fault.with("field", shown).with("known", known.to_vec());
        Err(near.map_or(fault.clone(), |name| fault.with("nearest", name)))
    }

    /// A parameter, if it is there and not null.
    pub fn get(&self, field: &str) -> Option<&'a Value> {
        self.map.get(field).filter(|value| !value.is_null())
    }

    /// A text that may be missing.
    ///
    /// # Errors
    /// If it is something else.
    pub fn optional_text(&self, field: &str) -> Result<Option<&'a str>, Fault> {
        match self.get(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            other => Err(Fault::param(field, "a text", other)),
        }
    }

    /// A text.
    ///
    /// # Errors
    /// If it is missing or something else.
    pub fn text(&self, field: &str) -> Result<&'a str, Fault> {
        self.optional_text(field)?.ok_or_else(|| Fault::param(field, "a text", None))
    }

    /// A whole number from 0 to `most`.
    ///
    /// # Errors
    /// If it is missing or something else.
    pub fn number(&self, field: &str, most: u64) -> Result<u64, Fault> {
        let value = self.get(field);
        let number = value.and_then(Value::as_u64).filter(|n| *n <= most);
        number.ok_or_else(|| Fault::param(field, &format!("a whole number from 0 to {most}"), value))
    }

    /// Faces in rolling order; an empty list counts as none.
    ///
    /// # Errors
    /// If it is there but not a list of small whole numbers.
    pub fn faces(&self, field: &str) -> Result<Option<Vec<i16>>, Fault> {
        let expected = "a list of the numbers rolled, as [2,3]";
        let Some(value) = self.get(field) else { return Ok(None) };
        let list = value.as_array().filter(|list| list.len() <= MAX_FACES);
        let list = list.ok_or_else(|| Fault::param(field, expected, Some(value)))?;
        let face = |(i, value): (usize, &Value)| {
            let face = value.as_i64().and_then(|n| i16::try_from(n).ok());
            face.ok_or_else(|| Fault::param(&format!("{field}[{i}]"), "a small whole number", Some(value)))
        };
        let faces = list.iter().enumerate().map(face).collect::<Result<Vec<i16>, Fault>>()?;
        Ok(Some(faces).filter(|faces| !faces.is_empty()))
    }

    /// The die that pays for a move: a number, or a list for several dice.
    ///
    /// # Errors
    /// If it is there but neither.
    pub fn die(&self) -> Result<Option<Vec<i16>>, Fault> {
        match self.get("die") {
            Some(value @ Value::Number(_)) => {
                let face = value.as_i64().and_then(|n| i16::try_from(n).ok());
                face.map(|face| Some(vec![face]))
                    .ok_or_else(|| Fault::param("die", "a small whole number", Some(value)))
            }
            _ => self.faces("die"),
        }
    }

    /// The side that the answer is for, of a game with so many; without it the whole truth is told.
    ///
    /// # Errors
    /// If there is no such side.
    pub fn view(&self, sides: usize) -> Result<Option<Side>, Fault> {
        let Some(value) = self.get("view") else { return Ok(None) };
        let known = (0..sides as u8).map(Side);
        let side = known.clone().find(|side| value.as_str() == Some(words::ordinal(*side)));
        let expected = || known.map(words::ordinal).collect::<Vec<_>>().join(", ");
        side.map(Some).ok_or_else(|| Fault::param("view", &format!("one of {}", expected()), Some(value)))
    }

    /// A list that may be missing.
    ///
    /// # Errors
    /// If it is something else, or far too long.
    pub fn list(&self, field: &str) -> Result<&'a [Value], Fault> {
        match self.get(field) {
            None => Ok(&[]),
            Some(Value::Array(list)) if list.len() <= MAX_LIST => Ok(list),
            other => Err(Fault::param(field, &format!("a list of at most {MAX_LIST}"), other)),
        }
    }

    /// The script's options: texts, numbers and truths, all as texts, in the order of their names.
    ///
    /// # Errors
    /// If they are not an object of such values.
    pub fn options(&self) -> Result<Vec<(String, String)>, Fault> {
        let Some(value) = self.get("options") else { return Ok(Vec::new()) };
        let Value::Object(map) = value else {
            return Err(Fault::param("options", "an object, as {\"name\": \"value\"}", Some(value)));
        };
        let one = |(name, value): (&String, &Value)| match value {
            Value::String(text) => Ok((name.clone(), text.clone())),
            Value::Number(number) => Ok((name.clone(), number.to_string())),
            Value::Bool(truth) => Ok((name.clone(), truth.to_string())),
            other => Err(Fault::param(&format!("options.{name}"), "a text, a number or a truth", Some(other))),
        };
        let mut options = map.iter().map(one).collect::<Result<Vec<_>, Fault>>()?;
        options.sort();
        Ok(options)
    }
}
