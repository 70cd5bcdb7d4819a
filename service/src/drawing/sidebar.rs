//! The text beside the board: dice, lost and held pieces, counters.

use super::extent::Extent;
use super::numbers;
use super::symbol::symbol;
use super::theme::{Pieces, Theme};
use crate::report::ToldRoll;
use astragal_core::{Event, Game, Kind, Piece, Position, Side, Square, State, Variant};
use astragal_dsl::notation::fen::Masked;
use astragal_dsl::{Loaded, game_text};

/// The lines beside the board. The dice of the turn belong to the options of the player to decide.
pub(crate) fn lines(loaded: &Loaded, game: &Game, theme: Theme, extent: Extent) -> Vec<String> {
    let state = game.state();
    let mut out = Vec::new();
    let unused = dice_left(state, extent.shows_options());
    if !unused.is_empty() {
        out.push(format!("Dice left: {}", dice(loaded, &unused, theme)));
    }
    out.extend(lost(game, theme));
    out.extend(hands(&loaded.set.variant, state.position(), theme));
    out.extend(not_drawn(game, extent));
    out
}

/// The lines beside the board without dice, hands and lost pieces, for pages that draw these.
pub(crate) fn not_drawn(game: &Game, extent: Extent) -> Vec<String> {
    let state = game.state();
    // A view without hidden parts shows secrets as well.
    let masked = (extent == Extent::Whole).then_some(&[][..]);
    counted(&state.ruleset().variant, state.position(), masked)
}

/// The parts of a position beside the board: hands, numbers, sides that are out. `masked` lists the hidden values if the
/// position is one side's view.
pub(crate) fn standing(variant: &Variant, position: &Position, masked: Option<&[Masked]>, theme: Theme) -> Vec<String> {
    let mut out = hands(variant, position, theme);
    out.extend(counted(variant, position, masked));
    out
}

/// Numbers, sides that are out, and neighbors that the board does not show.
fn counted(variant: &Variant, position: &Position, masked: Option<&[Masked]>) -> Vec<String> {
    let mut out: Vec<String> = numbers::lines(variant, position, masked).lines().map(String::from).collect();
    for i in 0..variant.sides() {
        let side = Side(i as u8);
        if position.is_out(side) {
            out.push(format!("{} is out", game_text::side_name(variant, side)));
        }
    }
    out.extend(match variant.board().wraps() {
        (true, true) => Some("Each edge joins the opposite edge".to_owned()),
        (true, false) => Some("The left edge joins the right edge".to_owned()),
        (false, true) => Some("The lower edge joins the upper edge".to_owned()),
        (false, false) => None,
    });
    let (joined, parted) = variant.board().seams();
    let pairs = |pairs: &[[Square; 2]]| {
        let names = pairs.iter().map(|pair| pair.map(|square| variant.board().name(square)).join("-"));
        names.collect::<Vec<_>>().join(" ")
    };
    if !joined.is_empty() {
        out.push(format!("Also neighbors: {}", pairs(&joined)));
    }
    if !parted.is_empty() {
        out.push(format!("Not neighbors: {}", pairs(&parted)));
    }
    out
}

/// The unused dice of the current turn; none unless `open` is set.
pub fn dice_left(state: &State, open: bool) -> Vec<i16> {
    state.unused().filter(|_| open && state.over().is_none()).unwrap_or_default()
}

/// Dice as a drawing, with the pieces that their faces stand for.
pub(crate) fn dice(loaded: &Loaded, faces: &[i16], theme: Theme) -> String {
    let one = |&face: &i16| {
        let die = die(face, theme);
        let letter = usize::try_from(face - 1).ok().and_then(|i| loaded.faces.get(i)).filter(|l| !l.is_empty());
        match letter.and_then(|letter| loaded.set.variant.kind_lettered(letter)) {
            Some(kind) => format!("{die} {}", loaded.set.variant.kind(kind).name),
            None => die,
        }
    };
    faces.iter().map(one).collect::<Vec<_>>().join("  ")
}

/// One die.
fn die(face: i16, theme: Theme) -> String {
    let die = match face {
        1..=6 if theme.pieces == Pieces::Unicode || theme.boxes => {
            char::from_u32(0x267f + face as u32).map_or(String::new(), String::from)
        }
        _ => format!("[{face}]"),
    };
    theme.paint("1;38;5;16;48;5;255", &if theme.color { format!(" {die} ") } else { die })
}

fn kinds(variant: &Variant) -> impl Iterator<Item = Kind> {
    (0..variant.kinds().len() as u8).map(Kind)
}

/// The pieces that each side had at the start and no longer has; promoted pieces are not lost. If captured pieces change
/// hands, they are held instead.
fn lost(game: &Game, theme: Theme) -> Vec<String> {
    let variant = &game.state().ruleset().variant;
    let one = |lost: Losses| {
        let symbols = lost
            .kinds
            .iter()
            .flat_map(|&(kind, count)| std::iter::repeat_n(symbol(variant, Piece::new(lost.side, kind), theme), count));
        let what = match (lost.kinds.is_empty(), lost.count) {
            (false, _) => symbols.collect::<Vec<_>>().join(" "),
            (true, 1) => "1 piece".into(),
            (true, count) => format!("{count} pieces"),
        };
        format!("{} lost {what}", game_text::side_name(variant, lost.side))
    };
    losses(game).into_iter().map(one).collect()
}

/// The pieces that a side had at the start and no longer has.
pub(crate) struct Losses {
    /// The side.
    pub(crate) side: Side,
    /// The number of pieces, at least 1.
    pub(crate) count: usize,
    /// The pieces by kind; empty if it is unknown which of them were promoted.
    pub(crate) kinds: Vec<(Kind, usize)>,
}

/// The losses of all sides that have lost pieces; none in games where captured pieces change hands.
pub(crate) fn losses(game: &Game) -> Vec<Losses> {
    let variant = &game.state().ruleset().variant;
    let sides = (0..variant.sides()).map(|side| Side(side as u8)).filter(|_| !variant.spec().hands);
    sides.filter_map(|side| lost_by(game, side)).collect()
}

/// The losses of a side.
fn lost_by(game: &Game, side: Side) -> Option<Losses> {
    let (variant, position) = (&game.state().ruleset().variant, game.state().position());
    let change = |kind: Kind| {
        let piece = Piece::new(side, kind);
        i64::from(game.start().count(variant, piece)) - i64::from(position.count(variant, piece))
    };
    let mut more: i64 = kinds(variant).map(|kind| (-change(kind)).max(0)).sum();
    let mut gone: Vec<(Kind, i64)> = Vec::new();
    for kind in kinds(variant) {
        let fewer = change(kind).max(0);
        // Promotion first: it explains which pieces became others.
        let promoted = if variant.kind(kind).promotion.is_some() { fewer.min(more) } else { 0 };
        more -= promoted;
        gone.push((kind, fewer - promoted));
    }
    gone.retain(|(_, count)| *count > 0);
    let lost = gone.iter().map(|(_, count)| count).sum::<i64>() - more;
    let count = usize::try_from(lost).ok().filter(|&lost| lost > 0)?;
    let kinds = match gone.as_slice() {
        [_, _, ..] if more > 0 => Vec::new(),
        [(kind, _)] => vec![(*kind, count)],
        several => several.iter().map(|(kind, count)| (*kind, *count as usize)).collect(),
    };
    Some(Losses { side, count, kinds })
}

/// The pieces in each hand, a line for each side that holds some.
pub(super) fn hands(variant: &Variant, position: &Position, theme: Theme) -> Vec<String> {
    if !variant.spec().hands {
        return Vec::new();
    }
    let of = |i: usize| {
        let side = Side(i as u8);
        let held = kinds(variant).flat_map(|kind| {
            let count = position.in_hand(variant, side, kind).max(0) as usize;
            std::iter::repeat_n(symbol(variant, Piece::new(side, kind), theme), count)
        });
        let held: Vec<String> = held.collect();
        (!held.is_empty()).then(|| format!("{} holds {}", game_text::side_name(variant, side), held.join(" ")))
    };
    (0..variant.sides()).filter_map(of).collect()
}

/// Rolled dice, drawn on a line with their purpose; empty if the theme has no pictures.
pub fn of_roll(loaded: &Loaded, roll: ToldRoll<'_>, theme: Theme) -> String {
    if !theme.boxes {
        return String::new();
    }
    let (before, faces) = (roll.before, roll.faces);
    let (variant, position) = (&loaded.set.variant, before.position());
    if before.rolled_for().len() == faces.len() {
        let one = |(&square, &face): (&Square, &i16)| {
            let (piece, name) = (position.at(square), variant.board().name(square));
            let whose = if piece.is_none() { "" } else { variant.kind(piece.kind()).name.as_str() };
            format!("{} {whose} {name}", die(face, theme))
        };
        let dice: Vec<String> = before.rolled_for().iter().zip(faces).map(one).collect();
        return format!("{}\n", dice.join("  "));
    }
    format!("{}{}\n", contest(roll).unwrap_or_default(), dice(loaded, faces, theme))
}

/// Attacker and defender, if the roll decides a capture that has been tried and not yet made.
fn contest(roll: ToldRoll<'_>) -> Option<String> {
    let (earlier, event) = roll.after?;
    let Event::Move(paid) = event else { return None };
    if earlier.names_move() {
        return None;
    }
    let (mv, variant) = (paid.mv, &roll.before.ruleset().variant);
    // Both pieces are still on their squares.
    let standing = |square: Square| {
        let piece = earlier.position().at(square);
        (!piece.is_none() && roll.before.position().at(square) == piece).then_some(piece)
    };
    let (attacker, defender) = (standing(mv.from)?, standing(mv.to)?);
    let name = |piece: Piece| variant.kind(piece.kind()).name.as_str();
    let fight = attacker.side() != defender.side();
    fight.then(|| format!("{}, {} against {}: ", game_text::shown_move(earlier, *paid), name(attacker), name(defender)))
}

#[cfg(test)]
#[path = "sidebar_tests.rs"]
mod tests;
