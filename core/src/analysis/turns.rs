//! All complete turns from a state: every sequence of moves, choices and outcomes of later rolls until the turn ends.
//!
//! Sequences that reach the same state share one walk of the rest of the turn.

mod paths;
mod rolls;
mod within;

pub use paths::paths_until;
pub use rolls::{RollEnds, RollOf, SetEnds, ends_of_rolls, every_roll, winning_chance};
pub use within::MOST_STATES;

use crate::analysis::memory_limit::{self, MemoryLimit};
use crate::analysis::odds::Halt;
use crate::play::state::{State, Status};
use crate::position::Position;
use crate::rules::error::RuleError;
use crate::variant::Variant;
use rustc_hash::FxHashSet;
use within::{End, too_many, walk};

/// Totals of the complete turns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turns {
    /// The number of ordered sequences; a lost turn does not count.
    pub count: u64,
    /// The maximum number of dice that a sequence uses.
    pub max_dice: u32,
    /// The number of different placements reached.
    pub placements: usize,
    /// The number of sequences that end the game with a win for the mover.
    pub winning: u64,
}

/// Bytes per placement in a growing set.
const OF_PLACEMENT: usize = 32;

/// A hash of the placement of pieces: positions of a variant with the same pieces on the same squares share it, others
/// (almost certainly) do not.
fn placement(variant: &Variant, position: &Position) -> u64 {
    let keys = &variant.zobrist;
    position.occupied().into_iter().fold(0, |key, square| key ^ keys.piece(position.at(square), square))
}

/// Counts the complete turns from `state`, which must wait for a decision of the side to move. Each outcome of a roll
/// within the turn (a contest, for example) makes a separate sequence, as [`paths_until`] counts them.
///
/// # Errors
/// If a rule fails, a turn can go on without end, a turn is too large to examine, or the number has more than 64 bits.
pub fn count(state: &State) -> Result<Turns, RuleError> {
    count_until(state, &|| false).map(Option::unwrap_or_default)
}

/// As [`count`]; `None` if `stop`, which is called repeatedly, returns true before all are counted.
///
/// # Errors
/// As [`count`].
pub fn count_until(state: &State, stop: &dyn Fn() -> bool) -> Result<Option<Turns>, RuleError> {
    if !matches!(state.status(), Status::Move | Status::Choice) {
        return Ok(Some(Turns::default()));
    }
    let (mut found, mut placements) = (Turns::default(), FxHashSet::<u64>::default());
    let memory_limit = MemoryLimit::default();
    let mut share = memory_limit.share();
    let walked = walk(state, &memory_limit, stop, &mut |End { state, ways, dice }| {
        if placements.insert(placement(&state.ruleset().variant, state.position())) && !share.take(OF_PLACEMENT) {
            return Err(memory_limit::full().into());
        }
        let ways = u64::try_from(ways).map_err(|_| too_many())?;
        let add = |sum: u64| sum.checked_add(ways).ok_or_else(too_many);
        found.count = add(found.count)?;
        if state.over().is_some_and(|over| over.winner == Some(state.mover())) {
            found.winning = add(found.winning)?;
        }
        found.max_dice = found.max_dice.max(dice);
        Ok(())
    });
    found.placements = placements.len();
    Ok(Halt::or_stopped(walked)?.map(|()| found))
}
