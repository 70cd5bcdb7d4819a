//! The game that the arguments of a command choose: its variant, options, position and roll.

use super::args::Choice;
use super::failure::{Failure, input, layout, of_rule};
use astragal_core::Game;
use astragal_dsl::notation::fen::{self, Placed};
use astragal_dsl::{Loaded, game_text, turn_state_text};
use astragal_service::variant_cache::VariantCache;
use std::sync::Arc;

/// The options as set. An option that is set twice is refused, because its second value would silently replace the first.
pub(super) fn options(choice: &Choice) -> Result<Vec<(String, String)>, Failure> {
    let set = &choice.set;
    let twice = set.iter().enumerate().find(|(index, (name, _))| set[..*index].iter().any(|(known, _)| known == name));
    match twice {
        Some((_, (name, _))) => Err(input(format!("the option '{name}' is set twice: use --set {name}=.. once"))),
        None => Ok(set.clone()),
    }
}

/// A variant with its options, for commands that examine one position.
pub(super) fn load(variant: &str, choice: &Choice) -> Result<Arc<Loaded>, Failure> {
    let loaded = VariantCache::new().load(variant, &options(choice)?);
    loaded.map_err(|error| input(error.render(layout())))
}

/// A game from the requested position, or the variant's own.
pub(super) fn begin(loaded: &Loaded, choice: &Choice) -> Result<Game, Failure> {
    match placed(loaded, choice)? {
        None => Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0).map_err(of_rule(loaded)),
        Some(placed) => turn_state_text::begin(loaded, placed, 0).map_err(input),
    }
}

/// The requested position, if it is not the variant's own.
pub(super) fn placed(loaded: &Loaded, choice: &Choice) -> Result<Option<Placed>, Failure> {
    let text = choice.position.as_deref().map(str::trim).filter(|text| *text != "start");
    text.map(|text| fen::parse(&loaded.set.variant, text).map_err(|error| input(error.render()))).transpose()
}

/// Applies the faces of `--roll`, or draws the square that it names.
pub(super) fn roll(loaded: &Loaded, game: &mut Game, faces: Option<&str>) -> Result<(), Failure> {
    let Some(faces) = faces else { return Ok(()) };
    let faces = game_text::read_roll(game.state(), faces).map_err(|why| input(format!("--roll: {why}")))?;
    game_text::roll(game, &faces).map(drop).map_err(of_rule(loaded))
}
