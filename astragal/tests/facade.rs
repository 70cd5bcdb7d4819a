//! The library as a Rust program uses it.

use astragal::{Error, Game, Opponent, Turn, Variant};

/// Plays a game to its end or for so many events, deciding by the numbers that `pick` gives.
fn play(game: &mut Game, events: usize, mut pick: impl FnMut(usize) -> usize) {
    for _ in 0..events {
        match game.turn() {
            Turn::Chance(chance) => {
                chance.roll().expect("rules that do not fail");
            }
            Turn::Decide(mut decision) => {
                let action = decision.action(pick(decision.count())).expect("there are so many");
                decision.play(action).expect("what is offered can be done");
            }
            Turn::Over(over) => {
                assert!(!over.to_string().is_empty() && !over.reason.is_empty());
                return;
            }
        }
    }
}

#[test]
fn every_variant_is_played_by_one_loop_and_read_from_its_record() {
    for name in Variant::names() {
        let variant = astragal::load(name).unwrap_or_else(|error| panic!("{}", error.report()));
        let mut game = variant.game(5).expect("a game");
        let mut number = 0;
        play(&mut game, 60, |count| {
            number += 7;
            number % count
        });
        let again = Game::from_record(&game.record()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again.position(), game.position(), "{name}");
        let end = game.position();
        let mut back = game.clone();
        assert!(back.undo().expect("no rule fails"), "{name}");
        assert_eq!(game.position(), end, "{name}: a copy goes its own way");
    }
}

#[test]
fn variants_are_shared_and_games_are_sent() {
    fn shared<T: Send + Sync + Clone>() {}
    fn sent<T: Send + Clone>() {}
    shared::<Variant>();
    sent::<Game>();
    let variant = astragal::load("babylonian").expect("it comes with the crate");
    let ends: Vec<String> = (0..2)
        .map(|_| {
            let variant = variant.clone();
            std::thread::spawn(move || {
                let mut game = variant.game(3).expect("a game");
                play(&mut game, 200, |count| count / 2);
                game.record()
            })
        })
        .map(|thread| thread.join().expect("a thread"))
        .collect();
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn mistakes_of_callers_are_errors_and_leave_the_game_as_it_was() {
    let variant = astragal::load("dicechess-3").expect("it comes with the crate");
    let mut game = variant.game(1).expect("a game");
    let before = game.position();
    assert!(matches!(game.say("e2e4"), Err(Error::Word(_) | Error::Game(_))));
    let Turn::Chance(chance) = game.turn() else { panic!("a turn begins with a roll") };
    assert!(matches!(chance.set(&[1, 2]), Err(Error::Game(_))));
    let Turn::Chance(chance) = game.turn() else { panic!("it still does") };
    assert!(matches!(chance.set(&[1, 2, 7]), Err(Error::Game(_))));
    assert_eq!(game.position(), before);
    game.say("roll 1,1,2").expect("faces of these dice");
    let Turn::Decide(mut decision) = game.turn() else { panic!("the roll allows moves") };
    assert!(decision.action(decision.count()).is_none());
    let action = decision.first();
    decision.play(action.clone()).expect("it is offered");
    assert!(matches!(decision.play(decision.first()), Err(Error::Made)));
    assert!(decision.actions().is_empty() && decision.count() == 0);
    let (position, played) = (game.position(), action);
    let Turn::Decide(mut decision) = game.turn() else { panic!("three dice pay for three moves") };
    assert!(!decision.actions().contains(&played), "the piece is no longer there");
    assert!(matches!(decision.play(played), Err(Error::Game(_))));
    assert_eq!(game.position(), position);
    assert!(matches!(variant.game_from("8/8 w", 1), Err(Error::Position(_))));
    assert!(matches!(Variant::load("dice-chess", &[("self_chek", "allowed")]), Err(Error::Script(_))));
    assert!(matches!(Opponent::new("computr", &variant, 1), Err(Error::Opponent(_))));
    assert!(matches!(Game::from_record("[Variant \"nothing\"]"), Err(Error::Record(_))));
    let broken = Variant::from_script("broken", "board(3, 3); piece(\"man\", \"M\", \"K\"); setpu(\"3/3/M2 w\");");
    let report = broken.expect_err("there is no such function").report();
    assert!(report.contains("`setpu`") && report.contains("broken.rhai:1:38"), "{report}");
}
