//! A move or a choice in one decision: `play(permit, #{ or: .. })`.

mod common;

use astragal_core::turns;
use astragal_core::{Event, Game, Reply, Status, Stream, TurnEnd};
use astragal_dsl::game_text::{self, AnswerError};
use astragal_dsl::{Loaded, Source, check, record, turn_state_text};
use common::{choices, choose, game, moves, play, roll, start, text};
use std::sync::Arc;

/// A pig's race: each side pushes its luck or moves what it has gathered. A single stone each on a strip.
const PIG: &str = r#"board(6, 2); piece("stone", "S", "W"); setup("s5/S5 w"); counter("gathered", 0);
    fn turn() {
        set("gathered", 0);
        loop {
            let done = play(along_rank(), #{ or: ["roll again"] });
            if done != "roll again" { return; }
            let n = roll("1d6");
            if n == 1 { label("bust"); return; }
            add("gathered", n);
        }
    }
    fn along_rank() { steps(1, 5).where(|mv| mv.distance <= get("gathered")) }
    fn outcome() { }"#;

#[test]
fn a_move_and_a_choice_stand_side_by_side() {
    let loaded = game(&format!("{STAKES} setup(\"k4/5/5/5/4K w\");"));
    let mut state = start(&loaded);
    // The king on e1 has three neighbours.
    assert_eq!(state.status(), Status::Move);
    assert_eq!(moves(&state), ["e1d1", "e1d2", "e1e2"]);
    assert_eq!(choices(&state), ["double", "resign"]);
    assert_eq!((state.replies(), state.can_pass()), (5, false));
    let replies: Vec<Reply> = (0..6).map_while(|index| state.nth_reply(index)).collect();
    assert_eq!(replies.len(), 5);
    assert_eq!(replies[3..], [Reply::Choice(0), Reply::Choice(1)]);
    // Doubling asks the other side, and the turn goes on with the move.
    choose(&mut state, "double");
    assert_eq!((state.status(), choices(&state)), (Status::Choice, vec!["accept".into(), "drop".into()]));
    choose(&mut state, "accept");
    assert_eq!((moves(&state).len(), choices(&state).len()), (3, 0), "only once a turn");
    play(&mut state, "e1d2");
    assert_eq!(text(&state), "k4/5/5/3K1/5 b - - 1 1 stake=2");
    choose(&mut state, "resign");
    assert_eq!(game_text::result(&state).as_deref(), Some("White wins: resigned."));
}

/// Doubling before the move, or giving up: chess of two kings, with a stake.
const STAKES: &str = r#"board(5, 5); piece("king", "K", "K"); royals("capturable", "free"); counter("stake", 1);
    fn turn() {
        let done = play(any(), #{ or: ["double", "resign"] });
        if done == "resign" { return win(opponent(), "resigned"); }
        if done == "double" {
            if choose(opponent(), ["accept", "drop"]) == "drop" { return win(mover(), "dropped"); }
            set("stake", 2);
            play(any());
        }
    }"#;

/// A duck may be put down, or the king be moved; whoever cannot do either does nothing.
const DUCK: &str = r#"board(3, 1); piece("king", "K", "K"); piece("duck", "D");
    royals("capturable", "never");
    fn turn() {
        let done = ASK(moves_of("king"), #{ or: ["wait", empty_squares()] });
        if done == "wait" { label("waited"); return; }
        if done == () { label("nothing"); return; }
        if type_of(done) == "Square" { place(done, mover(), "duck"); return; }
        label("went to " + done.to.name);
    }"#;

#[test]
fn a_square_may_be_pointed_at_instead() {
    let loaded = game(&format!("{} setup(\"K2 w\");", DUCK.replace("ASK", "play")));
    let mut state = start(&loaded);
    assert_eq!((moves(&state), choices(&state)), (vec!["a1b1".into()], vec!["wait".into(), "b1".into(), "c1".into()]));
    choose(&mut state, "c1");
    assert_eq!(text(&state), "K1D b - - 0 1");
    choose(&mut state, "wait");
    assert_eq!(state.label(), Some("waited"));
    play(&mut state, "a1b1");
    assert_eq!(state.label(), Some("went to b1"));
}

#[test]
fn without_a_permitted_move_it_is_a_choice_like_any_other() {
    let loaded = game(&format!("{} setup(\"KDk w\");", DUCK.replace("ASK", "play")));
    let mut state = start(&loaded);
    // The king's only neighbour is its own duck: one choice is left, and taking it loses no turn.
    assert_eq!((state.status(), moves(&state).len(), choices(&state)), (Status::Choice, 0, vec!["wait".into()]));
    assert!(!state.can_pass());
    state.take_notes();
    choose(&mut state, "wait");
    let ended = state.take_notes().iter().filter_map(|note| note.ended().map(|turn| turn.end())).collect::<Vec<_>>();
    assert_eq!(ended, [TurnEnd::Forced]);
    // Nobody is made to choose who may do without.
    let loaded = game(&format!("{} setup(\"KDk w\");", DUCK.replace("ASK", "play_or_pass")));
    let mut state = start(&loaded);
    assert_eq!((state.status(), state.can_pass(), state.replies()), (Status::Choice, true, 2));
    state.pass().unwrap();
    assert_eq!(state.label(), Some("nothing"));
    let ended = state.take_notes().iter().filter_map(|note| note.ended().map(|turn| turn.end())).collect::<Vec<_>>();
    assert_eq!(ended, [TurnEnd::Passed]);
}

#[test]
fn luck_is_pushed_as_often_as_one_likes() {
    let loaded = game(PIG);
    let mut state = start(&loaded);
    // Nothing has been gathered: no move yet.
    assert_eq!((state.status(), choices(&state)), (Status::Choice, vec!["roll again".into()]));
    choose(&mut state, "roll again");
    roll(&mut state, &[2]);
    // The stone on a1 steps to b1 or a2, where an enemy stands.
    assert_eq!((moves(&state), choices(&state)), (vec!["a1a2".into(), "a1b1".into()], vec!["roll again".into()]));
    choose(&mut state, "roll again");
    roll(&mut state, &[1]);
    assert_eq!((state.mover().0, state.label()), (1, Some("bust")));
}

#[test]
fn complete_turns_and_drawn_moves_count_the_choices() {
    let loaded = game(&format!("{STAKES} setup(\"k4/5/5/5/4K w\");"));
    let state = start(&loaded);
    // Three moves, to resign, to double and be dropped, or to double, be accepted and make one of three moves.
    assert_eq!(turns::count(&state).unwrap().count, 3 + 1 + 1 + 3);
    // Who draws moves gets all of them here: each answer is as likely as any other.
    let mut drawn = start(&loaded);
    drawn.draw_moves(Stream::new(1, 1));
    play(&mut drawn, "e1e2");
    assert_eq!((drawn.moves().len(), drawn.choices().len()), (3, 2));
}

/// What was typed, done.
fn answer(state: &astragal_core::State, typed: &str) -> Result<Event, AnswerError> {
    game_text::find_answer(state, typed, None)
}

#[test]
fn what_is_typed_means_a_move_or_a_choice() {
    let pawns = r#"board(4, 4); piece("pawn", "P", "mfW", #{ clock: true });
        fn turn() { let done = play_or_pass(any(), #{ or: ["e", "stop at once", empty_squares()] }); }
        setup("4/4/P3/4 w");"#;
    let loaded = game(pawns);
    let state = start(&loaded);
    let named = |text: &str| choices(&state).iter().position(|choice| choice == text).map(Event::Choice).unwrap();
    assert_eq!(answer(&state, "stop at once").unwrap(), named("stop at once"));
    assert_eq!(answer(&state, "c4").unwrap(), named("c4"));
    assert_eq!(answer(&state, "a2a3").unwrap(), Event::Move(state.moves()[0]));
    assert_eq!(answer(&state, "pass").unwrap(), Event::Pass);
    // a3 is where the pawn goes, and an empty square.
    let both = answer(&state, "a3").unwrap_err().to_string();
    assert_eq!(both, "'a3' is a move and a choice: write 'a2a3' for the move, 'choose a3' for the choice");
    assert_eq!(answer(&state, "choose a3").unwrap(), named("a3"));
    assert_eq!(game_text::move_text(&state, state.moves()[0]), "a2a3", "what can be typed is shown");
    assert!(game_text::waits(&state).starts_with("a move or a choice (e, stop at once, a1"));
}

/// Plays at random through all doors that keep a game, and reads it back.
#[test]
fn games_with_such_decisions_are_kept() {
    for script in [
        format!("{STAKES} setup(\"k4/5/5/5/4K w\");"),
        format!("{} setup(\"K3k/5 w\");", DUCK.replace("ASK", "play_or_pass").replace("board(3, 1)", "board(5, 2)")),
        PIG.to_string(),
    ] {
        let loaded = game(&script);
        for seed in 0..8 {
            let played = random_game(&loaded, seed);
            let source = Source { name: "game".into(), path: None, text: script.clone() };
            let written = record::write(&loaded, &played, &[]);
            let (_, again) = record::read(&written, |_, _| astragal_dsl::load(&source, &[]))
                .unwrap_or_else(|e| panic!("{e}\n{written}"));
            let events = |game: &Game| game.entries().iter().map(|entry| entry.event.clone()).collect::<Vec<_>>();
            assert_eq!(events(&again), events(&played), "{written}");
            // The turn under way is told by its events, too.
            let whole = turn_state_text::position(&loaded, &played);
            let placed = astragal_dsl::notation::fen::parse(&loaded.set.variant, &whole).unwrap();
            let resumed = turn_state_text::begin(&loaded, placed, 0).unwrap();
            if played.state().over().is_none() {
                assert_eq!(resumed.state().choices(), played.state().choices(), "{whole}");
                assert_eq!(resumed.state().moves(), played.state().moves(), "{whole}");
            }
            let mut back = played.clone();
            while back.undo().unwrap() {}
            assert_eq!(back.state().choices(), start(&loaded).choices());
        }
    }
}

fn random_game(loaded: &Loaded, seed: u64) -> Game {
    let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).unwrap();
    let mut random = Stream::new(seed, 7);
    for _ in 0..25 {
        let done = match game.status() {
            Status::Over => break,
            Status::Chance => game.roll().map(drop),
            Status::Move | Status::Choice => {
                let reply = game.state().nth_reply(random.below(game.state().replies() as u64) as usize);
                match reply.expect("one of those counted") {
                    Reply::Move(paid) => game.play(paid),
                    Reply::Choice(index) => game.choose(index),
                    Reply::Pass | Reply::Roll(_) => game.pass(),
                }
            }
        };
        done.unwrap();
    }
    game
}

#[test]
fn an_impossible_question_is_refused_with_its_cure() {
    let said = |turn: &str| {
        let script = format!(
            "board(5, 5); piece(\"king\", \"K\", \"K\"); setup(\"k4/5/5/5/4K w\"); royals(\"capturable\");
            fn outcome() {{ if clock_reached(9) {{ return draw(\"dull\"); }} }}
            fn turn() {{ {turn} }}"
        );
        let found = check(&Source { name: "game".into(), path: None, text: script });
        let first = found.first().unwrap_or_else(|| panic!("{turn}: nothing wrong"));
        assert_eq!(first.line, 3, "{turn}");
        format!("{}; {}", first.message, first.help.clone().unwrap_or_default())
    };
    let cases = [
        ("play(any(), \"stop\");", "write `play(any(), #{ or: \"stop\" })`"),
        ("play(any(), [\"stop\", \"go\"]);", "write `play(any(), #{ or: [\"stop\", \"go\"] })`"),
        (
            "let x = choose([\"stop\"], any()); if x == \"stop\" { again(); }",
            "write `play(any(), #{ or: [\"stop\"] })`",
        ),
        (
            "let x = choose([\"stop\", any()]); if x == \"stop\" { again(); }",
            "asked for by `play(permit, #{ or: [\"stop\"] })`",
        ),
        ("play(any(), #{ or: captures() });", "not a permit"),
        ("play(any(), #{ or: [\"stop\", captures()] });", "two permits are joined by `a | b`"),
        ("play(any(), #{ or: [] });", "list at least one text"),
        ("play(any(), #{ or: [\"a\", \"a\"] });", "\"a\" stands twice"),
        ("play(any(), #{ ro: \"stop\" });", "did you mean \"or\"?"),
        ("play_or_pass(any(), #{ or: \"pass\" });", "leave it out, or write `play` instead of `play_or_pass`"),
        ("let x = play(any(), #{ or: \"stop\" }); if x == \"stpo\" { again(); }", "did you mean \"stop\"?"),
    ];
    for (turn, cure) in cases {
        assert!(said(turn).contains(cure), "{turn}: {}", said(turn));
    }
}
