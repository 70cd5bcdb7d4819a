//! Preparations in positions and records, and partners who win together. Who moves and who decides is tested in
//! `plays/game_flow.play`.

use crate::common::{game, moves, play, roll, start, text};
use astragal_core::{Side, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::{game_text, record, turn_state_text};

const STONES: &str = r#"board(5, 3); sides(["First", "Second"]); piece("man", "M", "W"); royals("capturable");"#;
const FOUR: &str = r#"board(4, 4); sides(["A", "B", "C", "D"], #{ letters: "abcd", teams: [1, 2, 1, 2] });
    piece("rook", "R", "R"); piece("king", "K", "K", #{ royal: true });"#;

#[test]
fn preparation_comes_before_the_first_turn_and_once() {
    let script = r#"setup("5/5/5 w");
        fn prepare() {
            for player in [mover(), opponent()] {
                place(step(square("c2"), if player == side("First") { 0 - roll("1d2") } else { roll("1d2") }, 0), player, "man");
            }
            next(side("Second"));
        }
        fn turn() { play(any()) }
        fn outcome() { if !has(side("First"), 1) || !has(side("Second"), 1) { draw("nobody") } }"#;
    let loaded = game(&format!("{STONES} {script}"));
    let mut state = start(&loaded);
    // Nobody has won by the empty board: that is judged after the preparation.
    assert_eq!(state.status(), Status::Chance);
    roll(&mut state, &[2]);
    roll(&mut state, &[1]);
    assert_eq!(text(&state), "5/M2m1/5 b - - 0 1");
    assert_eq!(state.chooser(), Side(1));
    play(&mut state, "d2c2");
    play(&mut state, "a2b2");
    // A position of a game is prepared, even that of the array, unless it says otherwise.
    let position = |text: &str| fen::parse(&loaded.set.variant, text).expect("a position").position;
    assert_eq!(fen::write(&loaded.set.variant, &loaded.start), "5/5/5 w - - 0 1 prepare=1");
    let begun = astragal_core::State::new(loaded.set.clone(), position("5/5/5 w")).expect("a game");
    assert_eq!(begun.over().map(|over| over.reason.as_str()), Some("nobody"));
}

#[test]
fn preparations_are_recorded_and_gone_on_with() {
    let script = r#"setup("5/5/5 w");
        fn prepare() { place(draw_from(squares("a1-a3")), mover(), "man"); place(draw_from(squares("e1-e3")), opponent(), "man"); }
        fn turn() { play(any()) }"#;
    let loaded = game(&format!("{STONES} {script}"));
    let mut played = astragal_core::Game::new(loaded.set.clone(), loaded.start.clone(), 3).expect("a game");
    played.set_roll(&[2]).expect("a roll");
    let half = astragal_dsl::turn_state_text::position(&loaded, &played);
    let placed = fen::parse(&loaded.set.variant, &half).expect("a position");
    let again = turn_state_text::begin(&loaded, placed, 3).expect("the same game");
    assert_eq!(again.state().position(), played.state().position());
    assert_eq!(again.status(), Status::Chance);
    played.set_roll(&[3]).expect("a roll");
    assert_eq!(fen::write(&loaded.set.variant, played.state().position()), "4m/M4/5 w - - 0 1");
    let saved = record::write(&loaded, &played, &[]);
    let (_, read) = record::read(&saved, |_, _| Ok(loaded.clone())).expect("a record");
    assert_eq!(read.state().position(), played.state().position());
}

#[test]
fn partners_do_not_check_and_win_together() {
    let script = r#"setup("K'2R/4/r3/3K a"); royals("capturable");
        fn turn() { play(any()) }
        fn outcome() { if count("king") < 2 { win(mover(), "king captured") } }"#;
    let loaded = game(&format!("{FOUR} {script}"));
    let mut state = start(&loaded);
    // The rook of A neither checks nor takes the king of its partner; B's rook could take it.
    assert_eq!(loaded.set.variant.spec().sides.len(), 4);
    assert!(!moves(&state).contains(&"d4a4".into()), "{:?}", moves(&state));
    play(&mut state, "d4d3");
    play(&mut state, "a2a4");
    assert_eq!(game_text::result(&state).as_deref(), Some("B and D win: king captured."));
    assert_eq!((game_text::winners(&state), record::result(&state)), (vec![Side(1), Side(3)], "0-1"));
}
