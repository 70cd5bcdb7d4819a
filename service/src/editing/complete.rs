//! Completion in `.game` files: headers and their values, and the words of a line of play. `play_completions` lists
//! the legal moves, choices and rolls at that point of the game.
//!
//! The rest of the file after the current line is ignored, so completion works in incomplete files. The editor filters
//! completion items by the typed part of the word. Invariant: an item replaces a range of the cursor's line that
//! contains the cursor.

use super::completion_item::{GameCompletion, GameCompletionKind};
use super::document::{Content, GameDocument};
use super::play_completions::{LinePrefix, of_play};
use crate::gametest::file::{self, HEADERS};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, library};
use astragal_editor::markdown::without_pictures;
use std::ops::Range;
use std::sync::Arc;

/// The completion items at an offset, the most likely ones first. `loaded` is the variant of the file. Without it, no
/// item depends on the rules.
pub fn complete(document: &GameDocument, loaded: Option<&Arc<Loaded>>, offset: usize) -> Vec<GameCompletion> {
    let Some(cursor) = Cursor::at(document, offset) else { return Vec::new() };
    let text = document.text();
    match document.content_of(cursor.line.start..cursor.offset) {
        Content::Header { key, value } if cursor.offset > key.end => match &text[key] {
            "variant" => variants(&cursor),
            "options" => loaded.map(|loaded| options(document, loaded, &cursor)).unwrap_or_default(),
            "position" => loaded.map(|loaded| positions(loaded, &cursor, value)).unwrap_or_default(),
            _ => Vec::new(),
        },
        _ => {
            let mut found = headers(document, &cursor);
            let game = loaded.and_then(|loaded| document.game_before(loaded, cursor.number).ok());
            let (start, word, cursor) = (cursor.line.start, cursor.word.clone(), cursor.offset);
            let line = LinePrefix { text, start, word, cursor };
            found.extend(of_play(&line, loaded.map(Arc::as_ref), game.as_ref()));
            found
        }
    }
}

/// The place of the cursor in a file.
struct Cursor {
    offset: usize,
    /// The number of its line, from 1.
    number: usize,
    /// The bytes of its line.
    line: Range<usize>,
    /// The bytes of the word at the cursor.
    word: Range<usize>,
}

impl Cursor {
    /// `None` within a comment, and after a lone `\r` in a line: it ends a line for editors, but not in the format.
    fn at(document: &GameDocument, offset: usize) -> Option<Cursor> {
        let text = document.text();
        let mut offset = offset.min(text.len());
        let number = document.line_at(offset);
        let line = document.line(number);
        if !(line.start..=line.end).contains(&offset) {
            return None;
        }
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[line.start..offset];
        if before.contains('\r') || file::without_comment(before).len() < before.len() {
            return None;
        }
        let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1 + continuation(&before[at..]));
        let after = &text[offset..line.end];
        let end = offset + after.find(char::is_whitespace).unwrap_or(after.len());
        Some(Cursor { offset, number, word: line.start + start..end, line })
    }

    fn proposal(&self, label: &str, detail: &str, kind: GameCompletionKind) -> GameCompletion {
        GameCompletion {
            label: label.into(),
            detail: detail.into(),
            about: String::new(),
            replaces: self.word.clone(),
            inserts: label.into(),
            kind,
        }
    }
}

/// The number of bytes in the first character after its first byte.
fn continuation(text: &str) -> usize {
    text.chars().next().map_or(0, |c| c.len_utf8() - 1)
}

/// The names of headers that are missing.
fn headers(document: &GameDocument, cursor: &Cursor) -> Vec<GameCompletion> {
    let typed = &document.text()[cursor.line.start..cursor.word.start];
    if !document.is_in_head(cursor.number) || !typed.trim().is_empty() {
        return Vec::new();
    }
    // If the cursor is at the name of a header, only the name is replaced.
    let (replaces, is_named) = match document.content(cursor.number) {
        Content::Header { key, .. } if key.start <= cursor.offset && cursor.offset <= key.end => (key, true),
        _ => (cursor.word.clone(), false),
    };
    let own = &document.text()[replaces.clone()];
    let given: Vec<&str> = document.headers().filter(|name| *name != own).collect();
    let missing = HEADERS.into_iter().filter(|name| !given.contains(name));
    let proposal = |name: &str| GameCompletion {
        label: name.into(),
        detail: "header".into(),
        about: file::about(name).unwrap_or_default().into(),
        replaces: replaces.clone(),
        inserts: if is_named { name.into() } else { format!("{name}: ") },
        kind: GameCompletionKind::Header,
    };
    missing.map(proposal).collect()
}

fn variants(cursor: &Cursor) -> Vec<GameCompletion> {
    let proposal = |name: &str| cursor.proposal(name, "built-in variant", GameCompletionKind::Variant);
    library::names().into_iter().map(proposal).collect()
}

/// Names of options, or the values of the option at the cursor.
fn options(document: &GameDocument, loaded: &Loaded, cursor: &Cursor) -> Vec<GameCompletion> {
    let typed = &document.text()[cursor.word.start..cursor.offset];
    if let Some((name, _)) = typed.split_once('=') {
        let Some(option) = loaded.options.iter().find(|option| option.name == name) else { return Vec::new() };
        let replaces = cursor.word.start + name.len() + 1..cursor.word.end;
        let proposal = |value: &String| GameCompletion {
            about: without_pictures(&option.why),
            replaces: replaces.clone(),
            ..cursor.proposal(value, if *value == option.default { "default" } else { "" }, GameCompletionKind::Value)
        };
        return option.values.iter().map(proposal).collect();
    }
    let value = document.header("options").map_or("", |span| &document.text()[span]);
    let here = &document.text()[cursor.word.clone()];
    let is_given = |name: &str| {
        let mut given = value.split_whitespace().filter(|part| *part != here);
        given.any(|part| part.split_once('=').is_some_and(|(given, _)| given == name))
    };
    let has_value = here.contains('=');
    let missing = loaded.options.iter().filter(|option| !is_given(&option.name));
    missing
        .map(|option| GameCompletion {
            about: without_pictures(&option.why),
            replaces: cursor.word.start..here.find('=').map_or(cursor.word.end, |at| cursor.word.start + at),
            inserts: if has_value { option.name.clone() } else { format!("{}=", option.name) },
            ..cursor.proposal(&option.name, &option.values.join(" | "), GameCompletionKind::Option)
        })
        .collect()
}

/// The starting position, by name and in FEN. `value` is the byte range of the value up to the cursor.
fn positions(loaded: &Loaded, cursor: &Cursor, value: Range<usize>) -> Vec<GameCompletion> {
    let replaces = if value.is_empty() { cursor.word.clone() } else { value.start..cursor.word.end };
    let proposal = |label: &str| GameCompletion {
        replaces: replaces.clone(),
        ..cursor.proposal(label, "starting position", GameCompletionKind::Value)
    };
    vec![proposal("start"), proposal(&fen::write(&loaded.set.variant, &loaded.start))]
}

#[cfg(test)]
#[path = "complete_tests.rs"]
mod tests;
