//! The events of a node: listing them, applying them, and drawing chance outcomes.
//!
//! Knows states only, not values. Evaluations, searches and players build on this module.

use astragal_core::rule::RuleError;
use astragal_core::{Event, Reply, State, Status, Stream};

/// The possible events at a decision: moves, choices, and finally a pass.
pub fn legal_events(state: &State) -> Vec<Event> {
    let mut events: Vec<Event> = state.moves().iter().map(|&paid| Event::Move(paid)).collect();
    events.extend((0..state.choices().len()).map(Event::Choice));
    if state.can_pass() {
        events.push(Event::Pass);
    }
    events
}

/// The same in an order that makes cutoffs likely: captures of royals, then other captures, then the rest.
pub(crate) fn captures_first(state: &State) -> Vec<Event> {
    let royals = state.ruleset().variant.royals();
    let mut events = legal_events(state);
    events.sort_by_key(|event| match event {
        Event::Move(paid) => match state.position().at(paid.mv.to) {
            piece if piece.is_none() => 2,
            piece if royals.contains(piece.kind()) => 0,
            _ => 1,
        },
        _ => 2,
    });
    events
}

/// Applies an event listed by [`legal_events`], or a roll.
///
/// # Errors
/// If a rule fails.
///
/// # Panics
/// If it is not permitted, or for a roll that the dice cannot show.
pub fn apply(state: &mut State, event: &Event) -> Result<(), RuleError> {
    match reply(state, event) {
        Reply::Move(paid) => state.play(paid),
        Reply::Choice(index) => state.choose(index),
        Reply::Pass => state.pass(),
        Reply::Roll(index) => state.roll(index),
    }
}

/// Makes `room` the state after an event, as [`after`] does, but without listing its moves.
///
/// # Errors
/// If a rule fails.
///
/// # Panics
/// As [`apply`].
pub(crate) fn become_after(room: &mut State, state: &State, event: &Event) -> Result<(), RuleError> {
    room.become_after_unlisted(state, reply(state, event))
}

/// The state after an event listed by [`legal_events`], or a roll.
///
/// # Errors
/// If a rule fails.
///
/// # Panics
/// As [`apply`].
pub(crate) fn after(state: &State, event: &Event) -> Result<State, RuleError> {
    state.after(reply(state, event))
}

fn reply(state: &State, event: &Event) -> Reply {
    match event {
        Event::Move(paid) => Reply::Move(*paid),
        Event::Choice(index) => Reply::Choice(*index),
        Event::Pass => Reply::Pass,
        Event::Roll(faces) => {
            let index = state.dice().and_then(|dice| dice.index_of(faces));
            Reply::Roll(index.expect("the dice can show these faces"))
        }
    }
}

/// The state after a line of events.
pub(crate) fn after_line(state: &State, events: &[Event]) -> Result<State, RuleError> {
    let mut next = state.clone();
    events.iter().try_for_each(|event| apply(&mut next, event))?;
    Ok(next)
}

/// Applies a random event: a roll by its weight, or an event of a decision with equal chances.
///
/// # Errors
/// If a rule fails.
pub(crate) fn step_randomly(state: &mut State, random: &mut Stream) -> Result<(), RuleError> {
    match state.status() {
        Status::Over => Ok(()),
        Status::Chance => state.roll(state.draw(random)),
        Status::Move | Status::Choice => {
            let pick = random.below(state.replies() as u64) as usize;
            match state.nth_reply(pick) {
                Some(Reply::Move(paid)) => state.play(paid),
                Some(Reply::Choice(index)) => state.choose(index),
                _ => state.pass(),
            }
        }
    }
}

/// Why the chooser may not see the whole state, if so.
pub(crate) fn hidden_from_chooser(state: &State) -> Option<&'static str> {
    if state.ruleset().variant.has_secrets() {
        return Some("counters or traits are secret");
    }
    state.hides_from(state.chooser()).then_some("dice were rolled or choices made in secret")
}
