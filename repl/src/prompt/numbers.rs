//! The numbers of a position for people: counters that are not 0, dice held by their faces, and traits that
//! differ from what men of the kind have at the start. Secret ones are not shown here.

use astragal_core::{Position, Side, Variant};
use astragal_dsl::words;
use std::collections::BTreeMap;

/// One line for each counter and trait of which there is something to say.
pub fn lines(variant: &Variant, position: &Position) -> String {
    let spec = variant.spec();
    let mut out = String::new();
    for (i, def) in spec.counters.iter().enumerate() {
        if def.secret || spec.unprepared == Some(i as u8) {
            continue;
        }
        let owners = if def.per_side { variant.sides() } else { 1 };
        let shown: Vec<String> = (0..owners).map(|side| counter(variant, position, i, Side(side as u8))).collect();
        if shown.iter().all(|text| text.is_empty() || text == "0") {
            continue;
        }
        let owned = |(side, text): (usize, &String)| {
            let text = if text.is_empty() { "none" } else { text };
            if def.per_side { format!("{} {text}", words::side_name(variant, Side(side as u8))) } else { text.into() }
        };
        let shown: Vec<String> = shown.iter().enumerate().map(owned).collect();
        out.push_str(&format!("{}: {}\n", def.name, shown.join(", ")));
    }
    for (i, def) in spec.traits.iter().enumerate().filter(|(_, def)| !def.secret) {
        let shown = traits(variant, position, i);
        if !shown.is_empty() {
            out.push_str(&format!("{}: {}\n", def.name, shown.join(", ")));
        }
    }
    out
}

/// What a counter holds: a number, or the faces of the dice in it.
fn counter(variant: &Variant, position: &Position, index: usize, side: Side) -> String {
    let places = variant.places(index);
    let held = |place: u8| position.counter_at(variant, index, place, side);
    if places == 1 {
        return held(0).to_string();
    }
    let faces = (0..places).flat_map(|place| std::iter::repeat_n(u32::from(place) + 1, held(place).max(0) as usize));
    faces.map(|face| face.to_string()).collect::<Vec<_>>().join(" ")
}

/// The men whose number is not that of their kind, by number: `3 on a1 b1`.
fn traits(variant: &Variant, position: &Position, index: usize) -> Vec<String> {
    let mut men: BTreeMap<i16, Vec<String>> = BTreeMap::new();
    for square in position.occupied() {
        let value = position.trait_at(variant, index, square);
        let initial = &variant.spec().traits[index].initial;
        let usual = initial.get(position.at(square).kind().index()).or(initial.last());
        if usual != Some(&value) {
            men.entry(value).or_default().push(variant.board().name(square));
        }
    }
    men.into_iter().map(|(value, squares)| format!("{value} on {}", squares.join(" "))).collect()
}

#[cfg(test)]
#[path = "numbers_tests.rs"]
mod tests;
