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
    assert!(
        report.starts_with("error[unknown-name]: there is no function called `setpu`\n --> broken.rhai:1:38\n"),
        "{report}"
    );
    assert!(report.ends_with("  = help: did you mean `setup`?\n"), "{report}");
}

#[test]
fn complete_turns_are_those_that_are_counted_and_can_be_said() {
    let cases = [
        ("dicechess-3", "4k3/8/8/8/8/8/3P4/4K3 w", "roll 1,1,2"),
        ("dice-chess", "4k3/8/8/3p4/4P3/8/8/4K3 w", ""),
        ("babylonian", "4k3/8/8/3p4/4P3/8/8/4K3 w", ""),
        ("king-for-2", "4k3/8/8/3r4/4N3/8/8/4K3 w", ""),
    ];
    for (name, position, first) in cases {
        let variant = astragal::load(name).unwrap_or_else(|error| panic!("{}", error.report()));
        let mut game = variant.game_from(position, 1).unwrap_or_else(|error| panic!("{name}: {error}"));
        game.say(first).unwrap_or_else(|error| panic!("{name}: {error}"));
        let turns = game.complete_turns(10_000).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(turns.len() > 1, "{name}");
        assert!(matches!(game.complete_turns(turns.len() - 1), Err(Error::TooLarge(_))), "{name}");
        for turn in &turns {
            let mut again = game.clone();
            again.say(&turn.text).unwrap_or_else(|error| panic!("{name}: {}: {error}", turn.text));
            assert_eq!(
                (again.position(), again.is_over()),
                (turn.position.clone(), turn.ends_game),
                "{name}: {turn:?}"
            );
        }
    }
}

#[test]
fn what_others_may_not_know_changes_nothing_that_they_see() {
    let variant = astragal::load("bidding-chess").expect("it comes with the crate");
    let seen = |bids: &str| {
        let mut game = variant.game(1).expect("a game");
        game.say(bids).expect("bids");
        let black = game.view(1).expect("two sides");
        (black.to_string(), black.drawing(), black.svg(), game.view(0).expect("two sides").to_string())
    };
    let (few, many) = (seen("3"), seen("40"));
    assert_eq!((&few.0, &few.1, &few.2), (&many.0, &many.1, &many.2));
    assert_ne!(few.3, many.3, "the bidder knows what it has bid");
    let game = variant.game(1).expect("a game");
    assert!(game.view(0).expect("two sides").knows_options());
}

#[test]
fn opponents_of_one_variant_share_what_they_know() {
    let variant = astragal::load("dice-chess").expect("it comes with the crate");
    let mut game = variant.game_from("k7/8/8/8/3q4/4P3/8/K7 w", 1).expect("a position");
    game.say("roll 1,1").expect("faces of these dice");
    for name in ["random", "greedy", "greedy", "computer:1"] {
        let mut opponent = Opponent::new(name, &variant.clone(), 1).expect("a player");
        let Turn::Decide(decision) = game.turn() else { panic!("the roll allows moves") };
        let action = opponent.choose(&decision).expect("a decision");
        assert!(decision.actions().contains(&action), "{name}: {action}");
    }
}

/// Faces in one word, or in one word for each die, are the same roll, and what follows them is done next.
#[test]
fn dice_are_said_in_one_word_or_in_several() {
    let begin = || astragal::load("dice-chess").expect("it comes along").game(1).expect("its rules work");
    let mut commas = begin();
    commas.say("roll 2,3 Nc3").expect("two dice and a move");
    for text in ["roll 2 3 Nc3", "2 3 Nc3", "roll 2 3 b1c3", "roll  2  3   Nc3"] {
        let mut game = begin();
        game.say(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(game.position(), commas.position(), "{text}");
    }
    // Too few faces are still refused, and a number that is no face of these dice is not taken for one.
    for (text, why) in
        [("roll 2", "2d6 cannot show 2"), ("roll 2 Nc3", "2d6 cannot show 2"), ("roll 2 7", "2d6 cannot show 2 7")]
    {
        let mut game = begin();
        let error = game.say(text).expect_err(text).to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}
