//! Possible answers as texts: moves in coordinates, choices, dice and their faces.

use super::payment::{faces, has_to_be_named, paid_by, with_die};
use crate::notation::coord;
use crate::printable::in_a_line;
use astragal_core::{Choice, Move, MoveWithDice, State, Variant};

/// The variant of a state.
pub(super) fn variant(state: &State) -> &Variant {
    &state.ruleset().variant
}

/// The permitted moves in coordinates, sorted, preceded by the dice if the payment matters. Different options have
/// different texts.
pub fn options(state: &State) -> Vec<String> {
    let mut all: Vec<MoveWithDice> = state.moves().to_vec();
    all.sort();
    let mut texts = Vec::new();
    // Moves are sorted by origin and target first: only neighbors can be written alike.
    for alike in all.chunk_by(|a, b| (a.mv.from, a.mv.to) == (b.mv.from, b.mv.to)) {
        let among: Vec<Move> = alike.iter().map(|paid| paid.mv).collect();
        for ways in alike.chunk_by(|a, b| a.mv == b.mv) {
            let name = coord::name(variant(state), state.position(), ways[0].mv, &among);
            match has_to_be_named(state, ways) {
                true => texts.extend(ways.iter().map(|&paid| paid_by(&state.price(paid), &name))),
                false => texts.push(name),
            }
        }
    }
    texts.sort();
    texts.dedup();
    texts
}

/// The permitted moves in coordinates, sorted, each once, however paid.
pub fn moves(state: &State) -> Vec<String> {
    let all = distinct(state);
    // Moves are sorted by origin and target first, so only adjacent moves can have the same text.
    let alike = all.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to));
    let name = |mv: &Move, among: &[Move]| coord::name(variant(state), state.position(), *mv, among);
    let mut texts: Vec<String> = alike.flat_map(|among| among.iter().map(move |mv| name(mv, among))).collect();
    texts.sort();
    texts
}

/// A permitted move in coordinates, distinct from all others.
pub fn move_name(state: &State, mv: Move) -> String {
    let among: Vec<Move> =
        state.moves().iter().map(|paid| paid.mv).filter(|other| (other.from, other.to) == (mv.from, mv.to)).collect();
    coord::name(variant(state), state.position(), mv, &among)
}

/// A permitted move as [`options`] lists it: in coordinates, preceded by the dice if the payment matters.
pub fn option_name(state: &State, paid: MoveWithDice) -> String {
    with_die(state, paid, &move_name(state, paid.mv))
}

/// The names of the possible results of a draw: squares, or moves in coordinates. Empty for dice. A die that shows 1 draws
/// the first.
pub fn drawn(state: &State) -> Vec<String> {
    let (variant, moves) = (variant(state), state.drawn_moves());
    match moves {
        [] => state.drawn_from().iter().map(|square| variant.board().name(*square)).collect(),
        moves => coord::names(variant, state.position(), moves),
    }
}

/// The choices as texts, in the rules' order.
pub fn choices(state: &State) -> Vec<String> {
    state.choices().iter().map(|choice| choice_text(variant(state), choice)).collect()
}

/// A choice as a text: the script's own, or the square's name.
pub fn choice_text(variant: &Variant, choice: &Choice) -> String {
    match choice {
        Choice::Text(text) => in_a_line(text).into_owned(),
        Choice::Square(square) => variant.board().name(*square),
    }
}

/// The distinct moves that are permitted, however paid.
pub fn distinct(state: &State) -> Vec<Move> {
    let mut moves: Vec<Move> = state.moves().iter().map(|paid| paid.mv).collect();
    moves.sort();
    moves.dedup();
    moves
}

/// Dice as a field of a position: a letter for each face if the variant has letters, else numbers.
pub fn dice_text(letters: &[String], dice: &[i16]) -> String {
    let letter = |face: &i16| usize::try_from(i32::from(*face) - 1).ok().and_then(|i| letters.get(i)).cloned();
    let texts: Option<Vec<String>> = dice.iter().map(letter).collect();
    texts.filter(|texts| texts.iter().all(|t| !t.is_empty())).map_or_else(|| faces(dice), |texts| texts.concat())
}

/// Reads what [`dice_text`] writes.
///
/// # Errors
/// A sentence about the problem.
pub fn read_dice(letters: &[String], text: &str) -> Result<Vec<i16>, String> {
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        let number = |part: &str| part.parse().map_err(|_| format!("'{part}' is not a face of a die"));
        return text.split(',').map(number).collect();
    }
    let mut dice = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let starts = |letter: &&String| {
            !letter.is_empty() && rest.get(..letter.len()).is_some_and(|r| r.eq_ignore_ascii_case(letter))
        };
        let found = letters.iter().filter(starts).max_by_key(|letter| letter.len());
        let Some(letter) = found else {
            let known = if letters.is_empty() { "none in this game".into() } else { letters.join(", ") };
            return Err(format!("'{rest}' does not start with the letter of a die face (known letters: {known})"));
        };
        let face = letters.iter().position(|l| l == letter).unwrap_or(0) + 1;
        dice.push(i16::try_from(face).map_err(|_| "too many faces".to_string())?);
        rest = &rest[letter.len()..];
    }
    Ok(dice)
}
