//! Games that start from one side's view of a position: hidden parts are drawn at random.
//!
//! Owns the way from a text with `?` to a complete position that agrees with it. The core defines the possible values
//! ([`Unseen`]). This module does not depend on its callers.

use crate::notation::fen::{Masked, Placed};
use crate::{Loaded, game_text, turn_state_text};
use astragal_core::dice::mix;
use astragal_core::{Blank, Game, Side, SquareSet, Stream, Unseen};
use std::sync::Arc;

/// How many times values are drawn to find a position that a game can begin from.
const TRIES: u32 = 64;

/// Begins a game from a parsed position. If the text is one side's view, a position that agrees with it is drawn with
/// `seed`; equal seeds draw equal positions. Of the current turn, such a text reveals only the unused dice.
///
/// # Errors
/// A sentence about why there is no such game.
pub fn begin(loaded: &Loaded, placed: Placed, seed: u64) -> Result<Game, String> {
    if placed.masked.is_empty() {
        return turn_state_text::begin(loaded, placed, seed);
    }
    let variant = &loaded.set.variant;
    if placed.is_amid_turn() {
        placed.whole(variant)?;
    }
    let unprepared = variant.spec().unprepared.map(|counter| &variant.spec().counters[counter as usize].name);
    if placed.masked.iter().any(|masked| Some(&masked.name) == unprepared) {
        return Err("this position is from the preparation before the first turn, and one side's view does not \
             show its progress ('prepare=?'): use a position from before or after the preparation, or the full \
             position ('view all', or 'serve' without \"view\")"
            .into());
    }
    // Hidden unused dice come last.
    let in_secret = placed.dice.as_ref().is_some_and(|dice| dice.contains('?'));
    let fields = &placed.masked[..placed.masked.len() - usize::from(in_secret)];
    let blanks: Vec<Blank> = fields
        .iter()
        .map(|masked| blanks(loaded, &placed, masked))
        .collect::<Result<Vec<Vec<Blank>>, String>>()?
        .concat();
    let unseen = Unseen::learn(&loaded.set, &loaded.start).map_err(|error| error.to_string())?;
    let mut stream = Stream::new(mix(seed ^ 0x6d61_736b), 0);
    let mut refused = String::from("the game would already be over");
    for _ in 0..TRIES {
        let mut position = placed.position.clone();
        unseen.fill(variant, &mut position, &blanks, &mut stream).map_err(|error| error.to_string())?;
        let begun = match (&placed.dice, in_secret) {
            (None, _) => Game::new(Arc::clone(&loaded.set), position, seed).map_err(|error| error.to_string()),
            (Some(known), false) => {
                let unused = game_text::read_dice(&loaded.faces, known)?;
                Game::in_turn(Arc::clone(&loaded.set), position, &unused, seed).map_err(|error| error.to_string())
            }
            (Some(hidden), true) => in_secret_turn(loaded, position, hidden.split(',').count(), seed, &mut stream),
        };
        match begun {
            Ok(game) if game.state().over().is_none() => return Ok(game),
            Ok(_) => {}
            Err(why) => refused = why,
        }
    }
    Err(format!("found no hidden values that fit this position: {refused}"))
}

/// A game in a turn whose dice are all hidden; they are rolled at random.
fn in_secret_turn(
    loaded: &Loaded,
    position: astragal_core::Position,
    count: usize,
    seed: u64,
    stream: &mut Stream,
) -> Result<Game, String> {
    let game = Game::new(Arc::clone(&loaded.set), position.clone(), seed).map_err(|error| error.to_string())?;
    let Some(dice) = game.state().dice().filter(|dice| dice.dice.len() == count) else {
        return Err(format!(
            "the number of hidden dice ('?') is {count}, but this turn does not begin with a roll of that many dice"
        ));
    };
    let faces = dice.outcome(game.state().draw(stream));
    Game::in_turn(Arc::clone(&loaded.set), position, &faces, seed).map_err(|error| error.to_string())
}

/// The fields of the position that a `?` stands for.
fn blanks(loaded: &Loaded, placed: &Placed, masked: &Masked) -> Result<Vec<Blank>, String> {
    let variant = &loaded.set.variant;
    if let Some(index) = variant.spec().counters.iter().position(|def| def.name == masked.name) {
        let held = masked.count.map(|count| i16::try_from(count).unwrap_or(i16::MAX));
        return Ok(vec![Blank::Counter { index, side: masked.owner.unwrap_or(Side::FIRST), held }]);
    }
    let Some(index) = variant.spec().traits.iter().position(|def| def.name == masked.name) else {
        return Err(format!("the game has no hidden value '{}'", masked.name));
    };
    let sides = (0..variant.sides() as u8).map(Side);
    let sides: Vec<Side> = match masked.owner {
        Some(side) => vec![side],
        None => {
            let known = named(loaded, placed, &masked.name);
            let is_known = |side: Side| placed.position.of(side).into_iter().any(|square| known.contains(square));
            let (known, hidden): (Vec<Side>, Vec<Side>) = sides.partition(|&side| is_known(side));
            if known.is_empty() {
                let letter = variant.spec().sides.last().map_or('b', |side| side.letter);
                let name = &masked.name;
                return Err(format!(
                    "'{name}=?' does not name the side whose values are hidden: add its letter, as in \
                     '{name}=?{letter}'"
                ));
            }
            hidden
        }
    };
    let blank = |side| Blank::Trait { index, side, squares: placed.position.of(side), counts: masked.values.clone() };
    Ok(sides.into_iter().map(blank).collect())
}

/// The squares that a trait's field names.
fn named(loaded: &Loaded, placed: &Placed, name: &str) -> SquareSet {
    let fields = placed.extra.iter().filter(|(known, _)| known == name).flat_map(|(_, value)| value.split(','));
    fields.filter_map(|part| loaded.set.variant.board().parse(part.split_once(':')?.0)).collect()
}
