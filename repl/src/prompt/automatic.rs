//! Actions without a key press: computers act, dice are rolled for people who have no decision to make first, and forced
//! moves are made, depending on the settings.
//!
//! It never makes a decision: where a player has alternatives, it waits. It does nothing after `undo`, `position` or
//! `resume`, so that people can look at the earlier position.

use super::session::{CommandResult, Session};
use astragal_core::{Event, Game, Status};
use astragal_dsl::view;
use astragal_service::input;

/// The number of consecutive events without a decision after which the game waits for a key.
pub(super) const LONGEST: usize = 200;

impl Session {
    /// Whether the dice of people are rolled automatically.
    pub(super) fn rolls_by_itself(&self) -> bool {
        let sides = self.loaded.set.variant.sides();
        let alone = self.people() == 1;
        // If several people keep secrets, the next player must look first.
        if !alone && view::has_secrets(&self.game) {
            return false;
        }
        self.automatic.rolls.unwrap_or(self.apart && sides > 1 && alone)
    }

    /// The automatic event in `game`, if the next to act is a person without a decision to make; a roll has no faces.
    pub(super) fn goes_on_with(&self, game: &Game) -> Option<Event> {
        let state = game.state();
        if self.is_computers(state.chooser()) {
            return None;
        }
        match state.status() {
            Status::Chance => self.rolls_by_itself().then(|| Event::Roll(Vec::new())),
            Status::Move | Status::Choice if !self.automatic.moves || state.can_pass() => None,
            Status::Move if state.choices().is_empty() && input::moves(game).len() == 1 => {
                state.moves().first().map(|paid| Event::Move(*paid))
            }
            Status::Choice if state.choices().len() == 1 => Some(Event::Choice(0)),
            _ => None,
        }
    }

    /// The command `auto`.
    pub(super) fn auto(&mut self, rest: &str) -> CommandResult {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let on = |word: &str| match word {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err(format!("expected on or off, found '{word}'")),
        };
        match words.as_slice() {
            [] => {}
            ["roll" | "rolls"] => self.automatic.rolls = Some(!self.rolls_by_itself()),
            ["move" | "moves"] => self.automatic.moves = !self.automatic.moves,
            ["roll" | "rolls", "usual"] => self.automatic.rolls = None,
            ["roll" | "rolls", word] => self.automatic.rolls = Some(on(word)?),
            ["move" | "moves", word] => self.automatic.moves = on(word)?,
            _ => return Err(format!("expected 'auto roll on' or 'auto moves on' (or off), found 'auto {rest}'")),
        }
        Ok(self.automatic_text())
    }

    fn automatic_text(&self) -> String {
        let rolls = if self.rolls_by_itself() { "automatically" } else { "when you press Enter" };
        let moves = if self.automatic.moves { "automatically" } else { "when you type them" };
        format!("Your dice are rolled {rolls}.\nForced moves and choices are made {moves}.\n")
    }
}

#[cfg(test)]
#[path = "automatic_tests.rs"]
mod tests;
