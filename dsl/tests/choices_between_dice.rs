//! Something else than a move in a turn of several: `play_each(.., #{ or: .., chosen: .. })`.

mod common;

use astragal_core::{Game, Reply, State, Status, Stream, turns};
use astragal_dsl::notation::fen;
use astragal_dsl::{Source, check, record, turn_state_text};
use common::{choices, choose, game, moves, play, roll, start, text};

const RACE: &str = r#"board(8, 2); piece("man", "M", "W"); royals("capturable"); setup("m7/M7 w");
    track("way", "a1-h1", #{ same_for_all: true }); counter("stake", 1); counter("steps", 0);"#;

/// A race in which a man steps for each die.
fn race(options: &str, then: &str) -> String {
    format!(
        "{RACE} fn turn() {{ let done = play_each(roll(\"2d3\"), |die| along(\"way\", die), #{{ {options} }}); {then} }}"
    )
}

#[test]
fn a_choice_ends_the_turn_and_comes_back() {
    let loaded = game(&race(
        "or: [\"stop\", \"resign\"]",
        "if done == \"stop\" { label(\"stopped\"); } else if done == \"resign\" { win(opponent(), \"resigned\"); } else { label(\"to \" + done.to.name); }",
    ));
    let mut state = start(&loaded);
    roll(&mut state, &[1, 3]);
    assert_eq!((state.status(), moves(&state)), (Status::Move, vec!["a1b1".into(), "a1d1".into()]));
    assert_eq!((choices(&state), state.replies(), state.can_pass()), (vec!["stop".into(), "resign".into()], 4, false));
    let mut stopped = state.clone();
    choose(&mut stopped, "stop");
    assert_eq!((stopped.label(), text(&stopped).as_str()), (Some("stopped"), "m7/M7 b - - 0 1"));
    // It stands beside the second move, too, and the rest of the dice is not played.
    play(&mut state, "a1d1");
    assert_eq!((state.unused(), choices(&state).len()), (Some(vec![1]), 2));
    let mut resigned = state.clone();
    choose(&mut resigned, "resign");
    assert_eq!(resigned.over().and_then(|over| over.winner).map(|side| side.0), Some(1));
    play(&mut state, "d1e1");
    assert_eq!((state.label(), state.mover().0), (Some("to e1"), 1), "no die is left: nothing more is asked");
}

#[test]
fn nothing_is_asked_where_no_die_can_be_used() {
    let mut state =
        start(&game(&race("or: \"stop\"", "if done == () { label(\"nothing\"); }").replace("M7 w", "7M w")));
    roll(&mut state, &[1, 3]);
    assert_eq!((state.label(), state.mover().0), (Some("nothing"), 1));
}

/// Doubling between dice: the other side accepts or drops, and the turn goes on with the rest of the dice.
const DOUBLING: &str = r#"or: ["double", "stop"], spend: "most", chosen: |what| {
    if what == "stop" { return false; }
    if choose(opponent(), ["accept", "drop"]) == "drop" { win(mover(), "dropped"); return; }
    set("stake", get("stake") * 2);
}"#;

#[test]
fn a_choice_interrupts_where_a_function_says_what_it_does() {
    let loaded = game(&race(DOUBLING, "if done == \"stop\" { label(\"stopped\"); }"));
    let mut state = start(&loaded);
    roll(&mut state, &[2, 3]);
    play(&mut state, "a1c1");
    choose(&mut state, "double");
    assert_eq!((state.chooser().0, choices(&state)), (1, vec!["accept".into(), "drop".into()]));
    choose(&mut state, "accept");
    // The die left is still to be played, and nobody doubles twice.
    assert_eq!(
        (state.unused(), moves(&state), choices(&state)),
        (Some(vec![3]), vec!["c1f1".into()], vec!["stop".into()])
    );
    let mut stopped = state.clone();
    choose(&mut stopped, "stop");
    assert_eq!((stopped.label(), text(&stopped).as_str()), (Some("stopped"), "m7/2M5 b - - 1 1 stake=2"));
    play(&mut state, "c1f1");
    assert_eq!((state.label(), state.position().side().0), (None, 1));
    // The next turn has its own.
    roll(&mut state, &[1, 1]);
    assert_eq!(state.status(), Status::Chance, "Black stands on no station, and has no move");
}

#[test]
fn a_game_may_end_by_what_a_choice_does() {
    let mut state = start(&game(&race(DOUBLING, "")));
    roll(&mut state, &[2, 3]);
    choose(&mut state, "double");
    choose(&mut state, "drop");
    assert_eq!(state.status(), Status::Over);
}

/// A turn of several moves within another, which a choice ends: the outer one goes on with its own dice.
#[test]
fn an_inner_turn_that_is_given_up_leaves_the_outer_one_as_it_is() {
    let script = race(
        "after: |mv, die| if die == 3 {
            play_each([1, 1], |one| along(\"way\", one), #{ or: \"enough\", chosen: |what| false });
        }",
        "",
    );
    let mut state = start(&game(&script));
    roll(&mut state, &[3, 2]);
    play(&mut state, "a1d1");
    assert_eq!((state.unused(), choices(&state)), (Some(vec![1, 1]), vec!["enough".into()]));
    choose(&mut state, "enough");
    assert_eq!((state.unused(), moves(&state), choices(&state).len()), (Some(vec![2]), vec!["d1f1".into()], 0));
    // The same without a function: the choice ends the inner turn at once.
    let mut state = start(&game(&script.replace(", chosen: |what| false", "")));
    roll(&mut state, &[3, 2]);
    play(&mut state, "a1d1");
    choose(&mut state, "enough");
    assert_eq!(state.unused(), Some(vec![2]));
}

#[test]
fn a_square_may_be_pointed_at_once() {
    let script = race(
        "or: [\"stop\", empty_squares() & rank(2)], chosen: |what| {
            if type_of(what) == \"Square\" { place(what, mover(), \"man\"); } else { return false; }
        }",
        "",
    );
    let mut state = start(&game(&script));
    roll(&mut state, &[1, 1]);
    assert_eq!(choices(&state), ["stop", "b2", "c2", "d2", "e2", "f2", "g2", "h2"]);
    choose(&mut state, "c2");
    assert!(text(&state).starts_with("m1M5/M7 w"), "{}", text(&state));
    assert_eq!((choices(&state), state.unused()), (vec!["stop".into()], Some(vec![1, 1])));
}

#[test]
fn moves_are_those_without_the_choice() {
    for spend in ["each", "most", "all", "any", "most_moves"] {
        let plain = race(&format!("spend: \"{spend}\""), "");
        let chosen = race(&format!("spend: \"{spend}\", or: \"stop\""), "");
        let interrupted = race(&format!("spend: \"{spend}\", or: \"stop\", chosen: |what| false"), "");
        for faces in [[1, 2], [3, 3], [2, 1]] {
            let walk = |script: &str| {
                let (mut state, mut seen) = (start(&game(script)), Vec::new());
                roll(&mut state, &faces);
                while state.status() == Status::Move && state.mover().0 == 0 {
                    seen.push((moves(&state), state.can_pass()));
                    let last = *state.moves().last().expect("a move");
                    state.play(last).expect("a move");
                }
                (seen, text(&state))
            };
            assert_eq!(walk(&plain), walk(&chosen), "{spend} {faces:?}");
            assert_eq!(walk(&plain), walk(&interrupted), "{spend} {faces:?}");
        }
    }
}

#[test]
fn complete_turns_count_the_choices() {
    let mut state = start(&game(&race("or: \"stop\"", "")));
    roll(&mut state, &[1, 3]);
    // To stop; either die, and then to stop or play the other.
    assert_eq!(turns::count(&state).expect("turns").count, 1 + 2 * 2);
}

#[test]
fn games_with_such_turns_are_kept() {
    for script in
        [race(DOUBLING, ""), race("or: [\"stop\", empty_squares()], after: |mv, die| add(\"steps\", die)", "")]
    {
        let loaded = game(&script);
        for seed in 0..12 {
            let mut random = Stream::new(seed, 7);
            let mut played = Game::new(loaded.set.clone(), loaded.start.clone(), seed).expect("a game");
            for _ in 0..30 {
                let reply = |state: &State, random: &mut Stream| {
                    state.nth_reply(random.below(state.replies() as u64) as usize).expect("one of those counted")
                };
                match played.status() {
                    Status::Over => break,
                    Status::Chance => drop(played.roll().expect("a roll")),
                    _ => match reply(played.state(), &mut random) {
                        Reply::Move(paid) => played.play(paid).expect("a move"),
                        Reply::Choice(index) => played.choose(index).expect("a choice"),
                        Reply::Pass | Reply::Roll(_) => played.pass().expect("a pass"),
                    },
                }
                let whole = turn_state_text::position(&loaded, &played);
                let placed = fen::parse(&loaded.set.variant, &whole).unwrap_or_else(|e| panic!("{whole}: {e}"));
                let again = turn_state_text::begin(&loaded, placed, 0).unwrap_or_else(|e| panic!("{whole}: {e}"));
                if played.status() != Status::Over {
                    assert_eq!(again.state().choices(), played.state().choices(), "{whole}");
                    assert_eq!(moves(again.state()), moves(played.state()), "{whole}");
                    assert_eq!(again.state().unused(), played.state().unused(), "{whole}");
                }
            }
            let source = Source { name: "game".into(), path: None, text: script.clone() };
            let written = record::write(&loaded, &played, &[]);
            let (_, again) = record::read(&written, |_, _| astragal_dsl::load(&source, &[]))
                .unwrap_or_else(|e| panic!("{e}\n{written}"));
            let events = |game: &Game| game.entries().iter().map(|entry| entry.event.clone()).collect::<Vec<_>>();
            assert_eq!(events(&again), events(&played), "{written}");
        }
    }
}

#[test]
fn what_cannot_be_meant_is_told_with_its_cure() {
    let said = |options: &str| {
        let text =
            race(options, "").replace("fn turn", "fn outcome() { if clock_reached(9) { draw(\"dull\"); } }\nfn turn");
        let found = check(&Source { name: "game".into(), path: None, text });
        let all = found.iter().map(|one| format!("{}; {}\n", one.message, one.help.clone().unwrap_or_default()));
        all.collect::<String>()
    };
    for (options, cure) in [
        ("or: []", "list at least one text"),
        ("or: captures()", "not a permit"),
        ("chosen: |what| false", "say what may be chosen: `or: [\"double\"], chosen: |what| ..`"),
        ("or: \"stop\", chosen: 5", "\"chosen\" of play_each() is a function"),
        ("or: [\"a\", \"a\"]", "\"a\" stands twice"),
        ("ro: \"stop\"", "did you mean \"or\"?"),
    ] {
        assert!(said(options).contains(cure), "{options}: {}", said(options));
    }
}
