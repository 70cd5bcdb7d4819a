//! Small games written as texts, and the few functions with which tests play them.
use astragal_core::State;
use astragal_dsl::notation::{coord, fen};
use astragal_dsl::{Loaded, Source, load};

/// Loads a script; panics with what is wrong with it.
pub fn game(text: &str) -> Loaded {
    let source = Source { name: "game".into(), path: None, text: text.into() };
    load(&source, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// The game from its set-up.
pub fn start(loaded: &Loaded) -> State {
    State::new(loaded.set.clone(), loaded.start.clone()).expect("a game")
}

/// The permitted moves in coordinates, sorted.
pub fn moves(state: &State) -> Vec<String> {
    let variant = &state.ruleset().variant;
    let mut names: Vec<String> =
        state.moves().iter().map(|paid| coord::write(variant, state.position(), paid.mv)).collect();
    names.sort();
    names
}

/// Makes the move of that name.
pub fn play(state: &mut State, name: &str) {
    let variant = &state.ruleset().variant;
    let found = state.moves().iter().find(|paid| coord::write(variant, state.position(), paid.mv) == name);
    let paid = *found.unwrap_or_else(|| panic!("{name} is not among {:?}", moves(state)));
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

/// The choices, as texts.
pub fn choices(state: &State) -> Vec<String> {
    astragal_dsl::game_text::choices(state)
}

/// Makes the choice of this text.
pub fn choose(state: &mut State, choice: &str) {
    let found = choices(state).iter().position(|text| text == choice);
    state.choose(found.unwrap_or_else(|| panic!("{choice} is not among {:?}", choices(state)))).expect("a choice");
}

/// The number of sequences of so many moves.
pub fn sequences(state: &State, depth: usize) -> u64 {
    let all = state.moves().to_vec();
    if depth == 1 {
        return all.len() as u64;
    }
    let after = all.into_iter().map(|paid| {
        let mut next = state.clone();
        next.play(paid).expect("a move");
        sequences(&next, depth - 1)
    });
    after.sum()
}
