//! The constants of a script that a rulebook can print.
//!
//! It knows their values, not how rules use them.

use rhai::{Array, Dynamic, Map};
use std::collections::BTreeMap;

/// The value of a constant that can be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constant {
    /// A text, a number, true or false.
    Word(String),
    /// An array.
    List(Vec<Constant>),
    /// A map, by key.
    Map(Vec<(String, Constant)>),
}

impl Constant {
    /// `None` for values without a text form: permits, squares, functions.
    fn of(value: &Dynamic) -> Option<Constant> {
        if let Some(list) = value.read_lock::<Array>() {
            return list.iter().map(Constant::of).collect::<Option<_>>().map(Constant::List);
        }
        if let Some(map) = value.read_lock::<Map>() {
            let one = |(key, value): (&_, &Dynamic)| Some((ToString::to_string(key), Constant::of(value)?));
            return map.iter().map(one).collect::<Option<_>>().map(Constant::Map);
        }
        let plain = value.is_string() || value.is_int() || value.is_bool();
        plain.then(|| Constant::Word(value.to_string()))
    }

    /// The texts in it: the text, or those of an array. `None` for maps and nested arrays.
    pub(crate) fn words(&self) -> Option<Vec<&str>> {
        match self {
            Constant::Word(word) => Some(vec![word]),
            Constant::List(items) => items
                .iter()
                .map(|item| if let Constant::Word(word) = item { Some(word.as_str()) } else { None })
                .collect(),
            Constant::Map(_) => None,
        }
    }
}

/// The constants of a script that can be printed.
pub(crate) fn constants(values: &BTreeMap<String, Dynamic>) -> Vec<(String, Constant)> {
    values.iter().filter_map(|(name, value)| Some((name.clone(), Constant::of(value)?))).collect()
}
