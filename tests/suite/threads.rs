//! One loaded variant on several threads: what one has grown serves all, and games can move from one to another.

use crate::common::{DICE_VARIANTS, Random, apply, load, random_event};
use astragal_core::{Ruleset, State};
use astragal_dsl::Loaded;
use astragal_service::gametest::property::difference;
use std::sync::Arc;
use std::thread;

/// Plays some random games: the hashes of all positions in them.
fn hashes(set: &Arc<Ruleset>, start: &astragal_core::Position, seeds: std::ops::Range<u64>) -> Vec<u64> {
    let mut hashes = Vec::new();
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut state = State::new(Arc::clone(set), start.clone()).expect("a game");
        while let Some(event) = random_event(&state, &mut random).filter(|_| state.turn() < 120) {
            apply(&mut state, &event);
            hashes.push(state.position().hash());
        }
    }
    hashes
}

/// The same on a thread of its own.
fn elsewhere(loaded: &Loaded, seeds: std::ops::Range<u64>) -> thread::JoinHandle<Vec<u64>> {
    let (set, start) = (Arc::clone(&loaded.set), loaded.start.clone());
    thread::spawn(move || hashes(&set, &start, seeds))
}

#[test]
fn what_one_thread_has_grown_serves_the_next() {
    for name in DICE_VARIANTS {
        let loaded = load(name);
        let here = hashes(&loaded.set, &loaded.start, 0..12);
        let runs = loaded.set.rules.runs();
        assert!(runs > 0, "{name}");
        assert_eq!(elsewhere(&loaded, 0..12).join().expect("a thread"), here, "{name}");
        assert_eq!(loaded.set.rules.runs(), runs, "{name}: nothing is run that has been run before");
    }
}

#[test]
fn threads_that_grow_the_same_trees_at_once_run_everything_once() {
    for name in DICE_VARIANTS {
        let alone = load(name);
        let expected = hashes(&alone.set, &alone.start, 0..12);
        let loaded = load(name);
        let workers: Vec<_> = (0..4).map(|_| elsewhere(&loaded, 0..12)).collect();
        for worker in workers {
            assert_eq!(worker.join().expect("a thread"), expected, "{name}");
        }
        assert_eq!(loaded.set.rules.runs(), alone.set.rules.runs(), "{name}");
        let nodes = |loaded: &Loaded| -> usize { loaded.set.rules.report().iter().map(|tree| tree.nodes).sum() };
        assert_eq!(nodes(&loaded), nodes(&alone), "{name}");
    }
}

#[test]
fn a_game_goes_from_thread_to_thread() {
    for name in DICE_VARIANTS {
        let (loaded, other) = (load(name), load(name));
        let mut state = State::new(Arc::clone(&loaded.set), loaded.start.clone()).expect("a game");
        let mut still = State::new(Arc::clone(&other.set), other.start.clone()).expect("a game");
        let mut random = Random::new(29);
        for number in 0..150 {
            let Some(event) = random_event(&still, &mut random) else { break };
            apply(&mut still, &event);
            // Each thread knows nothing but what it fetches.
            let moved = thread::spawn(move || {
                apply(&mut state, &event);
                state
            });
            state = moved.join().expect("a thread");
            assert_eq!(difference(&state, &still), None, "{name}, event {number}");
            assert_eq!(state.fingerprint(), still.fingerprint(), "{name}, event {number}");
        }
    }
}
