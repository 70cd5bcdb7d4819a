//! Draws one of the moves that a permit admits at random. Where masks or tests of single moves suffice, it does so without
//! listing the legal moves.

use super::Permit;
use crate::dice::Stream;
use crate::movegen::{self, Draw, Drawn, Safety};
use crate::position::moves::Move;
use crate::rules::error::{RuleError, Task};
use crate::rules::meter::{LIST, SEARCH};
use crate::rules::movement;
use crate::rules::value::View;

impl Permit {
    /// Draws one of the moves that [`Permit::moves`] would list, each with the same chance; `None` if there are none.
    /// `room` is a buffer for moves and is left empty.
    ///
    /// Only drawn moves are tested, so this is several times faster than listing all.
    ///
    /// # Errors
    /// If a rule that the permit consults fails.
    pub fn draw(&self, view: &View<'_>, stream: &mut Stream, room: &mut Vec<Move>) -> Result<Option<Move>, RuleError> {
        let mut draw = Draw { stream, room, counts_others: false };
        Ok(self.draw_among(view, &mut draw)?.map(|drawn| drawn.chosen))
    }

    /// The same; if requested, it also finds out whether there is another move.
    ///
    /// # Errors
    /// As [`Permit::draw`].
    pub(crate) fn draw_among(&self, view: &View<'_>, draw: &mut Draw<'_>) -> Result<Option<Drawn<Move>>, RuleError> {
        self.draw_under(view, Safety::Policy, draw)
    }

    fn draw_under(
        &self,
        view: &View<'_>,
        safety: Safety,
        draw: &mut Draw<'_>,
    ) -> Result<Option<Drawn<Move>>, RuleError> {
        let (variant, position) = (view.variant, view.position);
        let side = position.side();
        if movement::is_ruled(view) {
            return draw_listed(draw, |room| self.moves_under(view, safety, room));
        }
        if let Some(filter) = self.exact() {
            view.rules.meter().add(SEARCH);
            return Ok(movegen::draw_among(variant, position, side, safety, filter, draw));
        }
        match self {
            Permit::OrElse(first, second) => match first.draw_under(view, safety, draw)? {
                None => second.draw_under(view, safety, draw),
                some => Ok(some),
            },
            Permit::Safety(inner, guard) => inner.draw_under(view, guard.safety(safety), draw),
            Permit::EnPassant if view.position.en_passant().is_empty() => Ok(None),
            Permit::Payable(held_dice, higher) => {
                Permit::Pieces(held_dice.pays(view, *higher)).draw_under(view, safety, draw)
            }
            plain!() => self.draw_tested(view, safety, draw),
            Permit::Or(..) | Permit::And(..) | Permit::Minus(..) | Permit::Where(..) | Permit::After(..) => {
                match self.nests() {
                    true => draw_listed(draw, |room| self.combine(view, safety, room)),
                    false => self.draw_tested(view, safety, draw),
                }
            }
            Permit::Longest(_) | Permit::Most(_) | Permit::Of(..) | maker!() => {
                draw_listed(draw, |room| self.moves_under(view, safety, room))
            }
        }
    }

    /// Draws one of the moves of the board that it admits; each move is tested when it is drawn.
    fn draw_tested(
        &self,
        view: &View<'_>,
        safety: Safety,
        draw: &mut Draw<'_>,
    ) -> Result<Option<Drawn<Move>>, RuleError> {
        let (variant, position) = (view.variant, view.position);
        let side = position.side();
        let Draw { stream, room, counts_others } = draw;
        movegen::generate(variant, position, side, Safety::Pseudo, self.bound(), room);
        view.rules.meter().charge(Task::Listing, LIST + room.len() as u64)?;
        let passes = |mv| {
            view.rules.meter().charge(Task::Testing, 1)?;
            Ok::<_, RuleError>(movegen::allows(variant, position, side, safety, mv) && self.admits(view, mv)?)
        };
        let mut drawn = None;
        while drawn.is_none() && !room.is_empty() {
            let mv = room.swap_remove(stream.below(room.len() as u64) as usize);
            drawn = passes(mv)?.then_some(Drawn { chosen: mv, alone: false });
        }
        if let Some(drawn) = drawn.as_mut().filter(|_| *counts_others) {
            drawn.alone = true;
            while let Some(mv) = room.pop().filter(|_| drawn.alone) {
                drawn.alone = !passes(mv)?;
            }
        }
        room.clear();
        Ok(drawn)
    }
}

/// Draws one of the moves after listing all.
fn draw_listed(
    draw: &mut Draw<'_>,
    list: impl FnOnce(&mut Vec<Move>) -> Result<(), RuleError>,
) -> Result<Option<Drawn<Move>>, RuleError> {
    let Draw { stream, room, .. } = draw;
    list(room)?;
    let drawn = stream.below(room.len() as u64) as usize;
    let mv = room.get(drawn).copied();
    let alone = room.len() == 1;
    room.clear();
    Ok(mv.map(|chosen| Drawn { chosen, alone }))
}
