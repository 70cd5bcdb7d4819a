//! The names that a script gives to pieces, sides, regions and so on, and every text that stands for one of them.
//!
//! The meaning of a text comes from the parameter that it is passed to, as the reference lists it. Texts in lists and
//! constants are passed on later: they count if they equal exactly one declared name.

use crate::document::{CallAround, Document, Part, closes, opens};
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
            "stations" | "numbers" => Some(NameKind::Track),
            _ => None,
        }
    }

    /// The kind of name that a property of a move or a square can be compared with.
    pub(crate) fn of_property(name: &str) -> Option<NameKind> {
        match name {
            "kind" | "captured" | "promotion" => Some(NameKind::Piece),
            "side" | "captured_side" => Some(NameKind::Side),
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
    for (kind, name) in loaded.map(names_from_elsewhere).unwrap_or_default() {
        if !all.iter().any(|one| one.kind == kind && one.name == name) {
            all.push(Declared { kind, name, token: None });
        }
    }
    all
}

/// Whether an imported script declares the same name.
pub(crate) fn is_imported(loaded: Option<&Loaded>, one: &Declared) -> bool {
    let elsewhere = loaded.map(names_from_elsewhere).unwrap_or_default();
    elsewhere.iter().any(|(kind, name)| *kind == one.kind && *name == one.name)
}

/// The names of a script that was loaded, without those of its own text: the text may have changed since.
fn names_from_elsewhere(loaded: &Loaded) -> Vec<(NameKind, String)> {
    let own = declarations(&Document::new(loaded.source.text.clone()));
    let mut all = names_of(loaded);
    all.retain(|(kind, name)| !own.iter().any(|one| one.kind == *kind && one.name == *name));
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
    if is_joined(document, token) {
        return None;
    }
    let call = document.call_of(token)?;
    let kind = match (call.name.as_str(), call.argument, call.parts.as_slice()) {
        ("sides", 0, [Part::Element(_)]) if call.module.is_none() => NameKind::Side,
        (name, 0, []) if call.module.is_none() && call.open + 1 == token => {
            let kind = NameKind::declared_by(name)?;
            // `option("x")` and `region("x")` ask for one; `piece("x", #{..})` changes a piece of a base.
            let second = second_argument(document, call.open);
            let declares = match name {
                "option" => second.is_some(),
                "region" => second.is_some_and(|second| names_squares(document, second)),
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

/// The first token of the second argument of a call.
fn second_argument(document: &Document, open: usize) -> Option<usize> {
    let mut at = open + 1;
    while !document.is(at, ",") {
        at = match document.word(at) {
            "" | ";" => return None,
            word if closes(word) => return None,
            word if opens(word) => document.partner(at)? + 1,
            _ => at + 1,
        };
    }
    Some(at + 1).filter(|&second| second < document.tokens().len() && !closes(document.word(second)))
}

/// Whether a text is only a part of one that is put together with `+`.
fn is_joined(document: &Document, token: usize) -> bool {
    document.is(token + 1, "+") || token.checked_sub(1).is_some_and(|before| document.is(before, "+"))
}

/// Whether the second argument of `region(..)` lists squares, not a side whose squares are asked for.
fn names_squares(document: &Document, argument: usize) -> bool {
    let word = document.word(argument);
    let at_top = document.function_at(document.tokens()[argument].span.start).is_none();
    if document.is_text(argument) && !at_top {
        let mut letters = document.text()[document.inside(argument)].chars();
        let begins = letters.next().is_none_or(|c| c.is_ascii_lowercase());
        return begins && letters.next().is_none_or(|c| c.is_ascii_digit());
    }
    // Names of constants are written in capitals.
    let is_constant = document.is_name(argument) && !document.is_call(argument) && !word.contains(char::is_lowercase);
    at_top || word == "[" || is_constant
}

/// A meaning that the place of a text suggests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A name of this kind.
    Name(NameKind),
    /// A value that a parameter takes.
    Parameter(ParamKind),
    /// Nothing is known: it may be passed on as a name later.
    Anything,
}

/// How many functions of the script a text is followed into.
const DEEPEST: usize = 2;
/// How many uses of a parameter are examined.
const MOST_USES: usize = 8;

/// The meanings that a text can have at its place.
pub fn wanted(document: &Document, token: usize) -> Vec<Wanted> {
    wanted_within(document, token, DEEPEST)
}

fn wanted_within(document: &Document, token: usize, deepest: usize) -> Vec<Wanted> {
    if let Some(kind) = compared(document, token) {
        return vec![Wanted::Name(kind)];
    }
    let Some(call) = document.call_of(token) else { return vec![Wanted::Anything] };
    if call.module.is_some() {
        return vec![Wanted::Anything];
    }
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
            (ParamKind::DiceByPiece, [Part::Value(_)]) => Wanted::Parameter(ParamKind::Dice),
            (ParamKind::SquaresOrNames, _) if call.name == "castling" => Wanted::Name(NameKind::Piece),
            (ParamKind::Array, [Part::Element(_)]) if call.name == "die_faces" => Wanted::Name(NameKind::Piece),
            (ParamKind::Array | ParamKind::Any | ParamKind::Function, _) => Wanted::Anything,
            (kind, _) => NameKind::of_parameter(kind).map_or(Wanted::Parameter(kind), Wanted::Name),
        };
        if !found.contains(&one) {
            found.push(one);
        }
    }
    if found.is_empty() && call.parts.is_empty() && deepest > 0 {
        found = wanted_by_own(document, &call, deepest - 1);
    }
    // An argument of a function of the script may be passed on.
    if found.is_empty() { vec![Wanted::Anything] } else { found }
}

/// The meanings that a function of the script gives to an argument: those at the places where its parameter is used.
fn wanted_by_own(document: &Document, call: &CallAround, deepest: usize) -> Vec<Wanted> {
    let Some(function) = document.function(&call.name) else { return Vec::new() };
    let Some(&parameter) = function.parameters.get(call.argument) else { return Vec::new() };
    let body = document.tokens_before(function.body.start)..document.tokens_before(function.body.end);
    let name = document.word(parameter);
    let is_use = |token: &usize| document.is(*token, name) && !document.is_member(*token) && !document.is_key(*token);
    let mut found = Vec::new();
    for token in body.filter(is_use).take(MOST_USES) {
        for one in wanted_within(document, token, deepest) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found
}

/// The kind of name that a text is compared with: `m.kind == "pawn"`, or an arm of `switch m.kind { .. }`.
fn compared(document: &Document, token: usize) -> Option<NameKind> {
    let of_property = |token: usize| NameKind::of_property(document.word(token)).filter(|_| document.is_member(token));
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

/// The kinds of the declared names.
type Kinds<'a> = BTreeMap<&'a str, Vec<NameKind>>;

/// Every text and key of a script that stands for a declared name, in order.
pub fn uses(document: &Document, declared: &[Declared]) -> Vec<NameUse> {
    let mut kinds = Kinds::new();
    for one in declared {
        let known = kinds.entry(&one.name).or_default();
        if !known.contains(&one.kind) {
            known.push(one.kind);
        }
    }
    let (mut found, mut maps) = (Vec::new(), Maps::new());
    for token in 0..document.tokens().len() {
        match name_use(document, &kinds, &mut maps, token) {
            Some(one) => found.push(one),
            None if document.is_text(token) => found.extend(position_fields(document, &kinds, token)),
            None => {}
        }
    }
    // A key can be read as a property: `worth.pawn`.
    let is_key = |one: &NameUse| !document.is_text(one.token) && document.is(one.token + 1, ":");
    let keys: BTreeMap<&str, NameKind> =
        found.iter().filter(|one| is_key(one)).map(|one| (document.word(one.token), one.kind)).collect();
    let properties = (0..document.tokens().len()).filter_map(|token| property_use(document, &keys, token));
    let properties: Vec<NameUse> = if keys.is_empty() { Vec::new() } else { properties.collect() };
    found.extend(properties);
    found.sort_by_key(|one| one.span.start);
    found
}

fn name_use(document: &Document, kinds: &Kinds<'_>, maps: &mut Maps, token: usize) -> Option<NameUse> {
    if document.is_key(token) {
        return key_use(document, kinds, maps, token);
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
    let known = kinds.get(name).filter(|_| !is_joined(document, token))?;
    let wanted = wanted(document, token);
    let named = known.iter().copied().find(|kind| wanted.contains(&Wanted::Name(*kind)));
    let guessed = || match known.as_slice() {
        [kind] if wanted.contains(&Wanted::Anything) => Some(*kind),
        _ => None,
    };
    let kind = named.or_else(guessed)?;
    Some(NameUse { kind, name: name.to_string(), token, span, declares: false })
}

/// The names of counters, marks and traits in a position, as in `8/8 w lives=2`.
fn position_fields(document: &Document, kinds: &Kinds<'_>, token: usize) -> Vec<NameUse> {
    let inside = document.inside(token);
    let text = &document.text()[inside.clone()];
    if !text.contains('=') {
        return Vec::new();
    }
    let is_position = |one: &Wanted| matches!(one, Wanted::Parameter(ParamKind::Position) | Wanted::Anything);
    if !wanted(document, token).iter().any(is_position) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (start, word) in words_of(text) {
        let Some((name, value)) = word.split_once('=') else { continue };
        let known = kinds.get(name).map_or(&[][..], Vec::as_slice);
        // A trait and a counter may have the same name: the values of a trait name squares.
        let fits = |kind: &NameKind| match kind {
            NameKind::Trait => value.contains(':') || !known.contains(&NameKind::Counter),
            NameKind::Counter => !value.contains(':') || !known.contains(&NameKind::Trait),
            NameKind::Mark => true,
            _ => false,
        };
        let span = inside.start + start..inside.start + start + name.len();
        let kind = known.iter().copied().find(fits);
        found.extend(kind.map(|kind| NameUse { kind, name: name.to_string(), token, span, declares: false }));
    }
    found
}

/// The words of a text, each with its offset.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    text.split_inclusive(char::is_whitespace).map(move |part| {
        let start = next;
        next += part.len();
        (start, part.trim_end())
    })
}

/// A key that names a piece, as in `roll_each(squares, #{ pawn: "d6" })`, or a name of any kind in a map whose keys are
/// all such names. `maps` remembers the kinds of names in each map, by the token of its bracket.
fn key_use(document: &Document, kinds: &Kinds<'_>, maps: &mut Maps, token: usize) -> Option<NameUse> {
    let span = if document.is_text(token) { document.inside(token) } else { document.tokens()[token].span.clone() };
    let name = &document.text()[span.clone()];
    let known = kinds.get(name)?;
    let open = document.enclosing(token)?;
    let of_map = maps.entry(open).or_insert_with(|| match key_place(document, token) {
        KeyPlace::Pieces => vec![NameKind::Piece],
        KeyPlace::Passed => kinds_of_keys(document, kinds, open),
        KeyPlace::Other => Vec::new(),
    });
    let kind = of_map.iter().copied().find(|kind| known.contains(kind))?;
    Some(NameUse { kind, name: name.to_string(), token, span, declares: false })
}

/// The kinds of names that the keys of each map can be.
type Maps = BTreeMap<usize, Vec<NameKind>>;

/// The kinds of names that all keys of a map are.
fn kinds_of_keys(document: &Document, kinds: &Kinds<'_>, open: usize) -> Vec<NameKind> {
    let entries = document.arguments(open).into_iter().map(|entry| entry.start);
    let keys: Vec<String> = entries.filter(|key| document.is_key(*key)).map(|key| document.key(key)).collect();
    let mut common: Option<Vec<NameKind>> = None;
    for key in keys {
        let known = kinds.get(key.as_str()).map_or(&[][..], Vec::as_slice);
        match &mut common {
            None => common = Some(known.to_vec()),
            Some(common) => common.retain(|kind| known.contains(kind)),
        }
    }
    common.unwrap_or_default()
}

/// The meaning of the keys of a map.
enum KeyPlace {
    /// Names of pieces.
    Pieces,
    /// Unknown: the map is kept or passed on.
    Passed,
    /// Options.
    Other,
}

fn key_place(document: &Document, token: usize) -> KeyPlace {
    let Some(call) = document.call_of(token) else { return KeyPlace::Passed };
    let argument = call.argument + usize::from(call.is_method);
    let mut parameters = functions::named(&call.name).filter_map(|entry| entry.parameters.get(argument)).peekable();
    if call.module.is_some() || parameters.peek().is_none() {
        return KeyPlace::Passed;
    }
    let mut place = KeyPlace::Other;
    for parameter in parameters {
        match parameter.kind {
            ParamKind::DiceByPiece if call.parts == [Part::Key] => return KeyPlace::Pieces,
            ParamKind::Options if matches!(call.parts.as_slice(), [Part::Value(key), Part::Key] if key == "figures") => {
                return KeyPlace::Pieces;
            }
            ParamKind::Any | ParamKind::Array => place = KeyPlace::Passed,
            _ => {}
        }
    }
    place
}

/// A property that is read from a map by the name of its key.
fn property_use(document: &Document, keys: &BTreeMap<&str, NameKind>, token: usize) -> Option<NameUse> {
    let kind = keys.get(document.word(token)).filter(|_| document.is_member(token))?;
    let name = document.word(token);
    let is_own = !document.is(token + 1, "(") && functions::members(name).next().is_none();
    let span = document.tokens()[token].span.clone();
    is_own.then(|| NameUse { kind: *kind, name: name.to_string(), token, span, declares: false })
}

#[cfg(test)]
mod tests;
