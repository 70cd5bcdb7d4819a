//! Worlds against the rules of chance, reckoned by hand, and against what sides are shown.

use super::*;
use crate::events::legal_events;
use astragal_core::Status;
use astragal_dsl::{Loaded, load_named, view};

fn loaded(name: &str) -> Loaded {
    load_named(name, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn begin(loaded: &Loaded) -> Game {
    Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1).expect("a game")
}

/// Whatever it waits for happens by chance.
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

fn worlds_of(loaded: &Loaded, before: Option<Worlds>, side: Side, game: &Game) -> Worlds {
    Worlds::of(before, (side, 7), game, &loaded.start).expect("rules that do not fail")
}

fn play(game: &mut Game, text: &str) {
    let named = |paid: &&astragal_core::MoveWithDice| astragal_dsl::game_text::move_name(game.state(), paid.mv) == text;
    let paid = *game.state().moves().iter().find(named).unwrap_or_else(|| panic!("{text} is permitted"));
    game.play(paid).expect("a move");
}

/// In random games of every gallery game with secrets the worlds look to the side as the game does, at each decision; those
/// that a computer has kept are those that it would find anew.
#[test]
fn worlds_look_like_the_game() {
    for (name, most) in [("ghosts", 60), ("secret-dice", 70), ("bidding-chess", 24), ("barrage-stratego", 120)] {
        let loaded = loaded(name);
        for seed in 0..3 {
            let (mut game, mut random) = (begin(&loaded), Stream::new(seed, 0));
            let mut kept: [Option<Worlds>; 2] = [None, None];
            let mut lost = 0;
            for _ in 0..most {
                if game.status() == Status::Over {
                    break;
                }
                let side = game.state().chooser();
                if matches!(game.status(), Status::Move | Status::Choice) {
                    let worlds = worlds_of(&loaded, kept[side.index()].take(), side, &game);
                    let shown = |game: &Game| view::position(&loaded, game, Some(side));
                    lost += usize::from(worlds.worlds.is_empty());
                    for world in worlds.draw(16) {
                        assert_eq!(world.moves(), game.state().moves(), "{name}");
                        assert_eq!(world.choices(), game.state().choices(), "{name}");
                        assert_eq!(
                            world.information_key(side),
                            game.state().information_key(side),
                            "{name}: {}",
                            shown(&game)
                        );
                        let seen = |state: &State| state.position().seen_by(&loaded.set.variant, side);
                        assert_eq!(seen(world), seen(game.state()), "{name}");
                    }
                    if game.entries().len() % 16 == 0 {
                        let marks = |worlds: &Worlds| {
                            worlds.worlds.iter().map(|world| world.state.fingerprint()).collect::<Vec<_>>()
                        };
                        assert_eq!(marks(&worlds), marks(&worlds_of(&loaded, None, side, &game)), "{name}");
                    }
                    kept[side.index()] = Some(worlds);
                }
                go_on(&mut game, &mut random);
            }
            assert_eq!(lost, 0, "{name}: worlds are found");
        }
    }
}

/// Ghosts: four of the enemy's eight are evil, each of the 70 ways alike. When a good one has been taken, each of the others is
/// evil with 4 chances in 7, and none that was taken matters any more.
#[test]
fn what_is_seen_changes_the_chances() {
    let loaded = loaded("ghosts");
    let variant = &loaded.set.variant;
    let mut game = begin(&loaded);
    // Both make the four ghosts evil that are listed first: b1 to e1, and Black's in the same order.
    while game.status() == Status::Choice {
        game.choose(0).expect("a choice");
    }
    let evil = |worlds: &Worlds, square: &str| {
        let square = variant.board().parse(square).expect("a square");
        let evil = worlds.worlds.iter().filter(|world| world.state.position().trait_at(variant, 0, square) == 1);
        evil.count() as f64 / worlds.worlds.len() as f64
    };
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 0.12, "{found}, and not {expected}");
    let worlds = worlds_of(&loaded, None, Side(0), &game);
    for square in ["b5", "c5", "d5", "e5", "b6", "c6", "d6", "e6"] {
        near(evil(&worlds, square), 0.5);
    }
    let counts = worlds.worlds.iter().map(|world| world.state.position().trait_counts(variant, 0, Side(1)));
    assert!(counts.into_iter().all(|counts| counts == [(0, 4), (1, 4)]));
    // b2 goes up and takes on b5: what it was is shown.
    for text in ["b2b3", "e5e4", "b3b4", "e4e3"] {
        play(&mut game, text);
    }
    let taken = variant.board().parse("b5").expect("a square");
    let was_evil = game.state().position().trait_at(variant, 0, taken) == 1;
    play(&mut game, "b4b5");
    play(&mut game, "e6e5");
    let worlds = worlds_of(&loaded, None, Side(0), &game);
    let expected = if was_evil { 3.0 / 7.0 } else { 4.0 / 7.0 };
    for square in ["c5", "d5", "e5", "b6", "c6", "d6", "e3"] {
        near(evil(&worlds, square), expected);
    }
}

/// Where no record is to be had of what a position hides, worlds are filled as random games have it.
#[test]
fn positions_without_a_past_are_filled() {
    let loaded = loaded("ghosts");
    let variant = &loaded.set.variant;
    let text = "6/2g3/1g4/3G2/2G3/6 w - - 0 20 good=1/1 evil=1/1 nature=c2:1,b4:1 prepare=0";
    let position = astragal_dsl::notation::fen::parse(variant, text).unwrap_or_else(|error| panic!("{error}")).position;
    let game = Game::new(Arc::clone(&loaded.set), position, 1).expect("a game");
    let worlds = worlds_of(&loaded, None, Side(0), &game);
    let evil = worlds.worlds.iter().filter(|world| {
        let square = variant.board().parse("b4").expect("a square");
        world.state.position().trait_at(variant, 0, square) == 1
    });
    let (evil, all) = (evil.count(), worlds.worlds.len());
    assert!(all > 100 && evil > all / 3 && evil < all * 2 / 3, "one of two is evil: {evil} of {all}");
}
