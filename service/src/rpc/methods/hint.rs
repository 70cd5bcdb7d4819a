//! The method `hint`: the move that the computer would play.

use super::declared::Declared;
use crate::interrupt;
use crate::rpc::errors::{NOT_NOW, rule_error};
use crate::rpc::message::{INVALID_PARAMS, RpcError};
use crate::rpc::parameters::{Level, Options, PositionText, Roll, Text, UpTo, VariantName};
use crate::rpc::request_game::RequestGame;
use crate::rpc::status::pending_json;
use crate::rpc::store::Store;
use astragal_computer::{Computer, LEVELS, Limits, Line, PlayerError, apply};
use astragal_core::{Event, State, Status};
use astragal_dsl::{Loaded, game_text};
use astragal_lab::opponent::{Learned, Opponent, USUAL_LEVEL};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The maximum number of nodes that a request can ask for.
const MOST_NODES: u64 = 50_000_000;
/// The number of lines in an answer.
const LINES: usize = 10;

/// The parameters of `hint`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct HintParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    /// The level of the computer, from 1 to 8; 3 by default.
    level: Option<Level<{ *LEVELS.end() }>>,
    /// The [trained player](training.md) to ask instead of a level: `learned`, or `learned:2` to look two turns ahead.
    player: Option<Text>,
    /// The maximum number of positions to search; by default, the limit of the level.
    nodes: Option<UpTo<MOST_NODES>>,
}

/// The computer's suggestions.
#[derive(Serialize, JsonSchema)]
pub(super) struct Advice {
    /// The suggested lines of play, best first: `events` in the same form as in `play`, and `value` from -1 (lost) to 1
    /// (won).
    lines: Vec<AdvisedLine>,
    /// The search depth in turns; null if the computer played games to their end instead.
    turns: Option<u32>,
    /// The number of positions searched.
    nodes: u64,
    /// Whether the values are exact, from a [table](solving.md). If the rules award points, exact values are in points.
    exact: bool,
}

/// A line of play.
#[derive(Serialize, JsonSchema)]
struct AdvisedLine {
    /// The events in order.
    events: Vec<AdvisedEvent>,
    /// Its value, from -1 (lost) to 1 (won).
    value: f64,
}

/// An event in the form of `play`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::rpc) enum AdvisedEvent {
    /// A move, or `pass`.
    Move {
        /// The move, in the form of the `options` of `pending`.
        r#move: String,
        /// The dice that pay for it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        die: Vec<i16>,
    },
    /// A choice.
    Choice {
        /// Its text.
        choice: Option<String>,
    },
    /// A roll.
    Roll {
        /// The faces.
        roll: Vec<i16>,
    },
}

impl AdvisedEvent {
    /// An event in `state`.
    pub(in crate::rpc) fn of(state: &State, event: &Event) -> AdvisedEvent {
        match event {
            Event::Move(paid) => {
                AdvisedEvent::Move { r#move: game_text::option_name(state, *paid), die: state.price(*paid) }
            }
            Event::Choice(index) => AdvisedEvent::Choice { choice: game_text::choices(state).get(*index).cloned() },
            Event::Pass => AdvisedEvent::Move { r#move: "pass".into(), die: Vec::new() },
            Event::Roll(faces) => AdvisedEvent::Roll { roll: faces.to_vec() },
        }
    }
}

impl AdvisedLine {
    fn of(state: &State, line: &Line) -> AdvisedLine {
        let mut after = state.clone();
        let mut events = Vec::new();
        for event in &line.events {
            events.push(AdvisedEvent::of(&after, event));
            if apply(&mut after, event).is_err() {
                break;
            }
        }
        AdvisedLine { events, value: (line.value * 1e6).round() / 1e6 }
    }
}

pub(super) struct Hint;

impl Declared for Hint {
    const NAME: &'static str = "hint";
    const ABOUT: &'static str = "Suggests moves or choices for the current decision. At the time limit of the \
         request, it returns the best result found so far.";
    const EXAMPLE: &'static str = include_str!("examples/hint.json");
    type Parameters = HintParameters;
    type Answer = Advice;

    fn answer(store: &mut Store, asked: HintParameters) -> Result<Advice, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let game = game.rolled(asked.roll.as_ref())?;
        let state = game.state();
        if game.has_passed() || !matches!(state.status(), Status::Move | Status::Choice) {
            let error = RpcError::new(NOT_NOW, "there is no decision to make");
            return Err(error.with("pending", pending_json(state)));
        }
        let level = asked.level.map_or(USUAL_LEVEL, |level| level.0);
        let evaluation = store.tables.evaluation(&game.loaded);
        let evaluation = evaluation.map_err(|error| rule_error(&game.loaded, &error))?;
        let computer = match &asked.player {
            Some(name) => learned(store, &game.loaded, name)?.computer(&evaluation, 0, None),
            None => Computer::new(Arc::new(evaluation), level, 0),
        };
        let mut limits = asked
            .nodes
            .map_or_else(|| computer.limits().clone(), |nodes| Limits { nodes: Some(nodes.0), ..Limits::default() });
        limits.time = limits.time.into_iter().chain(interrupt::time_left()).min();
        let mut computer = computer.with_limits(limits);
        let found = computer.search_in(&game.game, LINES).map_err(|error| match error {
            PlayerError::Rule(error) => rule_error(&game.loaded, &error),
            other => RpcError::new(NOT_NOW, other.to_string()),
        })?;
        // The time limit may have passed, but the results must still be described.
        let lines = interrupt::uninterrupted(|| {
            found.compared().take(LINES).map(|line| AdvisedLine::of(state, line)).collect()
        });
        let exact = found.lines.first().is_some_and(Line::is_exact);
        Ok(Advice { lines, turns: found.turns, nodes: found.nodes, exact })
    }
}

/// The trained player of this name.
fn learned(store: &Store, loaded: &Loaded, name: &str) -> Result<Learned, RpcError> {
    let refused = |why: String| RpcError::new(INVALID_PARAMS, why).with("field", "player");
    match Opponent::parse_with(name, &|file| store.trained.open(loaded, file)) {
        Ok(Opponent::Learned(learned)) => Ok(learned),
        Ok(_) => Err(refused(format!("expected a player such as learned or learned:2, found '{name}'"))),
        Err(error) => Err(refused(error.to_string())),
    }
}
