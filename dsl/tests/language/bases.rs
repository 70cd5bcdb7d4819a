//! Games on a base that state only what differs: pieces changed after the base has declared them.

use crate::common::{game, moves, play, start, text};

/// The moves of a game based on chess whose script makes these changes before its set-up.
fn on_chess(changes: &str, setup: &str) -> Vec<String> {
    let script = format!(
        r#"import "chess" as chess; chess::army(); region("camp", "a5-h8");
        {changes} setup("{setup}"); fn turn() {{ play(any()) }}"#
    );
    moves(&start(&game(&script)))
}

#[test]
fn a_pawn_without_promotion() {
    let setup = "7k/P7/8/8/8/8/8/7K w";
    let pawn = |changes: &str| -> Vec<String> {
        on_chess(changes, setup).into_iter().filter(|mv| mv.starts_with("a7")).collect()
    };
    assert_eq!(pawn(""), ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]);
    assert_eq!(pawn(r#"piece("pawn", #{ promotes: () });"#), ["a7a8"]);
    assert_eq!(pawn(r#"piece("pawn", #{ promotes: "rook" });"#), ["a7a8r"]);
    // The last word counts, and what is taken away may be given again.
    assert_eq!(pawn(r#"piece("pawn", #{ promotes: () }); piece("pawn", #{ promotes: "king" });"#), ["a7a8k"]);
}

#[test]
fn a_zone_of_its_own() {
    let setup = "7k/8/8/8/P7/8/8/7K w";
    let pawn = |changes: &str| on_chess(changes, setup).into_iter().filter(|mv| mv.starts_with("a4")).count();
    assert_eq!(pawn(r#"piece("pawn", #{ home: "far rank" });"#), 1);
    // What the base promotes to stays.
    assert_eq!(pawn(r#"piece("pawn", #{ home: "far rank", zone: "camp" });"#), 4);
    assert_eq!(pawn(r#"piece("pawn", #{ home: "far rank", zone: "camp", forced: false });"#), 5);
    assert_eq!(pawn(r#"piece("pawn", #{ home: "far rank", zone: "camp" }); piece("pawn", #{ zone: () });"#), 1);
}

#[test]
fn a_king_that_is_not_royal() {
    let attacked = "7k/8/8/8/8/8/4r3/4K3 w";
    assert_eq!(on_chess("", attacked), ["e1d1", "e1e2", "e1f1"]);
    assert_eq!(on_chess(r#"piece("king", #{ royal: false });"#, attacked), ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"]);
}

#[test]
fn another_movement_keeps_the_rest() {
    let script = r#"import "chess" as chess; chess::army();
        piece("rook", #{ takes: "pawn" }); piece("rook", #{ betza: "R2", letter: "T" });
        setup("7k/8/8/8/p7/8/p7/Tn5K w"); fn turn() { play(pieces("rook")) }"#;
    // Two squares at most, and no knight is taken.
    assert_eq!(moves(&start(&game(script))), ["a1a2"]);
    let script = script.replace("fn turn", r#"piece("rook", #{ takes: () }); fn turn"#);
    assert_eq!(moves(&start(&game(&script))), ["a1a2", "a1b1"]);
    let script = script.replace("fn turn", r#"moves("rook", "F"); fn turn"#);
    assert_eq!(moves(&start(&game(&script))), ["a1a2", "a1b1", "a1b2"]);
    // What was added to a movement goes with it.
    let script = script.replace("fn turn", r#"piece("rook", #{ betza: "W" }); fn turn"#);
    assert_eq!(moves(&start(&game(&script))), ["a1a2", "a1b1"]);
}

#[test]
fn hands_and_clocks_are_changed_too() {
    let script = r#"import "chess" as chess; chess::army(); hands();
        piece("queen", #{ in_hand: "pawn" }); piece("pawn", #{ clock: false, drops_apart: true });
        setup("7k/8/8/8/8/2p5/1q1P4/R6K w"); fn turn() { play(any()) }"#;
    let mut state = start(&game(script));
    play(&mut state, "d2d4");
    play(&mut state, "b2a1");
    assert_eq!(text(&state), "7k/8/8/8/3P4/2p5/8/q6K[r] w - - 0 2");
    let script = script.replace("R6K w", "6RK w").replace(r#"in_hand: "pawn""#, "in_hand: ()");
    let mut state = start(&game(&script));
    play(&mut state, "d2d3");
    assert_eq!(text(&state), "7k/8/8/8/8/2pP4/1q6/6RK[] b - - 1 1");
}

/// A script that imports a script with changes gets them where it calls for them, and only there.
#[test]
fn changes_of_a_base_are_its_own_until_it_is_called() {
    let script = r#"import "rerolled-army" as army; piece("king", "K", "K", #{ royal: true });
        setup("8/8/8/8/8/8/8/k6K w"); fn turn() { play(any()) }"#;
    let loaded = game(script);
    assert_eq!((loaded.set.variant.kinds().len(), loaded.set.variant.royals().0.count_ones()), (1, 1));
}

/// An end of the base with points of one's own, which are awarded before the base ends the game.
#[test]
fn an_end_of_the_base_with_points() {
    let script = r#"import "chess" as chess; chess::setup(); chess::draw_options();
        fn turn() { play(any()) }
        fn outcome() {
            if !between_turns() { return; }
            if mated(to_move()) { award(mover(), if has(to_move(), "queen") { 2 } else { 1 }); }
            chess::mate_or_draw();
        }"#;
    let loaded = game(script);
    let mut state = start(&loaded);
    for name in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        play(&mut state, name);
    }
    let over = state.over().expect("a mate");
    assert_eq!((over.winner.map(|side| side.0), over.reason.as_str()), (Some(1), "checkmate"));
    // In half points; White had the queen still.
    let points = over.points.expect("points");
    assert_eq!((points[0], points[1]), (0, 4));
}
