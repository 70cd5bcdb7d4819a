//! The functions of the language as the reference lists them, ready to be looked up.

use astragal_dsl::manual::{self, Entry};
use std::sync::LazyLock;

/// All forms of all functions, in the order of the reference.
pub fn all() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(manual::entries);
    &ALL
}

/// The forms of the functions of a name: `pieces`, or `square.kind` for a property.
pub fn named(name: &str) -> impl Iterator<Item = &'static Entry> {
    all().iter().filter(move |entry| entry.name == name)
}

/// The properties and methods written after a dot, by their name alone: all values that have one called `name`.
pub fn members(name: &str) -> impl Iterator<Item = &'static Entry> {
    all().iter().filter(move |entry| entry.name.split_once('.').is_some_and(|(_, member)| member == name))
}

/// Whether a name can be called as `name(..)`.
pub fn is_function(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic()) && named(name).next().is_some()
}
