//! Whole random games of every variant that comes with the program: no error, a record that reads
//! back, taking back, positions as texts.

use crate::common::{DICE_VARIANTS, Random, game, load, random_event};
use astragal_core::{Event, Game, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, library, record, words};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A game that has not ended by then is given up.
const LONGEST: usize = 2000;

/// As far as games are taken back to the start, which replays them each time.
const TAKEN_BACK: usize = 40;

/// A position's text says everything: it reads back as the same position, with the same hash.
fn check_position(loaded: &Loaded, game: &Game) {
    let variant = &loaded.set.variant;
    let text = words::position(loaded, game.state());
    let placed = fen::parse(variant, &text).unwrap_or_else(|error| panic!("{} {text}: {error}", loaded.name));
    let mut position = game.state().position().clone();
    if game.status() == Status::Over {
        // Double steps of a turn that the end has cut short are not written: nobody can answer them.
        let own = |square| game.state().position().at(square).side() == game.state().position().side();
        position.retain_en_passant(variant, |right| !own(right.victim));
    }
    assert_eq!(placed.position.hash(), position.hash(), "{} {text}", loaded.name);
    assert_eq!(placed.position, position, "{} {text}", loaded.name);
    let unused = game.state().unused().filter(|dice| !dice.is_empty() && game.status() != Status::Over);
    let read = placed.dice.map(|dice| words::read_dice(&loaded.faces, &dice).expect("dice"));
    assert_eq!(read, unused, "{} {text}", loaded.name);
}

/// Plays a game by chance, checking every position.
fn play(loaded: &Loaded, seed: u64) -> Game {
    let mut game = game(loaded, seed);
    let mut random = Random::new(seed);
    check_position(loaded, &game);
    let mut plies = 0;
    while plies < LONGEST {
        let Some(event) = random_event(game.state(), &mut random) else { break };
        plies += usize::from(!matches!(event, Event::Roll(_)));
        let done = match event {
            // Dice come from the game's own seed.
            Event::Roll(_) => game.roll().map(|_| ()),
            event => game.apply(&event),
        };
        done.unwrap_or_else(|error| panic!("{} seed {seed}: {error}", loaded.name));
        check_position(loaded, &game);
    }
    game
}

fn check_record(loaded: &Loaded, game: &Game) {
    let text = record::write(loaded, game, &[]);
    // The rules at hand: loading them anew for each record would only take time.
    let (_, read) = record::read(&text, |_, _| Ok(loaded.clone())).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let events = |game: &Game| game.entries().iter().map(|entry| entry.event.clone()).collect::<Vec<_>>();
    assert_eq!(read.state().position(), game.state().position(), "{text}");
    assert_eq!(read.state().over(), game.state().over(), "{text}");
    assert_eq!(read.start(), game.start(), "{text}");
    // Where the turn ends anyway, the record does not say which of two dice paid.
    assert_eq!(events(&read).len(), events(game).len(), "{text}");
    assert_eq!(record::write(loaded, &read, &[]), text);
}

/// Takes back the first events one by one, down to the start.
fn check_undo(loaded: &Loaded, played: &Game) {
    let mut game = game(loaded, played.seed());
    let mut before = vec![game.clone()];
    for entry in played.entries().iter().take(TAKEN_BACK) {
        game.apply(&entry.event).unwrap_or_else(|error| panic!("{} {:?}: {error}", loaded.name, entry.event));
        before.push(game.clone());
    }
    while let Some(expected) = before.pop() {
        assert_eq!(game.state().position(), expected.state().position());
        assert_eq!(game.entries(), expected.entries());
        assert_eq!((game.status(), game.state().moves()), (expected.status(), expected.state().moves()));
        let text = words::position(loaded, game.state());
        let undone = game.undo().unwrap_or_else(|error| panic!("{} {text}: {error}", loaded.name));
        assert_eq!(undone, !before.is_empty(), "{} {text}", loaded.name);
    }
    assert_eq!(game.state().position(), &loaded.start);
}

pub fn check(loaded: &Loaded, seed: u64) -> Game {
    let game = play(loaded, seed);
    check_record(loaded, &game);
    check_undo(loaded, &game);
    game
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
        let loaded = load(name);
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
        let loaded = load(name);
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
