//! Bent riders: the squares that docs/movement.md counts, and what blocks their way. And boards that are round in part.

use crate::common::{game, moves, start};

/// Where a piece with this movement goes from d4, with men of both sides standing around.
fn from_d4(betza: &str, setup: &str) -> Vec<String> {
    let script = format!(
        r#"piece("rider", "R", "{betza}"); piece("wall", "X"); setup("{setup} w"); fn turn() {{ play(any()) }}"#
    );
    moves(&start(&game(&script))).into_iter().map(|mv| mv.replacen("d4", "", 1)).collect()
}

const ALONE: &str = "8/8/8/8/3R4/8/8/8";

#[test]
fn bent_riders_go_as_far_as_the_guide_says() {
    let guide = include_str!("../../../docs/movement.md");
    let table = guide.split("## Bent riders").nth(1).and_then(|rest| rest.split("```").next()).expect("the table");
    let mut rows = 0;
    for row in table.lines().filter(|line| line.starts_with("| ") && line.contains("ya")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        for pair in [&cells[3..5], &cells[5..7]] {
            let (betza, squares) = (pair[0].trim_matches('`'), pair[1].parse::<usize>().expect("a number"));
            assert_eq!(from_d4(betza, ALONE).len(), squares, "{betza}");
            rows += 1;
        }
    }
    assert_eq!(rows, 8);
}

#[test]
fn the_ways_of_bent_riders() {
    // Steps to c3 c5 e3 e5, then along file or rank, outward.
    let griffon = from_d4("FyafsF", ALONE);
    let outward = "c5 c6 c7 c8 b5 a5 e5 e6 e7 e8 f5 g5 h5 c3 c2 c1 b3 a3 e3 e2 e1 f3 g3 h3";
    let mut expected: Vec<&str> = outward.split(' ').collect();
    expected.sort();
    assert_eq!(griffon, expected);
    // From d5 back to both sides: e4 f3 g2 h1 and c4 b3 a2; so from d3, e4 and c4.
    let back = "e4 f3 g2 h1 c4 b3 a2 f5 g6 h7 b5 a6 d5 c6 b7 a8 d3 c2 b1 e6 f7 g8 e2 f1";
    let mut expected: Vec<&str> = back.split(' ').collect();
    expected.sort();
    assert_eq!(from_d4("yabsW", ALONE), expected);
    // A knight, and from each of its squares on as a bishop, outward.
    let knight = "c6 b7 a8 e6 f7 g8 c2 b1 e2 f1 b5 a6 f5 g6 h7 b3 a2 f3 g2 h1";
    let mut expected: Vec<&str> = knight.split(' ').collect();
    expected.sort();
    assert_eq!(from_d4("NmpaflyafrFmpafryaflF", ALONE), expected);
    assert_eq!(from_d4("fyafsF", ALONE), ["a5", "b5", "c6", "c7", "c8", "e6", "e7", "e8", "f5", "g5", "h5"]);
}

#[test]
fn what_stands_on_the_square_of_the_step_bars_the_slide() {
    let enemy = "8/8/8/4x3/3R4/8/8/8";
    // The enemy on e5 is taken by the griffon's step alone, and nothing behind it is reached.
    let griffon = from_d4("FyafsF", enemy);
    assert!(griffon.contains(&"e5".into()) && !griffon.iter().any(|to| ["e6", "f5"].contains(&to.as_str())));
    // Over it, or by taking it.
    let over = from_d4("mpyafsF", enemy);
    assert!(over.contains(&"e6".into()) && over.contains(&"f5".into()) && !over.contains(&"e5".into()));
    let taking = from_d4("cyafsF", enemy);
    assert!(!taking.is_empty() && taking.iter().all(|mv| mv.starts_with("xe5")), "{taking:?}");
    assert_eq!(taking.len(), 6);
}

/// Files wrap on ranks 4 and 5 only: the seam joins h4 with a4 and h5 with a5.
#[test]
fn a_board_is_round_in_part() {
    let from = |kind: &str, movement: &str, setup: &str| -> Vec<String> {
        let script = format!(
            r#"board(8, 8, #{{ patches: ["a1-h8", "h4-h5 a4-a5"] }}); piece("man", "{kind}", "{movement}");
            setup("{setup} w"); fn turn() {{ play(any()) }}"#
        );
        moves(&start(&game(&script))).into_iter().map(|mv| mv[2..].to_string()).collect()
    };
    assert_eq!(from("K", "K", "8/8/8/8/7K/8/8/8"), ["a3", "a4", "a5", "g3", "g4", "g5", "h3", "h5"]);
    assert_eq!(from("W", "W", "8/8/8/W7/8/8/8/8"), ["a4", "a6", "b5", "h5"]);
    // Rank 3 ends at h3 as ever.
    assert_eq!(from("W", "W", "8/8/8/8/8/7W/8/8"), ["g3", "h2", "h4"]);
    assert_eq!(from("R", "R", "8/8/8/8/7R/8/8/8").len(), 14);
    let bishop = from("B", "B", "8/8/8/8/7B/8/8/8");
    assert_eq!(bishop, ["a3", "a5", "b2", "b6", "c1", "c7", "d8", "e1", "e7", "f2", "f6", "g3", "g5"]);
}
