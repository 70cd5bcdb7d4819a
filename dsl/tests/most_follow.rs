//! The moves of a permit after which the most further ones can be made.

mod common;

use astragal_core::{Event, Game, Stream};
use astragal_dsl::{Source, check};
use common::{game, moves, start};
use std::sync::Arc;

/// White men on b2 and f1; what they can take stands next to them.
fn offered(permit: &str) -> Vec<String> {
    let script = format!(
        r#"board(7, 3); piece("man", "M", "W"); royals("capturable"); setup("7/mMmm1m1/5M1 w"); fn turn() {{ play({permit}) }}"#
    );
    moves(&start(&game(&script)))
}

/// Counted by hand: b2 takes on a2 (and stands there alone) or on c2 and then d2, f1 takes on f2 and no more.
#[test]
fn chains_are_looked_for_as_far_as_is_asked() {
    assert_eq!(offered("captures()"), ["b2a2", "b2c2", "f1f2"]);
    // One more can follow any of them; two more those that leave both chains.
    assert_eq!(offered("captures().most(1)"), ["b2a2", "b2c2", "f1f2"]);
    assert_eq!(offered("captures().most(2)"), ["b2c2", "f1f2"]);
    assert_eq!(offered("captures().most(1, #{ same_piece: true })"), ["b2c2"]);
    assert_eq!(offered("captures().most(15, #{ same_piece: true })"), ["b2c2"]);
    // What follows may be something else, and if nothing can, nothing is asked.
    assert_eq!(offered(r#"captures().most(1, from("b2") & to("a2"))"#), ["f1f2"]);
    assert_eq!(offered(r#"captures().most(3, from("g3"))"#), ["b2a2", "b2c2", "f1f2"]);
    assert_eq!(offered(r#"captures().most(1, captures() & from("c2"), #{ same_piece: true })"#), ["b2c2"]);
}

/// The higher of two dice first where only one can be played: what the other die leaves counts.
#[test]
fn a_die_is_played_so_that_the_other_can_be() {
    let race = |hand: &str| {
        let script = format!(
            r#"board(8, 1); piece("man", "M"); track("way", "a1-h1"); setup("M6m w"); royals("capturable");
            fn turn() {{ {hand} }}"#
        );
        moves(&start(&game(&script)))
    };
    // From a1 a 4 leads to e1, from where a 3 would lead to h1; both orders go.
    let both = r#"play(along("way", 4).most(1, along("way", 3)) | along("way", 3).most(1, along("way", 4)))"#;
    assert_eq!(race(both), ["a1d1", "a1e1"]);
    // Nobody gets past the last station: a 5 and then a 4 do not go, and the 5 is played.
    let higher = r#"let hi = along("way", 5); let lo = along("way", 4);
        let first = hi.most(1, lo); let two = first.after(|mv| lo.exists()) | lo.most(1, hi).after(|mv| hi.exists());
        play(two.or_else(hi).or_else(lo))"#;
    assert_eq!(race(higher), ["a1f1"]);
}

/// The same as the words that an author made of tests of tests, in a game by somebody else.
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

#[test]
fn misuse_is_told() {
    let said = |permit: &str| {
        let text = format!(
            r#"board(3, 3); piece("man", "M", "K"); setup("m2/3/2M w"); fn turn() {{ play({permit}) }} fn outcome() {{ draw("x") }}"#
        );
        let source = Source { name: "game".into(), path: None, text };
        check(&source).iter().map(|said| said.render(false)).collect::<Vec<_>>().join("\n")
    };
    let far = said("any().most(20)");
    assert!(far.contains("1 to 15 moves ahead, not 20"), "{far}");
    let option = said("any().most(2, #{ same: true })");
    assert!(option.contains("same_piece"), "{option}");
    let number = said("any().most(captures())");
    assert!(number.contains("a number"), "{number}");
}
