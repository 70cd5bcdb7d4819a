//! Shortens a failing game: first it starts from a later position, then events are left out while the same property fails.

use super::property::{Property, Subject, Violation, check};
use astragal_core::{Event, Game, GameError, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::turn_state_text;
use std::sync::Arc;

/// The maximum number of games that are tried; the result is then short enough.
const TRIALS: usize = 400;

/// A game that violates a property.
#[derive(Clone)]
pub struct FailingGame {
    /// The game up to there.
    pub(crate) game: Game,
    /// The event at which a rule fails, if a rule fails.
    pub(crate) event: Option<Event>,
    /// The violated property.
    pub violation: Violation,
}

impl FailingGame {
    /// The number of its events.
    pub fn length(&self) -> usize {
        self.game.entries().len() + usize::from(self.event.is_some())
    }

    fn events(&self) -> Vec<Event> {
        let events = self.game.entries().iter().map(|entry| entry.event.clone());
        events.chain(self.event.clone()).collect()
    }
}

/// The shortest failing game that is found; `go_on` is called before each attempt.
pub(crate) fn shrink(subject: &Subject, failing: FailingGame, go_on: &dyn Fn() -> bool) -> FailingGame {
    let mut search = Search { subject, wanted: failing.violation.clone(), left: TRIALS, go_on };
    let later = search.later_start(&failing).unwrap_or(failing);
    search.fewer_events(later)
}

struct Search<'a> {
    subject: &'a Subject,
    wanted: Violation,
    left: usize,
    go_on: &'a dyn Fn() -> bool,
}

impl Search<'_> {
    /// The game started as late as possible: one event before the end, two, four and so on.
    fn later_start(&mut self, failing: &FailingGame) -> Option<FailingGame> {
        let events = failing.events();
        let mut back = 1;
        while back < events.len() {
            let from = events.len() - back;
            let found = moment(&failing.game, from).and_then(|moment| {
                let text = turn_state_text::position(&self.subject.loaded, &moment);
                let placed = fen::parse(&self.subject.loaded.set.variant, &text).ok()?;
                let start = turn_state_text::begin(&self.subject.loaded, placed, 0).ok()?;
                self.trial(start, &events[from..])
            });
            if found.is_some() {
                return found;
            }
            back = if back < 8 { back + 1 } else { back * 2 };
        }
        None
    }

    /// Leaves out events, first many at once, then one by one, until every remaining event is necessary.
    fn fewer_events(&mut self, mut failing: FailingGame) -> FailingGame {
        let mut size = (failing.events().len() / 2).max(1);
        loop {
            let (events, mut from, mut shorter) = (failing.events(), 0, None);
            while from < events.len() && shorter.is_none() {
                let to = (from + size).min(events.len());
                let fewer: Vec<Event> = events[..from].iter().chain(&events[to..]).cloned().collect();
                let start = turn_state_text::restarted(&failing.game).ok();
                let found = start.and_then(|start| self.trial(start, &fewer));
                shorter = found.filter(|found| found.events().len() < events.len());
                from = to;
            }
            match shorter {
                Some(found) => failing = found,
                None if size == 1 => return failing,
                None => size = size.div_ceil(2).min(size - 1),
            }
            size = size.min(failing.events().len().max(1));
            if self.left == 0 {
                return failing;
            }
        }
    }

    /// Plays the events that are still possible. Returns the failing game if the wanted violation occurs.
    fn trial(&mut self, mut game: Game, events: &[Event]) -> Option<FailingGame> {
        if self.left == 0 || !(self.go_on)() {
            self.left = 0;
            return None;
        }
        self.left -= 1;
        let property = self.wanted.property;
        let at_each = matches!(property, Property::Text | Property::Chances);
        let same = |violation: &Violation| violation.property == property && violation.mark == self.wanted.mark;
        let failed = |game: &Game| check(property, self.subject, game).err().filter(same);
        if at_each && let Some(violation) = failed(&game) {
            return Some(FailingGame { game, event: None, violation });
        }
        for event in events {
            match game.apply(event) {
                Err(error @ GameError::Rule(_)) => {
                    let violation = Some(Violation::rule(&game, &error)).filter(same)?;
                    return Some(FailingGame { game, event: Some(event.clone()), violation });
                }
                // Without an earlier event, this one is not possible.
                Err(_) => continue,
                Ok(()) if at_each => {
                    if let Some(violation) = failed(&game) {
                        return Some(FailingGame { game, event: None, violation });
                    }
                }
                Ok(()) => {}
            }
            if game.status() == Status::Over {
                break;
            }
        }
        let violation = failed(&game)?;
        Some(FailingGame { game, event: None, violation })
    }
}

/// The game after this many events.
fn moment(game: &Game, events: usize) -> Option<Game> {
    let mut again = turn_state_text::restarted(game).ok()?;
    game.entries().iter().take(events).try_for_each(|entry| again.apply(&entry.event)).ok()?;
    Some(again)
}

/// A game of a subject from its usual start.
///
/// # Errors
/// If a rule fails at once.
pub fn fresh(subject: &Subject) -> Result<Game, Violation> {
    let loaded = &subject.loaded;
    Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0).map_err(Violation::at_once)
}
