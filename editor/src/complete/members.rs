//! Completions after a dot: the properties and methods of a value, as far as its kind can be inferred.

use super::values::with_others;
use super::{CompletionKind, List, describe};
use crate::functions;
use astragal_dsl::manual::{Entry, LanguageFunction, ParamKind, ValueKind, language_functions};

impl List<'_> {
    /// The members of the value before a dot.
    pub(super) fn members(&mut self, dot: usize) {
        let Some(last) = dot.checked_sub(1) else { return };
        let kinds = self.reader.ending_at(last).map(|mut kinds| {
            // Nothing has no members, so the value is expected to be something else.
            kinds.retain(|kind| *kind != ValueKind::Nothing);
            kinds
        });
        let kinds = kinds.filter(|kinds| !kinds.is_empty());
        self.keys_of_map(last);
        let of_faces = self.reader.elements(last).is_none_or(|of| of.contains(&ValueKind::Number));
        self.of_game(kinds.as_deref(), of_faces);
        self.of_language(kinds.as_deref());
    }

    /// The properties and methods that the reference lists; those of faces only if an array can contain numbers.
    fn of_game(&mut self, kinds: Option<&[ValueKind]>, of_faces: bool) {
        let mut seen: Vec<&str> = Vec::new();
        let is_of_faces = |entry: &Entry| entry.parameters.first().is_some_and(|one| one.kind == ParamKind::Faces);
        for entry in functions::all().iter().filter(|entry| !entry.declares && !entry.is_operator) {
            let Some(rank) = rank(entry, kinds).filter(|_| of_faces || !is_of_faces(entry)) else { continue };
            let about = describe(entry);
            if let Some((_, property)) = entry.name.split_once('.') {
                self.add(CompletionKind::Property, rank, property, entry.signature.clone(), about);
            } else if !entry.name.contains('[') && !seen.contains(&entry.name) {
                seen.push(entry.name);
                let fits = |other: &&Entry| rank_or_worst(other, kinds) < u8::MAX;
                let others = functions::named(entry.name).filter(fits).count().saturating_sub(1);
                self.add(CompletionKind::Function, rank, entry.name, with_others(&entry.signature, others), about);
            }
        }
    }

    /// The functions of the language for arrays, texts, maps and numbers.
    fn of_language(&mut self, kinds: Option<&[ValueKind]>) {
        let is_function = |one: &LanguageFunction| {
            let same = |other: &&LanguageFunction| other.name == one.name && other.receiver() == one.receiver();
            language_functions().iter().filter(same).any(|other| !other.is_property)
        };
        for one in language_functions().iter().filter(|one| !one.is_property || !is_function(one)) {
            let rank = match (kinds, one.receiver()) {
                (Some(kinds), Some(kind)) if kinds.contains(&kind) => 1,
                (None, Some(ValueKind::Array | ValueKind::Map)) => 5,
                _ => continue,
            };
            let kind = if one.is_property { CompletionKind::Property } else { CompletionKind::Function };
            self.add(kind, rank, &one.name, one.signature(), one.about.clone());
        }
    }

    /// The keys of a map that is written out as the initial value of a variable.
    fn keys_of_map(&mut self, last: usize) {
        let document = self.script.document();
        let Some(token) = document.tokens().get(last).filter(|_| !document.is_member(last)) else { return };
        let binding = document.binding(document.word(last), token.span.start);
        let Some(map) = binding.and_then(|one| self.reader.initial(one)).map(|range| range.start) else { return };
        let Some(close) = document.partner(map).filter(|_| document.is(map, "#{")) else { return };
        for item in document.slots(map, close).into_iter().filter(|item| document.is_key(item.start)) {
            let key = document.key(item.start);
            let is_name = key.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if is_name && key.chars().all(|c| c.is_alphanumeric() || c == '_') {
                self.add(CompletionKind::Property, 0, &key, "key of the map", "");
            }
        }
    }
}

/// The rank of a function after a value of some kinds; `None` if it does not belong there. Functions whose first
/// parameter takes several kinds come after those that are made for the kind.
fn rank(entry: &Entry, kinds: Option<&[ValueKind]>) -> Option<u8> {
    let first = entry.parameters.first()?.kind;
    let accepts = first.accepts();
    let is_property = entry.name.contains('.');
    let is_list = first == ParamKind::Array;
    let worse = u8::from(accepts.len() > 1) + 2 * u8::from(entry.cost == "effect" || is_list);
    match kinds {
        // These are written before the function's other arguments, not before a dot.
        _ if first == ParamKind::Any || matches!(accepts.first()?, ValueKind::Text | ValueKind::Number) => None,
        Some(kinds) if !kinds.iter().any(|kind| accepts.contains(kind) && *kind != ValueKind::Text) => None,
        _ if is_property => Some(0),
        Some(_) => Some(1 + worse),
        None => Some(2 + worse),
    }
}

fn rank_or_worst(entry: &Entry, kinds: Option<&[ValueKind]>) -> u8 {
    if entry.declares { u8::MAX } else { rank(entry, kinds).unwrap_or(u8::MAX) }
}
