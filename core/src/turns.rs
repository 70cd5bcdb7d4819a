//! All complete turns from a state: every sequence of moves and choices until the turn ends.
//!
//! Sequences that reach the same state are walked once.

mod paths;
mod rolls;

pub use paths::paths_until;
pub use rolls::{every_roll, winning_chance};

use crate::army::Piece;
use crate::odds::Halt;
use crate::plan::Paid;
use crate::rule::RuleError;
use crate::square::MAX_SQUARES;
use crate::state::{State, Status};
use std::collections::{HashMap, HashSet};

/// What the complete turns amount to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turns {
    /// The number of ordered sequences; 1 for a lost turn would be wrong: it is 0.
    pub count: u64,
    /// The most dice that a sequence uses.
    pub max_dice: u32,
    /// The number of different placements reached.
    pub placements: usize,
    /// The number of sequences that end the game in the mover's favour.
    pub winning: u64,
}

/// Counts the complete turns from `state`, which must wait for a decision of the side to move.
/// A roll within the turn (a contest, say) ends a sequence as far as it is counted here.
///
/// # Errors
/// If a rule fails.
pub fn count(state: &State) -> Result<Turns, RuleError> {
    count_until(state, &|| false).map(Option::unwrap_or_default)
}

/// As [`count`]; `None` if `stop`, which is asked again and again, says so before all are counted.
///
/// # Errors
/// As [`count`].
pub fn count_until(state: &State, stop: &dyn Fn() -> bool) -> Result<Option<Turns>, RuleError> {
    let mut walk = Walk { turn: state.turn(), memo: HashMap::new(), placements: HashSet::new(), stop };
    if !matches!(state.status(), Status::Move | Status::Choice) {
        return Ok(Some(Turns::default()));
    }
    let sums = Halt::or_stopped(walk.visit(state))?;
    let placements = walk.placements.len();
    Ok(sums.map(|sums| Turns { count: sums.count, max_dice: sums.dice, placements, winning: sums.winning }))
}

/// Lists the sequences of moves of all complete turns from `state`, at most `limit` of them.
///
/// # Errors
/// If a rule fails.
pub fn list(state: &State, limit: usize) -> Result<Vec<Vec<Paid>>, RuleError> {
    let mut found = Vec::new();
    let mut path = Vec::new();
    extend(state, state.turn(), limit, &mut path, &mut found)?;
    Ok(found)
}

fn extend(
    state: &State,
    turn: u32,
    limit: usize,
    path: &mut Vec<Paid>,
    found: &mut Vec<Vec<Paid>>,
) -> Result<(), RuleError> {
    if found.len() >= limit {
        return Ok(());
    }
    if state.status() != Status::Move || state.turn() != turn {
        if !path.is_empty() {
            found.push(path.clone());
        }
        return Ok(());
    }
    for &paid in state.moves() {
        let mut next = state.clone();
        next.play(paid)?;
        path.push(paid);
        extend(&next, turn, limit, path, found)?;
        path.pop();
    }
    Ok(())
}

#[derive(Clone, Copy, Default)]
struct Sums {
    count: u64,
    dice: u32,
    winning: u64,
}

struct Walk<'a> {
    turn: u32,
    memo: HashMap<u64, Sums>,
    placements: HashSet<[Piece; MAX_SQUARES]>,
    stop: &'a dyn Fn() -> bool,
}

impl Walk<'_> {
    fn visit(&mut self, state: &State) -> Result<Sums, Halt> {
        if (self.stop)() {
            return Err(Halt::Stopped);
        }
        if state.turn() != self.turn || !matches!(state.status(), Status::Move | Status::Choice) {
            self.placements.insert(state.position().board);
            let winning = state.over().is_some_and(|over| over.winner == Some(state.mover()));
            return Ok(Sums { count: 1, dice: 0, winning: u64::from(winning) });
        }
        let key = state.fingerprint();
        if let Some(&sums) = self.memo.get(&key) {
            return Ok(sums);
        }
        let mut sums = Sums::default();
        for &paid in state.moves() {
            let mut next = state.clone();
            next.play(paid)?;
            let further = self.visit(&next)?;
            sums.dice = sums.dice.max(paid.dice.count_ones() + further.dice);
            sums.count += further.count;
            sums.winning += further.winning;
        }
        for index in 0..state.choices().len() {
            let mut next = state.clone();
            next.choose(index)?;
            let further = self.visit(&next)?;
            sums.dice = sums.dice.max(further.dice);
            sums.count += further.count;
            sums.winning += further.winning;
        }
        if state.can_pass() {
            let mut next = state.clone();
            next.pass()?;
            let further = self.visit(&next)?;
            sums.count += further.count;
        }
        self.memo.insert(key, sums);
        Ok(sums)
    }
}
