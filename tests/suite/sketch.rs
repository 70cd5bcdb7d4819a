//! Small games written for one test: loading them, and what their moves are called.

use astragal_core::{Kind, Move, Piece, Position, Side, Square, State, Variant};
use astragal_dsl::notation::{coord, fen};
use astragal_dsl::{Loaded, Source, load};

/// Loads a script; panics with what is wrong with it.
pub fn sketch(text: &str) -> Loaded {
    let source = Source { name: "sketch".into(), path: None, text: text.into() };
    load(&source, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// What is wrong with a script.
pub fn wrong(text: &str) -> String {
    let source = Source { name: "sketch".into(), path: None, text: text.into() };
    match load(&source, &[]) {
        Ok(_) => panic!("this loads: {text}"),
        Err(error) => error.render(false),
    }
}

/// The game from its set-up.
pub fn start(loaded: &Loaded) -> State {
    State::new(loaded.set.clone(), loaded.start.clone()).expect("a game")
}

/// The permitted moves in coordinates, sorted; each of them is found again by its text.
pub fn names(state: &State) -> Vec<String> {
    let variant = &state.ruleset().variant;
    let moves: Vec<Move> = state.moves().iter().map(|paid| paid.mv).collect();
    let mut names = Vec::new();
    for mv in &moves {
        let name = coord::write(variant, state.position(), *mv);
        assert_eq!(coord::find(variant, state.position(), &moves, &name).unwrap(), *mv, "{name}");
        names.push(name);
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), moves.len(), "two moves have one name: {names:?}");
    names
}

/// The permitted moves of a game at its start, in one line.
pub fn listed(text: &str) -> String {
    names(&start(&sketch(text))).join(" ")
}

/// Makes the move of that name.
pub fn play(state: &mut State, name: &str) {
    let variant = &state.ruleset().variant;
    let found = state.moves().iter().find(|paid| coord::write(variant, state.position(), paid.mv) == name);
    let paid = *found.unwrap_or_else(|| panic!("{name} is not among {:?}", names(state)));
    state.play(paid).expect("a move");
}

/// Rolls these faces.
pub fn roll(state: &mut State, faces: &[i16]) {
    let index = state.dice().and_then(|dice| dice.index_of(faces)).expect("faces of these dice");
    state.roll(index).expect("a roll");
}

/// The position's text, which reads back as the same position.
pub fn text(state: &State) -> String {
    let variant = &state.ruleset().variant;
    let text = fen::write(variant, state.position());
    let again = fen::parse(variant, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(again.position.hash(), state.position().hash(), "{text}");
    text
}

/// A position with these pieces, the first side to move.
pub fn placed(variant: &Variant, pieces: &[(Square, u8, u8)]) -> Position {
    let mut position = Position::empty(variant);
    for &(square, side, kind) in pieces {
        position.put(variant, square, Piece::new(Side(side), Kind(kind)));
    }
    position
}
