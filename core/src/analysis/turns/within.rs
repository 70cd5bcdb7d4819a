//! Walks one turn to its end, event by event: rolls, moves, choices and passes. The counts of complete turns, of one roll
//! or across turns, are built on this walk.

use crate::analysis::memory_limit::{self, MemoryLimit, Share};
use crate::analysis::odds::{self, Halt, MOST_ROLLS};
use crate::dice::mix;
use crate::play::state::{State, Status};
use crate::rules::error::RuleError;
use rustc_hash::FxHashMap;

/// A turn with more events than this is considered endless.
const LONGEST_TURN: usize = 2_000;

/// The maximum number of states kept that the same number of events has led to; fewer if they are large: see
/// [`MemoryLimit`].
pub const MOST_STATES: usize = 1 << 18;

/// Bytes of the index per state.
const OF_INDEX: usize = 64;

/// A state that a turn has led to, and the ways to it.
pub(super) struct End {
    pub(crate) state: State,
    /// The number of ways.
    pub(crate) ways: u128,
    /// The maximum number of dice that one of the ways uses.
    pub(crate) dice: u32,
}

pub(super) fn too_many() -> RuleError {
    RuleError::new("there are too many sequences to count")
}

/// Visits the states that the current turn can lead to, perhaps several times; none if the game is already over.
pub(super) fn walk(
    state: &State,
    memory_limit: &MemoryLimit,
    stop: &dyn Fn() -> bool,
    at_end: &mut dyn FnMut(End) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let mut open = Layer::new(memory_limit);
    if state.over().is_none() {
        open.add(state.clone(), 1, 0)?;
    }
    for _ in 0..LONGEST_TURN {
        if open.list.is_empty() {
            return Ok(());
        }
        let mut further = Layer::new(memory_limit);
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
    Err(RuleError::new("a turn can go on forever, so its sequences cannot be counted").into())
}

/// Visits every state after one event, with the number of dice that pay for it.
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

/// States after the same number of events; equivalent ones are merged.
pub(super) struct Layer<'a> {
    list: Vec<End>,
    index: FxHashMap<(u64, Status, bool), usize>,
    share: Share<'a>,
}

impl<'a> Layer<'a> {
    pub(crate) fn new(memory_limit: &'a MemoryLimit) -> Layer<'a> {
        Layer { list: Vec::new(), index: FxHashMap::default(), share: memory_limit.share() }
    }

    /// Calls `work` for each state in order, and drops it.
    pub(crate) fn drain(self, mut work: impl FnMut(End, &MemoryLimit) -> Result<(), Halt>) -> Result<(), Halt> {
        let Layer { list, index, share } = self;
        drop(index);
        list.into_iter().try_for_each(|end| work(end, share.memory_limit()))
    }

    pub(crate) fn add(&mut self, state: State, ways: u128, dice: u32) -> Result<(), Halt> {
        // The hash of a position leaves these out: the clock, and the length of the history.
        let history = state.positions() as u64;
        let mark = mix(state.fingerprint() ^ mix(u64::from(state.position().clock()) << 32 ^ history));
        let key = (mark, state.status(), state.over().is_some());
        match self.index.get(&key) {
            Some(&known) => {
                let known = &mut self.list[known];
                known.ways = known.ways.checked_add(ways).ok_or_else(too_many)?;
                known.dice = known.dice.max(dice);
                Ok(())
            }
            None if self.list.len() == MOST_STATES => Err(RuleError::new(format!(
                "a turn can lead to more than {MOST_STATES} states, so its sequences cannot be counted \
                 (see limit 32 in docs/limits.md)"
            ))
            .into()),
            None if !self.share.take(state.bytes() + OF_INDEX) => Err(memory_limit::full().into()),
            None => {
                self.index.insert(key, self.list.len());
                self.list.push(End { state, ways, dice });
                Ok(())
            }
        }
    }
}
