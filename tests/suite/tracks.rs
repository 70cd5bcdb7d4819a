//! Moves along tracks and ways, entering, leaving, and how other permits filter them.

use crate::sketch::{listed, names, play, roll, sketch, start, text, wrong};

const LANE: &str = r#"board(8, 1); sides(["A", "B"]); piece("man", "M", "W"); royals("capturable");
    track("lane", "a1-h1", #{same_for_all: true});"#;

/// The moves along a lane of eight squares with these men.
fn lane(men: &str, permit: &str) -> String {
    let rule = "if p.exists() { play(p) } else { choose([\"none\", \"nothing\"]) }";
    listed(&format!("{LANE} setup(\"{men} w\"); fn turn() {{ let p = {permit}; {rule} }}"))
}

#[test]
fn men_go_exactly_as_far_as_the_dice_say() {
    // Past own men and enemies; not onto an own man; the enemy met is taken.
    assert_eq!(lane("M1Mm4", r#"along("lane", 2)"#), "c1e1");
    assert_eq!(lane("M1Mm4", r#"along("lane", 3)"#), "a1d1 c1f1");
    assert_eq!(lane("M1Mm4", r#"along("lane", 3) & captures()"#), "a1d1");
    assert_eq!(lane("M1Mm4", r#"along("lane", -1)"#), "c1b1");
    assert_eq!(lane("M1Mm4", r#"along("lane", 6)"#), "a1g1");
    assert_eq!(lane("M1Mm4", r#"along("lane", 0)"#), "");
}

#[test]
fn what_stands_between_may_bar_the_way() {
    let men = "M1Mm4";
    assert_eq!(lane(men, r#"along("lane", 4, #{passing: "nobody"})"#), "");
    assert_eq!(lane(men, r#"along("lane", 1, 9, #{passing: "nobody"})"#), "a1b1 c1d1");
    assert_eq!(lane(men, r#"along("lane", 3, 4, #{passing: "own"})"#), "a1d1");
    assert_eq!(lane(men, r#"along("lane", 3, #{passing: "enemies"})"#), "c1f1");
    assert_eq!(lane(men, r#"along("lane", 2, #{passing: "hop"})"#), "c1xd1e1");
    assert_eq!(lane(men, r#"along("lane", 2, 4, #{passing: "hop"})"#), "c1xd1e1 c1xd1f1 c1xd1g1");
}

#[test]
fn a_count_past_the_end_is_lost_stops_or_stops_for_the_last_man() {
    assert_eq!(lane("4M1M1", r#"along("lane", 3)"#), "e1h1");
    assert_eq!(lane("4M1M1", r#"along("lane", 3, #{end: "stop"})"#), "e1h1 g1h1");
    assert_eq!(lane("4M1M1", r#"along("lane", 4, #{end: "last"})"#), "e1h1");
    assert_eq!(lane("4M1M1", r#"along("lane", 4, #{end: "stop"})"#), "e1h1 g1h1");
}

#[test]
fn closed_tracks_go_round_and_turned_ones_are_each_sides_own() {
    let round = r#"board(3, 3); sides(["A", "B"]); piece("man", "M", "W"); track("round", "a1-c1 c2 c3-a3 a2", #{closed: true});"#;
    let moves =
        |men: &str, n: i64| listed(&format!("{round} setup(\"{men}\"); fn turn() {{ play(along(\"round\", {n})) }}"));
    assert_eq!(moves("3/M2/3 w", 1), "a2a1");
    assert_eq!(moves("3/M2/3 w", 3), "a2c1");
    // Half a turn of the same ring: b1 is the second side's b3, and it goes on to a3.
    assert_eq!(moves("1m1/3/3 b", 1), "b3a3");
    let own = r#"board(3, 2); sides(["A", "B"]); piece("man", "M", "W"); track("row", ["a1-c1", "c1-a1"]);"#;
    assert_eq!(listed(&format!("{own} setup(\"3/M1m b\"); fn turn() {{ play(along(\"row\", 1)) }}")), "c1b1");
}

/// Points of two squares: a single man can be hit, and two block the way.
#[test]
fn men_heap_on_points() {
    let points = r#"board(4, 2); sides(["A", "B"]); piece("man", "M", "W"); hands("owner");
        track("points", ["[a1-a2] [b1-b2] [c1-c2] [d1-d2]", "[d1-d2] [c1-c2] [b1-b2] [a1-a2]"]);
        fn turn() { let n = roll("1d3"); play(enter("points", n).or_else(along("points", n))) }"#;
    let rolled = |men: &str, die: i16| {
        let mut state = start(&sketch(&format!("{points} setup(\"{men}\");")));
        roll(&mut state, &[die]);
        state
    };
    // Of the heap on a, the upper man moves: onto the first free square of c, not onto the two on b.
    assert_eq!(names(&rolled("Mm2/Mm2[] w", 2)), ["a2c1"]);
    let barred = sketch(&format!("{points} setup(\"Mm2/Mm2[] w\");"));
    let mut barred = start(&barred);
    roll(&mut barred, &[1]);
    assert!(names(&barred).is_empty());
    // A single man on b2 is hit where he stands, and goes to his owner's hand.
    let mut hit = rolled("Mm2/M3[] w", 1);
    assert_eq!(names(&hit), ["a2b2"]);
    play(&mut hit, "a2b2");
    assert_eq!(text(&hit), "1M2/M3[m] b - - 0 1");
    // Who has a man in hand must enter it, and may hit in doing so.
    roll(&mut hit, &[3]);
    assert_eq!(names(&hit), ["M@b2"]);
    play(&mut hit, "M@b2");
    assert_eq!(text(&hit), "1m2/M3[M] w - - 0 2");
}

#[test]
fn lines_join_squares_both_ways_and_men_hop_along_them() {
    // An alquerque corner: a diagonal from a1 to c3, none from b1.
    let board = r#"board(3, 3); sides(["A", "B"]); piece("man", "M", "W");
        lines("lines", ["a1-c1", "a2-c2", "a3-c3", "a1-a3", "b1-b3", "c1-c3", "a1-c3", "a3-c1"]);"#;
    let moves =
        |men: &str, permit: &str| listed(&format!("{board} setup(\"{men} w\"); fn turn() {{ play({permit}) }}"));
    assert_eq!(moves("3/1M1/3", r#"along("lines", 1)"#), "b2a1 b2a2 b2a3 b2b1 b2b3 b2c1 b2c2 b2c3");
    assert_eq!(moves("3/3/1M1", r#"along("lines", 1)"#), "b1a1 b1b2 b1c1");
    assert_eq!(moves("3/mm1/M2", r#"along("lines", 2, #{passing: "hop"})"#), "a1xa2a3 a1xb2c3");
    let joined = r#"play(to(joined("lines", "b1")) & along("lines", 1))"#;
    assert_eq!(listed(&format!("{board} setup(\"3/M2/3 w\"); fn turn() {{ {joined} }}")), "a2a1 a2b2");
}

#[test]
fn hops_take_the_man_between() {
    let game = r#"board(5, 1); sides(["A", "B"]); piece("man", "M", "W"); lines("row", ["a1-e1"]);
        setup("Mm1m1 w"); fn turn() {
            let mv = play(along("row", 2, #{passing: "hop"}));
            while mv != () && (along("row", 2, #{passing: "hop"}) & from(mv.to)).exists() {
                mv = play(along("row", 2, #{passing: "hop"}) & from(mv.to));
            }
        }
        fn outcome() { if count(side("B")) == 0 { win(side("A"), "all taken"); } }"#;
    let mut state = start(&sketch(game));
    play(&mut state, "a1xb1c1");
    assert_eq!(names(&state), ["c1xd1e1"]);
    play(&mut state, "c1xd1e1");
    assert_eq!(text(&state).split(' ').next(), Some("4M"));
}

#[test]
fn ways_lend_any_move_to_own_men() {
    let board =
        r#"board(3, 3); sides(["A", "B"]); piece("man", "M", "fW", #{promotes: "chief"}); piece("chief", "C", "K");"#;
    let moves =
        |men: &str, permit: &str| listed(&format!("{board} setup(\"{men} w\"); fn turn() {{ play({permit}) }}"));
    assert_eq!(moves("m2/1C1/M1M", r#"way("a1", squares("a2 a3 b2 c1"))"#), "a1a2 a1a3c");
    assert_eq!(moves("m2/1C1/M1M", r#"way("a1", squares("a2 b2"), #{own: true})"#), "a1a2 a1b2");
    assert_eq!(moves("m2/1C1/M1M", r#"way(squares_of(mover()), squares("a3")) & pieces("chief")"#), "b2a3");
    assert_eq!(moves("m2/1C1/M1M", r#"way(squares_of(mover()), squares("a3")) - pieces("chief")"#), "a1a3c c1a3c");
    assert_eq!(moves("m2/1C1/M1M", r#"pieces("man") | way("b2", "b3")"#), "a1a2 b2b3 c1c2");
    assert_eq!(moves("m2/1C1/M1M", r#"any() - way("b2", empty_squares())"#), "a1a2 b2a3 c1c2");
}

#[test]
fn lent_moves_heed_the_safety_of_the_king() {
    let game =
        r#"board(3, 3); piece("king", "K", "K", #{royal: true}); piece("rook", "R", "R"); setup("1r1/1R1/1K1 w");"#;
    let moves = |permit: &str| listed(&format!("{game} fn turn() {{ play({permit}) }}"));
    assert_eq!(moves(r#"way("b2", squares("a1 b3 c3"))"#), "b2b3");
    assert_eq!(moves(r#"way("b2", squares("a1 b3 c3")).even_if_attacked()"#), "b2a1 b2b3 b2c3");
}

#[test]
fn places_on_a_track_are_numbered_from_one() {
    let game = format!(
        r#"{LANE} setup("M6m w"); fn turn() {{
            if place_on("lane", "c1") != 3 || place_on("lane", "h1", side("B")) != 8 {{ return; }}
            play(along("lane", 1, 7) & to(on_track("lane", 4, 5)))
        }}"#
    );
    assert_eq!(listed(&game), "a1d1 a1e1");
}

#[test]
fn pushes_stop_at_lines_that_are_too_long() {
    let men = r#"board(6, 1); sides(["A", "B"]); piece("man", "M", "W"); royals("capturable"); setup("M1m1m1 w");"#;
    let moves = |permit: &str| listed(&format!("{men} fn turn() {{ play({permit} & toward(1, 0)) }}"));
    // One step is free, two push the first man next to the second, a third would push both.
    assert_eq!(moves("pushes(3)"), "a1d1");
    assert_eq!(moves("pushes(3, #{line: 1})"), "a1c1");
    assert_eq!(moves("pushes(3, #{line: 0})"), "a1b1");
    assert_eq!(moves("pushes(3, #{line: 1, fewer: true})"), "a1b1 a1c1");
    assert_eq!(moves("pushes(5, #{line: 1, over_edge: true})"), "a1c1");
    assert_eq!(moves("pushes(5, #{line: 2, over_edge: true})"), "a1f1");
}

#[test]
fn effects_push_lines_up_to_the_edge_or_over_it() {
    let board = r#"board(5, 1); sides(["A", "B"]); piece("man", "M", "W"); royals("capturable");"#;
    let after = |men: &str, effect: &str| {
        let game = format!("{board} setup(\"{men} w\"); fn turn() {{ {effect}; choose([\"on\", \"off\"]); }}");
        text(&start(&sketch(&game))).split(' ').next().unwrap_or_default().to_string()
    };
    assert_eq!(after("Mm1m1", r#"push("a1", 1, 0)"#), "1Mmm1");
    assert_eq!(after("M1mmm", r#"push("c1", 1, 0)"#), "M1mmm");
    assert_eq!(after("M1mmm", r#"push_off("c1", 1, 0)"#), "M2mm");
    assert_eq!(after("M1mmm", r#"push_off("b1", 1, 0)"#), "M1mmm");
}

#[test]
fn pushes_follow_hexagons() {
    let hex = r#"board(5, 5, #{cells: "hex", hexagon: true}); sides(["A", "B"]); piece("man", "M", "W"); royals("capturable");
        setup("**3/*2m1/2M2/4*/3** w"); fn turn() { play(pushes(1)) }"#;
    let mut state = start(&sketch(hex));
    assert_eq!(names(&state), ["c3b2", "c3b3", "c3c2", "c3c4", "c3d3", "c3d4"]);
    play(&mut state, "c3d4");
    assert_eq!(text(&state).split(' ').next(), Some("**2m/*2M1/5/4*/3**"));
}

#[test]
fn tracks_that_do_not_fit_are_refused() {
    let bad = |track: &str| wrong(&format!("board(4, 3); piece(\"man\", \"M\", \"W\"); {track}"));
    assert!(bad(r#"track("t", "a1 z9");"#).contains("not a square or row"));
    assert!(bad(r#"track("t", "a1-b3");"#).contains("unbroken row"));
    assert!(bad(r#"track("t", "[a1 b1");"#).contains("`[` is never closed"));
    assert!(bad(r#"track("t", ["a1 b1"]);"#).contains("2 sides, but 1"));
    assert!(bad(r#"track("t", "a1 b1"); track("t", "a1");"#).contains("already"));
    assert!(bad(r#"track("t", "a1 b1", #{ring: true});"#).contains("has no option"));
}

#[test]
fn declared_drops_bind_what_can_move() {
    let game = r#"board(3, 3); piece("king", "K", "K", #{royal: true}); piece("pawn", "P", "fW",
        #{drops_to: "not last", drops_apart: true}); hands(); region("not last", "a1-c2");"#;
    let drops = |fen: &str| listed(&format!("{game} setup(\"{fen}\"); fn turn() {{ play(drops()) }}"));
    assert_eq!(drops("2k/3/K2[P] w"), "P@a2 P@b1 P@b2 P@c1 P@c2");
    assert_eq!(drops("2k/1P1/K2[P] w"), "P@a2 P@c1 P@c2");
    // The second side sees the board turned: its last rank is the lowest.
    assert_eq!(drops("2k/3/K2[p] b"), "P@a2 P@a3 P@b2 P@b3 P@c2");
}
