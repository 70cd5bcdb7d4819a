//! Every shipped game is played by numbers alone.

use super::{Actions, Observation, Step};
use astragal_core::{Event, Game, Side, Status, Stream};
use astragal_dsl::library;
use std::collections::BTreeMap;
use std::sync::Arc;

/// All that may be done now has numbers, and each chain of numbers leads to one action.
fn check_decision(actions: &Actions, game: &Game) -> usize {
    let (state, mut legal, mut alike) = (game.state(), Vec::new(), Vec::new());
    actions.legal(state, None, &mut legal).unwrap();
    assert!(legal.windows(2).all(|pair| pair[0] < pair[1]), "in order, each once: {legal:?}");
    let mut found: BTreeMap<Vec<u32>, Event> = BTreeMap::new();
    for &number in &legal {
        assert!((number as usize) < actions.count());
        match actions.step(state, None, number.into()).unwrap() {
            Step::Event(event) => assert!(found.insert(vec![number], event).is_none()),
            Step::Pending(pending) => {
                actions.legal(state, Some(pending), &mut alike).unwrap();
                assert!(alike.len() > 1);
                for &which in &alike {
                    assert!((which as usize) < actions.count() && !legal.contains(&which));
                    let Step::Event(event) = actions.step(state, Some(pending), which.into()).unwrap() else {
                        panic!("whoever said which has said all")
                    };
                    assert!(found.insert(vec![number, which], event).is_none());
                }
            }
        }
    }
    for (numbers, event) in &found {
        assert_eq!(&actions.of_event(state, event).unwrap(), numbers);
    }
    let listed = state.moves().len() + state.choices().len() + usize::from(state.can_pass());
    assert_eq!(found.len(), listed, "everything that may be done can be said");
    found.len()
}

#[test]
fn every_game_can_be_played_by_numbers() {
    for name in library::names() {
        let loaded = astragal_dsl::load_named(name, &[]).unwrap();
        let variant = &loaded.set.variant;
        let (actions, observation) = (Actions::new(variant), Observation::new(variant));
        let mut planes = vec![0.0; observation.len()];
        let (mut kept, mut written) = (planes.clone(), observation.blank());
        let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 5).unwrap();
        let mut stream = Stream::new(5, 0);
        let mut numbers = Vec::new();
        for _ in 0..120 {
            match game.status() {
                Status::Over => break,
                Status::Chance => {
                    game.roll().unwrap();
                }
                Status::Move | Status::Choice => {
                    check_decision(&actions, &game);
                    actions.legal(game.state(), None, &mut numbers).unwrap();
                    let mut pending = None;
                    let event = loop {
                        let number = numbers[stream.below(numbers.len() as u64) as usize];
                        match actions.step(game.state(), pending, number.into()).unwrap() {
                            Step::Event(event) => break event,
                            Step::Pending(number) => {
                                let state = game.state();
                                observation.write(&actions, state, &[], Some(number), None, &mut planes);
                                observation.update(&actions, state, &[], Some(number), None, &mut written, &mut kept);
                                assert_eq!(planes, kept, "{name}");
                                actions.legal(game.state(), Some(number), &mut numbers).unwrap();
                                pending = Some(number);
                            }
                        }
                    };
                    game.apply(&event).unwrap();
                }
            }
            let viewer = Some(Side::FIRST);
            observation.write(&actions, game.state(), &[], None, viewer, &mut planes);
            observation.update(&actions, game.state(), &[], None, viewer, &mut written, &mut kept);
            assert_eq!(planes, kept, "{name}: changing what differs is as good as writing all");
            let [_, height, width] = observation.shape();
            let pieces = variant.sides() * variant.kinds().len() * height * width;
            let men = planes[..pieces].iter().sum::<f32>();
            assert_eq!(men as u32, game.state().position().occupied().len(), "{name}: one mark for each piece");
        }
    }
}

#[test]
fn chess_has_the_numbers_that_its_declarations_say() {
    let loaded = astragal_dsl::load_named("chess", &[]).unwrap();
    let actions = Actions::new(&loaded.set.variant);
    // Pairs that end on the first or last rank, four kinds, four castlings, no hands.
    let promotions = 64 * 16 * 4;
    assert_eq!(actions.count(), 1 + 64 * 64 + promotions + 4 + 64 + 128 + 64);
    let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1).unwrap();
    let mut legal = Vec::new();
    actions.legal(game.state(), None, &mut legal).unwrap();
    // b1a3, b1c3, then two steps of each pawn among g1f3, g1h3.
    assert_eq!(legal.len(), 20);
    assert_eq!(legal[..2], [1 + 64 + 16, 1 + 64 + 18]);
    let Step::Event(event) = actions.step(game.state(), None, 1 + 64 + 18).unwrap() else { panic!("nothing is alike") };
    game.apply(&event).unwrap();
    assert!(actions.step(game.state(), None, 1 + 64 + 18).is_err(), "it is Black's move");
    assert!(actions.step(game.state(), None, u64::MAX).is_err());
}

/// A choice beside the moves has the number that it has when it stands alone.
#[test]
fn moves_and_choices_of_one_decision_have_numbers_of_their_own() {
    let text = include_str!("../../../tests/data/scripts/stakes.rhai");
    let source = astragal_dsl::Source { name: "stakes".into(), path: None, text: text.into() };
    let loaded = astragal_dsl::load(&source, &[]).unwrap();
    let actions = Actions::new(&loaded.set.variant);
    let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1).unwrap();
    assert_eq!(check_decision(&actions, &game), 3 + 2);
    let mut legal = Vec::new();
    actions.legal(game.state(), None, &mut legal).unwrap();
    // e1 is the square of number 4: to d1, d2 and e2. Behind the moves and the squares come the choices by their place.
    let choices = 1 + 25 * 25 + 25;
    assert_eq!(legal, [1 + 4 * 25 + 3, 1 + 4 * 25 + 8, 1 + 4 * 25 + 9, choices, choices + 1]);
    let Step::Event(event) = actions.step(game.state(), None, choices.into()).unwrap() else { panic!("one action") };
    assert_eq!(event, Event::Choice(0));
    game.apply(&event).unwrap();
    actions.legal(game.state(), None, &mut legal).unwrap();
    assert_eq!(legal, [choices, choices + 1], "to accept, to drop");
}

#[test]
fn what_is_secret_is_not_seen() {
    let script = r#"
        board(3, 3);
        piece("runner", "R", "W");
        counter("card", 4, #{ each: true, secret: true });
        setup("r2/3/R2 w - - 0 1 card=2/3");
        fn turn() { play(any()); }
    "#;
    let source = astragal_dsl::Source { name: "cards".into(), path: None, text: script.into() };
    let loaded = astragal_dsl::load(&source, &[]).unwrap();
    let variant = &loaded.set.variant;
    let (actions, observation) = (Actions::new(variant), Observation::new(variant));
    let game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1).unwrap();
    let mut planes = vec![0.0; observation.len()];
    let first = observation.planes().iter().position(|name| name == "counter card of White").unwrap();
    let mut seen = |viewer: Option<u8>| {
        observation.write(&actions, game.state(), &[], None, viewer.map(Side), &mut planes);
        (planes[first * 9], planes[(first + 1) * 9])
    };
    assert_eq!(seen(None), (2.0, 3.0));
    assert_eq!(seen(Some(0)), (2.0, -1.0));
    assert_eq!(seen(Some(1)), (-1.0, 3.0));
}
