//! Estimates the outcomes of a turn that is too large to walk completely, from turns sampled with a fixed seed.

use super::found::{Certainty, DRAWN, DRAWN_ROLLS, Found, Halt, Outcome};
use super::walk::Walk;
use crate::analysis::memory_limit::MemoryLimit;
use crate::analysis::ratio::Ratio;
use crate::dice::Stream;
use crate::play::state::State;
use rustc_hash::FxHashMap;

/// A stream that no game uses.
const SEED: u64 = 0x6f64_6473;

/// How often sampled turns from `start` led to each outcome. If it is stopped, the samples so far count if `partly`.
pub(super) fn drawn(start: &State, walk: &mut Walk<'_>, partly: bool) -> Result<Found, Halt> {
    let mut index = FxHashMap::default();
    let mut found: Vec<(u64, State)> = Vec::new();
    let (mut trials, mut rolls, mut full) = (0, 0, false);
    let memory_limit = MemoryLimit::default();
    let mut share = memory_limit.share();
    while trials < DRAWN && rolls < DRAWN_ROLLS && !full {
        let mut stream = Stream::new(SEED, trials);
        let mut state = start.clone();
        let mut turn = || {
            while walk.waits_for_dice(&state) {
                state = walk.rolled(&state, state.draw(&mut stream))?;
                rolls += 1;
            }
            Ok(())
        };
        match turn() {
            Err(Halt::Stopped) if partly && trials > 0 => break,
            ended => ended?,
        }
        trials += 1;
        walk.learn(0);
        let number = *index.entry(walk.leaf_key(&state, 0)).or_insert(found.len());
        if number == found.len() {
            state.unwatch();
            full = !share.take(state.bytes());
            found.push((0, state));
        }
        found[number].0 += 1;
    }
    let outcome =
        |(hits, state): (u64, State)| Outcome { probability: Ratio::new(hits.into(), trials.max(1).into()), state };
    Ok(Found { outcomes: found.into_iter().map(outcome).collect(), certainty: Certainty::Drawn(trials) })
}
