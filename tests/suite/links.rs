//! Boards that state which squares are next to each other: sewn from patches, or made of drawn lines.
//!
//! What pieces reach on the board for three players was worked out without the engine, from a picture of the board: 96
//! quadrilaterals, of which two are neighbors if they share two corners. A rook leaves a square by the edge opposite to the
//! one by which it entered; a bishop goes through a corner to the squares that share only this corner with it and are two
//! edges around; a knight goes straight over two edges and aside over one, or over one and aside over two.

use crate::sketch::{listed, names, placed, play, sketch, start, text, wrong};
use astragal_core::attack::attackers;
use astragal_core::{Filter, Safety, Side, Square, SquareSet, movegen};

const THREE: &str = r#"board(12, 12, #{ patches: [
        "a1-h4", "a5-d8 i5-l8", "h9-e12 i9-l12", "a5-d8 / a1-d4", "e9-h12 / e1-h4", "i9-l12 / i8-l5"
    ] });
    sides(["Red", "White", "Black"], #{ letters: "rwb", forward: ["up", "down, up on e9-l12", "down, up on a5-l8"] });"#;
const MEN: &str = r#"piece("rook", "R", "R"); piece("bishop", "B", "B"); piece("knight", "N", "N"); piece("king", "K", "K");
    piece("pawn", "P", "mfWcefFimfnD", #{ promotes: "rook" });"#;
const EMPTY: &str = "12/12/12/12/12/12/12/12/12/12/12/12 r";

/// Where the kind goes from a square, with enemies on others; there are as many moves as targets.
fn reached(kind: u8, from: &str, enemies: &str) -> String {
    let loaded = sketch(&format!("{THREE}{MEN} setup(\"{EMPTY}\");"));
    let variant = &loaded.set.variant;
    let board = variant.board();
    let square = |name: &str| board.parse(name).unwrap();
    let mut pieces = vec![(square(from), 0, kind)];
    pieces.extend(enemies.split_whitespace().map(|name| (square(name), 1, 0)));
    let mut moves = Vec::new();
    movegen::generate(variant, &placed(variant, &pieces), Side(0), Safety::Pseudo, Filter::ALL, &mut moves);
    let mut to: Vec<String> = moves.iter().map(|mv| board.name(mv.to)).collect();
    to.sort();
    to.join(" ")
}

#[test]
fn lines_through_the_middle_go_on_both_ways() {
    assert_eq!(reached(1, "d4", ""), "a1 a7 b2 b6 c3 c5 e3 e9 f10 f2 g1 g11 h12 i5 j6 k7 l8");
    assert_eq!(reached(1, "i5", ""), "a1 b2 b8 c3 c7 d4 d6 e9 f10 g11 h12 j6 j9 k10 k7 l11 l8");
    // Three kings' steps from the middle the square across has another color: no diagonal leads there.
    assert_eq!(reached(1, "e4", ""), "a8 b1 b7 c2 c6 d3 d5 f3 f9 g10 g2 h1 h11 i9 j10 k11 l12");
    // A rook has fourteen squares from everywhere, as on the board for two.
    assert_eq!(reached(0, "i9", ""), "e9 f9 g9 h9 i10 i11 i12 i5 i6 i7 i8 j9 k9 l9");
    assert_eq!(reached(2, "d4", ""), "b3 b5 c2 c6 e10 e2 f3 f9 i6 j5");
    assert_eq!(reached(2, "d3", ""), "b2 b4 c1 c5 e1 e9 f2 f4 i5");
    assert_eq!(reached(3, "d4", ""), "c3 c4 c5 d3 d5 e3 e4 e9 i5");
    // One way is barred, the other is not; nothing is reached twice.
    assert_eq!(reached(1, "b2", "e9"), "a1 a3 c1 c3 d4 e9 i5 j6 k7 l8");
    assert_eq!(reached(1, "b2", "d4"), "a1 a3 c1 c3 d4");
}

/// Sums over all squares, each piece alone.
#[test]
fn all_squares_for_three_together() {
    let loaded = sketch(&format!("{THREE}{MEN} setup(\"{EMPTY}\");"));
    let variant = &loaded.set.variant;
    assert_eq!(variant.board().squares().len(), 96);
    let count = |kind: u8| -> usize {
        let one = |square: Square| {
            let mut moves = Vec::new();
            let position = placed(variant, &[(square, 0, kind)]);
            movegen::generate(variant, &position, Side(0), Safety::Pseudo, Filter::ALL, &mut moves);
            let targets: SquareSet = moves.iter().map(|mv| mv.to).collect();
            assert_eq!(targets.len() as usize, moves.len());
            moves.len()
        };
        variant.board().squares().into_iter().map(one).sum()
    };
    assert_eq!([count(0), count(1), count(2), count(3)], [1344, 936, 528, 636]);
    // Whatever one piece reaches is attacked, and comes back: neither steps nor leaps know a direction.
    for kind in 0..4 {
        for from in variant.board().squares() {
            for to in variant.board().squares().into_iter().filter(|to| *to != from) {
                let attacked = |a: Square, b: Square| {
                    attackers(variant, &placed(variant, &[(a, 0, kind), (b, 1, 0)]), b, Side(0)).contains(a)
                };
                assert_eq!(attacked(from, to), attacked(to, from), "{from:?} {to:?}");
            }
        }
    }
}

#[test]
fn each_side_has_its_own_ahead_everywhere() {
    // On the fourth rank of the middle files a pawn takes three ways.
    assert_eq!(reached(4, "d4", "c5 e9 i5 d3"), "c5 d5 e9 i5");
    let game = |position: &str| listed(&format!("{THREE}{MEN} setup(\"{position}\");"));
    // White's pawn on i5 goes on into Black's half, one step or, as the array has it there, two, and takes d4 and e9 beyond
    // the middle, and j9.
    let white = "12/12/12/****R4R2/12/12/12/4****p3/3R4****/12/12/12 w";
    assert_eq!(game(white), "i5d4 i5e9 i5i10 i5i9 i5j9");
    // Black's on i9 goes into White's half, where ahead is down in the names of squares no more.
    let black = "12/12/12/****4P'3/12/12/12/12/12/12/12/12 b";
    assert_eq!(game(black), "i9i5 i9i6");
    // Promotion on the last rank of either opponent.
    assert_eq!(game("12/****P7/12/12/12/12/12/12/12/12/12/12 r"), "e11e12r");
    assert_eq!(game("12/12/12/12/12/P11/12/12/12/12/12/12 r"), "a7a8r");
}

#[test]
fn passing_pawns_are_taken_over_a_seam() {
    let loaded = sketch(&format!("{THREE}{MEN} setup(\"12/12/12/12/12/12/1p10/12/P11/12/12/12 r\");"));
    let mut state = start(&loaded);
    // Home is where the array has pawns. From a4 over the seam a double step passes a5, which White's b6 attacks.
    play(&mut state, "a4a6");
    assert_eq!(names(&state), ["b6a5", "b6b4", "b6b5"]);
    play(&mut state, "b6a5");
    assert!(!text(&state).contains('P'), "{}", text(&state));
}

/// A game with one man, whose rule answers a question by what may be chosen.
fn chosen(board: &str, question: &str) -> String {
    let state = start(&sketch(&format!(
        r#"{board} piece("man", "M", "K"); setup("{}"); fn turn() {{ choose(mover(), {question}); play(any()) }}"#,
        if board.contains("12, 12") { "12/12/12/12/12/12/12/12/12/12/12/M11 r" } else { "7/7/7/7/7/7/M6 w" }
    )));
    let board = state.ruleset().variant.board().clone();
    let name = |choice: &astragal_core::Choice| match choice {
        astragal_core::Choice::Square(square) => board.name(*square),
        other => format!("{other:?}"),
    };
    state.choices().iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn questions_follow_what_is_next_to_what() {
    assert_eq!(chosen(THREE, r#"around("d4")"#), "c3 d3 e3 c4 e4 c5 d5 i5 e9");
    assert_eq!(chosen(THREE, r#"between("b2", "k7")"#), "c3 d4 i5 j6");
    assert_eq!(chosen(THREE, r#"between("h10", "k10")"#), "e10 f10 g10 i10 j10");
    assert_eq!(chosen(THREE, r#"shifted("d4", 1, 1)"#), "i5 e9");
    assert_eq!(chosen(THREE, r#"squares([step("e4", 0, 1), step("l5", 0, -1)])"#), "e9 l9");
    let number = |what: &str| chosen(THREE, &format!("[{what}]"));
    assert_eq!(number(r#"distance("a1", "l12")"#), r#"Text("8")"#);
    assert_eq!(number(r#"distance("d4", "i9")"#), r#"Text("2")"#);
    assert_eq!(number(r#"square("e12").rank_for(mover())"#), r#"Text("8")"#);
    assert_eq!(number(r#"square("a1").rank_for("Black")"#), r#"Text("8")"#);
}

const MORRIS: &str = r#"board(7, 7, #{ lines: [
        "a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7",
        "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7"
    ] });"#;

#[test]
fn pieces_on_drawn_lines_go_along_these_alone() {
    let moves =
        |betza: &str, rows: &str| listed(&format!(r#"{MORRIS} piece("man", "M", "{betza}"); setup("{rows} w");"#));
    assert_eq!(moves("K", "7/7/7/7/7/7/M6"), "a1a4 a1d1");
    assert_eq!(moves("W", "7/7/7/7/7/3M3/7"), "d2b2 d2d1 d2d3 d2f2");
    assert_eq!(moves("R", "7/7/7/7/7/7/M6"), "a1a4 a1a7 a1d1 a1g1");
    // d3 and d5 are on no common line, and no diagonal is drawn.
    assert_eq!(moves("R", "7/7/7/7/3M3/7/7"), "d3c3 d3d1 d3d2 d3e3");
    assert_eq!(moves("B", "7/7/7/7/7/7/M6"), "");
    assert_eq!(chosen(MORRIS, r#"group("a1", around("a1") | squares("a1 g7"))"#), "a1 d1 a4");
    assert_eq!(chosen(MORRIS, r#"region("far rank") - squares("a7 d7 g7")"#), "d3 c5 e5 b6 f6");
}

/// Alquerque: diagonals from every other point; a man steps along a line, or jumps an enemy on it.
#[test]
fn diagonals_are_there_where_they_are_drawn() {
    let lines = r#"board(5, 5, #{ lines: ["a1-e1", "a2-e2", "a3-e3", "a4-e4", "a5-e5", "a1-a5", "b1-b5", "c1-c5", "d1-d5",
        "e1-e5", "a1-e5", "a5-e1", "a3-c5", "a3-c1", "c1-e3", "c5-e3"] });"#;
    let moves =
        |betza: &str, rows: &str| listed(&format!(r#"{lines} piece("man", "M", "{betza}"); setup("{rows} w");"#));
    assert_eq!(moves("K", "5/5/2M2/5/5"), "c3b2 c3b3 c3b4 c3c2 c3c4 c3d2 c3d3 c3d4");
    assert_eq!(moves("K", "5/5/5/2M2/5"), "c2b2 c2c1 c2c3 c2d2");
    assert_eq!(moves("cafmK", "5/3m1/2M2/2m2/5"), "c3xc2c1 c3xd4e5");
}

#[test]
fn what_does_not_fit_is_told() {
    let board = |options: &str| {
        wrong(&format!(r#"board(4, 4, #{{ {options} }}); piece("man", "M", "W"); setup("4/4/4/4 w");"#))
    };
    let cases = [
        (r#"patches: ["a1-b1", "a1 c1"]"#, "the same direction from a1 leads to b1 in one patch, but to c1 in another"),
        (r#"patches: ["a1-d1 / a2-c2"]"#, "the rows of the patch \"a1-d1 / a2-c2\" have different widths"),
        (r#"patches: ["a1-b2 c1-c3"]"#, "c1-c3 and the block before it have different heights"),
        (r#"patches: ["a1-b3-d3"]"#, "the corners of \"a1-b3-d3\" are not those of a rectangle"),
        (r#"patches: ["a1-e4"]"#, "\"a1-e4\" is not a block of squares on this board"),
        (r#"patches: []"#, "a board can have 1 to 256 patches, not 0"),
        (r#"patches: ["a1-d4"], wrap: "files""#, "neither works with"),
        (r#"lines: ["a1"]"#, "a line must join 2 to 256 squares"),
        (r#"lines: ["a1-b3"]"#, "\"a1-b3\" is not an unbroken row of squares"),
        (r#"lines: ["a1 b1", "a1 c1"]"#, "the same direction from a1 leads to b1 in one line, but to c1 in another"),
    ];
    for (options, expected) in cases {
        assert!(board(options).contains(expected), "{options}: {}", board(options));
    }
    let three = |more: &str| wrong(&format!("{THREE}{more}{MEN} setup(\"{EMPTY}\");"));
    assert!(three(r#"region("camp", "a1-h1");"#).contains("cannot be rotated for the other sides"));
    assert!(
        three(r#"look(#{ places: #{ "a1-d4": [[0, 0], [4, 0], [4, 4]] } });"#).contains("does not have four corners")
    );
    assert!(three(r#"look(#{ places: #{ "a1-d4": [[0, 0], [4, 0], [4, 4], [0, 4]] } });"#).contains("e1 has no place"));
    let sides =
        |forward: &str| wrong(&format!(r#"board(4, 4); sides(["A", "B"], #{{ forward: ["up", "{forward}"] }});"#));
    assert!(sides("down, up a1").contains("does not name the squares"));
    assert!(sides("down, up on a1, left on a1-b2").contains("gives two directions for a1"));
}

/// A side whose forward direction differs on some squares, on a plain board: pawns that go around a corner.
#[test]
fn pawns_may_turn_on_a_plain_board() {
    let script = r#"board(4, 4); sides(["A", "B"], #{ forward: ["up, right on a4-d4", "down"] });
        piece("pawn", "P", "mfW"); setup("P3/P3/4/4 w");"#;
    assert_eq!(listed(script), "a4b4");
}

/// Blocks of a patch may be mirrored or lie on their sides: the three sides of a cube that meet in a corner.
#[test]
fn three_faces_of_a_cube() {
    let script = r#"board(6, 4, #{ patches: ["a1-b2 c1-d2", "a3-b4 / a1-b2", "a3-b4 c2-c1-d1"], holes: "c3-f4 e1-f2" });
        piece("king", "K", "K"); piece("rook", "R", "R"); piece("bishop", "B", "B");"#;
    let from = |piece: &str| listed(&format!("{script} setup(\"6/6/1{piece}4/6 w\");"));
    // Where three squares meet in a corner, no diagonal leads through it.
    assert_eq!(from("B"), "b2a1 b2a3 b2c1");
    assert_eq!(from("R"), "b2a2 b2b1 b2b3 b2b4 b2c2 b2d2");
    assert_eq!(from("K"), "b2a1 b2a2 b2a3 b2b1 b2b3 b2c1 b2c2");
}
