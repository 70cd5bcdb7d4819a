//! The names that a script gives to pieces, sides, regions and so on, and every text that stands for one of them.
//!
//! The meaning of a text comes from the parameter that it is passed to, as the reference lists it. Texts in lists and
//! constants are passed on later: they count if they equal exactly one declared name.

use crate::document::{Document, Part};
use crate::functions;
use astragal_dsl::Loaded;
use astragal_dsl::manual::ParamKind;
use std::collections::BTreeMap;
use std::ops::Range;

/// The sort of thing that a text names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NameKind {
    /// A kind of piece.
    Piece,
    /// A side.
    Side,
    /// A region.
    Region,
    /// A counter or a pool of dice.
    Counter,
    /// A mark on squares.
    Mark,
    /// A trait of pieces.
    Trait,
    /// A track, or lines.
    Track,
    /// An option.
    Option,
}

impl NameKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            NameKind::Piece => "piece",
            NameKind::Side => "side",
            NameKind::Region => "region",
            NameKind::Counter => "counter",
            NameKind::Mark => "mark",
            NameKind::Trait => "trait",
            NameKind::Track => "track",
            NameKind::Option => "option",
        }
    }

    /// The kind of name that a parameter takes.
    pub fn of_parameter(kind: ParamKind) -> Option<NameKind> {
        match kind {
            ParamKind::PieceName | ParamKind::PieceNames | ParamKind::DiceByPiece => Some(NameKind::Piece),
            ParamKind::SideName | ParamKind::SideOrName => Some(NameKind::Side),
            ParamKind::RegionName => Some(NameKind::Region),
            ParamKind::CounterName => Some(NameKind::Counter),
            ParamKind::MarkName => Some(NameKind::Mark),
            ParamKind::TraitName => Some(NameKind::Trait),
            ParamKind::TrackName => Some(NameKind::Track),
            ParamKind::OptionName => Some(NameKind::Option),
            _ => None,
        }
    }

    /// The kind of name that a function declares with its first argument.
    fn declared_by(function: &str) -> Option<NameKind> {
        match function {
            "piece" => Some(NameKind::Piece),
            "region" => Some(NameKind::Region),
            "counter" => Some(NameKind::Counter),
            "marks" => Some(NameKind::Mark),
            "piece_trait" => Some(NameKind::Trait),
            "track" | "lines" => Some(NameKind::Track),
            "option" => Some(NameKind::Option),
            _ => None,
        }
    }

    /// The kind of name that an option of a call takes. The reference describes it in words.
    pub fn of_option(key: &str) -> Option<NameKind> {
        match key {
            "promotes" | "takes" | "in_hand" => Some(NameKind::Piece),
            "zone" | "within" | "home" | "drops_to" | "bounces_off" => Some(NameKind::Region),
            _ => None,
        }
    }
}

/// A text, or the key of a map, that stands for a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameUse {
    /// The sort of thing.
    pub kind: NameKind,
    /// The name.
    pub name: String,
    /// The token.
    pub token: usize,
    /// The bytes of the name, without quotes.
    pub span: Range<usize>,
    /// Whether the name is declared here.
    pub declares: bool,
}

/// A declared name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The sort of thing.
    pub kind: NameKind,
    /// The name.
    pub name: String,
    /// The token that declares it; `None` if an imported script does.
    pub token: Option<usize>,
}

/// All names that a script can use: those in its text, then those that it has from imported scripts.
pub fn declared(document: &Document, loaded: Option<&Loaded>) -> Vec<Declared> {
    let mut all: Vec<Declared> = declarations(document)
        .into_iter()
        .map(|one| Declared { kind: one.kind, name: one.name, token: Some(one.token) })
        .collect();
    for (kind, name) in loaded.map(names_of).unwrap_or_default() {
        if !all.iter().any(|one| one.kind == kind && one.name == name) {
            all.push(Declared { kind, name, token: None });
        }
    }
    all
}

/// The names of a script that was loaded.
fn names_of(loaded: &Loaded) -> Vec<(NameKind, String)> {
    let spec = loaded.set.variant.spec();
    let mut all = Vec::new();
    let mut add = |kind, names: Vec<&String>| all.extend(names.into_iter().map(|name| (kind, name.clone())));
    add(NameKind::Piece, spec.kinds.iter().map(|kind| &kind.name).collect());
    add(NameKind::Side, spec.sides.iter().map(|side| &side.name).collect());
    add(NameKind::Counter, spec.counters.iter().map(|one| &one.name).collect());
    add(NameKind::Mark, spec.marks.iter().map(|one| &one.name).collect());
    add(NameKind::Trait, spec.traits.iter().map(|one| &one.name).collect());
    add(NameKind::Track, spec.tracks.iter().map(|one| &one.name).collect());
    add(NameKind::Option, loaded.options.iter().map(|one| &one.name).collect());
    add(NameKind::Region, spec.board.regions().iter().map(|region| &region.name).collect());
    // Names that the host adds begin with a character that no script may use.
    all.retain(|(_, name)| name.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    all
}

/// The texts that declare a name.
fn declarations(document: &Document) -> Vec<NameUse> {
    let texts = (0..document.tokens().len()).filter(|&token| document.is_text(token));
    texts.filter_map(|token| declaration(document, token)).collect()
}

fn declaration(document: &Document, token: usize) -> Option<NameUse> {
    let call = document.call_of(token)?;
    let kind = match (call.name.as_str(), call.argument, call.parts.as_slice()) {
        ("sides", 0, [Part::Element(_)]) => NameKind::Side,
        (name, 0, []) if call.module.is_none() && call.open + 1 == token => {
            let kind = NameKind::declared_by(name)?;
            let count = document.arguments(call.open).len();
            // `option("x")` and `region("x")` ask for one; `piece("x", #{..})` changes a piece of a base.
            let second = document.arguments(call.open).get(1).map(|range| range.start);
            let declares = match name {
                "option" | "region" => count > 1,
                "piece" => second.is_none_or(|second| !document.is(second, "#{")),
                _ => true,
            };
            Some(kind).filter(|_| declares)?
        }
        _ => return None,
    };
    let span = document.inside(token);
    Some(NameUse { kind, name: document.text()[span.clone()].to_string(), token, span, declares: true })
}

/// The meaning of a text, as far as its place shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A name of this kind.
    Name(NameKind),
    /// The kind of argument that a parameter takes.
    Parameter(ParamKind),
    /// Nothing is known: it may be passed on as a name later.
    Anything,
}

/// The meanings that a text can have at its place.
pub fn wanted(document: &Document, token: usize) -> Vec<Wanted> {
    if let Some(kind) = compared(document, token) {
        return vec![Wanted::Name(kind)];
    }
    let Some(call) = document.call_of(token) else { return vec![Wanted::Anything] };
    if call.name == "sides" {
        return vec![Wanted::Name(NameKind::Side)];
    }
    let argument = call.argument + usize::from(call.is_method);
    let mut found = Vec::new();
    for kind in functions::named(&call.name).filter_map(|entry| entry.parameters.get(argument)).map(|one| one.kind) {
        let one = match (kind, call.parts.as_slice()) {
            (ParamKind::Options, [Part::Value(key), ..]) => match NameKind::of_option(key) {
                Some(kind) => Wanted::Name(kind),
                None => Wanted::Parameter(ParamKind::Options),
            },
            (ParamKind::Array, [Part::Element(_)]) if call.name == "die_faces" => Wanted::Name(NameKind::Piece),
            (ParamKind::Array | ParamKind::Any | ParamKind::Function, _) => Wanted::Anything,
            (kind, _) => NameKind::of_parameter(kind).map_or(Wanted::Parameter(kind), Wanted::Name),
        };
        if !found.contains(&one) {
            found.push(one);
        }
    }
    // An argument of a function of the script may be passed on.
    if found.is_empty() { vec![Wanted::Anything] } else { found }
}

/// The kind of name that a text is compared with: `m.kind == "pawn"`, or an arm of `switch m.kind { .. }`.
fn compared(document: &Document, token: usize) -> Option<NameKind> {
    let of_property = |token: usize| match document.word(token) {
        "kind" if document.is_member(token) => Some(NameKind::Piece),
        "side" if document.is_member(token) => Some(NameKind::Side),
        _ => None,
    };
    let is_comparison = |token: usize| matches!(document.word(token), "==" | "!=");
    if token > 1 && is_comparison(token - 1) {
        return of_property(token - 2);
    }
    if is_comparison(token + 1) {
        return (token + 2..document.tokens().len().min(token + 8)).find_map(of_property);
    }
    if matches!(document.word(token + 1), "=>" | "|") {
        let open = document.enclosing(token)?;
        let is_switch = |&at: &usize| document.is(at, "switch");
        let head = (0..open).rev().take(12).find(is_switch)?;
        return of_property(open - 1).filter(|_| head < open);
    }
    None
}

/// Every text and key of a script that stands for a declared name, in order.
pub fn uses(document: &Document, declared: &[Declared]) -> Vec<NameUse> {
    let mut kinds: BTreeMap<&str, Vec<NameKind>> = BTreeMap::new();
    for one in declared {
        let known = kinds.entry(&one.name).or_default();
        if !known.contains(&one.kind) {
            known.push(one.kind);
        }
    }
    (0..document.tokens().len()).filter_map(|token| name_use(document, &kinds, token)).collect()
}

fn name_use(document: &Document, kinds: &BTreeMap<&str, Vec<NameKind>>, token: usize) -> Option<NameUse> {
    if document.is_key(token) {
        return key_use(document, kinds, token);
    }
    if !document.is_text(token) {
        return None;
    }
    let declaration = declaration(document, token);
    if declaration.is_some() {
        return declaration;
    }
    let span = document.inside(token);
    let name = &document.text()[span.clone()];
    let known = kinds.get(name)?;
    let wanted = wanted(document, token);
    let named = known.iter().copied().find(|kind| wanted.contains(&Wanted::Name(*kind)));
    let guessed = || match known.as_slice() {
        [kind] if wanted.contains(&Wanted::Anything) => Some(*kind),
        _ => None,
    };
    let kind = named.or_else(guessed)?;
    Some(NameUse { kind, name: name.to_string(), token, span, declares: false })
}

/// A key that names a piece, as in `roll_each(squares, #{ pawn: "d6" })`.
fn key_use(document: &Document, kinds: &BTreeMap<&str, Vec<NameKind>>, token: usize) -> Option<NameUse> {
    let call = document.call_of(token)?;
    let argument = call.argument + usize::from(call.is_method);
    let takes = |one: &ParamKind| *one == ParamKind::DiceByPiece;
    let parameters = functions::named(&call.name).filter_map(|entry| entry.parameters.get(argument));
    let by_piece = parameters.map(|one| one.kind).any(|kind| takes(&kind)) && call.parts == [Part::Key];
    let span = if document.is_text(token) { document.inside(token) } else { document.tokens()[token].span.clone() };
    let name = &document.text()[span.clone()];
    let is_piece = kinds.get(name).is_some_and(|known| known.contains(&NameKind::Piece));
    let one = NameUse { kind: NameKind::Piece, name: name.to_string(), token, span, declares: false };
    (by_piece && is_piece).then_some(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = r#"
        sides(["Red", "Blue"]);
        piece("pawn", "P", "W", #{ promotes: ["queen"], within: "camp" });
        piece("queen", "Q", "Q");
        region("camp", "a1-b2");
        counter("luck", 0);
        const LIST = ["pawn", "queen", "other"];
        fn turn() {
            if has(mover(), "pawn") { play(pieces(["pawn", "queen"]) & to(region("camp"))); }
            let m = play(any());
            if m.kind == "pawn" { log("pawn"); }
            let x = roll_each(m.to, #{ pawn: "d6" });
            add("luck", 1);
        }
    "#;

    #[test]
    fn every_name_is_found_where_it_stands_for_something() {
        let document = Document::new(SCRIPT.into());
        let declared = declared(&document, None);
        let names: Vec<(NameKind, &str)> = declared.iter().map(|one| (one.kind, one.name.as_str())).collect();
        let expected = [
            (NameKind::Side, "Red"),
            (NameKind::Side, "Blue"),
            (NameKind::Piece, "pawn"),
            (NameKind::Piece, "queen"),
            (NameKind::Region, "camp"),
            (NameKind::Counter, "luck"),
        ];
        assert_eq!(names, expected);
        let uses = uses(&document, &declared);
        let count = |kind, name: &str| uses.iter().filter(|one| one.kind == kind && one.name == name).count();
        // The declaration, the list, has(), pieces(), the comparison, the key, and the unknown function.
        assert_eq!(count(NameKind::Piece, "pawn"), 7);
        assert_eq!(count(NameKind::Piece, "queen"), 4);
        assert_eq!(count(NameKind::Region, "camp"), 3);
        assert_eq!(count(NameKind::Counter, "luck"), 2);
    }
}
