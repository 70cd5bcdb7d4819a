//! The values that a place takes: their kinds, names and words. They follow from the parameter at the place, or from
//! the value on the other side of a comparison.

use super::place::Spot;
use crate::calls;
use crate::document::{CallAround, Document, Part};
use crate::kinds::Reader;
use crate::names::NameKind;
use crate::script::Script;
use astragal_dsl::manual::{self, Argument, Entry, ParamKind, ValueKind};
use std::ops::Range;

/// The values that a place takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Wants {
    /// The kinds of values, the primary one first. Empty if they are unknown.
    pub(super) kinds: Vec<ValueKind>,
    /// The names that a text can be.
    pub(super) names: Vec<NameKind>,
    /// The words that a text can be, each with a short description.
    pub(super) words: Vec<(String, String)>,
    /// The other values to compare with, as they are written.
    pub(super) literals: Vec<String>,
    /// The notations that a text can be in.
    pub(super) notations: Vec<Notation>,
    /// The heads of anonymous functions, such as `|mv| `.
    pub(super) heads: Vec<String>,
    /// Whether a text could be any name, since the script may pass it on later.
    pub(super) any_name: bool,
    /// Whether a text may be a new name instead of one of these names.
    pub(super) new_name: bool,
    /// Whether effects are expected, as in a statement.
    pub(super) effects: bool,
    /// The call whose option takes the words, for their description.
    pub(super) option: Option<(&'static Entry, String)>,
}

/// The notation of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notation {
    /// Dice, as `2d6`.
    Dice,
    /// Movement in Betza notation.
    Betza,
    /// A position.
    Position,
    /// Squares, as `a1 c3-e5`.
    Squares,
}

impl Wants {
    /// Whether nothing is known.
    fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.names.is_empty() && self.words.is_empty() && self.notations.is_empty()
    }

    fn kinds(&mut self, kinds: &[ValueKind]) {
        for kind in kinds {
            if !self.kinds.contains(kind) {
                self.kinds.push(*kind);
            }
        }
    }

    fn name(&mut self, kind: NameKind) {
        if !self.names.contains(&kind) {
            self.names.push(kind);
        }
    }

    fn notation(&mut self, notation: Notation) {
        if !self.notations.contains(&notation) {
            self.notations.push(notation);
        }
    }
}

/// Finds the values that a place takes.
pub(super) struct Asker<'a, 'b> {
    pub(super) script: &'a Script,
    pub(super) reader: &'b Reader<'a>,
}

impl<'a> Asker<'a, '_> {
    fn document(&self) -> &'a Document {
        self.script.document()
    }

    /// The values that can begin at a place.
    pub(super) fn value(&self, spot: &Spot) -> Wants {
        let document = self.document();
        let Some(last) = spot.at.checked_sub(1) else { return Wants::default() };
        let truth = || Wants { kinds: vec![ValueKind::Truth], ..Wants::default() };
        match document.word(last) {
            "==" | "!=" => return self.compared(last.wrapping_sub(1)),
            "if" | "while" | "!" | "&&" => return truth(),
            "||" if !document.begins_value(last) => return truth(),
            "in" if last > 1 && (document.is(last - 2, "for") || document.is(last - 1, ")")) => {
                return Wants { kinds: vec![ValueKind::Squares, ValueKind::Array], ..Wants::default() };
            }
            "[" if document.indexes(last) => return Wants { kinds: vec![ValueKind::Number], ..Wants::default() },
            _ => {}
        }
        match document.call_around(spot.offset) {
            Some(call) => self.argument(&call, spot.at),
            None => Wants::default(),
        }
    }

    /// The texts that a token can contain.
    pub(super) fn text(&self, token: usize) -> Wants {
        let document = self.document();
        let is_comparison = |at: usize| matches!(document.word(at), "==" | "!=");
        if let Some(before) = token.checked_sub(1).filter(|&before| is_comparison(before)) {
            return self.compared(before.wrapping_sub(1));
        }
        if is_comparison(token + 1) {
            let last = self.reader.end_of(token + 2, document.tokens().len().min(token + 24));
            return self.compared(last);
        }
        if matches!(document.word(token + 1), "=>" | "|")
            && let Some(open) = document.enclosing(token)
            && let Some(subject) = super::place::switch_subject(document, open)
        {
            return self.compared(subject);
        }
        match document.call_of(token) {
            Some(call) => self.argument(&call, token),
            None => Wants { any_name: true, ..Wants::default() },
        }
    }

    /// The values to compare with the value that ends at a token.
    pub(super) fn compared(&self, last: usize) -> Wants {
        let document = self.document();
        let mut wants = Wants::default();
        if let Some(open) = self.option_behind(last) {
            for (value, is_text) in self.values_of_option(open) {
                match is_text {
                    true => wants.words.push((value, "value of the option".into())),
                    false => wants.literals.push(value),
                }
            }
            return wants;
        }
        if let Some(kind) = NameKind::of_property(document.word(last)).filter(|_| document.is_member(last)) {
            wants.name(kind);
            // Sides are values, too; the names of pieces are plain texts.
            let kinds = self.reader.ending_at(last).unwrap_or_default();
            wants.kinds = if kinds.contains(&ValueKind::Text) { Vec::new() } else { kinds };
            return wants;
        }
        let receiver = |back: usize| last.checked_sub(back).and_then(|token| self.reader.ending_at(token));
        match document.word(last) {
            "name" if document.is_member(last) => wants.notation(Notation::Squares),
            ")" if last > 2 && document.is(last - 2, "name") => match receiver(4).as_deref() {
                Some([ValueKind::Square]) => wants.notation(Notation::Squares),
                _ => wants.name(NameKind::Side),
            },
            _ => {
                let kinds = self.reader.ending_at(last).unwrap_or_default();
                wants.words = self.choices(last);
                if wants.words.is_empty() && kinds.contains(&ValueKind::Square) {
                    wants.notation(Notation::Squares);
                }
                wants.any_name = wants.words.is_empty() && (kinds.is_empty() || kinds.contains(&ValueKind::Text));
                wants.kinds = kinds;
            }
        }
        wants
    }

    /// The bracket of the call of `option` that a value is the result of: of the call itself, or of a constant.
    fn option_behind(&self, last: usize) -> Option<usize> {
        let document = self.document();
        let is_option = |open: usize| open > 0 && document.is(open, "(") && document.is(open - 1, "option");
        if document.is(last, ")") {
            return document.partner(last).filter(|&open| is_option(open));
        }
        let at = document.tokens().get(last)?.span.start;
        let binding = document.binding(document.word(last), at).filter(|_| !document.is_member(last))?;
        let initial = self.reader.initial(binding)?;
        Some(initial.start + 1).filter(|&open| is_option(open))
    }

    /// The values of the option that a call of `option` declares or asks for, and whether each is a text.
    fn values_of_option(&self, open: usize) -> Vec<(String, bool)> {
        let document = self.document();
        let name = document.word(open + 1);
        let declares = |open: &usize| {
            document.is(*open, "(") && document.is(open.wrapping_sub(1), "option") && document.is(open + 2, ",")
        };
        let same = |other: &usize| document.is(other + 1, name);
        let declared = Some(open).filter(declares).or_else(|| (1..document.tokens().len()).filter(declares).find(same));
        let list = declared.map(|open| open + 3).filter(|&list| document.is(list, "["));
        if let Some((list, close)) = list.and_then(|list| Some((list, document.partner(list)?))) {
            let items = document.slots(list, close).into_iter().filter(|item| item.len() == 1);
            let value = |item: Range<usize>| match document.is_text(item.start) {
                true => (document.text()[document.inside(item.start)].to_string(), true),
                false => (document.word(item.start).to_string(), false),
            };
            return items.map(value).collect();
        }
        let options = self.script.loaded().map(|loaded| loaded.options.as_slice()).unwrap_or_default();
        let known = options.iter().find(|one| name.trim_matches('"') == one.name);
        let is_text = |value: &String| value.parse::<i64>().is_err() && value != "true" && value != "false";
        known.map_or(Vec::new(), |one| one.values.iter().map(|value| (value.clone(), is_text(value))).collect())
    }

    /// The texts among which a player chooses, if a value is the result of a decision.
    fn choices(&self, last: usize) -> Vec<(String, String)> {
        let document = self.document();
        let at = document.tokens().get(last).map_or(0, |token| token.span.start);
        let binding = document.binding(document.word(last), at).filter(|_| !document.is_member(last));
        let last = binding.and_then(|one| self.reader.initial(one)).map_or(last, |range| range.end.saturating_sub(1));
        let open = document.partner(last).filter(|&open| document.is(open, "(") && open > 0);
        let decides = |name: &str| crate::functions::named(name).any(|entry| entry.cost == "decision");
        let Some(open) = open.filter(|&open| decides(document.word(open - 1))) else { return Vec::new() };
        let offered = |token: &usize| {
            let call = document.call_of(*token).filter(|call| call.open == open);
            call.is_some_and(|call| match call.parts.as_slice() {
                [Part::Element(_)] => true,
                [Part::Value(key), ..] => key == "or",
                _ => false,
            })
        };
        let texts = (open + 1..last).filter(|&token| document.is_text(token)).filter(offered);
        texts.map(|token| (document.text()[document.inside(token)].to_string(), "choice".to_string())).collect()
    }

    /// The values that an argument can have, in all fitting forms.
    fn argument(&self, call: &CallAround, at: usize) -> Wants {
        let document = self.document();
        let mut wants = Wants::default();
        if let Some(function) = calls::own(document, call, at) {
            for kind in self.reader.passed_on(function, call.argument) {
                self.parameter(&mut wants, kind, &call.parts);
            }
            wants.any_name = wants.is_empty();
            return wants;
        }
        let start = document.commas(call.open, at).last().map_or(call.open + 1, |comma| comma + 1);
        let in_body = call.parts.is_empty() && start < at && matches!(document.word(start), "|" | "||");
        // A declaration is a statement of its own. Elsewhere, a call with one argument asks for something declared.
        let is_statement = call.token.checked_sub(1).is_none_or(|last| matches!(document.word(last), ";" | "{" | "}"));
        for form in calls::parameters_at(self.script, self.reader, call, at) {
            let Some(one) = calls::parameter(&form) else { continue };
            match one.kind {
                ParamKind::Function if in_body => of_body(&mut wants, one),
                _ if in_body => {}
                ParamKind::Function if call.parts.is_empty() => of_function(&mut wants, form.0, one),
                ParamKind::Options => self.option(&mut wants, form.0, &call.parts),
                ParamKind::Word => {
                    let words = manual::words_of_parameter(form.0.name, form.1);
                    wants.words.extend(words.iter().map(|word| (unquoted(word), String::new())));
                    wants.option = Some((form.0, String::new()));
                    wants.kinds(&[ValueKind::Text]);
                }
                ParamKind::SquaresOrNames if call.name == "castling" => {
                    wants.name(NameKind::Piece);
                    self.parameter(&mut wants, one.kind, &call.parts);
                }
                ParamKind::Array | ParamKind::Any => self.list(&mut wants, form.0, one, &call.parts),
                ParamKind::NewName => wants.new_name = is_statement,
                kind => self.parameter(&mut wants, kind, &call.parts),
            }
        }
        wants
    }

    /// The values that a kind of parameter takes.
    fn parameter(&self, wants: &mut Wants, kind: ParamKind, parts: &[Part]) {
        match (kind, parts) {
            (ParamKind::DiceByPiece, [Part::Value(_)]) => {
                wants.kinds(&[ValueKind::Text]);
                return wants.notation(Notation::Dice);
            }
            (ParamKind::DiceByPiece, [Part::Key]) => return wants.name(NameKind::Piece),
            (ParamKind::PieceNames, [Part::Element(_)]) => wants.kinds(&[ValueKind::Text]),
            (ParamKind::SquaresOrNames, [Part::Element(_)]) => wants.kinds(&[ValueKind::Squares, ValueKind::Square]),
            (_, []) => wants.kinds(kind.accepts()),
            _ => return,
        }
        match kind {
            ParamKind::Dice => wants.notation(Notation::Dice),
            ParamKind::Betza => wants.notation(Notation::Betza),
            ParamKind::Position => wants.notation(Notation::Position),
            ParamKind::SquareName | ParamKind::SquareList | ParamKind::SquareOrName | ParamKind::SquaresOrNames => {
                wants.notation(Notation::Squares);
            }
            ParamKind::DiceByPiece => {}
            other => NameKind::of_parameter(other).into_iter().for_each(|kind| wants.name(kind)),
        }
    }

    /// The values that a parameter for a list or for several kinds takes. Its name shows the content of the list.
    fn list(&self, wants: &mut Wants, entry: &Entry, one: &Argument, parts: &[Part]) {
        match (one.name, parts) {
            ("kinds", [Part::Element(_)]) => wants.name(NameKind::Piece),
            ("permits", [Part::Element(_)]) => wants.kinds(&[ValueKind::Permit]),
            ("faces", [Part::Element(_)]) => wants.kinds(&[ValueKind::Number]),
            ("squares_by_side" | "list", [Part::Element(_)]) | ("stations", [] | [Part::Element(_)]) => {
                wants.kinds(&[ValueKind::Text]);
                wants.notation(Notation::Squares);
            }
            // A value for each kind of piece.
            (_, [Part::Key]) if one.kind == ParamKind::Any && !entry.is_operator => wants.name(NameKind::Piece),
            (_, []) if one.kind == ParamKind::Array => wants.kinds(&[ValueKind::Array]),
            (_, [] | [Part::Element(_)]) if !entry.declares => wants.any_name = true,
            _ => {}
        }
    }

    /// The values that an option of a call takes.
    fn option(&self, wants: &mut Wants, entry: &'static Entry, parts: &[Part]) {
        let [Part::Value(key), inner @ ..] = parts else {
            if parts.is_empty() {
                wants.kinds(&[ValueKind::Map]);
            }
            return;
        };
        let Some((_, kinds)) = entry.options.iter().find(|(known, _)| known == key) else { return };
        if inner.is_empty() {
            wants.kinds(kinds);
        } else if !matches!(inner, [Part::Element(_)]) {
            return;
        }
        NameKind::of_option(key).into_iter().for_each(|kind| wants.name(kind));
        // An option called as a parameter of the same function takes the same.
        let forms = crate::functions::named(entry.name);
        let same = forms.flat_map(|form| &form.parameters).find(|one| one.name == key);
        match same.map(|one| one.kind) {
            Some(ParamKind::Betza) => wants.notation(Notation::Betza),
            Some(ParamKind::SquareList) => wants.notation(Notation::Squares),
            _ => {}
        }
        let words = manual::words_of_option(entry.name, key);
        wants.words.extend(words.into_iter().map(|word| (unquoted(word), String::new())));
        wants.option = Some((entry, key.clone()));
    }
}

/// The heads of anonymous functions for a parameter.
fn of_function(wants: &mut Wants, entry: &Entry, one: &Argument) {
    let subject = entry.parameters.first().map(|first| first.kind.accepts()).unwrap_or_default();
    let head = match one.name {
        "change" => "|| ",
        "test" if subject == [ValueKind::Function] => "|| ",
        "test" if subject.contains(&ValueKind::Permit) => "|mv| ",
        "test" if subject.contains(&ValueKind::Squares) => "|square| ",
        "number" => "|side| ",
        _ if entry.parameters.first().is_some_and(|first| first.name == "faces") => "|die| ",
        _ => "|dice| ",
    };
    if !wants.heads.iter().any(|known| known == head) {
        wants.heads.push(head.to_string());
    }
    wants.kinds(&[ValueKind::Function]);
}

/// The values that the body of an anonymous function can have.
fn of_body(wants: &mut Wants, one: &Argument) {
    match one.name {
        "test" => wants.kinds(&[ValueKind::Truth]),
        "permit" => wants.kinds(&[ValueKind::Permit]),
        "number" => wants.kinds(&[ValueKind::Reckoned, ValueKind::Number]),
        "change" => wants.effects = true,
        _ => {}
    }
}

fn unquoted(word: &str) -> String {
    word.trim_matches('"').to_string()
}
