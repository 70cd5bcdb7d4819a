//! The pip count of a side: what its men have to go on a track.

mod common;

use astragal_dsl::{library, load, question};
use common::{game, play, start};

/// A way of six stations, two squares each, `a` the first; men in hand enter it.
const WAY: &str = r#"board(7, 2); sides(["White", "Black"]); piece("man", "M", "mW"); hands("owner");
    track("way", ["[a1 a2] [b1 b2] [c1 c2] [d1 d2] [e1 e2] [f1 f2]",
                  "[f1 f2] [e1 e2] [d1 d2] [c1 c2] [b1 b2] [a1 a2]"]);"#;

/// What a rule says at the start: both pip counts.
fn counts(declarations: &str, setup: &str) -> String {
    let rule = r#"fn turn() { label(pips("way").value + " " + pips("way", opponent()).value); choose(["on"]); }"#;
    let state = start(&game(&format!("{declarations} setup(\"{setup}\"); {rule}")));
    state.label().unwrap_or_default().to_owned()
}

/// "Each player begins with a pip count of 167" (backgammon glossaries; 24 + 24, five on 13, three on 8, five on 6). The
/// last station of the script's way is where men rest, so a man has as many to go as his point says.
#[test]
fn backgammon_begins_with_167_each() {
    let source = library::resolve("backgammon").expect("it comes with the program");
    let loaded = load(&source, &[]).expect("a script");
    let game = astragal_core::Game::new(loaded.set.clone(), loaded.start.clone(), 1).expect("a game");
    for side in ["White", "Black"] {
        let asked = question::ask(&loaded, &game, &format!("pips(\"way\", side(\"{side}\")).value"));
        assert_eq!(asked.expect("an answer").trim(), "167", "{side}");
    }
}

#[test]
fn every_man_counts_what_he_has_to_go() {
    // White: two on a (5 each), one on f (0), one elsewhere. Black goes the other way.
    assert_eq!(counts(WAY, "M5M/M2m1M1[] w"), "10 3");
    // Men in hand have the whole way before them.
    assert_eq!(counts(WAY, "7/5M1[MMm] w"), "12 6");
    assert_eq!(counts(WAY, "6M/6m[] w"), "0 0");
}

#[test]
fn men_beneath_others_count_too() {
    let heaps = WAY.replace("board(7, 2)", "board(7, 2, #{ heaps: true })");
    // On c1 two of White's (3 each) lie beneath one of Black's (2).
    assert_eq!(counts(&heaps, "7/2m4[] w under=c1:2M"), "6 2");
}

#[test]
fn a_count_that_was_taken_stays_as_it_was() {
    let rule = r#"fn turn() {
        let before = pips("way");
        let theirs = pips("way", opponent());
        play(along("way", 2));
        to_hand(opponent(), "man", 1);
        label((before - pips("way")).value + " " + (pips("way", opponent()) - theirs).value);
        choose(["on"]);
    }"#;

    let mut state = start(&game(&format!("{WAY} setup(\"7/M2m3[] w\"); {rule}")));
    play(&mut state, "a1c1");
    assert_eq!(state.label(), Some("2 6"));
}
