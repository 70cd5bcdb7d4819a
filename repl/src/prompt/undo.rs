//! Undo and redo, and the variations of a game.

use super::journal;
use super::session::{CommandResult, Session};
use astragal_core::{Event, Side, Status};
use astragal_dsl::{turn_state_text, view};
use astragal_service::report;

impl Session {
    /// `undo`.
    pub(super) fn undo(&mut self, rest: &str) -> CommandResult {
        let played = self.game.entries().len();
        if played == 0 {
            return Err("there is nothing to take back".into());
        }
        let count = if rest.is_empty() { self.last_step() } else { count(rest, "take back")? };
        let count = count.min(played);
        let game = journal::back_to(&self.game, played - count)?;
        let before = self.viewer();
        self.game = game;
        let viewer = self.pass_on(before);
        self.keep();
        let events = if count == 1 { "event" } else { "events" };
        let so_far = if self.is_hidden() { String::new() } else { self.turn_so_far(viewer) };
        let board = self.board();
        Ok(format!("{count} {events} taken back.\n{so_far}{board}{}", self.standing()))
    }

    /// The events of the current turn, with its dice, as far as `viewer` may know them.
    fn turn_so_far(&self, viewer: Option<Side>) -> String {
        let entries = self.game.turn_so_far().2.len();
        match entries {
            0 => String::new(),
            _ => {
                let from = self.game.entries().len() - entries;
                report::events_with_dice(&self.game, from, viewer, |roll| self.dice_line(roll))
            }
        }
    }

    /// The number of events that a plain `undo` takes back. It is one, unless the last event was automatic or a computer's.
    /// Then it covers all events since a person's last decision or, if there was none, their last roll.
    fn last_step(&self) -> usize {
        let entries = self.game.entries();
        let Ok(mut again) = turn_state_text::restarted(&self.game) else { return 1 };
        let (mut decided, mut rolled, mut by_itself) = (None, None, false);
        for (i, entry) in entries.iter().enumerate() {
            let state = again.state();
            by_itself = self.is_computers(state.chooser()) || self.goes_on_with(&again).is_some();
            match state.status() {
                _ if by_itself => {}
                Status::Chance => rolled = Some(i),
                _ => decided = Some(i),
            }
            if again.apply(&entry.event).is_err() {
                return 1;
            }
        }
        match decided.or(rolled) {
            Some(own) if by_itself => entries.len() - own,
            _ => 1,
        }
    }

    /// `redo`.
    pub(super) fn redo(&mut self, rest: &str) -> CommandResult {
        let count = count(rest, "redo")?;
        let ahead: Vec<Event> = self.variations.ahead().into_iter().take(count).cloned().collect();
        if ahead.is_empty() {
            return Err("there is nothing to redo here".into());
        }
        self.again(&ahead)
    }

    /// `branches`.
    pub(super) fn other_lines(&mut self, rest: &str) -> CommandResult {
        let known: Vec<Event> = self.variations.continuations().into_iter().cloned().collect();
        if !rest.is_empty() {
            let chosen = rest.parse::<usize>().ok().and_then(|n| known.get(n.checked_sub(1)?));
            let Some(event) = chosen.cloned() else {
                return Err(match known.len() {
                    0 => "no line continues from here".into(),
                    n => format!("expected a line number from 1 to {n}, found '{rest}'"),
                });
            };
            return self.again(&[event]);
        }
        let mut text = String::new();
        for (i, event) in known.iter().enumerate() {
            let said = view::event_text(self.game.state(), event, self.viewer());
            text.push_str(&format!("{:>3}. {said}\n", i + 1));
        }
        let lines = self.variations.lines();
        let lines = if lines == 1 { "1 line in this game".into() } else { format!("{lines} lines in this game") };
        match known.len() {
            0 => Ok(format!("No line continues from here; {lines}.\n")),
            _ => Ok(format!(
                "{text}To continue with one of these, type 'branches N'; 'redo' follows the last one played \
                 ({lines}).\n"
            )),
        }
    }

    fn again(&mut self, events: &[Event]) -> CommandResult {
        self.act(|game| events.iter().try_for_each(|event| game.apply(event).map_err(|error| error.to_string())))
    }
}

fn count(rest: &str, what: &str) -> Result<usize, String> {
    if rest.is_empty() {
        return Ok(1);
    }
    rest.parse().map_err(|_| format!("expected a number of events to {what}, found '{rest}'"))
}
