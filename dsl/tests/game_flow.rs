//! Who moves, decides and wins: what comes before the first turn, turns handed over, sides that go and return,
//! partners, points, new games within a match, suppositions.

mod common;

use astragal_core::{Side, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::{game_text, record, turn_state_text};
use common::{choices, choose, game, moves, play, roll, start, text};

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
fn a_turn_handed_over_is_played_and_decided_by_the_other() {
    let script = r#"setup("5/M3m/5 w");
        fn turn() { hand_over(opponent()); play(any()); choose(["mine", "his"]); hand_over(mover()); play(any()); }"#;
    let loaded = game(&format!("{STONES} {script}"));
    let mut state = start(&loaded);
    assert_eq!((state.chooser(), state.mover()), (Side(1), Side(0)));
    assert_eq!(moves(&state), ["e2d2", "e2e1", "e2e3"]);
    play(&mut state, "e2d2");
    assert_eq!(state.chooser(), Side(1));
    choose(&mut state, "his");
    assert_eq!(state.chooser(), Side(0));
    play(&mut state, "a2b2");
    // The turn was the first side's, so the second is next, and hands over in its turn.
    assert_eq!((state.chooser(), state.mover()), (Side(0), Side(1)));
}

#[test]
fn another_player_decides_about_moves() {
    let script = r#"setup("1m3/M4/5 w");
        fn turn() { play(opponent(), any()); play_or_pass(opponent(), captures().of(opponent())); choose(["done"]); }"#;
    let loaded = game(&format!("{STONES} {script}"));
    let mut state = start(&loaded);
    // First about the mover's pieces, then about his own.
    assert_eq!((state.chooser(), moves(&state)), (Side(1), vec!["a2a1".into(), "a2a3".into(), "a2b2".into()]));
    play(&mut state, "a2a3");
    assert_eq!((state.chooser(), moves(&state), state.can_pass()), (Side(1), vec!["b3a3".into()], true));
    play(&mut state, "b3a3");
    assert_eq!((state.chooser(), state.mover()), (Side(0), Side(0)));
    assert_eq!(text(&state), "m4/5/5 w - - 0 1");
}

#[test]
fn men_of_another_side_move_by_of() {
    let script = r#"setup("5/M2mM/5 w"); fn turn() { play(captures().of(opponent()).or_else(any())) }"#;
    let loaded = game(&format!("{STONES} {script}"));
    let mut state = start(&loaded);
    assert_eq!((moves(&state), state.chooser()), (vec!["d2e2".to_string()], Side(0)));
    play(&mut state, "d2e2");
    assert_eq!(text(&state), "5/M3m/5 b - - 0 1");
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

#[test]
fn check_by_a_partner_is_none() {
    let script = r#"setup("K2R'/4/r3/3k a"); fn turn() { if in_check(mover()) { draw("check") } play(any()) }"#;
    // C's rook looks at A's king along the rank, B's along the file.
    let beside = game(&format!("{FOUR} {}", script.replace("r3", "3r")));
    assert!(start(&beside).over().is_none());
    let state = start(&game(&format!("{FOUR} {script}")));
    assert_eq!(state.over().map(|over| over.reason.as_str()), Some("check"));
}

#[test]
fn sides_that_are_out_are_skipped_and_readmitted_in_their_place() {
    let script = r#"setup("R2r/4/4/R'2r' a");
        fn turn() { if round() == 1 && mover() == side("A") { eliminate("B"); } if mover() == side("D") { readmit("B"); }
            choose(["go"]); if round() == 2 && mover() == side("A") { next(side("C")); } }"#;
    let loaded = game(&format!("{FOUR} {script}"));
    let mut state = start(&loaded);
    let mut order = Vec::new();
    for _ in 0..8 {
        order.push(state.mover().0);
        choose(&mut state, "go");
    }
    // B is out in the first round; in the second A names C as next, once; the third goes on in order.
    assert_eq!(order, [0, 2, 3, 0, 2, 3, 0, 1]);
}

#[test]
fn half_points_are_awarded_and_shown() {
    let script = r#"setup("5/M3m/5 w");
        fn turn() { award(mover(), 2); award_halves(opponent(), 2 * get("n") + 1); draw("even"); } counter("n", 1);"#;
    let state = start(&game(&format!("{STONES} {script}")));
    assert_eq!(state.over().and_then(|over| over.points), Some([4, 3, 0, 0, 0, 0, 0, 0]));
    assert_eq!(game_text::result(&state).as_deref(), Some("Draw: even (2:1½)."));
}

#[test]
fn a_match_sets_up_anew_and_keeps_its_counters() {
    let script = r#"counter("won", 0, #{ each: true }); piece_trait("mark", 7); hands();
        setup("5/Mm3/5[m] w - - 0 1 mark=a2:3,b2:4");
        fn turn() { let mv = play(captures().or_else(any())); set(mv.to, "mark", 9);
            if mv.is_capture { add("won", mover(), 1); restart(); } }
        fn outcome() { if number("won", mover()) == 2 { win(mover(), "two games") } }"#;
    let loaded = game(&format!("{STONES} {script}"));
    let mut state = start(&loaded);
    play(&mut state, "a2b2");
    assert_eq!(text(&state), "5/Mm3/5[m] b - - 0 1 won=1/0 mark=a2:3,b2:4");
    play(&mut state, "b2a2");
    play(&mut state, "a2b2");
    assert_eq!(state.over().map(|over| (over.winner, over.reason.as_str())), Some((Some(Side(0)), "two games")));
}

#[test]
fn suppositions_nest_and_leave_nothing_behind() {
    let script = r#"setup("5/M3m/5 w");
        fn turn() {
            let inner = suppose(|| remove("e2"), || suppose(|| place("c3", "Second", "man"), || count(opponent())));
            let outer = suppose(|| { remove("e2"); hand_over(opponent()) }, || can_move(opponent()));
            if inner == 1 && !outer && count(opponent()) == 1 { draw("as supposed") }
            play(any())
        }"#;
    let state = start(&game(&format!("{STONES} {script}")));
    assert_eq!(state.over().map(|over| over.reason.as_str()), Some("as supposed"));
    assert_eq!(text(&state), "5/M3m/5 w - - 0 1");
}

#[test]
fn any_player_may_be_asked_in_a_capture() {
    let script = r#"setup("5/Mm3/5 w"); fn turn() { play(captures().or_else(any())) }
        fn capture(attacker, defender) {
            if choose(defender.side, ["die", "flee"]) == "die" { return take(); }
            relocate(defender, choose(defender.side, around(defender) & empty_squares()));
        }"#;
    let loaded = game(&format!("{STONES} {script}"));
    let mut state = start(&loaded);
    play(&mut state, "a2b2");
    assert_eq!((state.chooser(), choices(&state)), (Side(1), vec!["die".to_string(), "flee".into()]));
    choose(&mut state, "flee");
    assert_eq!((state.chooser(), choices(&state).len()), (Side(1), 7));
    choose(&mut state, "c3");
    // The attacker stays where he was: what he attacked is gone.
    assert_eq!(text(&state), "2m2/M4/5 b - - 0 1");
}
