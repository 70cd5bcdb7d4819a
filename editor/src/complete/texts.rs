//! Completions within a text: names, words, squares and notations.

use super::wants::{Asker, Notation, Wants};
use super::word::{is_word, whole_or_word, word_at};
use super::{CompletionKind, List, letters};
use crate::document::Part;
use crate::markdown::without_pictures;
use crate::names::{Declared, NameKind};
use astragal_dsl::notation::{describe, dice};
use std::ops::Range;

impl List<'_> {
    /// Completions within the text of a token.
    pub(super) fn texts(&mut self, token: usize) {
        let document = self.script.document();
        let inside = document.inside(token);
        let inside = inside.start..inside.end.max(inside.start);
        self.spot.at = token;
        self.spot.replaces = whole_or_word(self.script.text(), &inside, self.spot.offset);
        if token > 0 && document.is(token - 1, "import") {
            return self.scripts(false);
        }
        let call = document.call_of(token);
        if let Some(map) = document.enclosing(token).filter(|_| document.is_key(token) || is_last_part_key(&call)) {
            return self.keys(map);
        }
        let wants = Asker { script: self.script, reader: &self.reader }.text(token);
        let written = &self.script.text()[inside.start..self.spot.offset.clamp(inside.start, inside.end)];
        let goes_on = |one: &Declared| one.name.starts_with(written);
        if written.contains(' ') && !self.script.declared().iter().any(goes_on) {
            // Several names in one text.
            self.spot.replaces = word_at(self.script.text(), &inside, self.spot.offset, is_word);
        }
        self.words(&wants, 0);
        self.names(&wants, Some(token));
        for notation in &wants.notations {
            match notation {
                Notation::Dice => dice::SAMPLES.iter().for_each(|(text, about)| {
                    self.add(CompletionKind::Word, 1, text, *about, letters::ABOUT_DICE);
                }),
                Notation::Squares => self.squares(&inside),
                Notation::Betza => self.betza(&inside),
                Notation::Position => self.position(&inside),
            }
        }
    }

    /// The words that a place takes.
    pub(super) fn words(&mut self, wants: &Wants, rank: u8) {
        let about = wants.option.as_ref().map_or(String::new(), |(entry, key)| match key.as_str() {
            "" => entry.about.clone(),
            key => super::keys::about_option(entry.name, key),
        });
        for (word, detail) in &wants.words {
            self.quoted(CompletionKind::Word, rank, word, detail.clone(), about.clone());
        }
    }

    /// The declared names that a place takes, except for one that the token at the place declares.
    pub(super) fn names(&mut self, wants: &Wants, token: Option<usize>) {
        let script = self.script;
        for one in script.declared().iter().filter(|one| token.is_none() || one.token != token) {
            let order = wants.names.iter().position(|kind| *kind == one.kind);
            let rank = match order {
                Some(order) => u8::from(order > 0),
                // Most lists of names are lists of pieces.
                None if wants.any_name && token.is_some() => 1 + u8::from(one.kind != NameKind::Piece),
                None => continue,
            };
            // A piece of a base can be changed. Other names can only be declared once.
            if wants.new_name && (one.kind != NameKind::Piece || one.token.is_some()) {
                continue;
            }
            let (detail, about) = self.describe_name(one);
            self.quoted(CompletionKind::Named(one.kind), rank, &one.name, detail, about);
        }
    }

    /// A name in a few words, and a description from the loaded script.
    fn describe_name(&self, one: &Declared) -> (String, String) {
        let detail = one.kind.word().to_string();
        let Some(loaded) = self.script.loaded() else { return (detail, String::new()) };
        let variant = &loaded.set.variant;
        match one.kind {
            NameKind::Piece => {
                let kind = variant.kinds().iter().find(|kind| kind.name == one.name);
                let ways = kind.map_or(Vec::new(), |kind| describe::movement(variant, kind));
                let lines: Vec<String> = ways.iter().map(|way| format!("- {way}")).collect();
                (detail, lines.join("\n"))
            }
            NameKind::Option => {
                let option = loaded.options.iter().find(|option| option.name == one.name);
                let about = option.map_or(String::new(), |option| {
                    format!("{}\n\n{}", without_pictures(&option.why), option.values.join(", "))
                });
                (detail, about)
            }
            _ => (detail, String::new()),
        }
    }

    /// The squares of the board of the loaded script, for the word at the place.
    fn squares(&mut self, inside: &Range<usize>) {
        let Some(loaded) = self.script.loaded() else { return };
        let whole = self.spot.replaces.clone();
        self.spot.replaces = word_at(self.script.text(), inside, self.spot.offset, |c| c.is_ascii_alphanumeric());
        let board = loaded.set.variant.board();
        for square in board.squares() {
            self.add(CompletionKind::Square, 2, &board.name(square), "square", "");
        }
        self.spot.replaces = whole;
    }
}

fn is_last_part_key(call: &Option<crate::document::CallAround>) -> bool {
    call.as_ref().is_some_and(|call| call.parts.last() == Some(&Part::Key))
}
