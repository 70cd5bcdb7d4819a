//! Completions for the keys of maps: options of a call, or kinds of pieces.

use super::{CompletionKind, List};
use crate::calls;
use crate::document::Part;
use crate::names::NameKind;
use astragal_dsl::manual::{self, Entry, ParamKind};

impl List<'_> {
    /// The keys that the map that opens at a token can have and does not have yet.
    pub(super) fn keys(&mut self, map: usize) {
        let document = self.script.document();
        let Some(call) = document.call_of(map + 1).filter(|call| call.parts == [Part::Key]) else { return };
        let written = self.written(map);
        for form in calls::parameters_at(self.script, &self.reader, &call, self.spot.at) {
            match calls::parameter(&form).map(|one| one.kind) {
                Some(ParamKind::Options) => self.options(form.0, &written),
                Some(ParamKind::DiceByPiece | ParamKind::Any) => {
                    let pieces = self.script.declared().iter().filter(|one| one.kind == NameKind::Piece);
                    let names: Vec<String> = pieces.map(|one| one.name.clone()).collect();
                    names.iter().filter(|name| !written.contains(name)).for_each(|name| self.key(name, "piece", ""));
                }
                _ => {}
            }
        }
    }

    fn options(&mut self, entry: &'static Entry, written: &[String]) {
        for (key, kinds) in entry.options.iter().filter(|(key, _)| !written.iter().any(|known| known == key)) {
            self.key(key, &manual::result(kinds), &about_option(entry.name, key));
        }
    }

    /// Adds a key, with a colon unless there is one already. A key that is not a name needs quotes.
    fn key(&mut self, key: &str, detail: &str, about: &str) {
        let is_name = key.chars().all(|c| c.is_alphanumeric() || c == '_');
        let in_text = matches!(self.spot.place, super::Place::Text(_));
        let has_colon = self.script.text()[self.spot.replaces.end..].trim_start().starts_with(':');
        let word = if is_name || in_text { key.to_string() } else { format!("\"{key}\"") };
        let colon = if has_colon || in_text { "" } else { ": " };
        self.insert(CompletionKind::Key, 0, key, format!("{word}{colon}"), detail, about);
    }

    /// The keys of a map, except for the one at the place.
    fn written(&self, map: usize) -> Vec<String> {
        let document = self.script.document();
        let end = document.partner(map).unwrap_or(self.spot.at);
        let here = |token: usize| {
            document
                .tokens()
                .get(token)
                .is_some_and(|one| one.span.start <= self.spot.offset && self.spot.offset <= one.span.end)
        };
        let items = document.slots(map, end).into_iter().map(|item| item.start);
        items.filter(|&key| document.is(key + 1, ":") && !here(key)).map(|key| document.key(key)).collect()
    }
}

/// The description of an option of a call; it may be empty.
pub(super) fn about_option(function: &str, key: &str) -> String {
    let about = manual::about_option(function, key);
    let named = || NameKind::of_option(key).map(|kind| format!("The name of a {}.", kind.word()));
    if about.is_empty() { named().unwrap_or_default() } else { about }
}
