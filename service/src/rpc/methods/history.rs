//! The methods about the events of an open game: `history` and `undo`.

use super::declared::Declared;
use super::play::played;
use super::session::SessionStatus;
use crate::rpc::errors::game_error;
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{SessionNumber, UpTo, View};
use crate::rpc::store::{MAX_EVENTS, Store};
use astragal_core::{Event, Game, HistoryEntry};
use astragal_dsl::record::{self, TurnPart};
use astragal_dsl::{game_text, turn_state_text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of `history`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct HistoryParameters {
    session: SessionNumber,
    view: Option<View>,
}

/// The history of a game.
#[derive(Serialize, JsonSchema)]
pub(super) struct GameHistory {
    /// The turns; decisions of other sides within a turn are listed separately. Their `parts` are the events: `{"roll":
    /// ["2","3"]}`, `{"move": "Nc3"}`, `{"choice": "stay"}`, `"pass"`, `"lost"` (a turn without a legal move), or `"hidden"`.
    turns: Vec<TurnText>,
    /// The side that decided each event; null for rolls and draws.
    deciders: Vec<Option<&'static str>>,
    /// The game's record ([PGN](notations.md)); left out for a `view` if the record contains secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<String>,
}

/// A turn in readable form.
#[derive(Serialize, JsonSchema)]
struct TurnText {
    /// The round number.
    round: u32,
    /// The side whose turn it was, `first` to `eighth`.
    side: &'static str,
    /// The turn as text: `[2,3] Nc3`.
    text: String,
    /// Its events in order.
    parts: Vec<Part>,
    /// The number of events up to its end; pass it to `undo` to return there.
    events: usize,
}

/// An event of a turn.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Part {
    /// A roll: its faces, or the square or the move that was drawn.
    Roll(Vec<String>),
    /// A roll or a choice that the side of `view` does not see.
    Hidden,
    /// A move.
    Move(String),
    /// A choice.
    Choice(String),
    /// A pass.
    Pass,
    /// The turn was lost, because no move was legal.
    Lost,
}

impl From<TurnPart> for Part {
    fn from(part: TurnPart) -> Part {
        match part {
            TurnPart::Roll(faces) => Part::Roll(faces),
            TurnPart::Hidden => Part::Hidden,
            TurnPart::Move(text) => Part::Move(text),
            TurnPart::Choice(text) => Part::Choice(text),
            TurnPart::Pass => Part::Pass,
            TurnPart::Lost => Part::Lost,
        }
    }
}

pub(super) struct History;

impl Declared for History {
    const NAME: &'static str = "history";
    const ABOUT: &'static str = "Returns the history of an open game, turn by turn.";
    const EXAMPLE: &'static str = include_str!("examples/history.json");
    type Parameters = HistoryParameters;
    type Answer = GameHistory;

    fn answer(store: &mut Store, asked: HistoryParameters) -> Result<GameHistory, RpcError> {
        let session = store.session(asked.session.0.0)?;
        let (game, loaded) = (&session.game.game, &session.game.loaded);
        let viewer = View::side(asked.view.as_ref(), session.game.sides())?;
        let text = |turn: record::Turn| TurnText {
            round: turn.number,
            side: game_text::ordinal(turn.side),
            text: turn.text(),
            parts: turn.parts.into_iter().map(Part::from).collect(),
            events: turn.events,
        };
        let turns = record::decisions_for(game, viewer).into_iter().map(text);
        let knows = |entry: &HistoryEntry| entry.secret.is_none_or(|side| Some(side) == viewer);
        let open = viewer.is_none() || !loaded.set.variant.has_secrets() && game.entries().iter().all(knows);
        Ok(GameHistory {
            turns: turns.collect(),
            deciders: deciders(game),
            record: open.then(|| record::write(loaded, game, &[])),
        })
    }
}

/// The side that decided each event.
fn deciders(game: &Game) -> Vec<Option<&'static str>> {
    let Ok(mut again) = turn_state_text::restarted(game) else { return Vec::new() };
    let decided = |entry: &HistoryEntry| {
        let who = game_text::ordinal(again.state().chooser());
        again.apply(&entry.event).ok()?;
        Some((!matches!(entry.event, Event::Roll(_))).then_some(who))
    };
    game.entries().iter().map_while(decided).collect()
}

/// The parameters of `undo`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct UndoParameters {
    session: SessionNumber,
    /// The number of events to keep, from the start of the game.
    events: UpTo<{ MAX_EVENTS as u64 }>,
    view: Option<View>,
}

pub(super) struct Undo;

impl Declared for Undo {
    const NAME: &'static str = "undo";
    const ABOUT: &'static str = "Takes back the last events of an open game. In a game with a seed, the next rolls \
         repeat the earlier ones, and the server makes them in the next `apply`.";
    const EXAMPLE: &'static str = include_str!("examples/undo.json");
    type Parameters = UndoParameters;
    type Answer = SessionStatus;

    fn answer(store: &mut Store, asked: UndoParameters) -> Result<SessionStatus, RpcError> {
        let number = asked.session.0.0;
        let session = store.session(number)?;
        let viewer = View::side(asked.view.as_ref(), session.game.sides())?;
        let remain = asked.events.0 as usize;
        if remain < session.game.game.entries().len()
            && let Err(error) = session.game.game.go_back_to(remain)
        {
            let error = game_error(&session.game.loaded, session.game.state(), &error);
            store.close(number)?;
            return Err(error);
        }
        Ok(SessionStatus {
            session: number,
            rolled: Vec::new(),
            played: played(&session.game, viewer, Vec::new(), true),
        })
    }
}
