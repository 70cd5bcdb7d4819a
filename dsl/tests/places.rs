//! Games that end with a place for each side: `win_by`.

mod common;

use astragal_core::Side;
use astragal_dsl::{Severity, Source, check};
use common::{game, start};

/// How a game ends at once whose sides hold such numbers: who has won, and the half points of the sides.
fn ended(sides: &str, scores: &str, outcome: &str) -> (Option<u8>, Option<Vec<i32>>) {
    let script = format!(
        "board(4, 1); sides([{sides} }}); piece(\"man\", \"M\", \"W\");
         counter(\"score\", 0, #{{ each: true }}); setup(\"M2m w score={scores}\"); fn outcome() {{ {outcome} }}"
    );
    let state = start(&game(&script));
    let over = state.over().expect("the end");
    let count = scores.split('/').count();
    (over.winner.map(|Side(side)| side), over.points.map(|points| points[..count].to_vec()))
}

const BY_SCORE: &str = "win_by(\"score\", \"most points\");";

fn two(scores: &str) -> (Option<u8>, Option<Vec<i32>>) {
    ended("\"White\", \"Black\"], #{ letters: \"wb\"", scores, BY_SCORE)
}

fn three(scores: &str, outcome: &str) -> (Option<u8>, Option<Vec<i32>>) {
    ended(
        "\"White\", \"Red\", \"Black\"], #{ letters: \"wrb\", forward: [\"right\", \"left\", \"up\"]",
        scores,
        outcome,
    )
}

#[test]
fn the_side_with_the_most_wins_and_each_has_two_half_points_for_each_side_behind_it() {
    assert_eq!(three("3/9/5", BY_SCORE), (Some(1), Some(vec![0, 4, 2])));
    assert_eq!(three("9/5/3", BY_SCORE), (Some(0), Some(vec![4, 2, 0])));
}

#[test]
fn who_shares_the_first_place_has_not_won_and_shares_its_points() {
    assert_eq!(three("3/9/9", BY_SCORE), (None, Some(vec![0, 3, 3])));
    assert_eq!(three("4/4/4", BY_SCORE), (None, Some(vec![2, 2, 2])));
    assert_eq!(three("9/5/5", BY_SCORE), (Some(0), Some(vec![4, 1, 1])));
}

#[test]
fn the_least_may_be_the_best() {
    let least = "win_by(\"score\", \"fewest points\", #{ least: true });";
    assert_eq!(three("3/9/5", least), (Some(0), Some(vec![4, 0, 2])));
    assert_eq!(three("-3/9/-5", least), (Some(2), Some(vec![2, 0, 4])));
}

#[test]
fn of_two_sides_it_is_enough_to_say_who_has_won() {
    assert_eq!(two("4/2"), (Some(0), None));
    assert_eq!(two("2/4"), (Some(1), None));
    assert_eq!(two("4/4"), (None, None));
}

#[test]
fn partners_do_not_stand_in_each_others_way() {
    let partners = |scores: &str| {
        let script = format!(
            "board(4, 4); sides([\"N\", \"E\", \"S\", \"W\"], #{{ letters: \"nesw\", teams: [1, 2, 1, 2],
                forward: [\"up\", \"right\", \"down\", \"left\"] }});
             piece(\"man\", \"M\", \"W\"); counter(\"score\", 0, #{{ each: true }});
             setup(\"M2m/4/4/4 n score={scores}\"); fn outcome() {{ {BY_SCORE} }}"
        );
        let state = start(&game(&script));
        let over = state.over().expect("the end").clone();
        (over.winner.map(|Side(side)| side % 2), over.points)
    };
    // The best two are partners: they have won together. Where enemies share the first place nobody has.
    assert_eq!(partners("9/1/9/8"), (Some(0), None));
    assert_eq!(partners("1/7/2/3"), (Some(1), None));
    assert_eq!(partners("9/9/1/1"), (None, None));
}

#[test]
fn what_a_rule_has_awarded_stays() {
    let awarded = "award(side(\"White\"), 10); win_by(\"score\", \"most points\");";
    assert_eq!(three("3/9/5", awarded), (Some(1), Some(vec![20, 0, 0])));
}

#[test]
fn a_function_may_count_anything_of_a_side() {
    // A man each of the first two sides; the third has none.
    let men = "win_by(|side| number(squares_of(side)) * 2 - 1, \"most men\");";
    assert_eq!(three("0/0/0", men), (None, Some(vec![3, 3, 0])));
    let weighed = "win_by(|side| number(\"score\", side) / 2 + 1, \"halves\");";
    assert_eq!(three("8/9/2", weighed), (None, Some(vec![3, 3, 0])), "9 / 2 is 4");
}

/// What `check` says of a script with this end.
fn told(outcome: &str) -> String {
    let text = format!(
        "board(4, 1); sides([\"White\", \"Black\"]); piece(\"man\", \"M\", \"W\"); counter(\"score\", 0, #{{ each: true }});
         counter(\"pot\", 0); setup(\"M2m w\"); fn turn() {{ add(\"score\", roll(\"1d6\")); play(any()) }}
         fn outcome() {{ if round() > 9 {{ {outcome} }} }}"
    );
    let found = check(&Source { name: "game".into(), path: None, text });
    let wrong = found.into_iter().filter(|one| one.severity < Severity::Note);
    wrong.map(|one| format!("{} | {}\n", one.message, one.help.unwrap_or_default())).collect()
}

#[test]
fn misuse_is_told() {
    assert!(told("win_by(\"scores\", \"points\");").contains("did you mean \"score\"?"));
    let pot = told("win_by(\"pot\", \"points\");");
    assert!(pot.contains("\"pot\" belongs to no side") && pot.contains("each: true"), "{pot}");
    let nothing = told("win_by(|side| side, \"points\");");
    assert!(nothing.contains("number"), "{nothing}");
}
