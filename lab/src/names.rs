//! The names of dice and special moves in reports, and the form of numbers.

use astragal_core::{Die, Move, Tag, Variant};

/// The name of a die: `d6`, or its faces, with their weights if they differ.
pub(crate) fn die_name(die: &Die) -> String {
    let (faces, weights) = (die.faces(), die.weights());
    if *die == Die::fair(faces.len() as u16) {
        return format!("d{}", faces.len());
    }
    let is_fair = weights.iter().all(|&weight| weight == 1);
    let face = |(face, weight): (&i16, &u32)| if is_fair { face.to_string() } else { format!("{face}x{weight}") };
    format!("die of {}", faces.iter().zip(weights).map(face).collect::<Vec<String>>().join(","))
}

/// A number with commas between groups of digits.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let groups = digits.bytes().enumerate().flat_map(|(at, digit)| {
        let comma = (at > 0 && at % 3 == first).then_some(',');
        comma.into_iter().chain([char::from(digit)])
    });
    groups.collect()
}

/// The name of a special move.
pub(crate) fn special(variant: &Variant, mv: Move) -> String {
    let kind = |index: u8| variant.kinds().get(usize::from(index)).map_or("?", |kind| kind.name.as_str());
    match mv.tag {
        Tag::Castle => match variant.spec().castles.get(usize::from(mv.extra)) {
            Some(castle) => format!("castling {}", castle.letter),
            None => "castling".into(),
        },
        Tag::Drop => format!("drop of a {}", mv.dropped().map_or("?", |dropped| kind(dropped.0))),
        Tag::Push => "push".into(),
        Tag::Heap if mv.carried() > 1 => "move of several pieces".into(),
        Tag::Heap => "move onto other pieces".into(),
        Tag::Over => "capture by passing over".into(),
        Tag::Plain | Tag::Double | Tag::EnPassant => match (mv.promotion(), mv.tag) {
            (Some(to), _) => format!("promotion to {}", kind(to.0)),
            (None, Tag::Double) => "double step".into(),
            (None, Tag::EnPassant) => "en passant".into(),
            (None, _) => "special move".into(),
        },
    }
}
