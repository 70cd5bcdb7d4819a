//! The numbers and marks of a position as text: counters other than 0, held dice by their faces, and traits that differ
//! from the initial value of the kind. Secret ones are shown only as far as all players may know them.

use super::heaps;
use astragal_core::{Position, Side, Square, Variant};
use astragal_dsl::game_text;
use astragal_dsl::notation::fen::Masked;
use std::collections::BTreeMap;

/// One line for each counter and trait that has something to show. If `masked` is given, the position is what one side
/// observes: its known values are shown, and its masked ones are called hidden.
pub(super) fn lines(variant: &Variant, position: &Position, masked: Option<&[Masked]>) -> String {
    let spec = variant.spec();
    let mut out = String::new();
    for (i, def) in spec.counters.iter().enumerate() {
        if def.secret && !def.counted && masked.is_none() || [spec.unprepared, spec.last_moves].contains(&Some(i as u8))
        {
            continue;
        }
        let owners = if def.per_side { variant.sides() } else { 1 };
        let kept_back = |side| {
            let of = |m: &&Masked| m.name == def.name && m.owner.is_none_or(|owner| owner == side);
            masked.into_iter().flatten().find(of)
        };
        let shown = |side| match (masked, kept_back(side)) {
            (Some(_), Some(Masked { count: Some(count), .. })) => hidden(i32::from(*count)),
            (Some(_), Some(_)) => "hidden".into(),
            (None, _) if def.counted => hidden(held(variant, position, i, side)),
            _ => counter(variant, position, i, side),
        };
        let shown: Vec<String> = (0..owners).map(|side| shown(Side(side as u8))).collect();
        if shown.iter().all(|text| text.is_empty() || text == "0") {
            continue;
        }
        let owned = |(side, text): (usize, &String)| {
            let text = if text.is_empty() { "none" } else { text };
            if def.per_side {
                format!("{} {text}", game_text::side_name(variant, Side(side as u8)))
            } else {
                text.into()
            }
        };
        let shown: Vec<String> = shown.iter().enumerate().map(owned).collect();
        out.push_str(&format!("{}: {}\n", def.name, shown.join(", ")));
    }
    marks(variant, position, &mut out);
    out.extend(heaps::line(variant, position));
    for (i, def) in spec.traits.iter().enumerate() {
        // Numbers drawn on the pieces are not repeated here.
        if def.shown || def.secret && masked.is_none() {
            continue;
        }
        let mut shown = traits(variant, position, i);
        for masked in masked.into_iter().flatten().filter(|masked| masked.name == def.name) {
            shown.push(hidden_trait(variant, masked));
        }
        if !shown.is_empty() {
            out.push_str(&format!("{}: {}\n", def.name, shown.join(", ")));
        }
    }
    out
}

/// The text for a masked trait: `Black hidden (0 x4, 1 x3)`.
fn hidden_trait(variant: &Variant, masked: &Masked) -> String {
    let def = variant.spec().traits.iter().find(|def| def.name == masked.name);
    let text = |value: i16| def.map_or_else(|| value.to_string(), |def| def.text(value));
    let counts = masked.values.iter().flatten().map(|(value, n)| format!("{} x{n}", text(*value)));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let whose = masked.owner.map_or("others", |side| game_text::side_name(variant, side));
    if counts.is_empty() { format!("{whose} hidden") } else { format!("{whose} hidden ({counts})") }
}

/// A line for each sort of mark that is on a square: `burnt: d5 e4`.
fn marks(variant: &Variant, position: &Position, out: &mut String) {
    for (i, def) in variant.spec().marks.iter().enumerate() {
        let sides = (0..if def.per_side { variant.sides() } else { 1 }).map(|side| Side(side as u8));
        let shown: Vec<String> = sides
            .map(|side| (side, position.marked(variant, i, side)))
            .filter(|(_, marked)| !marked.is_empty())
            .map(|(side, marked)| {
                let owner = if def.per_side { game_text::side_name(variant, side) } else { "" };
                let names: Vec<String> = marked.into_iter().map(|square| variant.board().name(square)).collect();
                format!("{owner} {}", names.join(" ")).trim_start().to_owned()
            })
            .collect();
        if !shown.is_empty() {
            out.push_str(&format!("{}: {}\n", def.name, shown.join(", ")));
        }
    }
}

/// The number of dice in a pool.
fn held(variant: &Variant, position: &Position, index: usize, side: Side) -> i32 {
    (0..variant.places(index)).map(|place| i32::from(position.counter_at(variant, index, place, side))).sum()
}

fn hidden(count: i32) -> String {
    if count > 0 { format!("{count} hidden") } else { String::new() }
}

/// The value of a counter: a number, or the faces of the dice in it.
fn counter(variant: &Variant, position: &Position, index: usize, side: Side) -> String {
    let places = variant.places(index);
    let held = |place: u8| position.counter_at(variant, index, place, side);
    if places == 1 {
        return held(0).to_string();
    }
    let faces = (0..places).flat_map(|place| std::iter::repeat_n(u32::from(place) + 1, held(place).max(0) as usize));
    faces.map(|face| face.to_string()).collect::<Vec<_>>().join(" ")
}

/// The pieces whose trait differs from that of their kind, by value: `3 on a1 b1`.
fn traits(variant: &Variant, position: &Position, index: usize) -> Vec<String> {
    let mut pieces: BTreeMap<i16, Vec<String>> = BTreeMap::new();
    for square in position.occupied() {
        if let Some(value) = unusual(variant, position, index, square) {
            pieces.entry(value).or_default().push(variant.board().name(square));
        }
    }
    let text = |value| variant.spec().traits[index].text(value);
    pieces.into_iter().map(|(value, squares)| format!("{} on {}", text(value), squares.join(" "))).collect()
}

/// A trait of the piece on `square`, if it differs from the initial value of its kind.
pub(super) fn unusual(variant: &Variant, position: &Position, index: usize, square: Square) -> Option<i16> {
    let value = position.trait_at(variant, index, square);
    let initial = &variant.spec().traits[index].initial;
    let usual = initial.get(position.at(square).kind().index()).or(initial.last());
    (usual != Some(&value)).then_some(value)
}

#[cfg(test)]
#[path = "numbers_tests.rs"]
mod tests;
