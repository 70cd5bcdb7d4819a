//! What happens without a key: computers act, the dice of a person who has nothing to decide before them fall, and a
//! move without an alternative is made, where people want that.
//!
//! It never decides anything: where a player could do one thing or another, it waits. Nothing of it happens after
//! `undo`, `position` or `resume`, so that people can look at what they went back to.

use super::session::{CommandResult, Session};
use astragal_core::{Event, Game, Status};
use astragal_dsl::view;
use astragal_service::input;

/// A game in which nobody can decide anything for so many events waits for a key.
pub(super) const LONGEST: usize = 200;

/// What people want to happen by itself.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Automatic {
    /// Rolls; unless somebody has said so, where one person plays at a terminal.
    rolls: Option<bool>,
    /// Moves and choices without an alternative.
    moves: bool,
}

impl Session {
    /// Whether the dice of persons fall by themselves.
    pub(super) fn rolls_by_itself(&self) -> bool {
        let sides = self.loaded.set.variant.sides();
        let alone = self.persons() == 1;
        // Where several people keep secrets, the next one looks first.
        if !alone && view::has_secrets(&self.game) {
            return false;
        }
        self.automatic.rolls.unwrap_or(self.apart && sides > 1 && alone)
    }

    /// What `game` goes on with if the next to act is a person who has nothing to decide; a roll is without faces.
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
        let rolls = if self.rolls_by_itself() { "by themselves" } else { "when you press Enter" };
        let moves = if self.automatic.moves { "by themselves" } else { "when you type them" };
        format!("Your dice fall {rolls}.\nMoves and choices without an alternative are made {moves}.\n")
    }
}

#[cfg(test)]
#[path = "automatic_tests.rs"]
mod tests;
