//! Counts sequences of complete turns under the rules: every outcome of the dice and every decision, turn after turn.
//!
//! Owns the counting across turns. Within a turn, sequences with the same result are walked once. Across turns they are
//! walked separately, since repetitions and clocks may distinguish them.

use super::within::{End, Layer, too_many, walk};
use crate::analysis::memory_limit::MemoryLimit;
use crate::analysis::odds::Halt;
use crate::play::state::State;
use crate::rules::error::RuleError;

/// The number of ways to play exactly `turns` complete turns from `state`: every outcome of every roll, ordered (1,2 and
/// 2,1 are two), with every move, choice and pass that the rules then offer. A turn without any decision or roll is one
/// way. A game that ends in the last of the turns counts, one that has ended before does not.
///
/// `None` if `stop`, which is called repeatedly, returns true before all are counted.
///
/// # Errors
/// If a rule fails, a turn can go on without end, a turn is too large to examine, or the number has more than 128 bits.
pub fn paths_until(state: &State, turns: u32, stop: &dyn Fn() -> bool) -> Result<Option<u128>, RuleError> {
    Halt::or_stopped(count(state, turns, &MemoryLimit::default(), stop))
}

fn count(state: &State, turns: u32, memory_limit: &MemoryLimit, stop: &dyn Fn() -> bool) -> Result<u128, Halt> {
    if turns == 0 {
        return Ok(1);
    }
    let (mut sum, mut ends) = (0_u128, Layer::new(memory_limit));
    let mut add = |ways: u128, after: u128| -> Result<(), Halt> {
        sum = ways.checked_mul(after).and_then(|more| sum.checked_add(more)).ok_or_else(too_many)?;
        Ok(())
    };
    walk(state, memory_limit, stop, &mut |End { state, ways, dice }| match (turns, state.over().is_some()) {
        (1, _) => add(ways, 1),
        (_, true) => Ok(()),
        (_, false) => ends.add(state, ways, dice),
    })?;
    ends.drain(|end, memory_limit| add(end.ways, count(&end.state, turns - 1, memory_limit, stop)?))?;
    Ok(sum)
}
