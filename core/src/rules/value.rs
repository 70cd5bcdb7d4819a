//! The values that a running rule holds: references to slots, and the values behind them.
//!
//! A script never sees a move or a square set, only a numbered *slot*, so one branch of a rule's tree serves every move and
//! every set. References are resolved against a [`View`].
//!
//! # Fixed values, and values looked up late
//!
//! A rule's variable keeps the value that it had when the rule asked for it. Most references cannot change meaning: they
//! name a slot. The others describe a value that is looked up on use, so that a rule's tree does not branch and stores
//! nothing for it. Before a step that may change such a value, the runner of the rule replaces the reference by a slot,
//! with [`Find::Side`], [`Find::Number`] or [`Find::Piece`](crate::rules::query::Find::Piece). A [`Part`] is what a
//! reference reads, and [`Effect::concerns`] returns the parts that an effect may change. A move may change everything that
//! an effect on pieces may, and everything that a `capture` rule may.
//!
//! | value | reference | reads | replaced by |
//! | --- | --- | --- | --- |
//! | side | [`SideRef::Is`], [`Mover`](SideRef::Mover), [`Ahead`](SideRef::Ahead), [`Held`](SideRef::Held) | nothing that changes | |
//! | | [`SideRef::Opponent`] | [`Part::Order`] | [`SideRef::Held`] |
//! | | [`SideRef::ToMove`] | [`Part::Turn`] | [`SideRef::Held`] |
//! | | [`SideRef::OwnerOf`] | [`Part::Owner`] | [`SideRef::Held`] |
//! | square | all but the next: a place; its content is read anew each time | nothing that changes | |
//! | piece | the square it stands on | [`Part::Owner`], [`Part::Kind`], [`Part::Traits`] | [`SquareRef::Piece`] |
//! | set | [`SetExpr`]: slots, squares and what they are joined to | nothing that changes | |
//! | number | [`Amount::Counter`], [`Amount::Highest`], [`Amount::Held`] | [`Part::Counter`], and what the side reads | [`Amount::Slot`] |
//! | | [`Amount::Trait`] | [`Part::Trait`] | [`Amount::Slot`] |
//! | | [`Amount::Pips`] | [`Part::Owner`], [`Part::Hands`], and what the side reads | [`Amount::Slot`] |
//! | | numbers known, of dice and of sets | nothing that changes | |
//! | | sums and the like | what their parts read | [`Amount::Slot`] |
//! | permit | the sides in it ([`Permit::each_side`]) | as sides do | [`SideRef::Held`] |
//! | | its sets, tests and what tests captured | nothing that changes | |
//! | | the moves, and the dice that pay for them | it describes them: they are looked up when it is played | |
//! | move | a slot: the move as the rule received it, also the last of a side; `done` and the squares of its pieces are read anew | | |
//!
//! [`Find::Side`]: crate::rules::query::Find::Side
//! [`Find::Number`]: crate::rules::query::Find::Number
//! [`Effect::concerns`]: crate::rules::effect::Effect::concerns
//! [`Amount::Counter`]: crate::rules::amount::Amount::Counter
//! [`Amount::Trait`]: crate::rules::amount::Amount::Trait
//! [`Amount::Pips`]: crate::rules::amount::Amount::Pips
//! [`Amount::Slot`]: crate::rules::amount::Amount::Slot
//! [`Amount::Highest`]: crate::rules::amount::Amount::Highest
//! [`Amount::Held`]: crate::rules::amount::Amount::Held
//! [`Permit::each_side`]: crate::rules::permit::Permit::each_side

use crate::board::piece::Piece;
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::dice::mix;
use crate::position::{Made, Position};
use crate::rules::Walker;
use crate::rules::faces::{Asked, Watched};
use crate::rules::history::History;
use crate::variant::Variant;
use std::sync::Arc;

/// The number of a value that a running rule holds.
pub type Slot = u8;

/// The maximum number of values that one run of a rule may hold.
pub const MAX_SLOTS: usize = 250;

/// A value that a running rule holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A move, and whether it was carried out (a capture that failed was not).
    Move(Made, bool),
    /// A move that was not just made by the rule: drawn at random (false), or the last move of a side (true). The board
    /// does not determine it.
    Named(Made, bool),
    /// A square, or none.
    Square(Option<Square>),
    /// A set of squares.
    Set(SquareSet),
    /// The faces of several dice, each belonging to a square.
    Faces(Vec<(Square, i16)>),
    /// The faces of several dice that belong to no square.
    Dice(Vec<i16>),
    /// A side, or none.
    Side(Option<Side>),
    /// A number.
    Number(i64),
    /// The piece that was on a square, if there was such a square, with its traits by index.
    Piece(Option<Square>, Piece, Vec<i16>),
    /// Faces of either sort that record the questions about them.
    Watched(Arc<Watched>),
    /// No value: the decision was not made (no move was possible).
    None,
}

impl Value {
    /// Mixes the held value into a key, except moves: their effects are on the board.
    pub(crate) fn mark(&self, key: u64) -> u64 {
        let step = |key: u64, number: u64| mix(key ^ number);
        match self {
            Value::Move(..) | Value::None => key,
            Value::Named(made, done) => [u64::from(*done), made.number()].into_iter().fold(step(key, 5 << 40), step),
            Value::Square(square) => step(key, square.map_or(0, |s| u64::from(s.0) + 1)),
            Value::Set(set) => set.0.iter().fold(key, |key, &word| step(key, word)),
            Value::Faces(faces) => faces
                .iter()
                .fold(key, |key, &(square, face)| step(key, u64::from(square.0) << 16 | u64::from(face as u16))),
            Value::Dice(faces) => faces.iter().fold(key, |key, &face| step(key, 1 << 40 | u64::from(face as u16))),
            Value::Side(side) => step(key, 2 << 40 | side.map_or(0, |s| u64::from(s.0) + 1)),
            Value::Number(number) => step(step(key, 3 << 40), *number as u64),
            Value::Piece(square, piece, traits) => {
                let here = square.map_or(0, |s| u64::from(s.0) + 1) << 16 | piece.index() as u64;
                traits.iter().fold(step(key, 4 << 40 | here), |key, &value| step(key, u64::from(value as u16)))
            }
            Value::Watched(watched) => watched.value().mark(key),
        }
    }
}

/// A side, named relative to the turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SideRef {
    /// This side.
    Is(Side),
    /// The side whose turn it is or, between turns, was.
    Mover,
    /// The next side in turn order that is not out of the game (with two players: the other).
    Opponent,
    /// The side this many places after the mover in turn order, whether out of the game or not.
    Ahead(u8),
    /// The side to move now; between turns, the next side.
    ToMove,
    /// The owner of the piece on a square; none if it is empty.
    OwnerOf(SquareRef),
    /// The side in a slot.
    Held(Slot),
}

impl SideRef {
    /// Whether the reference reads a part that is `concerned`.
    pub fn reads(self, concerned: &dyn Fn(Part) -> bool) -> bool {
        match self {
            SideRef::Is(_) | SideRef::Mover | SideRef::Ahead(_) | SideRef::Held(_) => false,
            SideRef::Opponent => concerned(Part::Order),
            SideRef::ToMove => concerned(Part::Turn),
            SideRef::OwnerOf(SquareRef::Piece(_)) => false,
            SideRef::OwnerOf(_) => concerned(Part::Owner),
        }
    }
}

/// A part of the game that references read and effects change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// The owners of pieces on squares.
    Owner,
    /// The kinds of the pieces.
    Kind,
    /// The hands of sides.
    Hands,
    /// One trait of all pieces.
    Trait(u8),
    /// All traits.
    Traits,
    /// A counter, at all its places.
    Counter(u8),
    /// Which sides are out of the game.
    Order,
    /// The side to move.
    Turn,
}

/// A square named by a reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SquareRef {
    /// This square.
    At(Square),
    /// The square in a slot.
    Slot(Slot),
    /// The origin of a move.
    From(Slot),
    /// The target of a move.
    To(Slot),
    /// The square of the piece captured by a move.
    Captured(Slot),
    /// The target of the partner in a castling.
    Partner(Slot),
    /// The square that the piece in a slot was on. Its piece is the held one, as it was.
    Piece(Slot),
}

impl SquareRef {
    /// Whether the present piece on the square has a part that is `concerned`.
    pub fn reads(self, concerned: &dyn Fn(Part) -> bool) -> bool {
        let held = matches!(self, SquareRef::Piece(_));
        !held && [Part::Owner, Part::Kind, Part::Traits].into_iter().any(concerned)
    }
}

/// A set of squares: values found before, and their combinations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SetExpr {
    /// The set in a slot.
    Slot(Slot),
    /// This set.
    Is(SquareSet),
    /// One square (none, if the reference leads nowhere).
    One(SquareRef),
    /// Squares in either.
    Or(Box<SetExpr>, Box<SetExpr>),
    /// Squares in both.
    And(Box<SetExpr>, Box<SetExpr>),
    /// Squares in the first but not in the second.
    Minus(Box<SetExpr>, Box<SetExpr>),
}

/// Everything that a rule can see at one moment.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The variant.
    pub(crate) variant: &'a Variant,
    /// Its rules, for questions that ask another rule.
    pub(crate) rules: &'a Walker,
    /// The position.
    pub position: &'a Position,
    /// The values that the running rule holds.
    pub(crate) env: &'a [Value],
    /// The side whose turn it is or, between turns, was.
    pub(crate) mover: Side,
    /// Whether one turn has ended and the next has not begun.
    pub(crate) between: bool,
    /// The earlier positions, with the present one last.
    pub(crate) history: &'a History,
    /// The number of rules that wait for this one.
    pub(crate) depth: u8,
}

impl View<'_> {
    /// The values that the running rule holds, by slot.
    pub fn held(&self) -> &[Value] {
        self.env
    }

    /// The side whose turn it is or, between turns, was.
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// The referenced side; `None` for the owner of an empty square.
    pub(crate) fn side(&self, side: SideRef) -> Option<Side> {
        match side {
            SideRef::Is(side) => Some(side),
            SideRef::Mover => Some(self.mover),
            SideRef::Opponent => Some(self.position.after(self.variant, self.mover)),
            SideRef::Ahead(places) => Some((0..places).fold(self.mover, |side, _| self.variant.after(side))),
            SideRef::ToMove => Some(self.position.side()),
            SideRef::OwnerOf(square) => {
                let piece = self.piece(square);
                (!piece.is_none()).then(|| piece.side())
            }
            SideRef::Held(slot) => match self.env.get(slot as usize) {
                Some(Value::Side(side)) => *side,
                _ => None,
            },
        }
    }

    /// The referenced square, if there is one.
    pub(crate) fn square(&self, square: SquareRef) -> Option<Square> {
        match square {
            SquareRef::At(square) => Some(square),
            SquareRef::Slot(slot) => match self.env.get(slot as usize) {
                Some(Value::Square(square)) => *square,
                _ => None,
            },
            SquareRef::From(slot) => self.made(slot).map(|made| made.mv.from),
            SquareRef::To(slot) => self.made(slot).map(|made| made.mv.to),
            SquareRef::Partner(slot) => {
                let index = self.made(slot)?.mv.castling()?;
                self.variant.spec().castles.get(index).map(|castle| castle.rook.1)
            }
            SquareRef::Captured(slot) => {
                self.made(slot).filter(|made| !made.captured.is_none()).map(|made| made.captured_at)
            }
            SquareRef::Piece(slot) => match self.env.get(slot as usize) {
                Some(Value::Piece(square, ..)) => *square,
                _ => None,
            },
        }
    }

    /// The piece on a square; none if there is no such square.
    pub(crate) fn piece(&self, square: SquareRef) -> Piece {
        match square {
            SquareRef::Piece(slot) => self.held_piece(slot).map_or(Piece::NONE, |(piece, _)| piece),
            _ => self.square(square).map_or(Piece::NONE, |square| self.position.at(square)),
        }
    }

    /// A trait of the piece on the referenced square; 0 if there is no such square.
    pub(crate) fn trait_of(&self, index: u8, square: SquareRef) -> i16 {
        let index = usize::from(index);
        match square {
            SquareRef::Piece(slot) => {
                self.held_piece(slot).and_then(|(_, traits)| traits.get(index)).copied().unwrap_or(0)
            }
            _ => self.square(square).map_or(0, |square| self.position.trait_at(self.variant, index, square)),
        }
    }

    /// The piece in a slot, with its traits.
    fn held_piece(&self, slot: Slot) -> Option<(Piece, &[i16])> {
        match self.env.get(slot as usize) {
            Some(Value::Piece(_, piece, traits)) => Some((*piece, traits)),
            _ => None,
        }
    }

    /// The move in a slot.
    pub(crate) fn made(&self, slot: Slot) -> Option<&Made> {
        match self.env.get(slot as usize) {
            Some(Value::Move(made, _) | Value::Named(made, _)) => Some(made),
            _ => None,
        }
    }

    /// Whether the move in a slot was carried out.
    pub(crate) fn is_done(&self, slot: Slot) -> bool {
        matches!(self.env.get(slot as usize), Some(Value::Move(_, true) | Value::Named(_, true)))
    }

    /// The dice in a slot that belong to no square; empty if it holds something else.
    pub(crate) fn dice(&self, slot: Slot) -> &[i16] {
        self.dice_asked(slot, Asked::Every)
    }

    /// The same, for a caller that examines only this much of them.
    pub(crate) fn dice_asked(&self, slot: Slot, asked: Asked) -> &[i16] {
        match self.env.get(slot as usize) {
            Some(Value::Dice(faces)) => faces,
            Some(Value::Watched(watched)) => match watched.ask(asked) {
                Value::Dice(faces) => faces,
                _ => &[],
            },
            _ => &[],
        }
    }

    /// The faces in a slot that belong to squares, for a caller that examines only what `asked` describes; `None` if the
    /// slot holds something else.
    pub(crate) fn faces_asked(
        &self,
        slot: Slot,
        asked: impl FnOnce(&[(Square, i16)]) -> Asked,
    ) -> Option<&[(Square, i16)]> {
        match self.env.get(slot as usize) {
            Some(Value::Faces(faces)) => Some(faces),
            Some(Value::Watched(watched)) => {
                let Value::Faces(faces) = watched.value() else { return None };
                watched.ask(asked(faces));
                Some(faces)
            }
            _ => None,
        }
    }

    /// Two sets, combined.
    fn both(&self, a: &SetExpr, b: &SetExpr, join: impl Fn(SquareSet, SquareSet) -> SquareSet) -> SquareSet {
        self.rules.meter().add(1);
        join(self.set(a), self.set(b))
    }

    /// The squares of the set.
    pub(crate) fn set(&self, set: &SetExpr) -> SquareSet {
        match set {
            SetExpr::Slot(slot) => match self.env.get(*slot as usize) {
                Some(Value::Set(set)) => *set,
                Some(Value::Square(Some(square))) => (*square).into(),
                _ => SquareSet::EMPTY,
            },
            SetExpr::Is(set) => *set,
            SetExpr::One(square) => self.square(*square).map_or(SquareSet::EMPTY, SquareSet::from),
            SetExpr::Or(a, b) => self.both(a, b, |a, b| a | b),
            SetExpr::And(a, b) => self.both(a, b, |a, b| a & b),
            SetExpr::Minus(a, b) => self.both(a, b, |a, b| a - b),
        }
    }
}
