//! Reads JSON values into the types of a method's parameters, with serde.
//!
//! We use our own deserializer because its errors are responses. They contain the field, the expected and the actual value,
//! and for an unknown parameter the most similar known one. It knows no method and no game. Null counts as missing, as
//! everywhere in this protocol.

use super::message::{INVALID_PARAMS, RpcError, describe};
use astragal_dsl::notation::nearest;
use serde::de::{
    self, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::{Map, Value};
use std::fmt;

/// No parameter has a longer name. Messages repeat only this much of an unknown name.
const LONGEST_NAME: usize = 40;

/// Reads the parameters of `what`. The fields of the struct are all possible parameters.
///
/// # Errors
/// If a parameter is missing or of the wrong sort, or `map` has an unknown one that is neither null nor empty.
pub(super) fn read<'de, T: Deserialize<'de>>(what: &str, map: &'de Map<String, Value>) -> Result<T, RpcError> {
    T::deserialize(Fields { what, map }).map_err(|error| match error {
        ReadError::Unfit { path, expected, found } => {
            RpcError::param(path.trim_start_matches('.'), &expected, found.as_deref().unwrap_or("nothing"))
        }
        ReadError::Refused(refusal) => *refusal,
    })
}

/// Why a value is not what was expected.
#[derive(Debug)]
enum ReadError {
    /// The value has another form. `found` is set where the value is known.
    Unfit { path: String, expected: String, found: Option<String> },
    /// The whole object is refused.
    Refused(Box<RpcError>),
}

impl ReadError {
    fn unfit(expected: String) -> ReadError {
        ReadError::Unfit { path: String::new(), expected, found: None }
    }

    /// The same error for the value at `step` inside another value.
    fn below(self, step: impl fmt::Display) -> ReadError {
        match self {
            ReadError::Unfit { path, expected, found } => {
                ReadError::Unfit { path: format!("{step}{path}"), expected, found }
            }
            refused @ ReadError::Refused(_) => refused,
        }
    }

    /// The same; if the actual value is not known yet, it is `value`.
    fn about(self, value: Option<&Value>) -> ReadError {
        match (self, value) {
            (ReadError::Unfit { path, expected, found: None }, Some(value)) => {
                ReadError::Unfit { path, expected, found: Some(describe(value)) }
            }
            (other, _) => other,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Unfit { expected, .. } => write!(f, "expected {expected}"),
            ReadError::Refused(refusal) => f.write_str(&refusal.message),
        }
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: fmt::Display>(text: T) -> ReadError {
        ReadError::unfit(text.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> ReadError {
        ReadError::unfit(expected.to_string())
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> ReadError {
        ReadError::unfit(expected.to_string())
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> ReadError {
        ReadError::unfit(expected.to_string())
    }
}

/// An object whose members have the names of a struct's fields.
struct Fields<'a, 'de> {
    what: &'a str,
    map: &'de Map<String, Value>,
}

impl Fields<'_, '_> {
    /// Rejects a member that is not one of the fields.
    fn check(&self, known: &[&'static str]) -> Result<(), ReadError> {
        let other = |(key, value): &(&String, &Value)| !known.contains(&key.as_str()) && !is_nothing(value);
        let Some((key, _)) = self.map.iter().find(other) else { return Ok(()) };
        let near = nearest(key, known.iter().copied());
        let help = match (near, known) {
            (Some(name), _) => format!("did you mean '{name}'? "),
            (None, []) => "it takes no parameters".into(),
            (None, _) => String::new(),
        };
        let list = if known.is_empty() { String::new() } else { format!("its parameters are {}", known.join(", ")) };
        let shown: String = key.chars().take(LONGEST_NAME).collect();
        let message = format!("{} has no parameter '{shown}'; {help}{list}", self.what);
        let error = RpcError::new(INVALID_PARAMS, message).with("field", shown).with("known", known.to_vec());
        Err(ReadError::Refused(Box::new(near.into_iter().fold(error, |error, name| error.with("nearest", name)))))
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

impl<'de> Deserializer<'de> for Fields<'_, 'de> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_struct("", &[], visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.check(fields)?;
        // Visit every field, so that missing fields are reported like wrong ones.
        let all = fields.iter().map(|&name| (name, self.map.get(name).filter(|value| !value.is_null())));
        visitor.visit_map(Members { all, next: None })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// A value in a request, or its absence.
struct ValueReader<'de>(Option<&'de Value>);

impl<'de> Deserializer<'de> for ValueReader<'de> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let read = match self.0 {
            None | Some(Value::Null) => visitor.visit_unit(),
            Some(Value::Bool(truth)) => visitor.visit_bool(*truth),
            Some(Value::Number(number)) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), _, _) => visitor.visit_u64(number),
                (None, Some(number), _) => visitor.visit_i64(number),
                (None, None, number) => visitor.visit_f64(number.unwrap_or(f64::NAN)),
            },
            Some(Value::String(text)) => visitor.visit_borrowed_str(text),
            Some(Value::Array(list)) => visitor.visit_seq(Items(list.iter().enumerate())),
            Some(Value::Object(map)) => {
                let all = map.iter().map(|(name, value)| (name.as_str(), Some(value)));
                visitor.visit_map(Members { all, next: None })
            }
        };
        read.map_err(|error| error.about(self.0.filter(|value| !value.is_null())))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            None | Some(Value::Null) => visitor.visit_none(),
            Some(_) => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// The items of a list.
struct Items<'de>(std::iter::Enumerate<std::slice::Iter<'de, Value>>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        let Some((index, value)) = self.0.next() else { return Ok(None) };
        let read = seed.deserialize(ValueReader(Some(value))).map_err(|error| error.about(Some(value)));
        read.map(Some).map_err(|error| error.below(format_args!("[{index}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The members of an object.
struct Members<'de, I> {
    all: I,
    next: Option<(&'de str, Option<&'de Value>)>,
}

impl<'de, I> MapAccess<'de> for Members<'de, I>
where
    I: Iterator<Item = (&'de str, Option<&'de Value>)>,
{
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        self.next = self.all.next();
        self.next.map(|(name, _)| seed.deserialize(name.into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let Some((name, value)) = self.next.take() else { return Err(ReadError::unfit("a member".into())) };
        let read = seed.deserialize(ValueReader(value)).map_err(|error| error.about(value));
        read.map_err(|error| error.below(format_args!(".{name}")))
    }
}
