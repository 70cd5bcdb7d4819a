//! Moves along tracks: where a count leads past the end, and who may stand where a piece stops.

mod common;

use common::{game, moves, play, start, text};

/// A way of six stations with room for three on each, `a` the first.
const WAY: &str = r#"board(6, 3); sides(["White", "Black"]); piece("man", "M", ""); royals("capturable"); hands();
    track("way", "[a1 a2 a3] [b1 b2 b3] [c1 c2 c3] [d1 d2 d3] [e1 e2 e3] [f1 f2 f3]", #{ same_for_all: true });"#;

/// The moves that a permit admits; the game ends if there is none.
fn first(setup: &str, permit: &str) -> Vec<String> {
    moves(&start(&game(&format!(
        "{WAY} setup(\"{setup}\"); fn turn() {{ if play({permit}) == () {{ draw(\"none\"); }} }}"
    ))))
}

/// In brackets two corners are a rectangle, as for regions; on the way itself they are the ends of a line.
#[test]
fn a_station_takes_rectangles_and_a_way_goes_along_lines() {
    let after = |men: &str, n: i32| {
        let way = r#"board(6, 3); piece("man", "M", ""); royals("capturable");
            track("way", "[a1-b2] c1-e3 [f1-f3]", #{ same_for_all: true });"#;
        let turn = format!("fn turn() {{ if play(along(\"way\", {n})) == () {{ draw(\"none\"); }} }}");
        moves(&start(&game(&format!("{way} setup(\"{men} w\"); {turn}"))))
    };
    for (men, at) in [("6/6/M5", "a1"), ("6/6/1M4", "b1"), ("6/M5/6", "a2"), ("6/1M4/6", "b2")] {
        for (n, to) in [(1, "c1"), (2, "d2"), (3, "e3"), (4, "f1")] {
            assert_eq!(after(men, n), [format!("{at}{to}")], "{n}");
        }
    }
}

#[test]
fn a_count_past_the_end_turns_back_from_there() {
    let from_e = |n: i32| first("6/6/4M1 w", &format!("along(\"way\", {n}, #{{ end: \"back\" }})"));
    assert_eq!(from_e(1), ["e1f1"]);
    // To f and back: e itself is no move, then d, c and so on.
    assert_eq!(from_e(2), [""; 0]);
    assert_eq!(from_e(3), ["e1d1"]);
    assert_eq!(from_e(6), ["e1a1"]);
    assert_eq!(from_e(7), [""; 0], "farther back than the way begins");
}

#[test]
fn what_stands_on_the_way_back_is_passed_too() {
    let nobody =
        |setup: &str, n: i32| first(setup, &format!("along(\"way\", {n}, #{{ end: \"back\", passing: \"nobody\" }})"));
    assert_eq!(nobody("6/6/4M1 w", 4), ["e1c1"]);
    assert_eq!(nobody("6/6/3mM1 w", 4), [""; 0], "d is passed on the way back");
    assert_eq!(nobody("6/6/2m1M1 w", 4), ["e1c1"]);
    assert_eq!(nobody("6/6/4Mm w", 3), [""; 0], "f is passed first");
}

#[test]
fn who_may_stand_where_a_piece_stops() {
    let lands = |enemies: &str, landing: &str| {
        let setup = match enemies {
            "none" => "6/6/M5 w",
            "one" => "6/6/M1m3 w",
            _ => "6/2m3/M1m3 w",
        };
        first(setup, &format!("along(\"way\", 2, #{{ landing: \"{landing}\" }})"))
    };
    for landing in ["hit", "pin", "own", "all"] {
        assert_eq!(lands("none", landing), ["a1c1"], "{landing}");
    }
    assert_eq!(lands("one", "hit"), ["a1c1"]);
    assert_eq!(lands("one", "pin"), ["a1c2"]);
    assert_eq!(lands("one", "own"), [""; 0]);
    assert_eq!(lands("one", "all"), ["a1c2"]);
    for barred in ["hit", "pin", "own"] {
        assert_eq!(lands("two", barred), [""; 0], "{barred}");
    }
    assert_eq!(lands("two", "all"), ["a1c3"]);
}

#[test]
fn a_pinned_man_stays() {
    let loaded =
        game(&format!("{WAY} setup(\"6/6/M1m3 w\"); fn turn() {{ play(along(\"way\", 2, #{{ landing: \"pin\" }})) }}"));
    let mut state = start(&loaded);
    play(&mut state, "a1c2");
    assert!(text(&state).starts_with("6/2M3/2m3[] b"), "{}", text(&state));
}

#[test]
fn men_enter_by_the_same_rules() {
    let enters = |landing: &str| first("6/6/1m4[M] w", &format!("enter(\"way\", 2, #{{ landing: \"{landing}\" }})"));
    assert_eq!(enters("hit"), ["M@b1"]);
    assert_eq!(enters("pin"), ["M@b2"]);
    assert_eq!(enters("own"), [""; 0]);
}
