//! A game as one side may know it: its position, its options and its events.
//!
//! A viewer of `None` knows everything. Only the owner knows values that a script declares secret: a counter's values
//! belong to the side, a trait to the piece's owner, and the faces of a roll to the mover. The script's use of them (moves,
//! choices, captures, labels, the end) is public.
//!
//! Visible information does not depend on hidden information, with one exception: a viewer sees the actions of others, and
//! may draw conclusions.

pub use crate::information::{can_hide, has_secrets, knows_options, sees};

use crate::game_text::{self, Pending};
use crate::notation::coord;
use crate::{Loaded, turn_state_text};
use astragal_core::{Event, Game, MoveWithDice, Side, Square, State};

/// The position of a game as text. For a viewer of a game with secrets, unknown values are `?` (or left out: traits of
/// others' pieces), and the turn so far is omitted. For all others, a game begun from the text continues as this one would.
pub fn position(loaded: &Loaded, game: &Game, viewer: Option<Side>) -> String {
    match viewer {
        None => turn_state_text::position(loaded, game),
        Some(_) if !has_secrets(game) => turn_state_text::told(loaded, game),
        viewer => game_text::position_for(loaded, game.state(), viewer),
    }
}

/// The pending question or roll, without the options if the viewer may not know them; in that case the flag is true.
pub fn pending(state: &State, viewer: Option<Side>) -> Option<(Pending, bool)> {
    let pending = game_text::pending(state)?;
    if knows_options(state, viewer) {
        return Some((pending, false));
    }
    let bare = match pending {
        Pending::Move { player, .. } => Pending::Move { player, options: Vec::new(), choices: Vec::new(), pass: false },
        Pending::Choice { player, .. } => Pending::Choice { player, options: Vec::new(), pass: false },
        roll @ Pending::Roll { .. } => roll,
    };
    Some((bare, true))
}

/// A move made in `before`. It is in coordinates if the short form would reveal which other moves were permitted.
pub(crate) fn move_text(before: &State, paid: MoveWithDice, viewer: Option<Side>) -> String {
    match knows_options(before, viewer) {
        true => game_text::shown_move(before, paid),
        false => coord::write(&before.ruleset().variant, before.position(), paid.mv),
    }
}

/// An event in `before`, as a sentence.
pub fn event_text(before: &State, event: &Event, viewer: Option<Side>) -> String {
    let variant = &before.ruleset().variant;
    let who = game_text::side_name(variant, before.chooser());
    let dice = || before.dice().map_or(String::new(), |dice| dice.to_string());
    match event {
        Event::Roll(_) if !sees(before, viewer) => match before.secret().filter(|&side| side != before.chooser()) {
            Some(side) => format!("{who} rolls; only {} sees the result.", game_text::side_name(variant, side)),
            None => format!("{who} rolls in secret."),
        },
        Event::Choice(_) if !sees(before, viewer) => format!("{who} chooses in secret."),
        Event::Roll(faces) => format!("Roll of {}: {}.", dice(), game_text::shown_roll(before, faces)),
        Event::Move(paid) if before.names_move() => format!("{who} names {}.", move_text(before, *paid, viewer)),
        Event::Move(paid) => format!("{who} plays {}.", move_text(before, *paid, viewer)),
        Event::Pass => format!("{who} passes."),
        Event::Choice(index) => {
            format!("{who} chooses {}.", game_text::choices(before).get(*index).cloned().unwrap_or_default())
        }
    }
}

/// Values that only their owner knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnSecret {
    /// The counter or the trait.
    pub name: String,
    /// The values of a counter in order, or the value of the trait for each square with an own piece.
    pub values: Vec<(Option<Square>, i32)>,
}

/// The values that only `side` knows; empty if there are none.
pub fn own_secrets(state: &State, side: Side) -> Vec<OwnSecret> {
    let (variant, position) = (&state.ruleset().variant, state.position());
    let mut secrets = Vec::new();
    for (i, def) in variant.spec().counters.iter().enumerate().filter(|(_, def)| def.secret && def.per_side) {
        let values = (0..def.size).map(|place| (None, position.counter_at(variant, i, place, side).into()));
        secrets.push(OwnSecret { name: def.name.clone(), values: values.collect() });
    }
    for (i, def) in variant.spec().traits.iter().enumerate().filter(|(_, def)| def.secret) {
        let own = position.of(side).into_iter();
        let values: Vec<_> = own.map(|s| (Some(s), position.trait_at(variant, i, s).into())).collect();
        if !values.is_empty() {
            secrets.push(OwnSecret { name: def.name.clone(), values });
        }
    }
    secrets
}

/// The same as text, as `card=4 mark=e4:1`.
pub fn own_secrets_text(state: &State, side: Side) -> String {
    let board = state.ruleset().variant.board();
    let value = |(square, value): &(Option<Square>, i32)| match square {
        Some(square) => format!("{}:{value}", board.name(*square)),
        None => value.to_string(),
    };
    let field = |secret: OwnSecret| {
        format!("{}={}", secret.name, secret.values.iter().map(value).collect::<Vec<_>>().join(","))
    };
    own_secrets(state, side).into_iter().map(field).collect::<Vec<_>>().join(" ")
}
