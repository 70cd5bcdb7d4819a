//! A move or a choice in one decision: in counts of turns, in typed input and in records. `plays/move_or_choice.play` tests
//! them move by move.

use crate::common::{choices, game, play, start};
use astragal_core::turns;
use astragal_core::{Event, Game, Reply, Status, Stream};
use astragal_dsl::game_text::{self, AnswerError};
use astragal_dsl::{Loaded, Source, record, turn_state_text};
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
fn complete_turns_and_drawn_moves_count_the_choices() {
    let loaded = game(&format!("{STAKES} setup(\"k4/5/5/5/4K w\");"));
    let state = start(&loaded);
    // Three moves, to resign, to double and be dropped, or to double, be accepted and make one of three moves.
    assert_eq!(turns::count(&state).unwrap().count, 3 + 1 + 1 + 3);
    // Moves come before choices among the replies, and nothing comes behind them.
    let replies: Vec<Reply> = (0..6).map_while(|index| state.nth_reply(index)).collect();
    assert_eq!((replies.len(), &replies[3..]), (5, &[Reply::Choice(0), Reply::Choice(1)][..]));
    // Who draws moves gets all of them here: each answer is as likely as any other.
    let mut drawn = start(&loaded);
    drawn.draw_moves(Stream::new(1, 1));
    play(&mut drawn, "e1e2");
    assert_eq!((drawn.moves().len(), drawn.choices().len()), (3, 2));
}

/// Does what was typed.
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
    assert_eq!(both, "'a3' is both a move and a choice: write 'a2a3' for the move or 'choose a3' for the choice");
    assert_eq!(answer(&state, "choose a3").unwrap(), named("a3"));
    assert_eq!(game_text::move_text(&state, state.moves()[0]), "a2a3", "what can be typed is shown");
    assert!(game_text::waits(&state).starts_with("a move or a choice (e, stop at once, a1"));
}

/// Plays at random, saves the game in every format that keeps one, and reads it back.
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
