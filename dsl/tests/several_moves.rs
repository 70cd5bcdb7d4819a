//! Turns of several moves between which the rule goes on: `play_each(.., #{ after: |mv, dice| .. })`.

mod common;

use astragal_core::{Game, State, Status};
use astragal_dsl::notation::{coord, fen};
use astragal_dsl::{Loaded, library, load, turn_state_text};
use common::{choices, choose, game, moves, play, roll, start, text};
use std::collections::BTreeSet;

const RACE: &str = r#"board(8, 2); sides(["White", "Black"]); piece("man", "M", "W"); royals("capturable");
    track("way", "a1-h1", #{ same_for_all: true }); counter("steps", 0); counter("hits", 0, #{ each: true });"#;

#[test]
fn each_move_is_handed_over_with_the_face_that_paid() {
    let script = format!(
        "{RACE} setup(\"7m/M7 w\"); fn turn() {{ play_each(roll(\"2d3\"), |die| along(\"way\", die), #{{
            after: |mv, die| {{ set(\"steps\", number(\"steps\") * 10 + die); }} }}); }}"
    );
    let mut state = start(&game(&script));
    roll(&mut state, &[1, 3]);
    // The player says which die he uses first.
    play(&mut state, "a1d1");
    assert!(text(&state).contains("steps=3"), "{}", text(&state));
    play(&mut state, "d1e1");
    assert!(text(&state).starts_with("7m/4M3 b"), "{}", text(&state));
    assert!(text(&state).ends_with("steps=31"), "{}", text(&state));
}

#[test]
fn several_dice_that_pay_together_come_as_an_array() {
    let script = format!(
        "{RACE} setup(\"7m/M7 w\"); fn turn() {{ play_each(roll(\"2d3\"), |die| nothing(), #{{
            also: pay([1, 3], along(\"way\", 4)), after: |mv, dice| {{ set(\"steps\", dice.total); }} }}); }}"
    );
    let mut state = start(&game(&script));
    roll(&mut state, &[3, 1]);
    play(&mut state, "a1e1");
    assert!(text(&state).ends_with("steps=4"), "{}", text(&state));
}

/// A hit lets the player go on with any man by one step; that move is no move of the dice.
#[test]
fn what_runs_between_may_ask_for_a_move_or_a_choice() {
    let script = format!(
        "{RACE} setup(\"7m/M1mM4 w\"); fn turn() {{ play_each(roll(\"2d3\"), |die| along(\"way\", die), #{{
            after: |mv| if mv.is_capture {{
                add(\"hits\", 1);
                if choose([\"step\", \"stay\"]) == \"step\" {{ play(along(\"way\", 1)); }}
            }} }}); }}"
    );
    let mut state = start(&game(&script));
    roll(&mut state, &[2, 3]);
    play(&mut state, "a1c1");
    assert_eq!(choices(&state), ["step", "stay"]);
    choose(&mut state, "step");
    assert_eq!(moves(&state), ["d1e1"], "c1 is behind an own man, one step is asked for");
    play(&mut state, "d1e1");
    assert_eq!(state.unused(), Some(vec![3]), "the other die is still to be used");
    assert_eq!(moves(&state), ["c1f1", "e1h1"]);
    play(&mut state, "c1f1");
    assert!(text(&state).ends_with("hits=1/0"), "{}", text(&state));
    assert_eq!(state.position().side().0, 1);
}

#[test]
fn the_end_of_the_game_is_seen_between_two_moves() {
    let script = format!(
        "{RACE} setup(\"7m/M7 w\"); fn turn() {{ play_each(roll(\"2d3\"), |die| along(\"way\", die), #{{
            after: |mv, die| if die == 3 {{ win(mover(), \"a three\"); }} }}); }}"
    );
    let mut state = start(&game(&script));
    roll(&mut state, &[1, 3]);
    play(&mut state, "a1d1");
    assert_eq!(state.status(), Status::Over);
}

/// What the rule does between two moves changes what must still be used: the man that it takes away moves no more.
#[test]
fn what_is_owed_is_judged_anew_after_each_move() {
    let script = |after: &str| {
        format!(
            "{RACE} setup(\"7m/M7 w\"); fn turn() {{ play_each(roll(\"2d3\"), |die| along(\"way\", die), #{{ spend: \"most\",
                after: |mv, die| {{ {after} }} }}); }}"
        )
    };
    let mut state = start(&game(&script("remove(mv.to); place(\"h1\", mover(), \"man\");")));
    roll(&mut state, &[1, 2]);
    play(&mut state, "a1b1");
    assert!(text(&state).starts_with("7m/7M b"), "no die can be used any more: {}", text(&state));
}

/// All complete turns from a state, with the positions that they lead to.
fn turns(state: &State, path: &str, all: &mut BTreeSet<String>) {
    let side = state.mover();
    for paid in state.moves() {
        let variant = &state.ruleset().variant;
        let name = coord::write(variant, state.position(), paid.mv);
        let path = format!("{path} {name}/{:?}", state.price(*paid));
        let mut next = state.clone();
        next.play(*paid).expect("a move");
        if next.status() == Status::Move && next.mover() == side && next.unused().is_some() {
            turns(&next, &path, all);
        } else {
            all.insert(format!("{path} {}", text(&next)));
        }
    }
}

/// The script of a shipped game, with a function after each move that does nothing.
fn pausing(name: &str) -> (Loaded, Loaded) {
    let source = library::bundled(name).expect("a shipped game");
    let mut paused = source.clone();
    paused.text = paused.text.replace("spend: ", "after: |mv, die| {}, spend: ");
    assert_ne!(paused.text, source.text);
    let open = |source| load(source, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)));
    (open(&source), open(&paused))
}

/// A function that does nothing changes nothing: the same complete turns with every roll of games that look ahead.
#[test]
fn pauses_leave_the_turns_as_they_are() {
    for name in ["daldosa", "dicechess-3"] {
        let (plain, paused) = pausing(name);
        let outcomes = start(&plain).dice().expect("dice").outcomes();
        let mut some = 0;
        for outcome in (0..outcomes).step_by(if outcomes > 100 { 41 } else { 1 }) {
            let all = |loaded: &Loaded| {
                let mut state = start(loaded);
                state.roll(outcome).expect("a roll");
                let mut all = BTreeSet::new();
                turns(&state, "", &mut all);
                all
            };
            let expected = all(&plain);
            some += expected.len();
            assert_eq!(expected, all(&paused), "{name}, outcome {outcome}");
        }
        assert!(some > 0, "{name}: turns have been compared");
    }
}

#[test]
fn a_turn_that_has_paused_is_saved_and_gone_on_with() {
    let script = format!(
        "{RACE} setup(\"7m/M7 w\"); fn turn() {{ play_each(roll(\"2d3\"), |die| along(\"way\", die), #{{
            after: |mv, die| {{ add(\"steps\", die); }} }}); }}"
    );
    let loaded = game(&script);
    let mut game = Game::new(loaded.set.clone(), loaded.start.clone(), 3).expect("a game");
    game.set_roll(&[1, 3]).expect("a roll");
    let paid = game.state().moves()[0];
    game.play(paid).expect("a move");
    let saved = turn_state_text::position(&loaded, &game);
    let placed = fen::parse(&loaded.set.variant, &saved).unwrap_or_else(|error| panic!("{saved}: {error}"));
    let again = turn_state_text::begin(&loaded, placed, 3).expect("the game goes on");
    assert_eq!(moves(again.state()), moves(game.state()), "{saved}");
    assert_eq!(again.state().unused(), game.state().unused());
}

#[test]
fn what_is_no_function_is_refused() {
    let script = format!("{RACE} setup(\"7m/M7 w\"); fn turn() {{ play_each([1], |die| any(), #{{ after: 5 }}); }}");
    let loaded = game(&script);
    let error = State::new(loaded.set.clone(), loaded.start.clone()).err().expect("an error").to_string();
    assert!(error.contains("\"after\" is a function |move, dice|, not a number"), "{error}");
}

/// Each of two equal dice asks for a set: it is the same set, and the dice are of one sort.
#[test]
fn equal_dice_have_one_permit() {
    let script = format!(
        "{RACE} setup(\"7m/MM6 w\"); fn turn() {{ play_each([2, 2], |die|
            along(\"way\", die) - to(squares_of(opponent())), #{{ same_piece: false }}); }}"
    );
    let mut state = start(&game(&script));
    assert_eq!(moves(&state), ["a1c1", "b1d1"], "each once, not once for each die");
    play(&mut state, "a1c1");
    assert_eq!(moves(&state), ["b1d1"]);
}

/// A permit that is rolled or chosen for is made for each die, equal or not.
#[test]
fn a_permit_that_rolls_is_made_for_each_die() {
    let script =
        format!("{RACE} setup(\"7m/MM6 w\"); fn turn() {{ play_each([2, 2], |die| along(\"way\", roll(\"1d3\"))); }}");
    let mut state = start(&game(&script));
    roll(&mut state, &[1]);
    assert_eq!(state.status(), Status::Chance, "another roll for the other die");
    roll(&mut state, &[3]);
    assert_eq!(moves(&state), ["a1d1", "b1c1", "b1e1"]);
}

/// A man may not come to a square that an own man has left in this turn; marks say which.
fn left_squares(options: &str) -> Vec<String> {
    let script = format!(
        "board(8, 2); sides([\"White\", \"Black\"]); piece(\"man\", \"M\", \"mW\"); marks(\"left\"); setup(\"mm6/MM6 w\");
         fn turn() {{ unmark(\"left\"); play_each(roll(\"2d2\"), |die| pieces(\"man\") - to(marked(\"left\")), #{{
             {options} after: |mv, die| mark(mv.from, \"left\") }}); }}"
    );
    let mut state = start(&game(&script));
    roll(&mut state, &[1, 2]);
    play(&mut state, "b1c1");
    moves(&state)
}

#[test]
fn permits_are_those_of_before_the_first_move_or_asked_anew() {
    assert_eq!(left_squares(""), ["a1b1", "c1b1", "c1c2", "c1d1"]);
    assert_eq!(left_squares("anew: false,"), left_squares(""));
    assert_eq!(left_squares("anew: true,"), ["c1c2", "c1d1"]);
}

/// Without a function between the moves, too: a piece must go on with the square where it came to.
#[test]
fn permits_asked_anew_see_what_the_last_move_has_changed() {
    let script = format!(
        "{RACE} setup(\"7m/MM6 w\"); fn turn() {{ play_each(roll(\"2d3\"), |die| along(\"way\", die)
            & from(rearmost(\"way\")), #{{ anew: true, spend: \"most\" }}); }}"
    );
    let mut state = start(&game(&script));
    roll(&mut state, &[3, 1]);
    assert_eq!(moves(&state), ["a1d1"], "b1 stands on the next station");
    play(&mut state, "a1d1");
    assert_eq!(moves(&state), ["b1c1"], "the last man is another one now");
    play(&mut state, "b1c1");
    assert_eq!(state.position().side().0, 1);
}

#[test]
fn what_is_owed_is_judged_by_the_permits_asked_anew() {
    let script = |anew: &str| {
        format!(
            "{RACE} marks(\"on\"); setup(\"7m/M7 w\"); fn turn() {{ mark(\"a1\", \"on\");
                play_each(roll(\"2d2\"), |die| along(\"way\", die) & from(marked(\"on\")), #{{ spend: \"most\", {anew}
                    after: |mv, die| {{ unmark(\"on\"); mark(mv.to, \"on\"); }} }}); }}"
        )
    };
    let after = |anew: &str| {
        let mut state = start(&game(&script(anew)));
        roll(&mut state, &[1, 1]);
        play(&mut state, "a1b1");
        (state.position().side().0, moves(&state))
    };
    assert_eq!(after("").0, 1, "the mark of before is on a1, where nobody stands");
    assert_eq!(after("anew: true,"), (0, vec!["b1c1".to_owned()]));
}

#[test]
fn dice_passed_over_stay_lost_and_payments_are_asked_anew() {
    let script = format!(
        "{RACE} setup(\"7m/5M2 w\"); fn turn() {{ play_each([3, 1, 1], |die| along(\"way\", die), #{{
            in_order: true, anew: true }}); choose([\"on\"]); }}"
    );
    let mut state = start(&game(&script));
    play(&mut state, "f1g1");
    assert_eq!(state.unused(), Some(vec![1]), "the three came first and could not be used");
    play(&mut state, "g1h1");
    assert_eq!(choices(&state), ["on"]);
    // Two dice together pay for three stations of the man that a mark is on.
    let then = |anew: &str| {
        let script = format!(
            "{RACE} marks(\"on\"); setup(\"7m/MM6 w\"); fn turn() {{
                play_each([1, 1, 1], |die| along(\"way\", die) & from(\"b1\"), #{{ {anew}
                    also: || pay([1, 1], along(\"way\", 3) & from(marked(\"on\"))), after: |mv, die| mark(\"a1\", \"on\") }});
                choose([\"on\"]); }}"
        );
        let mut state = start(&game(&script));
        assert_eq!(moves(&state), ["b1c1"]);
        play(&mut state, "b1c1");
        (moves(&state), choices(&state))
    };
    assert_eq!(then("anew: true,"), (vec!["a1d1".to_owned()], Vec::new()));
    assert_eq!(then(""), (Vec::new(), vec!["on".to_owned()]));
}

#[test]
fn what_is_chosen_between_the_moves_changes_what_dice_pay_for() {
    let script = format!(
        "{RACE} setup(\"7m/M7 w\"); fn turn() {{ set(\"steps\", 1);
            play_each([1, 1], |die| along(\"way\", die * get(\"steps\")), #{{
                anew: true, or: \"double\", chosen: |what| set(\"steps\", 2) }}); }}"
    );
    let mut state = start(&game(&script));
    assert_eq!(moves(&state), ["a1b1"]);
    choose(&mut state, "double");
    assert_eq!(moves(&state), ["a1c1"]);
    play(&mut state, "a1c1");
    assert_eq!(moves(&state), ["c1e1"]);
}

#[test]
fn permits_that_are_made_already_cannot_be_asked_anew() {
    let script = format!("{RACE} setup(\"7m/M7 w\"); fn turn() {{ play_each([any()], #{{ anew: true }}); }}");
    let source = astragal_dsl::Source { name: "game".into(), path: None, text: script };
    let found = astragal_dsl::check(&source);
    assert!(found.iter().any(|one| one.help.as_deref() == Some("write `play_each(faces, |die| .., #{ anew: true })`")));
}
