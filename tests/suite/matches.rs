//! How strong the computer is: against the random player and the greedy one, in each of the five variants.
//!
//! The quick version plays few games at a low level and demands little; the full one, ignored because it takes long,
//! demands the strength that the computer is meant to have.

use crate::common::{DICE_VARIANTS, load};
use astragal_computer::{Evaluation, MatchScore, PlayerError, Seat, play_game};
use astragal_core::Game;
use astragal_lab::Interval;
use astragal_lab::opponent::Opponent;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A longer game has no result.
const LONGEST: usize = 2000;

/// The level that is measured: ten matches take some minutes in a release build.
const LEVEL: u8 = 4;

fn play(name: &str, players: [Opponent; 2], games: u64) -> MatchScore {
    let (next, sum) = (AtomicU64::new(0), Mutex::new(MatchScore::default()));
    let loaded = load(name);
    let evaluation = Arc::new(Evaluation::learn(loaded.set.clone(), &loaded.start).expect("rules"));
    let work = || {
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                return;
            }
            let sit_down = |seat: Seat| {
                let evaluation = || Ok::<_, PlayerError>(Arc::clone(&evaluation));
                players[seat.player].sit_down(evaluation, game * 4 + u64::from(seat.side.0), None)
            };
            let begin = |seed| {
                let begun = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed);
                begun.map_err(PlayerError::from)
            };
            let result = play_game(begin, (game, 2026), LONGEST, sit_down).expect("a game");
            sum.lock().expect("no panic").count(&result);
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work).expect("a thread");
        }
    });
    let sum = sum.into_inner().expect("no panic");
    let (wins, all) = (sum.wins, sum.games());
    println!(
        "{name}: {} against {}: {wins} of {all} won, {}, {sum:?}",
        players[0],
        players[1],
        Interval::wilson(wins, all)
    );
    sum
}

/// Even odds would give 10 of 10 once in a thousand times; the 9 required here, once in ninety.
#[test]
fn chance_loses_to_a_low_level() {
    for name in DICE_VARIANTS {
        let result = play(name, [Opponent::Computer(2), Opponent::Random], 10);
        assert_eq!(result.games(), 10);
        assert!(result.wins >= 8, "{name}: {result:?}");
    }
}

#[test]
#[ignore = "minutes in a release build"]
fn chance_loses_ninety_five_of_a_hundred() {
    for name in DICE_VARIANTS {
        let result = play(name, [Opponent::Computer(LEVEL), Opponent::Random], 100);
        assert!(result.wins >= 95, "{name}: {result:?}");
    }
}

#[test]
#[ignore = "minutes in a release build"]
fn greed_loses_seventy_five_of_a_hundred() {
    for name in DICE_VARIANTS {
        let result = play(name, [Opponent::Computer(LEVEL), Opponent::Greedy], 100);
        assert!(result.wins >= 75, "{name}: {result:?}");
    }
}

/// The same seeds give the same games.
#[test]
fn matches_can_be_had_again() {
    let first = play("dice-chess", [Opponent::Greedy, Opponent::Random], 8);
    let again = play("dice-chess", [Opponent::Greedy, Opponent::Random], 8);
    let key = |score: &MatchScore| (score.wins, score.draws, score.losses, score.cut, score.events);
    assert_eq!(key(&first), key(&again));
}
