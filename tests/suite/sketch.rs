//! Small games written for one test: loading them, and what their moves are called.

use astragal_core::{Kind, Move, Piece, Position, Side, Square, State, Variant};
use astragal_dsl::notation::coord;
use astragal_dsl::{Loaded, Source, load};

// What the tests of the rule host call things.
#[expect(dead_code, reason = "the tests of the language use more of it")]
#[path = "../../dsl/tests/language/common.rs"]
mod words;

pub use words::{play, roll, start, text};

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
        // Reports are broken between words.
        Err(error) => error.render(false).split_whitespace().collect::<Vec<_>>().join(" "),
    }
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

/// A position with these pieces, the first side to move.
pub fn placed(variant: &Variant, pieces: &[(Square, u8, u8)]) -> Position {
    let mut position = Position::empty(variant);
    for &(square, side, kind) in pieces {
        position.put(variant, square, Piece::new(Side(side), Kind(kind)));
    }
    position
}
