//! Moves as texts: coordinates and algebraic notation, compared with the moves that a game permits.

use super::{in_time, new_game, points_into, shipped, step};
use astragal_core::{Move, MoveWithDice, State, Status, Stream};
use astragal_dsl::notation::{coord, san};
use astragal_dsl::{Loaded, game_text, record};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A state of a game of a shipped variant that waits for a move, reached by random events; `None` if none was reached.
/// Each is made once for each thread.
///
/// # Panics
/// If there is no such variant.
pub fn somewhere(name: &'static str, plies: u8, seed: u8) -> Option<Arc<State>> {
    type Key = (&'static str, u8, u8);
    thread_local! {
        static STATES: RefCell<BTreeMap<Key, Option<Arc<State>>>> = const { RefCell::new(BTreeMap::new()) };
    }
    let key = (name, plies % 16, seed % 4);
    let known = STATES.with_borrow(|all| all.get(&key).cloned());
    known.unwrap_or_else(|| {
        let state = reached(&shipped(name), key.1, u64::from(key.2)).map(Arc::new);
        STATES.with_borrow_mut(|all| all.insert(key, state.clone()));
        state
    })
}

fn reached(loaded: &Loaded, plies: u8, seed: u64) -> Option<State> {
    let mut game = new_game(loaded, seed);
    let mut stream = Stream::new(seed, 0);
    for ply in 0.. {
        if ply >= plies && game.status() == Status::Move {
            return Some(game.state().clone());
        }
        if ply > plies.saturating_add(40) || !step(&mut game, &mut stream) {
            return None;
        }
    }
    None
}

/// Each line of the text is a permitted move, which is written and found again, or it is refused with
/// a place.
///
/// # Panics
/// If a property does not hold.
pub fn texts(state: &State, text: &str) {
    let moves = game_text::distinct(state);
    in_time("moves", || {
        for line in text.split('\n').take(16) {
            one(state, &moves, line);
        }
    });
}

fn one(state: &State, moves: &[Move], text: &str) {
    let (variant, position) = (&state.ruleset().variant, state.position());
    for find in [coord::find, san::find] {
        match find(variant, position, moves, text) {
            Ok(mv) => assert!(moves.contains(&mv), "{text:?} is said to be {mv:?}"),
            Err(error) => points_into(&error, text),
        }
    }
    match game_text::find_move(state, text, None) {
        Ok(paid) => permitted(state, moves, paid),
        Err(error) => assert!(!error.to_string().is_empty() && !error.brief().is_empty()),
    }
    if let Ok(paid) = game_text::find_move_anyhow(state, text, None) {
        assert!(state.moves().contains(&paid), "{text:?}");
    }
}

/// What we write for a permitted move means that move.
///
/// # Panics
/// If it does not.
pub fn permitted(state: &State, moves: &[Move], paid: MoveWithDice) {
    assert!(state.moves().contains(&paid), "{paid:?}");
    let (variant, position) = (&state.ruleset().variant, state.position());
    let written = game_text::move_name(state, paid.mv);
    assert_eq!(coord::find(variant, position, moves, &written), Ok(paid.mv), "{written}");
    let text = record::move_text(state, paid);
    let found = game_text::find_move(state, &text, Some(&state.price(paid)));
    assert!(matches!(found, Ok(found) if found.mv == paid.mv), "{text} is said to be {found:?}, not {paid:?}");
}
