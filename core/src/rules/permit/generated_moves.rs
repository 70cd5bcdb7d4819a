//! Moves that a permit generates independently of the kinds: pushes, moves along tracks, moves from squares to squares,
//! moves like those of other kinds. Promotion and the safety of the mover's royals apply as on the board.

use super::{Along, Carry, Landing, Permit, Test, WayTo, moves_like};
use crate::board::piece::{Kind, KindMask};
use crate::board::square::{Square, SquareSet};
use crate::movegen::push::{self, Reach};
use crate::movegen::track;
use crate::movegen::{Safety, attack};
use crate::position::moves::{Move, Tag, Taking};
use crate::rules::error::{RuleError, Task};
use crate::rules::meter::{COPY, LIST};
use crate::rules::movement;
use crate::rules::value::{SetExpr, View};
use crate::variant::RoyalPolicy;

impl Permit {
    /// Whether the permit generates moves that the board does not list. Other permits combined with it act as filters.
    pub fn makes(&self) -> bool {
        match self {
            maker!() => true,
            Permit::Or(a, b) | Permit::And(a, b) | Permit::OrElse(a, b) => a.makes() || b.makes(),
            // The subtracted permit provides no moves.
            Permit::Minus(inner, _) | Permit::Where(inner, _) | Permit::After(inner, _) => inner.makes(),
            Permit::Longest(inner) | Permit::Of(inner, _) | Permit::Safety(inner, _) => inner.makes(),
            // The moves that may follow are not moves now.
            Permit::Most(most) => most.permit.makes(),
            Permit::Payable(..) | plain!() => false,
        }
    }

    /// Appends the moves that this permit generates to `out`.
    ///
    /// # Errors
    /// If that is more work than an event may take.
    pub(super) fn made(&self, view: &View<'_>, safety: Safety, out: &mut Vec<Move>) -> Result<(), RuleError> {
        let (before, immune) = (out.len(), safety.immune(view.variant));
        match self {
            Permit::Push(reach) => pushes(view, *reach, out),
            Permit::Along(along) => {
                along.moves(view.variant, view.position, immune, out);
                promote(view, before, out);
            }
            Permit::Enter(along) => enter(view, along, immune, out),
            Permit::Way { from, to, own, landing, carry } => {
                match view.variant.spec().heaps {
                    true => heap_ways(view, immune, (from, to), (*landing, *carry), out),
                    false => ways(view, immune, (from, to), *own, out),
                }
                promote(view, before, out);
            }
            Permit::MovesLike(kinds, squares) => {
                moves_like::moves(view, *kinds, squares, safety, out);
                promote(view, before, out);
            }
            // These generate no moves.
            plain!() | Permit::Or(..) | Permit::And(..) | Permit::Minus(..) | Permit::OrElse(..) => {}
            Permit::Where(..) | Permit::After(..) | Permit::Payable(..) => {}
            Permit::Longest(_) | Permit::Most(_) | Permit::Of(..) | Permit::Safety(..) => {}
        }
        let checks_legality = checks_legality(view, safety) && !movement::is_ruled(view);
        let each = if checks_legality { COPY } else { 1 };
        view.rules.meter().charge(Task::Listing, LIST + (out.len() - before) as u64 * each)?;
        if checks_legality {
            retain_legal(view, before, out);
        }
        movement::retain_legal(view, safety, before, out)
    }
}

/// Whether moves along tracks are final as the board lists them: none promotes, and none has to be safe.
pub(super) fn are_plain(view: &View<'_>, safety: Safety) -> bool {
    view.variant.promoters == KindMask::NONE && !movement::is_ruled(view) && !checks_legality(view, safety)
}

/// Whether some move along a track, where these [are plain](are_plain), passes a test; lists none after the first that
/// does.
pub(super) fn any_along(
    view: &View<'_>,
    safety: Safety,
    along: &Along,
    test: &mut Test<'_>,
) -> Result<bool, RuleError> {
    view.rules.meter().charge(Task::Listing, LIST)?;
    let mut found = Ok(false);
    along.each(view.variant, view.position, safety.immune(view.variant), |mv| {
        view.rules.meter().add(1);
        found = test(mv);
        !matches!(found, Ok(false))
    });
    found
}

fn pushes(view: &View<'_>, reach: Reach, out: &mut Vec<Move>) {
    for from in view.position.of(view.position.side()) {
        push::moves(view.variant, view.position, from, reach, out);
    }
}

fn enter(view: &View<'_>, along: &Along, immune: KindMask, out: &mut Vec<Move>) {
    if view.variant.spec().hands {
        along.entries(view.variant, view.position, immune, out);
    }
}

/// Those `open` targets that ways lead to from one of their origins.
fn ends<'a>(
    view: &'a View<'a>,
    to: &WayTo,
    open: &'a dyn Fn(Square) -> bool,
) -> impl Fn(Square) -> SquareSet + use<'a> {
    let (board, side) = (view.variant.board(), &view.variant.spec().sides[view.position.side().index()]);
    let those_open = move |all: SquareSet| all.into_iter().filter(|&square| open(square)).collect::<SquareSet>();
    let (all, step) = match to {
        WayTo::Squares(to) => (those_open(view.set(to)), None),
        WayTo::Offset(right, forward) => (SquareSet::EMPTY, Some((*right, *forward))),
    };
    move |from| match step {
        None => all,
        Some(step) => those_open(board.offsets(from, board.turn(step, side.forward_at(from)))),
    }
}

fn ways(view: &View<'_>, immune: KindMask, (from, to): (&SetExpr, &WayTo), own: bool, out: &mut Vec<Move>) {
    let (position, side) = (view.position, view.position.side());
    let open = |square: Square| {
        let there = position.at(square);
        match () {
            () if there.is_none() => true,
            () if there.side() == side => own,
            () => track::may_take(view.variant, position, (side, immune), square),
        }
    };
    let ends = ends(view, to, &open);
    for from in view.set(from) & position.of(side) {
        out.extend(ends(from).into_iter().filter(|&to| to != from).map(|to| Move::plain(from, to)));
    }
}

/// The same on a board with heaps: own pieces do not block any square.
fn heap_ways(
    view: &View<'_>,
    immune: KindMask,
    (from, to): (&SetExpr, &WayTo),
    (landing, carry): (Option<Landing>, Carry),
    out: &mut Vec<Move>,
) {
    let (variant, position, side) = (view.variant, view.position, view.position.side());
    let taking = |square: Square| match landing {
        Some(landing) => track::taking_on_heap(variant, position, (side, immune), landing, square),
        None if track::may_take(variant, position, (side, immune), square) => Some(Taking::Topmost),
        None => track::taking_on_heap(variant, position, (side, immune), Landing::Own, square),
    };
    let open = |square: Square| taking(square).is_some();
    let ends = ends(view, to, &open);
    for from in view.set(from) & position.of(side) {
        for to in ends(from).into_iter().filter(|&to| to != from) {
            if let Some(taking) = taking(to) {
                carry.each(position, (from, to), (taking, usize::MAX), |mv| {
                    if !out.contains(&mv) {
                        out.push(mv);
                    }
                    false
                });
            }
        }
    }
}

/// Replaces moves that promote by one for each kind, as on the board.
fn promote(view: &View<'_>, before: usize, out: &mut Vec<Move>) {
    if view.variant.promoters == KindMask::NONE {
        return;
    }
    let tables = &view.variant.tables;
    let moves = out.split_off(before);
    for mv in moves {
        let piece = view.position.at(mv.from);
        let promotion = tables
            .promotion(piece)
            .filter(|p| mv.tag == Tag::Plain && (p.zone.contains(mv.to) || (p.on_leaving && p.zone.contains(mv.from))));
        match promotion {
            None => out.push(mv),
            Some(promotion) => {
                if !promotion.forced {
                    out.push(mv);
                }
                let kinds = (0..view.variant.kinds().len() as u8).map(Kind);
                out.extend(kinds.filter(|&k| promotion.to.contains(k)).map(|kind| Move { extra: kind.0, ..mv }));
            }
        }
    }
}

/// Whether moves that leave a royal of the mover attacked are excluded.
fn checks_legality(view: &View<'_>, safety: Safety) -> bool {
    let protected = view.variant.spec().royal_policy == RoyalPolicy::Protected;
    let heeded = safety == Safety::Safe || safety == Safety::Policy && protected;
    heeded && !view.position.royals(view.variant, view.position.side()).is_empty()
}

/// Removes the moves that leave a royal of the mover attacked.
fn retain_legal(view: &View<'_>, before: usize, out: &mut Vec<Move>) {
    let (variant, side) = (view.variant, view.position.side());
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
