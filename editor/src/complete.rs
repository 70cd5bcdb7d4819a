//! Completion: the names, functions, words and letters that a script can have at a place.
//!
//! [`place`] classifies the place, [`wants`] finds the values that it takes, and the other modules list the
//! completions. Functions, their options and their words come from the reference, and names from the script. It must
//! never list them again. Invariant: all completions of a place replace the same range, which contains the place.

mod keys;
mod letters;
mod members;
mod place;
mod texts;
mod values;
mod wants;
mod word;

#[cfg(test)]
mod tests;

use crate::kinds::Reader;
use crate::names::NameKind;
use crate::script::Script;
use astragal_dsl::library;
use astragal_dsl::manual::Entry;
use place::{Place, Spot};
use std::ops::Range;

/// The kind of a completion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompletionKind {
    /// A function.
    Function,
    /// A property, after a dot.
    Property,
    /// A variable or parameter.
    Variable,
    /// A constant.
    Constant,
    /// A word of the language.
    Keyword,
    /// An imported script, or one that can be imported.
    Module,
    /// A name that scripts give to a piece, a side and so on; for an option, also one of its values.
    Named(NameKind),
    /// A square.
    Square,
    /// A key of a map.
    Key,
    /// A word or text that a function takes.
    Word,
    /// A letter of a notation.
    Letter,
    /// Several tokens.
    Snippet,
}

/// A completion: a text for a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The text in the list.
    pub label: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// A short addition to the label, such as a signature; may be empty.
    pub detail: String,
    /// A description in Markdown; may be empty.
    pub about: String,
    /// The bytes that it replaces. They contain the place, and all completions of a place have the same range.
    pub replaces: Range<usize>,
    /// The text that it inserts.
    pub inserts: String,
    /// Its rank: completions with 0 come first.
    pub rank: u8,
}

/// The completions at an offset, the likeliest first. They do not depend on the letters typed so far: the editor
/// filters them.
pub fn complete(script: &Script, offset: usize) -> Vec<Completion> {
    let spot = place::spot(script.document(), offset);
    let mut list = List { script, reader: Reader::new(script), spot, found: Vec::new() };
    list.fill();
    let mut found = list.found;
    found.sort_by_key(|one| one.rank);
    let mut seen = std::collections::HashSet::new();
    found.retain(|one| seen.insert((one.label.clone(), one.kind)));
    share_range(script.text(), &mut found);
    found
}

/// Extends the ranges of completions to the bytes that any of them replaces. The added bytes are inserted again.
fn share_range(text: &str, found: &mut [Completion]) {
    let Some(start) = found.iter().map(|one| one.replaces.start).min() else { return };
    let end = found.iter().map(|one| one.replaces.end).max().unwrap_or(start);
    for one in found.iter_mut().filter(|one| one.replaces != (start..end)) {
        let before = text.get(start..one.replaces.start).unwrap_or_default();
        let after = text.get(one.replaces.end..end).unwrap_or_default();
        one.inserts = format!("{before}{}{after}", one.inserts);
        // Clients compare the label with the text before the cursor.
        one.label.insert_str(0, before);
        one.replaces = start..end;
    }
}

/// The completions of a place, while they are collected.
struct List<'a> {
    script: &'a Script,
    reader: Reader<'a>,
    spot: Spot,
    found: Vec<Completion>,
}

impl<'a> List<'a> {
    fn fill(&mut self) {
        match self.spot.place.clone() {
            Place::Nowhere => {}
            Place::Text(token) => self.texts(token),
            Place::Import => self.scripts(true),
            Place::Words(words) => words.iter().for_each(|word| self.keyword(word, 0)),
            Place::Alias(import) => self.alias(import),
            Place::Member(dot) => self.members(dot),
            Place::Module(name) => self.functions_of_module(&name),
            Place::Key(map) => self.keys(map),
            Place::Pattern(subject) => self.patterns(subject),
            Place::Value => self.values(),
            Place::Statement => self.statements(),
        }
    }

    /// Adds a completion for the word at the place.
    fn add(
        &mut self,
        kind: CompletionKind,
        rank: u8,
        label: &str,
        detail: impl Into<String>,
        about: impl Into<String>,
    ) {
        self.insert(kind, rank, label, label.to_string(), detail, about);
    }

    /// Adds a completion that does not insert its label.
    fn insert(
        &mut self,
        kind: CompletionKind,
        rank: u8,
        label: &str,
        inserts: String,
        detail: impl Into<String>,
        about: impl Into<String>,
    ) {
        let replaces = self.spot.replaces.clone();
        let (detail, about) = (detail.into(), about.into());
        self.found.push(Completion { label: label.to_string(), kind, detail, about, replaces, inserts, rank });
    }

    /// Adds a text: in quotes, unless the place is in a text already.
    fn quoted(
        &mut self,
        kind: CompletionKind,
        rank: u8,
        text: &str,
        detail: impl Into<String>,
        about: impl Into<String>,
    ) {
        match self.spot.place {
            Place::Text(_) => self.add(kind, rank, text, detail, about),
            _ => self.add(kind, rank, &format!("\"{text}\""), detail, about),
        }
    }

    /// The bundled scripts, as names to import.
    fn scripts(&mut self, quote: bool) {
        for name in library::names() {
            let text = library::bundled(name).map_or(String::new(), |source| source.text);
            let label = if quote { format!("\"{name}\"") } else { name.to_string() };
            self.add(CompletionKind::Module, 0, &label, "built-in script", first_comment(&text));
        }
    }

    /// `as`, with the name of the imported script if it can be a name here.
    fn alias(&mut self, import: usize) {
        let document = self.script.document();
        let name = &document.text()[document.inside(import)];
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
        match is_name {
            true => self.add(CompletionKind::Snippet, 0, &format!("as {name}"), "names the imported script", ""),
            false => self.keyword("as", 0),
        }
    }
}

/// The text of the comment that a script begins with.
fn first_comment(text: &str) -> String {
    let lines = text.lines().map(str::trim).map_while(|line| line.strip_prefix("//"));
    lines.map(str::trim).collect::<Vec<_>>().join("\n").trim().to_string()
}

/// The description of a form of a function, with an example.
fn describe(entry: &Entry) -> String {
    let mut text = entry.about.clone();
    if !entry.errors.is_empty() {
        text.push_str(&format!("\n\n{}", entry.errors));
    }
    if !entry.example.is_empty() {
        text.push_str(&format!("\n\n```rhai\n{}\n```", entry.example));
    }
    text
}
