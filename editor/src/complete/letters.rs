//! Completions within notations that are written letter by letter: movement and positions.

use super::word::word_at;
use super::{CompletionKind, List};
use crate::document::Document;
use crate::names::NameKind;
use astragal_core::board::Cells;
use astragal_core::{Kind, Piece, Side};
use astragal_dsl::notation::betza::{self, Role};
use astragal_dsl::notation::fen;
use std::ops::Range;

/// The description of dice in notation.
pub(super) const ABOUT_DICE: &str = "\
Dice are written as `2d6`: their number, `d`, and the number of faces. Join different dice with `+`, as in `1d4+1d6`. \
In braces you can list the faces, as in `1d{1,1,2}`, each with an optional weight after a colon, as in `1d{1:3,6}`.";

/// The largest number of empty squares that a position text needs.
const WIDEST: u8 = 16;

impl List<'_> {
    /// The letters of Betza notation. Each is inserted at the place.
    pub(super) fn betza(&mut self, inside: &Range<usize>) {
        let cells = self.script.loaded().map_or(Cells::Square, |loaded| loaded.set.variant.board().cells());
        let before = &self.script.text()[inside.start..self.spot.offset];
        let after_small = before.ends_with(|c: char| c.is_ascii_lowercase());
        self.at_place(|list| {
            for one in betza::letters(cells) {
                let (rank, role) = match one.role {
                    Role::Step => (u8::from(!after_small), "step"),
                    Role::Direction => (2, "direction"),
                    Role::Mode => (1 + u8::from(after_small), "mode"),
                    Role::Joint if !after_small => continue,
                    Role::Joint => (3, "joint"),
                };
                let label = one.letter.to_string();
                list.add(CompletionKind::Letter, rank, &label, format!("{role}: {}", one.about), "");
            }
        });
    }

    /// The letters of a position: pieces, then the side to move, then castling.
    pub(super) fn position(&mut self, inside: &Range<usize>) {
        let before = &self.script.text()[inside.start..self.spot.offset];
        match before.chars().filter(|c| *c == ' ').count() {
            0 => self.at_place(List::pieces_of_position),
            1 => {
                let is_part = |c: char| !c.is_whitespace();
                self.spot.replaces = word_at(self.script.text(), inside, self.spot.offset, is_part);
                for (letter, name) in self.sides() {
                    self.add(CompletionKind::Letter, 0, &letter.to_string(), format!("{name} to move"), "");
                }
            }
            2 => {
                let is_part = |c: char| !c.is_whitespace();
                let word = word_at(self.script.text(), inside, self.spot.offset, is_part);
                let written = &self.script.text()[word.start..self.spot.offset.clamp(word.start, word.end)];
                // Castling is written letter by letter. A word with other letters is the name of a field.
                if written.is_empty() && !word.is_empty() {
                    return self.fields_of_position(inside);
                }
                let letters = self.castling_letters();
                let is_castling = written.chars().all(|c| c == '-' || letters.contains(c));
                if is_castling {
                    self.at_place(|list| list.castling_of_position(&letters, written.is_empty()));
                }
                if written.is_empty() || !is_castling {
                    self.fields_of_position(inside);
                }
            }
            _ => self.fields_of_position(inside),
        }
    }

    /// The counters, marks and traits whose values a position can set, as in `8/8 w lives=2`.
    fn fields_of_position(&mut self, inside: &Range<usize>) {
        let script = self.script;
        let is_part = |c: char| !c.is_whitespace() && c != '=';
        let word = word_at(script.text(), inside, self.spot.offset, is_part);
        if script.text()[inside.start..word.start].ends_with('=') {
            return;
        }
        let is_assigned = script.text()[word.end..inside.end].starts_with('=');
        let whole = std::mem::replace(&mut self.spot.replaces, word);
        for one in script.declared() {
            if matches!(one.kind, NameKind::Counter | NameKind::Mark | NameKind::Trait) {
                let sign = if is_assigned { "" } else { "=" };
                self.insert(
                    CompletionKind::Named(one.kind),
                    1,
                    &one.name,
                    format!("{}{sign}", one.name),
                    one.kind.word(),
                    "",
                );
            }
        }
        self.spot.replaces = whole;
    }

    /// Adds completions that are inserted at the place and replace nothing.
    fn at_place(&mut self, add: impl FnOnce(&mut Self)) {
        let word = std::mem::replace(&mut self.spot.replaces, self.spot.offset..self.spot.offset);
        add(self);
        self.spot.replaces = word;
    }

    fn pieces_of_position(&mut self) {
        let Some(loaded) = self.script.loaded() else { return self.declared_pieces() };
        let variant = &loaded.set.variant;
        for side in 0..variant.sides() as u8 {
            let owner = variant.spec().sides.get(usize::from(side)).map_or("", |side| side.name.as_str());
            for (number, kind) in variant.kinds().iter().enumerate() {
                let letter = fen::letter(variant, Piece::new(Side(side), Kind(number as u8)));
                self.add(CompletionKind::Letter, 0, &letter, format!("{} of {owner}", kind.name), "");
            }
        }
        self.declared_pieces();
        let width = variant.board().width().min(WIDEST);
        for count in 1..=width {
            let detail = if count == 1 { "an empty square".to_string() } else { format!("{count} empty squares") };
            self.add(CompletionKind::Letter, 1, &count.to_string(), detail, "");
        }
        self.add(CompletionKind::Letter, 1, "/", "the next rank", "");
    }

    /// The letters of pieces that the text declares, for the first side. They may be newer than the loaded script.
    fn declared_pieces(&mut self) {
        let document = self.script.document();
        for one in self.script.declared().iter().filter(|one| one.kind == NameKind::Piece) {
            if let Some(letter) = one.token.and_then(|token| letter_of(document, token)) {
                self.add(CompletionKind::Letter, 0, &letter, one.name.clone(), "");
            }
        }
    }

    /// The letters of castling, and `-` for none at the beginning of the word.
    fn castling_of_position(&mut self, letters: &str, is_first: bool) {
        for letter in letters.chars() {
            self.add(CompletionKind::Letter, 0, &letter.to_string(), "castling", "");
        }
        if is_first && self.script.loaded().is_some() {
            self.add(CompletionKind::Letter, 1, "-", "no castling", "");
        }
    }

    /// The letters of castling in the loaded script, each once.
    fn castling_letters(&self) -> String {
        let castles = self.script.loaded().map(|loaded| loaded.set.variant.spec().castles.as_slice());
        let mut known = String::new();
        for castle in castles.unwrap_or_default() {
            if !known.contains(castle.letter) {
                known.push(castle.letter);
            }
        }
        known
    }

    /// The sides with their letters.
    fn sides(&self) -> Vec<(char, String)> {
        let sides = self.script.loaded().map(|loaded| loaded.set.variant.spec().sides.as_slice()).unwrap_or_default();
        sides.iter().map(|side| (side.letter, side.name.clone())).collect()
    }
}

/// The letter in `piece("pawn", "P", ..)`, whose name is a token.
fn letter_of(document: &Document, name: usize) -> Option<String> {
    let letter = Some(name + 2).filter(|&letter| document.is(name + 1, ",") && document.is_text(letter))?;
    Some(document.text()[document.inside(letter)].to_string()).filter(|letter| !letter.is_empty())
}
