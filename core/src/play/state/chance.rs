//! Chance nodes: the dice that are rolled, and how the rule continues with their faces.
//!
//! Owns the way from a [`Chance`] to dice with numbered outcomes, and from an outcome to the answer and to the values that
//! the rule holds. Knows nothing of decisions or of the order of turns.

use super::pending_roll::{Landing, MOST_KNOWN, PendingRoll, PermitResults, Possible};
use super::{State, Status};
use crate::board::square::Square;
use crate::dice::{Dice, Die, Stream};
use crate::rules::amount::CounterRef;
use crate::rules::error::RuleError;
use crate::rules::hook::RuleId;
use crate::rules::permit::{self, Permit};
use crate::rules::query::Answer;
use crate::rules::rule::{self, Chance};
use crate::rules::value::{SetExpr, SideRef, Slot, Value, View};
use crate::rules::walker::Walker;
use std::sync::Arc;

impl State {
    /// Whether every outcome of the pending dice is possible: in conditional rolls only some are.
    pub fn can_roll_all(&self) -> bool {
        self.pending_roll().is_none_or(PendingRoll::shows_all)
    }

    /// Whether a rule will hold the faces of the pending dice without seeing them.
    pub(crate) fn holds_unseen(&self) -> bool {
        self.pending_roll().is_some_and(|pending_roll| pending_roll.is_held())
    }

    /// The number that a rule receives for an outcome of the pending dice; outcomes with the same number continue alike. If
    /// the rule receives the faces, it is the number of the outcome.
    pub fn told(&self, index: u64) -> u64 {
        self.pending_roll().map_or(index, |pending_roll| pending_roll.told(index))
    }

    /// Whether a rule receives less than the faces of the pending dice: a key of them.
    pub fn is_told_keys(&self) -> bool {
        self.pending_roll().is_some_and(|pending_roll| matches!(pending_roll.landing, Landing::Key(_)))
    }

    /// The possible outcomes of the pending dice that a rule can distinguish. Of outcomes with the same number for the
    /// rule, the first, with the weight of all.
    pub fn outcomes_apart(&self) -> Vec<(u64, u64)> {
        let Some(pending_roll) = self.pending_roll() else { return Vec::new() };
        let dice = &pending_roll.dice;
        let possible = (0..pending_roll.outcomes).filter(|&index| self.can_roll(index));
        if !self.is_told_keys() {
            return possible.map(|index| (index, dice.weight(index))).collect();
        }
        let (mut apart, mut places): (Vec<(u64, u64)>, Vec<usize>) = (Vec::new(), Vec::new());
        for index in possible {
            let key = pending_roll.told(index) as usize;
            if key >= places.len() {
                places.resize(key + 1, usize::MAX);
            }
            if places[key] == usize::MAX {
                places[key] = apart.len();
                apart.push((index, 0));
            }
            apart[places[key]].1 += dice.weight(index);
        }
        apart
    }

    /// The dice whose faces a rule will hold together without seeing them: the pending dice and, if some dice are rerolled,
    /// the kept ones, as dice with one face. The numbers of the outcomes are the same. `None` for other rolls.
    pub(crate) fn unseen_dice(&self) -> Option<Vec<Die>> {
        let pending_roll = self.pending_roll().filter(|pending_roll| pending_roll.is_held())?;
        let mut dice = pending_roll.dice.dice.clone();
        if let Landing::Among(places, all) = &pending_roll.landing {
            let mut together: Vec<Die> = all.iter().map(|&face| Die::weighted([(face, 1)])).collect();
            places.iter().zip(dice).for_each(|(&place, die)| together[place] = die);
            dice = together;
        }
        Some(dice)
    }

    /// Draws a possible outcome of the pending dice, by weight. If rejection could take forever, it draws from the possible
    /// outcomes instead, with the same chances.
    ///
    /// # Panics
    /// If no dice are waited for.
    pub fn draw(&self, stream: &mut Stream) -> u64 {
        const TRIES: u32 = 10_000;
        let dice = self.dice().expect("the game waits for a roll");
        for _ in 0..TRIES {
            let index = dice.roll(stream);
            if self.can_roll(index) {
                return index;
            }
        }
        let possible = || (0..dice.outcomes()).filter(|&i| self.can_roll(i));
        let mut left = stream.below(possible().map(|i| dice.weight(i)).sum());
        let found = possible().find(|&i| {
            let hit = left < dice.weight(i);
            left = left.wrapping_sub(dice.weight(i));
            hit
        });
        found.expect("at least one outcome is possible")
    }

    /// Prepares a roll; false if no outcome is possible. Then a rule that holds the result holds nothing.
    #[inline]
    pub(super) fn arrive_at_chance(
        &mut self,
        rules: &Walker,
        rule: RuleId,
        chance: &Chance,
    ) -> Result<bool, RuleError> {
        match chance.plain_roll() {
            Some((dice, keys)) => {
                // The dice of a plain roll were checked when the tree grew: they never change.
                if !self.pending_roll.as_ref().is_some_and(|pending_roll| pending_roll.is_plain(dice, keys)) {
                    let landing = keys.map_or(Landing::Answer, |keys| Landing::Key(Arc::clone(keys)));
                    self.pending_roll = Some(PendingRoll::new(Arc::clone(dice), landing));
                }
                self.secret = None;
            }
            None => {
                if !self.arrive_at_other_dice(rules, chance).map_err(|error| rules.blame(rule, error))? {
                    return Ok(false);
                }
            }
        }
        self.status = Status::Chance;
        self.eventful = true;
        Ok(true)
    }

    /// The same for rolls that need further examination.
    #[inline(never)]
    fn arrive_at_other_dice(&mut self, rules: &Walker, chance: &Chance) -> Result<bool, RuleError> {
        let (chance, secret) = match chance {
            Chance::Secret(inner, side) => (&**inner, self.view(rules).side(*side).or(Some(self.position.side()))),
            open => (open, None),
        };
        let Some(pending_roll) = self.gathered(rules, chance)? else {
            if chance.holds() {
                self.hold(rules, nothing(chance))?;
            }
            return Ok(false);
        };
        if chance.plain().is_none() {
            rule::countable(&pending_roll.dice)?;
        }
        self.pending_roll = Some(pending_roll);
        self.secret = secret;
        Ok(true)
    }

    /// The pending roll at a chance node; `None` if no outcome is possible.
    fn gathered(&self, rules: &Walker, chance: &Chance) -> Result<Option<PendingRoll>, RuleError> {
        let view = self.view(rules);
        let some_of = |dice: &Arc<Dice>, possible: Vec<bool>| {
            let some = possible.contains(&true);
            some.then(|| PendingRoll {
                possible: Possible::Some(possible),
                ..PendingRoll::new(Arc::clone(dice), Landing::Answer)
            })
        };
        Ok(match chance {
            Chance::Roll(dice) => Some(PendingRoll::new(Arc::clone(dice), Landing::Answer)),
            Chance::Held(dice) => Some(PendingRoll::new(Arc::clone(dice), Landing::Held)),
            // If there are too many outcomes to remember, each is tested once.
            Chance::Playable(dice, permits)
                if permits.permits().len() <= MOST_KNOWN && !permits.permits().iter().any(Permit::consults) =>
            {
                let possible = Possible::Playable(Arc::clone(permits), PermitResults::default());
                let pending_roll = PendingRoll { possible, ..PendingRoll::new(Arc::clone(dice), Landing::Answer) };
                (0..pending_roll.outcomes).any(|index| pending_roll.can_show(index, || view)).then_some(pending_roll)
            }
            Chance::Playable(dice, permits) => {
                let admits = |permit: &Permit| permit.exists(&view);
                let admits = permits.permits().iter().map(admits).collect::<Result<Vec<bool>, _>>()?;
                let possible = (0..dice.outcomes()).map(|index| permits.number(index).is_some_and(|n| admits[n]));
                some_of(dice, possible.collect())
            }
            Chance::Only(dice, possible) => some_of(dice, possible.to_vec()),
            Chance::Each { sets, dice } => each(&view, sets, dice),
            Chance::Again { dice, faces, kept } => again(&view, dice, *faces, *kept),
            Chance::Draw(counter, side) => draw(&view, *counter, *side),
            Chance::Pick(set) => pick(view.set(set).into_iter().collect()),
            Chance::PickMove(permit) => pick_move(&view, permit)?,
            Chance::Keyed(inner, keys) => self
                .gathered(rules, inner)?
                .map(|pending_roll| PendingRoll { landing: Landing::Key(Arc::clone(keys)), ..pending_roll }),
            // Secrets are not nested.
            Chance::Secret(..) => None,
        })
    }

    /// The rule's answer for a possible outcome of the dice.
    pub(super) fn land(&mut self, rules: &Walker, index: u64) -> Result<Answer, RuleError> {
        match self.pending_roll() {
            Some(PendingRoll { landing: Landing::Answer, .. }) => Ok(index as Answer),
            Some(PendingRoll { landing: Landing::Key(keys), .. }) => {
                Ok(keys.get(index as usize).map_or(0, |&key| Answer::from(key)))
            }
            _ => self.land_and_hold(rules, index),
        }
    }

    #[inline(never)]
    fn land_and_hold(&mut self, rules: &Walker, index: u64) -> Result<Answer, RuleError> {
        let Some(PendingRoll { dice, landing, .. }) = self.pending_roll.take() else { return Ok(0) };
        let value = match landing {
            Landing::Answer | Landing::Key(_) => return Ok(index as Answer),
            Landing::Held => Value::Dice(dice.outcome(index)),
            Landing::Each(squares) => Value::Faces(squares.into_iter().zip(dice.outcome(index)).collect()),
            Landing::Among(places, mut all) => {
                places.into_iter().zip(dice.outcome(index)).for_each(|(place, face)| all[place] = face);
                Value::Dice(all)
            }
            Landing::Square(squares) => Value::Square(squares.get(index as usize).copied()),
            Landing::Move(moves) => match moves.get(index as usize) {
                Some(&mv) => Value::Named(permit::plan(&self.position, mv), false),
                None => Value::None,
            },
        };
        self.hold(rules, value)?;
        Ok(0)
    }
}

/// The value that is held if no outcome was possible.
fn nothing(chance: &Chance) -> Value {
    match chance {
        Chance::Each { .. } => Value::Faces(Vec::new()),
        Chance::Pick(_) => Value::Square(None),
        Chance::Secret(chance, _) | Chance::Keyed(chance, _) => nothing(chance),
        Chance::Held(_) | Chance::Again { .. } | Chance::Draw(..) => Value::Dice(Vec::new()),
        // These hold nothing.
        Chance::Roll(_) | Chance::Only(..) | Chance::Playable(..) | Chance::PickMove(_) => Value::None,
    }
}

fn each(view: &View<'_>, sets: &[SetExpr], dice: &[Option<Die>]) -> Option<PendingRoll> {
    let mut all: Vec<Square> = Vec::new();
    for square in sets.iter().flat_map(|set| view.set(set)) {
        if !all.contains(&square) {
            all.push(square);
        }
    }
    let die = |&s: &Square| dice.get(view.position.at(s).kind().index()).cloned().flatten();
    let rolled_dice = gather(all.iter().filter_map(die).collect());
    all.retain(|square| die(square).is_some());
    (!all.is_empty()).then(|| PendingRoll::new(Arc::new(rolled_dice), Landing::Each(all)))
}

/// Combined dice, written with a plus sign between groups.
fn gather(dice: Vec<Die>) -> Dice {
    let texts: Vec<String> = dice.iter().map(|die| format!("1d{}", die.faces().len())).collect();
    Dice { dice, text: texts.join("+") }
}

fn again(view: &View<'_>, dice: &Dice, faces: Slot, kept: Slot) -> Option<PendingRoll> {
    let (all, kept) = (view.dice(faces).to_vec(), view.dice(kept));
    let places: Vec<usize> = (0..all.len().min(dice.dice.len())).filter(|&i| !kept.contains(&(i as i16))).collect();
    let rolled_dice: Vec<Die> = places.iter().map(|&i| dice.dice[i].clone()).collect();
    let text = match rolled_dice.as_slice() {
        [] => return None,
        [first, rest @ ..]
            if rest.iter().all(|die| die == first) && *first == Die::fair(first.faces().len() as u16) =>
        {
            format!("{}d{}", rolled_dice.len(), first.faces().len())
        }
        _ => format!("{} of {dice}", rolled_dice.len()),
    };
    Some(PendingRoll::new(Arc::new(Dice { dice: rolled_dice, text }), Landing::Among(places, all)))
}

fn draw(view: &View<'_>, counter: u8, side: SideRef) -> Option<PendingRoll> {
    let held = |place| CounterRef { counter, place, side }.value(view).max(0) as u32;
    let places = 0..view.variant.places(counter as usize);
    let die = Die::weighted(places.map(|place| (i16::from(place) + 1, held(place))));
    let name = &view.variant.spec().counters[counter as usize].name;
    let text = format!("draw({name})");
    (!die.faces().is_empty()).then(|| PendingRoll::new(Arc::new(Dice { dice: vec![die], text }), Landing::Held))
}

fn pick(squares: Vec<Square>) -> Option<PendingRoll> {
    one_of(squares.len(), "", Landing::Square(squares))
}

/// The order depends only on the moves.
fn pick_move(view: &View<'_>, permit: &Permit) -> Result<Option<PendingRoll>, RuleError> {
    let mut moves = Vec::new();
    permit.moves(view, &mut moves)?;
    moves.sort_unstable();
    moves.dedup();
    Ok(one_of(moves.len(), " moves", Landing::Move(moves)))
}

/// A die with a face for each of `count` things, if there are any.
fn one_of(count: usize, what: &str, landing: Landing) -> Option<PendingRoll> {
    let count = u16::try_from(count).ok().filter(|&count| count > 0)?;
    let dice = Dice { dice: vec![Die::fair(count)], text: format!("draw(1 of {count}{what})") };
    Some(PendingRoll::new(Arc::new(dice), landing))
}
