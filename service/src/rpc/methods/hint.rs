//! The method `hint`: what the computer would do.

use super::Declared;
use crate::interrupt;
use crate::rpc::errors::{NOT_NOW, rule_error};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{Level, Options, PositionText, Roll, UpTo, VariantName};
use crate::rpc::request_game::RequestGame;
use crate::rpc::status::pending_json;
use crate::rpc::store::Store;
use astragal_computer::{Computer, Evaluation, LEVELS, Limits, Line, PlayerError, apply};
use astragal_core::{Event, State, Status};
use astragal_dsl::game_text;
use astragal_lab::opponent::USUAL_LEVEL;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// More nodes than anyone waits for.
const MOST_NODES: u64 = 50_000_000;
/// The lines that are answered.
const LINES: usize = 10;

/// What `hint` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct HintParameters {
    variant: VariantName,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    /// The level of the computer; 3 without it.
    level: Option<Level<{ *LEVELS.end() }>>,
    /// The most positions that are looked at, instead of what the level has.
    nodes: Option<UpTo<MOST_NODES>>,
}

/// What the computer would do.
#[derive(Serialize, JsonSchema)]
pub(super) struct Advice {
    /// The best first: `events` as `play` takes them, `value` from -1 (lost) to 1 (won).
    lines: Vec<AdvisedLine>,
    /// How many turns the computer has looked ahead; null if it has played games to their end instead.
    turns: Option<u32>,
    /// How many positions it has looked at.
    nodes: u64,
}

/// A line of play.
#[derive(Serialize, JsonSchema)]
struct AdvisedLine {
    /// What is to be done, one after another.
    events: Vec<AdvisedEvent>,
    /// What it is worth.
    value: f64,
}

/// An event as `play` takes it.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::rpc) enum AdvisedEvent {
    /// A move, or `pass`.
    Move {
        /// The move as `options` of `pending` has it.
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
    const ABOUT: &'static str = "What the computer would do in the decision at hand. At the end of the request's time it tells \
                                 the best that it has found.";
    const EXAMPLE: &'static str = include_str!("examples/hint.json");
    type Parameters = HintParameters;
    type Answer = Advice;

    fn answer(store: &mut Store, asked: HintParameters) -> Result<Advice, RpcError> {
        let game =
            RequestGame::set_up(&mut store.variants, &asked.variant, asked.options.as_ref(), asked.position.as_ref())?;
        let game = game.rolled(asked.roll.as_ref())?;
        let state = game.state();
        if game.has_passed() || !matches!(state.status(), Status::Move | Status::Choice) {
            let error = RpcError::new(NOT_NOW, "there is nothing to decide");
            return Err(error.with("pending", pending_json(state)));
        }
        let level = asked.level.map_or(USUAL_LEVEL, |level| level.0);
        let evaluation = Evaluation::learn(Arc::clone(&game.loaded.set), &game.loaded.start);
        let evaluation = evaluation.map_err(|error| rule_error(&game.loaded, &error))?;
        let computer = Computer::new(Arc::new(evaluation), level, 0);
        let mut limits = asked
            .nodes
            .map_or_else(|| computer.limits().clone(), |nodes| Limits { nodes: Some(nodes.0), ..Limits::default() });
        limits.time = limits.time.into_iter().chain(interrupt::time_left()).min();
        let mut computer = computer.with_limits(limits);
        let found = computer.search_in(&game.game, LINES).map_err(|error| match error {
            PlayerError::Rule(error) => rule_error(&game.loaded, &error),
            other => RpcError::new(NOT_NOW, other.to_string()),
        })?;
        // The time may be over: what was found is to be told.
        let lines = interrupt::uninterrupted(|| {
            found.compared().take(LINES).map(|line| AdvisedLine::of(state, line)).collect()
        });
        Ok(Advice { lines, turns: found.turns, nodes: found.nodes })
    }
}
