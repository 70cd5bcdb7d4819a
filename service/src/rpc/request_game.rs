//! The variant and position of a request, as a game.

use super::errors::{POSITION, ROLL, game_error, load_error, notation_error, roll_missing, rule_error};
use super::message::RpcError;
use super::parameters::{Options, PositionText, Roll, VariantName};
use crate::variant_cache::VariantCache;
use astragal_core::{Event, Game, HistoryEntry, Position, State, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, game_text, masked, turn_state_text};
use std::sync::Arc;

/// A variant and a game of it.
pub(super) struct RequestGame {
    /// The variant.
    pub(crate) loaded: Arc<Loaded>,
    /// The game.
    pub(crate) game: Game,
    /// The dice of the position's text that have not been applied yet.
    pub(crate) dice: Option<Vec<i16>>,
    /// The number of the turn that the position is the beginning or middle of.
    turn: u32,
}

impl RequestGame {
    /// The variant, options and position of a request; no dice rolled yet.
    ///
    /// # Errors
    /// If one of them is wrong.
    pub(super) fn set_up(
        cache: &mut VariantCache,
        name: &VariantName,
        options: Option<&Options>,
        position: Option<&PositionText>,
    ) -> Result<RequestGame, RpcError> {
        RequestGame::seeded(cache, name, options, position, None)
    }

    /// A game that is stored elsewhere, in its current state.
    pub(super) fn of(loaded: Arc<Loaded>, game: Game) -> RequestGame {
        let turn = game.state().turn();
        RequestGame { loaded, game, dice: None, turn }
    }

    /// The same, with a seed for the dice. If the position is one side's view, its hidden parts are drawn from the seed;
    /// without a seed, a view is refused.
    ///
    /// # Errors
    /// As [`RequestGame::set_up`].
    pub(super) fn seeded(
        cache: &mut VariantCache,
        name: &VariantName,
        options: Option<&Options>,
        position: Option<&PositionText>,
        seed: Option<u64>,
    ) -> Result<RequestGame, RpcError> {
        let options = options.map(Options::pairs).unwrap_or_default();
        let loaded = cache.load(&name.0, &options).map_err(|error| load_error(&name.0, &error))?;
        let text = position.map(|position| position.0.trim()).filter(|text| *text != "start");
        let parsed = text.map(|text| fen::parse(&loaded.set.variant, text));
        let placed = parsed.transpose().map_err(|error| notation_error(POSITION, "position", &error))?;
        if let (Some(placed), Some(seed)) = (placed.as_ref().filter(|placed| !placed.masked.is_empty()), seed) {
            let game = masked::begin(&loaded, placed.clone(), seed).map_err(wrong_position)?;
            return Ok(RequestGame::of(loaded, game));
        }
        let seed = seed.unwrap_or(0);
        let (position, dice, turn) = match placed {
            None => (loaded.start.clone(), None, None),
            Some(placed) => read_position(&loaded, placed)?,
        };
        if let Some(turn) = turn {
            let game = turn_state_text::resume(&loaded, &turn, seed).map_err(wrong_position)?;
            return Ok(RequestGame::of(loaded, game));
        }
        let game = Game::new(Arc::clone(&loaded.set), position, seed).map_err(|error| rule_error(&loaded, &error))?;
        Ok(RequestGame { dice, ..RequestGame::of(loaded, game) })
    }

    /// The same, with the request's roll (or else the dice of the position) applied, as far as possible.
    ///
    /// # Errors
    /// If the rules do not ask for this roll.
    pub(super) fn with_roll(mut self, roll: Option<&Roll>) -> Result<RequestGame, RpcError> {
        let given = self.faces(roll)?;
        if self.state().over().is_none() {
            match given {
                Some(faces) => drop(self.given_roll(&faces)?),
                None => self.use_dice()?,
            }
        }
        Ok(self)
    }

    /// The same, if no more dice are rolled before the next decision.
    ///
    /// # Errors
    /// If the rules do not ask for this roll, or wait for one that is not given.
    pub(super) fn rolled(self, roll: Option<&Roll>) -> Result<RequestGame, RpcError> {
        let game = self.with_roll(roll)?;
        match game.state().status() == Status::Chance && !game.has_passed() {
            true => Err(roll_missing(game.state())),
            false => Ok(game),
        }
    }

    /// Whether the turn is over: without a move, if only dice have been rolled.
    pub(super) fn has_passed(&self) -> bool {
        self.state().turn() != self.turn
    }

    /// How many sides play.
    pub(super) fn sides(&self) -> usize {
        self.loaded.set.variant.sides()
    }

    /// The state of the game.
    pub(super) fn state(&self) -> &State {
        self.game.state()
    }

    /// The faces in a request, or the number of the drawn square or move; empty for an empty list.
    ///
    /// # Errors
    /// If there is no such square or move.
    pub(super) fn faces(&self, roll: Option<&Roll>) -> Result<Option<Vec<i16>>, RpcError> {
        match roll {
            None => Ok(None),
            Some(Roll::Faces(faces)) => Ok(Some(faces.clone()).filter(|faces| !faces.is_empty())),
            Some(Roll::Square(name)) => {
                let read = game_text::read_roll(self.state(), name);
                read.map(Some).map_err(|why| RpcError::new(ROLL, format!("roll: {why}")).with("field", "roll"))
            }
        }
    }

    /// Continues the turn whose unused dice are in the position's text, if there are any.
    ///
    /// # Errors
    /// If the rules know no such turn.
    pub(super) fn use_dice(&mut self) -> Result<(), RpcError> {
        let Some(faces) = self.dice.take() else { return Ok(()) };
        let game = Game::in_turn(Arc::clone(&self.loaded.set), self.game.start().clone(), &faces, self.game.seed());
        self.game = game.map_err(|error| game_error(&self.loaded, self.game.state(), &error))?;
        Ok(())
    }

    /// The roll of a request: as [`RequestGame::roll`], but a position whose turn has this roll already needs no other.
    ///
    /// # Errors
    /// If the dice cannot show the faces.
    pub(super) fn given_roll(&mut self, faces: &[i16]) -> Result<Vec<Vec<i16>>, RpcError> {
        let rolls = |entry: &HistoryEntry| match &entry.event {
            Event::Roll(faces) => faces.clone(),
            Event::Move(_) | Event::Pass | Event::Choice(_) => Vec::new(),
        };
        let so_far: Vec<i16> = self.game.turn_so_far().2.iter().flat_map(rolls).collect();
        match self.state().status() {
            Status::Move | Status::Choice if so_far == faces => Ok(Vec::new()),
            _ => self.roll(faces),
        }
    }

    /// Sets the faces of the dice; returns the dice that the rules reroll.
    ///
    /// # Errors
    /// If they cannot.
    pub(super) fn roll(&mut self, faces: &[i16]) -> Result<Vec<Vec<i16>>, RpcError> {
        game_text::roll(&mut self.game, faces).map_err(|error| game_error(&self.loaded, self.game.state(), &error))
    }
}

/// A position, the unused dice of its text, and the current turn as far as the text describes it.
type Placement = (Position, Option<Vec<i16>>, Option<String>);

/// A parsed position, if the text describes all of it.
fn read_position(loaded: &Loaded, placed: fen::Placed) -> Result<Placement, RpcError> {
    placed.whole(&loaded.set.variant).map_err(|why| RpcError::new(POSITION, why).with("field", "position"))?;
    let dice = placed.dice.map(|dice| game_text::read_dice(&loaded.faces, &dice)).transpose();
    let dice = dice.map_err(wrong_position)?;
    let turn = placed.extra.into_iter().find(|(name, _)| name == turn_state_text::FIELD).map(|(_, value)| value);
    Ok((placed.position, dice, turn))
}

fn wrong_position(why: String) -> RpcError {
    RpcError::new(POSITION, format!("position: {why}")).with("field", "position")
}
