//! The games of a session on disk: each is saved while it is played, listed, and can be continued.
//!
//! After each change of the game, the tree of variations and the journal compare it with their own state and record the
//! difference.

use super::files;
use super::journal::{self, Journal};
use super::session::{CommandResult, Session};
use super::watch::Watch;
use astragal_core::Status;
use astragal_dsl::Variations;

impl Session {
    /// Starts another game, with variations that are already known.
    pub(super) fn begin_lines(&mut self, variations: Variations) {
        self.variations = variations;
        self.autosave.lost |= self.autosave.failed;
        (self.autosave.journal, self.autosave.failed) = (None, false);
        self.keep();
    }

    /// A note about the running game when another one begins; empty if there is nothing to lose.
    pub(super) fn left_behind(&self) -> String {
        if self.game.entries().is_empty() || self.game.status() == Status::Over {
            return String::new();
        }
        let events = self.game.entries().len();
        match self.autosave.journal.as_ref().filter(|_| self.is_saved()).and_then(Journal::number) {
            Some(number) => format!("The game so far is saved. To continue it, type 'resume {number}'.\n"),
            None if events == 1 => "The game so far (1 event) was not saved.\n".into(),
            None => format!("The game so far ({events} events) was not saved.\n"),
        }
    }

    /// Updates variations and journal after a change of the game. A write failure is reported once. Each later event tries
    /// again, and a successful write includes the missing events.
    pub(super) fn keep(&mut self) {
        let seats = self.seats.text();
        let known = self.autosave.journal.as_ref().is_some_and(|journal| journal.seats() == seats);
        let unchanged = self.variations.follow(self.game.entries()) == Default::default();
        if unchanged && known && !self.autosave.failed {
            return;
        }
        let Some(folder) = self.autosave.folder.clone() else { return };
        let of_this = self.autosave.journal.as_ref().is_some_and(|journal| journal.is_of(&self.loaded, &self.game));
        let written = match &mut self.autosave.journal {
            Some(journal) if of_this => journal.note(&self.game, &seats),
            // A game without events is not worth a file.
            _ if self.game.entries().is_empty() => Ok(()),
            open => Journal::begin(&folder, &self.loaded, &self.game, &seats).map(|journal| *open = Some(journal)),
        };
        let failed = std::mem::replace(&mut self.autosave.failed, written.is_err());
        match written {
            Err(why) if !failed => self.aside.push_str(&format!("This game is not being saved: {why}.\n")),
            Ok(()) if failed && !self.game.entries().is_empty() => {
                self.aside.push_str("This game is being saved again.\n")
            }
            _ => {}
        }
    }

    /// Whether the game is completely saved, or should not be.
    pub(crate) fn is_saved(&self) -> bool {
        !self.autosave.failed
    }

    /// Whether all games of the session are saved, or should not be.
    pub(crate) fn all_saved(&self) -> bool {
        self.is_saved() && !self.autosave.lost
    }

    /// `games`.
    pub(super) fn games(&self) -> CommandResult {
        let folder = self.autosave.folder.as_ref().ok_or("games are not saved in this session")?;
        let all = journal::saved(folder);
        if all.is_empty() {
            return Ok(format!("There are no saved games in {}.\n", folder.display()));
        }
        let mut text = String::new();
        let present = self.autosave.journal.as_ref().map(Journal::path);
        for saved in all.iter().take(20) {
            let events = if saved.events == 1 { "1 event".into() } else { format!("{} events", saved.events) };
            let state = match &saved.over {
                _ if present == Some(saved.path.as_path()) => "this game",
                Some(result) => result,
                None => "unfinished",
            };
            text.push_str(&format!(
                "{:>4}. {}, {events}: {}\n",
                saved.number,
                saved.title,
                state.trim_end_matches('.')
            ));
        }
        if all.len() > 20 {
            text.push_str(&format!("and {} more in {}\n", all.len() - 20, folder.display()));
        }
        Ok(text + "To continue one of them, type 'resume N'.\n")
    }

    /// `resume`.
    pub(super) fn resume(&mut self, rest: &str) -> CommandResult {
        let folder = self.autosave.folder.clone().ok_or("games are not saved in this session")?;
        let which = Some(rest).filter(|rest| !rest.is_empty());
        let resumed = journal::resume(&mut self.cache, &folder, which)?;
        let left = self.left_behind();
        let damage = self.take_over(resumed);
        Ok(format!("{left}{damage}{}{}", self.title(), self.whole()))
    }

    /// Continues a saved game; returns a note about its file.
    pub(super) fn take_over(&mut self, resumed: journal::Resumed) -> String {
        let foreign = if resumed.own { String::new() } else { files::told(resumed.journal.path(), &resumed.name) };
        (self.loaded, self.name, self.game) = (resumed.loaded, resumed.name, resumed.game);
        self.variations = resumed.variations;
        self.autosave.lost |= self.autosave.failed;
        (self.autosave.journal, self.autosave.failed) = (Some(resumed.journal), false);
        self.seats = resumed.seats;
        self.watch = Watch::of(&self.loaded);
        self.look_anew();
        foreign + resumed.damage.as_str()
    }
}
