//! Turns of several moves between which the rule goes on, as complete turns and in saved games. `plays/several_moves.play`
//! tests them move by move.

use crate::common::{game, moves, start, text};
use astragal_core::{Game, State, Status};
use astragal_dsl::notation::{coord, fen};
use astragal_dsl::{Loaded, library, load, turn_state_text};
use std::collections::BTreeSet;

const RACE: &str = r#"board(8, 2); sides(["White", "Black"]); piece("man", "M", "W"); royals("capturable");
    track("way", "a1-h1", #{ same_for_all: true }); counter("steps", 0); counter("hits", 0, #{ each: true });"#;

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
    let again = turn_state_text::begin(&loaded, placed, 3).expect("the game continues");
    assert_eq!(moves(again.state()), moves(game.state()), "{saved}");
    assert_eq!(again.state().unused(), game.state().unused());
}
