//! Regions whose squares are told of each side: home rows, palaces and zones of promotion that are no images of one another.

mod common;

use astragal_core::{Game, State};
use astragal_dsl::{Severity, Source, check, explain, load};
use common::{game, moves, play, start};

/// Why a script is refused, in one line: reports are broken between words.
fn refusal(text: &str) -> String {
    let source = Source { name: "game".into(), path: None, text: text.into() };
    let report = load(&source, &[]).err().map(|error| error.render(false)).unwrap_or_default();
    report.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The errors and warnings of `check`.
fn checked(text: &str) -> String {
    let source = Source { name: "game".into(), path: None, text: text.into() };
    let found = check(&source);
    found.iter().filter(|one| one.severity != Severity::Note).map(|one| one.render(false)).collect()
}

/// Three runners on a board with two directions, each with a home row of its own: nothing can be turned for the third.
const HOMES: &str = r#"board(5, 4);
    sides(["Red", "Green", "Blue"], #{ letters: "rgb", forward: ["up", "down", "up"] });
    piece("runner", "R", "mK");
    region("home", ["a4-b4", "d1-e1", "e4"]);
    setup("5/1R'3/R3r/5 r");
    fn turn() {
        let mv = play(any());
        if mv != () && mv.to in region("home", side("Red")) { label("in Red's home"); }
    }
    fn outcome() { if !(squares_of(mover(), "runner") & region("home")).is_empty { win(mover(), "home"); } }"#;

#[test]
fn home_rows() {
    let loaded = game(HOMES);
    let winner = |state: &State| state.over().and_then(|over| over.winner).map(|side| side.0);
    // Green comes to e1.
    let mut state = start(&loaded);
    play(&mut state, "a2a1");
    assert_eq!(winner(&state), None);
    play(&mut state, "e2e1");
    assert_eq!(winner(&state), Some(1));
    // Blue passes through Red's home on b4, Red stands on d1 in Green's: nobody is at home there.
    let mut state = start(&loaded);
    for (mv, side) in [("a2b1", 0), ("e2e3", 1), ("b3b4", 2), ("b1c1", 0), ("e3d2", 1), ("b4c4", 2), ("c1d1", 0)] {
        assert_eq!((state.mover().0, winner(&state)), (side, None), "{mv}");
        play(&mut state, mv);
        assert_eq!(state.label(), (mv == "b3b4").then_some("in Red's home"), "{mv}");
    }
    // Red stands on Green's home, Blue comes to its own.
    for (mv, side) in [("d2d3", 1), ("c4d4", 2), ("d1d2", 0), ("d3c3", 1)] {
        assert_eq!((state.mover().0, winner(&state)), (side, None), "{mv}");
        play(&mut state, mv);
    }
    play(&mut state, "d4e4");
    assert_eq!(winner(&state), Some(2));
}

/// Palaces that face each other across the corner: a turn of the board would not bring the one onto the other.
const PALACES: &str = r#"board(6, 6);
    piece("general", "G", "W", #{ royal: true, within: "palace" });
    piece("guard", "A", "F", #{ within: "palace" });
    region("palace", ["a1-b3", "d5-f6"]);
    setup("4ag/6/6/6/6/GA4 w");
    fn turn() { play(any()); }
    fn outcome() {
        if in_check(mover()) && !can_move(mover()) { win(opponent(), "mate"); }
        if clock_reached(20) { draw("quiet"); }
    }"#;

#[test]
fn palaces() {
    let loaded = game(PALACES);
    let mut state = start(&loaded);
    // The general on a1 goes up; the guard on b1 goes to a2 alone, for c2 is outside.
    assert_eq!(moves(&state), ["a1a2", "b1a2"]);
    play(&mut state, "a1a2");
    // Black's palace is two ranks high: f6 leads to f5, the guard on e6 to d5 and f5.
    assert_eq!(moves(&state), ["e6d5", "e6f5", "f6f5"]);
    play(&mut state, "f6f5");
    assert_eq!(moves(&state), ["a2a1", "a2a3", "a2b2"]);
    play(&mut state, "a2a3");
    // From f5 the only way down, to f4, is barred.
    assert_eq!(moves(&state), ["e6d5", "f5e5", "f5f6"]);
    let shut = game(&PALACES.replace("4ag/6/6/6/6/GA4 w", "6/5g/6/6/6/G5 b"));
    let waits = Game::new(shut.set.clone(), shut.start.clone(), 1).expect("a game");
    let said = explain::why(&shut, &waits, "f5f4").expect("squares of the board");
    assert!(!said.permitted && said.text().contains("never leaves the region \"palace\""), "{}", said.text());
    assert_eq!(checked(PALACES), "");
}

/// A handicap: White's pawns promote on either of the last two ranks, Black's on the last one only.
const ZONES: &str = r#"board(4, 6); royals("capturable");
    piece("pawn", "P", "fmWfcF", #{ promotes: ["rook"], zone: "camp" });
    piece("rook", "R", "R");
    region("camp", ["a5-d6", "a1-d1"]);
    setup("4/4/P3/3p/4/4 w");
    fn turn() { play(any()); }
    fn outcome() { if !has(mover(), "pawn") && !has(opponent(), "pawn") { draw("no pawns"); } }"#;

#[test]
fn zones_of_promotion() {
    let loaded = game(ZONES);
    let mut state = start(&loaded);
    // White promotes from a4 on a5, the last rank but one.
    assert_eq!(moves(&state), ["a4a5r"]);
    play(&mut state, "a4a5r");
    // Black's pawn on d3 goes to d2 as a pawn, and promotes on d1.
    assert_eq!(moves(&state), ["d3d2"]);
    play(&mut state, "d3d2");
    play(&mut state, "a5a6");
    assert_eq!(moves(&state), ["d2d1r"]);
    assert_eq!(checked(ZONES), "");
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let with = |region: &str| PALACES.replace(r#"region("palace", ["a1-b3", "d5-f6"]);"#, region);
    let few = refusal(&with(r#"region("palace", ["a1-b3"]);"#));
    assert!(few.contains("the region \"palace\" has squares for 1 sides, and there are 2"), "{few}");
    assert!(few.contains("give an array with a text for each side, or one text for all"), "{few}");
    let many = refusal(&with(r#"region("palace", ["a1-b3", "d5-f6", "c3"]);"#));
    assert!(many.contains("squares for 3 sides, and there are 2") && many.contains(":4:"), "{many}");
    // The misread square is pointed at, in the text of its side.
    let off = refusal(&with(r#"region("palace", ["a1-b3", "d5-g6"]);"#));
    assert!(off.contains("\"d5-g6\" is no square or rectangle of this board"), "{off}");
    assert!(off.lines().any(|line| line.contains("game.rhai:4:") || line.contains("game:4:")), "{off}");
    let both = refusal(&with(r#"region("palace", ["a1-b3", "d5-f6"], #{ same_for_all: true });"#));
    assert!(both.contains("\"same_for_all\" means nothing here"), "{both}");
    // On a board with more sides than directions one text cannot be turned, and is told how to go on.
    let turned = refusal(
        &HOMES
            .replace(r#"["Red", "Green", "Blue"]"#, r#"["A", "B", "C", "D", "E"]"#)
            .replace(r#", #{ letters: "rgb", forward: ["up", "down", "up"] }"#, "")
            .replace(r#"["a4-b4", "d1-e1", "e4"]"#, r#""a4""#),
    );
    assert!(turned.contains("give an array with the squares of each side"), "{turned}");
}
