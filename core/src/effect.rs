//! What a rule may do to the game: numbered data, applied natively.
//!
//! Effects on the board go through [`Position`]; effects on the course of the game (its end, whose
//! turn is next) are collected in [`Course`] for the state machine.

use crate::army::{Kind, Piece, Side};
use crate::position::Position;
use crate::square::Square;
use crate::value::{SetExpr, SideRef, SquareRef, View};

/// A change that a rule makes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Takes the piece on a square out of play.
    Remove(SquareRef),
    /// Takes all pieces of a set out of play.
    RemoveAll(SetExpr),
    /// Puts a piece on a square; what stood there is gone.
    Place(SquareRef, SideRef, Kind),
    /// Moves a piece, without capture rules; what stood on the target is gone.
    Relocate(SquareRef, SquareRef),
    /// Gives the piece on a square to a side.
    Convert(SquareRef, SideRef),
    /// Gives all pieces of one side to another.
    ConvertAll(SideRef, SideRef),
    /// Turns the piece on a square into another kind.
    Become(SquareRef, Kind),
    /// Sets a trait of the piece on a square.
    SetTrait(u8, SquareRef, i16),
    /// Sets a counter.
    SetCounter(u8, SideRef, i16),
    /// Puts a piece of a kind into a hand (or takes it out, if negative).
    ToHand(SideRef, Kind, i16),
    /// Carries out the move that a `capture` rule decides about.
    Complete,
    /// Names what has happened, for lists of odds.
    Label(String),
    /// Ends the game: the side has won.
    Win(SideRef, String),
    /// Ends the game: nobody has won.
    Draw(String),
    /// The side is out of the game: its turns are skipped.
    Eliminate(SideRef),
    /// After this turn the given side is to move.
    Next(SideRef),
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Over {
    /// Who has won; nobody in a draw.
    pub winner: Option<Side>,
    /// Why, in a few words.
    pub reason: String,
}

/// What effects have decided about the course of the game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Course {
    /// The end, once decided.
    pub over: Option<Over>,
    /// Who is next, if not the next in order.
    pub next: Option<Side>,
    /// What has happened, as the script names it (the last label).
    pub label: Option<String>,
    /// The sides that are out of the game, one bit each.
    pub eliminated: u8,
}

/// Applies an effect other than [`Effect::Complete`], which is the state machine's. References that
/// lead nowhere make it do nothing.
pub fn apply(effect: &Effect, view: &View<'_>, position: &mut Position, course: &mut Course) {
    let variant = view.variant;
    match effect {
        Effect::Remove(square) => {
            if let Some(square) = view.square(*square) {
                remove(view, position, square);
            }
        }
        Effect::RemoveAll(set) => view.set(set).into_iter().for_each(|square| remove(view, position, square)),
        Effect::Place(square, side, kind) => {
            if let (Some(square), Some(side)) = (view.square(*square), view.side(*side)) {
                remove(view, position, square);
                position.put(variant, square, Piece::new(side, *kind));
            }
        }
        Effect::Relocate(from, to) => {
            if let (Some(from), Some(to)) = (view.square(*from), view.square(*to)) {
                relocate(view, position, from, to);
            }
        }
        Effect::Convert(square, side) => {
            if let (Some(square), Some(side)) = (view.square(*square), view.side(*side)) {
                convert(view, position, square, side);
            }
        }
        Effect::ConvertAll(from, to) => {
            if let (Some(from), Some(to)) = (view.side(*from), view.side(*to)) {
                position.of(from).into_iter().for_each(|square| convert(view, position, square, to));
            }
        }
        Effect::Become(square, kind) => {
            if let Some(square) = view.square(*square).filter(|&s| !position.at(s).is_none()) {
                let piece = position.at(square);
                position.shift(variant, square, square, Piece::new(piece.side(), *kind));
            }
        }
        Effect::SetTrait(index, square, value) => {
            if let Some(square) = view.square(*square).filter(|&s| !position.at(s).is_none()) {
                position.set_trait(variant, *index as usize, square, *value);
            }
        }
        Effect::SetCounter(index, side, value) => {
            let side = view.side(*side).unwrap_or(Side::FIRST);
            position.set_counter(variant, *index as usize, side, *value);
        }
        Effect::ToHand(side, kind, count) => {
            if let Some(side) = view.side(*side) {
                let held = position.in_hand(variant, side, *kind).saturating_add(*count);
                position.set_in_hand(variant, side, *kind, held.max(0));
            }
        }
        Effect::Complete => {}
        Effect::Label(text) => course.label = Some(text.clone()),
        Effect::Win(side, reason) => course.over = Some(Over { winner: view.side(*side), reason: reason.clone() }),
        Effect::Draw(reason) => course.over = Some(Over { winner: None, reason: reason.clone() }),
        Effect::Eliminate(side) => {
            if let Some(side) = view.side(*side) {
                course.eliminated |= 1 << side.0;
            }
        }
        Effect::Next(side) => course.next = view.side(*side),
    }
}

/// Removal restarts the count of quiet half-moves, as a capture does.
fn remove(view: &View<'_>, position: &mut Position, square: Square) {
    if !position.take(view.variant, square).is_none() {
        position.touch(view.variant, square);
        position.set_clock(0);
    }
}

fn relocate(view: &View<'_>, position: &mut Position, from: Square, to: Square) {
    let piece = position.at(from);
    if piece.is_none() || from == to {
        return;
    }
    remove(view, position, to);
    position.touch(view.variant, from);
    position.shift(view.variant, from, to, piece);
}

fn convert(view: &View<'_>, position: &mut Position, square: Square, side: Side) {
    let piece = position.at(square);
    if piece.is_none() || piece.side() == side {
        return;
    }
    position.touch(view.variant, square);
    position.shift(view.variant, square, square, Piece::new(side, piece.kind()));
    position.set_clock(0);
}
