//! Explains why a move is impossible in a turn of several moves: which dice pay, which obligation remains, which dice would
//! be wasted.

use super::dice_options::Offer;
use super::{LookaheadNode, Memo, MoveWithDice, Obligation, Plan, Progress};
use crate::position::moves::Move;
use crate::rules::error::RuleError;
use crate::rules::permit::Refusal;
use crate::rules::value::View;

/// With more unused dice than this, the lost ones are not determined.
const FEW: u32 = 6;

/// The reason why a turn of several moves does not allow a move that the board allows.
#[derive(Clone, PartialEq, Debug)]
pub enum Unpaid {
    /// No unused die pays for it.
    Dice {
        /// The faces of each offer, and the reason why it does not pay.
        offers: Vec<(Vec<i16>, Refusal)>,
        /// Faces that would pay together if all were available.
        lacking: Vec<Vec<i16>>,
    },
    /// The piece has moved in this turn, and pieces may not move twice.
    Moved,
    /// The dice are used in order, and this one comes first.
    Order(i16),
    /// It would waste dice that can be used in another way.
    Waste {
        /// The maximum number of dice (or moves), of those left, that some turn can use.
        possible: u32,
        /// The maximum that could be used if this move were made, including it.
        then: u32,
        /// Dice that no continuation could use after it, if that is certain.
        idle: Vec<i16>,
        /// Whether moves are counted instead of dice.
        moves: bool,
    },
    /// The same number of dice with a higher total can be used.
    Lower {
        /// The highest total of the dice of some turn.
        possible: i32,
        /// The highest total of the turns that begin with this move.
        then: i32,
    },
    /// The turn must use all dice or end.
    Complete,
}

impl Plan {
    /// The reason why [`Plan::options`] has no such move; `None` if it has.
    ///
    /// # Errors
    /// If a rule that is consulted fails.
    pub(crate) fn unpaid(&self, view: &View<'_>, progress: &Progress, mv: Move) -> Result<Option<Unpaid>, RuleError> {
        let mut memo = Memo::default();
        let mut options = Vec::new();
        self.options(view, progress, &mut memo, &mut options)?;
        if options.iter().any(|paid| paid.mv == mv) {
            return Ok(None);
        }
        let (mut payers, mut refusals) = (Vec::new(), Vec::new());
        for Offer { dice, permit, .. } in self.offers(progress.left) {
            match permit.refusal(view, mv)? {
                None => payers.push(dice),
                Some(refusal) => refusals.push((self.faces_of(dice), refusal)),
            }
        }
        if payers.is_empty() {
            let mut lacking = Vec::new();
            for combination in
                self.combinations.iter().filter(|combination| self.pick(progress.left, &combination.faces).is_none())
            {
                if combination.permit.refusal(view, mv)?.is_none() {
                    lacking.push(combination.faces.clone());
                }
            }
            return Ok(Some(Unpaid::Dice { offers: refusals, lacking }));
        }
        if !self.fresh(progress.moved, mv) {
            return Ok(Some(Unpaid::Moved));
        }
        if !self.looks_ahead() {
            let first = options.first().map(|paid| self.faces_of(paid.dice));
            return Ok(Some(match first.as_deref() {
                Some([face]) if self.in_order => Unpaid::Order(*face),
                _ => Unpaid::Complete,
            }));
        }
        let mut best: Option<(u32, Unpaid)> = None;
        for dice in payers {
            let (then, waste) = self.waste(view, progress, MoveWithDice { mv, dice }, &mut memo)?;
            if best.as_ref().is_none_or(|(most, _)| then > *most) {
                best = Some((then, waste));
            }
        }
        Ok(best.map(|(_, waste)| waste))
    }

    /// The fault of a move that some dice pay for, and the value of the best turn that begins with it.
    fn waste(
        &self,
        view: &View<'_>,
        progress: &Progress,
        paid: MoveWithDice,
        memo: &mut Memo,
    ) -> Result<(u32, Unpaid), RuleError> {
        let mut scratch = view.position.clone();
        let reached = self.after(view, paid, progress.moved, None, &mut scratch)?;
        let left = self.rest(progress.left, paid.dice);
        let (moved, counted) = (reached.moved, reached.counted);
        let point = LookaheadNode { view: View { position: &scratch, ..*view }, left, moved, counted };
        let best = self.best(&point, memo)?;
        let (mut idle, used) = (0, self.parts(best).0);
        let dice = self.obligation != Obligation::MostMoves;
        if dice && left.count_ones() <= FEW {
            idle = left;
            // Every set of dice of that size that some continuation uses completely.
            for set in (0..=left).filter(|set| set & !left == 0 && set.count_ones() == used) {
                let only = LookaheadNode { view: point.view, left: set, moved, counted };
                if self.can_use(&only, best, memo)? {
                    idle &= !set;
                }
            }
        }
        let then = best + self.worth(paid.dice);
        let ((possible, most), (used, shown)) = (self.parts(progress.owed), self.parts(then));
        let unpaid = match possible == used {
            true => Unpaid::Lower { possible: most, then: shown },
            false => Unpaid::Waste { possible, then: used, idle: self.faces_of(idle), moves: !dice },
        };
        Ok((then, unpaid))
    }
}
