//! Rolls of which a rule learns only what a function makes of the faces: `roll("2d6", |dice| dice.total)`.

use crate::common::{game, moves, play, roll, start, text};
use astragal_core::{Ratio, State, odds};
use astragal_dsl::Loaded;
use std::collections::BTreeMap;

const STONES: &str = r#"board(8, 3); sides(["First", "Second"]); piece("man", "M", "R"); royals("capturable");
    counter("sum", 0); setup("8/M6m/8 w");"#;

fn stones(rules: &str) -> Loaded {
    game(&format!("{STONES} {rules}"))
}

/// The chance of each sum that the turn writes down.
fn sums(state: &State) -> BTreeMap<String, Ratio> {
    let mut sums = BTreeMap::new();
    for (chance, _, next) in odds::next_roll(state).expect("chances") {
        let sum = text(&next).split("sum=").nth(1).unwrap_or("none").to_string();
        let all = sums.entry(sum).or_insert(Ratio::ZERO);
        *all += chance;
    }
    sums
}

#[test]
fn the_rule_is_told_the_key_and_the_tree_branches_by_it() {
    let keyed = stones("fn turn() { set(\"sum\", roll(\"3d6\", |dice| dice.total)); play(any()) }");
    // A loop over the faces uses all of them.
    let plain = stones("fn turn() { for die in roll(\"3d6\") { add(\"sum\", die); } play(any()) }");
    let (with, without) = (sums(&start(&keyed)), sums(&start(&plain)));
    assert_eq!(with.len(), 16, "3 to 18");
    assert_eq!(with["10"], Ratio::new(27, 216));
    assert_eq!(with, without);
    let nodes = |loaded: &Loaded| loaded.set.rules.report()[0].nodes;
    assert!(nodes(&keyed) < 60 && nodes(&plain) > 400, "{} and {}", nodes(&keyed), nodes(&plain));
}

#[test]
fn a_key_may_be_a_text_or_an_array() {
    let rules = "fn turn() { let sort = roll(\"2d6\", |d| if d[0] == d[1] { [\"double\", d[0]] } else { \"other\" });
        if sort == \"other\" { draw(\"other\"); } else { set(\"sum\", sort[1]); play(any()) } }";
    let chances = sums(&start(&stones(rules)));
    assert_eq!(chances["6"], Ratio::new(1, 36));
    assert_eq!(chances["none"], Ratio::new(30, 36));
}

/// The sum of three dice is how far a man goes. What can be rolled, and how likely it is, does not depend on the key.
#[test]
fn what_can_be_played_is_the_same_with_a_key() {
    let of = |roll: &str| stones(&format!("fn turn() {{ {roll} }}"));
    let keyed = of("let n = roll_playable(\"3d3\", |d| d.total, |n| steps(n)); set(\"sum\", n); play(steps(n))");
    let plain = of("let d = roll_playable(\"3d3\", |d| steps(d.total)); set(\"sum\", d.total); play(steps(d.total))");
    let (with, without) = (start(&keyed), start(&plain));
    let (chances, expected) = (sums(&with), sums(&without));
    // On a board of eight files no man goes eight squares or more.
    assert_eq!(chances.keys().collect::<Vec<_>>(), ["3", "4", "5", "6", "7"]);
    assert_eq!(chances["3"], Ratio::new(1, 23), "1, 3, 6, 7 and 6 of the 27 ways");
    assert_eq!(chances, expected);
    let mut state = with.clone();
    roll(&mut state, &[1, 1, 2]);
    assert_eq!(moves(&state), ["a2e2"]);
    play(&mut state, "a2e2");
}

#[test]
fn nothing_comes_of_a_roll_that_cannot_be_played() {
    let rules =
        "fn turn() { let n = roll_playable(\"2d6\", |d| d.total, |n| nothing()); if n == () { draw(\"none\"); } }";
    let state = start(&stones(rules));
    assert_eq!(state.over().map(|over| over.reason.as_str()), Some("none"));
}

#[test]
fn it_is_rolled_until_a_key_passes() {
    let rules = "fn turn() { set(\"sum\", roll_until(\"2d6\", |d| d.total, |n| n >= 11)); play(any()) }";
    let chances = sums(&start(&stones(rules)));
    assert_eq!(chances, BTreeMap::from([("11".into(), Ratio::new(2, 3)), ("12".into(), Ratio::new(1, 3))]));
}

#[test]
fn odds_are_exact() {
    let rules = "fn turn() { if roll(\"4d6\", |d| d.total) >= 20 { win(mover(), \"high\"); } }";
    let loaded = stones(rules);
    let found = odds::outcomes(&start(&loaded)).expect("exact");
    let high = found.iter().filter(|outcome| outcome.state.over().is_some()).map(|outcome| outcome.probability);
    // 35, 20, 10, 4 and 1 ways for 20 to 24.
    assert_eq!(high.fold(Ratio::ZERO, |all, one| all + one), Ratio::new(70, 1296));
}

#[test]
fn a_key_is_something_that_can_be_told_apart() {
    let loaded = stones("fn turn() { roll(\"2d6\", |d| |x| d); }");
    let error = State::new(loaded.set.clone(), loaded.start.clone()).err().expect("an error").to_string();
    assert!(error.contains("a key must be a number, a string or an array of these, not a function"), "{error}");
}

#[test]
fn a_key_that_comes_to_nothing_is_refused() {
    let loaded = stones("fn turn() { roll(\"2d6\", |d| { d.sort() }); }");
    let error = State::new(loaded.set.clone(), loaded.start.clone()).err().expect("an error").to_string();
    assert!(error.contains("the key function returns no value"), "{error}");
}

/// Keys are computed once for all runs if they depend on the faces alone, and anew if they look at more.
#[test]
fn keys_may_depend_on_the_position_and_on_variables() {
    let rules = "fn turn() {
        let over = get(\"sum\");
        let seen = roll(\"1d6\", |d| d > get(\"sum\"));
        let same = roll(\"1d6\", |d| d > over);
        let plain = roll(\"1d6\", |d| d > 2);
        set(\"sum\", 4);
        label(`${seen} ${same} ${plain}`);
        play(any());
    }";
    let loaded = stones(rules);
    let mut state = start(&loaded);
    for (faces, said) in
        [([1, 1, 3], "true true true"), ([4, 5, 3], "false true true"), ([5, 4, 2], "true false false")]
    {
        for face in faces {
            roll(&mut state, &[face]);
        }
        assert_eq!(state.label(), Some(said), "{faces:?}");
        let first = moves(&state)[0].clone();
        play(&mut state, &first);
    }
}
