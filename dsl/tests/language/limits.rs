//! Limits that apply to each event separately, however long a script is in use.

use crate::common::{game, moves, play, roll, start};
use astragal_core::{Ratio, State, odds};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, turn_state_text};

const BOARD: &str = r#"board(8, 8); piece("man", "M", "Q"); counter("x", 0); setup("8/8/1m6/8/8/1M6/8/8 w");"#;

/// The start position with another number in the counter.
fn with(loaded: &Loaded, x: i64) -> State {
    let text = format!("8/8/1m6/8/8/1M6/8/8 w - - 0 1 x={x}");
    let placed = fen::parse(&loaded.set.variant, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
    turn_state_text::begin(loaded, placed, 1).expect("a game").state().clone()
}

/// Each position has tests of its own, which capture its number.
#[test]
fn a_script_serves_any_number_of_positions() {
    let script = format!(
        "{BOARD} fn turn() {{ let n = get(\"x\"); let far = play(any().where(|m| m.distance * 2000 > n));
         play(any().where(|m| m.distance * 2000 > n && m.from == far.to)); }}"
    );
    let loaded = game(&script);
    let mut kept = Vec::new();
    for x in 0..5_500 {
        let state = with(&loaded, x);
        if x % 1100 == 0 {
            kept.push((x, state));
        }
    }
    for (x, mut state) in kept {
        let mut fresh = with(&game(&script), x);
        assert!(!moves(&fresh).is_empty() && moves(&state) == moves(&fresh), "x={x}");
        let first = moves(&state)[0].clone();
        play(&mut state, &first);
        play(&mut fresh, &first);
        assert_eq!(moves(&state), moves(&fresh), "x={x} after {first}");
    }
    // A position holds no more than the tests of its own generation: with those positions gone, most are forgotten.
    for x in 5_500..16_500 {
        with(&loaded, x);
    }
    let kept = loaded.set.rules.report().len();
    assert!(kept < 11_000, "{kept}");
}

#[test]
fn a_game_may_be_as_long_as_it_likes() {
    let loaded = game(&format!(
        "{BOARD} fn turn() {{ add(\"x\", 1); let n = get(\"x\");
         play(any().where(|m| m.distance == 1 && m.distance * 100000 > n)) }}"
    ));
    let mut state = start(&loaded);
    for ply in 0..6000 {
        let paid = *state.moves().first().unwrap_or_else(|| panic!("no move at ply {ply}: {:?}", state.over()));
        state.play(paid).unwrap_or_else(|error| panic!("ply {ply}: {error}"));
    }
    assert!(loaded.set.rules.report().len() < 12_000);
}

/// Another thread has never seen the trees of former generations, to which games sent to it belong.
#[test]
fn games_of_former_generations_may_be_sent_to_other_threads() {
    let script = format!(
        "{BOARD} fn turn() {{ let n = get(\"x\"); let far = play(any().where(|m| m.distance * 2000 > n));
         play(any().where(|m| m.distance * 2000 > n && m.from == far.to)); }}"
    );
    let loaded = game(&script);
    let kept: Vec<(i64, State)> =
        (0..12_000).map(|x| (x, with(&loaded, x))).filter(|(x, _)| [3, 5_400, 11_000].contains(x)).collect();
    let sent = std::thread::spawn(move || {
        kept.into_iter()
            .map(|(x, mut state)| {
                let listed = moves(&state);
                play(&mut state, &listed[0]);
                (x, listed, moves(&state))
            })
            .collect::<Vec<_>>()
    });
    for (x, first, second) in sent.join().expect("a thread") {
        let mut fresh = with(&game(&script), x);
        assert_eq!(first, moves(&fresh), "x={x}");
        play(&mut fresh, &first[0]);
        assert_eq!(second, moves(&fresh), "x={x} after {}", first[0]);
    }
}

/// More tests than are kept, all of which occur in the turn whose chances are asked for.
#[test]
fn chances_of_rolls_that_tests_capture_are_exact_and_leave_the_game_as_it_was() {
    let loaded = game(&format!(
        "{BOARD} fn turn() {{ let d = roll(\"1d80\"); let e = roll(\"1d80\"); let n = d * 80 + e;
         play(any().where(|m| m.distance * 1300 > n)) }}"
    ));
    let mut state = start(&loaded);
    let found = odds::explore(&state, &|| false).expect("no error").expect("not stopped");
    // Up and down, to the sides and the corners it goes by up to five squares; n is 81 to 6480.
    assert_eq!(found.outcomes.len(), 6400);
    assert!(found.outcomes.iter().all(|outcome| outcome.probability == Ratio::new(1, 6400)));
    for outcome in [&found.outcomes[0], &found.outcomes[6399]] {
        assert!(!moves(&outcome.state).is_empty());
    }
    roll(&mut state, &[7]);
    roll(&mut state, &[80]);
    let mut fresh = start(&game(&loaded.source.text));
    roll(&mut fresh, &[7]);
    roll(&mut fresh, &[80]);
    assert_eq!(moves(&state), moves(&fresh));
}

#[test]
fn too_many_tests_in_one_event_are_an_error_with_a_remedy() {
    let loaded =
        game(&format!("{BOARD} fn turn() {{ for i in 0..5001 {{ any().where(|m| m.distance > i); }} play(any()); }}"));
    let error = State::new(loaded.set.clone(), loaded.start.clone()).err().expect("too many").to_string();
    assert!(error.contains("(see limit 9 in") && error.contains("a variable from outside"), "{error}");
    assert!(error.contains("`turn`"), "{error}");
}
