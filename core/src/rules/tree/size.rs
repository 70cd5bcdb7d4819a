//! How much memory steps take beside their own size. An estimate: what several share counts each time.

use crate::dice::Dice;
use crate::rules::amount::Amount;
use crate::rules::effect::Effect;
use crate::rules::permit::Permit;
use crate::rules::query::{Find, Query};
use crate::rules::rule::{Chance, Decision, Step};
use crate::rules::value::SetExpr;

pub(super) fn of_step(step: &Step) -> usize {
    match step {
        Step::Ask(query) => of_query(query),
        Step::Roll(chance) => of_chance(chance),
        Step::Decide(Decision::Play { permit, .. }) => of_permit(permit),
        Step::Decide(Decision::PlayEach(plan)) => {
            let bundles = plan.bundles.iter().map(|bundle| size_of_val(bundle) + of_permit(&bundle.permit));
            let permits = plan.permits.iter().map(|permit| size_of_val(permit) + of_permit(permit));
            size_of_val(&**plan) + plan.prepared.bytes() + plan.faces.len() * 2 + permits.chain(bundles).sum::<usize>()
        }
        Step::Decide(Decision::Choose { labels, .. }) => {
            labels.iter().map(|label| size_of_val(label) + label.capacity()).sum()
        }
        Step::Act(Effect::Win(_, text) | Effect::Draw(text) | Effect::Label(text)) => text.capacity(),
        Step::Find(Find::Set(set) | Find::Where(set, _)) => of_set(set),
        Step::Find(Find::Number(amount)) => of_amount(amount),
        Step::Act(
            Effect::SetTrait(_, _, amount)
            | Effect::AddTrait(_, _, amount)
            | Effect::SetCounter(_, amount)
            | Effect::AddCounter(_, amount),
        ) => of_amount(amount),
        Step::Decide(_) | Step::Find(_) | Step::Act(_) | Step::Return(_) => 0,
    }
}

fn of_query(query: &Query) -> usize {
    match query {
        Query::AtLeast(inner, _) => size_of::<Query>() + of_query(inner),
        Query::Suppose(effects, inner) => effects.len() * size_of::<Effect>() + size_of::<Query>() + of_query(inner),
        Query::Moves(permit) => of_permit(permit),
        Query::Amount(amount) => of_amount(amount),
        Query::Less(a, b) => of_amount(a) + of_amount(b),
        Query::Count(set) | Query::Contains(set, _) | Query::Following(set, _) => of_set(set),
        _ => 0,
    }
}

fn of_chance(chance: &Chance) -> usize {
    match chance {
        Chance::Roll(dice) | Chance::Held(dice) => of_dice(dice),
        Chance::Playable(dice, permits) => {
            of_dice(dice) + permits.iter().map(|permit| size_of::<Permit>() + of_permit(permit)).sum::<usize>()
        }
        Chance::Only(dice, possible) => of_dice(dice) + possible.len(),
        Chance::Each { sets, dice } => {
            let faces = dice.iter().flatten().map(|die| die.faces().len() * 6);
            size_of_val(&sets[..]) + size_of_val(&dice[..]) + faces.sum::<usize>()
        }
        Chance::Secret(inner, _) => size_of::<Chance>() + of_chance(inner),
        _ => 0,
    }
}

fn of_dice(dice: &Dice) -> usize {
    let faces: usize = dice.dice.iter().map(|die| size_of_val(die) + die.faces().len() * 6).sum();
    size_of::<Dice>() + dice.text.capacity() + faces
}

fn of_permit(permit: &Permit) -> usize {
    let one = |permit: &Permit| size_of::<Permit>() + of_permit(permit);
    match permit {
        Permit::Or(a, b) | Permit::And(a, b) | Permit::Minus(a, b) | Permit::OrElse(a, b) => one(a) + one(b),
        Permit::Where(a, _) | Permit::After(a, _) | Permit::Longest(a) | Permit::Of(a, _) | Permit::Safety(a, _) => {
            one(a)
        }
        Permit::From(set) | Permit::To(set) => of_set(set),
        Permit::Payable(purse, _) => purse.kinds.len() * 8,
        _ => 0,
    }
}

fn of_amount(amount: &Amount) -> usize {
    match amount {
        Amount::Plus(a, b)
        | Amount::Minus(a, b)
        | Amount::Times(a, b)
        | Amount::Greater(a, b)
        | Amount::Smaller(a, b) => 2 * size_of::<Amount>() + of_amount(a) + of_amount(b),
        Amount::Faces(_, set, _) | Amount::Count(set) => of_set(set),
        _ => 0,
    }
}

fn of_set(set: &SetExpr) -> usize {
    match set {
        SetExpr::Or(a, b) | SetExpr::And(a, b) | SetExpr::Minus(a, b) => {
            2 * size_of::<SetExpr>() + of_set(a) + of_set(b)
        }
        _ => 0,
    }
}
