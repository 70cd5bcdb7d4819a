//! Whole random games of every variant that comes with the program: no error, a record that reads
//! back, taking back, positions as texts, chances, colours exchanged where the script says so.

use crate::common::{DICE_VARIANTS, load};
use astragal::gametest::property::Subject;
use astragal::gametest::{random, shrink};
use astragal_core::{Game, Status};
use astragal_dsl::{Loaded, library};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Plays a game by chance and checks all that must hold; trees are compared elsewhere.
pub fn check(loaded: &Rc<Loaded>, seed: u64) -> Game {
    let subject = Subject { loaded: Rc::clone(loaded), plain: None };
    let start = shrink::fresh(&subject).unwrap_or_else(|broken| panic!("{}: {broken}", loaded.name));
    random::examine(&subject, start, seed)
        .unwrap_or_else(|failing| panic!("{}, seed {seed}: {}", loaded.name, failing.broken))
}

pub fn ends(games: &[Game]) -> Vec<&str> {
    let mut ends: Vec<&str> =
        games.iter().map(|game| game.state().over().map_or("unfinished", |over| over.reason.as_str())).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

#[test]
fn thirty_games_of_each() {
    let names = library::names();
    assert!(names.len() >= 7, "{names:?}");
    for name in names {
        let loaded = Rc::new(load(name));
        let games: Vec<Game> = (0..30).map(|seed| check(&loaded, seed)).collect();
        println!("{name}: {:?}", ends(&games));
        assert!(games.iter().any(|game| game.status() == Status::Over), "no game of {name} ended");
    }
}

#[test]
#[ignore = "minutes"]
fn ten_thousand_games_of_the_five() {
    DICE_VARIANTS.into_iter().for_each(|name| many_games(name, 10_000));
}

#[test]
#[ignore = "minutes"]
fn ten_thousand_games_of_the_others() {
    let others = library::names().into_iter().filter(|name| !DICE_VARIANTS.contains(name));
    others.for_each(|name| many_games(name, 10_000));
}

/// Plays on all processors and prints how far it is.
fn many_games(name: &str, games: usize) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, over, events) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let begun = Instant::now();
    // Rules belong to one thread, so each loads its own.
    let work = || {
        let loaded = Rc::new(load(name));
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= games {
                return;
            }
            let game = check(&loaded, seed as u64);
            over.fetch_add(usize::from(game.status() == Status::Over), Ordering::Relaxed);
            events.fetch_add(game.entries().len(), Ordering::Relaxed);
            if (seed + 1).is_multiple_of(games / 10) {
                println!("{name}: {} games, {:.0} s", seed + 1, begun.elapsed().as_secs_f64());
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let (over, events, seconds) = (over.into_inner(), events.into_inner(), begun.elapsed().as_secs_f64());
    println!("{name}: {over} of {games} games ended, {events} events, {seconds:.0} s");
    assert!(over > 0, "no game of {name} ended");
}
