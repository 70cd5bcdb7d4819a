//! Everything that a decision can lead to until the turn ends, compared by a learned evaluation.
//!
//! Owns the walk through one turn. Positions are only evaluated where a turn begins, since networks learn from these; rolls
//! within the turn are averaged, and further decisions are taken as well as possible. A limit on the states keeps long turns
//! short: states beyond it are evaluated as they are.

use super::{LearnedValues, Room, Values, results};
use astragal_core::rule::RuleError;
use astragal_core::{Reply, State, Status};
use rustc_hash::FxHashSet;

/// Rolls in the middle of a turn with more outcomes are not averaged.
const MOST_OUTCOMES: u64 = 64;
/// The most rolls, one after another, that are averaged.
const MOST_ROLLS: u32 = 2;
/// The most unused states that are kept.
const POOL: usize = 1024;

/// Examines decisions of one variant. See the [module](self).
pub struct Lookahead {
    /// The most states of a decision.
    most: u32,
    left: u32,
    room: Room,
    /// Unused states, kept to use their memory again. Boxed, since they are large and move often.
    #[allow(clippy::vec_box)]
    pool: Vec<Box<State>>,
}

/// The turn in which a decision is due.
#[derive(Clone, Copy)]
struct Place {
    turn: u32,
    rolls: u32,
}

/// A state with a further decision of the same side: it is taken when it is examined.
struct Open {
    state: Option<Box<State>>,
    /// The number of the state before it: 0 is the decision, later ones are open states.
    before: usize,
    reply: Reply,
}

/// The best end of a turn.
struct Best {
    values: Values,
    before: usize,
    reply: Reply,
}

impl Lookahead {
    /// Examines at most `most` states for each decision.
    pub fn new(most: u32) -> Lookahead {
        Lookahead { most, left: 0, room: Room::default(), pool: Vec::new() }
    }

    /// The best replies to a decision, until the turn ends, something is rolled, or another side decides; and the values of
    /// the state that they lead to. No replies if the state waits for no decision.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn best(&mut self, values: &LearnedValues, state: &State) -> Result<(Vec<Reply>, Values), RuleError> {
        self.left = self.most;
        self.decide(values, state, Place { turn: state.turn(), rolls: 0 })
    }

    /// The values of a position at the start of a turn.
    pub(crate) fn values(&mut self, values: &LearnedValues, state: &State) -> Values {
        values.values(&state.ruleset().variant, state.position(), &mut self.room)
    }

    fn after(&mut self, state: &State, reply: Reply) -> Result<Box<State>, RuleError> {
        let Some(mut next) = self.pool.pop() else { return state.after(reply).map(Box::new) };
        next.become_after_unlisted(state, reply)?;
        Ok(next)
    }

    fn discard(&mut self, state: Box<State>) {
        if self.pool.len() < POOL {
            self.pool.push(state);
        }
    }

    fn decide(
        &mut self,
        values: &LearnedValues,
        state: &State,
        place: Place,
    ) -> Result<(Vec<Reply>, Values), RuleError> {
        let me = state.chooser();
        let (mut open, mut seen): (Vec<Open>, FxHashSet<u64>) = Default::default();
        let mut best: Option<Best> = None;
        let mut at = 0;
        loop {
            let mut held = None;
            let from = match at {
                0 => state,
                _ => {
                    let next = held.insert(open[at - 1].state.take().ok_or_else(RuleError::stopped)?);
                    next.list_moves()?;
                    &**next
                }
            };
            for reply in (0..from.replies()).filter_map(|index| from.nth_reply(index)) {
                let mut next = self.after(from, reply)?;
                let ended = next.over().is_some() || next.turn() != place.turn;
                let goes_on = !ended && next.status() != Status::Chance && next.chooser() == me;
                let key = if ended { next.position().hash() } else { next.place_in_turn() };
                if !seen.insert(key) {
                    self.discard(next);
                } else if goes_on && self.left > 0 {
                    self.left -= 1;
                    open.push(Open { state: Some(next), before: at, reply });
                } else {
                    let found = match goes_on {
                        true => self.values(values, &next),
                        false => self.value(values, &mut next, place)?,
                    };
                    if best.as_ref().is_none_or(|best| found[me.index()] > best.values[me.index()]) {
                        best = Some(Best { values: found, before: at, reply });
                    }
                    self.discard(next);
                }
            }
            if let Some(state) = held {
                self.discard(state);
            }
            at += 1;
            if at > open.len() {
                break;
            }
        }
        let Some(best) = best else { return Ok((Vec::new(), self.values(values, state))) };
        let mut replies = vec![best.reply];
        let mut before = best.before;
        while before > 0 {
            replies.push(open[before - 1].reply);
            before = open[before - 1].before;
        }
        replies.reverse();
        Ok((replies, best.values))
    }

    /// The values of a state that the present decision has led to.
    fn value(&mut self, values: &LearnedValues, state: &mut State, place: Place) -> Result<Values, RuleError> {
        if let Some(over) = state.over() {
            return Ok(results(&state.ruleset().variant, over));
        }
        let few = |state: &State| state.dice().is_some_and(|dice| dice.outcomes() <= MOST_OUTCOMES);
        match state.status() {
            _ if state.turn() != place.turn || self.left == 0 => Ok(self.values(values, state)),
            Status::Chance if place.rolls < MOST_ROLLS && few(state) => self.mean(values, state, place),
            Status::Chance => Ok(self.values(values, state)),
            _ => {
                self.left -= 1;
                state.list_moves()?;
                Ok(self.decide(values, state, place)?.1)
            }
        }
    }

    /// The mean over the outcomes of a roll within the turn.
    fn mean(&mut self, values: &LearnedValues, state: &State, place: Place) -> Result<Values, RuleError> {
        let place = Place { rolls: place.rolls + 1, ..place };
        let mut sums = Values::default();
        let mut total = 0.0;
        for (index, weight) in state.outcomes_apart() {
            let mut next = self.after(state, Reply::Roll(index))?;
            let found = self.value(values, &mut next, place)?;
            self.discard(next);
            total += weight as f32;
            sums.iter_mut().zip(found).for_each(|(sum, value)| *sum += weight as f32 * value);
        }
        Ok(sums.map(|sum| if total > 0.0 { sum / total } else { 0.0 }))
    }
}
