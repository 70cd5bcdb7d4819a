//! Moves as values: one is drawn by chance, asked about, made or not, and compared with the last of a side.

mod common;

use astragal_core::{Event, Game, Note, Ratio, Reply, State, Status, Stream, TurnEnd, odds};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, Source, check, game_text, record, turn_state_text};
use common::{choices, choose, game, moves, play, roll, start, text};
use std::sync::Arc;

/// Lets what has this name be drawn.
fn draw(state: &mut State, name: &str) {
    let faces = game_text::read_roll(state, name).expect("a name");
    roll(state, &faces);
}

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

#[test]
fn a_move_is_drawn_by_name_and_made_as_if_it_were_played() {
    let mut state = from(BLIND, TWO);
    assert_eq!(state.status(), Status::Chance);
    // Four steps of the king (the pawn stands on the fifth square), two of the pawn.
    assert_eq!(game_text::drawn(&state), ["e1d1", "e1f1", "e1d2", "e1f2", "e2e3", "e2e4"]);
    assert_eq!(game_text::waits(&state), "a roll of draw(1 of 6 moves)");
    draw(&mut state, "e2e4");
    // The turn is over; the double step has left its right, and the clock begins anew.
    assert_eq!(text(&state), "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
    let ended = state.notes().iter().find_map(Note::ended).expect("a turn");
    assert_eq!(ended.end(), TurnEnd::Forced, "a move was made, and nobody decided anything");
    assert!(state.notes().iter().any(|note| matches!(note, Note::Made(_))));
}

/// Counted by hand: six moves, each with a sixth.
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

/// What has been drawn is seen before it is taken or left; it stands in records and in the text of a turn under way.
const OFFERED: &str = r#"board(5, 2); piece("man", "M", "W"); piece("rider", "R", "R"); setup("mr3/MR3 w");
    fn turn() {
        let mv = draw_move(any());
        if mv == () { return; }
        let on = "leave " + mv.from.name;
        if choose(["take", on]) == "take" { make(mv); if mv.kind == "rider" { label("rode"); } } else { play(pieces("man")); }
    }"#;

#[test]
fn a_drawn_move_is_taken_or_left() {
    let loaded = game(OFFERED);
    let mut state = start(&loaded);
    assert_eq!(game_text::drawn(&state), ["a1a2", "b1c1", "b1d1", "b1e1", "b1b2"]);
    draw(&mut state, "b1d1");
    assert_eq!(choices(&state), ["take", "leave b1"]);
    assert_eq!(text(&state), "mr3/MR3 w - - 0 1", "it is named, not made");
    let drawn = state.clone();
    choose(&mut state, "take");
    assert_eq!((text(&state).as_str(), state.label()), ("mr3/M2R1 b - - 1 1", Some("rode")));
    assert_eq!(state.notes().iter().find_map(Note::ended).map(|turn| turn.end()), Some(TurnEnd::Decided));
    let mut state = drawn;
    choose(&mut state, "leave b1");
    assert_eq!(moves(&state), ["a1a2"]);
    play(&mut state, "a1a2");
    assert_eq!(text(&state), "Mr3/1R3 b - - 0 1");
}

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

/// A made capture is resolved as a played one, and the rule then sees whether it came about.
#[test]
fn a_made_capture_is_resolved_by_the_rule_for_captures() {
    let loaded = game(
        r#"board(3, 1); piece("man", "M", "W"); setup("Mm1 w"); counter("won", 0); counter("asked", 0);
        fn turn() {
            let mv = draw_move(captures());
            if mv == () { return; }
            make(mv);
            if mv.done { add("won", 1); } else { add("won", -1); }
            if choose(["on", "end"]) == "end" { draw("enough"); }
        }
        fn capture(attacker, defender) { add("asked", 1); if roll("1d2") == 2 { take(); } else { stand_off(); } }"#,
    );
    let mut state = start(&loaded);
    draw(&mut state, "a1b1");
    assert_eq!(state.dice().map(|dice| dice.to_string()).as_deref(), Some("1d2"));
    let before = state.clone();
    roll(&mut state, &[2]);
    assert_eq!(text(&state), "1M1 w - - 0 1 won=1 asked=1");
    let mut state = before;
    roll(&mut state, &[1]);
    assert_eq!(text(&state), "Mm1 w - - 0 1 won=-1 asked=1");
    assert!(state.notes().iter().any(|note| matches!(note, Note::Failed(_))));
}

#[test]
fn what_can_no_longer_be_made_is_not_made() {
    let made = |between: &str| {
        let script = format!(
            r#"board(4, 1); piece("man", "M", "R"); setup("M2m w");
            fn turn() {{ let mv = draw_move(captures()); if mv == () {{ return; }} {between} make(mv); if mv.done {{ label("done"); }} choose(["on"]); }}"#
        );
        let mut state = start(&game(&script));
        draw(&mut state, "a1d1");
        (text(&state), state.label().is_some())
    };
    let after = |text: &str, done: bool| (text.to_owned(), done);
    assert_eq!(made(""), after("3M w - - 0 1", true));
    assert_eq!(made("make(mv);"), after("3M w - - 0 1", true), "once");
    assert_eq!(made(r#"relocate("a1", "b1");"#), after("1M1m w - - 0 1", false), "its piece has gone");
    assert_eq!(made(r#"remove("d1");"#), after("M3 w - - 0 1", false), "there is nothing to capture");
    assert_eq!(made(r#"convert("d1", mover());"#), after("M2M w - - 0 1", false), "this is another piece");
    // Supposed, it is made and not made.
    let supposed = r#"if suppose(|| make(mv), || squares_of(opponent()).is_empty) { remove("d1"); }"#;
    assert_eq!(made(supposed), after("M3 w - - 0 1", false));
}

/// Shuffling back is not allowed: the last move of either side is known.
const ONWARD: &str = r#"import "chess" as chess; chess::setup();
    fn turn() {
        let last = last_move(mover());
        play(any().where(|mv| last == () || !(mv.from == last.to && mv.to == last.from)));
    }
    fn outcome() { if between_turns() && !can_move(to_move()) { draw("no move"); } }"#;

#[test]
fn no_move_takes_back_the_last_one() {
    let loaded = game(ONWARD);
    let mut state = start(&loaded);
    play(&mut state, "g1f3");
    assert_eq!(text(&state), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1 last_move=N:g1:f3/-");
    play(&mut state, "g8f6");
    assert!(!moves(&state).contains(&"f3g1".into()));
    assert!(moves(&state).contains(&"f3h4".into()));
    play(&mut state, "f3h4");
    assert!(!moves(&state).contains(&"f6g8".into()), "the other side's knight may not go back either");
    play(&mut state, "f6h5");
    assert!(text(&state).ends_with(" last_move=N:f3:h4/n:f6:h5"));
}

/// All sorts of moves are remembered, and read back from the text.
#[test]
fn the_last_moves_stand_in_the_position() {
    let last = |fen: &str, mv: &str| {
        let mut state = from(ONWARD, fen);
        play(&mut state, mv);
        let text = text(&state);
        text.split_once("last_move=").map(|(_, rest)| rest.to_owned()).unwrap()
    };
    assert_eq!(last("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"), "P:e4:d5:p:d5/-");
    assert_eq!(last("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "P:e5:d6:p:d5:t2.255/-");
    assert_eq!(last("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n"), "P:e7:d8:r:d8:=N/-");
    assert_eq!(last("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "K:e1:g1:t3.0/-");
    let loaded = game(ONWARD);
    let wrong =
        fen::parse(&loaded.set.variant, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 last_move=N:g1").unwrap_err().to_string();
    assert!(wrong.contains("the last move of each side as 'P:e2:e4'"), "{wrong}");
}

/// To do what the other has just done, where that can be done: the same piece in the same place.
#[test]
fn moves_are_compared_and_made_again() {
    let loaded = game(
        r#"board(5, 2); piece("man", "M", "W"); setup("5/M1M1m w"); counter("same", 0);
        fn turn() {
            let last = last_move(mover());
            let mv = play(any());
            if last != () && mv == last { add("same", 1); }
            if last != () && mv != last { add("same", 10); }
            let both = last_move(mover());
            if both != mv || both.kind != "man" || both.is_capture { add("same", 100); }
            if mv.to == "b1" { relocate("b1", "a1"); make(mv); }
        }"#,
    );
    let mut state = start(&loaded);
    play(&mut state, "a1b1");
    // The man was put back; what was played is a move like any other, and was made again.
    assert_eq!(text(&state), "5/1MM1m b - - 2 1 last_move=M:a1:b1/-");
    play(&mut state, "e1d1");
    play(&mut state, "b1a1");
    assert!(text(&state).ends_with("same=10 last_move=M:b1:a1/m:e1:d1"), "{}", text(&state));
    play(&mut state, "d1e1");
    play(&mut state, "a1b1");
    play(&mut state, "e1d1");
    assert!(text(&state).contains("same=40"), "{}", text(&state));
}

fn said(script: &str) -> String {
    let source = Source { name: "game".into(), path: None, text: script.into() };
    check(&source).iter().map(|said| said.render(false)).collect::<Vec<_>>().join("\n")
}

#[test]
fn misuse_is_told() {
    let head = r#"board(3, 3); piece("man", "M", "K"); setup("m2/3/2M w");"#;
    let turn = |body: &str| said(&format!("{head} fn turn() {{ {body} }}"));
    let permit = turn("make(any());");
    assert!(permit.contains("a permit") && permit.contains("draw_move"), "{permit}");
    let nothing = turn("make(draw_move(any()));");
    assert!(nothing.contains("()"), "{nothing}");
    let inside = said(&format!(
        "{head} fn turn() {{ let mv = draw_move(any()); if mv != () {{ make(mv); }} }}
        fn capture(attacker, defender, mv) {{ make(mv); }}"
    ));
    assert!(inside.contains("take()"), "{inside}");
    let word = turn("let mv = draw_mov(any()); if mv != () { make(mv); }");
    assert!(word.contains("draw_move"), "{word}");
}

/// Refusal: a move is named, the other side forbids it or not; what is forbidden cannot be played.
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

#[test]
fn a_player_names_a_move_without_making_it() {
    let mut state = start(&game(REFUSAL));
    // A man and a rider beside each other, enemies above: a1xa2, and the rider to c1, d1 or b1xb2.
    let all = ["a1a2", "b1b2", "b1c1", "b1d1"];
    assert_eq!(
        (state.status(), state.names_move(), moves(&state)),
        (Status::Move, true, all.map(String::from).to_vec())
    );
    assert_eq!(choices(&state), ["resign"]);
    assert_eq!(game_text::question(&state).as_deref(), Some("Which move do you offer?"));
    play(&mut state, "b1b2");
    assert_eq!(text(&state), "mr2/MR2 w - - 0 1", "it is named, not made");
    assert_eq!((state.chooser().0, state.mover().0, state.names_move()), (1, 0, false));
    assert_eq!(game_text::question(&state).as_deref(), Some("Do you take rider to b2?"));
    assert!(!state.notes().iter().any(|note| matches!(note, Note::Made(_))));
    let mut accepted = state.clone();
    choose(&mut accepted, "accept");
    assert_eq!(text(&accepted), "mR2/M3 b - - 0 1");
    assert_eq!(accepted.notes().iter().find_map(Note::ended).map(|turn| turn.end()), Some(TurnEnd::Decided));
    choose(&mut state, "refuse");
    assert_eq!((state.names_move(), moves(&state)), (false, vec!["a1a2".into(), "b1c1".into(), "b1d1".into()]));
    assert_eq!(game_text::question(&state).as_deref(), Some("Another?"));
    play(&mut state, "b1d1");
    assert_eq!(text(&state), "mr2/M2R b - - 1 1");
    let mut state = start(&game(REFUSAL));
    choose(&mut state, "resign");
    assert_eq!(state.status(), Status::Over);
}

/// The other side forbids one of the moves of whoever is to move: it names a move that is not its own.
#[test]
fn a_move_of_another_side_is_forbidden() {
    let script = r#"board(3, 1); piece("man", "M", "W"); setup("1M1 w");
        fn turn() {
            let never = choose(opponent(), any());
            if never == () { label("nothing to forbid"); return; }
            play(any().where(|mv| mv != never));
        }"#;
    let mut state = start(&game(script));
    assert_eq!((state.chooser().0, state.names_move(), moves(&state)), (1, true, vec!["b1a1".into(), "b1c1".into()]));
    play(&mut state, "b1a1");
    assert_eq!((state.chooser().0, moves(&state)), (0, vec!["b1c1".into()]));
    play(&mut state, "b1c1");
    assert_eq!((text(&state).as_str(), state.label()), ("2M w - - 1 2", Some("nothing to forbid")), "Black has no man");
}

/// A move is programmed before the roll; afterwards it can be made or not.
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
        common::roll(&mut state, &[1, 2]);
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

#[test]
fn what_is_no_question_or_no_move_to_name_is_told() {
    for (turn, cure) in [
        ("choose(any(), #{ secret: true });", "a move is not named in secret"),
        ("choose([\"a\", \"b\"], #{ or: \"c\" });", "list all that may be chosen in one array"),
        ("choose([\"a\", \"b\"], #{ ask: 5 });", "\"ask\" of choose() is a text"),
        ("choose([\"a\", \"b\"], #{ ask: \" \" });", "there is none"),
        ("make(choose(any()));", "if mv != () { make(mv); }"),
        ("let mv = choose(any()); make(mv);", "`mv` may be (): `choose` gives nothing where no move is possible"),
        ("let mv = choose(any(), #{ or: \"stop\" }); make(mv);", "`mv` may be \"stop\", chosen instead of a move"),
        ("let mv = choose(any(), #{ aks: \"stop\" });", "did you mean \"ask\"?"),
    ] {
        let text = format!("board(3, 1); piece(\"man\", \"M\", \"W\"); setup(\"1M1 w\"); fn turn() {{ {turn} }}");
        let found = check(&Source { name: "game".into(), path: None, text });
        let all: String =
            found.iter().map(|one| format!("{}; {}\n", one.message, one.help.clone().unwrap_or_default())).collect();
        assert!(all.contains(cure), "{turn}: {all}");
    }
}
