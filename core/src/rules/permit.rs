//! Permits: which of the moves on the board the player may make now.
//!
//! A rule builds a permit as a value. The engine turns as much of it as it can into masks that apply before any move is
//! generated, and tests the rest move by move.

/// A pattern: permits without parts that decide about each move of the board separately.
macro_rules! plain {
    () => {
        $crate::rules::permit::Permit::Any
            | $crate::rules::permit::Permit::Nothing
            | $crate::rules::permit::Permit::Pieces(_)
            | $crate::rules::permit::Permit::Castling(_)
            | $crate::rules::permit::Permit::CastlingBy(_)
            | $crate::rules::permit::Permit::EnPassant
            | $crate::rules::permit::Permit::Drops(_)
            | $crate::rules::permit::Permit::From(_)
            | $crate::rules::permit::Permit::To(_)
            | $crate::rules::permit::Permit::Promoting(_)
            | $crate::rules::permit::Permit::Capturing(_)
            | $crate::rules::permit::Permit::Steps(..)
            | $crate::rules::permit::Permit::Toward(..)
    };
}

/// A pattern: permits that generate moves independently of the kinds.
macro_rules! maker {
    () => {
        $crate::rules::permit::Permit::Push(_)
            | $crate::rules::permit::Permit::Along(_)
            | $crate::rules::permit::Permit::Enter(_)
            | $crate::rules::permit::Permit::Way { .. }
            | $crate::rules::permit::Permit::MovesLike(..)
    };
}

mod draw;
mod emptiness;
mod generated_moves;
mod masks;
mod most;
mod moves_like;
mod permitted;
mod refusal;
mod unmade;

pub use most::Most;
pub use permitted::Permitted;
pub use refusal::Refusal;
pub use unmade::Unmade;

use crate::board::Offset;
use crate::board::piece::{KindMask, Piece};
use crate::movegen::push::Reach;
use crate::movegen::track::{Along, Carry, Landing};
use crate::movegen::{self, Safety};
use crate::position::moves::{Move, Tag, retain_from};
use crate::position::{Made, Position};
use crate::rules::amount::CounterRef;
use crate::rules::error::{RuleError, Task};
use crate::rules::hook::RuleId;
use crate::rules::meter::{COPY, LIST, SEARCH};
use crate::rules::movement;
use crate::rules::value::{SetExpr, SideRef, Value, View};
use crate::rules::walker::Subject;
use std::ops::ControlFlow;

/// A description of a set of moves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Permit {
    /// Every move of the board, castling and drops included.
    Any,
    /// No move.
    Nothing,
    /// Moves on the board by pieces of these kinds, castling not included.
    Pieces(KindMask),
    /// Castling: bits of the variant's list.
    Castling(u16),
    /// Castling with a piece from one of these squares.
    CastlingBy(SetExpr),
    /// Captures en passant.
    EnPassant,
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
    /// Moves over a distance of at least and at most this many king's steps, castling not included.
    Steps(i16, i16),
    /// Moves in either.
    Or(Box<Permit>, Box<Permit>),
    /// Moves in both.
    And(Box<Permit>, Box<Permit>),
    /// Moves in the first but not in the second.
    Minus(Box<Permit>, Box<Permit>),
    /// Moves in the first or, if that admits no possible move, in the second.
    OrElse(Box<Permit>, Box<Permit>),
    /// Moves for which a rule answers yes, asked before the move is made.
    Where(Box<Permit>, RuleId),
    /// Moves for which a rule answers yes, asked in the position after the move (assuming that captures succeed); the rule
    /// still sees the same mover.
    After(Box<Permit>, RuleId),
    /// Moves in a direction, as seen by the side to move: the signs of files to the right and ranks forward. Castling is
    /// not included.
    Toward(i8, i8),
    /// Moves of pieces that a die held in a counter pays for: place `n` of the counter pays for the kinds with number `n`.
    /// With `true` the highest held die also pays for kinds with lower numbers.
    Payable(HeldDice, bool),
    /// Pushes of the mover's pieces, along the directions of their movement.
    Push(Reach),
    /// Of the moves of each piece in each direction, only the longest.
    Longest(Box<Permit>),
    /// Of the moves only those that allow the most further moves.
    Most(Box<Most>),
    /// Moves along a track, independently of the kinds.
    Along(Along),
    /// Drops on a track, counted from before its first station; they may capture.
    Enter(Along),
    /// Moves of own pieces from some squares to others, independently of the kinds: to empty squares and enemies.
    Way {
        /// The origins.
        from: SetExpr,
        /// The targets.
        to: WayTo,
        /// Whether they may end on own pieces, capturing them; on heaps they may always end on top of them.
        own: bool,
        /// The pieces that may be on the target, and their treatment; without it the topmost enemy is captured.
        landing: Option<Landing>,
        /// How many pieces move together.
        carry: Carry,
    },
    /// Moves of own pieces on some squares that move like these kinds, except castling and promotions of these kinds.
    MovesLike(KindMask, SetExpr),
    /// Moves of another side's pieces.
    Of(Box<Permit>, SideRef),
    /// Moves that ignore (or respect) the safety of the mover's royal, under any royal policy.
    Safety(Box<Permit>, SafetyOverride),
}

/// The targets of a way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum WayTo {
    /// These squares.
    Squares(SetExpr),
    /// This many files to the right and ranks forward, as seen by the side to move.
    Offset(i8, i8),
}

/// Dice held in a counter whose places stand for faces, and the kinds that they pay for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HeldDice {
    /// The counter.
    pub counter: u8,
    /// The owner of the dice.
    pub side: SideRef,
    /// The kinds that each face pays for, from face 1.
    pub kinds: Vec<KindMask>,
}

impl HeldDice {
    /// The kinds that the held dice pay for; with `higher`, those that the highest die may pay for because its face exceeds
    /// their number.
    fn pays(&self, view: &View<'_>, higher: bool) -> KindMask {
        let held =
            |place: usize| CounterRef { counter: self.counter, place: place as u8, side: self.side }.value(view) > 0;
        let places = 0..self.kinds.len();
        let paid = match higher {
            false => places.filter(|&place| held(place)).collect(),
            true => places.rev().find(|&place| held(place)).map_or(Vec::new(), |top| (0..top).collect()),
        };
        paid.into_iter().fold(KindMask::NONE, |all: KindMask, place: usize| KindMask(all.0 | self.kinds[place].0))
    }
}

/// How the moves of a permit treat the mover's royal pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SafetyOverride {
    /// Royal pieces count as ordinary.
    Ignored,
    /// No move may leave a royal of the mover attacked.
    Heeded,
}

impl SafetyOverride {
    /// The required safety, where it would otherwise be `otherwise`.
    fn safety(self, otherwise: Safety) -> Safety {
        match self {
            _ if otherwise == Safety::Attacking => Safety::Attacking,
            SafetyOverride::Ignored => Safety::Pseudo,
            SafetyOverride::Heeded => Safety::Safe,
        }
    }
}

/// A test of a move.
type Test<'a> = dyn FnMut(Move) -> Result<bool, RuleError> + 'a;

impl Permit {
    /// Appends to `out` the moves of the side to move that the permit admits.
    ///
    /// # Errors
    /// If a rule that the permit consults fails.
    pub fn moves(&self, view: &View<'_>, out: &mut Vec<Move>) -> Result<(), RuleError> {
        self.moves_under(view, Safety::Policy, out)
    }

    /// Whether the permit admits any move; stops at the first if possible.
    ///
    /// # Errors
    /// If a rule that the permit consults fails.
    pub fn exists(&self, view: &View<'_>) -> Result<bool, RuleError> {
        self.exists_under(view, Safety::Policy)
    }

    pub(super) fn exists_under(&self, view: &View<'_>, safety: Safety) -> Result<bool, RuleError> {
        let side = view.position.side();
        if movement::is_ruled(view) {
            let mut moves = Vec::new();
            self.moves_under(view, safety, &mut moves)?;
            return Ok(!moves.is_empty());
        }
        if let Some(filter) = self.exact() {
            view.rules.meter().add(SEARCH);
            return Ok(movegen::has_move(view.variant, view.position, side, safety, filter));
        }
        match self {
            Permit::Or(a, b) | Permit::OrElse(a, b) => {
                Ok(a.exists_under(view, safety)? || b.exists_under(view, safety)?)
            }
            Permit::Safety(inner, guard) => inner.exists_under(view, guard.safety(safety)),
            Permit::EnPassant if view.position.en_passant().is_empty() => Ok(false),
            Permit::Longest(inner) => inner.exists_under(view, safety),
            Permit::Most(most) => most.permit.exists_under(view, safety),
            Permit::Of(inner, side) if view.side(*side) == Some(view.position.side()) => {
                inner.exists_under(view, safety)
            }
            Permit::Payable(held_dice, higher) => {
                Permit::Pieces(held_dice.pays(view, *higher)).exists_under(view, safety)
            }
            Permit::And(..) | Permit::Minus(..) | Permit::Where(..) | Permit::After(..) if !self.nests() => {
                self.passes_some(view, safety)
            }
            plain!() => self.passes_some(view, safety),
            Permit::And(..) | Permit::Minus(..) | Permit::Where(..) | Permit::After(..) | Permit::Of(..) | maker!() => {
                self.any_under(view, safety, &mut |_| Ok(true))
            }
        }
    }

    /// Whether some move that the permit admits passes a test. Moves are tested one by one, in order and perhaps twice, and
    /// none after the first that passes.
    ///
    /// # Errors
    /// If a rule that the permit consults or the test fails.
    pub(super) fn any_move(
        &self,
        view: &View<'_>,
        mut test: impl FnMut(Move) -> Result<bool, RuleError>,
    ) -> Result<bool, RuleError> {
        self.any_under(view, Safety::Policy, &mut test)
    }

    fn any_under(&self, view: &View<'_>, safety: Safety, test: &mut Test<'_>) -> Result<bool, RuleError> {
        match self {
            Permit::Or(a, b) if self.nests() => {
                Ok(a.any_under(view, safety, test)? || b.any_under(view, safety, test)?)
            }
            Permit::Where(inner, rule) if self.nests() => {
                let mut tester = view.rules.tester(*rule, view);
                if tester.rejects_all() && !inner.consults() {
                    return Ok(false);
                }
                let mut passes = |mv| tester.holds(view, Subject::Move(mv), || prospect(view.position, mv));
                inner.any_under(view, safety, &mut |mv| Ok(passes(mv)? && test(mv)?))
            }
            Permit::After(inner, _) if self.nests() => {
                inner.any_under(view, safety, &mut |mv| Ok(self.passes(view, mv)? && test(mv)?))
            }
            Permit::Along(along) if generated_moves::are_plain(view, safety) => {
                generated_moves::any_along(view, safety, along, test)
            }
            _ => {
                let mut moves = Vec::new();
                self.moves_under(view, safety, &mut moves)?;
                for mv in moves {
                    if test(mv)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Whether it admits some move of the board, testing each move separately.
    fn passes_some(&self, view: &View<'_>, safety: Safety) -> Result<bool, RuleError> {
        let (variant, position) = (view.variant, view.position);
        let side = position.side();
        let test = |mv| {
            view.rules.meter().charge(Task::Testing, 1)?;
            match movegen::allows(variant, position, side, safety, mv) {
                true => self.admits(view, mv),
                false => Ok(false),
            }
        };
        let found = movegen::each(variant, position, side, Safety::Pseudo, self.bound(), |mv| match test(mv) {
            Ok(false) => ControlFlow::Continue(()),
            ends => ControlFlow::Break(ends),
        });
        found.unwrap_or(Ok(false))
    }

    pub(super) fn moves_under(&self, view: &View<'_>, safety: Safety, out: &mut Vec<Move>) -> Result<(), RuleError> {
        let side = view.position.side();
        match self {
            Permit::OrElse(first, second) => {
                let before = out.len();
                first.moves_under(view, safety, out)?;
                if out.len() == before { second.moves_under(view, safety, out) } else { Ok(()) }
            }
            Permit::Safety(inner, guard) => inner.moves_under(view, guard.safety(safety), out),
            Permit::EnPassant if view.position.en_passant().is_empty() => Ok(()),
            Permit::Payable(held_dice, higher) => {
                let kinds = held_dice.pays(view, *higher);
                Permit::Pieces(kinds).moves_under(view, safety, out)
            }
            maker!() => self.made(view, safety, out),
            Permit::Most(most) => most.moves(view, safety, out),
            Permit::Longest(inner) => {
                let mut moves = Vec::new();
                inner.moves_under(view, safety, &mut moves)?;
                // Each is compared with the others.
                view.rules.meter().charge(Task::Listing, product(&moves, &moves))?;
                out.extend(longest(view, &moves));
                Ok(())
            }
            Permit::Of(inner, side) => {
                let Some(side) = view.side(*side) else { return Ok(()) };
                if side == view.position.side() {
                    return inner.moves_under(view, safety, out);
                }
                view.rules.meter().charge(Task::Listing, COPY)?;
                let before = out.len();
                let mut position = view.position.clone();
                position.set_side(view.variant, side);
                inner.moves_under(&View { position: &position, ..*view }, safety, out)?;
                // A drop is made from the hand of the side to move.
                let mut at = 0;
                out.retain(|mv| {
                    at += 1;
                    at <= before || mv.dropped().is_none()
                });
                Ok(())
            }
            Permit::Or(..) | Permit::And(..) | Permit::Minus(..) | Permit::Where(..) | Permit::After(..)
                if self.nests() =>
            {
                self.combine(view, safety, out)
            }
            Permit::Or(..) | Permit::And(..) | Permit::Minus(..) | Permit::Where(..) | Permit::After(..) | plain!() => {
                let before = out.len();
                let exact = self.exact();
                let filter = exact.unwrap_or_else(|| self.bound());
                let generated = movement::generated(view, safety);
                movegen::generate(view.variant, view.position, side, generated, filter, out);
                view.rules.meter().charge(Task::Listing, LIST + (out.len() - before) as u64)?;
                if exact.is_none() {
                    self.sieve(view, before, out)?;
                }
                movement::retain_legal(view, safety, before, out)
            }
        }
    }

    /// Removes the moves that the permit does not admit from `out`, from index `before` on.
    fn sieve(&self, view: &View<'_>, before: usize, out: &mut Vec<Move>) -> Result<(), RuleError> {
        retain_from(out, before, |mv| {
            view.rules.meter().charge(Task::Testing, 1)?;
            self.admits(view, mv)
        })
    }

    /// Whether an ordered choice or a change of safety occurs somewhere inside, or a permit that [makes](Permit::makes) moves:
    /// then the permit's set depends on more than one move at a time.
    fn nests(&self) -> bool {
        match self {
            maker!() => true,
            Permit::OrElse(..) | Permit::Safety(..) | Permit::Longest(_) | Permit::Most(_) | Permit::Of(..) => true,
            Permit::Or(a, b) | Permit::And(a, b) | Permit::Minus(a, b) => a.nests() || b.nests(),
            Permit::Where(inner, _) | Permit::After(inner, _) => inner.nests(),
            Permit::Payable(..) | plain!() => false,
        }
    }

    /// Calls `see` with all references to sides in the permit; it may replace them.
    pub fn each_side(&mut self, see: &mut dyn FnMut(&mut SideRef)) {
        match self {
            Permit::Or(a, b) | Permit::And(a, b) | Permit::Minus(a, b) | Permit::OrElse(a, b) => {
                a.each_side(see);
                b.each_side(see);
            }
            Permit::Where(inner, _) | Permit::After(inner, _) | Permit::Safety(inner, _) | Permit::Longest(inner) => {
                inner.each_side(see);
            }
            Permit::Most(most) => {
                most.permit.each_side(see);
                most.next.each_side(see);
            }
            Permit::Of(inner, side) => {
                see(side);
                inner.each_side(see);
            }
            Permit::Payable(held_dice, _) => see(&mut held_dice.side),
            plain!() | maker!() => {}
        }
    }

    /// Whether the permit consults a rule about moves: only then can it fail.
    pub(crate) fn consults(&self) -> bool {
        self.any(|permit| matches!(permit, Permit::Where(..) | Permit::After(..)))
    }

    /// Combines whole sets of moves, for permits whose parts are not tests of single moves.
    fn combine(&self, view: &View<'_>, safety: Safety, out: &mut Vec<Move>) -> Result<(), RuleError> {
        let part = |permit: &Permit| {
            let mut moves = Vec::new();
            permit.moves_under(view, safety, &mut moves).map(|()| moves)
        };
        let before = out.len();
        match self {
            Permit::Or(a, b) => {
                a.moves_under(view, safety, out)?;
                let first = out.len();
                b.moves_under(view, safety, out)?;
                let (known, found) = out.split_at(first);
                view.rules.meter().charge(Task::Listing, product(&known[before..], found))?;
                let mut kept = first;
                for i in first..out.len() {
                    let mv = out[i];
                    if !out[before..first].contains(&mv) {
                        out[kept] = mv;
                        kept += 1;
                    }
                }
                out.truncate(kept);
            }
            // One part generates the moves, the other only filters them.
            Permit::And(maker, judge) | Permit::And(judge, maker) if maker.makes() && !judge.nests() => {
                maker.moves_under(view, safety, out)?;
                judge.sieve(view, before, out)?;
            }
            Permit::And(a, b) => {
                let (a, b) = (part(a)?, part(b)?);
                view.rules.meter().charge(Task::Listing, product(&a, &b))?;
                out.extend(a.into_iter().filter(|mv| b.contains(mv)));
            }
            Permit::Minus(maker, judge) if maker.makes() && !judge.nests() => {
                maker.moves_under(view, safety, out)?;
                retain_from(out, before, |mv| {
                    view.rules.meter().charge(Task::Testing, 1)?;
                    judge.admits(view, mv).map(|admitted| !admitted)
                })?;
            }
            Permit::Minus(a, b) => {
                let (a, b) = (part(a)?, part(b)?);
                view.rules.meter().charge(Task::Listing, product(&a, &b))?;
                out.extend(a.into_iter().filter(|mv| !b.contains(mv)));
            }
            Permit::Where(inner, rule) => {
                let mut tester = view.rules.tester(*rule, view);
                if tester.rejects_all() && !inner.consults() {
                    return Ok(());
                }
                inner.moves_under(view, safety, out)?;
                let passes = |mv| tester.holds(view, Subject::Move(mv), || prospect(view.position, mv));
                retain_from(out, before, passes)?;
            }
            Permit::After(inner, _) => {
                inner.moves_under(view, safety, out)?;
                retain_from(out, before, |mv| self.passes(view, mv))?;
            }
            Permit::OrElse(..)
            | Permit::Payable(..)
            | Permit::Longest(_)
            | Permit::Most(_)
            | Permit::Of(..)
            | Permit::Safety(..)
            | plain!()
            | maker!() => self.moves_under(view, safety, out)?,
        }
        Ok(())
    }

    /// Whether the permit admits a move that the board allows.
    fn admits(&self, view: &View<'_>, mv: Move) -> Result<bool, RuleError> {
        let on_board = mv.castling().is_none() && mv.dropped().is_none();
        if matches!(self, Permit::Or(..) | Permit::And(..) | Permit::Minus(..)) {
            view.rules.meter().add(1);
        }
        Ok(match self {
            Permit::Any => true,
            Permit::Nothing => false,
            Permit::Pieces(kinds) => on_board && kinds.contains(view.position.at(mv.from).kind()),
            Permit::Castling(which) => mv.castling().is_some_and(|index| which >> index & 1 != 0),
            Permit::CastlingBy(set) => {
                let castle = mv.castling().and_then(|index| view.variant.spec().castles.get(index));
                castle.is_some_and(|castle| {
                    let set = view.set(set);
                    set.contains(castle.king.0) || set.contains(castle.rook.0)
                })
            }
            Permit::EnPassant => mv.tag == Tag::EnPassant,
            Permit::Drops(kinds) => mv.dropped().is_some_and(|kind| kinds.contains(kind)),
            Permit::From(set) => mv.dropped().is_none() && view.set(set).contains(mv.from),
            Permit::To(set) => view.set(set).contains(mv.to),
            Permit::Promoting(kinds) => mv.promotion().is_some_and(|kind| kinds.contains(kind)),
            Permit::Capturing(kinds) => {
                let (captured, _) = view.position.captured_by(mv);
                !captured.is_none() && kinds.contains(captured.kind())
            }
            Permit::Payable(held_dice, higher) => {
                on_board && held_dice.pays(view, *higher).contains(view.position.at(mv.from).kind())
            }
            Permit::Toward(right, forward) => {
                let turn = view.variant.spec().sides[view.position.side().index()].forward_at(mv.from);
                on_board && direction(view, mv) == view.variant.board().turn((*right, *forward), turn)
            }
            Permit::Steps(min, max) => {
                on_board && (*min..=*max).contains(&view.variant.board().distance(mv.from, mv.to))
            }
            Permit::Or(a, b) => a.admits(view, mv)? || b.admits(view, mv)?,
            Permit::And(a, b) => a.admits(view, mv)? && b.admits(view, mv)?,
            Permit::Minus(a, b) => a.admits(view, mv)? && !b.admits(view, mv)?,
            Permit::Where(inner, _) | Permit::After(inner, _) => inner.admits(view, mv)? && self.passes(view, mv)?,
            // Never reached: `combine` handles these.
            Permit::OrElse(..) | Permit::Safety(..) | Permit::Longest(_) | Permit::Of(..) => true,
            Permit::Most(_) | maker!() => true,
        })
    }

    /// The test of [`Permit::Where`] and [`Permit::After`] alone.
    fn passes(&self, view: &View<'_>, mv: Move) -> Result<bool, RuleError> {
        match self {
            Permit::Where(_, rule) => view.rules.holds_for(*rule, view, || prospect(view.position, mv)),
            Permit::After(_, rule) => {
                view.rules.meter().charge(Task::Testing, COPY)?;
                let mut position = view.rules.borrow_position(view.position);
                let made = position.make(view.variant, mv);
                let after = View { position: &position, ..*view };
                let passes = view.rules.holds_for(*rule, &after, || Value::Move(made, true));
                view.rules.return_position(position);
                passes
            }
            plain!() | maker!() => Ok(true),
            Permit::Or(..) | Permit::And(..) | Permit::Minus(..) | Permit::OrElse(..) => Ok(true),
            Permit::Payable(..) | Permit::Longest(_) | Permit::Most(_) => Ok(true),
            Permit::Of(..) | Permit::Safety(..) => Ok(true),
        }
    }
}

/// The work of comparing each of some moves with each of others.
fn product(a: &[Move], b: &[Move]) -> u64 {
    a.len() as u64 * b.len() as u64 / 32
}

/// The direction of a move.
fn direction(view: &View<'_>, mv: Move) -> Offset {
    let (right, forward) = view.variant.board().heading(mv.from, mv.to);
    (right as i8, forward as i8)
}

/// The longest of the moves of each piece in each direction, with all its promotions. Castling and drops stay.
fn longest(view: &View<'_>, moves: &[Move]) -> Vec<Move> {
    let board = view.variant.board();
    let span = |mv: &Move| board.distance(mv.from, mv.to);
    // Castling does not count as a longer move in the direction of a step.
    let same =
        |a: &Move, b: &Move| a.from == b.from && b.castling().is_none() && direction(view, *a) == direction(view, *b);
    let beaten = |mv: &Move| moves.iter().any(|other| same(mv, other) && span(other) > span(mv));
    let plain = |mv: &Move| mv.dropped().is_none() && mv.castling().is_none();
    moves.iter().filter(|mv| !plain(mv) || !beaten(mv)).copied().collect()
}

/// A move as it would be recorded, before it is made.
pub(crate) fn prospect(position: &Position, mv: Move) -> Value {
    Value::Move(plan(position, mv), false)
}

/// The effects that a move would have.
pub(crate) fn plan(position: &Position, mv: Move) -> Made {
    let (captured, captured_at) = position.captured_by(mv);
    let piece = match mv.dropped() {
        Some(kind) => Piece::new(position.side(), kind),
        None => position.at(mv.from),
    };
    Made { mv, piece, captured, captured_at }
}
