//! Random games from scripts, for benchmarks and profilers.

use astragal_core::{Position, Reply, Ruleset, State, Status, Stream};
use std::sync::Arc;

/// The maximum number of plies of a game; a longer one stops.
pub const PLY_CAP: u32 = 500;

/// An odd number with well-distributed bits: digests multiply by it.
pub const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The totals of some random games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// The number of games.
    pub games: u64,
    /// The number of moves made in them.
    pub plies: u64,
    /// A digest of every position and every choice, to compare two runs.
    pub digest: u64,
}

/// Plays random games: rolls follow the dice, and all moves or choices are equally likely.
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
        let (mut plies, mut digest, mut begun) = (0, played.digest, false);
        let reply = |state: &State| {
            if std::mem::replace(&mut begun, true) {
                digest = (digest ^ state.position().hash()).wrapping_mul(SPREAD);
            }
            (plies < u64::from(PLY_CAP)).then(|| random(state, &mut draw, &mut plies))
        };
        state.play_on(reply).expect("the rules go on");
        if begun && state.status() == Status::Over {
            digest = (digest ^ state.position().hash()).wrapping_mul(SPREAD);
        }
        (played.plies, played.digest) = (before + plies, digest);
        played.games += 1;
    }
    played
}

/// A random reply to the event that a game waits for.
fn random(state: &State, draw: &mut Stream, plies: &mut u64) -> Reply {
    match state.status() {
        Status::Chance => loop {
            let index = state.dice().expect("the game waits for a roll").roll(draw);
            if state.can_roll(index) {
                break Reply::Roll(index);
            }
        },
        Status::Choice => Reply::Choice(draw.below(state.choices().len() as u64) as usize),
        Status::Move | Status::Over => {
            let moves = state.moves();
            let index = draw.below((moves.len() + state.choices().len()) as u64) as usize;
            let Some(choice) = index.checked_sub(moves.len()) else {
                *plies += 1;
                return Reply::Move(moves[index]);
            };
            Reply::Choice(choice)
        }
    }
}

/// A state of a random game in which a player has to decide, after `moves` moves; `None` if the game ends before.
///
/// # Panics
/// If a rule fails.
pub fn random_state(set: &Arc<Ruleset>, start: &Position, seed: u64, moves: u64) -> Option<State> {
    let mut draw = Stream::new(seed, 2);
    let mut state = State::new(Arc::clone(set), start.clone()).expect("the rules begin a game");
    let mut plies = 0;
    let decides = |state: &State| matches!(state.status(), Status::Move | Status::Choice);
    let reply = |state: &State| (plies < moves || !decides(state)).then(|| random(state, &mut draw, &mut plies));
    state.play_on(reply).expect("the rules go on");
    (state.status() != Status::Over).then_some(state)
}
