//! Queries: the questions of a rule that have a small answer.
//!
//! Each is a plain value that the engine answers from a [`View`], without side effects. Answers are 64-bit integers: a
//! truth value is 0 or 1, a kind, side or square its index, and -1 stands for "none".

mod find;

use crate::board::piece::{Kind, KindMask, Piece};
use crate::board::side::Side;
use crate::board::square::Square;
use crate::movegen::{self, Filter, Safety, track};
use crate::position::Position;
use crate::position::moves::Tag;
use crate::rules::amount::Amount;
use crate::rules::effect::{self, Effect, GameFlow};
use crate::rules::error::{RuleError, Task};
use crate::rules::faces::{self, Asked};
use crate::rules::meter::SEARCH;
use crate::rules::movement;
use crate::rules::permit::Permit;
use crate::rules::value::{SetExpr, SideRef, Slot, SquareRef, View};
use std::sync::Arc;

pub use find::Find;
pub(crate) use find::find;

/// An answer to a query, or the outcome of a chance or decision node, as a number.
pub type Answer = i64;

/// A property of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aspect {
    /// The kind that moves (as it was before).
    Kind,
    /// The kind it captures, -1 for none.
    CapturedKind,
    /// The side that loses a piece, -1 for none.
    CapturedSide,
    /// The kind it promotes to, -1 for none.
    Promotion,
    /// Whether it is castling.
    Castling,
    /// Whether it is a drop.
    Drop,
    /// Whether it captures en passant.
    EnPassant,
    /// Whether it was carried out.
    Done,
    /// The number of king's steps between origin and target.
    Distance,
    /// Whether it is a push.
    Push,
}

/// A property of the rolled faces in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tally {
    /// Their sum.
    Total,
    /// The lowest.
    Lowest,
    /// The highest.
    Highest,
    /// Their number.
    Count,
    /// The number that show this face.
    Showing(i16),
    /// The number that show the most frequent face.
    Alike,
    /// The number of different faces.
    Kinds,
    /// The length of the longest run of consecutive faces.
    Row,
    /// The face at this rank, from 1 for the highest; 0 beyond the last.
    Ranked(u8),
}

/// A question with a small answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Query {
    /// Whether the answer to a query is at least this number: keeps trees small where only that matters.
    AtLeast(Box<Query>, Answer),
    /// Whether the answer to a query equals this number: the same for comparisons of equality.
    Equals(Box<Query>, Answer),
    /// The answer to a query in the position that some effects would lead to.
    Suppose(Arc<Vec<Effect>>, Box<Query>),
    /// The number of squares in a set.
    Count(SetExpr),
    /// Whether a square belongs to a set.
    Contains(SetExpr, SquareRef),
    /// The first square of a set after the given index, -1 for none: scripts iterate over a set with it.
    Following(SetExpr, i16),
    /// The kind on a square, -1 if it is empty.
    KindAt(SquareRef),
    /// A side's index, -1 for none.
    Side(SideRef),
    /// Whether two references mean the same side.
    SameSide(SideRef, SideRef),
    /// A square's index, -1 for none.
    Square(SquareRef),
    /// Whether two references mean the same square.
    SameSquare(SquareRef, SquareRef),
    /// A square's file from 0, -1 for none.
    File(SquareRef),
    /// A square's rank from 0, counted from the given side's edge; -1 for none.
    Rank(SquareRef, SideRef),
    /// The number of king's steps between two squares.
    Distance(SquareRef, SquareRef),
    /// The number of pieces of some kinds; without a side, of all sides.
    Pieces(Option<SideRef>, KindMask),
    /// The number of pieces of a kind in a hand.
    Hand(SideRef, Kind),
    /// A number for calculations.
    Amount(Amount),
    /// Whether one number is smaller than another.
    Less(Amount, Amount),
    /// Whether a side is out of the game.
    IsOut(SideRef),
    /// Whether a royal piece of the side is attacked.
    InCheck(SideRef),
    /// Whether the side has any move, apart from dice, under the variant's royal policy.
    CanMove(SideRef),
    /// Whether the side has a move that leaves none of its royal pieces attacked.
    CanMoveSafely(SideRef),
    /// The number of moves of the mover that a permit admits.
    Moves(Permit),
    /// Plies since the last capture or pawn-like move.
    Clock,
    /// The number of the round, from 1.
    Round,
    /// How often the present position has been on the board, this time included.
    Repetitions,
    /// The only side that gave check with each of its moves since the first occurrence of the present position, -1 for
    /// none.
    PerpetualChecker,
    /// A property of a move.
    Move(Slot, Aspect),
    /// Whether two moves are the same: the same piece, squares and promotion.
    SameMove(Slot, Slot),
    /// Whether there is a remembered move of a side.
    HasMoved(SideRef),
    /// A property of the faces rolled for some squares.
    Faces(Slot, SetExpr, Tally),
    /// How two sums of faces compare: -1, 0 or 1.
    CompareFaces(Slot, SetExpr, SetExpr),
    /// Whether one turn has ended and the next has not begun.
    BetweenTurns,
    /// The number of pieces on a square; of one side, if given.
    Height(SquareRef, Option<SideRef>),
    /// The number, from 1, of a square's station on a side's track; 0 for none.
    SourceLocation(u8, SquareRef, SideRef),
}

/// Whether a side has a piece of one of these kinds.
#[inline]
pub(crate) fn has(view: &View<'_>, side: Side, kinds: KindMask) -> bool {
    if kinds == view.variant.royals() {
        return view.position.royal_count(side) > 0;
    }
    view.position.has(side, kinds) || view.position.has_heaps() && view.position.count_beneath(side, kinds) > 0
}

/// Answers a question in a hypothetical position. Separate, since it requires memory for a position.
#[inline(never)]
fn answer_supposing(effects: &[Effect], query: &Query, view: &View<'_>) -> Result<Answer, RuleError> {
    let position = supposed(effects, view)?;
    answer(query, &View { position: &position, ..*view })
}

/// Answers a question.
///
/// # Errors
/// If a rule that the question consults fails.
pub(crate) fn answer(query: &Query, view: &View<'_>) -> Result<Answer, RuleError> {
    let position = view.position;
    Ok(match query {
        Query::AtLeast(inner, least) => truth(at_least(inner, *least, view)?),
        Query::Equals(inner, wanted) => truth(answer(inner, view)? == *wanted),
        Query::Suppose(effects, inner) => answer_supposing(effects, inner, view)?,
        Query::Count(set) => i64::from(view.set(set).len()),
        Query::Contains(set, square) => truth(view.square(*square).is_some_and(|s| view.set(set).contains(s))),
        Query::Following(set, after) => {
            let found = view.set(set).into_iter().find(|s| i32::from(s.0) > i32::from(*after));
            found.map_or(-1, |s| i64::from(s.0))
        }
        Query::KindAt(square) => kind_index(view.piece(*square)),
        Query::Side(side) => side_index(view.side(*side)),
        Query::SameSide(a, b) => truth(view.side(*a).is_some() && view.side(*a) == view.side(*b)),
        Query::Square(square) => view.square(*square).map_or(-1, |s| i64::from(s.0)),
        Query::SameSquare(a, b) => truth(view.square(*a).is_some() && view.square(*a) == view.square(*b)),
        Query::File(square) => view.square(*square).map_or(-1, |s| i64::from(view.variant.board().file(s))),
        Query::Rank(square, side) => rank(view, *square, *side),
        Query::Distance(a, b) => match (view.square(*a), view.square(*b)) {
            (Some(a), Some(b)) => distance(view, a, b),
            _ => -1,
        },
        Query::Pieces(side, kinds) => pieces(view, *side, *kinds),
        Query::Hand(side, kind) => view.side(*side).map_or(0, |s| i64::from(position.in_hand(view.variant, s, *kind))),
        Query::Amount(amount) => amount.value(view),
        Query::Less(a, b) => truth(a.value(view) < b.value(view)),
        Query::IsOut(side) => truth(view.side(*side).is_some_and(|s| position.is_out(s))),
        Query::InCheck(side) => truth(view.side(*side).map_or(Ok(false), |s| movement::in_check(view, s))?),
        Query::CanMove(side) => {
            view.rules.meter().add(SEARCH - 1);
            truth(view.side(*side).map_or(Ok(false), |s| is_able(view, s, Safety::Policy))?)
        }
        Query::CanMoveSafely(side) => {
            view.rules.meter().add(SEARCH - 1);
            truth(view.side(*side).map_or(Ok(false), |s| is_able(view, s, Safety::Safe))?)
        }
        Query::Moves(permit) => {
            let mut moves = Vec::new();
            permit.moves(view, &mut moves)?;
            moves.len() as i64
        }
        Query::Clock => i64::from(position.clock()),
        Query::Round => i64::from(position.number()),
        Query::Repetitions => repetitions(view),
        Query::PerpetualChecker => perpetual_checker(view),
        Query::Move(slot, aspect) => of_move(view, *slot, *aspect),
        Query::SameMove(a, b) => truth(match (view.made(*a), view.made(*b)) {
            (Some(a), Some(b)) => a.is_like(b),
            _ => false,
        }),
        Query::HasMoved(side) => truth(view.side(*side).and_then(|s| position.last_move(view.variant, s)).is_some()),
        Query::Faces(slot, set, tally) => of_faces(view, *slot, set, *tally),
        Query::CompareFaces(slot, a, b) => {
            let total = |set| of_faces(view, *slot, set, Tally::Total);
            (total(a) - total(b)).signum()
        }
        Query::BetweenTurns => truth(view.between),
        Query::Height(square, side) => height(view, *square, *side),
        Query::SourceLocation(track, square, side) => match (view.square(*square), view.side(*side)) {
            (Some(square), Some(side)) => track::place(view.variant, *track, side, square),
            _ => 0,
        },
    })
}

/// Whether the answer is at least `least`, without computing more of it than that takes.
fn at_least(query: &Query, least: Answer, view: &View<'_>) -> Result<bool, RuleError> {
    if let (Query::Moves(permit), 1) = (query, least) {
        return permit.exists(view);
    }
    if let (Query::Pieces(Some(side), kinds), 1..) = (query, least) {
        let Some(side) = view.side(*side) else { return Ok(false) };
        if least == 1 {
            return Ok(has(view, side, *kinds));
        }
        if !kinds.0.is_power_of_two() && *kinds != KindMask::ALL && !view.position.has_heaps() {
            let found = view.position.of_kinds(side, *kinds).into_iter().take(least as usize);
            return Ok(found.count() as Answer == least);
        }
    }
    Ok(answer(query, view)? >= least)
}

fn supposed(effects: &[Effect], view: &View<'_>) -> Result<Position, RuleError> {
    let mut position = view.position.clone();
    for effect in effects {
        view.rules.meter().charge(Task::Running, effect.work())?;
        let before = position.clone();
        let view = View { position: &before, ..*view };
        effect::apply(effect, &view, &mut position, &mut GameFlow::default())?;
    }
    Ok(position)
}

fn truth(value: bool) -> Answer {
    i64::from(value)
}

fn kind_index(piece: Piece) -> Answer {
    if piece.is_none() { -1 } else { i64::from(piece.kind().0) }
}

fn side_index(side: Option<Side>) -> Answer {
    side.map_or(-1, |s| i64::from(s.0))
}

/// Whether the side has a move under the given `safety`.
fn is_able(view: &View<'_>, side: Side, safety: Safety) -> Result<bool, RuleError> {
    match movement::is_ruled(view) {
        true => movement::can_move(view, side, safety),
        false => Ok(can_move(view, side, safety)),
    }
}

/// The same, unless a rule determines how pieces move. The two moves found last are tried first, since one of them is
/// usually still possible.
pub(crate) fn can_move(view: &View<'_>, side: Side, safety: Safety) -> bool {
    let [last, before] = view.rules.witnesses(side);
    let goes = |mv| movegen::still_goes(view.variant, view.position, side, safety, mv);
    if goes(last.get()) || goes(before.get()) {
        return true;
    }
    let found = movegen::some_move(view.variant, view.position, side, safety, Filter::ALL);
    found.inspect(|&mv| before.set(last.replace(mv))).is_some()
}

fn rank(view: &View<'_>, square: SquareRef, side: SideRef) -> Answer {
    let (Some(square), Some(side)) = (view.square(square), view.side(side)) else { return -1 };
    view.variant.board().advance(square, view.variant.spec().sides[side.index()].forward_at(square))
}

fn height(view: &View<'_>, square: SquareRef, side: Option<SideRef>) -> Answer {
    view.square(square).map_or(0, |square| pieces_on(view, square, side))
}

/// The number of pieces on a square, of one side or of all.
pub(crate) fn pieces_on(view: &View<'_>, square: Square, side: Option<SideRef>) -> Answer {
    let height = match side {
        None => view.position.height(square),
        Some(side) => view.side(side).map_or(0, |side| view.position.height_of(square, side)),
    };
    height as Answer
}

fn distance(view: &View<'_>, a: Square, b: Square) -> Answer {
    i64::from(view.variant.board().distance(a, b))
}

fn pieces(view: &View<'_>, side: Option<SideRef>, kinds: KindMask) -> Answer {
    let beneath = |side| if view.position.has_heaps() { view.position.count_beneath(side, kinds) as Answer } else { 0 };
    let count = |side: Side| {
        if kinds.0.is_power_of_two() {
            let piece = Piece::new(side, Kind(kinds.0.trailing_zeros() as u8));
            return i64::from(view.position.count(view.variant, piece));
        }
        let of = view.position.of(side);
        if kinds == KindMask::ALL {
            return i64::from(of.len()) + beneath(side);
        }
        i64::from(view.position.of_kinds(side, kinds).len()) + beneath(side)
    };
    match side {
        Some(side) => view.side(side).map_or(0, count),
        None => (0..view.variant.sides()).map(|s| count(Side(s as u8))).sum(),
    }
}

/// The number of positions, the present one included, that may equal it.
fn window(view: &View<'_>) -> usize {
    let len = view.history.len();
    // Pieces return from hands, so with hands a position may recur after a capture.
    if view.variant.spec().hands { len } else { len.min(view.position.clock() as usize + 1) }
}

fn repetitions(view: &View<'_>) -> Answer {
    let window = window(view);
    view.rules.meter().add(window as u64 / 16);
    view.history.repetitions(window).max(1) as Answer
}

/// Whether the present position has been on the board at least `least` times, this time included.
pub(crate) fn repeated(view: &View<'_>, least: Answer) -> bool {
    // After a capture there are too few positions to compare.
    let few = window(view) < least.max(2) as usize;
    if few { least <= 1 } else { repetitions(view) >= least }
}

fn perpetual_checker(view: &View<'_>) -> Answer {
    let window = window(view);
    if window == 0 {
        return -1;
    }
    view.rules.meter().add(window as u64 / 4);
    let Some(since) = view.history.since_the_same(window) else { return -1 };
    let always = |side: Side| {
        let mut moves = since.iter().filter(|&&(mover, _)| mover == side).peekable();
        moves.peek().is_some() && moves.all(|&(_, check)| check)
    };
    let mut checkers = (0..view.variant.sides()).map(|s| Side(s as u8)).filter(|&s| always(s));
    match (checkers.next(), checkers.next()) {
        (Some(side), None) => i64::from(side.0),
        _ => -1,
    }
}

fn of_move(view: &View<'_>, slot: Slot, aspect: Aspect) -> Answer {
    let Some(made) = view.made(slot) else { return -1 };
    match aspect {
        Aspect::Kind => kind_index(made.piece),
        Aspect::CapturedKind => kind_index(made.captured),
        Aspect::CapturedSide => {
            if made.captured.is_none() {
                -1
            } else {
                i64::from(made.captured.side().0)
            }
        }
        Aspect::Promotion => made.mv.promotion().map_or(-1, |k| i64::from(k.0)),
        Aspect::Castling => truth(made.mv.castling().is_some()),
        Aspect::Drop => truth(made.mv.dropped().is_some()),
        Aspect::EnPassant => truth(made.mv.tag == Tag::EnPassant),
        Aspect::Done => truth(view.is_done(slot)),
        Aspect::Push => truth(made.mv.tag == Tag::Push),
        Aspect::Distance => distance(view, made.mv.from, made.mv.to),
    }
}

pub(crate) fn of_faces(view: &View<'_>, slot: Slot, set: &SetExpr, tally: Tally) -> Answer {
    let squares = view.set(set);
    let asked = |faces: &[_]| Asked::Of(faces::dice_on(faces, |square| squares.contains(square)), tally);
    let Some(faces) = view.faces_asked(slot, asked) else { return 0 };
    let faces = faces.iter().filter(|(square, _)| squares.contains(*square)).map(|&(_, face)| i64::from(face));
    self::tally(faces, tally)
}

/// A property of some faces.
pub fn tally(faces: impl Iterator<Item = i64>, tally: Tally) -> Answer {
    match tally {
        Tally::Total => faces.sum(),
        Tally::Lowest => faces.min().unwrap_or(0),
        Tally::Highest => faces.max().unwrap_or(0),
        Tally::Count => faces.count() as i64,
        _ => pattern(faces.collect(), tally),
    }
}

/// A property of faces that must be sorted first.
fn pattern(mut faces: Vec<i64>, tally: Tally) -> Answer {
    faces.sort_unstable_by(|a, b| b.cmp(a));
    if let Tally::Ranked(place) = tally {
        return usize::from(place).checked_sub(1).and_then(|i| faces.get(i)).copied().unwrap_or(0);
    }
    if let Tally::Showing(face) = tally {
        return faces.iter().filter(|&&f| f == i64::from(face)).count() as i64;
    }
    let alike = faces.chunk_by(|a, b| a == b).map(<[i64]>::len).max().unwrap_or(0);
    faces.dedup();
    match tally {
        Tally::Alike => alike as i64,
        Tally::Kinds => faces.len() as i64,
        _ => faces.chunk_by(|a, b| a - b == 1).map(<[i64]>::len).max().unwrap_or(0) as i64,
    }
}
