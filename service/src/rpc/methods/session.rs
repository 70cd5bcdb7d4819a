//! The methods `open`, `apply` and `close`: a game that the server keeps, with its history.

use super::declared::Declared;
use super::play::{AnyEvent, LogLine, Played, apply_one, in_secret, log_lines, played};
use crate::interrupt;
use crate::rpc::errors::{SCRIPT, TOO_LARGE, game_error, out_of_time};
use crate::rpc::message::{INVALID_PARAMS, RpcError};
use crate::rpc::parameters::{List, Options, PositionText, Seed, SessionNumber, Text, Truth, VariantName, View};
use crate::rpc::request_game::RequestGame;
use crate::rpc::store::{MAX_EVENTS, Rolls, Session, Store};
use astragal_core::{Side, Status};
use astragal_dsl::{game_text, record, view};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The state of an open game.
#[derive(Serialize, JsonSchema)]
pub(super) struct SessionStatus {
    /// The number of the game, for `apply` and `close`.
    pub(super) session: u64,
    /// The rolls that the server made for this request, in order; null for a roll that is hidden from the side of `view`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) rolled: Vec<Option<Vec<i16>>>,
    #[serde(flatten)]
    pub(super) played: Played,
}

/// The parameters of `open`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct OpenParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    seed: Option<Seed>,
    /// True to roll the dice of the `seed` only on an event `{"roll":[]}`, not automatically.
    wait: Option<Truth>,
    /// The record of a game of this variant ([PGN](notations.md)): the opened game continues it, with the options in
    /// the record.
    record: Option<Text>,
    view: Option<View>,
}

impl OpenParameters {
    /// When the server rolls.
    fn rolls(&self) -> Rolls {
        match (&self.seed, self.wait.as_ref().is_some_and(|wait| wait.0)) {
            (None, _) => Rolls::Never,
            (Some(_), true) => Rolls::WhenAsked,
            (Some(_), false) => Rolls::AtOnce,
        }
    }
}

pub(super) struct Open;

impl Declared for Open {
    const NAME: &'static str = "open";
    const ABOUT: &'static str = "Starts a game that the server keeps until you close it, with its whole history. With \
         a `seed`, the server rolls the dice; if the position is one side's view, it also draws the hidden parts at \
         random.";
    const EXAMPLE: &'static str = include_str!("examples/open.json");
    type Parameters = OpenParameters;
    type Answer = SessionStatus;

    fn answer(store: &mut Store, asked: OpenParameters) -> Result<SessionStatus, RpcError> {
        let seed = asked.seed.as_ref().map(|seed| seed.0.0);
        let (options, position) = (asked.options.as_ref(), asked.position.as_ref());
        let variants = &mut store.variants;
        if let Some(record) = &asked.record {
            return recorded(store, &asked, record);
        }
        let mut game = RequestGame::seeded(variants, &asked.variant, options, position, seed)?;
        let viewer = View::side(asked.view.as_ref(), game.sides())?;
        let mut log: Vec<LogLine> =
            log_lines(game_text::notes(&game.loaded.set.variant, game.game.opening())).collect();
        if game.dice.is_some() && game.state().over().is_none() {
            game.use_dice()?;
            log.extend(log_lines(game_text::follow_ups(&game.game)));
        }
        let mut session = Session { game, rolls: asked.rolls() };
        let rolled = session.roll_on(viewer, &mut log)?;
        let played = played(&session.game, viewer, log, false);
        Ok(SessionStatus { session: store.open(session)?, rolled, played })
    }
}

/// Opens the game of a record, at its end.
fn recorded(store: &mut Store, asked: &OpenParameters, record: &str) -> Result<SessionStatus, RpcError> {
    let wrong = |why: String| RpcError::new(INVALID_PARAMS, format!("record: {why}")).with("field", "record");
    let variants = &mut store.variants;
    let mut kept = None;
    let load = |_: &str, options: &[(String, String)]| {
        let loaded = variants.load(&asked.variant.0, options)?;
        kept = Some(Arc::clone(&loaded));
        Ok((*loaded).clone())
    };
    let (_, game) = record::read(record, load).map_err(|error| wrong(error.to_string()))?;
    let loaded = kept.ok_or_else(|| wrong("it contains no game".into()))?;
    if game.entries().len() > MAX_EVENTS {
        return Err(too_long());
    }
    let game = RequestGame::of(loaded, game);
    let viewer = View::side(asked.view.as_ref(), game.sides())?;
    let played = played(&game, viewer, Vec::new(), true);
    let session = Session { game, rolls: asked.rolls() };
    Ok(SessionStatus { session: store.open(session)?, rolled: Vec::new(), played })
}

/// The parameters of `apply`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ApplyParameters {
    session: SessionNumber,
    /// The events to apply, in order, in the same form as in `play`; if one of them is not possible, none is applied.
    /// Without events, the answer describes the current state, and can include `resume`.
    events: Option<List<AnyEvent>>,
    view: Option<View>,
}

pub(super) struct Apply;

impl Declared for Apply {
    const NAME: &'static str = "apply";
    const ABOUT: &'static str = "Applies events to an open game, and returns its new state.";
    const EXAMPLE: &'static str = include_str!("examples/apply.json");
    type Parameters = ApplyParameters;
    type Answer = SessionStatus;

    fn answer(store: &mut Store, asked: ApplyParameters) -> Result<SessionStatus, RpcError> {
        let number = asked.session.0.0;
        let session = store.session(number)?;
        let viewer = View::side(asked.view.as_ref(), session.game.sides())?;
        let before = session.game.game.entries().len();
        let (events, mut log) = (List::items(asked.events.as_ref()), Vec::new());
        let rolled = session.go_on(events, viewer, &mut log);
        match rolled {
            Ok(rolled) => {
                // A request without events asks for the position, probably to use it elsewhere: it gets the whole text.
                let played = played(&session.game, viewer, log, events.is_empty());
                Ok(SessionStatus { session: number, rolled, played })
            }
            Err(error) => {
                // Do not continue from a state that a failing rule left incomplete.
                let half = matches!(error.code, SCRIPT | TOO_LARGE);
                if (half || session.game.game.entries().len() != before)
                    && session.game.game.go_back_to(before).is_err()
                {
                    store.close(number)?;
                }
                Err(error)
            }
        }
    }
}

/// The parameters of `close`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct CloseParameters {
    session: SessionNumber,
}

/// A closed game.
#[derive(Serialize, JsonSchema)]
pub(super) struct Closed {
    /// The game's complete record ([PGN](notations.md)).
    record: String,
}

pub(super) struct Close;

impl Declared for Close {
    const NAME: &'static str = "close";
    const ABOUT: &'static str = "Closes an open game, finished or not, and returns its record.";
    const EXAMPLE: &'static str = include_str!("examples/close.json");
    type Parameters = CloseParameters;
    type Answer = Closed;

    fn answer(store: &mut Store, asked: CloseParameters) -> Result<Closed, RpcError> {
        let session = store.close(asked.session.0.0)?;
        Ok(Closed { record: record::write(&session.game.loaded, &session.game.game, &[]) })
    }
}

impl Session {
    /// Applies events, then rolls if the server rolls for this game; returns the rolls.
    ///
    /// # Errors
    /// If one of the events is not possible. Those before it stay applied.
    fn go_on(
        &mut self,
        events: &[AnyEvent],
        viewer: Option<Side>,
        log: &mut Vec<LogLine>,
    ) -> Result<Vec<Option<Vec<i16>>>, RpcError> {
        if self.game.game.entries().len() + events.len() > MAX_EVENTS {
            return Err(too_long());
        }
        let mut rolled = Vec::new();
        for (index, event) in events.iter().enumerate() {
            match self.rolls != Rolls::Never && event.asks_to_roll() && self.game.state().status() == Status::Chance {
                true => rolled.push(self.roll_once(viewer, log)?),
                false => apply_one(&mut self.game, index, event, viewer, log)?,
            }
            rolled.extend(self.roll_on(viewer, log)?);
        }
        Ok(rolled)
    }

    /// Rolls until a player decides, if the server rolls for this game; returns the rolls as `viewer` sees them.
    ///
    /// # Errors
    /// If a rule fails, or this takes too long.
    fn roll_on(&mut self, viewer: Option<Side>, log: &mut Vec<LogLine>) -> Result<Vec<Option<Vec<i16>>>, RpcError> {
        let mut rolled = Vec::new();
        while self.rolls == Rolls::AtOnce && self.game.state().status() == Status::Chance {
            rolled.push(self.roll_once(viewer, log)?);
        }
        Ok(rolled)
    }

    /// Rolls the dice that the rules wait for; returns the faces as `viewer` sees them.
    ///
    /// # Errors
    /// As [`Session::roll_on`].
    fn roll_once(&mut self, viewer: Option<Side>, log: &mut Vec<LogLine>) -> Result<Option<Vec<i16>>, RpcError> {
        if interrupt::stop_requested() {
            return Err(out_of_time());
        }
        if self.game.game.entries().len() >= MAX_EVENTS {
            return Err(too_long());
        }
        let seen = view::sees(self.game.state(), viewer);
        let rolled = self.game.game.roll();
        let faces = rolled.map_err(|error| game_error(&self.game.loaded, self.game.state(), &error))?;
        log.extend(self.game.game.entries().last().and_then(|entry| in_secret(&self.game, entry, viewer)));
        log.extend(log_lines(game_text::follow_ups(&self.game.game)));
        Ok(Some(faces).filter(|_| seen))
    }
}

fn too_long() -> RpcError {
    RpcError::new(TOO_LARGE, format!("an open game can have at most {MAX_EVENTS} events")).with("limit", MAX_EVENTS)
}
