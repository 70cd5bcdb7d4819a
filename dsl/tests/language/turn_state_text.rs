//! A game can be saved as a position's text at any moment and continued from there.

use astragal_core::{Game, State, Status, Stream};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, game_text, library, load_named, turn_state_text};
use std::sync::Arc;

/// Goes on at random: rolls, plays and chooses from `stream`.
fn go_on(game: &mut Game, stream: &mut Stream) {
    let state = game.state();
    match state.status() {
        Status::Chance => drop(game.roll().expect("the dice can be rolled")),
        Status::Move => {
            let paid = state.moves()[stream.below(state.moves().len() as u64) as usize];
            game.play(paid).expect("a listed move can be played");
        }
        Status::Choice => {
            let index = stream.below(state.choices().len() as u64) as usize;
            game.choose(index).expect("a listed choice can be made");
        }
        Status::Over => {}
    }
}

fn read(loaded: &Loaded, text: &str) -> Game {
    let placed = fen::parse(&loaded.set.variant, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    turn_state_text::begin(loaded, placed, 0).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What a state waits for, as far as a player can see it.
fn seen(state: &State) -> (Status, Option<String>, Vec<String>, Vec<String>, usize) {
    let dice = state.dice().map(|dice| dice.to_string());
    (state.status(), dice, game_text::moves(state), game_text::choices(state), state.moves().len())
}

#[test]
fn a_game_goes_on_from_its_text_at_any_moment() {
    for name in library::names() {
        let loaded = load_named(name, &[]).expect("a shipped script loads");
        for seed in 0..2 {
            let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).expect("the game starts");
            let mut stream = Stream::new(seed, u64::MAX);
            for moment in 0..60 {
                if game.status() == Status::Over {
                    break;
                }
                let text = turn_state_text::position(&loaded, &game);
                let again = read(&loaded, &text);
                assert_eq!(seen(again.state()), seen(game.state()), "{name}, seed {seed}, moment {moment}: {text}");
                assert_eq!(again.state().position().hash(), game.state().position().hash(), "{name}: {text}");
                go_on(&mut game, &mut stream);
            }
        }
    }
}

#[test]
fn a_turn_that_does_not_fit_is_refused_in_words() {
    let loaded = load_named("chess", &[]).expect("chess loads");
    let begin = |text: &str| {
        let placed = fen::parse(&loaded.set.variant, text).map_err(|error| error.to_string())?;
        turn_state_text::begin(&loaded, placed, 0).map(drop)
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let turn = start.replace(' ', "~");
    for wrong in ["", "nonsense", "e2e4", "2,3", "!yes", "--"] {
        let error = begin(&format!("{start} turn={turn};{wrong}")).expect_err(wrong);
        assert!(!error.is_empty(), "{wrong}");
    }
    assert!(begin(&format!("{start} turn=")).is_err());
    assert!(begin(&format!("{start} turn={turn}")).is_ok());
}
