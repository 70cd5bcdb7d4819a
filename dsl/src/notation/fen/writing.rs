//! Writing positions.

use super::letters::letter;
use super::{heaps, last_moves};
use astragal_core::{EnPassant, Kind, Piece, Position, Side, Variant};

/// Writes a position: six fields, then the counters and traits that differ from their initial values.
pub fn write(variant: &Variant, position: &Position) -> String {
    write_turn(variant, position, None)
}

/// Writes a position within a turn whose unused dice are `dice`.
pub fn write_turn(variant: &Variant, position: &Position, dice: Option<&str>) -> String {
    write_view(variant, position, dice, None)
}

/// Writes a position as `viewer` may know it (`None`: all of it). A secret counter's values are `?`, except for the
/// viewer's own (`?3` if opponents see how many a pool holds). Of a secret trait, only the values of the viewer's own
/// pieces are written, and `?b` for those of the side with the letter b (`?b:0x4+1x4` if opponents see how many pieces have
/// which value).
pub fn write_view(variant: &Variant, position: &Position, dice: Option<&str>, viewer: Option<Side>) -> String {
    let side = variant.spec().sides.get(position.side().index()).map_or('-', |s| s.letter);
    let castling: String = variant
        .spec()
        .castles
        .iter()
        .enumerate()
        .filter(|(i, _)| position.rights() >> i & 1 != 0)
        .map(|(_, c)| c.letter)
        .collect();
    let passed: String = position.en_passant().iter().map(|right| variant.board().name(right.target)).collect();
    let or_none = |text: String| if text.is_empty() { "-".into() } else { text };
    let mut text = placement(variant, position);
    text.push_str(&format!(
        " {side} {} {} {} {}",
        or_none(castling),
        or_none(passed),
        position.clock(),
        position.number()
    ));
    let passed_by_mover = |right: &EnPassant| position.at(right.victim).belongs_to(position.side());
    if let Some(dice) = dice.or(position.en_passant().iter().any(passed_by_mover).then_some("-")) {
        text.push_str(&format!(" {dice}"));
    }
    write_counters(variant, position, viewer, &mut text);
    write_marks(variant, position, &mut text);
    write_traits(variant, position, viewer, &mut text);
    heaps::write(variant, position, &mut text);
    write_out(variant, position, &mut text);
    text
}

/// Writes the first field: the placement, with the hands in games that have them.
pub fn placement(variant: &Variant, position: &Position) -> String {
    let board = variant.board();
    let mut text = String::new();
    for rank in (0..board.height()).rev() {
        let mut empty = 0;
        for file in 0..board.width() {
            let square = board.at(i64::from(file), i64::from(rank));
            let mark = match square.map(|s| position.at(s)) {
                Some(piece) if piece.is_none() => {
                    empty += 1;
                    continue;
                }
                Some(piece) => letter(variant, piece),
                None => "*".into(),
            };
            if empty > 0 {
                text.push_str(&std::mem::take(&mut empty).to_string());
            }
            text.push_str(&mark);
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        if rank > 0 {
            text.push('/');
        }
    }
    if variant.spec().hands {
        text.push_str(&hands(variant, position));
    }
    text
}

fn hands(variant: &Variant, position: &Position) -> String {
    let mut text = String::from("[");
    for side in (0..variant.sides() as u8).map(Side) {
        for kind in (0..variant.kinds().len() as u8).map(Kind) {
            let count = position.in_hand(variant, side, kind).max(0);
            text.push_str(&letter(variant, Piece::new(side, kind)).repeat(count as usize));
        }
    }
    text + "]"
}

fn write_counters(variant: &Variant, position: &Position, viewer: Option<Side>, text: &mut String) {
    for (i, def) in variant.spec().counters.iter().enumerate() {
        if variant.spec().last_moves == Some(i as u8) {
            last_moves::write(variant, position, text);
            continue;
        }
        let sides = if def.per_side { variant.sides() } else { 1 };
        let places = |side| (0..def.size).map(move |place| position.counter_at(variant, i, place, Side(side)));
        let hidden = |side: u8| def.secret && viewer.is_some_and(|viewer| !def.per_side || viewer.0 != side);
        // The presence of the field must not reveal hidden values.
        let unsure = (0..sides as u8).any(hidden);
        if unsure || (0..sides as u8).flat_map(places).any(|value| value != def.initial) {
            let values = |side| match hidden(side) {
                true if def.counted => format!("?{}", places(side).map(i32::from).sum::<i32>().max(0)),
                true => "?".to_owned(),
                false => places(side).map(|value| value.to_string()).collect::<Vec<_>>().join(","),
            };
            let values: Vec<String> = (0..sides as u8).map(values).collect();
            text.push_str(&format!(" {}={}", def.name, values.join("/")));
        }
    }
}

/// Marks on squares: `burnt=d5,e4`, or `claimed=a1/-` if each side has its own.
fn write_marks(variant: &Variant, position: &Position, text: &mut String) {
    for (i, def) in variant.spec().marks.iter().enumerate() {
        let sides = if def.per_side { variant.sides() } else { 1 };
        let marked: Vec<_> = (0..sides).map(|side| position.marked(variant, i, Side(side as u8))).collect();
        if marked.iter().all(|set| set.is_empty()) {
            continue;
        }
        let names = marked.iter().map(|set| match set.is_empty() {
            true => "-".to_owned(),
            false => set.into_iter().map(|square| variant.board().name(square)).collect::<Vec<_>>().join(","),
        });
        text.push_str(&format!(" {}={}", def.name, names.collect::<Vec<_>>().join("/")));
    }
}

fn write_out(variant: &Variant, position: &Position, text: &mut String) {
    let sides = variant.spec().sides.iter().enumerate();
    let out: String = sides.filter(|(i, _)| position.is_out(Side(*i as u8))).map(|(_, side)| side.letter).collect();
    if !out.is_empty() {
        text.push_str(&format!(" out={out}"));
    }
}

fn write_traits(variant: &Variant, position: &Position, viewer: Option<Side>, text: &mut String) {
    for (i, def) in variant.spec().traits.iter().enumerate() {
        let mut changed = Vec::new();
        for square in position.occupied() {
            if def.secret && viewer.is_some_and(|viewer| position.at(square).side() != viewer) {
                continue;
            }
            let value = position.trait_at(variant, i, square);
            let kind = position.at(square).kind().index();
            if value != def.initial.get(kind).or(def.initial.last()).copied().unwrap_or(0) {
                changed.push(format!("{}:{value}", variant.board().name(square)));
            }
        }
        // As with counters, the `?` is written whether or not the side has hidden values.
        let others = variant.spec().sides.iter().enumerate().map(|(side, def)| (Side(side as u8), def.letter));
        for (side, letter) in others.filter(|&(side, _)| def.secret && viewer.is_some_and(|viewer| viewer != side)) {
            let counts = position.trait_counts(variant, i, side);
            let counts: Vec<String> = counts.into_iter().map(|(value, n)| format!("{value}x{n}")).collect();
            changed.push(format!(
                "?{letter}{}",
                if def.counted { format!(":{}", counts.join("+")) } else { String::new() }
            ));
        }
        if !changed.is_empty() {
            text.push_str(&format!(" {}={}", def.name, changed.join(",")));
        }
    }
}
