//! Compares everything that a decision can lead to until the turn ends, by a learned evaluation.
//!
//! Owns the walk through one turn. Positions are only evaluated where a turn begins, since networks learn from these; rolls
//! within the turn are averaged, many outcomes by some that are evenly spread, and further decisions are taken as well as
//! possible. A limit on the states keeps long turns short: states beyond it are evaluated as they are.

use super::{LearnedValues, Room, Values};
use crate::outcome_groups::evenly_spread;
use astragal_core::rule::RuleError;
use astragal_core::{Reply, Side, State, Status};
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of outcomes that stand for a roll in the middle of a turn: for the first roll, and for one after it.
/// Further rolls are not averaged.
const MOST_OUTCOMES: [usize; 2] = [64, 8];
/// The maximum number of decisions within each other: of other sides, or after rolls of the turn.
const MOST_NESTED: u32 = 16;
/// The maximum number of unused states that are kept.
const POOL: usize = 1024;

/// Examines decisions of one variant. See the [module](self).
pub struct Lookahead {
    /// The maximum number of states of a decision.
    most: u32,
    left: u32,
    room: Room,
    /// The values of positions at the start of the next turn: decisions within each other can lead to the same one.
    known: FxHashMap<u64, Values>,
    /// Unused states, kept to use their memory again. Boxed, since they are large and move often.
    #[allow(clippy::vec_box)]
    pool: Vec<Box<State>>,
}

/// The turn in which a decision is due.
#[derive(Clone, Copy)]
struct Place {
    turn: u32,
    /// The rolls that are averaged around it.
    rolls: usize,
    /// The decisions that led to this one.
    nested: u32,
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

/// The walk over everything that a decision can lead to.
struct Found {
    /// The side that decides.
    me: Side,
    open: Vec<Open>,
    /// The states that are known.
    seen: FxHashSet<u64>,
    best: Option<Best>,
}

impl Lookahead {
    /// Examines at most `most` states for each decision.
    pub fn new(most: u32) -> Lookahead {
        Lookahead { most, left: 0, room: Room::default(), known: FxHashMap::default(), pool: Vec::new() }
    }

    /// The best replies to a decision, until the turn ends, something is rolled, or another side decides; and the values of
    /// the state that they lead to. No replies if the state waits for no decision.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn best(&mut self, values: &LearnedValues, state: &State) -> Result<(Vec<Reply>, Values), RuleError> {
        self.left = self.most;
        self.known.clear();
        self.decide(values, state, Place { turn: state.turn(), rolls: 0, nested: 0 })
    }

    /// The values of a state, as if a turn began there.
    pub(crate) fn values(&mut self, values: &LearnedValues, state: &State) -> Values {
        values.values_in_game(state, &mut self.room)
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
        let mut found = Found { me: state.chooser(), open: Vec::new(), seen: FxHashSet::default(), best: None };
        self.examine(values, state, 0, place, &mut found)?;
        let mut at = 0;
        while let Some(mut next) = found.open.get_mut(at).and_then(|open| open.state.take()) {
            at += 1;
            next.list_moves()?;
            self.examine(values, &next, at, place, &mut found)?;
            self.discard(next);
        }
        let Found { open, best, .. } = found;
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

    /// Examines what a state leads to: further decisions of the same side are kept for later, everything else is evaluated.
    fn examine(
        &mut self,
        values: &LearnedValues,
        from: &State,
        number: usize,
        place: Place,
        found: &mut Found,
    ) -> Result<(), RuleError> {
        let me = found.me;
        for reply in (0..from.replies()).filter_map(|index| from.nth_reply(index)) {
            let mut next = self.after(from, reply)?;
            let is_over = next.over().is_some();
            let ended = is_over || next.turn() != place.turn;
            let goes_on = !ended && next.status() != Status::Chance && next.chooser() == me;
            let key = if ended { next.position().hash() } else { next.place_in_turn() };
            // Games can end differently with the same position.
            if !is_over && !found.seen.insert(key) {
                self.discard(next);
            } else if goes_on && self.left > 0 {
                self.left -= 1;
                found.open.push(Open { state: Some(next), before: number, reply });
            } else {
                let worth = match goes_on {
                    true => self.values(values, &next),
                    false => self.value(values, &mut next, place)?,
                };
                if found.best.as_ref().is_none_or(|best| worth[me.index()] > best.values[me.index()]) {
                    found.best = Some(Best { values: worth, before: number, reply });
                }
                self.discard(next);
            }
        }
        Ok(())
    }

    /// The values of a state that the present decision has led to.
    fn value(&mut self, values: &LearnedValues, state: &mut State, place: Place) -> Result<Values, RuleError> {
        match state.status() {
            Status::Over => Ok(self.values(values, state)),
            _ if state.turn() != place.turn => {
                let position = state.position().hash();
                if let Some(found) = self.known.get(&position) {
                    return Ok(*found);
                }
                let found = self.values(values, state);
                self.known.insert(position, found);
                Ok(found)
            }
            _ if self.left == 0 || place.nested == MOST_NESTED => Ok(self.values(values, state)),
            Status::Chance => match MOST_OUTCOMES.get(place.rolls) {
                Some(&width) => self.mean(values, state, width, place),
                None => Ok(self.values(values, state)),
            },
            _ => {
                self.left -= 1;
                state.list_moves()?;
                Ok(self.decide(values, state, Place { nested: place.nested + 1, ..place })?.1)
            }
        }
    }

    /// The mean over the outcomes of a roll within the turn.
    fn mean(&mut self, values: &LearnedValues, state: &State, width: usize, place: Place) -> Result<Values, RuleError> {
        self.left -= 1;
        let place = Place { rolls: place.rolls + 1, ..place };
        let mut sums = Values::default();
        let mut total = 0.0;
        for (index, weight) in evenly_spread(state, width, state.position().hash()) {
            let mut next = self.after(state, Reply::Roll(index))?;
            let found = self.value(values, &mut next, place)?;
            self.discard(next);
            total += weight as f32;
            sums.iter_mut().zip(found).for_each(|(sum, value)| *sum += weight as f32 * value);
        }
        Ok(sums.map(|sum| if total > 0.0 { sum / total } else { 0.0 }))
    }
}
