//! The events of a node: what may be done at a decision, how it is done, and what happens by chance.
//!
//! Knows states only, no values: evaluations, searches and players all stand on this.

use astragal_core::rule::RuleError;
use astragal_core::{Event, Reply, State, Status, Stream};

/// What may be done at a decision: moves, choices, and at last a pass.
pub fn legal_events(state: &State) -> Vec<Event> {
    let mut events: Vec<Event> = state.moves().iter().map(|&paid| Event::Move(paid)).collect();
    events.extend((0..state.choices().len()).map(Event::Choice));
    if state.can_pass() {
        events.push(Event::Pass);
    }
    events
}

/// The same in the order in which cutoffs are likely: captures of royals, then other captures, then the rest.
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

/// Lets an event happen that [`legal_events`] lists, or a roll.
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

/// Makes `room` the state after an event, as [`after`] gives it, but its moves are not listed yet.
///
/// # Errors
/// If a rule fails.
///
/// # Panics
/// As [`apply`].
pub(crate) fn become_after(room: &mut State, state: &State, event: &Event) -> Result<(), RuleError> {
    room.become_after_unlisted(state, reply(state, event))
}

/// The state after an event that [`legal_events`] lists, or a roll.
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
            Reply::Roll(index.expect("faces that the dice can show"))
        }
    }
}

/// The state after a line of events.
pub(crate) fn after_line(state: &State, events: &[Event]) -> Result<State, RuleError> {
    let mut next = state.clone();
    events.iter().try_for_each(|event| apply(&mut next, event))?;
    Ok(next)
}

/// Lets something happen by chance: a roll by its weight, all events of a decision alike.
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

/// Why the chooser may not see all that the state tells, if so.
pub(crate) fn hidden_from_chooser(state: &State) -> Option<&'static str> {
    if state.ruleset().variant.has_secrets() {
        return Some("counters or traits are secret");
    }
    state.hides_from(state.chooser()).then_some("something was rolled or chosen in secret")
}
