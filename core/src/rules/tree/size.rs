//! Estimates the memory that steps take beside their own size. Shared data counts for each owner.

use crate::dice::Dice;
use crate::rules::parts::Term;
use crate::rules::rule::{Decision, Step};
use std::any::TypeId;

impl Step {
    /// The approximate memory of the step beside its own size.
    pub fn heap_bytes(&self) -> usize {
        of_step(self)
    }
}

/// The memory of a step shared by nodes, with its two reference counts.
pub(super) fn of_kept(step: &Step) -> usize {
    2 * size_of::<usize>() + size_of::<Step>() + of_step(step)
}

fn of_step(step: &Step) -> usize {
    match step {
        Step::Ask(query) => of(query),
        Step::Find(find) => of(find),
        Step::Roll(chance) => of(chance),
        Step::Act(effect) => of(effect),
        Step::Decide(decision) => of(decision) + of_plan(decision),
        Step::Return(_) => 0,
    }
}

/// The memory of the parts of a term.
fn of<T: Term + 'static>(term: &T) -> usize {
    let parts = term.parts();
    parts.heap
        + size_of_val(parts.outcomes)
        + size_of_val(parts.each)
        + size_of_val(parts.scores)
        + size_of_val(parts.effects)
        + parts.dice.map_or(0, of_dice)
        + all::<T, _>(parts.permits.into_iter().flatten())
        + all::<T, _>(parts.sets.into_iter().flatten())
        + all::<T, _>(parts.amounts.into_iter().flatten())
        + all::<T, _>(parts.query.into_iter())
        + all::<T, _>(parts.find.into_iter())
        + all::<T, _>(parts.chance.into_iter())
        + parts.outcomes.iter().map(of).sum::<usize>()
        + parts.each.iter().map(of).sum::<usize>()
        + parts.scores.iter().map(of).sum::<usize>()
        + parts.effects.iter().map(of).sum::<usize>()
}

/// The memory of some parts of a term: those of its own type are boxed, others are stored inline.
fn all<'a, T: 'static, P: Term + 'static>(parts: impl Iterator<Item = &'a P>) -> usize {
    let boxed = if TypeId::of::<T>() == TypeId::of::<P>() { size_of::<P>() } else { 0 };
    parts.map(|part| boxed + of(part)).sum()
}

fn of_plan(decision: &Decision) -> usize {
    let Decision::PlayEach(plan) = decision.bare() else { return 0 };
    let combinations = plan.combinations.iter().map(|combination| size_of_val(combination) + of(&combination.permit));
    let permits = plan.permits.iter().map(|permit| size_of_val(permit) + of(permit));
    size_of_val(&**plan) + plan.prepared.bytes() + plan.faces.len() * 2 + permits.chain(combinations).sum::<usize>()
}

fn of_dice(dice: &Dice) -> usize {
    let faces: usize = dice.dice.iter().map(|die| size_of_val(die) + die.faces().len() * 6).sum();
    size_of::<Dice>() + dice.text.capacity() + faces
}
