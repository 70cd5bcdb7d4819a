//! Ways by so many files and ranks: `way(from, right, forward)`.

mod common;

use common::{game, moves, play, start, text};

/// The moves that a permit admits; the game ends if there is none.
fn first(board: &str, setup: &str, permit: &str) -> Vec<String> {
    let sides = r#"sides(["White", "Black"]); piece("man", "M", ""); royals("capturable");"#;
    let rule = format!("fn turn() {{ if play({permit}) == () {{ draw(\"none\"); }} }}");
    moves(&start(&game(&format!("board({board}); {sides} setup(\"{setup}\"); {rule}"))))
}

#[test]
fn each_piece_goes_so_far_as_its_side_sees_it() {
    let men = "way(squares_of(mover()), 1, 2)";
    assert_eq!(first("5, 5", "5/5/5/5/M1M1M w", men), ["a1b3", "c1d3"], "e1 would leave the board");
    // Black looks down, and his right is on the left.
    assert_eq!(first("5, 5", "m1m1m/5/5/5/M4 b", men), ["c5b3", "e5d3"]);
    assert_eq!(first("5, 5", "4m/5/5/5/M4 w", "way(squares_of(opponent()), 1, 2).of(opponent())"), ["e5d3"]);
    // Only those that are named go, and only their owner's.
    assert_eq!(first("5, 5", "5/5/5/5/M1M1m w", "way(file(1) | file(5), 0, 1)"), ["a1a2"]);
}

#[test]
fn whoever_stands_between_is_passed_and_an_enemy_is_taken() {
    assert_eq!(first("5, 5", "5/5/M4/m4/M4 w", "way(\"a1\", 0, 2)"), [""; 0], "an own man bars");
    assert_eq!(first("5, 5", "5/5/M4/m4/M4 w", "way(\"a1\", 0, 2, #{ own: true })"), ["a1a3"]);
    let rule = "fn turn() { play(way(squares_of(mover()), 0, 2)) }";
    let declared = r#"board(5, 5); sides(["White", "Black"]); piece("man", "M", ""); royals("capturable");"#;
    let mut state = start(&game(&format!("{declared} setup(\"5/5/m4/M4/M4 w\"); {rule}")));
    assert_eq!(moves(&state), ["a1a3", "a2a4"]);
    play(&mut state, "a1a3");
    assert!(text(&state).starts_with("5/5/M4/M4/5 "), "{}", text(&state));
}

/// Where `shifted` leads, a way leads: over holes, and not into them.
#[test]
fn ways_lead_where_shifted_does() {
    let holes = "6, 1, #{ holes: \"c1\" }";
    assert_eq!(first(holes, "1M*3 w", "way(\"b1\", 1, 0)"), [""; 0]);
    assert_eq!(first(holes, "1M*3 w", "way(\"b1\", 2, 0)"), ["b1d1"]);
    for board in ["6, 6", "6, 6, #{ cells: \"hex\" }", "6, 6, #{ wrap: \"files\" }", "6, 6, #{ holes: \"c3 d4\" }"] {
        for (right, forward) in [(1, 0), (2, 1), (-1, 3), (0, -2), (1, 2)] {
            let setup = if board.contains("holes") { "6/3M2/3*2/2*3/1M4/M4M w" } else { "6/3M2/6/6/1M4/M4M w" };
            let way = first(board, setup, &format!("way(squares_of(mover()), {right}, {forward})"));
            let shifted = first(
                board,
                setup,
                &format!("way(squares_of(mover()), shifted(squares_of(mover()), {right}, {forward}))"),
            );
            assert!(way.iter().all(|mv| shifted.contains(mv)), "{board}: {way:?} of {shifted:?}");
            let ends =
                |all: &[String]| all.iter().map(|mv| mv[2..].to_owned()).collect::<std::collections::BTreeSet<_>>();
            assert_eq!(ends(&way), ends(&shifted), "{board} {right} {forward}");
        }
    }
}

#[test]
fn heaps_go_whole_and_are_taken_whole() {
    let heaps = "6, 1, #{ heaps: true }";
    let setup = "M1m3 w - - 0 1 under=a1:M,c1:m";
    let way = |options: &str| first(heaps, setup, &format!("way(\"a1\", 2, 0{options})"));
    assert_eq!(way("").len(), 1, "the topmost goes and takes the topmost");
    assert_eq!(way(", #{ landing: \"own\" }"), [""; 0]);
    let declared = r#"sides(["White", "Black"]); piece("man", "M", ""); royals("capturable");"#;
    let rule = "fn turn() { play(way(\"a1\", 2, 0, #{ landing: \"take\", carry: \"all\" })) }";
    let mut state = start(&game(&format!("board({heaps}); {declared} setup(\"{setup}\"); {rule}")));
    let name = moves(&state).remove(0);
    play(&mut state, &name);
    assert!(text(&state).starts_with("2M3 ") && text(&state).ends_with("under=c1:M"), "{}", text(&state));
}
