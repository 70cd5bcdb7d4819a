//! `most`: the moves after which the maximum number of further moves can be made, in a published game.
//! `plays/most_follow.play` tests it case by case.

use crate::common::game;
use astragal_core::{Event, Game, Stream};
use std::sync::Arc;

/// The result is the same as that of a function that an author wrote with tests within tests, in a published game.
#[test]
fn it_is_what_tests_within_tests_say() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/wild/H02.rhai")).unwrap();
    let own = "let mv = play(most(free, n - i));";
    let word = "let mv = play(if i + 1 < n { free.most(n - i - 1, later()) } else { free });";
    // An own function of that name would be meant.
    let short = text.replace(own, word).replace("fn most(p, n)", "fn former(p, n)");
    assert!(short.contains(word) && short.contains("former"));
    let (long, short) = (game(&text), game(&short));
    for seed in 0..6 {
        let mut games =
            [&long, &short].map(|loaded| Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).unwrap());
        let mut random = Stream::new(seed, 3);
        for _ in 0..120 {
            if games[0].state().over().is_some() {
                break;
            }
            if games[0].state().dice().is_some() {
                games.iter_mut().for_each(|game| drop(game.roll().unwrap()));
                continue;
            }
            assert_eq!(games[0].state().moves(), games[1].state().moves());
            let drawn = random.below(games[0].state().moves().len() as u64) as usize;
            let paid = games[0].state().moves()[drawn];
            games.iter_mut().for_each(|game| game.apply(&Event::Move(paid)).unwrap());
        }
    }
}
