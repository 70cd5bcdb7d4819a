//! Why a move cannot be made in a turn of several: what pays, what is owed, what would be wasted.

use super::dice_options::Offer;
use super::{Memo, Obligation, Paid, Plan, Point, Progress};
use crate::position::moves::Move;
use crate::rules::permit::Refusal;
use crate::rules::rule::RuleError;
use crate::rules::value::View;

/// With more unused dice than this it is not worked out which of them would be lost.
const FEW: u32 = 6;

/// Why a turn of several moves does not go on with a move that the board allows.
#[derive(Clone, PartialEq, Debug)]
pub enum Unpaid {
    /// No unused die pays for it.
    Dice {
        /// The faces of each offer, and why it does not.
        offers: Vec<(Vec<i16>, Refusal)>,
        /// Faces that would pay together, were they all there.
        lacking: Vec<Vec<i16>>,
    },
    /// The piece has moved in this turn, and none moves twice.
    Moved,
    /// The dice are used in order, and this one comes first.
    Order(i16),
    /// It would waste dice that can be used otherwise.
    Waste {
        /// How many dice (or moves) of those left some turn can use.
        possible: u32,
        /// How many could be used if this move were made, itself included.
        then: u32,
        /// Dice that no continuation could use after it, where that is certain.
        idle: Vec<i16>,
        /// Whether moves are counted, not dice.
        moves: bool,
    },
    /// As many dice can be used that show more.
    Lower {
        /// The pips that the dice of some turn show together.
        possible: i32,
        /// Those of the turns that begin with this move.
        then: i32,
    },
    /// The turn must use all dice or end.
    Complete,
}

impl Plan {
    /// Why [`Plan::options`] has no such move; `None` if it has.
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
            let (then, waste) = self.waste(view, progress, Paid { mv, dice }, &mut memo)?;
            if best.as_ref().is_none_or(|(most, _)| then > *most) {
                best = Some((then, waste));
            }
        }
        Ok(best.map(|(_, waste)| waste))
    }

    /// What is wrong with a move that some dice pay for, and how much the turns count that begin with it.
    fn waste(
        &self,
        view: &View<'_>,
        progress: &Progress,
        paid: Paid,
        memo: &mut Memo,
    ) -> Result<(u32, Unpaid), RuleError> {
        let mut scratch = view.position.clone();
        let reached = self.after(view, paid, progress.moved, None, &mut scratch)?;
        let left = self.rest(progress.left, paid.dice);
        let (moved, counted) = (reached.moved, reached.counted);
        let point = Point { view: View { position: &scratch, ..*view }, left, moved, counted };
        let best = self.best(&point, memo)?;
        let (mut idle, used) = (0, self.parts(best).0);
        let dice = self.obligation != Obligation::MostMoves;
        if dice && left.count_ones() <= FEW {
            idle = left;
            // Every set of dice of that size which some continuation uses whole.
            for set in (0..=left).filter(|set| set & !left == 0 && set.count_ones() == used) {
                let only = Point { view: point.view, left: set, moved, counted };
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
