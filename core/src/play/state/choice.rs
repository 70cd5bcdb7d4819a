//! What the choices are at a decision, beside the moves if it is about one, and what the rule goes on with.
//!
//! A choice is listed as texts and squares, whatever it is about, so that records and prompts need to
//! know no more; the order is part of the record format.

use super::{Choice, State};
use crate::rules::amount::CounterRef;
use crate::rules::plan::Plan;
use crate::rules::query::Answer;
use crate::rules::rule::{Alternatives, Decision, RuleError, SQUARE_CHOSEN};
use crate::rules::value::{Value, View};
use crate::rules::walker::Walker;

/// More numbers than this are not listed: the greatest are left out.
const MOST_NUMBERS: i64 = 1000;

/// The most dice of which some can be kept: beyond it the ways are too many to list.
pub const MOST_KEPT: usize = 10;

/// The choices of a decision; for one about a move, what may be chosen instead.
pub(super) fn choices(view: &View<'_>, decision: &Decision) -> Vec<Choice> {
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
            kept(faces).into_iter().map(|kept| Choice::Text(keeping(faces, &kept))).collect()
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

/// The faces, from 1, that a counter holds and that may be chosen, for [`Decision::Held`].
fn held(view: &View<'_>, decision: &Decision) -> Vec<i16> {
    let Decision::Held { counter, side, among, .. } = decision.bare() else { return Vec::new() };
    let offered = |place: &u8| among.as_ref().is_none_or(|among| among.contains(&(place + 1)));
    let places = (0..view.variant.places(*counter as usize)).filter(offered);
    let held = |&place: &u8| CounterRef { counter: *counter, place, side: *side }.value(view) > 0;
    places.filter(held).map(|place| i16::from(place) + 1).collect()
}

/// Which dice can be kept, by number: from all to none, each way of keeping the same faces once.
fn kept(faces: &[i16]) -> Vec<Vec<usize>> {
    let faces = &faces[..faces.len().min(MOST_KEPT)];
    let mut ways: Vec<Vec<usize>> = Vec::new();
    let mut seen: Vec<Vec<i16>> = Vec::new();
    for mask in (0..1u32 << faces.len()).rev() {
        let way: Vec<usize> = (0..faces.len()).filter(|i| mask & 1 << (faces.len() - 1 - i) != 0).collect();
        let mut shown: Vec<i16> = way.iter().map(|&i| faces[i]).collect();
        shown.sort_unstable();
        if !seen.contains(&shown) {
            seen.push(shown);
            ways.push(way);
        }
    }
    ways.sort_by_key(|way| std::cmp::Reverse(way.len()));
    ways
}

/// A way of keeping dice as a text.
fn keeping(faces: &[i16], kept: &[usize]) -> String {
    match kept.len() {
        0 => "roll all".into(),
        n if n == faces.len() => "keep all".into(),
        _ => kept.iter().fold("keep".into(), |text, &i| format!("{text} {}", faces[i])),
    }
}

impl State {
    /// Ends a turn of several moves in which something else was chosen, or has it pause for that.
    fn leave_plan(&mut self, plan: &Plan) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.last = None;
        let under_way = frame.progress.take().zip(frame.memo.take());
        if plan.or.as_ref().is_some_and(|or| or.pauses) {
            frame.paused.extend(under_way);
        }
    }

    /// What the rule goes on with after choice number `index`; what it holds is held.
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
                let kept = kept(view.dice(*faces)).swap_remove(index);
                let some_rolled = kept.len() < view.dice(*faces).len();
                (Value::Dice(kept.into_iter().map(|i| i as i16).collect()), usize::from(some_rolled))
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
