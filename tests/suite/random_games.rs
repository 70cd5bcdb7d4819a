//! Whole random games of every variant that comes with the program: no error, a record that reads
//! back, taking back, positions as texts, chances, colors exchanged where the script says so.

use crate::common::{DICE_VARIANTS, Random, load, random_event};
use astragal_core::{Game, Status};
use astragal_dsl::{Loaded, game_text, library};
use astragal_service::gametest::property::Subject;
use astragal_service::gametest::{random, shrink};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Plays a game at random and checks everything that must hold; trees are compared elsewhere.
pub fn check(loaded: &Arc<Loaded>, seed: u64) -> Game {
    let subject = Subject { loaded: Arc::clone(loaded), plain: None };
    let start = shrink::fresh(&subject).unwrap_or_else(|broken| panic!("{}: {broken}", loaded.name));
    random::examine(&subject, start, seed, 4000, &|_| true)
        .unwrap_or_else(|failing| panic!("{}, seed {seed}: {}", loaded.name, failing.violation))
        .expect("a game that nobody stops")
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
        let loaded = Arc::new(load(name));
        let games: Vec<Game> = (0..30).map(|seed| check(&loaded, seed)).collect();
        println!("{name}: {:?}", ends(&games));
        assert!(games.iter().any(|game| game.status() == Status::Over), "no game of {name} ended");
    }
}

/// Whoever has to choose is told in words what is asked; choices of dice to keep explain themselves.
#[test]
fn every_choice_has_its_question() {
    let mut asked = 0;
    for name in library::names() {
        let loaded = Arc::new(load(name));
        for seed in 0..3 {
            let mut random = Random::new(seed);
            let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).expect("a game");
            for _ in 0..300 {
                if game.status() == Status::Choice && !game.state().keeps_dice() {
                    asked += 1;
                    let question = game.state().question();
                    let choices = game_text::choices(game.state()).join(", ");
                    assert!(question.is_some(), "{name}, seed {seed}: nothing says what {choices} are the answers to");
                }
                let Some(event) = random_event(game.state(), &mut random) else { break };
                game.apply(&event).unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
            }
        }
    }
    assert!(asked > 500, "{asked} choices");
}

#[test]
#[ignore = "minutes"]
fn ten_thousand_games_of_the_five() {
    DICE_VARIANTS.into_iter().for_each(|name| many_games(name, 10_000));
}

#[test]
#[ignore = "minutes"]
fn thousand_games_of_the_others() {
    let others = library::names().into_iter().filter(|name| !DICE_VARIANTS.contains(name));
    others.for_each(|name| many_games(name, 1_000));
}

/// The figures of many games.
#[derive(Default)]
struct Figures {
    games: usize,
    events: usize,
    longest: usize,
    ends: BTreeMap<String, usize>,
}

impl Figures {
    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.events += game.entries().len();
        self.longest = self.longest.max(game.entries().len());
        let end = game.state().over().map_or("unfinished".into(), |over| over.reason.clone());
        *self.ends.entry(end).or_default() += 1;
    }
}

/// Plays on all processors, each game's record read back to the same end, and prints one line of figures.
fn many_games(name: &str, games: usize) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, figures) = (AtomicUsize::new(0), Mutex::new(Figures::default()));
    let begun = Instant::now();
    // Rules belong to one thread, so each loads its own.
    let work = || {
        let loaded = Arc::new(load(name));
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= games {
                return;
            }
            let game = check(&loaded, seed as u64);
            figures.lock().expect("no other thread has failed").add(&game);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let all = figures.into_inner().expect("no thread has failed");
    let ends: Vec<String> = all.ends.iter().map(|(end, count)| format!("{end} {count}")).collect();
    let (seconds, mean) = (begun.elapsed().as_secs_f64(), all.events / all.games.max(1));
    println!("{name}: {games} games, {mean} events each, {} at most; {}; {seconds:.0} s", all.longest, ends.join(", "));
    assert_eq!(all.games, games);
    assert!(all.ends.keys().any(|end| end != "unfinished"), "no game of {name} ended");
}
