//! Sequences of complete turns by the rules: what dice can show, and what can be done with it, turn after turn.
//!
//! Owns the counting across turns. Within a turn, ways that come to the same are walked once; across turns
//! they are not, since repetitions and clocks may tell them apart.

use crate::dice::mix;
use crate::odds::Halt;
use crate::rule::RuleError;
use crate::state::{State, Status};
use std::collections::HashMap;

/// A turn of more events than this is taken to have no end.
const LONGEST_TURN: usize = 2_000;

/// The number of ways to play exactly `turns` complete turns from `state`: every outcome of every roll, ordered
/// (1,2 and 2,1 are two), with every move, choice and pass that the rules then offer. A turn in which nobody can do
/// anything is one way. A game that ends in the last of the turns counts, one that has ended before does not.
///
/// `None` if `stop`, which is asked again and again, says so before all are counted.
///
/// # Errors
/// If a rule fails, a turn can go on without end, or the number has more than 128 bits.
pub fn paths_until(state: &State, turns: u32, stop: &dyn Fn() -> bool) -> Result<Option<u128>, RuleError> {
    Halt::or_stopped(count(state, turns, stop))
}

fn count(state: &State, turns: u32, stop: &dyn Fn() -> bool) -> Result<u128, Halt> {
    if turns == 0 {
        return Ok(1);
    }
    let mut sum = 0_u128;
    for (end, ways) in ends(state, stop)? {
        let after = if end.over().is_some() { u128::from(turns == 1) } else { count(&end, turns - 1, stop)? };
        sum = ways.checked_mul(after).and_then(|more| sum.checked_add(more)).ok_or_else(too_many)?;
    }
    Ok(sum)
}

fn too_many() -> RuleError {
    RuleError::new("there are more sequences than can be counted")
}

/// What the turn under way can lead to, and in how many ways; empty if the game is over already.
fn ends(state: &State, stop: &dyn Fn() -> bool) -> Result<Vec<(State, u128)>, Halt> {
    let mut ends = Layer::default();
    let mut open = Layer::default();
    if state.over().is_none() {
        open.add(state.clone(), 1)?;
    }
    for _ in 0..LONGEST_TURN {
        if open.list.is_empty() {
            return Ok(ends.list);
        }
        let mut further = Layer::default();
        for (before, ways) in &open.list {
            each_next(before, stop, &mut |next| {
                let ended = next.over().is_some() || next.turn() != state.turn();
                if ended { &mut ends } else { &mut further }.add(next, *ways)
            })?;
        }
        open = further;
    }
    Err(RuleError::new("a turn can go on without end: its sequences cannot be counted").into())
}

/// Visits every state that one event leads to.
fn each_next(
    state: &State,
    stop: &dyn Fn() -> bool,
    visit: &mut dyn FnMut(State) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let mut made = |act: &dyn Fn(&mut State) -> Result<(), RuleError>| {
        if stop() {
            return Err(Halt::Stopped);
        }
        let mut next = state.clone();
        act(&mut next)?;
        visit(next)
    };
    if state.status() == Status::Chance {
        let outcomes = state.dice().map_or(0, |dice| dice.outcomes());
        return (0..outcomes).filter(|&i| state.can_roll(i)).try_for_each(|i| made(&|next| next.roll(i)));
    }
    state.moves().iter().try_for_each(|&paid| made(&|next| next.play(paid)))?;
    (0..state.choices().len()).try_for_each(|i| made(&|next| next.choose(i)))?;
    if state.can_pass() {
        made(&State::pass)?;
    }
    Ok(())
}

/// States that the same number of events has led to; those that go on alike are one.
#[derive(Default)]
struct Layer {
    list: Vec<(State, u128)>,
    index: HashMap<(u64, Status, bool), usize>,
}

impl Layer {
    fn add(&mut self, state: State, ways: u128) -> Result<(), Halt> {
        // What the hash of a position leaves out: how long nothing has happened, and how much has been noted.
        let history = state.view(state.ruleset()).history.len() as u64;
        let mark = mix(state.fingerprint() ^ mix(u64::from(state.position().clock()) << 32 ^ history));
        let key = (mark, state.status(), state.over().is_some());
        match self.index.get(&key) {
            Some(&known) => {
                let sum = &mut self.list[known].1;
                *sum = sum.checked_add(ways).ok_or_else(too_many)?;
            }
            None => {
                self.index.insert(key, self.list.len());
                self.list.push((state, ways));
            }
        }
        Ok(())
    }
}
