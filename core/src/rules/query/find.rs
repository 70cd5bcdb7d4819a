//! Finds: the sets, squares, sides, numbers and pieces that a rule requests and holds.
//!
//! Each is a plain value that the engine resolves in a [`View`], without side effects.

use super::supposed;
use crate::board::piece::KindMask;
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::movegen::{attack, push, track};
use crate::position::moves::Tag;
use crate::rules::amount::Amount;
use crate::rules::effect::Effect;
use crate::rules::error::{RuleError, Task};
use crate::rules::faces::{self, Asked};
use crate::rules::hook::RuleId;
use crate::rules::meter::BOARD;
use crate::rules::permit::Permit;
use crate::rules::value::{SetExpr, SideRef, Slot, SquareRef, Value, View};
use crate::rules::walker::Subject;
use std::sync::Arc;

/// A value to find and hold in the next slot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Find {
    /// The squares of some side's pieces of some kinds; without a side, of all sides.
    Pieces(Option<SideRef>, KindMask),
    /// The side's pieces that attack a square.
    Attackers(SquareRef, SideRef),
    /// The squares that a side attacks.
    Attacked(SideRef),
    /// A region as seen by a side, by its index on the board.
    Region(u8, SideRef),
    /// The square of a side's only royal piece.
    Royal(SideRef),
    /// Squares whose piece has a trait of this value.
    WithTrait(u8, i16),
    /// All squares on the files (`false`) or ranks (`true`) of some squares.
    Line(SetExpr, bool),
    /// The squares within this many king's steps of some squares, excluding those squares.
    Around(SetExpr, u8),
    /// The squares at an offset (files and ranks) from some squares, as seen by the side; those off the board are left out.
    Shifted(SetExpr, (i8, i8), SideRef),
    /// Squares whose piece has a trait between these values, inclusive.
    TraitBetween(u8, i16, i16),
    /// The squares of the pieces that a move moved, including pushed ones.
    Moved(Slot),
    /// The squares from one to another along a line of neighbors, excluding both.
    Between(SquareRef, SquareRef),
    /// Origins or targets (`true`) of the moves that a permit admits.
    Reach(Permit, bool),
    /// The stations of a side's track from one number to another, from 1.
    Stations(u8, SideRef, i16, i16),
    /// The squares of a side's pieces that have come farthest along its track, or least far (`true`).
    Foremost(u8, SideRef, bool),
    /// The squares next to some squares on a side's track.
    Joined(u8, SideRef, SetExpr),
    /// The squares of the second set that are connected to the first by chains of neighbors within the second.
    Group(SetExpr, SetExpr),
    /// The largest connected part of a set; of several, the one with the first square.
    LargestGroup(SetExpr),
    /// The squares with a mark, by its index; of marks that each side has, this side's.
    Marked(u8, SideRef),
    /// The squares where a piece of a side lies beneath an enemy's.
    Covered(SideRef),
    /// The squares with at least this many pieces.
    Heaps(i16),
    /// Empty squares.
    Empty,
    /// Those of some squares whose dice show the lowest of the faces in a slot, except squares of royal pieces.
    Lowest(Slot, SetExpr),
    /// A set, frozen.
    Set(SetExpr),
    /// The only square of a set; none, if it is empty.
    Only(SetExpr),
    /// Those of some squares for which a rule answers yes.
    Where(SetExpr, RuleId),
    /// The result in the position that some effects would lead to.
    Suppose(Arc<Vec<Effect>>, Box<Find>),
    /// The square a number of steps in a direction (files, ranks) as seen by the side.
    Step(SquareRef, (i8, i8), SideRef),
    /// A side, frozen.
    Side(SideRef),
    /// A number, frozen.
    Number(Amount),
    /// The present piece on a square.
    Piece(SquareRef),
    /// The last move of a piece of a side.
    LastMove(SideRef),
}

/// Finds a value for a rule to hold.
///
/// # Errors
/// If a rule that the search consults fails, or a set has more squares than it may.
pub(crate) fn find(find: &Find, view: &View<'_>) -> Result<Value, RuleError> {
    let position = view.position;
    let board = view.variant.board();
    view.rules.meter().charge(Task::Running, find.work(view))?;
    Ok(match find {
        Find::Pieces(side, kinds) => Value::Set(piece_set(view, *side, *kinds)),
        Find::Attackers(square, by) => Value::Set(match (view.square(*square), view.side(*by)) {
            (Some(square), Some(by)) => attack::attackers(view.variant, position, square, by),
            _ => SquareSet::EMPTY,
        }),
        Find::Attacked(by) => Value::Set(view.side(*by).map_or(SquareSet::EMPTY, |by| {
            let attacked = |&s: &Square| !attack::attackers(view.variant, position, s, by).is_empty();
            board.squares().into_iter().filter(attacked).collect()
        })),
        Find::Region(index, side) => {
            let side = view.side(*side).unwrap_or(Side::FIRST);
            Value::Set(board.regions().get(*index as usize).map_or(SquareSet::EMPTY, |r| r.squares[side.index()]))
        }
        Find::Royal(side) => Value::Square(view.side(*side).and_then(|s| position.royals(view.variant, s).lowest())),
        Find::WithTrait(index, value) => {
            let has = |&s: &Square| position.trait_at(view.variant, *index as usize, s) == *value;
            Value::Set(position.occupied().into_iter().filter(has).collect())
        }
        Find::Line(set, rank) => {
            let (files, ranks) = (&view.variant.files, &view.variant.ranks);
            let line = |s| if *rank { ranks[usize::from(board.rank(s))] } else { files[usize::from(board.file(s))] };
            let (mut left, mut all) = (view.set(set), SquareSet::EMPTY);
            while let Some(square) = left.lowest() {
                let line = line(square);
                (left, all) = (left - line, all | line);
            }
            Value::Set(all)
        }
        Find::Around(set, steps) => {
            let set = view.set(set);
            Value::Set((0..*steps).fold(set, |all, _| all | view.variant.neighbors.around(all)) - set)
        }
        Find::Shifted(set, step, side) => {
            let side = view.side(*side).map(|s| &view.variant.spec().sides[s.index()]);
            let step = |s| board.turn(*step, side.map_or(0, |side| side.forward_at(s)));
            Value::Set(view.set(set).into_iter().fold(SquareSet::EMPTY, |all, s| all | board.offsets(s, step(s))))
        }
        Find::TraitBetween(index, least, most) => {
            let range = *least..=*most;
            let has = |&s: &Square| range.contains(&position.trait_at(view.variant, *index as usize, s));
            Value::Set(position.occupied().into_iter().filter(has).collect())
        }
        Find::Moved(slot) => Value::Set(moved(view, *slot)),
        Find::Between(a, b) => Value::Set(between(view, *a, *b)),
        Find::Reach(permit, targets) => {
            let mut moves = Vec::new();
            permit.moves(view, &mut moves)?;
            Value::Set(moves.iter().map(|mv| if *targets { mv.to } else { mv.from }).collect())
        }
        Find::Suppose(effects, inner) => {
            let position = supposed(effects, view)?;
            self::find(inner, &View { position: &position, ..*view })?
        }
        Find::Stations(track, side, first, last) => Value::Set(
            view.side(*side)
                .map_or(SquareSet::EMPTY, |side| track::stations(view.variant, *track, side, *first, *last)),
        ),
        Find::Foremost(track, side, last) => Value::Set(
            view.side(*side)
                .map_or(SquareSet::EMPTY, |side| track::foremost(view.variant, position, (*track, side), *last)),
        ),
        Find::Joined(track, side, set) => Value::Set(
            view.side(*side).map_or(SquareSet::EMPTY, |side| track::joined(view.variant, *track, side, view.set(set))),
        ),
        Find::Group(seeds, within) => Value::Set(view.variant.neighbors.group(view.set(seeds), view.set(within))),
        Find::LargestGroup(set) => Value::Set(view.variant.neighbors.largest_group(view.set(set))),
        Find::Marked(mark, side) => {
            let side = view.side(*side).unwrap_or(Side::FIRST);
            Value::Set(position.marked(view.variant, usize::from(*mark), side))
        }
        Find::Covered(side) => {
            Value::Set(view.side(*side).map_or(SquareSet::EMPTY, |side| position.covered(view.variant, side)))
        }
        Find::Heaps(least) => Value::Set(position.heaps(usize::try_from(*least).unwrap_or(0))),
        Find::Empty => Value::Set(board.squares() - position.occupied()),
        Find::Lowest(slot, set) => Value::Set(lowest(view, *slot, set)),
        Find::Set(set) => Value::Set(view.set(set)),
        Find::Only(set) => Value::Square(only(view.set(set))?),
        Find::Where(set, rule) => {
            let mut found = SquareSet::EMPTY;
            let squares = view.set(set);
            if squares.is_empty() {
                return Ok(Value::Set(found));
            }
            let mut tester = view.rules.tester(*rule, view);
            for square in squares {
                if tester.holds(view, Subject::Square(square), || Value::Square(Some(square)))? {
                    found.insert(square);
                }
            }
            Value::Set(found)
        }
        Find::Step(square, step, side) => {
            let side = view.side(*side).map(|s| &view.variant.spec().sides[s.index()]);
            let step = |s| board.turn(*step, side.map_or(0, |side| side.forward_at(s)));
            Value::Square(view.square(*square).and_then(|s| board.offset(s, step(s))))
        }
        Find::Side(side) => Value::Side(view.side(*side)),
        Find::Number(amount) => Value::Number(amount.value(view)),
        Find::Piece(square) => {
            let traits = 0..view.variant.spec().traits.len() as u8;
            let traits = traits.map(|index| view.trait_of(index, *square)).collect();
            Value::Piece(view.square(*square), view.piece(*square), traits)
        }
        Find::LastMove(side) => {
            let last = view.side(*side).and_then(|side| position.last_move(view.variant, side));
            last.map_or(Value::None, |made| Value::Named(made, true))
        }
    })
}

impl Find {
    /// The cost of finding it, except for tests and permits, which are counted separately.
    fn work(&self, view: &View<'_>) -> u64 {
        match self {
            Find::Attacked(_) => 4 * u64::from(view.variant.board().squares().len()),
            Find::Around(_, steps) => 4 * u64::from(*steps),
            Find::Line(..) | Find::Shifted(..) | Find::Group(..) | Find::LargestGroup(_) => BOARD,
            Find::Joined(..) | Find::Foremost(..) => BOARD,
            Find::Pieces(..)
            | Find::Attackers(..)
            | Find::Region(..)
            | Find::Royal(_)
            | Find::WithTrait(..)
            | Find::TraitBetween(..)
            | Find::Moved(_)
            | Find::Between(..)
            | Find::Reach(..)
            | Find::Stations(..)
            | Find::Marked(..)
            | Find::Covered(_)
            | Find::Heaps(_)
            | Find::Empty
            | Find::Lowest(..)
            | Find::Set(_)
            | Find::Only(_)
            | Find::Where(..)
            | Find::Suppose(..)
            | Find::Step(..)
            | Find::Side(_)
            | Find::Number(_)
            | Find::LastMove(_)
            | Find::Piece(_) => 1,
        }
    }
}

/// The squares of the pieces of some kinds, of one side or of all.
fn piece_set(view: &View<'_>, side: Option<SideRef>, kinds: KindMask) -> SquareSet {
    let of = |side| view.position.of_kinds(side, kinds);
    match side {
        Some(side) => view.side(side).map_or(SquareSet::EMPTY, of),
        None => (0..view.variant.sides()).map(|s| of(Side(s as u8))).fold(SquareSet::EMPTY, |all, set| all | set),
    }
}

/// The only square of a set, if it has one.
fn only(set: SquareSet) -> Result<Option<Square>, RuleError> {
    match set.len() {
        0 | 1 => Ok(set.lowest()),
        many => Err(RuleError::new(format!("expected one square, but this set has {many} squares"))),
    }
}

/// The squares of the pieces that a move moved.
fn moved(view: &View<'_>, slot: Slot) -> SquareSet {
    let Some(made) = view.made(slot).filter(|_| view.is_done(slot)) else { return SquareSet::EMPTY };
    if made.mv.tag == Tag::Push {
        return push::moved(view.variant, made.mv, made.captured_at);
    }
    let partner = view.square(SquareRef::Partner(slot)).map_or(SquareSet::EMPTY, SquareSet::from);
    partner | made.mv.to.into()
}

fn between(view: &View<'_>, a: SquareRef, b: SquareRef) -> SquareSet {
    let (Some(a), Some(b)) = (view.square(a), view.square(b)) else { return SquareSet::EMPTY };
    view.variant.board().between(a, b).into_iter().collect()
}

fn lowest(view: &View<'_>, slot: Slot, set: &SetExpr) -> SquareSet {
    let squares = view.set(set);
    let royal = |square| view.variant.royals().contains(view.position.at(square).kind());
    let counts = |square| squares.contains(square) && !royal(square);
    let asked = |faces: &[_]| Asked::LowestOf(faces::dice_on(faces, counts));
    let Some(faces) = view.faces_asked(slot, asked) else { return SquareSet::EMPTY };
    let common = || faces.iter().filter(|&&(square, _)| counts(square));
    let low = common().map(|&(_, face)| face).min();
    common().filter(|&&(_, face)| Some(face) == low).map(|&(square, _)| square).collect()
}
