//! The functions that belong to the language of scripts, such as `len` of an array.
//!
//! The interpreter provides the list and the descriptions. Functions that only work on kinds of values that scripts do
//! not have, such as streams, are left out.

use crate::host::engine::{LANGUAGE_FUNCTIONS, reader};
use crate::host::kind::ValueKind;
use rhai::Dynamic;
use std::any::TypeId;
use std::sync::LazyLock;

/// A function of the language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LanguageFunction {
    /// Its name.
    pub name: String,
    /// Whether it is written without parentheses, after a dot.
    pub is_property: bool,
    /// Its parameters, each with its kind; `None` for any value. The first parameter can also be written before a dot.
    pub parameters: Vec<(String, Option<ValueKind>)>,
    /// The kind of its result, if there is only one.
    pub result: Option<ValueKind>,
    /// Its description, in a few sentences.
    pub about: String,
}

impl LanguageFunction {
    /// The kind of its first parameter.
    pub fn receiver(&self) -> Option<ValueKind> {
        self.parameters.first().and_then(|(_, kind)| *kind)
    }

    /// Its parameters on one line, in the form of the reference.
    pub fn signature(&self) -> String {
        let one =
            |(name, kind): &(String, Option<ValueKind>)| format!("{name}: {}", kind.map_or("any", ValueKind::word));
        match (self.is_property, self.parameters.first()) {
            (true, Some((owner, _))) => format!("{owner}.{}", self.name),
            _ => format!("{}({})", self.name, self.parameters.iter().map(one).collect::<Vec<_>>().join(", ")),
        }
    }
}

/// The functions of the language, sorted by name. Forms that differ only in the kind of an argument are listed once.
///
/// ```
/// use astragal_dsl::manual::{ValueKind, language_functions};
/// let push = language_functions().iter().find(|one| one.name == "push").unwrap();
/// assert_eq!(push.parameters[0].1, Some(ValueKind::Array));
/// ```
pub fn language_functions() -> &'static [LanguageFunction] {
    static ALL: LazyLock<Vec<LanguageFunction>> = LazyLock::new(collect);
    &ALL
}

fn collect() -> Vec<LanguageFunction> {
    let mut all: Vec<LanguageFunction> = reader().collect_fn_metadata(
        None,
        |info| {
            let data = info.metadata;
            let types: Option<Vec<Option<ValueKind>>> = data.param_types.iter().map(|&id| kind_of(id)).collect();
            let names = data.params_info.iter().map(|info| name_of(info));
            let (is_property, name) = match data.name.strip_prefix("get$") {
                Some(property) => (true, property),
                None => (false, data.name.as_str()),
            };
            let parameters: Vec<_> = names.zip(types?).collect();
            let about = about(data.comments.first()?);
            let result = result_of(&data.return_type);
            Some(LanguageFunction { name: name.to_string(), is_property, parameters, result, about })
        },
        true,
    );
    all.retain(is_useful);
    let forms = all.clone();
    all.retain(|one| !forms.iter().any(|other| is_by_name(one, other)));
    let order = |one: &LanguageFunction| {
        let with_function = one.parameters.iter().any(|(_, kind)| *kind == Some(ValueKind::Function));
        (one.name.clone(), one.receiver(), one.is_property, one.parameters.len(), with_function)
    };
    all.sort_by_key(|one| (order(one), one.signature()));
    all.dedup_by_key(|one| order(one));
    all
}

/// Whether a form takes the name of a function where another takes the function, which is the usual form.
fn is_by_name(one: &LanguageFunction, other: &LanguageFunction) -> bool {
    let pairs = || one.parameters.iter().zip(&other.parameters).map(|(a, b)| (a.1, b.1));
    let names = |pair| pair == (Some(ValueKind::Text), Some(ValueKind::Function));
    let same = one.name == other.name && one.parameters.len() == other.parameters.len();
    same && pairs().any(names) && pairs().all(|pair| pair.0 == pair.1 || names(pair))
}

/// Whether scripts can call a function by name, with a first argument of a known kind.
fn is_useful(one: &LanguageFunction) -> bool {
    let is_name = one.name.starts_with(|c: char| c.is_ascii_alphabetic()) && !one.name.contains('$');
    is_name && one.receiver().is_some() && !LANGUAGE_FUNCTIONS.contains(&one.name.trim_start_matches("to_"))
}

/// The kind of a type: `Some(None)` for any value, and `None` for kinds that scripts do not have.
fn kind_of(id: TypeId) -> Option<Option<ValueKind>> {
    match ValueKind::of_type(id) {
        Some(kind) => Some(Some(kind)),
        None if id == TypeId::of::<Dynamic>() => Some(None),
        None => None,
    }
}

/// The name in `array: &mut Array`.
fn name_of(info: &str) -> String {
    info.split(':').next().unwrap_or_default().trim().trim_start_matches("mut ").to_string()
}

/// The kind of value that the name of a result type contains, such as `RhaiResultOf<INT >`.
fn result_of(name: &str) -> Option<ValueKind> {
    let name = name.trim_start_matches("RhaiResultOf<").trim_end_matches('>').trim();
    match name {
        "INT" => Some(ValueKind::Number),
        "ImmutableString" => Some(ValueKind::Text),
        other => ValueKind::named(other),
    }
}

/// The first paragraph of a comment, on one line.
fn about(comment: &str) -> String {
    let lines = comment.lines().map(|line| line.trim_start_matches('/').trim());
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty() && !line.starts_with('#')).collect();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_language_have_their_kinds_and_descriptions() {
        let all = language_functions();
        let signatures: Vec<String> = all.iter().map(LanguageFunction::signature).collect();
        for expected in ["push(array: array, item: any)", "filter(array: array, filter: function)", "keys(map: map)"] {
            assert!(signatures.iter().any(|known| known == expected), "{expected}: {signatures:?}");
        }
        assert!(!signatures.iter().any(|known| known.starts_with("filter(array: array, filter_func: text")));
        assert!(all.iter().all(|one| !one.about.is_empty() && !one.about.contains('\n') && one.receiver().is_some()));
        let len = all.iter().find(|one| one.name == "len" && one.receiver() == Some(ValueKind::Array)).unwrap();
        assert_eq!((len.result, len.about.as_str()), (Some(ValueKind::Number), "Number of elements in the array."));
        assert!(!all.iter().any(|one| one.name == "print" || one.name == "debug"));
    }
}
