//! The choices at a decision (beside its moves, if it is about a move), and the answer that each gives the rule.
//!
//! Every choice is listed as a text or a square, so that records and prompts need no other form. The order is part of the
//! record format.

use super::{Choice, State, Status};
use crate::rules::amount::CounterRef;
use crate::rules::error::RuleError;
use crate::rules::plan::Plan;
use crate::rules::query::Answer;
use crate::rules::rule::{Alternatives, Decision, SQUARE_CHOSEN, Step};
use crate::rules::value::{Value, View};
use crate::rules::walker::Walker;
use std::fmt::Write as _;

/// At most this many numbers are listed; the greatest are left out.
const MOST_NUMBERS: i64 = 1000;

/// The maximum number of dice for which the ways to keep some are listed: with more dice there are too many ways.
pub const MOST_KEPT: usize = 10;

/// The choices of a decision; for a decision about a move, the alternatives. The work is counted.
pub(super) fn choices(view: &View<'_>, decision: &Decision) -> Vec<Choice> {
    let choices = listed(view, decision);
    view.rules.meter().add(work_of_listing(&choices));
    choices
}

fn listed(view: &View<'_>, decision: &Decision) -> Vec<Choice> {
    let text = |number: i64| Choice::Text(number.to_string());
    match decision.bare() {
        Decision::Choose { among, .. } => alternatives(view, among),
        Decision::Number { least, most, .. } => {
            let (least, most) = (least.value(view), most.value(view));
            (least..=most.min(least.saturating_add(MOST_NUMBERS))).map(text).collect()
        }
        Decision::Held { labels, names, .. } => {
            let called = |face: i16| match names.get(face as usize - 1) {
                Some(name) => Choice::Text(name.clone()),
                None => text(face.into()),
            };
            let faces = held(view, decision).into_iter().map(called);
            labels.iter().cloned().map(Choice::Text).chain(faces).collect()
        }
        Decision::Keep { faces, .. } => {
            let faces = view.dice(*faces);
            view.rules.meter().add(work_of_keeping(faces));
            kept(faces).into_iter().map(|kept| Choice::Text(keeping(faces, kept))).collect()
        }
        Decision::Play { or, .. } => or.as_ref().map_or_else(Vec::new, |or| alternatives(view, or)),
        Decision::PlayEach(plan) => plan.or.as_ref().map_or_else(Vec::new, |or| alternatives(view, &or.among)),
        Decision::Secret(_) | Decision::Asked(..) | Decision::Named(_) => Vec::new(),
    }
}

/// The texts, then the squares.
fn alternatives(view: &View<'_>, among: &Alternatives) -> Vec<Choice> {
    let squares = among.squares.as_ref().map(|squares| view.set(squares)).into_iter().flatten();
    among.labels.iter().cloned().map(Choice::Text).chain(squares.map(Choice::Square)).collect()
}

/// The faces, from 1, that a counter holds and the player may choose, for [`Decision::Held`].
fn held(view: &View<'_>, decision: &Decision) -> Vec<i16> {
    let Decision::Held { counter, side, among, .. } = decision.bare() else { return Vec::new() };
    let offered = |place: &u8| among.as_ref().is_none_or(|among| among.contains(&(place + 1)));
    let places = (0..view.variant.places(*counter as usize)).filter(offered);
    let held = |&place: &u8| CounterRef { counter: *counter, place, side: *side }.value(view) > 0;
    places.filter(held).map(|place| i16::from(place) + 1).collect()
}

/// The dice that can be kept, as masks with the first die as the highest bit: from all to none, each combination of faces
/// once.
fn kept(faces: &[i16]) -> Vec<u16> {
    let faces = &faces[..faces.len().min(MOST_KEPT)];
    // The kept dice are encoded as a number: how many dice of each face, in mixed radix. There are at most as many as
    // masks.
    let mut weights = vec![0; faces.len()];
    let mut all = 1;
    for (die, face) in faces.iter().enumerate() {
        match faces[..die].iter().position(|other| other == face) {
            Some(first) => weights[die] = weights[first],
            None => {
                weights[die] = all;
                all *= 1 + faces.iter().filter(|other| *other == face).count();
            }
        }
    }
    let mut seen = vec![false; all];
    let mut ways: Vec<u16> = Vec::with_capacity(all);
    for mask in (0..1u16 << faces.len()).rev() {
        let way = dice_of(mask, faces.len()).map(|die| weights[die]).sum::<usize>();
        if !std::mem::replace(&mut seen[way], true) {
            ways.push(mask);
        }
    }
    ways.sort_by_key(|way| std::cmp::Reverse(way.count_ones()));
    ways
}

/// The dice that a mask of [`kept`] keeps, by number.
fn dice_of(mask: u16, count: usize) -> impl Iterator<Item = usize> {
    (0..count).filter(move |die| mask & 1 << (count - 1 - die) != 0)
}

/// Units of work for listing the ways to keep dice: each takes about as long as listing a move.
fn work_of_keeping(faces: &[i16]) -> u64 {
    1 << faces.len().min(MOST_KEPT)
}

/// Units of work for listing choices, since texts are copied.
fn work_of_listing(choices: &[Choice]) -> u64 {
    let of = |choice: &Choice| match choice {
        Choice::Text(text) => 1 + text.len() as u64 / 64,
        Choice::Square(_) => 0,
    };
    choices.iter().map(of).sum()
}

/// The text of a way to keep dice.
fn keeping(faces: &[i16], kept: u16) -> String {
    match kept.count_ones() as usize {
        0 => "roll all".into(),
        n if n == faces.len() => "keep all".into(),
        _ => dice_of(kept, faces.len().min(MOST_KEPT)).fold("keep".into(), |mut text: String, die| {
            // Writing to a string does not fail.
            let _ = write!(text, " {}", faces[die]);
            text
        }),
    }
}

impl State {
    /// Whether a move is requested that will be made, including decisions with other choices and no permitted move.
    pub fn asks_for_move(&self) -> bool {
        match self.status {
            Status::Move => !self.asked.names,
            Status::Choice => {
                self.frames.last().is_some_and(|frame| match frame.tree(&self.walker()).step(frame.node) {
                    Step::Decide(decision) => matches!(decision.bare(), Decision::Play { .. }) && !decision.names(),
                    _ => false,
                })
            }
            Status::Chance | Status::Over => false,
        }
    }

    /// Notes the dice of a turn of several moves that pay for nothing more. Players who have used all they could, or who
    /// have nothing to use, are not blocked.
    pub(super) fn note_unused_dice(&mut self, rules: &Walker) {
        let Some((plan, progress)) = self.plan_by(rules) else { return };
        let is_first = progress.made == 0;
        let unused = if is_first { plan.faces.len() as u32 } else { progress.left.count_ones() };
        self.answers.blocked |= is_first;
        self.answers.leave_dice(unused);
    }

    /// Ends a turn of several moves in which an alternative was chosen, or pauses it for that.
    fn leave_plan(&mut self, plan: &Plan) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.last = None;
        let under_way = frame.progress.take().zip(frame.memo.take());
        if plan.or.as_ref().is_some_and(|or| or.pauses) {
            frame.paused.extend(under_way);
        }
    }

    /// The rule's answer after choice number `index`; values that the rule holds are stored.
    pub(super) fn answer_choice(
        &mut self,
        rules: &Walker,
        decision: &Decision,
        index: usize,
    ) -> Result<Answer, RuleError> {
        let view = self.view(rules);
        let (value, answer) = match decision.bare() {
            Decision::Choose { among, .. } => match &self.asked.choices[index] {
                Choice::Square(square) => (Value::Square(Some(*square)), among.labels.len()),
                Choice::Text(_) => (Value::Square(None), index),
            },
            Decision::Number { least, .. } => {
                let number = least.value(&view).saturating_add(index as i64);
                (Value::Dice(vec![number.clamp(i16::MIN.into(), i16::MAX.into()) as i16]), 0)
            }
            Decision::Held { labels, .. } => match index.checked_sub(labels.len()) {
                Some(place) => {
                    let face = held(&view, decision).get(place).copied().unwrap_or(0);
                    self.hold(rules, Value::Dice(vec![face]))?;
                    return Ok(face.into());
                }
                None => {
                    self.hold(rules, Value::Dice(Vec::new()))?;
                    return Ok(-1 - index as Answer);
                }
            },
            Decision::Keep { faces, .. } => {
                let faces = view.dice(*faces);
                rules.meter().add(work_of_keeping(faces));
                let kept = kept(faces).swap_remove(index);
                let some_rolled = (kept.count_ones() as usize) < faces.len();
                let kept = dice_of(kept, faces.len().min(MOST_KEPT)).map(|die| die as i16);
                (Value::Dice(kept.collect()), usize::from(some_rolled))
            }
            Decision::Play { .. } => match &self.asked.choices[index] {
                Choice::Square(square) => {
                    self.hold(rules, Value::Square(Some(*square)))?;
                    return Ok(2);
                }
                Choice::Text(_) => {
                    self.hold(rules, Value::None)?;
                    return Ok(-1 - index as Answer);
                }
            },
            Decision::PlayEach(plan) => {
                let chosen = self.asked.choices[index].clone();
                self.leave_plan(plan);
                match chosen {
                    Choice::Square(square) => {
                        self.hold(rules, Value::Square(Some(square)))?;
                        return Ok(SQUARE_CHOSEN);
                    }
                    Choice::Text(_) => {
                        self.hold(rules, Value::None)?;
                        return Ok(-1 - index as Answer);
                    }
                }
            }
            Decision::Secret(_) | Decision::Asked(..) | Decision::Named(_) => (Value::None, 0),
        };
        self.hold(rules, value)?;
        Ok(answer as Answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Stream;
    use std::collections::HashSet;

    /// Compared with every set of dice, the largest first, whose faces differ from those before it.
    #[test]
    fn every_way_to_keep_other_faces_is_listed_once_and_in_order() {
        let mut stream = Stream::new(3, 0);
        for count in 0..=MOST_KEPT {
            for sides in [1, 2, 6, 20] {
                let faces: Vec<i16> = (0..count).map(|_| stream.below(sides) as i16 - 3).collect();
                let mut masks: Vec<u16> = (0..1 << count).rev().collect();
                masks.sort_by_key(|mask| std::cmp::Reverse(mask.count_ones()));
                let shown = |mask: u16| {
                    let mut shown: Vec<i16> = dice_of(mask, count).map(|die| faces[die]).collect();
                    shown.sort_unstable();
                    shown
                };
                let mut seen = HashSet::new();
                masks.retain(|&mask| seen.insert(shown(mask)));
                assert_eq!(kept(&faces), masks, "{faces:?}");
            }
        }
        assert_eq!(keeping(&[4, 2, 4], 0b101), "keep 4 4");
    }
}
