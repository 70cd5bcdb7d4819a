//! Moves as values: their chances, and games with them in records and positions. How they are drawn, made and compared is
//! tested in `plays/named_moves.play`.

use crate::common::{choices, game, moves, play, roll, start, text};
use astragal_core::{Event, Game, Ratio, Reply, State, Status, Stream, odds};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, Source, game_text, record, turn_state_text};
use std::sync::Arc;

/// A king and a pawn against a king: chance moves for whoever's turn it is.
const BLIND: &str = r#"import "chess" as chess; chess::setup();
    fn turn() { let mv = draw_move(any()); if mv != () { make(mv); } }
    fn outcome() { if between_turns() && !can_move(to_move()) { draw("no move"); } }"#;

/// A game of a script from a position.
fn from(script: &str, position: &str) -> State {
    let loaded = game(script);
    let placed = fen::parse(&loaded.set.variant, position).expect("a position");
    State::new(loaded.set.clone(), placed.position).expect("a game")
}

const TWO: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/// Counted by hand: six moves, each with chance 1/6.
#[test]
fn chances_name_the_move() {
    let state = from(BLIND, TWO);
    let next = odds::next_roll(&state).expect("odds");
    assert_eq!(next.len(), 6);
    assert!(next.iter().all(|(chance, ..)| *chance == Ratio::new(1, 6)));
    // Two moves that lead to one position are told apart as long as the move is spoken of.
    let two = r#"board(3, 1); piece("man", "M", "W"); setup("M1M w");
        fn turn() { let mv = draw_move(any()); choose(["yes", "no"]); make(mv); }"#;
    let state = start(&game(two));
    assert_eq!(game_text::drawn(&state), ["a1b1", "c1b1"]);
    assert_eq!(odds::outcomes(&state).expect("exact").len(), 2);
}

/// A drawn move is shown before it is accepted or declined; it is in records and in the text of a turn in progress.
const OFFERED: &str = r#"board(5, 2); piece("man", "M", "W"); piece("rider", "R", "R"); setup("mr3/MR3 w");
    fn turn() {
        let mv = draw_move(any());
        if mv == () { return; }
        let on = "leave " + mv.from.name;
        if choose(["take", on]) == "take" { make(mv); if mv.kind == "rider" { label("rode"); } } else { play(pieces("man")); }
    }"#;

#[test]
fn games_with_drawn_moves_are_kept() {
    let chess = format!("{BLIND} fn nothing() {{ last_move(mover()) == () }}");
    for script in [OFFERED.to_owned(), chess] {
        let loaded = game(&script);
        let source = Source { name: "game".into(), path: None, text: script.clone() };
        for seed in 0..6 {
            let played = random_game(&loaded, seed);
            let written = record::write(&loaded, &played, &[]);
            let (_, again) = record::read(&written, |_, _| astragal_dsl::load(&source, &[]))
                .unwrap_or_else(|e| panic!("{e}\n{written}"));
            let events = |game: &Game| game.entries().iter().map(|entry| entry.event.clone()).collect::<Vec<_>>();
            assert_eq!(events(&again), events(&played), "{written}");
            let named = game_text::rolled(&start(&loaded), events(&played)[0].faces());
            assert!(written.contains(&format!("[%roll {named}]")), "{written}");
            let whole = turn_state_text::position(&loaded, &played);
            let placed = fen::parse(&loaded.set.variant, &whole).unwrap();
            let resumed = turn_state_text::begin(&loaded, placed, 0).unwrap();
            assert_eq!(resumed.state().position(), played.state().position(), "{whole}");
            assert_eq!(resumed.state().choices(), played.state().choices(), "{whole}");
            assert_eq!(random_game(&loaded, seed).state().position(), played.state().position());
        }
    }
}

trait Faces {
    fn faces(&self) -> &[i16];
}

impl Faces for Event {
    fn faces(&self) -> &[i16] {
        if let Event::Roll(faces) = self { faces } else { &[] }
    }
}

fn random_game(loaded: &Loaded, seed: u64) -> Game {
    let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).unwrap();
    let mut random = Stream::new(seed, 7);
    for _ in 0..40 {
        match game.status() {
            Status::Over => break,
            Status::Chance => game.roll().map(drop).unwrap(),
            Status::Move | Status::Choice => {
                let index = random.below(game.state().replies() as u64) as usize;
                match game.state().nth_reply(index).unwrap() {
                    Reply::Move(paid) => game.play(paid).unwrap(),
                    Reply::Choice(index) => game.choose(index).unwrap(),
                    _ => unreachable!("nobody passes here"),
                }
            }
        }
    }
    game
}

/// Refusal: one side names a move, and the other may forbid it; a forbidden move cannot be played.
const REFUSAL: &str = r#"board(4, 2); piece("man", "M", "W"); piece("rider", "R", "R"); setup("mr2/MR2 w"); royals("capturable");
    fn turn() {
        let mv = choose(any(), #{ ask: "Which move do you offer?", or: "resign" });
        if mv == "resign" { return win(opponent(), "resigned"); }
        if choose(opponent(), ["accept", "refuse"], #{ ask: "Do you take " + mv.kind + " to " + mv.to.name + "?" }) == "accept" {
            make(mv);
        } else {
            play(any().where(|other| other != mv), #{ ask: "Another?" });
        }
    }
    fn outcome() { if clock_reached(20) { draw("dull"); } }"#;

/// A move is programmed before the roll; afterwards, it may turn out to be impossible.
#[test]
fn a_programmed_move_may_have_become_impossible() {
    let script = r#"board(3, 2); piece("man", "M", "W"); setup("m2/M2 w"); royals("capturable"); counter("late", 0);
        fn turn() {
            let mv = choose(steps(1));
            if mv == () { return; }
            if roll("1d2") == 1 { remove(mv.from); }
            make(mv);
            if !mv.done { add("late", 1); }
        }"#;
    let loaded = game(script);
    let mut state = start(&loaded);
    play(&mut state, "a1b1");
    let mut gone = state.clone();
    roll(&mut gone, &[1]);
    assert_eq!(text(&gone), "m2/3 b - - 0 1 late=1");
    roll(&mut state, &[2]);
    assert_eq!(text(&state), "m2/1M1 b - - 1 1");
    // A move of a game, as odds and complete turns see it: named, then a half each.
    let next = odds::outcomes(&{
        let mut state = start(&loaded);
        play(&mut state, "a1b1");
        state
    });
    assert_eq!(next.expect("exact").iter().map(|one| one.probability).collect::<Vec<_>>(), [Ratio::new(1, 2); 2]);
}

#[test]
fn games_with_named_moves_are_kept() {
    let loaded = game(REFUSAL);
    let source = Source { name: "game".into(), path: None, text: REFUSAL.into() };
    for seed in 0..8 {
        let mut random = Stream::new(seed, 3);
        let mut played = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).unwrap();
        for _ in 0..20 {
            if played.status() == Status::Over {
                break;
            }
            let pick = random.below(played.state().replies() as u64) as usize;
            match played.state().nth_reply(pick).unwrap() {
                Reply::Move(paid) => played.play(paid).map(drop),
                Reply::Choice(index) => played.choose(index).map(drop),
                Reply::Pass | Reply::Roll(_) => played.pass().map(drop),
            }
            .unwrap();
            let whole = turn_state_text::position(&loaded, &played);
            let placed = fen::parse(&loaded.set.variant, &whole).unwrap_or_else(|e| panic!("{whole}: {e}"));
            let resumed = turn_state_text::begin(&loaded, placed, 0).unwrap_or_else(|e| panic!("{whole}: {e}"));
            if played.status() != Status::Over {
                assert_eq!(moves(resumed.state()), moves(played.state()), "{whole}");
                assert_eq!(resumed.state().names_move(), played.state().names_move(), "{whole}");
                assert_eq!(resumed.state().question(), played.state().question(), "{whole}");
            }
        }
        let written = record::write(&loaded, &played, &[]);
        assert!(!written.contains("offer"), "the question is in no record: {written}");
        let (_, again) = record::read(&written, |_, _| astragal_dsl::load(&source, &[]))
            .unwrap_or_else(|e| panic!("{e}\n{written}"));
        assert_eq!(again.state().position(), played.state().position(), "{written}");
        assert_eq!(again.entries().len(), played.entries().len(), "{written}");
    }
}

/// The words of a question change nothing: the same states with and without them.
#[test]
fn questions_change_no_number() {
    let script = r#"board(5, 2); piece("man", "M", "W"); setup("m4/M4 w"); counter("men", 3, #{ places: 3 }); counter("bid", 0);
        fn turn() {
            set("bid", choose_number(mover(), 0, 3, #{ ASK }));
            choose_held(mover(), "men", #{ ASK or: "none" });
            choose(squares("a1 b1"), #{ ASK });
            choose(["x", "y"], #{ secret: true, ASK });
            play(any(), #{ ASK });
        }"#;
    let walk = |words: &str| {
        let mut state = start(&game(&script.replace("ASK", words)));
        let mut seen = Vec::new();
        for _ in 0..5 {
            seen.push((state.status(), choices(&state), moves(&state), state.secret(), game_text::question(&state)));
            let reply = state.nth_reply(0).expect("an answer");
            match reply {
                Reply::Move(paid) => state.play(paid).unwrap(),
                Reply::Choice(index) => state.choose(index).unwrap(),
                other => panic!("{other:?}"),
            }
        }
        (seen, text(&state), state.position().hash())
    };
    let (plain, asked) = (walk(""), walk("ask: \" How many\\nmen? \","));
    assert_eq!((&plain.1, plain.2), (&asked.1, asked.2));
    for (one, other) in plain.0.iter().zip(&asked.0) {
        assert_eq!((one.0, &one.1, &one.2, one.3), (other.0, &other.1, &other.2, other.3));
        assert_eq!((one.4.as_deref(), other.4.as_deref()), (None, Some("How many men?")));
    }
}

/// A turn of several moves asks before each of them; the words change nothing.
#[test]
fn a_turn_of_several_moves_may_ask_in_words() {
    let walk = |ask: &str| {
        let script = r#"board(5, 2); piece("man", "M", "W"); setup("m4/M4 w"); counter("n", 0);
            fn turn() { play_each(roll("2d2"), |die| any(), #{ ASK or: "stop", after: |mv| { add("n", 1); } }); }"#;
        let mut state = start(&game(&script.replace("ASK", ask)));
        roll(&mut state, &[1, 2]);
        let mut seen = Vec::new();
        for name in ["a1b1", "b1c1"] {
            seen.push((moves(&state), choices(&state), game_text::question(&state)));
            play(&mut state, name);
        }
        (seen, text(&state))
    };
    let (plain, asked) = (walk(""), walk("ask: \"Which man?\","));
    assert_eq!(plain.1, asked.1);
    for (one, other) in plain.0.iter().zip(&asked.0) {
        assert_eq!((&one.0, &one.1), (&other.0, &other.1));
        assert_eq!((one.2.as_deref(), other.2.as_deref()), (None, Some("Which man?")));
    }
}
