//! The methods about what has happened in an open game: `history` and `undo`.

use super::Declared;
use super::play::played;
use super::session::SessionStatus;
use crate::rpc::errors::game_error;
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{SessionNumber, UpTo, View};
use crate::rpc::store::{MAX_EVENTS, Store};
use astragal_core::{Event, Game, HistoryEntry};
use astragal_dsl::{game_text, record, turn_state_text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `history` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct HistoryParameters {
    session: SessionNumber,
    view: Option<View>,
}

/// What has happened in a game.
#[derive(Serialize, JsonSchema)]
pub(super) struct Course {
    /// The turns, as people read them; what others decide in a turn stands apart from it.
    turns: Vec<TurnText>,
    /// Of each event who decided it; null for what chance decided.
    deciders: Vec<Option<&'static str>>,
    /// The game's record ([PGN](notations.md)); not for one side if there are secrets in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<String>,
}

/// A turn, as people read it.
#[derive(Serialize, JsonSchema)]
struct TurnText {
    /// The number of the round.
    round: u32,
    /// Whose turn it was: `first` to `eighth`.
    side: &'static str,
    /// What happened, as `[2,3] Nc3`.
    text: String,
    /// How many events had happened at its end: what `undo` is given to go there.
    events: usize,
}

pub(super) struct History;

impl Declared for History {
    const NAME: &'static str = "history";
    const ABOUT: &'static str = "What has happened in an open game, turn by turn.";
    const EXAMPLE: &'static str = include_str!("examples/history.json");
    type Parameters = HistoryParameters;
    type Answer = Course;

    fn answer(store: &mut Store, asked: HistoryParameters) -> Result<Course, RpcError> {
        let session = store.session(asked.session.0.0)?;
        let (game, loaded) = (&session.game.game, &session.game.loaded);
        let viewer = View::side(asked.view.as_ref(), session.game.sides())?;
        let text = |turn: record::Turn| TurnText {
            round: turn.number,
            side: game_text::ordinal(turn.side),
            text: turn.text,
            events: turn.events,
        };
        let turns = record::decisions_for(game, viewer).into_iter().map(text);
        let knows = |entry: &HistoryEntry| entry.secret.is_none_or(|side| Some(side) == viewer);
        let open = viewer.is_none() || !loaded.set.variant.has_secrets() && game.entries().iter().all(knows);
        Ok(Course {
            turns: turns.collect(),
            deciders: deciders(game),
            record: open.then(|| record::write(loaded, game, &[])),
        })
    }
}

/// Of each event who decided it.
fn deciders(game: &Game) -> Vec<Option<&'static str>> {
    let Ok(mut again) = turn_state_text::restarted(game) else { return Vec::new() };
    let decided = |entry: &HistoryEntry| {
        let who = game_text::ordinal(again.state().chooser());
        again.apply(&entry.event).ok()?;
        Some((!matches!(entry.event, Event::Roll(_))).then_some(who))
    };
    game.entries().iter().map_while(decided).collect()
}

/// What `undo` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct UndoParameters {
    session: SessionNumber,
    /// How many events remain.
    events: UpTo<{ MAX_EVENTS as u64 }>,
    view: Option<View>,
}

pub(super) struct Undo;

impl Declared for Undo {
    const NAME: &'static str = "undo";
    const ABOUT: &'static str = "Takes back the last events of an open game. With a seed the dice that come then are the same \
                                 again; the server rolls them with the next `apply`.";
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
