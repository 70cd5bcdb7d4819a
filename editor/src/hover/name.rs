//! Names that the script declares: pieces, sides, regions, counters and so on, with facts from their declarations.

use super::army::{army, total};
use super::{current, notation};
use crate::markdown::{block, code, counted, enumeration, escaped, paragraphs, sentence, without_pictures};
use crate::names::{NameKind, NameUse};
use crate::script::Script;
use crate::{board, comments};
use astragal_core::variant::{CounterDef, MarkDef, Spec, TraitDef};
use astragal_core::{Kind, Piece, Side, Square, SquareSet};
use astragal_dsl::notation::describe;
use astragal_dsl::{Loaded, rulebook};

/// Describes the thing that a name refers to.
pub(super) fn about(script: &Script, used: &NameUse) -> Option<String> {
    let name = used.name.as_str();
    let facts = match used.kind {
        NameKind::Piece => return Some(piece(script, used)),
        NameKind::Side => side(script, name),
        NameKind::Region => region(script, name),
        NameKind::Counter => counter(script, name),
        NameKind::Mark => mark(script, name),
        NameKind::Trait => piece_trait(script, name),
        NameKind::Track => track(script, name),
        NameKind::Option => option(script, name),
    };
    let head = format!("**{}**: {}", escaped(name), used.kind.word());
    let written = if used.declares { String::new() } else { declaration(script, used) };
    Some(paragraphs([head, block("rhai", &written), comment(script, used), facts.unwrap_or_default()]))
}

/// The token that declares a name in this script.
fn declaring(script: &Script, used: &NameUse) -> Option<usize> {
    let declared = script.declared().iter().find(|one| one.kind == used.kind && one.name == used.name);
    declared?.token
}

fn comment(script: &Script, used: &NameUse) -> String {
    declaring(script, used).map_or(String::new(), |token| comments::markdown(script.document(), token))
}

/// The call that declares a name.
fn declaration(script: &Script, used: &NameUse) -> String {
    let document = script.document();
    let call = declaring(script, used).and_then(|token| document.call_of(token));
    let spans = call.and_then(|call| {
        let close = document.partner(call.open)?;
        Some(document.tokens().get(call.token)?.span.start..document.tokens().get(close)?.span.end)
    });
    spans.and_then(|span| document.text().get(span)).map_or(String::new(), |text| crate::markdown::shortened(text, 200))
}

/// A kind of piece: its letter, its movement in a picture and in words, and its number in the starting position.
fn piece(script: &Script, used: &NameUse) -> String {
    let name = Some(used.name.as_str());
    let calls = [("piece", name), ("moves", name), ("board", None), ("region", None)];
    let loaded = current::loaded(script, &calls);
    let known = loaded.and_then(|loaded| Some((loaded, loaded.set.variant.kind_named(&used.name)?)));
    match known {
        Some((loaded, kind)) => loaded_piece(script, used, loaded, kind),
        None => written_piece(script, used),
    }
}

fn loaded_piece(script: &Script, used: &NameUse, loaded: &Loaded, kind: Kind) -> String {
    let variant = &loaded.set.variant;
    let def = variant.kind(kind);
    let glyphs: Vec<&str> = def.glyphs.iter().map(String::as_str).filter(|glyph| !glyph.is_empty()).collect();
    let letter = if def.letter.is_empty() { String::new() } else { format!(" {}", code(&def.letter)) };
    let head = format!("**{}**: piece{letter} {}", escaped(&used.name), glyphs.join(" "));
    let tracks = rulebook::is_on_tracks(loaded);
    // On drawn lines, directions differ from point to point.
    let is_drawn = !tracks && !variant.board().has_drawn_lines();
    let picture = match is_drawn {
        true => crate::diagram::movement(variant.board().cells(), &def.letter, &def.atoms, Some(variant)),
        false => String::new(),
    };
    let line = rulebook::pieces(loaded).into_iter().nth(kind.index()).unwrap_or_default();
    let (_, words) = line.split_once(": ").unwrap_or_default();
    let rule = "The rule `movement` decides during play how pieces move.";
    let ruled = if variant.spec().ruled_movement { rule } else { "" };
    let start = current::loaded(script, &[("setup", None), ("sides", None), ("piece", None), ("board", None)]);
    let count = start.map_or(String::new(), |loaded| starting(loaded, kind));
    let words = if def.atoms.is_empty() { format!("It {words}") } else { format!("Moves: {words}") };
    paragraphs([head.trim().into(), comment(script, used), block("text", &picture), words, ruled.into(), count])
}

/// The number of pieces of a kind in the starting position.
fn starting(loaded: &Loaded, kind: Kind) -> String {
    let variant = &loaded.set.variant;
    let counts: Vec<String> = (0..)
        .map(Side)
        .zip(&variant.spec().sides)
        .filter_map(|(side, def)| {
            let total = total(variant, &loaded.start, Piece::new(side, kind));
            (total > 0).then(|| format!("{} {total}", def.name))
        })
        .collect();
    match counts.as_slice() {
        [] => "Starting position: none.".into(),
        some => format!("Starting position: {}.", some.join(", ")),
    }
}

/// A piece whose declaration could not be loaded yet: the facts that its call contains.
fn written_piece(script: &Script, used: &NameUse) -> String {
    let document = script.document();
    let head = format!("**{}**: piece", escaped(&used.name));
    let call = declaring(script, used).and_then(|token| document.call_of(token));
    let movement = call.and_then(|call| {
        let argument = document.arguments(call.open).get(2).filter(|argument| argument.len() == 1)?.start;
        let betza = document.text().get(document.inside(argument)).filter(|_| document.is_text(argument))?;
        notation::movement(script, &notation::Mover::of_call(script, &call), betza)
    });
    paragraphs([head, comment(script, used), movement.unwrap_or_default()])
}

fn side(script: &Script, name: &str) -> Option<String> {
    let loaded = current::loaded(script, &[("sides", None), ("board", None)])?;
    let variant = &loaded.set.variant;
    let spec = variant.spec();
    let index = spec.sides.iter().position(|side| side.name == name)?;
    let (side, def) = (Side(index as u8), spec.sides.get(index)?);
    let direction = describe::directions_on(spec.board.cells()).get(usize::from(def.forward)).copied().unwrap_or("up");
    let elsewhere = if def.elsewhere.is_empty() { "" } else { ", except on some squares" };
    let facts = format!(
        "Side {} of {} in turn order, written {} in positions. Its forward direction is {direction}{elsewhere}.",
        index + 1,
        spec.sides.len(),
        code(&def.letter.to_string()),
    );
    let partners: Vec<String> = (0..spec.sides.len() as u8)
        .map(Side)
        .filter(|other| *other != side && variant.allied(side, *other))
        .filter_map(|other| Some(spec.sides.get(other.index())?.name.clone()))
        .collect();
    let partners = if partners.is_empty() { String::new() } else { format!("Partners: {}.", enumeration(&partners)) };
    let start = current::loaded(script, &[("sides", None), ("setup", None), ("piece", None), ("board", None)]);
    let pieces = start.map_or(String::new(), |loaded| army(&loaded.set.variant, &loaded.start, side));
    let pieces = if pieces.is_empty() { pieces } else { format!("Starting position: {pieces}.") };
    Some(paragraphs([facts, partners, pieces]))
}

fn region(script: &Script, name: &str) -> Option<String> {
    let loaded = current::loaded(script, &[("region", Some(name)), ("board", None), ("sides", None)])?;
    let variant = &loaded.set.variant;
    let region = variant.board().region(name)?;
    let sides = &variant.spec().sides;
    let own: Vec<(char, SquareSet)> = sides.iter().map(|side| side.letter).zip(region.squares).collect();
    let first = own.first()?.1;
    if own.iter().all(|(_, squares)| *squares == first) {
        let squares = format!("{}, the same for all sides.", sentence(&counted(first.len(), "square")));
        let squares = if own.len() == 1 { squares.replace(", the same for all sides", "") } else { squares };
        return Some(paragraphs([squares, block("text", &notation::marked(variant.board(), first))]));
    }
    let symbol = |square: Square| {
        let letters: Vec<char> =
            own.iter().filter(|(_, set)| set.contains(square)).map(|(letter, _)| *letter).collect();
        match letters.as_slice() {
            [] => ".".to_owned(),
            [one] => one.to_string(),
            _ => "*".into(),
        }
    };
    let mut picture = board::draw(variant.board(), symbol);
    let shared = picture.contains('*');
    picture.push('\n');
    for (side, (letter, squares)) in sides.iter().zip(&own) {
        picture.push_str(&format!("{letter}  {}, {}\n", side.name, counted(squares.len(), "square")));
    }
    if shared {
        picture.push_str("*  several sides\n");
    }
    Some(block("text", &picture))
}

fn counter(script: &Script, name: &str) -> Option<String> {
    let loaded = current::loaded(script, &[("counter", Some(name))])?;
    let spec = loaded.set.variant.spec();
    let CounterDef { per_side, initial, size, secret, counted, .. } =
        spec.counters.iter().find(|one| one.name == name)?;
    let starts = match size {
        1 => format!("It starts at {initial}."),
        size => format!("It has {size} places, 1 to {size}; each of them starts at {initial}."),
    };
    let owner = if *per_side { "Each side has its own." } else { "All sides share it." };
    let secrecy = match (secret, per_side) {
        (false, _) => "",
        (true, true) if *counted => "It is secret: opponents see only how many items it holds.",
        (true, true) => "It is secret: only its side sees it.",
        (true, false) if *counted => "It is secret: all sides see only how many items it holds.",
        (true, false) => "It is secret: no side sees it.",
    };
    Some([starts.as_str(), owner, secrecy].join(" ").trim().to_owned())
}

fn mark(script: &Script, name: &str) -> Option<String> {
    let loaded = current::loaded(script, &[("marks", Some(name))])?;
    let MarkDef { per_side, .. } = loaded.set.variant.spec().marks.iter().find(|one| one.name == name)?;
    let owner = if *per_side { "Each side has its own." } else { "All sides share it." };
    Some(format!("It is put on squares and stays there when pieces move. {owner}"))
}

fn piece_trait(script: &Script, name: &str) -> Option<String> {
    let loaded = current::loaded(script, &[("piece_trait", Some(name)), ("piece", None)])?;
    let variant = &loaded.set.variant;
    let TraitDef { initial, secret, counted, shown, .. } = variant.spec().traits.iter().find(|one| one.name == name)?;
    let usual = *initial.last()?;
    let values = variant.kinds().iter().zip(initial).filter(|(_, value)| **value != usual);
    let others: Vec<String> = values.map(|(kind, value)| format!("{} {value}", kind.name)).collect();
    let starts = match others.is_empty() {
        true => format!("Every piece starts with {usual}."),
        false => format!("Pieces start with {usual}, except: {}.", others.join(", ")),
    };
    let drawn = if *shown { "It is drawn on the pieces." } else { "" };
    let secrecy = match (secret, counted) {
        (false, _) => "",
        (true, true) => "It is secret: opponents see only how many pieces have each value.",
        (true, false) => "It is secret: only the owner of the piece sees it.",
    };
    Some([starts.as_str(), drawn, secrecy].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" "))
}

fn track(script: &Script, name: &str) -> Option<String> {
    let calls = [("track", Some(name)), ("lines", Some(name)), ("board", None), ("sides", None)];
    let loaded = current::loaded(script, &calls)?;
    let variant = &loaded.set.variant;
    let spec = variant.spec();
    let head = format!("Track \"{name}\": ");
    let words = rulebook::tracks(variant).into_iter().find_map(|line| line.strip_prefix(&head).map(str::to_owned));
    let picture = numbered(spec, name).unwrap_or_default();
    Some(paragraphs([block("text", &picture), sentence(&words.unwrap_or_default())]))
}

/// A picture of the stations of the first side by number. Tracks that go both ways have no picture.
fn numbered(spec: &Spec, name: &str) -> Option<String> {
    let track = spec.tracks.iter().find(|track| track.name == name && !track.both_ways)?;
    let (side, paths) = spec.sides.iter().zip(&track.paths).find(|(_, paths)| !paths.is_empty())?;
    let [path] = paths.as_slice() else { return None };
    let station = |square: Square| path.iter().position(|station| station.contains(&square));
    let picture = board::draw(&spec.board, |square| station(square).map_or(".".into(), |at| (at + 1).to_string()));
    let alike = track.paths.iter().take(spec.sides.len()).all(|others| others == paths);
    let whose = if alike { String::new() } else { format!(" of {}", side.name) };
    Some(format!("{picture}\n{}{whose}\n", counted(path.len() as u64, "station")))
}

fn option(script: &Script, name: &str) -> Option<String> {
    let loaded = current::loaded(script, &[("option", Some(name))])?;
    let option = loaded.options.iter().find(|one| one.name == name)?;
    let one = |value: &String| match *value == option.default {
        true => format!("- {} (default)", code(value)),
        false => format!("- {}", code(value)),
    };
    let values: Vec<String> = option.values.iter().map(one).collect();
    Some(paragraphs([without_pictures(&option.why), values.join("\n")]))
}
