//! Permits of castling and of en passant, by who takes part and by letter.

mod common;

use astragal_core::State;
use astragal_dsl::notation::fen;
use common::{game, moves, start};

/// The moves of White that a permit admits, in a game whose king castles with a rook and with a cannon.
fn admitted(permit: &str) -> Vec<String> {
    let script = format!(
        r#"piece("king", "K", "K", #{{ royal: true }}); piece("rook", "R", "R"); piece("cannon", "C", "mRcpR");
        setup("4k3/8/8/8/8/8/8/R3K2C w KQ - 0 1");
        castling("K", "e1g1", "h1f1"); castling("Q", "e1c1", "a1d1");
        fn turn() {{ play({permit}) }}"#
    );
    moves(&start(&game(&script)))
}

const SHORT: [&str; 1] = ["e1g1"];
const LONG: [&str; 1] = ["e1c1"];
const BOTH: [&str; 2] = ["e1c1", "e1g1"];

#[test]
fn a_king_castles_with_whatever_is_declared() {
    assert_eq!(admitted("castling()"), BOTH);
    assert_eq!(admitted(r#"castling("rook")"#), LONG);
    assert_eq!(admitted(r#"castling("cannon")"#), SHORT);
    assert_eq!(admitted(r#"castling(["rook", "cannon"])"#), BOTH);
    // The king takes part in all of them.
    assert_eq!(admitted(r#"castling("king")"#), BOTH);
}

#[test]
fn castlings_go_by_letters_and_squares() {
    assert_eq!(admitted(r#"castling("K")"#), SHORT);
    assert_eq!(admitted(r#"castling("QK")"#), BOTH);
    assert_eq!(admitted(r#"castling(["cannon", "Q"])"#), BOTH);
    assert_eq!(admitted("castling(file(8))"), SHORT);
    assert_eq!(admitted(r#"castling("a1")"#), LONG);
    assert_eq!(admitted(r#"castling("a1 h1")"#), BOTH);
    assert_eq!(admitted(r#"castling(["h1", square("e8")])"#), SHORT);
    assert_eq!(admitted("castling(royal(mover()))"), BOTH);
    // Where the two go to matters nothing, and enemies take no part.
    assert!(admitted(r#"castling("f1 g1 c1 d1")"#).is_empty());
    assert!(admitted("castling(squares_of(opponent()))").is_empty());
}

#[test]
fn castlings_are_added_and_taken_away() {
    let rook = admitted(r#"pieces("rook")"#);
    assert_eq!(rook.len(), 10); // three squares to the right, seven up
    assert_eq!(admitted(r#"pieces("rook") | castling("rook")"#).len(), 11);
    let all = admitted("any()");
    let without = |gone: &str| -> Vec<String> { all.iter().filter(|mv| *mv != gone).cloned().collect() };
    assert_eq!(admitted(r#"any() - castling("rook")"#), without("e1c1"));
    assert_eq!(admitted(r#"any() - castling("h1")"#), without("e1g1"));
    assert_eq!(admitted(r#"castling() - castling("rook")"#), SHORT);
    assert_eq!(admitted(r#"castling("K") | castling("Q")"#), BOTH);
    assert!(admitted(r#"castling("K") & castling("rook")"#).is_empty());
    assert_eq!(admitted(r#"moves_of("king") - castling("Q")"#), ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2", "e1g1"]);
    assert_eq!(admitted(r#"castling("h1").or_else(any())"#), SHORT);
}

/// A kind that castles with nobody has no castling: dice that name kinds need no case of their own for it.
#[test]
fn a_kind_that_never_castles_permits_none() {
    let script = r#"import "chess" as chess; chess::army(); chess::castlings(true);
        setup("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"); fn turn() { play(castling(["pawn", "queen"])) }"#
        .replace("chess::castlings(true);", r#"castling("K", "e1g1", "h1f1"); castling("Q", "e1c1", "a1d1");"#);
    assert!(moves(&start(&game(&script))).is_empty());
}

/// The moves that a permit admits in a position of chess.
fn in_chess(position: &str, permit: &str) -> Vec<String> {
    let loaded = game(&format!(r#"import "chess" as chess; chess::setup(); fn turn() {{ play({permit}) }}"#));
    let placed = fen::parse(&loaded.set.variant, position).expect("a position");
    moves(&State::new(loaded.set.clone(), placed.position).expect("a game"))
}

#[test]
fn en_passant_is_a_permit() {
    let two = "4k3/8/8/pPp4p/8/8/8/4K3 w - a6c6";
    assert_eq!(in_chess(two, "en_passant()"), ["b5a6", "b5c6"]);
    assert_eq!(in_chess(two, "en_passant().or_else(any())"), ["b5a6", "b5c6"]);
    assert_eq!(in_chess(two, "any() - en_passant()"), ["b5b6", "e1d1", "e1d2", "e1e2", "e1f1", "e1f2"]);
    assert_eq!(in_chess(two, r#"captures("pawn") & en_passant() & to(file(1))"#), ["b5a6"]);
    assert_eq!(in_chess(two, "en_passant().where(|mv| mv.victim == square(\"c5\"))"), ["b5c6"]);
    // Nobody has just passed; and an ordinary capture is none.
    let none = "4k3/8/p7/1P6/8/8/8/4K3 w - -";
    assert!(in_chess(none, "en_passant()").is_empty());
    assert!(in_chess(none, "en_passant() & captures()").is_empty());
    assert_eq!(in_chess(none, "en_passant().or_else(captures())"), ["b5a6"]);
}
