//! The method `hint`: what the computer would do.

use super::message::Fault;
use super::params::Params;
use super::table::{self, NOT_NOW, Table};
use crate::interrupt;
use crate::opponents::USUAL_LEVEL;
use crate::shelf::Shelf;
use astragal_computer::{Computer, Knowledge, Limits, PlayerError, player};
use astragal_core::{Event, State, Status};
use astragal_dsl::words;
use serde_json::{Value, json};
use std::rc::Rc;

/// More nodes than anyone waits for.
const MOST_NODES: u64 = 50_000_000;
/// The lines that are answered.
const LINES: usize = 10;

/// The best lines of the decision at hand, each with the events that `play` understands.
///
/// # Errors
/// If a parameter is wrong, the roll is missing, or there is nothing to decide.
pub fn hint(shelf: &mut Shelf, params: &Params<'_>) -> Result<Value, Fault> {
    let table = Table::rolled(shelf, params)?;
    let state = table.state();
    if table.has_passed() || !matches!(state.status(), Status::Move | Status::Choice) {
        return Err(Fault::new(NOT_NOW, "there is nothing to decide").with("pending", table::pending_json(state)));
    }
    let level = match params.get("level") {
        None => USUAL_LEVEL,
        value => {
            let level = params.number("level", u64::from(*player::LEVELS.end()))? as u8;
            let expected = format!("a level from {} to {}", player::LEVELS.start(), player::LEVELS.end());
            Some(level).filter(|l| player::LEVELS.contains(l)).ok_or_else(|| Fault::param("level", &expected, value))?
        }
    };
    let known = Knowledge::learn(Rc::clone(&table.loaded.set), &table.loaded.start);
    let known = known.map_err(|error| table::rule_fault(&table.loaded, &error))?;
    let mut computer = Computer::new(Rc::new(known), level, 0);
    let mut limits = computer.limits().clone();
    if params.get("nodes").is_some() {
        limits = Limits::nodes(params.number("nodes", MOST_NODES)?);
    }
    limits.time = limits.time.into_iter().chain(interrupt::left()).min();
    computer = computer.with_limits(limits).comparing(LINES);
    let thought = computer.think(state).map_err(|error| match error {
        PlayerError::Rule(error) => table::rule_fault(&table.loaded, &error),
        other => Fault::new(NOT_NOW, other.to_string()),
    })?;
    let one = |line: &astragal_computer::search::Line| {
        let events = events_json(state, &line.events);
        json!({"events": events, "value": (line.value * 1e6).round() / 1e6})
    };
    // The time may be over: what was found is to be told.
    let lines: Vec<Value> = interrupt::finishing(|| thought.compared().take(LINES).map(one).collect());
    Ok(json!({"lines": lines, "turns": thought.turns, "nodes": thought.nodes}))
}

/// Events one after another, as `play` takes them.
fn events_json(state: &State, events: &[Event]) -> Vec<Value> {
    let mut state = state.clone();
    let mut all = Vec::new();
    for event in events {
        all.push(match event {
            Event::Move(paid) => {
                let mut value = json!({"move": words::move_name(&state, paid.mv)});
                let dice = state.price(*paid);
                if !dice.is_empty() {
                    value["die"] = dice.into();
                }
                value
            }
            Event::Choice(index) => json!({"choice": words::choices(&state).get(*index)}),
            Event::Pass => json!({"move": "pass"}),
            Event::Roll(faces) => json!({"roll": faces}),
        });
        if astragal_computer::search::apply(&mut state, event).is_err() {
            break;
        }
    }
    all
}
