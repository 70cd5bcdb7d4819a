//! Permits: which of the moves on the board the player may make now.
//!
//! A permit is a value built by a rule; the engine turns as much of it as it can into masks that are
//! applied before any move is generated, and tests the rest move by move.

mod never;
mod refusal;

pub use refusal::Refusal;

use crate::amount::Cell;
use crate::army::{KindMask, Piece};
use crate::attack;
use crate::board::{Offset, turn_offset};
use crate::movegen::{self, Filter, Safety};
use crate::moves::Move;
use crate::position::{Made, Position};
use crate::push::{self, Reach};
use crate::rule::{RuleError, RuleId};
use crate::value::{SetExpr, SideRef, Value, View};
use crate::variant::{RoyalPolicy, Variant};

/// A set of moves, described.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Permit {
    /// Every move of the board, castling and drops included.
    Any,
    /// No move.
    Nothing,
    /// Moves on the board by pieces of these kinds, castling not included.
    Pieces(KindMask),
    /// Castling.
    Castling,
    /// Drops of these kinds from the hand.
    Drops(KindMask),
    /// Moves that start on these squares.
    From(SetExpr),
    /// Moves that end on these squares.
    To(SetExpr),
    /// Moves that promote to one of these kinds.
    Promoting(KindMask),
    /// Moves that capture a piece of one of these kinds.
    Capturing(KindMask),
    /// Moves over a distance of at least and at most so many king's steps.
    Steps(i16, i16),
    /// Moves in either.
    Or(Box<Permit>, Box<Permit>),
    /// Moves in both.
    And(Box<Permit>, Box<Permit>),
    /// Moves in the first but not in the second.
    Minus(Box<Permit>, Box<Permit>),
    /// Moves in the first or, if none of them can be made, in the second.
    OrElse(Box<Permit>, Box<Permit>),
    /// Moves for which a rule answers yes, asked before the move is made.
    Where(Box<Permit>, RuleId),
    /// Moves for which a rule answers yes, asked in the position after the move (captures counted as
    /// successful); the rule still sees the same mover.
    After(Box<Permit>, RuleId),
    /// Moves in a direction, as the side to move sees it: the signs of files to the right and ranks
    /// forward.
    Toward(i8, i8),
    /// Moves of pieces that a die held in a counter pays for: place `n` of the counter pays for the
    /// kinds with number `n`. With `true` the highest die held pays for kinds with lower numbers.
    Payable(Purse, bool),
    /// Pushes of the own pieces, along the directions of their movement.
    Push(Reach),
    /// Of the moves of each piece in each direction, only the longest.
    Longest(Box<Permit>),
    /// Moves of another side's pieces.
    Of(Box<Permit>, SideRef),
    /// Moves that ignore (or heed) the safety of the own royal, whatever the variant's policy.
    Safety(Box<Permit>, Guard),
}

/// Dice held in a counter whose places stand for faces, and what they pay for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Purse {
    /// The counter.
    pub counter: u8,
    /// Whose dice.
    pub side: SideRef,
    /// The kinds that each face pays for, from face 1.
    pub kinds: Vec<KindMask>,
}

impl Purse {
    /// The kinds that the dice held pay for; with `higher`, those that the highest die may pay for
    /// because its face is above their number.
    fn pays(&self, view: &View<'_>, higher: bool) -> KindMask {
        let held = |place: usize| Cell { counter: self.counter, place: place as u8, side: self.side }.value(view) > 0;
        let places = 0..self.kinds.len();
        let paid = match higher {
            false => places.filter(|&place| held(place)).collect(),
            true => places.rev().find(|&place| held(place)).map_or(Vec::new(), |top| (0..top).collect()),
        };
        paid.into_iter().fold(KindMask::NONE, |all: KindMask, place: usize| KindMask(all.0 | self.kinds[place].0))
    }
}

/// How the moves of a permit treat the own royal pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guard {
    /// As if royal pieces were ordinary.
    Ignored,
    /// No move may leave an own royal attacked.
    Heeded,
}

impl Guard {
    fn safety(self) -> Safety {
        match self {
            Guard::Ignored => Safety::Pseudo,
            Guard::Heeded => Safety::Safe,
        }
    }
}

impl Permit {
    /// The moves of the side to move that the permit admits, appended to `out`.
    ///
    /// # Errors
    /// If a rule that the permit consults fails.
    pub fn moves(&self, view: &View<'_>, out: &mut Vec<Move>) -> Result<(), RuleError> {
        self.moves_under(view, Safety::Policy, out)
    }

    /// Whether the permit admits any move: stops at the first where it can.
    ///
    /// # Errors
    /// If a rule that the permit consults fails.
    pub fn exists(&self, view: &View<'_>) -> Result<bool, RuleError> {
        self.exists_under(view, Safety::Policy)
    }

    fn exists_under(&self, view: &View<'_>, safety: Safety) -> Result<bool, RuleError> {
        let side = view.position.side();
        match self {
            Permit::Or(a, b) | Permit::OrElse(a, b) => {
                Ok(a.exists_under(view, safety)? || b.exists_under(view, safety)?)
            }
            Permit::Safety(inner, guard) => inner.exists_under(view, guard.safety()),
            Permit::Longest(inner) => inner.exists_under(view, safety),
            Permit::Payable(purse, higher) => Permit::Pieces(purse.pays(view, *higher)).exists_under(view, safety),
            _ if self.is_exact() => {
                Ok(movegen::has_move(view.variant, view.position, side, safety, self.bound(view.variant)))
            }
            _ if self.nests() => {
                let mut moves = Vec::new();
                self.moves_under(view, safety, &mut moves)?;
                Ok(!moves.is_empty())
            }
            _ => {
                let mut moves = Vec::new();
                movegen::generate(view.variant, view.position, side, safety, self.bound(view.variant), &mut moves);
                let mut scratch = None;
                for mv in moves {
                    if self.admits(view, mv, &mut scratch)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    fn moves_under(&self, view: &View<'_>, safety: Safety, out: &mut Vec<Move>) -> Result<(), RuleError> {
        let side = view.position.side();
        match self {
            Permit::OrElse(first, second) => {
                let before = out.len();
                first.moves_under(view, safety, out)?;
                if out.len() == before { second.moves_under(view, safety, out) } else { Ok(()) }
            }
            Permit::Safety(inner, guard) => inner.moves_under(view, guard.safety(), out),
            Permit::Payable(purse, higher) => {
                let kinds = purse.pays(view, *higher);
                Permit::Pieces(kinds).moves_under(view, safety, out)
            }
            Permit::Push(reach) => pushes(view, *reach, safety, out),
            Permit::Longest(inner) => {
                let mut moves = Vec::new();
                inner.moves_under(view, safety, &mut moves)?;
                out.extend(longest(view, &moves));
                Ok(())
            }
            Permit::Of(inner, side) => {
                let Some(side) = view.side(*side) else { return Ok(()) };
                let mut position = view.position.clone();
                position.set_side(view.variant, side);
                inner.moves_under(&View { position: &position, ..*view }, safety, out)
            }
            _ if self.nests() => self.combine(view, safety, out),
            _ => {
                let before = out.len();
                movegen::generate(view.variant, view.position, side, safety, self.bound(view.variant), out);
                if !self.is_exact() {
                    self.sieve(view, before, out)?;
                }
                Ok(())
            }
        }
    }

    /// Drops from `out`, from index `before` on, what the permit does not admit.
    fn sieve(&self, view: &View<'_>, before: usize, out: &mut Vec<Move>) -> Result<(), RuleError> {
        let (mut kept, mut scratch) = (before, None);
        for i in before..out.len() {
            if self.admits(view, out[i], &mut scratch)? {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
        Ok(())
    }

    /// Whether an ordered choice or a change of safety stands somewhere inside: then the permit's set
    /// depends on more than one move at a time.
    fn nests(&self) -> bool {
        match self {
            Permit::OrElse(..) | Permit::Safety(..) | Permit::Push(_) | Permit::Longest(_) | Permit::Of(..) => true,
            Permit::Or(a, b) | Permit::And(a, b) | Permit::Minus(a, b) => a.nests() || b.nests(),
            Permit::Where(inner, _) | Permit::After(inner, _) => inner.nests(),
            _ => false,
        }
    }

    /// Combines whole sets of moves, for permits whose parts are not tests of single moves.
    fn combine(&self, view: &View<'_>, safety: Safety, out: &mut Vec<Move>) -> Result<(), RuleError> {
        let part = |permit: &Permit| {
            let mut moves = Vec::new();
            permit.moves_under(view, safety, &mut moves).map(|()| moves)
        };
        match self {
            Permit::Or(a, b) => {
                let (a, b) = (part(a)?, part(b)?);
                let extra: Vec<Move> = b.into_iter().filter(|mv| !a.contains(mv)).collect();
                out.extend(a.into_iter().chain(extra));
            }
            Permit::And(a, b) => {
                let (a, b) = (part(a)?, part(b)?);
                out.extend(a.into_iter().filter(|mv| b.contains(mv)));
            }
            Permit::Minus(a, b) => {
                let (a, b) = (part(a)?, part(b)?);
                out.extend(a.into_iter().filter(|mv| !b.contains(mv)));
            }
            Permit::Where(inner, _) | Permit::After(inner, _) => {
                let mut scratch = None;
                for mv in part(inner)? {
                    if self.passes(view, mv, &mut scratch)? {
                        out.push(mv);
                    }
                }
            }
            _ => self.moves_under(view, safety, out)?,
        }
        Ok(())
    }

    /// What to generate: a superset of the permit, as masks.
    fn bound(&self, variant: &Variant) -> Filter {
        const NONE: Filter = Filter { kinds: KindMask::NONE, castling: false, drops: KindMask::NONE };
        match self {
            Permit::Pieces(kinds) => Filter { kinds: *kinds, ..NONE },
            Permit::Castling => Filter { castling: true, ..NONE },
            Permit::Drops(kinds) => Filter { drops: *kinds, ..NONE },
            Permit::Nothing => NONE,
            Permit::Promoting(_) => Filter { kinds: variant.promoters, ..NONE },
            Permit::Or(a, b) => {
                let (a, b) = (a.bound(variant), b.bound(variant));
                Filter {
                    kinds: KindMask(a.kinds.0 | b.kinds.0),
                    castling: a.castling || b.castling,
                    drops: KindMask(a.drops.0 | b.drops.0),
                }
            }
            Permit::And(a, b) => {
                let (a, b) = (a.bound(variant), b.bound(variant));
                Filter {
                    kinds: KindMask(a.kinds.0 & b.kinds.0),
                    castling: a.castling && b.castling,
                    drops: KindMask(a.drops.0 & b.drops.0),
                }
            }
            Permit::Minus(a, _) | Permit::Where(a, _) | Permit::After(a, _) => a.bound(variant),
            _ => Filter::ALL,
        }
    }

    /// Whether [`Permit::bound`] is the permit itself.
    fn is_exact(&self) -> bool {
        match self {
            Permit::Any | Permit::Nothing | Permit::Pieces(_) | Permit::Castling | Permit::Drops(_) => true,
            Permit::Or(a, b) | Permit::And(a, b) => a.is_exact() && b.is_exact(),
            _ => false,
        }
    }

    /// Whether the permit admits a move that the board allows.
    fn admits(&self, view: &View<'_>, mv: Move, scratch: &mut Option<Position>) -> Result<bool, RuleError> {
        let on_board = mv.castling().is_none() && mv.dropped().is_none();
        Ok(match self {
            Permit::Any => true,
            Permit::Nothing => false,
            Permit::Pieces(kinds) => on_board && kinds.contains(view.position.at(mv.from).kind()),
            Permit::Castling => mv.castling().is_some(),
            Permit::Drops(kinds) => mv.dropped().is_some_and(|kind| kinds.contains(kind)),
            Permit::From(set) => mv.dropped().is_none() && view.set(set).contains(mv.from),
            Permit::To(set) => view.set(set).contains(mv.to),
            Permit::Promoting(kinds) => mv.promotion().is_some_and(|kind| kinds.contains(kind)),
            Permit::Capturing(kinds) => {
                let (captured, _) = view.position.captured_by(mv);
                !captured.is_none() && kinds.contains(captured.kind())
            }
            Permit::Payable(purse, higher) => {
                on_board && purse.pays(view, *higher).contains(view.position.at(mv.from).kind())
            }
            Permit::Toward(right, forward) => {
                let turn = view.variant.spec().sides[view.position.side().index()].forward;
                on_board && direction(view, mv) == turn_offset((*right, *forward), turn)
            }
            Permit::Steps(min, max) => {
                let board = view.variant.board();
                let files = i16::from(board.file(mv.from)) - i16::from(board.file(mv.to));
                let ranks = i16::from(board.rank(mv.from)) - i16::from(board.rank(mv.to));
                on_board && (*min..=*max).contains(&files.abs().max(ranks.abs()))
            }
            Permit::Or(a, b) => a.admits(view, mv, scratch)? || b.admits(view, mv, scratch)?,
            Permit::And(a, b) => a.admits(view, mv, scratch)? && b.admits(view, mv, scratch)?,
            Permit::Minus(a, b) => a.admits(view, mv, scratch)? && !b.admits(view, mv, scratch)?,
            Permit::Where(inner, _) | Permit::After(inner, _) => {
                inner.admits(view, mv, scratch)? && self.passes(view, mv, scratch)?
            }
            // Never reached: `combine` deals with these.
            Permit::OrElse(..) | Permit::Safety(..) | Permit::Push(_) | Permit::Longest(_) | Permit::Of(..) => true,
        })
    }

    /// The test of [`Permit::Where`] and [`Permit::After`] alone.
    fn passes(&self, view: &View<'_>, mv: Move, scratch: &mut Option<Position>) -> Result<bool, RuleError> {
        match self {
            Permit::Where(_, rule) => view.rules.holds(*rule, view, prospect(view.position, mv)),
            Permit::After(_, rule) => {
                match scratch {
                    Some(scratch) => scratch.clone_from(view.position),
                    None => *scratch = Some(view.position.clone()),
                }
                let Some(position) = scratch else { return Ok(false) };
                let made = position.make(view.variant, mv);
                let after = View { position, ..*view };
                view.rules.holds(*rule, &after, Value::Move(made, true))
            }
            _ => Ok(true),
        }
    }
}

/// The signs of the files and ranks that a move covers.
fn direction(view: &View<'_>, mv: Move) -> Offset {
    let board = view.variant.board();
    let sign = |a: u8, b: u8| (i16::from(b) - i16::from(a)).signum() as i8;
    (sign(board.file(mv.from), board.file(mv.to)), sign(board.rank(mv.from), board.rank(mv.to)))
}

/// Of the moves of each piece in each direction, the longest; all promotions of it.
fn longest(view: &View<'_>, moves: &[Move]) -> Vec<Move> {
    let board = view.variant.board();
    let span = |mv: &Move| {
        let files = i16::from(board.file(mv.from)) - i16::from(board.file(mv.to));
        let ranks = i16::from(board.rank(mv.from)) - i16::from(board.rank(mv.to));
        files.abs().max(ranks.abs())
    };
    let same = |a: &Move, b: &Move| a.from == b.from && direction(view, *a) == direction(view, *b);
    let beaten = |mv: &Move| moves.iter().any(|other| same(mv, other) && span(other) > span(mv));
    moves.iter().filter(|mv| mv.dropped().is_some() || !beaten(mv)).copied().collect()
}

/// The pushes of the side to move; those that leave an own royal attacked are left out where royals are
/// protected.
fn pushes(view: &View<'_>, reach: Reach, safety: Safety, out: &mut Vec<Move>) -> Result<(), RuleError> {
    let (variant, side) = (view.variant, view.position.side());
    let before = out.len();
    for from in view.position.of(side) {
        push::moves(variant, view.position, from, reach, out);
    }
    let heeded =
        safety == Safety::Safe || safety == Safety::Policy && variant.spec().royal_policy == RoyalPolicy::Protected;
    if heeded && !view.position.royals(variant, side).is_empty() {
        let mut position = view.position.clone();
        let mut kept = before;
        for i in before..out.len() {
            position.clone_from(view.position);
            position.make(variant, out[i]);
            if !attack::in_check(variant, &position, side) {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }
    Ok(())
}

/// A move as it would be recorded, not yet made.
pub(crate) fn prospect(position: &Position, mv: Move) -> Value {
    Value::Move(plan(position, mv), false)
}

/// What a move would do if it were made.
pub(crate) fn plan(position: &Position, mv: Move) -> Made {
    let (captured, captured_at) = position.captured_by(mv);
    let piece = match mv.dropped() {
        Some(kind) => Piece::new(position.side(), kind),
        None => position.at(mv.from),
    };
    Made { mv, piece, captured, captured_at }
}
