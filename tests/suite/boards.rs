//! Boards of other shapes: hexagons, joined edges, holes; and the questions that depend on geometry.

use crate::common::Random;
use crate::sketch::{listed, names, placed, play, sketch, start, text, wrong};
use astragal_core::{Filter, Safety, Side, Square, SquareSet, movegen};
use std::collections::BTreeSet;

const HEXES: &str = r#"board(11, 11, #{cells: "hex", hexagon: true}); sides(["White", "Black"]);"#;

/// Gliński's array. Counted by hand: nine pawns with a step and, except for the one that meets its opponent, a double step;
/// bishops 12, knights 2 of 4, rooks 2 of 3, queen 6, king 2: 51 moves.
const GLINSKI: &str = r#"
    piece("king", "K", "K", #{royal: true}); piece("queen", "Q", "Q"); piece("rook", "R", "R");
    piece("bishop", "B", "B"); piece("knight", "N", "N");
    piece("pawn", "P", "mfWcflfrWifmnD", #{promotes: "queen"});
    setup("*****bknrp1/****qb2p2/***n1b1p3/**r3p4/*ppppp5/11/5PPPPP*/4P3R**/3P1B1N***/2P2BK****/1PRNQB***** w");
"#;

#[test]
fn hexagonal_chess_begins_with_fifty_one_moves() {
    let loaded = sketch(&format!("{HEXES}{GLINSKI}"));
    let mut state = start(&loaded);
    let moves = names(&state);
    assert_eq!(moves.len(), 51);
    // f5 may not jump over or onto f7; the others may go two.
    assert!(moves.contains(&"f5f6".into()) && !moves.contains(&"f5f7".into()) && moves.contains(&"e4e6".into()));
    play(&mut state, "e4e6");
    assert!(text(&state).contains(" b "));
    // Black's array is White's upside down, but for the pawns that now meet f5, e6 and each other.
    assert!(names(&state).contains(&"f7e6".into()), "{:?}", names(&state));
}

/// Cube coordinates: three numbers whose sum is 0.
fn cube((file, rank): (i32, i32)) -> [i32; 3] {
    [file, rank - file, -rank]
}

/// Whether a cube vector is a rook's, a bishop's, a knight's.
fn sorts(v: [i32; 3]) -> (bool, bool, bool) {
    let rook = v.contains(&0);
    let bishop = v[0] == v[1] || v[1] == v[2] || v[0] == v[2];
    let mut sizes = v.map(i32::abs);
    sizes.sort_unstable();
    (rook, bishop, sizes == [1, 2, 3])
}

/// A ray from cell to cell is open if no cell strictly between them, at whole fractions of the ray, is occupied.
fn open(from: (i32, i32), to: (i32, i32), full: &BTreeSet<(i32, i32)>) -> bool {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    full.iter().all(|&(x, y)| {
        let (ex, ey) = (x - from.0, y - from.1);
        let on_line = dx * ey == dy * ex && ex * dx + ey * dy > 0;
        let nearer = ex.abs().max(ey.abs()) < dx.abs().max(dy.abs());
        !(on_line && nearer)
    })
}

#[test]
fn riders_on_hexagons_go_as_their_coordinates_say() {
    let men = r#"piece("rook", "R", "R"); piece("bishop", "B", "B"); piece("queen", "Q", "Q");
        piece("knight", "N", "N"); piece("king", "K", "K"); setup("*****6/****7/***8/**9/*10/11/10*/9**/8***/7****/6***** w");"#;
    let loaded = sketch(&format!("{HEXES}{men}"));
    let variant = &loaded.set.variant;
    let board = variant.board();
    let place = |s: Square| (i32::from(board.file(s)), i32::from(board.rank(s)));
    let cells: Vec<Square> = board.squares().into_iter().collect();
    assert_eq!(cells.len(), 91);
    let mut random = Random::new(11);
    for _ in 0..300 {
        let kind = random.below(5);
        let from = *random.pick(&cells);
        let mut pieces = vec![(from, 0, kind as u8)];
        for _ in 0..random.below(20) {
            let square = *random.pick(&cells);
            if pieces.iter().all(|p| p.0 != square) {
                pieces.push((square, 1, 0));
            }
        }
        let position = placed(variant, &pieces);
        let full: BTreeSet<_> = pieces.iter().map(|p| place(p.0)).collect();
        let expected: SquareSet = cells
            .iter()
            .copied()
            .filter(|&to| {
                let (a, b) = (cube(place(from)), cube(place(to)));
                let v = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
                let (rook, bishop, knight) = sorts(v);
                // A bishop's first cell is a knight's step short: its rays pass between cells.
                let straight = open(place(from), place(to), &full);
                let near = v.map(i32::abs).into_iter().max() == Some(1)
                    || bishop && v.map(i32::abs).into_iter().max() == Some(2);
                to != from
                    && match kind {
                        0 => rook && straight,
                        1 => bishop && straight,
                        2 => (rook || bishop) && straight,
                        3 => knight,
                        _ => near,
                    }
            })
            .collect();
        let mut moves = Vec::new();
        movegen::generate(variant, &position, Side(0), Safety::Pseudo, Filter::ALL, &mut moves);
        let found: SquareSet = moves.iter().map(|mv| mv.to).collect();
        assert_eq!(found, expected, "kind {kind} on {}", board.name(from));
        assert_eq!(moves.len() as u32, found.len());
    }
}

/// A game with one man, whose rule answers a question by what may be chosen.
fn chosen(declarations: &str, question: &str) -> String {
    let text = format!(r#"{declarations} fn turn() {{ choose(mover(), {question}); play(any()) }}"#);
    let state = start(&sketch(&text));
    let board = state.ruleset().variant.board().clone();
    let name = |choice: &astragal_core::Choice| match choice {
        astragal_core::Choice::Square(square) => board.name(*square),
        other => format!("{other:?}"),
    };
    state.choices().iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn neighbours_steps_and_lines_know_the_board() {
    let square = r#"board(5, 5); piece("man", "M", "W"); setup("5/5/2m2/5/M4 w");"#;
    assert_eq!(chosen(square, r#"around("a1")"#), "b1 a2 b2");
    assert_eq!(chosen(square, r#"around(["a1", "b1"])"#), "c1 a2 b2 c2");
    assert_eq!(chosen(square, r#"squares([step("c3", 1, 2)])"#), "d5");
    assert_eq!(chosen(square, r#"between("a1", "d4")"#), "b2 c3");
    assert_eq!(chosen(square, r#"between("a1", "a4") | between("a1", "c2")"#), "a2 a3");

    let ring = r#"board(6, 4, #{wrap: "files", holes: "c3"}); piece("man", "M", "W"); setup("6/2*3/6/M5 w");"#;
    assert_eq!(chosen(ring, r#"around("a1")"#), "b1 f1 a2 b2 f2");
    assert_eq!(chosen(ring, r#"shifted(["a1", "f1"], 1, 1)"#), "a2 b2");
    assert_eq!(chosen(square, r#"shifted(["a1", "b2"], -1, 1)"#), "a3");
    assert_eq!(chosen(ring, r#"between("e1", "b1")"#), "a1 f1");
    assert_eq!(chosen(ring, r#"between("b2", "d4") | squares([step("f2", 1, 1)])"#), "a3");

    let hex = r#"board(5, 5, #{cells: "hex", hexagon: true}); sides(["A", "B"]); piece("man", "M", "W");
        setup("**3/*4/5/4*/M2** w");"#;
    assert_eq!(chosen(hex, r#"around("c3")"#), "b2 c2 b3 d3 c4 d4");
    assert_eq!(chosen(hex, r#"around("a1")"#), "b1 a2 b2");
    assert_eq!(chosen(hex, r#"between("a1", "e5") | squares([step("c3", 1, 0)])"#), "b2 c3 d3 d4");
}

#[test]
fn tests_pick_squares_out_of_a_set() {
    let men = r#"board(5, 5); piece("man", "M", "W"); piece("rook", "R", "R"); setup("5/5/2m2/5/M3R w");"#;
    let pick = |question: &str| chosen(men, question);
    assert_eq!(pick(r#"squares("a1-e5").where(|s| !s.is_empty)"#), "a1 e1 c3");
    assert_eq!(pick(r#"squares("a1-e5").where(|s| s.kind == "man" && s.side == opponent())"#), "c3");
    // Neighbours of both men, each looked at by a question of its own.
    assert_eq!(pick(r#"around("c3").where(|s| !(around(s) & squares("a1")).is_empty)"#), "b2");
    // Where the man could stand without being attacked: the rook holds its lines, unless he takes it.
    let safe = r#"squares("d1-e5").where(|s| !suppose(|| relocate("c3", s), || s in attacked_by(mover())))"#;
    assert_eq!(pick(safe), "e1 d2 d3 d4 d5");
    // A test in a test, and what a closure has captured.
    let nested = r#"squares("a1-b2").where(|s| squares("c1-c5").where(|t| distance(s, t) == 2).count() == 4)"#;
    // Two steps from a1 are c1 to c3, from a2 also c4; from b1 and b2 one square of file c.
    assert_eq!(pick(nested), "a2");
    // The same function, asked of squares and of moves, makes two tests.
    let shared = r#"fn turn() { let wanted = |it| it == square("c3");
        choose(mover(), squares("b3-d3").where(wanted)); play(any().where(|mv| wanted.call(mv.to)).or_else(any())) }"#;
    let state = start(&sketch(&format!("{men} {shared}")));
    assert_eq!(state.choices().len(), 1);
}

#[test]
fn what_is_supposed_is_done_once_in_tests() {
    let men = r#"board(5, 5); piece("man", "M", "W"); setup("5/5/2m2/5/M4 w");"#;
    // Exchanged twice the men would be where they were.
    let squares = r#"suppose(|| swap("a1", "c3"), || squares("a1 c3").where(|s| s.side == opponent()))"#;
    assert_eq!(chosen(men, squares), "a1");
    let moves = r#"suppose(|| swap("a1", "c3"), || targets(any().where(|mv| mv.from.side == mover())))"#;
    assert_eq!(chosen(men, moves), "c2 b3 d3 c4");
    let within = r#"squares("a1 c3").where(|s| suppose(|| swap("a1", "c3"), || s.side == mover()))"#;
    assert_eq!(chosen(men, within), "c3");
}

#[test]
fn tests_of_squares_only_ask() {
    let men = r#"board(5, 5); piece("man", "M", "W"); setup("5/5/2m2/5/M4 w");"#;
    let fault = |test: &str| {
        let text = format!("{men} fn turn() {{ let s = squares(\"a1-c3\").where({test}); play(to(s)) }}");
        let loaded = sketch(&text);
        match astragal_core::State::new(loaded.set.clone(), loaded.start.clone()) {
            Ok(_) => panic!("this plays: {test}"),
            Err(error) => error.to_string(),
        }
    };
    for (test, words) in [
        ("|s| { remove(s); true }", "can only read the game, not change it"),
        ("|s| 7", "a test must return true or false, not a number"),
        ("|s| roll(\"1d6\") == 6", "cannot roll or ask for choices"),
        ("|s| choose([\"yes\", \"no\"]) == \"yes\"", "cannot roll or ask for choices"),
    ] {
        let said = fault(test);
        assert!(said.contains(words), "{test}: {said}");
    }
    let top = format!("{men} let s = squares(\"a1\").where(|s| true); fn turn() {{ play(any()) }}");
    assert!(wrong(&top).contains("in rules, not at the top level"), "{}", wrong(&top));
}

#[test]
fn groups_hang_together_by_neighbours() {
    let men = r#"board(5, 4, #{wrap: "files"}); piece("man", "M", "W"); setup("M1M2/5/2MM1/M4 w");"#;
    let own = "squares_of(mover())";
    assert_eq!(chosen(men, &format!("largest_group({own})")), "c2 d2");
    // a1 and b2 would touch c2 and, round the seam, e2 and d2: a chain of all five.
    let chain = men.replace("2MM1/M4", "1MMMM/M4");
    assert_eq!(chosen(&chain, &format!("largest_group({own})")), "a1 b2 c2 d2 e2");
    assert_eq!(chosen(&chain, &format!("group(\"c4\", {own})")), "c4");
    let hex = r#"board(3, 3, #{cells: "hex"}); sides(["A", "B"]); piece("man", "M", "W"); setup("1M1/1M1/M2 w");"#;
    // On hexagons a1 touches b2 along the diagonal, but not b1's other neighbour c1.
    assert_eq!(chosen(hex, r#"group("a1", squares_of(mover()))"#), "a1 b2 b3");
    assert_eq!(chosen(&hex.replace("M2 w", "2M w"), r#"group("c1", squares_of(mover()))"#), "c1");
}

#[test]
fn distances_go_round_joined_edges_and_along_hexagons() {
    let asks = |board: &str, question: &str, value: i64| {
        let text =
            format!(r#"{board} fn turn() {{ if {question} == {value} {{ play(any()) }} else {{ play(nothing()) }} }}"#);
        assert!(!names(&start(&sketch(&text))).is_empty(), "{question} is not {value}");
    };
    asks(r#"board(8, 8); piece("man", "M", "W"); setup("8/8/8/8/8/8/8/M7 w");"#, r#"distance("a1", "h3")"#, 7);
    let ring = r#"board(8, 8, #{wrap: "both"}); piece("man", "M", "W"); setup("8/8/8/8/8/8/8/M7 w");"#;
    asks(ring, r#"distance("a1", "h3")"#, 2);
    asks(ring, r#"distance("a1", "e5")"#, 4);
    let hex = r#"board(5, 5, #{cells: "hex"}); sides(["A", "B"]); piece("man", "M", "W"); setup("5/5/5/5/M4 w");"#;
    asks(hex, r#"distance("a1", "e5")"#, 4);
    asks(hex, r#"distance("a5", "e1")"#, 8);
    asks(hex, r#"square("c4").rank_for(side("B"))"#, 2);
}

#[test]
fn moves_toward_and_by_length_know_the_board() {
    let hex = r#"board(5, 5, #{cells: "hex", hexagon: true}); sides(["A", "B"]); piece("rook", "R", "R");
        setup("**3/*4/2R2/4*/3** w");"#;
    let permit = |p: &str| listed(&format!("{hex} fn turn() {{ play({p}) }}"));
    assert_eq!(permit("toward(0, 1)"), "c3c4 c3c5");
    assert_eq!(permit("toward(1, 1)"), "c3d4 c3e5");
    assert_eq!(permit("toward(1, 0)"), "c3d3 c3e3");
    assert_eq!(permit("steps(2)"), "c3a1 c3a3 c3c1 c3c5 c3e3 c3e5");
    assert_eq!(permit("steps(1, 2).longest()"), "c3a1 c3a3 c3c1 c3c5 c3e3 c3e5");
    assert_eq!(permit("steps(1).longest() & toward(0, -1)"), "c3c2");

    let ring = r#"board(6, 3, #{wrap: "files"}); piece("rook", "R", "R"); setup("6/5R/6 w");"#;
    let permit = |p: &str| listed(&format!("{ring} fn turn() {{ play({p}) }}"));
    assert_eq!(permit("toward(1, 0) & steps(1, 2)"), "f2a2 f2b2");
    assert_eq!(permit("toward(-1, 0) & steps(2)"), "f2d2");
}

#[test]
fn longest_keeps_the_longest_move_of_each_man_in_each_direction() {
    let game = r#"board(6, 4); piece("rook", "R", "R"); setup("6/6/2r3/R2R2 w");"#;
    // a1 up: free for three; right: two, d1 is its own. d1 left: two; right: two; up: three.
    assert_eq!(listed(&format!("{game} fn turn() {{ play(any().longest()) }}")), "a1a4 a1c1 d1b1 d1d4 d1f1");
    assert_eq!(listed(&format!("{game} fn turn() {{ play(steps(1, 2).longest()) }}")), "a1a3 a1c1 d1b1 d1d3 d1f1");
}

#[test]
fn sliders_stop_at_holes_and_go_round_rings() {
    let ring = r#"board(8, 3, #{wrap: "files", holes: "d2"}); piece("rook", "R", "R"); piece("king", "K", "K", #{royal: true});
        setup("8/R2*4/8 w");"#;
    // Right as far as the hole, left round the ring as far as the hole: each square of the rank once.
    assert_eq!(listed(ring), "a2a1 a2a3 a2b2 a2c2 a2e2 a2f2 a2g2 a2h2");
    // The rook checks round the seam; the king may not stay on its file or on the ring's rank.
    let check = r#"board(8, 3, #{wrap: "files"}); piece("rook", "R", "R"); piece("king", "K", "K", #{royal: true});
        setup("8/K5r1/8 w");"#;
    assert_eq!(listed(check), "a2a1 a2a3 a2b1 a2b3 a2h1 a2h3");
}

#[test]
fn a_hexagon_has_three_ways_forward_for_three_sides() {
    let three = r#"board(5, 5, #{cells: "hex", hexagon: true}); sides(["A", "B", "C"], #{letters: "abc"});
        piece("man", "M", "fW"); setup("**3/*4/2M2/4*/3** a");"#;
    assert_eq!(listed(three), "c3c4");
    assert_eq!(listed(&three.replace("2M2/4*/3** a", "2m2/4*/3** b")), "c3d3");
    assert_eq!(listed(&three.replace("2M2/4*/3** a", "2M'2/4*/3** c")), "c3b2");
}

#[test]
fn what_hexagons_do_not_know_is_refused() {
    assert!(wrong(&format!("{HEXES} piece(\"man\", \"M\", \"C\");")).contains("W F D A H G N K Q R B"));
    assert!(wrong("board(8, 8, #{cells: \"hex\", hexagon: true});").contains("as many files as ranks"));
    assert!(wrong("board(8, 8, #{cells: \"triangle\"});").contains("\"square\" or \"hex\""));
    assert!(wrong("board(8, 8); sides([\"A\", \"B\"], #{forward: [\"up\", \"down left\"]});").contains("up"));
}
