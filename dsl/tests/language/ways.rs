//! Ways by so many files and ranks lead where `shifted` leads. What they pass and capture is tested in `plays/ways.play`.

use crate::common::{game, moves, start};

/// The moves that a permit admits; the game ends if there is none.
fn first(board: &str, setup: &str, permit: &str) -> Vec<String> {
    let sides = r#"sides(["White", "Black"]); piece("man", "M", ""); royals("capturable");"#;
    let rule = format!("fn turn() {{ if play({permit}) == () {{ draw(\"none\"); }} }}");
    moves(&start(&game(&format!("board({board}); {sides} setup(\"{setup}\"); {rule}"))))
}

/// A way leads where `shifted` leads: over holes, and not into them.
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
