//! Swaps the colors of a game: the board is turned over, and the other side makes the same moves.
//!
//! A script that calls `symmetric()` claims that nothing else changes. This module maps squares, positions and events to
//! their counterparts; [`compare`] finds differences between two games.

mod compare;

use astragal_core::{
    Board, Choice, EnPassant, Event, Kind, MAX_SQUARES, Made, Move, MoveWithDice, Piece, Position, Side, Square, State,
    Tag, Variant,
};

/// How the board is turned over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// Rank by rank: the ranks nearest to one side become the nearest to the other; files stay.
    Mirrored,
    /// By half a turn about the center.
    Turned,
}

impl Symmetry {
    /// The counterpart of a square.
    fn counterpart(self, board: &Board, square: Square) -> Option<Square> {
        match self {
            Symmetry::Turned => board.turned(square, board.cells().turns() / 2),
            Symmetry::Mirrored => board.mirrored(square),
        }
    }

    /// What makes the symmetry impossible in a variant, if anything does.
    pub(crate) fn obstacle(self, variant: &Variant) -> Option<String> {
        if variant.sides() != 2 {
            return Some(format!("`symmetric` requires exactly 2 sides, not {}", variant.sides()));
        }
        let board = variant.board();
        let lonely = board.squares().into_iter().find(|square| self.counterpart(board, *square).is_none())?;
        let turned_over = match self {
            Symmetry::Turned => "rotated",
            Symmetry::Mirrored => "mirrored",
        };
        Some(format!("{} has no counterpart when the board is {turned_over}", board.name(lonely)))
    }
}

/// The correspondence for one variant.
#[derive(Clone, Copy)]
pub struct Flip<'a> {
    variant: &'a Variant,
    /// How the board is turned over; `None` if only the squares are known.
    symmetry: Option<Symmetry>,
    /// By square, its counterpart.
    squares: [Square; MAX_SQUARES],
}

impl<'a> Flip<'a> {
    /// The correspondence; `None` unless the variant has two sides and every square a counterpart.
    pub fn new(variant: &'a Variant, symmetry: Symmetry) -> Option<Flip<'a>> {
        if symmetry.obstacle(variant).is_some() {
            return None;
        }
        let mut squares = [Square(0); MAX_SQUARES];
        for (square, counterpart) in (0..=u8::MAX).map(Square).zip(&mut squares) {
            *counterpart = symmetry.counterpart(variant.board(), square).unwrap_or(square);
        }
        Some(Flip { variant, symmetry: Some(symmetry), squares })
    }

    /// The correspondence of the places of the two sides on their tracks: the first place of one side corresponds to the
    /// first place of the other, and so on. Other squares correspond to themselves. `None` unless the variant has two sides
    /// and tracks, and each square is the counterpart of its counterpart. The rules may still treat the sides differently.
    pub fn along_tracks(variant: &'a Variant) -> Option<Flip<'a>> {
        let tracks = &variant.spec().tracks;
        if variant.sides() != 2 || tracks.is_empty() {
            return None;
        }
        let mut found = [None; MAX_SQUARES];
        for track in tracks {
            let places = |side: usize| track.paths[side].iter().flatten().flatten();
            if places(0).count() != places(1).count() {
                return None;
            }
            for (&own, &other) in places(0).zip(places(1)) {
                for (from, to) in [(own, other), (other, own)] {
                    if *found[from.index()].get_or_insert(to) != to {
                        return None;
                    }
                }
            }
        }
        let mut squares = [Square(0); MAX_SQUARES];
        for ((square, counterpart), found) in (0..=u8::MAX).map(Square).zip(&mut squares).zip(found) {
            *counterpart = found.unwrap_or(square);
        }
        Some(Flip { variant, symmetry: None, squares })
    }

    /// The square that corresponds to `square`.
    pub fn square(&self, square: Square) -> Square {
        self.squares.get(square.index()).copied().unwrap_or(square)
    }

    /// The other side.
    pub fn side(&self, side: Side) -> Side {
        Side(1 - side.0.min(1))
    }

    /// The position with colors swapped. The round number does not change.
    pub fn position(&self, position: &Position) -> Position {
        let (variant, spec) = (self.variant, self.variant.spec());
        let mut flipped = Position::empty(variant);
        for from in position.occupied() {
            let (piece, to) = (position.at(from), self.square(from));
            flipped.put(variant, to, Piece::new(self.side(piece.side()), piece.kind()));
            let beneath: Vec<Piece> =
                position.beneath(from).map(|piece| Piece::new(self.side(piece.side()), piece.kind())).collect();
            flipped.put_beneath(variant, to, &beneath);
            for index in 0..spec.traits.len() {
                flipped.set_trait(variant, index, to, position.trait_at(variant, index, from));
            }
        }
        for (index, counter) in spec.counters.iter().enumerate() {
            for side in [Side(0), Side(1)].into_iter().take(if counter.per_side { 2 } else { 1 }) {
                let of = if counter.per_side { self.side(side) } else { side };
                for place in 0..counter.size {
                    flipped.set_counter_at(variant, index, place, of, position.counter_at(variant, index, place, side));
                }
            }
        }
        if spec.last_moves.is_some() {
            for side in [Side(0), Side(1)] {
                let made = position.last_move(variant, side).map(|made| self.made(&made));
                flipped.set_last_move(variant, self.side(side), made);
            }
        }
        for (index, mark) in spec.marks.iter().enumerate() {
            for side in [Side(0), Side(1)].into_iter().take(if mark.per_side { 2 } else { 1 }) {
                let of = if mark.per_side { self.side(side) } else { side };
                let squares = position.marked(variant, index, side).into_iter().map(|square| self.square(square));
                flipped.set_marked(variant, index, of, squares.collect());
            }
        }
        for side in [Side(0), Side(1)] {
            flipped.set_out(variant, self.side(side), position.is_out(side));
            for kind in (0..variant.kinds().len()).map(|kind| Kind(kind as u8)).filter(|_| spec.hands) {
                flipped.set_in_hand(variant, self.side(side), kind, position.in_hand(variant, side, kind));
            }
        }
        flipped.set_side(variant, self.side(position.side()));
        for right in position.en_passant() {
            let right = EnPassant { target: self.square(right.target), victim: self.square(right.victim) };
            flipped.add_en_passant(variant, right);
        }
        let rights = (0..spec.castles.len()).filter(|i| position.rights() & (1 << i) != 0);
        flipped.set_rights(variant, rights.fold(0, |all, i| all | 1 << self.castle(i)));
        flipped.set_clock(position.clock());
        flipped.set_number(position.number());
        flipped
    }

    /// The castling of the other side that corresponds to number `index`.
    fn castle(&self, index: usize) -> usize {
        let castles = &self.variant.spec().castles;
        let Some(castle) = castles.get(index) else { return index };
        let king = (self.square(castle.king.0), self.square(castle.king.1));
        let same = castles.iter().position(|c| c.side != castle.side && c.king == king);
        same.unwrap_or(index)
    }

    /// The number of a push whose direction corresponds to that of number `push`.
    fn direction(&self, push: u8) -> u8 {
        let cells = self.variant.board().cells();
        let (number, rest) = (push & 7, push & !7);
        let step = cells.neighbors()[usize::from(number)];
        let flipped = match self.symmetry {
            Some(Symmetry::Turned) => (-step.0, -step.1),
            Some(Symmetry::Mirrored) => cells.mirror(step),
            None => step,
        };
        let same = cells.neighbors().iter().position(|s| *s == flipped);
        same.map_or(push, |i| i as u8 | rest)
    }

    /// The move that corresponds to `paid`, paid with the same dice.
    pub(crate) fn paid(&self, paid: MoveWithDice) -> MoveWithDice {
        let mv = paid.mv;
        let extra = match mv.tag {
            Tag::Castle => self.castle(usize::from(mv.extra)) as u8,
            Tag::Over => self.square(Square(mv.extra)).0,
            Tag::Push if mv.extra != Move::NONE => self.direction(mv.extra),
            _ => mv.extra,
        };
        MoveWithDice {
            mv: Move { from: self.square(mv.from), to: self.square(mv.to), tag: mv.tag, extra },
            dice: paid.dice,
        }
    }

    /// The record of the corresponding move.
    fn made(&self, made: &Made) -> Made {
        let piece = |piece: Piece| Piece::new(self.side(piece.side()), piece.kind());
        let captured = made.captured().map(|(captured, at)| (piece(captured), self.square(at)));
        Made::new(self.paid(MoveWithDice { mv: made.mv, dice: 0 }).mv, piece(made.piece()), captured)
    }

    /// The choice that corresponds to `choice`.
    pub fn choice(&self, choice: &Choice) -> Choice {
        match choice {
            Choice::Text(text) => Choice::Text(text.clone()),
            Choice::Square(square) => Choice::Square(self.square(*square)),
        }
    }

    /// The event in `other` that corresponds to `event` in `state`; `None` if there is none.
    pub fn event(&self, event: &Event, state: &State, other: &State) -> Option<Event> {
        Some(match event {
            Event::Pass => Event::Pass,
            Event::Move(paid) => Event::Move(self.paid(*paid)),
            Event::Choice(index) => {
                let choice = self.choice(state.choices().get(*index)?);
                Event::Choice(other.choices().iter().position(|c| *c == choice)?)
            }
            // Dice for squares are rolled square by square, in the order of the board.
            Event::Roll(faces) if !state.rolled_for().is_empty() => {
                let face = |square: &Square| {
                    let from = self.square(*square);
                    faces.get(state.rolled_for().iter().position(|s| *s == from)?).copied()
                };
                Event::Roll(other.rolled_for().iter().map(face).collect::<Option<_>>()?)
            }
            Event::Roll(faces) if !state.drawn_moves().is_empty() => {
                let number = usize::try_from(*faces.first()?).ok()?.checked_sub(1)?;
                let mv = self.paid(MoveWithDice { mv: *state.drawn_moves().get(number)?, dice: 0 }).mv;
                let place = other.drawn_moves().iter().position(|other| *other == mv)?;
                Event::Roll(vec![i16::try_from(place + 1).ok()?])
            }
            // Drawn squares are numbered in the same order.
            Event::Roll(faces) if !state.drawn_from().is_empty() => {
                let number = usize::try_from(*faces.first()?).ok()?.checked_sub(1)?;
                let square = self.square(*state.drawn_from().get(number)?);
                let place = other.drawn_from().iter().position(|s| *s == square)?;
                Event::Roll(vec![i16::try_from(place + 1).ok()?])
            }
            Event::Roll(faces) => Event::Roll(faces.clone()),
        })
    }
}
