//! One turn walked to its end, event by event: rolls, moves, choices and passes. What counts complete turns, of a roll
//! or one after another, counts these ways.

use crate::analysis::odds::{self, Halt, MOST_ROLLS};
use crate::dice::mix;
use crate::play::state::{State, Status};
use crate::rules::rule::RuleError;
use std::collections::HashMap;

/// A turn of more events than this is taken to have no end.
const LONGEST_TURN: usize = 2_000;

/// So many states that as many events have led to are kept, and no more: they are large.
const MOST_STATES: usize = 1 << 18;

/// A state that a turn has led to, and how.
pub(super) struct End {
    pub(crate) state: State,
    /// In how many ways.
    pub(crate) ways: u128,
    /// The most dice that one of the ways uses.
    pub(crate) dice: u32,
}

pub(super) fn too_many() -> RuleError {
    RuleError::new("there are more sequences than can be counted")
}

/// Visits what the turn under way can lead to, perhaps several times; nothing if the game is over already.
pub(super) fn walk(
    state: &State,
    stop: &dyn Fn() -> bool,
    at_end: &mut dyn FnMut(End) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let mut open = Layer::default();
    if state.over().is_none() {
        open.add(state.clone(), 1, 0)?;
    }
    for _ in 0..LONGEST_TURN {
        if open.list.is_empty() {
            return Ok(());
        }
        let mut further = Layer::default();
        for before in &open.list {
            each_next(&before.state, stop, &mut |next, paid| {
                let ended = next.over().is_some() || next.turn() != state.turn();
                let dice = before.dice + paid;
                match ended {
                    true => at_end(End { state: next, ways: before.ways, dice }),
                    false => further.add(next, before.ways, dice),
                }
            })?;
        }
        open = further;
    }
    Err(RuleError::new("a turn can go on without end: its sequences cannot be counted").into())
}

/// Visits every state that one event leads to, with the number of dice that pay for it.
fn each_next(
    state: &State,
    stop: &dyn Fn() -> bool,
    visit: &mut dyn FnMut(State, u32) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let mut made = |dice: u32, act: &dyn Fn(&mut State) -> Result<(), RuleError>| {
        if stop() {
            return Err(Halt::Stopped);
        }
        let mut next = state.clone();
        act(&mut next)?;
        visit(next, dice)
    };
    if state.status() == Status::Chance {
        let outcomes = state.dice().map_or(0, |dice| dice.outcomes());
        if outcomes > MOST_ROLLS {
            return Err(odds::too_many().into());
        }
        return (0..outcomes).filter(|&i| state.can_roll(i)).try_for_each(|i| made(0, &|next| next.roll(i)));
    }
    state.moves().iter().try_for_each(|&paid| made(paid.dice.count_ones(), &|next| next.play(paid)))?;
    (0..state.choices().len()).try_for_each(|i| made(0, &|next| next.choose(i)))?;
    if state.can_pass() {
        made(0, &State::pass)?;
    }
    Ok(())
}

/// States that the same number of events has led to; those that go on alike are one.
#[derive(Default)]
pub(super) struct Layer {
    pub(crate) list: Vec<End>,
    index: HashMap<(u64, Status, bool), usize>,
}

impl Layer {
    pub(crate) fn add(&mut self, state: State, ways: u128, dice: u32) -> Result<(), Halt> {
        // What the hash of a position leaves out: how long nothing has happened, and how much has been noted.
        let history = state.positions() as u64;
        let mark = mix(state.fingerprint() ^ mix(u64::from(state.position().clock()) << 32 ^ history));
        let key = (mark, state.status(), state.over().is_some());
        match self.index.get(&key) {
            Some(&known) => {
                let known = &mut self.list[known];
                known.ways = known.ways.checked_add(ways).ok_or_else(too_many)?;
                known.dice = known.dice.max(dice);
            }
            None if self.list.len() == MOST_STATES => {
                return Err(RuleError::new(format!(
                    "a turn can lead to more than {MOST_STATES} situations: its sequences cannot be counted"
                ))
                .into());
            }
            None => {
                self.index.insert(key, self.list.len());
                self.list.push(End { state, ways, dice });
            }
        }
        Ok(())
    }
}
