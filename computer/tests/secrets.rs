//! Computers and secrets: what a side may not know must not influence its decisions.

use astragal_computer::{Computer, Evaluation, Limits, Player, legal_events};
use astragal_core::{Event, Game, Side, Status, Stream};
use astragal_dsl::{Loaded, load_named, view};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn loaded(name: &str) -> Loaded {
    load_named(name, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn learn(loaded: &Loaded) -> Arc<Evaluation> {
    Arc::new(Evaluation::learn(Arc::clone(&loaded.set), &loaded.start).expect("rules that do not fail"))
}

fn begin(loaded: &Loaded) -> Game {
    Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 5).expect("a game")
}

/// A random event happens.
fn go_on(game: &mut Game, random: &mut Stream) {
    match game.status() {
        Status::Chance => drop(game.roll().expect("a roll")),
        _ => {
            let mut events = legal_events(game.state());
            let event = events.swap_remove(random.below(events.len() as u64) as usize);
            game.apply(&event).expect("an event");
        }
    }
}

/// All that the prompt and the server show to a side.
fn shown(loaded: &Loaded, game: &Game, side: Side) -> String {
    format!("{} {:?}", view::position(loaded, game, Some(side)), view::pending(game.state(), Some(side)))
}

/// The same game with other answers where `side` does not see them, if it looks the same to `side` all along. Either all of
/// these answers differ, or only the last.
fn twin(loaded: &Loaded, game: &Game, side: Side, (all, random): (bool, &mut Stream)) -> Option<Game> {
    let hidden = |entry: &astragal_core::HistoryEntry| entry.secret.is_some_and(|knows| knows != side);
    let last = game.entries().iter().rposition(hidden)?;
    let (mut first, mut other) = (begin(loaded), begin(loaded));
    for (number, entry) in game.entries().iter().enumerate() {
        let event = match &entry.event {
            Event::Roll(_) if hidden(entry) && (all || number == last) => {
                let dice = other.state().dice()?;
                Event::Roll(dice.outcome(other.state().draw(random)))
            }
            Event::Choice(_) if hidden(entry) && (all || number == last) => {
                Event::Choice(random.below(other.state().choices().len() as u64) as usize)
            }
            Event::Choice(index) => {
                let wanted = &first.state().choices()[*index];
                Event::Choice(other.state().choices().iter().position(|choice| choice == wanted)?)
            }
            event => event.clone(),
        };
        first.apply(&entry.event).expect("what has happened");
        other.apply(&event).ok()?;
        if shown(loaded, &first, side) != shown(loaded, &other, side) {
            return None;
        }
    }
    Some(other)
}

/// Two games that differ only in what a side may not know lead to the same decision; a player who looks at it decides
/// otherwise in some.
#[test]
fn games_that_look_the_same_are_played_the_same() {
    for (name, level, all, wanted, most) in
        [("ghosts", 2, true, 12, 40), ("secret-dice", 2, false, 12, 60), ("bidding-chess", 1, false, 3, 12)]
    {
        let loaded = loaded(name);
        let evaluation = learn(&loaded);
        let (mut found, mut differing, mut told_apart) = (0, 0, 0);
        for seed in 0..6 {
            let (mut game, mut random) = (begin(&loaded), Stream::new(seed, 1));
            for _ in 0..most {
                if found >= wanted || game.status() == Status::Over {
                    break;
                }
                let state = game.state();
                let side = state.chooser();
                let decides = matches!(game.status(), Status::Move | Status::Choice) && legal_events(state).len() > 1;
                let other = (0..40).find_map(|_| twin(&loaded, &game, side, (all, &mut random)));
                if let Some(other) = other.filter(|_| decides && random.below(3) == 0) {
                    let computer = || Computer::new(Arc::clone(&evaluation), level, 3);
                    let decide = |game: &Game| computer().decide_in(game).expect("a decision");
                    let cheat = |game: &Game| computer().knowing_all().decide_in(game).expect("a decision");
                    assert_eq!(decide(&game), decide(&other), "{name}: {}", view::position(&loaded, &game, None));
                    found += 1;
                    told_apart += usize::from(cheat(&game) != cheat(&other));
                    let truth = |game: &Game| view::position(&loaded, game, None);
                    differing += usize::from(truth(&game) != truth(&other));
                }
                go_on(&mut game, &mut random);
            }
        }
        assert!(found >= wanted, "{name}: {found} pairs");
        let by =
            format!("{name}: {differing} pairs differ in their positions, {told_apart} are told apart by who cheats");
        assert!(name == "bidding-chess" || differing > 0 && told_apart > 0, "{by}");
        println!("{by}");
    }
}

/// A player who has watched the game decides like one who sees it for the first time; only the seed makes a difference.
#[test]
fn a_decision_follows_from_the_seed_and_the_game() {
    let loaded = loaded("ghosts");
    let evaluation = learn(&loaded);
    let (mut game, mut random) = (begin(&loaded), Stream::new(2, 2));
    let mut watching = [0, 1].map(|_| Computer::new(Arc::clone(&evaluation), 2, 4));
    for _ in 0..24 {
        if game.status() == Status::Over {
            break;
        }
        let watched = watching[game.state().chooser().index()].decide_in(&game).expect("a decision");
        let fresh = Computer::new(Arc::clone(&evaluation), 2, 4).decide_in(&game).expect("a decision");
        assert_eq!(watched, fresh);
        go_on(&mut game, &mut random);
    }
    // Taken back and gone on otherwise it is another game.
    game.go_back_to(9).expect("the same again");
    let watched = watching[game.state().chooser().index()].decide_in(&game).expect("a decision");
    assert_eq!(watched, Computer::new(Arc::clone(&evaluation), 2, 4).decide_in(&game).expect("a decision"));
}

/// Time, nodes, and a stop also limit decisions among secrets.
#[test]
fn limits_hold_among_secrets() {
    let loaded = loaded("secret-dice");
    let evaluation = learn(&loaded);
    let mut game = begin(&loaded);
    let mut random = Stream::new(3, 3);
    for _ in 0..30 {
        go_on(&mut game, &mut random);
    }
    while game.status() == Status::Chance || legal_events(game.state()).len() < 2 {
        go_on(&mut game, &mut random);
    }
    let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
    let begun = Instant::now();
    Computer::new(Arc::clone(&evaluation), 8, 1).with_limits(limits).search_in(&game, 1).expect("a result");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let limits = Limits { stop: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    let mut stopped = Computer::new(Arc::clone(&evaluation), 8, 1).with_limits(limits);
    let event = stopped.decide_in(&game).expect("something is done all the same");
    assert!(legal_events(game.state()).contains(&event));
    let limits = Limits { nodes: Some(500), ..Limits::default() };
    let found = Computer::new(evaluation, 8, 1).with_limits(limits).search_in(&game, 1).expect("a result");
    assert!(found.nodes < 3_000, "{}", found.nodes);
}
