//! The moves that the dice of a plan pay for, computed once for each plan.
//!
//! Masks of kinds express most permits completely, so the look-ahead does not evaluate those again.

use super::{DiceCombination, Plan};
use crate::board::square::SquareSet;
use crate::movegen::{self, Filter, Safety};
use crate::position::moves::Move;
use crate::rules::error::{RuleError, Task};
use crate::rules::meter::{LIST, SEARCH};
use crate::rules::movement;
use crate::rules::permit::Permit;
use crate::rules::value::View;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// Data that a plan computes about itself. It does not matter when plans are compared.
#[derive(Clone, Debug, Default)]
pub struct Prepared(OnceLock<Terms>);

impl Prepared {
    /// The memory beside its own size.
    pub(crate) fn bytes(&self) -> usize {
        self.0.get().map_or(0, |terms| size_of_val(&*terms.offers) + size_of_val(&*terms.sums))
    }
}

impl PartialEq for Prepared {
    fn eq(&self, _: &Prepared) -> bool {
        true
    }
}

impl Eq for Prepared {}

impl Hash for Prepared {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

#[derive(Clone, Debug)]
struct Terms {
    /// For each die, then for each combination.
    offers: Vec<Term>,
    /// For each set of unused dice the moves it pays for, if masks express them completely; empty if there are too many
    /// sets, or if masks express none.
    sums: Vec<Option<Filter>>,
}

#[derive(Clone, Copy, Debug)]
struct Term {
    /// The earlier equivalent dice, one bit each: of these, only the first unused one counts.
    twins: u16,
    /// The mask, if masks express the whole permit.
    filter: Option<Filter>,
}

/// The maximum number of dice whose sets are all computed in advance.
const FEW: usize = 6;

impl Terms {
    fn of(plan: &Plan) -> Terms {
        let twins = |i: usize| (0..i).filter(|&j| plan.same_sort(i, j)).fold(0, |dice, j| dice | 1 << j);
        let single = |(i, permit): (usize, &Permit)| Term { twins: twins(i), filter: permit.exact() };
        let combination = |combination: &DiceCombination| Term { twins: 0, filter: combination.permit.exact() };
        let singles = plan.permits.iter().enumerate().map(single);
        let mut terms =
            Terms { offers: singles.chain(plan.combinations.iter().map(combination)).collect(), sums: Vec::new() };
        if plan.permits.len() <= FEW {
            let add = |sum: Filter, offer: Offer<'_>| Some(sum.or(offer.filter?));
            let sum = |left| Offers::new(plan, &terms, left).try_fold(Filter::NONE, add);
            let sums: Vec<_> = (0..1 << plan.permits.len()).map(sum).collect();
            // An empty set of dice pays for nothing, whatever the permits.
            if sums.iter().skip(1).any(Option::is_some) {
                terms.sums = sums;
            }
        }
        terms
    }
}

/// The mask, if it is exact: never if a rule determines how pieces move.
fn valid(view: &View<'_>, filter: Option<Filter>) -> Option<Filter> {
    filter.filter(|_| !movement::is_ruled(view))
}

/// Whether the side to move has a move that a filter lets through.
fn lets_any(view: &View<'_>, filter: Filter) -> bool {
    view.rules.meter().add(SEARCH);
    movegen::has_move(view.variant, view.position, view.position.side(), Safety::Policy, filter)
}

/// Unused dice that together pay for moves.
#[derive(Clone, Copy)]
pub(super) struct Offer<'a> {
    /// The dice, one bit each.
    pub(crate) dice: u16,
    /// The moves that they pay for.
    pub(crate) permit: &'a Permit,
    /// Whether it is the offer of a single die, not of a combination.
    pub(crate) single: bool,
    filter: Option<Filter>,
}

impl Offer<'_> {
    /// Whether the dice pay for anything.
    fn exists(&self, view: &View<'_>) -> Result<bool, RuleError> {
        valid(view, self.filter).map_or_else(|| self.permit.exists(view), |filter| Ok(lets_any(view, filter)))
    }

    /// Whether masks express completely what the dice pay for.
    pub(super) fn is_listed(&self, view: &View<'_>) -> bool {
        valid(view, self.filter).is_some()
    }

    /// Whether some move that the dice pay for passes a test. `moves` is a buffer.
    fn any_move(
        &self,
        view: &View<'_>,
        moves: &mut Vec<Move>,
        mut test: impl FnMut(Move) -> Result<bool, RuleError>,
    ) -> Result<bool, RuleError> {
        if !self.is_listed(view) {
            return self.permit.any_move(view, &mut test);
        }
        moves.clear();
        self.moves(view, moves)?;
        for &mv in moves.iter() {
            if test(mv)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Appends the moves that the dice pay for.
    pub(crate) fn moves(&self, view: &View<'_>, out: &mut Vec<Move>) -> Result<(), RuleError> {
        match valid(view, self.filter) {
            Some(filter) => {
                let (side, before) = (view.position.side(), out.len());
                movegen::generate(view.variant, view.position, side, Safety::Policy, filter, out);
                view.rules.meter().charge(Task::Planning, LIST + (out.len() - before) as u64)
            }
            None => self.permit.moves(view, out),
        }
    }
}

/// The offers of unused dice: first those of single dice, then those of combinations.
pub(super) struct Offers<'a> {
    plan: &'a Plan,
    terms: &'a Terms,
    left: u16,
    at: usize,
}

impl<'a> Offers<'a> {
    fn new(plan: &'a Plan, terms: &'a Terms, left: u16) -> Offers<'a> {
        Offers { plan, terms, left, at: 0 }
    }
}

impl<'a> Iterator for Offers<'a> {
    type Item = Offer<'a>;

    #[inline]
    fn next(&mut self) -> Option<Offer<'a>> {
        while let Some(&Term { twins, filter }) = self.terms.offers.get(self.at) {
            let at = self.at;
            self.at += 1;
            let Some(permit) = self.plan.permits.get(at) else {
                let combination = &self.plan.combinations[at - self.plan.permits.len()];
                match self.plan.pick(self.left, &combination.faces) {
                    Some(dice) => return Some(Offer { dice, permit: &combination.permit, single: false, filter }),
                    None => continue,
                }
            };
            if self.left >> at & 1 != 0 && self.left & twins == 0 {
                return Some(Offer { dice: 1 << at, permit, single: true, filter });
            }
        }
        None
    }
}

impl Plan {
    /// Whether two dice are equivalent: each could pay for whatever the other pays for, alone or in combinations. Faces
    /// only distinguish dice if combinations name them.
    fn same_sort(&self, one: usize, other: usize) -> bool {
        let named = |die: usize| self.names(self.faces[die]);
        let alike = self.faces[one] == self.faces[other] || !named(one) && !named(other);
        alike && self.permits[one] == self.permits[other]
    }

    /// Whether dice with this face are distinct from all others, because a combination requires it.
    pub(crate) fn names(&self, face: i16) -> bool {
        self.combinations.iter().any(|combination| combination.faces.contains(&face))
    }

    /// Whether two payments are the same up to equivalent dice.
    pub(crate) fn same_price(&self, one: u16, other: u16) -> bool {
        let mut left = other;
        let dice = |set: u16| (0..self.faces.len()).filter(move |die| set >> die & 1 != 0);
        let paired = dice(one).all(|die| match dice(left).find(|&other| self.same_sort(die, other)) {
            Some(twin) => {
                left &= !(1 << twin);
                true
            }
            None => false,
        });
        paired && left == 0
    }

    fn terms(&self) -> &Terms {
        self.prepared.0.get_or_init(|| Terms::of(self))
    }

    /// The offers of unused dice.
    pub(super) fn offers(&self, left: u16) -> Offers<'_> {
        Offers::new(self, self.terms(), left)
    }

    /// Whether some unused dice pay for a move.
    pub(super) fn can_pay(&self, view: &View<'_>, left: u16, moved: SquareSet) -> Result<bool, RuleError> {
        match self.terms().sums.get(usize::from(left)) {
            Some(&Some(filter)) if moved.is_empty() && !movement::is_ruled(view) => Ok(lets_any(view, filter)),
            _ => self.can_pay_by_any(view, left, moved),
        }
    }

    fn can_pay_by_any(&self, view: &View<'_>, left: u16, moved: SquareSet) -> Result<bool, RuleError> {
        let mut moves = Vec::new();
        for offer in self.offers(left) {
            let found = match moved.is_empty() {
                true => offer.exists(view),
                false => offer.any_move(view, &mut moves, |mv| Ok(self.fresh(moved, mv))),
            };
            if found? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
