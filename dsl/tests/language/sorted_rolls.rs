//! Dice in ascending order, and choices from the contents of a pool: the elements of games of nothing but dice.

use crate::common::{choices, choose, game, roll, start, text};
use astragal_core::{Ratio, State, odds};
use astragal_dsl::{Loaded, Source, check};
use std::collections::BTreeMap;

const DICE: &str = r#"board(3, 1); sides(["First", "Second"]); piece("man", "M", "W"); setup("M1m w");
    counter("sum", 0); counter("open", 1, #{ each: true, places: 3 });"#;

fn dice(rules: &str) -> Loaded {
    game(&format!("{DICE} {rules}"))
}

/// The chance of each number that the turn writes down.
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
fn six_dice_are_462_outcomes_with_their_chances() {
    // The lowest, the highest and a face in between, as one number.
    let rules = "fn turn() { let dice = roll(\"6d6\", #{ sorted: true });
        set(\"sum\", dice[0] * 100 + dice[3] * 10 + dice[5]); play(any()) }";
    let state = start(&dice(rules));
    assert_eq!(state.outcomes_apart().len(), 462, "11 over 5");
    let chances = sums(&state);
    assert_eq!(chances["111"], Ratio::new(1, 46_656));
    // 2 3 4 4 5 6 and its like have the fourth 4, from 1 to 6: counted one by one.
    let mut count = 0;
    for n in 0..46_656_u32 {
        let mut faces: Vec<u32> = (0..6).map(|die| n / 6_u32.pow(die) % 6 + 1).collect();
        faces.sort_unstable();
        count += u64::from((faces[0], faces[3], faces[5]) == (1, 4, 6));
    }
    assert_eq!(chances["146"], Ratio::new(count.into(), 46_656));
}

#[test]
fn one_die_is_an_array_too() {
    let mut state = start(&dice(
        "fn turn() { let n = 3; for i in 0..3 { let all = roll(`${n}d6`, #{ sorted: true });
            set(\"sum\", all.len() * 100 + all.total); n -= 1; } play(any()) }",
    ));
    roll(&mut state, &[6, 2, 5]);
    assert!(text(&state).contains("sum=313"), "{}", text(&state));
    roll(&mut state, &[6, 2]);
    roll(&mut state, &[4]);
    assert!(text(&state).contains("sum=104"), "{}", text(&state));
}

#[test]
fn keys_tests_and_permits_are_asked_of_sorted_faces() {
    let keyed =
        "fn turn() { set(\"sum\", roll(\"6d6\", |dice| dice[5] - dice[0] + 1, #{ sorted: true })); play(any()) }";
    let chances = sums(&start(&dice(keyed)));
    assert_eq!(chances["1"], Ratio::new(6, 46_656), "six alike");
    // Four in a row or more, by sorted faces: of 1296 outcomes of four dice three sorts of 24.
    let until =
        "fn turn() { let dice = roll_until(\"4d6\", |d| d[3] == d[2] + 1 && d[2] == d[1] + 1 && d[1] == d[0] + 1,
        #{ sorted: true }); set(\"sum\", dice[0]); play(any()) }";
    let chances = sums(&start(&dice(until)));
    assert_eq!(chances.len(), 3);
    assert_eq!(chances["1"], Ratio::new(1, 3));
    let playable = "fn turn() { let dice = roll_playable(\"2d3\", |d| steps(d[1] - 1), #{ sorted: true });
        set(\"sum\", dice[1]); play(steps(dice[1] - 1)) }";
    let chances = sums(&start(&dice(playable)));
    // The man goes one step: the higher die is a 2. (On a 3 he would go two, and stands one from the edge and a man.)
    assert_eq!(chances.keys().collect::<Vec<_>>(), ["2"]);
}

#[test]
fn too_many_outcomes_for_a_key_are_told_with_what_helps() {
    let text = format!("{DICE} fn turn() {{ set(\"sum\", roll(\"6d6\", |dice| dice.total)); play(any()) }}");
    let found = check(&Source { name: "game".into(), path: None, text });
    let told: String = found.iter().map(|one| format!("{} | {:?}\n", one.message, one.help)).collect();
    assert!(told.contains("6d6 has 46656 outcomes") && told.contains("sorted: true"), "{told}");
}

const BOXES: &str = "const BOXES = [\"aces\", \"twos\", \"chance\"];
    fn turn() { let die = roll(\"1d6\");
        let box = choose_held(mover(), \"open\", #{ names: BOXES, among: if die == 1 { [1, 3] } else { [2, 3] } });
        if box != () { spend(\"open\", box); set(\"sum\", box); } }";

#[test]
fn what_a_pool_holds_is_chosen_by_name_and_among_what_the_rule_allows() {
    let mut state = start(&dice(BOXES));
    roll(&mut state, &[1]);
    assert_eq!(choices(&state), ["aces", "chance"]);
    choose(&mut state, "chance");
    assert!(text(&state).contains("open=1,1,0/1,1,1") && text(&state).contains("sum=3"), "{}", text(&state));
    roll(&mut state, &[5]);
    assert_eq!(choices(&state), ["twos", "chance"]);
    choose(&mut state, "twos");
    roll(&mut state, &[2]);
    assert_eq!(choices(&state), ["twos"]);
    choose(&mut state, "twos");
    roll(&mut state, &[6]);
    choose(&mut state, "chance");
    roll(&mut state, &[3]);
    // Neither is left of what may be chosen: nobody is asked, and the turn of the other follows.
    assert_eq!((state.position().side().0, state.dice().is_some()), (1, true));
}

#[test]
fn names_and_faces_that_do_not_fit_are_told() {
    let told = |rules: &str| {
        let found = check(&Source { name: "game".into(), path: None, text: format!("{DICE} {rules}") });
        let first = found.first().expect("a mistake");
        format!("{} | {}", first.message, first.help.clone().unwrap_or_default())
    };
    let names = told(&BOXES.replace(", \"chance\"]", "]"));
    assert!(names.contains("\"names\" has 2") && names.contains("3 places"), "{names}");
    let twice = told(&BOXES.replace("\"twos\"", "\"aces\""));
    assert!(twice.contains("two choices are called \"aces\""), "{twice}");
    let face = told(&BOXES.replace("[1, 3]", "[1, 4]"));
    assert!(face.contains("faces 1 to 3, not 4"), "{face}");
}

/// An empty list of choices beside a move is the same as none: rules that compute the list need no `if`.
#[test]
fn nothing_beside_a_move_is_no_choice() {
    let state = start(&dice(
        "fn turn() { let more = []; if get(\"sum\") > 0 { more.push(\"stop\"); } play(any(), #{ or: more }) }",
    ));
    assert!(choices(&state).is_empty() && !state.moves().is_empty());
}
