//! Effects: the changes that a rule may make to the game, as data that the engine applies.
//!
//! Effects on the board go through [`Position`]. Effects on the course of the game (its end, the next side to move) are
//! collected in [`GameFlow`] for the state machine.

use crate::board::Offset;
use crate::board::piece::{Kind, Piece};
use crate::board::side::{MAX_SIDES, Side};
use crate::board::square::Square;
use crate::position::{MOST_BENEATH, Position};
use crate::rules::amount::{Amount, CounterRef};
use crate::rules::error::RuleError;
use crate::rules::faces::Asked;
use crate::rules::meter::{BOARD, COPY};
use crate::rules::value::{Part, SetExpr, SideRef, Slot, SquareRef, View};
use crate::variant::Variant;

/// A change that a rule makes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Removes the piece on a square from play.
    Remove(SquareRef),
    /// Removes all pieces of a set from play.
    RemoveAll(SetExpr),
    /// Removes all pieces on the squares of a set from play, including whole heaps.
    RemoveHeaps(SetExpr),
    /// Moves the pieces of a side that lie beneath others to the top of their heaps, in the squares of a set.
    Surface(SetExpr, SideRef),
    /// Moves a number of the topmost pieces of a square to the top of another.
    Carry(SquareRef, SquareRef, Amount),
    /// Puts a piece on a square; the piece there is removed, or in games with heaps covered.
    SourceLocation(SquareRef, SideRef, Kind),
    /// Moves a piece, without capture rules; a piece on the target is removed, or in games with heaps covered.
    Relocate(SquareRef, SquareRef),
    /// Swaps the pieces on two squares.
    Swap(SquareRef, SquareRef),
    /// Pushes the piece on a square, and the line of pieces ahead of it, one step in a direction as seen by the side. With
    /// `true` pieces may go over the edge; otherwise the edge stops the push.
    Push(SquareRef, Offset, SideRef, bool),
    /// Gives the pieces of a set to a side.
    Convert(SetExpr, SideRef),
    /// Gives all pieces of one side to another.
    ConvertAll(SideRef, SideRef),
    /// Turns the pieces of a set into another kind; they keep their traits.
    Become(SetExpr, Kind),
    /// Puts a mark on squares (`true`) or removes it; of marks that each side has, this side's.
    Mark(u8, SideRef, SetExpr, bool),
    /// Sets a trait of the pieces of a set.
    SetTrait(u8, SetExpr, Amount),
    /// Adds to a trait of the pieces of a set.
    AddTrait(u8, SetExpr, Amount),
    /// Sets a counter.
    SetCounter(CounterRef, Amount),
    /// Adds to a counter.
    AddCounter(CounterRef, Amount),
    /// Adds the dice in a slot to a counter whose places stand for faces.
    Gather(u8, SideRef, Slot),
    /// Takes the dice in a slot out of a counter whose places stand for faces.
    Scatter(u8, SideRef, Slot),
    /// Empties all places of a counter.
    Clear(u8, SideRef),
    /// Puts pieces of a kind into a hand (or takes them out, if negative).
    ToHand(SideRef, Kind, Amount),
    /// Resets pieces, hands, rights and eliminated sides to the start; counters stay.
    Restart,
    /// Carries out the move that a `capture` rule decides about.
    Complete,
    /// Makes the move in a slot as if played now; does nothing if it is no longer possible as named.
    Make(Slot),
    /// Labels the event, for lists of odds.
    Label(String),
    /// Ends the game with a win of the side.
    Win(SideRef, String),
    /// Ends the game in a draw.
    Draw(String),
    /// Ends the game with a ranking of the sides.
    Rank(Box<Ranking>),
    /// Sets the value of the game for a side, in half points, for when it ends.
    Award(SideRef, Amount),
    /// Eliminates the side: its turns are skipped.
    Eliminate(SideRef),
    /// Returns the side to the game.
    Readmit(SideRef),
    /// Makes it the side's move from now on, within this turn (for hypothetical positions).
    HandOver(SideRef),
    /// Makes the given side the next to move after this turn.
    Next(SideRef),
}

impl Effect {
    /// The cost of applying it to a copy of a position.
    pub(crate) fn work(&self) -> u64 {
        match self {
            Effect::RemoveAll(_)
            | Effect::RemoveHeaps(_)
            | Effect::Surface(..)
            | Effect::Carry(..)
            | Effect::Convert(..)
            | Effect::ConvertAll(..)
            | Effect::Become(..)
            | Effect::SetTrait(..)
            | Effect::AddTrait(..)
            | Effect::Restart => COPY + BOARD,
            Effect::Remove(_)
            | Effect::SourceLocation(..)
            | Effect::Relocate(..)
            | Effect::Swap(..)
            | Effect::Push(..)
            | Effect::SetCounter(..)
            | Effect::AddCounter(..)
            | Effect::Gather(..)
            | Effect::Scatter(..)
            | Effect::Clear(..)
            | Effect::Mark(..)
            | Effect::ToHand(..)
            | Effect::Complete
            | Effect::Make(_)
            | Effect::Label(_)
            | Effect::Win(..)
            | Effect::Draw(_)
            | Effect::Rank(_)
            | Effect::Award(..)
            | Effect::Eliminate(_)
            | Effect::Readmit(_)
            | Effect::HandOver(_)
            | Effect::Next(_) => COPY,
        }
    }

    /// Whether the effect determines the result of the game and does not change the position.
    pub fn is_verdict(&self) -> bool {
        matches!(self, Effect::Win(..) | Effect::Draw(_) | Effect::Rank(_) | Effect::Award(..))
    }

    /// Whether the effect may change a part of the game, so that later lookups there may differ.
    pub fn concerns(&self, part: Part) -> bool {
        let pieces = || matches!(part, Part::Owner | Part::Kind | Part::Hands | Part::Trait(_) | Part::Traits);
        match self {
            Effect::Remove(_)
            | Effect::RemoveAll(_)
            | Effect::RemoveHeaps(_)
            | Effect::Surface(..)
            | Effect::Carry(..)
            | Effect::SourceLocation(..)
            | Effect::Relocate(..)
            | Effect::Swap(..)
            | Effect::Push(..)
            | Effect::Convert(..)
            | Effect::ConvertAll(..)
            | Effect::Make(_)
            | Effect::Complete => pieces(),
            Effect::Become(..) => part == Part::Kind,
            Effect::SetTrait(index, ..) | Effect::AddTrait(index, ..) => {
                part == Part::Trait(*index) || part == Part::Traits
            }
            Effect::SetCounter(CounterRef { counter, .. }, _)
            | Effect::AddCounter(CounterRef { counter, .. }, _)
            | Effect::Gather(counter, ..)
            | Effect::Scatter(counter, ..)
            | Effect::Clear(counter, _) => part == Part::Counter(*counter),
            Effect::Restart => pieces() || part == Part::Order,
            Effect::Eliminate(_) | Effect::Readmit(_) => part == Part::Order,
            Effect::HandOver(_) => part == Part::Turn,
            Effect::ToHand(..) => part == Part::Hands,
            Effect::Mark(..)
            | Effect::Label(_)
            | Effect::Win(..)
            | Effect::Draw(_)
            | Effect::Rank(_)
            | Effect::Award(..)
            | Effect::Next(_) => false,
        }
    }
}

/// A ranking of the sides, by a number for each.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ranking {
    /// The number of each side, in turn order.
    pub scores: Vec<Amount>,
    /// Whether the smallest number is the best.
    pub least: bool,
    /// The reason why the game is over.
    pub reason: String,
}

impl Ranking {
    /// The winner: the best side, if it is first alone or with its partners; `None` if enemies share the first place. Also
    /// the value of the game for each side, in half points: two for each enemy behind it, one for each enemy tied with it.
    /// With only two parties the winner suffices, and there are no values.
    fn adjudicate(&self, view: &View<'_>) -> (Option<Side>, Option<[i32; MAX_SIDES]>) {
        let variant = view.variant;
        let scores: Vec<i64> = self.scores.iter().map(|score| score.value(view)).collect();
        let scores: Vec<i64> = scores.into_iter().map(|score| if self.least { -score } else { score }).collect();
        let side = |index: usize| Side(index as u8);
        let enemies = |of: usize| (0..scores.len()).filter(move |&other| !variant.allied(side(of), side(other)));
        let best = (0..scores.len()).max_by_key(|&index| (scores[index], std::cmp::Reverse(index)));
        let winner = best.filter(|&best| enemies(best).all(|other| scores[other] < scores[best]));
        let several =
            (0..scores.len()).any(|a| enemies(a).any(|b| enemies(a).any(|c| !variant.allied(side(b), side(c)))));
        let points = several.then(|| {
            let mut points = [0; MAX_SIDES];
            for (index, worth) in points.iter_mut().enumerate().take(scores.len()) {
                let against = |other: usize| 1 + scores[index].cmp(&scores[other]) as i32;
                *worth = enemies(index).map(against).sum();
            }
            points
        });
        (winner.map(side), points)
    }
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Over {
    /// The winner; `None` in a draw.
    pub winner: Option<Side>,
    /// The reason, in a few words.
    pub reason: String,
    /// The value of the game for each side, in half points, if the rules set it.
    pub points: Option<[i32; MAX_SIDES]>,
}

/// The decisions of effects about the course of the game.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct GameFlow {
    /// The end, once decided.
    pub(crate) over: Option<Over>,
    /// The next side, if not the next in order.
    pub(crate) next: Option<Side>,
    /// The last label that the script set.
    pub(crate) label: Option<String>,
    /// The value of the game for each side, in half points, as far as the rules have set it.
    pub(crate) points: Option<[i32; MAX_SIDES]>,
}

impl GameFlow {
    /// Ends the game.
    pub(crate) fn end(&mut self, winner: Option<Side>, reason: &str) {
        self.over = Some(Over { winner, reason: reason.into(), points: self.points });
    }

    /// Sets the value of the game for a side, in half points, whether it is over or not.
    ///
    /// # Errors
    /// If the number is out of range.
    pub(crate) fn award(&mut self, side: Side, points: i64) -> Result<(), RuleError> {
        let Ok(points) = i32::try_from(points) else {
            let (least, most) = (i32::MIN / 2, i32::MAX / 2);
            return Err(RuleError::new(format!("a game can award {least} to {most} points, not {}", points / 2)));
        };
        self.points.get_or_insert([0; MAX_SIDES])[side.index()] = points;
        if let Some(over) = &mut self.over {
            over.points = self.points;
        }
        Ok(())
    }
}

/// Applies an effect other than [`Effect::Complete`], which belongs to the state machine. An effect whose references lead
/// nowhere does nothing. Captures of moves that are made here succeed: resolving them by a rule belongs to the state
/// machine.
///
/// # Errors
/// If a counter, trait, hand or award would leave its bounds; the position may then be partly changed.
pub(crate) fn apply(
    effect: &Effect,
    view: &View<'_>,
    position: &mut Position,
    course: &mut GameFlow,
) -> Result<(), RuleError> {
    let variant = view.variant;
    match effect {
        Effect::Remove(square) => {
            if let Some(square) = view.square(*square) {
                remove(view, position, square);
            }
        }
        Effect::RemoveAll(set) => view.set(set).into_iter().for_each(|square| remove(view, position, square)),
        Effect::RemoveHeaps(set) => {
            for square in view.set(set) {
                while !position.at(square).is_none() {
                    remove(view, position, square);
                }
            }
        }
        Effect::Surface(set, side) => {
            if let Some(side) = view.side(*side) {
                for square in view.set(set) & position.heaps(2) {
                    position.touch(variant, square);
                    position.surface(variant, square, side);
                }
            }
        }
        Effect::Carry(from, to, count) => {
            if let (Some(from), Some(to)) = (view.square(*from), view.square(*to)) {
                let count = usize::try_from(count.value(view)).unwrap_or(0);
                position.touch(variant, from);
                position.carry(variant, from, to, count);
            }
        }
        Effect::SourceLocation(square, side, kind) => {
            if let (Some(square), Some(side)) = (view.square(*square), view.side(*side)) {
                replace(view, position, square)?;
                position.put(variant, square, Piece::new(side, *kind));
            }
        }
        Effect::Relocate(from, to) => {
            if let (Some(from), Some(to)) = (view.square(*from), view.square(*to)) {
                relocate(view, position, from, to);
            }
        }
        Effect::Swap(a, b) => {
            if let (Some(a), Some(b)) = (view.square(*a), view.square(*b)) {
                swap(view, position, a, b);
            }
        }
        Effect::Push(square, step, side, over) => {
            let side = view.side(*side).map(|s| &variant.spec().sides[s.index()]);
            if let Some(square) = view.square(*square) {
                let turn = side.map_or(0, |side| side.forward_at(square));
                position.shove(variant, square, variant.board().turn(*step, turn), *over);
            }
        }
        Effect::Convert(set, side) => {
            if let Some(side) = view.side(*side) {
                view.set(set).into_iter().for_each(|square| convert(view, position, square, side));
            }
        }
        Effect::ConvertAll(from, to) => {
            if let (Some(from), Some(to)) = (view.side(*from), view.side(*to)) {
                position.of(from).into_iter().for_each(|square| convert(view, position, square, to));
                position.convert_beneath(variant, from, to);
            }
        }
        Effect::Become(set, kind) => {
            for square in view.set(set) & position.occupied() {
                let piece = position.at(square);
                if piece.kind() != *kind {
                    position.touch(variant, square);
                    position.shift(variant, square, square, Piece::new(piece.side(), *kind));
                }
            }
        }
        Effect::Mark(mark, side, set, on) => {
            let (mark, side, set) = (usize::from(*mark), owner(view, *side), view.set(set));
            let before = position.marked(variant, mark, side);
            position.set_marked(variant, mark, side, if *on { before | set } else { before - set });
        }
        Effect::SetTrait(index, set, value) => {
            let value = of_pieces(variant, *index, value.value(view))?;
            change_traits(view, position, *index, set, |_| Ok(value))?;
        }
        Effect::AddTrait(index, set, value) => {
            let value = value.value(view);
            let add = |before: i16| of_pieces(variant, *index, i64::from(before).saturating_add(value));
            change_traits(view, position, *index, set, add)?;
        }
        Effect::SetCounter(cell, value) => set_counter(view, position, cell, value.value(view))?,
        Effect::AddCounter(cell, value) => {
            let sum = i64::from(cell.value(view)).saturating_add(value.value(view));
            set_counter(view, position, cell, sum)?;
        }
        Effect::Gather(pool, side, slot) => hoard(view, position, *pool, owner(view, *side), *slot, 1)?,
        Effect::Scatter(pool, side, slot) => hoard(view, position, *pool, owner(view, *side), *slot, -1)?,
        Effect::Clear(pool, side) => {
            for place in 0..variant.places(*pool as usize) {
                position.set_counter_at(variant, *pool as usize, place, owner(view, *side), 0);
            }
        }
        Effect::ToHand(side, kind, count) => {
            if let Some(side) = view.side(*side) {
                let held = i64::from(position.in_hand(variant, side, *kind)).saturating_add(count.value(view));
                let held = within(held.max(0), || format!("the number of {} in hand", variant.kind(*kind).name))?;
                position.set_in_hand(variant, side, *kind, held);
            }
        }
        Effect::Restart => restart(view, position),
        Effect::Complete => {}
        Effect::Make(slot) => {
            if let Some(made) = view.made(*slot).filter(|made| position.can_make(variant, made)) {
                position.make(variant, made.mv);
            }
        }
        Effect::Label(text) => course.label = Some(text.clone()),
        Effect::Win(side, reason) => course.end(view.side(*side), reason),
        Effect::Draw(reason) => course.end(None, reason),
        Effect::Rank(ranking) => {
            let (winner, points) = ranking.adjudicate(view);
            course.points = course.points.or(points);
            course.end(winner, &ranking.reason);
        }
        Effect::Eliminate(side) => {
            if let Some(side) = view.side(*side) {
                position.set_out(variant, side, true);
            }
        }
        Effect::Readmit(side) => {
            if let Some(side) = view.side(*side) {
                position.set_out(variant, side, false);
            }
        }
        Effect::HandOver(side) => {
            if let Some(side) = view.side(*side) {
                position.set_side(variant, side);
            }
        }
        Effect::Award(side, points) => {
            if let Some(side) = view.side(*side) {
                course.award(side, points.value(view))?;
            }
        }
        Effect::Next(side) => course.next = view.side(*side),
    }
    Ok(())
}

/// A number as stored in positions.
///
/// # Errors
/// If it is outside the bounds; `what` returns a name for it.
fn within(value: i64, what: impl FnOnce() -> String) -> Result<i16, RuleError> {
    i16::try_from(value).map_err(|_| overflow(value, &what()))
}

#[cold]
fn overflow(value: i64, what: &str) -> RuleError {
    let (least, most) = (i16::MIN, i16::MAX);
    RuleError::new(format!("{what} would become {value}, but stored numbers range from {least} to {most}"))
}

/// The side that owns the counter: the first, if the reference leads nowhere.
fn owner(view: &View<'_>, side: SideRef) -> Side {
    view.side(side).unwrap_or(Side::FIRST)
}

/// A value as stored in a trait.
fn of_pieces(variant: &Variant, index: u8, value: i64) -> Result<i16, RuleError> {
    within(value, || format!("the trait \"{}\"", variant.spec().traits[index as usize].name))
}

/// Changes a trait of the pieces of a set.
fn change_traits(
    view: &View<'_>,
    position: &mut Position,
    index: u8,
    set: &SetExpr,
    change: impl Fn(i16) -> Result<i16, RuleError>,
) -> Result<(), RuleError> {
    for square in view.set(set) & position.occupied() {
        let value = change(position.trait_at(view.variant, index as usize, square))?;
        position.set_trait(view.variant, index as usize, square, value);
    }
    Ok(())
}

/// Sets a counter, or one of its places.
fn set_counter(view: &View<'_>, position: &mut Position, cell: &CounterRef, value: i64) -> Result<(), RuleError> {
    let counter = cell.counter as usize;
    let value = within(value, || format!("the counter \"{}\"", view.variant.spec().counters[counter].name))?;
    position.set_counter_at(view.variant, counter, cell.place, owner(view, cell.side), value);
    Ok(())
}

/// Adds `change` to the place of each of the dice in a slot; places do not go below 0.
fn hoard(
    view: &View<'_>,
    position: &mut Position,
    counter: u8,
    side: Side,
    slot: Slot,
    change: i64,
) -> Result<(), RuleError> {
    let (variant, counter) = (view.variant, counter as usize);
    for place in view.dice_asked(slot, Asked::Shown).iter().filter_map(|&face| u8::try_from(face - 1).ok()) {
        let sum = i64::from(position.counter_at(variant, counter, place, side)) + change;
        let sum = within(sum.max(0), || format!("the counter \"{}\"", variant.spec().counters[counter].name))?;
        position.set_counter_at(variant, counter, place, side, sum);
    }
    Ok(())
}

/// Resets everything but counters and marks, the side to move and the number of the round to the starting position.
fn restart(view: &View<'_>, position: &mut Position) {
    let variant = view.variant;
    let Some(start) = view.rules.start() else { return };
    for square in variant.board().squares() {
        let piece = start.at(square);
        position.take_heap(variant, square);
        start.beneath(square).for_each(|piece| position.put(variant, square, piece));
        if !piece.is_none() {
            position.put(variant, square, piece);
            for index in 0..variant.spec().traits.len() {
                position.set_trait(variant, index, square, start.trait_at(variant, index, square));
            }
        }
    }
    position.retain_en_passant(variant, |_| false);
    position.set_rights(variant, start.rights());
    position.set_clock(0);
    position.forget_moves(variant);
    for side in (0..variant.sides()).map(|s| Side(s as u8)) {
        position.set_out(variant, side, start.is_out(side));
        for kind in (0..variant.kinds().len()).filter(|_| variant.spec().hands).map(|k| Kind(k as u8)) {
            position.set_in_hand(variant, side, kind, start.in_hand(variant, side, kind));
        }
    }
}

fn swap(view: &View<'_>, position: &mut Position, a: Square, b: Square) {
    if a == b || (position.at(a).is_none() && position.at(b).is_none()) {
        return;
    }
    position.touch(view.variant, a);
    position.touch(view.variant, b);
    position.exchange(view.variant, a, b);
}

/// Removal restarts the count of quiet plies, as a capture does.
fn remove(view: &View<'_>, position: &mut Position, square: Square) {
    if !position.take(view.variant, square).is_none() {
        position.touch(view.variant, square);
        position.set_clock(0);
    }
}

/// Makes room for a new piece: the piece on its square is removed, or in games with heaps covered.
///
/// # Errors
/// If no more pieces can lie beneath others.
fn replace(view: &View<'_>, position: &mut Position, square: Square) -> Result<(), RuleError> {
    match position.has_heaps() {
        false => remove(view, position, square),
        true if position.is_full() => {
            return Err(RuleError::new(format!("a position can have at most {MOST_BENEATH} pieces below others")));
        }
        true => {}
    }
    Ok(())
}

fn relocate(view: &View<'_>, position: &mut Position, from: Square, to: Square) {
    let piece = position.at(from);
    if piece.is_none() || from == to {
        return;
    }
    if !position.has_heaps() {
        remove(view, position, to);
    }
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
