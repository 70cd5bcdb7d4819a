//! The current turn as a field of a position's text, so that a game can be saved and continued at any moment:
//! `turn=<position at its start>;<event>;...`. If the turn was already in progress when the game began, the position with
//! its unused dice comes first.
//!
//! Blanks are written as `~`. An event is a roll (`2,3`, or the move that was drawn), a move in coordinates (with the faces
//! that pay after a slash: `e2e4/6`), `--` for a pass, or a choice (`!stay`). The field is written only if the position and
//! its unused dice are not the complete state.

use crate::notation::{coord, fen};
use crate::{Loaded, game_text};
use astragal_core::{Event, Game, GameError, Move, MoveWithDice, Position, State, Status};
use std::sync::Arc;

/// The name of the field.
pub const FIELD: &str = fen::TURN;

/// The position of a game as complete text: a game begun from it continues as this one would.
pub fn position(loaded: &Loaded, game: &Game) -> String {
    if let Some(start) = before_it(game) {
        return fen::write(&loaded.set.variant, start);
    }
    let text = game_text::position(loaded, game.state());
    match field(loaded, game, &text) {
        Some(field) => format!("{text} {field}"),
        None => text,
    }
}

/// The position of a game as text for other programs. It is the position of the state if that is complete; otherwise it
/// includes the turn so far, like [`position`]. A game begun from it continues as this one would.
pub fn told(loaded: &Loaded, game: &Game) -> String {
    let text = game_text::position(loaded, game.state());
    let (start, dice, entries) = game.turn_so_far();
    let begins = dice.is_empty() && entries.is_empty() && start == game.state().position();
    match begins || game.status() == Status::Over || says_all(loaded, game.state(), &text) {
        true => text,
        false => position(loaded, game),
    }
}

/// The position of a state in the middle of a turn whose events are not known. If the text is not complete, it ends in
/// `turn=?`: such a text can be drawn, but not played from.
pub fn amid(loaded: &Loaded, state: &State) -> String {
    let text = game_text::position(loaded, state);
    if says_all(loaded, state, &text) { text } else { format!("{text} {FIELD}={}", fen::UNTOLD) }
}

/// The position before a turn that has begun and changed something automatically before any question (also for the
/// preparation before the first turn). It leads to the same state.
fn before_it(game: &Game) -> Option<&Position> {
    let (start, dice, entries) = game.turn_so_far();
    let nothing = dice.is_empty() && entries.is_empty() && game.status() != Status::Over;
    (nothing && start != game.state().position()).then_some(start)
}

fn field(loaded: &Loaded, game: &Game, text: &str) -> Option<String> {
    let (start, dice, entries) = game.turn_so_far();
    if entries.is_empty() && dice.is_empty() || game.status() == Status::Over || says_all(loaded, game.state(), text) {
        return None;
    }
    let set = &loaded.set;
    let unused = Some(dice).filter(|dice| !dice.is_empty()).map(|dice| game_text::dice_text(&loaded.faces, dice));
    let mut parts = vec![fen::write_turn(&set.variant, start, unused.as_deref()).replace(' ', "~")];
    let mut turn = from_start(loaded, start.clone(), dice, 0).ok()?;
    for entry in entries {
        parts.push(event(turn.state(), &entry.event));
        turn.apply(&entry.event).ok()?;
    }
    Some(format!("{FIELD}={}", parts.join(";")))
}

/// Whether a game begun from the text without the field is in the same state.
fn says_all(loaded: &Loaded, state: &State, text: &str) -> bool {
    let placed = fen::parse(&loaded.set.variant, text).ok();
    let again = placed.and_then(|placed| begin(loaded, placed, 0).ok());
    again.is_some_and(|again| again.state().fingerprint() == state.fingerprint() && again.status() == state.status())
}

/// An event in `state` as a part of the field.
pub fn event(state: &State, event: &Event) -> String {
    let variant = &state.ruleset().variant;
    match event {
        Event::Roll(faces) if !state.drawn_moves().is_empty() => game_text::rolled(state, faces),
        Event::Roll(faces) => game_text::faces(faces),
        Event::Pass => "--".into(),
        Event::Choice(index) => {
            let text = state.choices().get(*index).map(|choice| game_text::choice_text(variant, choice));
            format!("!{}", text.unwrap_or_default().replace(' ', "~"))
        }
        Event::Move(paid) => {
            let mv = game_text::move_name(state, paid.mv);
            let price = state.price(*paid);
            if price.is_empty() { mv } else { format!("{mv}/{}", game_text::faces(&price)) }
        }
    }
}

/// Continues a turn from the field's value.
///
/// # Errors
/// A sentence about the part that is wrong, and why.
pub fn resume(loaded: &Loaded, value: &str, seed: u64) -> Result<Game, String> {
    let set = &loaded.set;
    let mut parts = value.split(';');
    let start = parts.next().unwrap_or_default().replace('~', " ");
    let placed = fen::parse(&set.variant, &start).map_err(|error| format!("{FIELD}: {error}"))?;
    placed.whole(&set.variant)?;
    let dice = placed.dice.map(|dice| game_text::read_dice(&loaded.faces, &dice)).transpose()?;
    let game = from_start(loaded, placed.position, &dice.unwrap_or_default(), seed);
    let mut game = game.map_err(|error| format!("{FIELD}: {error}"))?;
    for part in parts {
        let wrong = |why: String| format!("{FIELD}: '{part}': {why}");
        let event = read(game.state(), part).map_err(wrong)?;
        game.apply(&event).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(game)
}

/// A game from a position that was read, in the middle of a turn if there are unused dice.
///
/// # Errors
/// A sentence about why there is no such game.
pub fn begin(loaded: &Loaded, placed: fen::Placed, seed: u64) -> Result<Game, String> {
    placed.whole(&loaded.set.variant)?;
    if let Some((_, value)) = placed.extra.iter().find(|(name, _)| name == FIELD) {
        let game = resume(loaded, value, seed)?;
        let (said, reached) = (placed.position.hash(), game.state().position().hash());
        return if said == reached {
            Ok(game)
        } else {
            Err("the events in the field `turn=` do not lead to this position".into())
        };
    }
    let set = Arc::clone(&loaded.set);
    match placed.dice {
        None => Game::new(set, placed.position, seed).map_err(|error| error.to_string()),
        Some(dice) => {
            let unused = game_text::read_dice(&loaded.faces, &dice)?;
            Game::in_turn(set, placed.position, &unused, seed).map_err(|error| error.to_string())
        }
    }
}

/// The game as it was before its first event.
///
/// # Errors
/// If a rule fails, which it did not the first time.
pub fn restarted(game: &Game) -> Result<Game, GameError> {
    let set = Arc::clone(game.state().ruleset());
    match game.start_dice() {
        [] => Ok(Game::new(set, game.start().clone(), game.seed())?),
        dice => Game::in_turn(set, game.start().clone(), dice, game.seed()),
    }
}

fn from_start(loaded: &Loaded, start: Position, dice: &[i16], seed: u64) -> Result<Game, GameError> {
    let set = Arc::clone(&loaded.set);
    match dice {
        [] => Ok(Game::new(set, start, seed)?),
        dice => Game::in_turn(set, start, dice, seed),
    }
}

/// Reads what [`event`] writes.
///
/// # Errors
/// If the rules do not permit it.
pub fn read(state: &State, part: &str) -> Result<Event, String> {
    if part == "--" {
        return Ok(Event::Pass);
    }
    if let Some(choice) = part.strip_prefix('!') {
        let text = choice.replace('~', " ");
        return game_text::find_choice(state, &text).map(Event::Choice).map_err(|error| error.to_string());
    }
    if !state.drawn_moves().is_empty() {
        return game_text::read_roll(state, part).map(Event::Roll);
    }
    if part.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        let faces: Option<Vec<i16>> = part.split(',').map(|face| face.parse().ok()).collect();
        return faces.map(Event::Roll).ok_or_else(|| "expected faces such as '2,3'".into());
    }
    let (text, price) = part.split_once('/').map_or((part, None), |(text, price)| (text, Some(price)));
    let moves: Vec<Move> = game_text::distinct(state);
    let mv =
        coord::find(&state.ruleset().variant, state.position(), &moves, text).map_err(|error| error.to_string())?;
    let price: Option<Vec<i16>> = match price {
        None => Some(Vec::new()),
        Some(faces) => faces.split(',').map(|face| face.parse().ok()).collect(),
    };
    let price = price.ok_or("expected faces after the move, as in 'e2e4/6'")?;
    let pays = |paid: &MoveWithDice| if price.is_empty() { Some(*paid) } else { state.paid_with(*paid, &price) };
    let paid = state.moves().iter().filter(|paid| paid.mv == mv).find_map(pays);
    paid.map(Event::Move).ok_or_else(|| "these dice cannot pay for this move".into())
}
