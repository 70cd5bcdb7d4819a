//! Random games from scripts: what the benchmarks time and what a profiler is pointed at.

use astragal_core::{Position, Ruleset, State, Status, Stream};
use std::sync::Arc;

/// A game that is longer than this is broken off.
pub const PLY_CAP: u32 = 500;

/// Any odd number with bits all over: digests multiply by it.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What some random games amounted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// The number of games.
    pub games: u64,
    /// The number of moves made in them.
    pub plies: u64,
    /// A number that tells whether two runs were the same: every position and every choice counts.
    pub digest: u64,
}

/// Plays random games: every roll, and every move or choice with the same chance.
///
/// # Panics
/// If a rule fails.
pub fn play(set: &Arc<Ruleset>, start: &Position, seeds: std::ops::Range<u64>) -> Played {
    let mut played = Played::default();
    for seed in seeds {
        let mut draw = Stream::new(seed, 0);
        let mut state = State::new(Arc::clone(set), start.clone()).expect("the rules begin a game");
        state.draw_moves(Stream::new(seed, 1));
        let before = played.plies;
        while played.plies - before < u64::from(PLY_CAP) {
            let done = match state.status() {
                Status::Over => break,
                Status::Chance => {
                    let index = loop {
                        let index = state.dice().expect("dice at a chance point").roll(&mut draw);
                        if state.can_roll(index) {
                            break index;
                        }
                    };
                    state.roll(index)
                }
                Status::Move => {
                    played.plies += 1;
                    let moves = state.moves();
                    let paid = moves[draw.below(moves.len() as u64) as usize];
                    state.play(paid)
                }
                Status::Choice => {
                    let index = draw.below(state.choices().len() as u64) as usize;
                    state.choose(index)
                }
            };
            done.expect("the rules go on");
            played.digest = (played.digest ^ state.position().hash()).wrapping_mul(SPREAD);
        }
        played.games += 1;
    }
    played
}
