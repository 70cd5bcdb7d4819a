//! The functions and properties that scripts can use without declaring them, as the interpreter knows them.

use crate::host::engine::LANGUAGE_FUNCTIONS;
use crate::host::script::vocabulary;
use rhai::Engine;
use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The functions and properties that rules can use.
pub(crate) struct Known {
    /// The parameter types of every function, by name.
    pub(crate) functions: BTreeMap<String, Vec<Vec<TypeId>>>,
    /// The names of the properties of all types.
    pub(crate) properties: BTreeSet<String>,
}

impl Known {
    /// The functions and properties available to every script.
    pub(crate) fn of_language() -> &'static Known {
        static KNOWN: LazyLock<Known> = LazyLock::new(|| Known::of(&vocabulary()));
        &KNOWN
    }

    /// Reads them from an interpreter.
    pub(crate) fn of(engine: &Engine) -> Known {
        let all = engine.collect_fn_metadata(
            None,
            |info| {
                let data = info.metadata;
                info.script.is_none().then(|| (data.name.to_string(), data.param_types.to_vec()))
            },
            true,
        );
        let mut known = Known { functions: BTreeMap::new(), properties: BTreeSet::new() };
        for (name, types) in all {
            match name.strip_prefix("get$") {
                Some(property) => {
                    known.properties.insert(property.to_string());
                }
                None if name.ends_with("__") => {}
                None => known.functions.entry(name).or_default().push(types),
            }
        }
        known
    }

    /// Whether a function has this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// Whether any type has a property with this name.
    pub(crate) fn has_property(&self, name: &str) -> bool {
        self.properties.contains(name)
    }

    /// The parameter types of all functions with this name.
    pub(crate) fn overloads(&self, name: &str) -> &[Vec<TypeId>] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// The names of the functions that scripts call by name.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.functions
            .keys()
            .map(String::as_str)
            .filter(|name| name.starts_with(|c: char| c.is_alphabetic()) && !name.contains('$'))
    }
}

/// Whether scripts can call a function of this name without declaring it: one of the game or of the language.
///
/// ```
/// use astragal_dsl::vocabulary::is_built_in;
/// assert!(is_built_in("roll") && is_built_in("abs") && is_built_in("print") && !is_built_in("turn"));
/// ```
pub fn is_built_in(name: &str) -> bool {
    LANGUAGE_FUNCTIONS.contains(&name) || Known::of_language().has(name)
}

/// Whether a built-in function of this name takes `count` arguments, with the value before the dot of a method. A
/// function of a script with as many parameters hides it.
///
/// ```
/// use astragal_dsl::vocabulary::hides_built_in;
/// assert!(hides_built_in("setup", 1) && !hides_built_in("setup", 0));
/// ```
pub fn hides_built_in(name: &str, count: usize) -> bool {
    let takes = |types: &Vec<TypeId>| types.len() == count;
    LANGUAGE_FUNCTIONS.contains(&name) || Known::of_language().overloads(name).iter().any(takes)
}
