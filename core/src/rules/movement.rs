//! Check and legal moves in games whose rule `movement` determines the moves of the pieces.
//!
//! Without that rule, attacks follow from the kinds, and the generator finds legal moves without making them. With it, a
//! royal is attacked if a move that the rule's permit admits would capture it. So this module makes each move, then lists
//! the moves that the enemies' permits admit. This is much slower than the generator, but exact for any permit. As with
//! kinds, neither pins nor the attacker's own royal matter.

use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::movegen::attack::{self, enemies};
use crate::movegen::explain::{Exposure, Question};
use crate::movegen::{Safety, legal};
use crate::position::Position;
use crate::position::moves::{Move, Tag, retain_from};
use crate::rules::error::{RuleError, Task};
use crate::rules::hook::Hook;
use crate::rules::meter::COPY;
use crate::rules::permit::Permit;
use crate::rules::value::{Value, View};
use crate::variant::Castle;

/// Whether the rule `movement` determines the moves of the pieces.
#[inline]
pub(crate) fn is_ruled(view: &View<'_>) -> bool {
    view.rules.has(Hook::Movement)
}

/// The safety to generate moves with, if they must be as safe as `safety`: untested, if a rule tests them afterwards.
pub(crate) fn generated(view: &View<'_>, safety: Safety) -> Safety {
    if is_ruled(view) && safety != Safety::Attacking { Safety::Untested } else { safety }
}

/// Whether a royal of `side` is attacked.
///
/// # Errors
/// If the rule fails.
pub(crate) fn in_check(view: &View<'_>, side: Side) -> Result<bool, RuleError> {
    match is_ruled(view) {
        false => Ok(attack::in_check(view.variant, view.position, side)),
        true => Ok(!attackers(view, side, view.position.royals(view.variant, side))?.is_empty()),
    }
}

/// Whether the rule leaves a side a move that is as safe as `safety` requires.
///
/// # Errors
/// If the rule fails.
pub(crate) fn can_move(view: &View<'_>, side: Side, safety: Safety) -> Result<bool, RuleError> {
    with_permit(view, side, |permit, view| permit.exists_under(view, safety))
}

/// Removes moves of the side to move that are less safe than `safety` requires, from index `before` on; they have been
/// [`generated`].
///
/// # Errors
/// If the rule fails.
pub(crate) fn retain_legal(
    view: &View<'_>,
    safety: Safety,
    before: usize,
    out: &mut Vec<Move>,
) -> Result<(), RuleError> {
    if !is_ruled(view) || safety == Safety::Attacking {
        return Ok(());
    }
    retain_from(out, before, |mv| Ok(exposure(view, safety, mv)?.is_none()))
}

/// The attack that makes a move less safe than `safety` requires, with or without the rule `movement`.
///
/// # Errors
/// If the rule fails.
pub(crate) fn why_unsafe(view: &View<'_>, safety: Safety, mv: Move) -> Result<Option<Exposure>, RuleError> {
    let (variant, position) = (view.variant, view.position);
    match is_ruled(view) {
        true => exposure(view, safety, mv),
        false => Ok(Question { variant, position, side: position.side(), safety }.exposure(mv)),
    }
}

/// The same, with the rule `movement`.
///
/// # Errors
/// If the rule fails.
fn exposure(view: &View<'_>, safety: Safety, mv: Move) -> Result<Option<Exposure>, RuleError> {
    let (variant, position, side) = (view.variant, view.position, view.position.side());
    let castle = mv.castling().and_then(|index| variant.spec().castles.get(index));
    if let Some(castle) = castle
        && let Some(on_the_way) = attacked_on_the_way(view, castle)?
    {
        return Ok(Some(on_the_way));
    }
    if !legal::checks_legality(variant, safety) || legal::lets_royals_be_taken(variant, safety) && takes_royal(view, mv)
    {
        return Ok(None);
    }
    view.rules.meter().charge(Task::Testing, COPY)?;
    let mut after = view.rules.borrow_position(position);
    after.make(variant, mv);
    let exposed = exposed_royal(&View { position: &after, ..*view }, side);
    view.rules.return_position(after);
    let Some((royal, attackers)) = exposed? else { return Ok(None) };
    let walks = mv.tag != Tag::Drop && royal == mv.to;
    let stood = if walks { mv.from } else { royal };
    let before = self::attackers(view, side, stood.into())? & attackers;
    Ok(Some(Exposure { royal, attackers, before, walks }))
}

/// The first royal of a side that is attacked, and its attackers.
fn exposed_royal(view: &View<'_>, side: Side) -> Result<Option<(Square, SquareSet)>, RuleError> {
    let royals = view.position.royals(view.variant, side);
    if attackers(view, side, royals)?.is_empty() {
        return Ok(None);
    }
    for royal in royals {
        let by = attackers(view, side, royal.into())?;
        if !by.is_empty() {
            return Ok(Some((royal, by)));
        }
    }
    Ok(None)
}

/// The first of a castling's required safe squares on which the king would be attacked.
fn attacked_on_the_way(view: &View<'_>, castle: &Castle) -> Result<Option<Exposure>, RuleError> {
    let variant = view.variant;
    for royal in castle.safe {
        let mut there = view.position.clone();
        let king = there.take(variant, castle.king.0);
        if king.is_none() {
            return Ok(None);
        }
        there.take_heap(variant, royal);
        there.put(variant, royal, king);
        let attackers = attackers(&View { position: &there, ..*view }, castle.side, royal.into())?;
        if !attackers.is_empty() {
            let before = if royal == castle.king.0 { attackers } else { SquareSet::EMPTY };
            return Ok(Some(Exposure { royal, attackers, before, walks: royal != castle.king.0 }));
        }
    }
    Ok(None)
}

/// Whether a move captures a royal of an enemy.
fn takes_royal(view: &View<'_>, mv: Move) -> bool {
    let (captured, _) = view.position.captured_by(mv);
    !captured.is_none() && captured.side() != view.position.side() && view.variant.royals().contains(captured.kind())
}

/// The squares of a side's enemies that could capture its pieces on some of these squares.
fn attackers(view: &View<'_>, owner: Side, targets: SquareSet) -> Result<SquareSet, RuleError> {
    let mut found = SquareSet::EMPTY;
    if targets.is_empty() {
        return Ok(found);
    }
    for enemy in enemies(view.variant, owner).filter(|&enemy| !view.position.of(enemy).is_empty()) {
        let moves = with_permit(view, enemy, |permit, view| {
            let mut moves = Vec::new();
            view.rules.while_attacking(|| permit.moves_under(view, Safety::Attacking, &mut moves))?;
            Ok(moves)
        })?;
        found |= moves.into_iter().filter(|&mv| captures(view.position, mv, targets)).map(|mv| mv.from).collect();
    }
    Ok(found)
}

/// Whether a move captures on one of these squares.
fn captures(position: &Position, mv: Move, targets: SquareSet) -> bool {
    let (captured, at) = position.captured_by(mv);
    !captured.is_none() && (targets.contains(at) || mv.tag == Tag::Over && mv.to != mv.from && targets.contains(mv.to))
}

/// Calls `take` with the moves of a side's pieces, on that side's turn.
fn with_permit<T>(
    view: &View<'_>,
    side: Side,
    take: impl FnOnce(&Permit, &View<'_>) -> Result<T, RuleError>,
) -> Result<T, RuleError> {
    view.rules.meter().charge(Task::Testing, COPY)?;
    let mut position = view.rules.borrow_position(view.position);
    position.set_side(view.variant, side);
    let nobody: &[Value] = &[];
    let theirs = View { position: &position, env: nobody, mover: side, between: false, ..*view };
    let result = view.rules.movement(&theirs).and_then(|(permit, env)| {
        let depth = view.depth + 1;
        take(&permit, &View { env: &env, depth, ..theirs })
    });
    view.rules.return_position(position);
    result
}
